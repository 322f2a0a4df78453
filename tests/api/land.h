/* One landscape of 127 x 127 vertices, and what tests ask of it. Each fails the test when the
 * answer is none. */
#ifndef TESTS_API_LAND_H
#define TESTS_API_LAND_H

#include "tests/api/caller.h"

#define LAND     "/v1/landscapes/land"
#define LAND_ALL "\"region\":{\"x\":0,\"y\":0,\"width\":127,\"height\":127}"
enum { LAND_SIDE = 127, LAND_VERTICES = LAND_SIDE * LAND_SIDE };

/* Of 2 x 2 components, 0 m everywhere; with the codes of an input file; with ground, holes and
 * paint of every kind, and an edit layer "top" above. */
struct caller *land_begin(void **state);
struct caller *land_begin_with(void **state, const char *file);
struct caller *land_begin_with_all(void **state);

void land_post(struct caller *caller, const char *target, const char *body);
/* One op or several, with a comma between; positions are grid coordinates. */
void land_edit(struct caller *caller, const char *ops);
double land_version(struct caller *caller);
/* The bytes of an answer, to be freed. */
char *land_take(struct caller *caller, const char *target, size_t *length);
/* The codes of all vertices, good until the next call. */
const uint16_t *land_codes(struct caller *caller);
void assert_land_codes(struct caller *caller, uint16_t expected);
int land_weight(struct caller *caller, const char *layer, int x, int y);

#endif
