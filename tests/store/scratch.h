/* Folders that a test may fill, and landscapes to put into them. */
#ifndef TESTS_STORE_SCRATCH_H
#define TESTS_STORE_SCRATCH_H

#include <stdint.h>

#include "tests/terrain/ground.h"
#include "terrain/core/layout.h"

/* A new folder of its own, to be freed and removed by scratch_remove. */
char *scratch_new(void);
void scratch_remove(char *folder);

/* A landscape of cx x cy components of 2 x 2 sections of 63 quads; version 1. */
struct view *scratch_flat(int32_t cx, int32_t cy, uint16_t code);
struct view *scratch_rough(int32_t cx, int32_t cy, uint64_t seed);

/* The next version: a random rectangle of random heights, sometimes holes, sometimes a title. */
struct view *scratch_edit(const struct view *view, struct dice *dice, struct change *change);

/* The same with layers that come, go, count otherwise and are painted, and another size at times.
 */
struct view *scratch_change(const struct view *view, struct dice *dice, struct change *change);

/* Fails the test unless both have the same settings, versions and values, stamps included. */
void scratch_assert_same(const struct view *a, const struct view *b);

/* The path of the only ledger of a folder, to be freed. */
char *scratch_ledger(const char *folder);

/* Flips one bit in the middle of a run of bytes that stands somewhere in the file. */
void scratch_flip(const char *path, const void *run, size_t length);

#endif
