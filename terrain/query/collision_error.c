#include "terrain/query/collision_error.h"

#include <stdbool.h>
#include <stdlib.h>

/* Both surfaces are plane between the lines of both grids and both grids' diagonals, so their
 * distance is greatest where two of these lines meet. In units of the Q-th part of a quad all such
 * places are whole numbers; heights there are whole numbers of codes times Q, or times q. */

/* A stretch between two neighbouring lines, of whichever grid: where, and in which quads. */
struct stretch {
    int32_t from, to, fine, coarse;
};

enum { STRETCHES_MOST = 255 + 127 };

static int32_t stretches_of(const struct collision_section *section, struct stretch *stretches)
{
    const int32_t whole = section->quads * section->steps;
    int32_t count = 0;

    for (int32_t at = 0; at < whole; count++) {
        struct stretch *one = &stretches[count];
        int32_t fine, coarse;

        *one = (struct stretch){ .from = at,
                                 .fine = at / section->steps,
                                 .coarse = at / section->quads };
        fine = (one->fine + 1) * section->steps;
        coarse = (one->coarse + 1) * section->quads;
        one->to = at = fine < coarse ? fine : coarse;
    }
    return count;
}

/* A quad of either grid, `side` units wide, with its north-west corner. */
struct facet {
    int32_t x, y, side;
    int32_t nw, ne, sw, se;
};

static struct facet facet_at(const uint16_t *heights, int32_t quads, int32_t side, int32_t i,
                             int32_t j)
{
    const uint16_t *at = heights + j * (quads + 1) + i;

    return (struct facet){ i * side, j * side, side, at[0], at[1], at[quads + 1], at[quads + 2] };
}

/* The height there, times the side. */
static int64_t facet_height(const struct facet *facet, int32_t x, int32_t y)
{
    const int32_t across = x - facet->x, down = y - facet->y;
    const bool north_east = across >= down;
    const int64_t eastward = north_east ? facet->ne - facet->nw : facet->se - facet->sw;
    const int64_t southward = north_east ? facet->se - facet->ne : facet->sw - facet->nw;

    return (int64_t)facet->side * facet->nw + across * eastward + down * southward;
}

struct pair {
    struct facet fine, coarse;
    int32_t west, east, north, south; /* what they have in common */
    int64_t most;
};

static void measure(struct pair *pair, int32_t x, int32_t y)
{
    int64_t apart = llabs(pair->coarse.side * facet_height(&pair->fine, x, y) -
                          pair->fine.side * facet_height(&pair->coarse, x, y));

    pair->most = apart > pair->most ? apart : pair->most;
}

/* Where the diagonal of one of them comes into the common rectangle, and where it leaves. */
static void measure_diagonal(struct pair *pair, const struct facet *of)
{
    const int32_t offset = of->x - of->y;
    int32_t in = pair->west - offset, out = pair->east - offset;

    in = in > pair->north ? in : pair->north;
    out = out < pair->south ? out : pair->south;
    if (in > out)
        return;
    measure(pair, in + offset, in);
    measure(pair, out + offset, out);
}

static void measure_pair(struct pair *pair)
{
    measure(pair, pair->west, pair->north);
    measure(pair, pair->east, pair->north);
    measure(pair, pair->west, pair->south);
    measure(pair, pair->east, pair->south);
    measure_diagonal(pair, &pair->fine);
    measure_diagonal(pair, &pair->coarse);
}

int64_t collision_section_error(const struct collision_section *section)
{
    const int32_t quads = section->quads, steps = section->steps;
    struct stretch stretches[STRETCHES_MOST];
    const int32_t count = stretches_of(section, stretches);
    struct pair pair = { .most = 0 };

    for (int32_t j = 0; j < count; j++) {
        const struct stretch *down = &stretches[j];

        pair.north = down->from;
        pair.south = down->to;
        for (int32_t i = 0; i < count; i++) {
            const struct stretch *across = &stretches[i];

            if (section->holes[down->fine * quads + across->fine] ||
                section->coarse_holes[down->coarse * steps + across->coarse])
                continue;
            pair.west = across->from;
            pair.east = across->to;
            pair.fine = facet_at(section->heights, quads, steps, across->fine, down->fine);
            pair.coarse = facet_at(section->coarse, steps, quads, across->coarse, down->coarse);
            measure_pair(&pair);
        }
    }
    return pair.most;
}
