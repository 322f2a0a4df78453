/* Rays for tests, of every kind that has ever been trouble. */
#ifndef TESTS_TERRAIN_RAY_DICE_H
#define TESTS_TERRAIN_RAY_DICE_H

#include "tests/terrain/dice.h"
#include "tests/terrain/ray_judge.h"

enum { RAY_KINDS = 16 };

struct ray ray_dice(struct dice *dice, const struct ray_ground *ground, int kind);

/* Heights of a kind: rough, level, in terraces, all extremes, ramps, gentle. */
enum { GROUND_KINDS = 6 };
void ray_dice_heights(struct dice *dice, int kind, int32_t columns, int32_t rows,
                      uint16_t *heights);

#endif
