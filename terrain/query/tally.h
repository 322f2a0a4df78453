/* What strips of a region add up to, in codes and quads. For statistics.c; a tally, one thread at a
 * time. */
#ifndef TERRAIN_QUERY_TALLY_H
#define TERRAIN_QUERY_TALLY_H

#include "terrain/query/prism.h"
#include "terrain/query/statistics.h"

struct tally_extreme {
    uint16_t code;
    int32_t x, y;
};

struct tally {
    const struct view *view;
    const struct statistics_asked *asked;
    double plane[3]; /* in codes */
    double lean[2];  /* what a rise of one code along x and y is as a slope */
    uint32_t *codes; /* or NULL */
    int64_t vertices;
    uint64_t sum, squares;
    struct tally_extreme least, greatest;
    int64_t quads;      /* whole ones */
    double parts;       /* quads, of pieces */
    double surface;     /* quads */
    struct prism prism; /* quads and codes */
};

extern const struct region_visit tally_visit;

void tally_begin(struct tally *tally, const struct view *view,
                 const struct statistics_asked *asked);
void tally_join(struct tally *tally, const struct tally *more);

/* Whether any of the quads is a hole that counts as one. */
bool tally_has_holes(const struct tally *tally, struct rect quads);

/* For tally_visit. */
void tally_quads(void *context, struct rect quads);
void tally_piece(void *context, int32_t x, int32_t y, bool south_west, const double (*corners)[2],
                 int count);

#endif
