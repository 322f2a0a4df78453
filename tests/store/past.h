/* A landscape in a folder of its own for tests of its history, and what is the same content. */
#ifndef TESTS_STORE_PAST_H
#define TESTS_STORE_PAST_H

#include "terrain/landscape_history.h"
#include "tests/store/scratch.h"

enum { VERSIONS_MOST = 1200 };

struct past {
    char *folder;
    struct landscapes *all;
    struct landscapes_limits limits;
    struct landscape *ground; /* "ground", 2 x 1 components at 30000, with ops_paints */
    struct dice dice;
    struct view *views[VERSIONS_MOST]; /* held, by version: 1, and what a test keeps */
    uint64_t newest;
};

/* For a test: *state is the past. */
int past_begin(void **state);
int past_end(void **state);

/* Closes the landscapes and opens them again, under the limits as they are now. */
void past_restart(struct past *past);
/* Everything that the background would do. */
void past_rest(struct past *past);

/* Fails the test unless both show the same and hold the same in their layers, whatever the stamps.
 */
void past_assert_same(const struct view *a, const struct view *b);

#endif
