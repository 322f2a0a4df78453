/* A horizon: how steeply one must look in each direction to look over all that is nearer.
 *
 * A direction is w / u, a place u ahead of the eye and w beside it; steepness h / u, a place h
 * above it. Seen so, a side of a triangle is a straight segment, and a horizon the upper envelope
 * of segments, disjoint and in order. What rounding may have done to it is kept with each piece, so
 * that whoever needs to be exact knows what is certain. One thread at a time. */
#ifndef TERRAIN_QUERY_HORIZON_H
#define TERRAIN_QUERY_HORIZON_H

#include <stdbool.h>
#include <stddef.h>

struct horizon_piece {
    double from, to;     /* directions, closed */
    double level, slope; /* steepness: level + slope x direction */
    double error;        /* of that, at most */
    double owed; /* pieces that were left out may be so much higher than this one truly is */
};

struct horizon {
    size_t count, room;
    struct horizon_piece *pieces;
};

/* Behind the last one; an empty piece is none. False when memory is out. */
bool horizon_add(struct horizon *horizon, const struct horizon_piece *piece);

/* The upper envelope of two, instead of what `joined` was. */
bool horizon_join(const struct horizon *a, const struct horizon *b, struct horizon *joined);

/* The lowest and the highest steepness next to a direction, -INFINITY where nothing is, and how
 * far off both may be. Pieces before *piece, which goes forward, are not looked at: ask in the
 * order of directions. */
struct horizon_reading {
    double low, high, doubt;
};
struct horizon_reading horizon_read(const struct horizon *horizon, double direction, size_t *piece);

void horizon_free(struct horizon *horizon);

#endif
