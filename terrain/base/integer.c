#include "terrain/base/integer.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 two_words;

enum { WORD = 64 };

static void trim(struct integer *number)
{
    while (number->count > 0 && number->limb[number->count - 1] == 0)
        number->count--;
    if (number->count == 0)
        number->sign = 0;
}

void integer_split(double value, int64_t *mantissa, int *exponent)
{
    double part = frexp(value, exponent);
    int zeros;

    *mantissa = (int64_t)ldexp(part, 53);
    *exponent -= 53;
    if (*mantissa == 0) {
        *exponent = 0;
        return;
    }
    zeros = __builtin_ctzll((unsigned long long)*mantissa);
    *mantissa /= (int64_t)1 << zeros;
    *exponent += zeros;
}

void integer_set(struct integer *to, int64_t value, int shift)
{
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const int words = shift / WORD, bits = shift % WORD;

    memset(to->limb, 0, (size_t)words * sizeof *to->limb);
    to->limb[words] = size << bits;
    to->limb[words + 1] = bits ? size >> (WORD - bits) : 0;
    to->sign = value < 0 ? -1 : 1;
    to->count = words + 2;
    trim(to);
}

void integer_set_double(struct integer *to, double value, int exponent)
{
    int64_t mantissa;
    int own;

    integer_split(value, &mantissa, &own);
    integer_set(to, mantissa, mantissa ? own - exponent : 0);
}

void integer_copy(struct integer *to, const struct integer *a)
{
    if (to == a)
        return;
    to->sign = a->sign;
    to->count = a->count;
    memcpy(to->limb, a->limb, (size_t)a->count * sizeof *a->limb);
}

static int compare_sizes(const struct integer *a, const struct integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

int integer_compare(const struct integer *a, const struct integer *b)
{
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    return a->sign * compare_sizes(a, b);
}

/* Sizes alone; a is not the shorter. */
static void add_sizes(struct integer *to, const struct integer *a, const struct integer *b)
{
    const int count = a->count;
    unsigned carry = 0;

    for (int i = 0; i < count; i++) {
        two_words sum = (two_words)a->limb[i] + (i < b->count ? b->limb[i] : 0) + carry;

        to->limb[i] = (uint64_t)sum;
        carry = (unsigned)(sum >> WORD);
    }
    to->limb[count] = carry;
    to->count = count + 1;
}

/* Sizes alone; a is not the less. */
static void subtract_sizes(struct integer *to, const struct integer *a, const struct integer *b)
{
    const int count = a->count;
    unsigned borrow = 0;

    for (int i = 0; i < count; i++) {
        two_words rest = (two_words)a->limb[i] - (i < b->count ? b->limb[i] : 0) - borrow;

        to->limb[i] = (uint64_t)rest;
        borrow = (unsigned)(rest >> WORD) & 1;
    }
    to->count = count;
}

static void add_signed(struct integer *to, const struct integer *a, const struct integer *b,
                       int sign_of_b)
{
    int sign = a->sign;

    if (sign_of_b == 0) {
        integer_copy(to, a);
        return;
    }
    if (sign == 0) {
        integer_copy(to, b);
        to->sign = sign_of_b;
        return;
    }
    if (sign == sign_of_b) {
        if (a->count >= b->count)
            add_sizes(to, a, b);
        else
            add_sizes(to, b, a);
    } else if (compare_sizes(a, b) >= 0) {
        subtract_sizes(to, a, b);
    } else {
        subtract_sizes(to, b, a);
        sign = sign_of_b;
    }
    to->sign = sign;
    trim(to);
}

void integer_add(struct integer *to, const struct integer *a, const struct integer *b)
{
    add_signed(to, a, b, b->sign);
}

void integer_subtract(struct integer *to, const struct integer *a, const struct integer *b)
{
    add_signed(to, a, b, -b->sign);
}

void integer_multiply(struct integer *to, const struct integer *a, const struct integer *b)
{
    to->sign = a->sign * b->sign;
    to->count = to->sign ? a->count + b->count : 0;
    memset(to->limb, 0, (size_t)to->count * sizeof *to->limb);
    if (!to->sign)
        return;
    for (int i = 0; i < a->count; i++) {
        uint64_t carry = 0;

        for (int k = 0; k < b->count; k++) {
            two_words sum = (two_words)a->limb[i] * b->limb[k] + to->limb[i + k] + carry;

            to->limb[i + k] = (uint64_t)sum;
            carry = (uint64_t)(sum >> WORD);
        }
        to->limb[i + b->count] = carry;
    }
    trim(to);
}

void integer_shift(struct integer *to, const struct integer *a, int shift)
{
    const int words = shift / WORD, bits = shift % WORD, count = a->count;

    to->limb[count + words] = 0;
    for (int i = count - 1; i >= 0; i--) {
        uint64_t limb = a->limb[i];

        if (bits)
            to->limb[i + words + 1] |= limb >> (WORD - bits);
        to->limb[i + words] = limb << bits;
    }
    memset(to->limb, 0, (size_t)words * sizeof *to->limb);
    to->sign = a->sign;
    to->count = count + words + 1;
    trim(to);
}

/* The number as value * 2^*exponent, the value of at most 64 bits. */
static double leading(const struct integer *number, int *exponent)
{
    const int top = number->count - 1;
    const int zeros = __builtin_clzll((unsigned long long)number->limb[top]);
    uint64_t bits = number->limb[top] << zeros;

    if (zeros && top > 0)
        bits |= number->limb[top - 1] >> (WORD - zeros);
    *exponent = top * WORD - zeros;
    return number->sign * (double)bits;
}

double integer_ratio(const struct integer *numerator, const struct integer *denominator,
                     int exponent)
{
    int above, below;
    double ratio;

    if (numerator->sign == 0)
        return 0;
    ratio = leading(numerator, &above) / leading(denominator, &below);
    return ldexp(ratio, above - below + exponent);
}
