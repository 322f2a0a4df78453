/* Random numbers for tests: the same on every machine, and nothing but C. */
#ifndef TESTS_TERRAIN_DICE_H
#define TESTS_TERRAIN_DICE_H

#include <stdint.h>

#include "terrain/base/rect.h"

/* The state is the seed. least <= result <= most. */
struct dice {
    uint64_t state;
};
uint32_t dice_throw(struct dice *dice);
int32_t dice_between(struct dice *dice, int32_t least, int32_t most);
double dice_real(struct dice *dice, double least, double most);
/* A rectangle of at most `most` a side inside columns x rows. */
struct rect dice_rect(struct dice *dice, int32_t columns, int32_t rows, int32_t most);

#endif
