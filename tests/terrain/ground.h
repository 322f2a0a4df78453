/* Ground for tests: views of any size, made flat or rough, and a flat array beside them. */
#ifndef TESTS_TERRAIN_GROUND_H
#define TESTS_TERRAIN_GROUND_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "terrain/core/view.h"
#include "terrain/edit/draft.h"
#include "tests/terrain/dice.h"

/* A view of columns x rows vertices, whatever layouts allow, with the paint layers of ops.h, which
 * have no weight yet; version 1. */
struct view *ground_flat(int32_t columns, int32_t rows, uint16_t code);
struct view *ground_of(int32_t columns, int32_t rows, const uint16_t *heights);
struct view *ground_rough(int32_t columns, int32_t rows, uint64_t seed);

/* With that layout and scale, and without paint layers. */
struct view *ground_laid_out(const struct layout *layout, const double scale[3],
                             const uint16_t *heights);
/* The view, which is dropped, with an XY offset for each vertex. */
struct view *ground_offset(struct view *view, const uint16_t (*xy)[2]);

/* Flat, with these weights: a plane for each of the paint layers. */
struct view *ground_painted(int32_t columns, int32_t rows, uint8_t *const *planes);
/* Random weights that add up, in patches, so that some blocks lack some layers. */
struct view *ground_daubed(int32_t columns, int32_t rows, struct dice *dice);

/* All heights of a view, to be freed. */
uint16_t *ground_heights(const struct view *view);

/* The resolved weight of the paint layer at that position of the stack. */
int ground_weight(const struct view *view, int paint, int32_t x, int32_t y);

/* Fails the test unless every summary, stamp and cell of the view's trees is what a
 * recount of its values says, and blended weights add up. */
void ground_assert_sound(const struct view *view);

/* Finishes the draft, frees it and drops its base: the view there afterwards. */
struct view *ground_finish(struct draft *draft, struct view *base, struct change *change);

#endif
