/* Numbers and texts in the byte forms that are kept: little-endian, the same on every machine.
 *
 * A reader takes from the front; once something was not whole, it stays so and everything that
 * follows is 0. One thread at a time.
 */
#ifndef TERRAIN_BASE_FORM_H
#define TERRAIN_BASE_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"

/* Append the lowest `size` bytes, at most 8; a double's bits; a text with the zero behind it. Fail
 * with MEMORY, and then nothing was appended. */
bool form_add_number(struct bytes *to, uint64_t number, int size, struct fault *why);
bool form_add_real(struct bytes *to, double real, struct fault *why);
bool form_add_text(struct bytes *to, const char *text, struct fault *why);

struct form_reader {
    const unsigned char *at;
    size_t left;
    bool whole;
};

uint64_t form_take_number(struct form_reader *from, int size);
double form_take_real(struct form_reader *from);
/* A text with its zero that fits into the room; else nothing is taken, and it is not whole. */
void form_take_text(struct form_reader *from, char *text, size_t room);

#endif
