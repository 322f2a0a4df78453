/* The ground that crash tests are about: each writer owns two squares, lays a new height over
 * both at once, and so shows later what of its changes is there. */
#ifndef TESTS_SERVER_CRASH_GROUND_H
#define TESTS_SERVER_CRASH_GROUND_H

#include "terrain/base/rect.h"
#include "terrain/core/view.h"

enum { CRASH_WRITERS_MOST = 16, CRASH_SIDE = 40, CRASH_NAMES = 4 };

/* 16 x 8 components of one section of 63 quads: 1009 x 505 vertices. */
struct view *crash_ground_new(void);

/* The two squares of a writer; both cross borders of blocks. */
struct rect crash_ground_square(int writer, int which);

/* The one height of both squares of a writer; -1 when they are not all one: half a change. */
int32_t crash_ground_height(const struct view *view, int writer);

#endif
