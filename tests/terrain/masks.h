/* Masks for tests: made through their rows, and what they mean, worked out again the slow way. */
#ifndef TESTS_TERRAIN_MASKS_H
#define TESTS_TERRAIN_MASKS_H

#include "terrain/base/arena.h"
#include "terrain/core/view.h"
#include "terrain/edit/mask.h"
#include "tests/terrain/dice.h"

/* With the rows' defaults; members NULL when there is no such mask or memory is out. */
struct variant mask_new(struct arena *arena, const char *type);

/* Set a member by its name; false when the mask has none of that name and kind. */
bool mask_real(struct variant *mask, const char *member, double value);
bool mask_integer(struct variant *mask, const char *member, int64_t value);

/* A mask of masks[] with every member thrown within its row's bounds, about the size of the
 * landscape; combinations have masks inside them up to so deep. */
struct variant mask_random(struct arena *arena, int mask, struct rect landscape, struct dice *dice,
                           int depth);

/* Lends one picture under every name. */
extern const struct sources mask_sources;
extern const struct image mask_picture;

/* The picture's value, 0..1, at a place counted in samples, worked out the slow way: every sample
 * as a tent. */
double mask_picture_at(double u, double v);

#endif
