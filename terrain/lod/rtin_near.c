#include "terrain/lod/rtin_coarse.h"

#include <math.h>

/* Floats hold all of it without loss, sides being at most RTIN_TILE: heights are integers, and what
 * is added up are multiples of 1 / side. */
enum { PITCH = RTIN_TILE + 1, RING = RTIN_TILE + 2 };

struct near {
    struct rtin_coarse *c;
    int32_t x, y; /* of the tile */
    bool holed;
};

static float greater(float a, float b)
{
    return a > b ? a : b;
}

/* Quads that are holes, in one that is left out, or not the node's. */
static void read_holes(struct near *near)
{
    struct rtin_coarse *c = near->c;
    const struct rect all = c->vertices;
    const struct rect ring = rect_meet((struct rect){ near->x - 1, near->y - 1, RING, RING },
                                       (struct rect){ 0, 0, all.width - 1, all.height - 1 });

    memset(c->holes, 1, RING * RING);
    for (int32_t y = ring.y; y < ring.y + ring.height; y++) {
        uint8_t *row = c->holes + (y - near->y + 1) * RING - near->x + 1;

        view_read_holes(c->view, (struct rect){ all.x + ring.x, all.y + y, ring.width, 1 },
                        row + ring.x, RING);
        for (int32_t x = ring.x; x < ring.x + ring.width; x++)
            if (c->quads[y / c->stride * c->n + x / c->stride] == RTIN_LEFT_OUT)
                row[x] = 1;
    }
}

static void read_tile(struct near *near)
{
    struct rtin_coarse *c = near->c;
    const struct rect all = c->vertices;
    const struct rect part =
        rect_meet((struct rect){ all.x + near->x, all.y + near->y, PITCH, PITCH }, all);
    uint16_t row[PITCH];

    for (int32_t v = 0; v < PITCH; v++) {
        float *heights = c->heights + v * PITCH;
        const uint8_t *above = c->holes + v * RING, *below = above + RING;

        if (v < part.height)
            view_read_heights(c->view, (struct rect){ part.x, part.y + v, part.width, 1 }, row,
                              PITCH);
        for (int32_t u = 0; u < PITCH; u++)
            heights[u] = v < part.height && u < part.width ? row[u] : NAN;
        for (int32_t u = 0; near->holed && u < PITCH; u++)
            if (above[u] && above[u + 1] && below[u] && below[u + 1])
                heights[u] = NAN;
    }
}

static float code_at(const struct near *near, int32_t x, int32_t y)
{
    const struct rtin_coarse *c = near->c;

    return c->own->codes[y / c->stride * (c->n + 1) + x / c->stride];
}

/* With the grid's samples for corners: they count where nothing has a surface as well. */
static struct rtin_square square_at(const struct near *near, int32_t x, int32_t y, int32_t side)
{
    const bool centre = side > near->c->stride;

    return (struct rtin_square){ near->c->heights + (y - near->y) * PITCH + x - near->x,
                                 PITCH,
                                 side,
                                 code_at(near, x, y),
                                 code_at(near, x + side, y),
                                 code_at(near, x, y + side),
                                 code_at(near, x + side, y + side),
                                 centre ? code_at(near, x + side / 2, y + side / 2) : 0 };
}

/* The square's rows and columns are `by` apart; from one of its corners to another. */
static float along(const struct rtin_square *s, const float *at, int32_t by, float from, float to)
{
    const float slope = (to - from) / (float)s->side;
    float most = 0;

    for (int32_t k = 1; k < s->side; k++)
        most = greater(fabsf(at[k * by] - (from + slope * (float)k)), most);
    return most;
}

/* Middles of the surface's quads along the diagonal from north-east to south-west. */
static float middles(const struct near *near, const struct rtin_square *s, int32_t x, int32_t y)
{
    const float slope = (s->sw - s->ne) / (float)s->side;
    const uint8_t *holes = near->c->holes + (y - near->y + 1) * RING + x - near->x + 1;
    float most = 0;

    for (int32_t v = 0; v < s->side; v++) {
        const int32_t u = s->side - 1 - v;
        const float *quad = s->at + v * PITCH + u;
        const float middle = (quad[0] + quad[PITCH + 1]) * 0.5f;

        if (!near->holed || !holes[v * RING + u])
            most = greater(fabsf(middle - (s->ne + slope * ((float)v + 0.5f))), most);
    }
    return most;
}

static float halves(const struct near *near, const struct rtin_square *s, int32_t x, int32_t y,
                    bool falling)
{
    const float rows = rtin_halve(s, falling);

    return falling ? rows : greater(rows, middles(near, s, x, y));
}

static void measure_quad(const struct near *near, int32_t i, int32_t j)
{
    const struct rtin_coarse *c = near->c;
    const int32_t x = i * c->stride, y = j * c->stride, side = c->stride;
    const struct rtin_square s = square_at(near, x, y, side);
    const bool falling = rtin_falling(c, i, j, 1);
    const float *south = s.at + side * PITCH, *east = s.at + side;
    const float legs =
        greater(greater(along(&s, s.at, 1, s.nw, s.ne), along(&s, south, 1, s.sw, s.se)),
                greater(along(&s, s.at, PITCH, s.nw, s.sw), along(&s, east, PITCH, s.ne, s.se)));
    const float diagonal =
        falling ? along(&s, s.at, PITCH + 1, s.nw, s.se)
                : greater(along(&s, east, PITCH - 1, s.ne, s.sw), middles(near, &s, x, y));

    c->own->sides[j * c->n + i] = rtin_pack(diagonal);
    c->own->rest[j * c->n + i] =
        rtin_pack(greater(greater(legs, diagonal), rtin_halve(&s, falling)));
}

static void measure_square(const struct near *near, int32_t i, int32_t j, int32_t cells)
{
    const struct rtin_coarse *c = near->c;
    const int32_t x = i * c->stride, y = j * c->stride, side = cells * c->stride;
    const int32_t half = cells / 2, row = c->n + 1;
    struct rtin_square s;
    float farthest[4];

    if (!rtin_whole(c, x + side, y + side)) {
        rtin_far_square(c, i, j, cells);
        return;
    }
    s = square_at(near, x, y, side);
    rtin_quarter(&s, farthest);
    c->own->raw[j * row + i + half] = rtin_pack(farthest[0]);
    c->own->other[(j + cells) * row + i + half] = rtin_pack(farthest[1]);
    c->own->raw[(j + half) * row + i] = rtin_pack(farthest[2]);
    c->own->other[(j + half) * row + i + cells] = rtin_pack(farthest[3]);
    c->own->raw[(j + half) * row + i + half] =
        rtin_pack(halves(near, &s, x, y, rtin_falling(c, i, j, cells)));
}

static void measure_level(const struct near *near, int32_t tile, int32_t cells)
{
    const struct rtin_coarse *c = near->c;
    const int32_t first[2] = { near->x / c->stride, near->y / c->stride };

    for (int32_t j = first[1]; j < first[1] + tile; j += cells)
        for (int32_t i = first[0]; i < first[0] + tile; i += cells) {
            if (!rtin_touched(c, i * c->stride, j * c->stride, cells * c->stride))
                continue;
            if (cells > 1)
                measure_square(near, i, j, cells);
            else if (rtin_whole(c, (i + 1) * c->stride, (j + 1) * c->stride))
                measure_quad(near, i, j);
        }
}

void rtin_near_tile(struct rtin_coarse *c, int32_t x, int32_t y, int32_t most)
{
    const int32_t size = c->node->size;
    const int32_t tile = (size < RTIN_TILE ? size : RTIN_TILE) / c->stride;
    struct near near = { c, x, y, c->holed };

    if (near.holed)
        read_holes(&near);
    read_tile(&near);
    for (int32_t cells = 1; cells * c->stride <= most; cells *= 2)
        measure_level(&near, tile, cells);
}
