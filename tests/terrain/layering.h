/* Landscapes of many layers for tests: made, changed at random, and resolved again from scratch. */
#ifndef TESTS_TERRAIN_LAYERING_H
#define TESTS_TERRAIN_LAYERING_H

#include "tests/terrain/ground.h"

/* Rough ground with the paint layers of ops.h and a stack of so many edit layers, some of each
 * kind, all still empty but base; the same on ground that has these paint layers, which is dropped.
 */
struct view *layering_view(int32_t columns, int32_t rows, int edit_layers, uint64_t seed);
struct view *layering_on(struct view *ground, int edit_layers, uint64_t seed);

/* A random change: an op of any brush on any edit layer, or a change of the layers themselves.
 * False when it was refused, as some are; what it was is put into `what`. */
bool layering_change(struct draft *draft, struct dice *dice, const char **what, struct fault *why);

/* The versions after such changes; refused ones leave none. The base is dropped. */
struct view *layering_changed(struct view *base, struct dice *dice, const char **what);

/* Fails the test unless the surface is what resolving all of it again makes it, and every tree is
 * sound; and unless each block of it that has changed since the version before is the very one of
 * the layer that alone makes it, if one does. */
void layering_assert_resolved(const struct view *view, const struct view *was);

/* Fails the test unless surfaces are the same, or settings and what layers hold too. */
void layering_assert_same_surface(const struct view *a, const struct view *b);
void layering_assert_same(const struct view *a, const struct view *b);

/* Fails the test unless the differences between two versions redo and undo exactly. */
void layering_assert_differences(const struct view *before, const struct view *after);

#endif
