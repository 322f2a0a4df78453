/* Whole numbers of up to INTEGER_LIMBS words, for decisions that must be exact.
 *
 * Wide enough for any sum of a few products of two doubles, as multiples of the least bit that any
 * of them has; nothing checks for more. As long as it is only as many words as it needs are
 * touched, so small numbers are fast. Any thread.
 */
#ifndef TERRAIN_BASE_INTEGER_H
#define TERRAIN_BASE_INTEGER_H

#include <stdint.h>

enum { INTEGER_LIMBS = 96 };

struct integer {
    int sign;  /* -1, 0, 1 */
    int count; /* of words; the last is not 0 */
    uint64_t limb[INTEGER_LIMBS];
};

/* A finite double is mantissa * 2^exponent, the mantissa odd or 0 (and then so is the exponent). */
void integer_split(double value, int64_t *mantissa, int *exponent);

/* value * 2^shift, the shift at least 0. */
void integer_set(struct integer *to, int64_t value, int shift);
/* A double, as a multiple of 2^exponent, which is not above its own. */
void integer_set_double(struct integer *to, double value, int exponent);

/* The outcome may be one of the operands, except that of a product. */
void integer_add(struct integer *to, const struct integer *a, const struct integer *b);
void integer_subtract(struct integer *to, const struct integer *a, const struct integer *b);
void integer_multiply(struct integer *to, const struct integer *a, const struct integer *b);
void integer_shift(struct integer *to, const struct integer *a, int shift); /* left */
void integer_copy(struct integer *to, const struct integer *a);

int integer_compare(const struct integer *a, const struct integer *b); /* -1, 0, 1 */

/* numerator / denominator * 2^exponent, to a few units of the last place. */
double integer_ratio(const struct integer *numerator, const struct integer *denominator,
                     int exponent);

#endif
