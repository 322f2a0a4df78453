#include "terrain/lod/rtin_fine.h"

#include <math.h>
#include <string.h>

/* Small squares are measured eight at once: those at the same place in eight cells of 16 quads
 * beside each other. Larger ones row by row of one triangle. All that is added up are heights
 * within a triangle, whole multiples of 1/256 below 2^16, and their differences, so that nothing is
 * lost in a float's 24 bits; of metres it is at most 2^-18 of their range. */
enum { CELL = 16, CORNERS = CELL + 1, LANES = 8, PANEL = CELL * LANES };

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_ints __attribute__((vector_size(16)));

struct eight {
    four a, b;
};

/* Cells beside each other: vertices by row and column of the cell, then cell. */
struct panel {
    struct eight heights[CORNERS][CORNERS];
    struct eight errors[CORNERS][CORNERS];
    struct eight turns[CELL][CELL];
};

static inline four distance(four x, four y)
{
    return (four)((four_ints)(x - y) & 0x7fffffff);
}

/* What is no number is not greater. One instruction where there is one saves a quarter of all. */
static inline four greater(four x, four most)
{
#ifdef __SSE__
    return __builtin_ia32_maxps(x, most);
#else
    const four_ints is = x > most;

    return (four)(((four_ints)x & is) | ((four_ints)most & ~is));
#endif
}

static inline struct eight add(struct eight x, struct eight y)
{
    return (struct eight){ x.a + y.a, x.b + y.b };
}

static inline struct eight less(struct eight x, struct eight y)
{
    return (struct eight){ x.a - y.a, x.b - y.b };
}

static inline struct eight times(struct eight x, float by)
{
    return (struct eight){ x.a * by, x.b * by };
}

/* x + slope * by */
static inline struct eight along(struct eight x, struct eight slope, float by)
{
    return (struct eight){ x.a + slope.a * by, x.b + slope.b * by };
}

static inline void raise_eight(struct eight *most, struct eight error)
{
    most->a = greater(error.a, most->a);
    most->b = greater(error.b, most->b);
}

static inline void look(struct eight *most, struct eight height, struct eight at)
{
    most->a = greater(distance(height.a, at.a), most->a);
    most->b = greater(distance(height.b, at.b), most->b);
}

/* Columns [from, to) of a row; at column 0 the plane is `at`. */
static inline void run_eight(struct eight *most, const struct eight *row, int from, int to,
                             struct eight at, struct eight slope)
{
    struct eight farthest = *most, here = along(at, slope, (float)from);

    for (int u = from; u < to; u++) {
        look(&farthest, row[u], here);
        here = add(here, slope);
    }
    *most = farthest;
}

/* A square of that side in each cell, halved by its diagonal; sides of triangles are left to the
 * smaller ones whose hypotenuse they are. */
static inline void halve(struct panel *panel, int x, int y, int side)
{
    struct eight(*h)[CORNERS] = panel->heights;
    const struct eight nw = h[y][x], ne = h[y][x + side];
    const struct eight sw = h[y + side][x], se = h[y + side][x + side];
    const bool falling = ((x ^ y) / side & 1) == 0;
    const float step = 1.0f / (float)side;
    const struct eight north = times(less(ne, nw), step), south = times(less(se, sw), step);
    const struct eight west = times(less(sw, nw), step), east = times(less(se, ne), step);
    const struct eight diagonal = times(less(sw, ne), step);
    struct eight most = { { 0 }, { 0 } };

    for (int v = 1; v < side; v++) {
        const struct eight *row = &h[y + v][x];
        const int on = falling ? v : side - v;
        /* At the row's ends. */
        const struct eight left = along(nw, west, (float)v), right = along(ne, east, (float)v);

        run_eight(&most, row, 1, on + 1, left, falling ? south : north);
        run_eight(&most, row, on + 1, side, along(right, falling ? north : south, (float)-side),
                  falling ? north : south);
    }
    for (int v = 0; v < side && !falling; v++) {
        const int u = side - 1 - v;

        look(&most, times(add(h[y + v][x + u], h[y + v + 1][x + u + 1]), 0.5f),
             along(ne, diagonal, (float)v + 0.5f));
    }
    panel->errors[y + side / 2][x + side / 2] = most;
}

/* The same square quartered by both diagonals. */
static inline void quarter(struct panel *panel, int x, int y, int side)
{
    struct eight(*h)[CORNERS] = panel->heights;
    const int half = side / 2;
    const struct eight nw = h[y][x], ne = h[y][x + side];
    const struct eight sw = h[y + side][x], se = h[y + side][x + side];
    const struct eight twice = times(h[y + half][x + half], 2);
    const float step = 1.0f / (float)side;
    const struct eight north = times(less(ne, nw), step), south = times(less(se, sw), step);
    const struct eight west = times(less(sw, nw), step), east = times(less(se, ne), step);
    const struct eight from_north = times(less(less(twice, nw), ne), step);
    const struct eight from_south = times(less(less(twice, sw), se), step);
    const struct eight from_west = times(less(less(twice, nw), sw), step);
    const struct eight from_east = times(less(less(twice, ne), se), step);
    struct eight most[4] = { { { 0 }, { 0 } } };

    for (int v = 0; v <= side; v++) {
        const struct eight *row = &h[y + v][x];
        const int depth = v < side - v ? v : side - v;

        if (v < half)
            run_eight(&most[0], row, depth + 1, side - depth, along(nw, from_north, (float)v),
                      north);
        if (v > half)
            run_eight(&most[1], row, depth + 1, side - depth, along(sw, from_south, (float)depth),
                      south);
        run_eight(&most[2], row, 0, depth, along(nw, west, (float)v), from_west);
        run_eight(&most[3], row, side - depth + 1, side + 1,
                  along(along(ne, east, (float)v), from_east, (float)side), times(from_east, -1));
    }
    raise_eight(&panel->errors[y][x + half], most[0]);
    raise_eight(&panel->errors[y + side][x + half], most[1]);
    raise_eight(&panel->errors[y + half][x], most[2]);
    raise_eight(&panel->errors[y + half][x + side], most[3]);
}

/* The finest quads whose diagonal is not the surface's; both vertices at its side need them. */
static void turn(struct panel *panel)
{
    struct eight(*h)[CORNERS] = panel->heights;

    for (int y = 0; y < CELL; y++)
        for (int x = 1 - (y & 1); x < CELL; x += 2) {
            const struct eight falling = add(h[y][x], h[y + 1][x + 1]);
            const struct eight rising = add(h[y][x + 1], h[y + 1][x]);
            struct eight error = { { 0 }, { 0 } };

            look(&error, times(falling, 0.5f), times(rising, 0.5f));
            panel->turns[y][x] = error;
            raise_eight(&panel->errors[y][x], error);
            raise_eight(&panel->errors[y + 1][x + 1], error);
        }
}

static void measure_panel(struct panel *panel)
{
    turn(panel);
    for (int y = 0; y < CELL; y += 2)
        for (int x = 0; x < CELL; x += 2) {
            halve(panel, x, y, 2);
            quarter(panel, x, y, 2);
        }
    for (int y = 0; y < CELL; y += 4)
        for (int x = 0; x < CELL; x += 4) {
            halve(panel, x, y, 4);
            quarter(panel, x, y, 4);
        }
    for (int y = 0; y < CELL; y += 8)
        for (int x = 0; x < CELL; x += 8) {
            halve(panel, x, y, 8);
            quarter(panel, x, y, 8);
        }
    quarter(panel, 0, 0, 16);
}

static inline float *lane(struct eight *eight, int cell)
{
    return (float *)eight + cell;
}

/* Cells of columns from x on of rows from y on. */
static void fill_panel(const struct rtin_fine *fine, int32_t x, int32_t y, struct panel *panel)
{
    const int32_t cells = fine->n - x < PANEL ? (fine->n - x) / CELL : LANES;

    for (int v = 0; v <= CELL; v++) {
        const float *row = fine->heights + (y + v) * fine->pitch + x;

        for (int cell = 0; cell < cells; cell++)
            for (int u = 0; u <= CELL; u++)
                *lane(&panel->heights[v][u], cell) = row[cell * CELL + u];
    }
}

/* Eight floats that are not negative, packed as rtin_pack does. */
static inline void pack_eight(const struct eight *errors, float slack, int32_t packed[LANES])
{
    float safe[LANES];
    int32_t bits[LANES];

    memcpy(safe, errors, sizeof safe);
    for (int i = 0; i < LANES; i++)
        safe[i] = safe[i] > slack ? safe[i] + slack : 0;
    memcpy(bits, safe, sizeof bits);
    for (int i = 0; i < LANES; i++) {
        const int32_t code = ((bits[i] + 8191) >> 13) - ((127 - 15) << 10);

        packed[i] = code > 0 ? code : bits[i] > 0;
    }
}

static int16_t pack_one(const struct rtin_fine *fine, float error)
{
    return rtin_pack(rtin_safe(error, fine->slack));
}

/* With `keep_west` the first column stays as it is: the panel west of it was not measured. */
static void write_rows(const struct rtin_fine *fine, int32_t x, int32_t y, int rows, bool keep_west,
                       const struct panel *panel)
{
    const int32_t cells = fine->n - x < PANEL ? (fine->n - x) / CELL : LANES;
    int32_t packed[CELL][LANES];

    for (int v = 0; v < rows; v++) {
        int16_t *to = fine->errors + (y + v) * (fine->n + 1) + x;

        for (int u = 0; u < CELL; u++)
            pack_eight(&panel->errors[v][u], fine->slack, packed[u]);
        /* Vertices of larger squares stay as they are. */
        for (int cell = 0; v % (CELL / 2) == 0 && cell < cells; cell++)
            packed[v % CELL][cell] = to[cell * CELL + v % CELL];
        if (keep_west)
            packed[0][0] = to[0];
        for (int cell = 0; cell < cells; cell++)
            for (int u = 0; u < CELL; u++)
                to[cell * CELL + u] = (int16_t)packed[u][cell];
    }
}

static void write_turns(const struct rtin_fine *fine, int32_t x, int32_t y,
                        const struct panel *panel)
{
    const int32_t cells = fine->n - x < PANEL ? (fine->n - x) / CELL : LANES;
    int32_t packed[CELL][LANES];

    for (int v = 0; v < CELL; v++) {
        int16_t *to = fine->rest + (y + v) * fine->n + x;

        for (int u = 1 - (v & 1); u < CELL; u += 2)
            pack_eight(&panel->turns[v][u], fine->slack, packed[u]);
        for (int cell = 0; cell < cells; cell++)
            for (int u = 1 - (v & 1); u < CELL; u += 2)
                to[cell * CELL + u] = (int16_t)packed[u][cell];
    }
}

/* What is carried from panel to panel: errors of the vertices that they share. */
struct carried {
    struct eight above[2][CELL]; /* of the row below each panel of the last band */
    float east[CORNERS];         /* of the column east of the last panel */
    float corner;                /* of the last column, below the last band */
};

static void take_carried(struct panel *panel, const struct carried *carried, int column, bool first,
                         bool west)
{
    memset(panel->errors, 0, sizeof panel->errors);
    if (!first)
        memcpy(panel->errors[0], carried->above[column], sizeof carried->above[column]);
    if (west)
        for (int v = 0; v <= CELL; v++) {
            float *there = lane(&panel->errors[v][0], 0);

            *there = carried->east[v] > *there ? carried->east[v] : *there;
        }
}

/* The last column of each cell is the first of the next. */
static void join_cells(struct panel *panel, float east[CORNERS], int32_t cells)
{
    for (int v = 0; v <= CELL; v++) {
        for (int cell = 0; cell + 1 < cells; cell++) {
            const float error = *lane(&panel->errors[v][CELL], cell);
            float *there = lane(&panel->errors[v][0], cell + 1);

            *there = error > *there ? error : *there;
        }
        east[v] = *lane(&panel->errors[v][CELL], cells - 1);
    }
}

static void write_last_column(const struct rtin_fine *fine, int32_t y, int rows,
                              struct carried *carried, bool first)
{
    if (!first && carried->corner > carried->east[0])
        carried->east[0] = carried->corner;
    carried->corner = carried->east[CELL];
    for (int v = 0; v < rows; v++)
        if (v % CELL)
            fine->errors[(y + v) * (fine->n + 1) + fine->n] = pack_one(fine, carried->east[v]);
}

/* Whether what is dirty has a part in the columns [from, to]. */
static bool within(const struct rect *dirty, int32_t from, int32_t to)
{
    return dirty->x <= to && dirty->x + dirty->width > from;
}

/* The panels of a band that are touched, and those that share a touched column with one. */
static void measure_band(const struct rtin_fine *fine, const struct rect *dirty, int32_t y,
                         int rows, bool first, struct carried *carried)
{
    struct panel *panel = fine->panel;
    bool west = false; /* the panel before has been measured */
    int column = 0;

    for (int32_t x = 0; x < fine->n; x += PANEL, column++) {
        const int32_t cells = fine->n - x < PANEL ? (fine->n - x) / CELL : LANES;
        const int32_t end = x + cells * CELL;
        const bool shares_west = within(dirty, x - CELL, x + CELL);
        const bool written = shares_west || within(dirty, x, end);

        if (!written && !within(dirty, end - CELL, end + CELL)) {
            west = false;
            continue;
        }
        fill_panel(fine, x, y, panel);
        take_carried(panel, carried, column, first, west);
        measure_panel(panel);
        join_cells(panel, carried->east, cells);
        memcpy(carried->above[column], panel->errors[CELL], sizeof carried->above[column]);
        if (written)
            write_rows(fine, x, y, rows, x > 0 && !shares_west, panel);
        if (written && rows >= CELL)
            write_turns(fine, x, y, panel);
        west = true;
    }
    if (within(dirty, fine->n - CELL, fine->n))
        write_last_column(fine, y, rows, carried, first);
}

/* Errors of the bands from first to last; the bands around these are measured for the rows that
 * they share. */
static void measure_bands(const struct rtin_fine *fine, const struct rect *dirty, int32_t first,
                          int32_t last)
{
    const int32_t bands = fine->n / CELL;
    const int32_t begin = first > 0 ? first - 1 : 0, end = last + 1 < bands ? last + 1 : last;
    struct carried carried;

    for (int32_t band = begin; band <= end; band++) {
        /* Of the band after the last only the row in common. */
        const int rows = band < first ? 0 : band > last ? 1 : band + 1 == bands ? CORNERS : CELL;

        measure_band(fine, dirty, band * CELL, rows, band == begin, &carried);
    }
}

/* One large triangle's farthest points. */
static const four_ints first_lanes[4] = {
    { 0, 0, 0, 0 }, { -1, 0, 0, 0 }, { -1, -1, 0, 0 }, { -1, -1, -1, 0 }
};

/* Columns [from, to) of a row; at the first the plane is `at`. */
static inline void run_row(four *most, const float *row, int32_t from, int32_t to, float at,
                           float slope)
{
    four here = at + slope * (four){ 0, 1, 2, 3 }, heights;
    const four step = { slope * 4, slope * 4, slope * 4, slope * 4 };
    four farthest = *most;
    int32_t u = from;

    for (; u + 4 <= to; u += 4) {
        memcpy(&heights, row + u, sizeof heights);
        farthest = greater(distance(heights, here), farthest);
        here += step;
    }
    if (u < to) {
        memcpy(&heights, row + u, sizeof heights); /* a row is followed by more */
        farthest =
            greater((four)((four_ints)distance(heights, here) & first_lanes[to - u]), farthest);
    }
    *most = farthest;
}

static float most_of(four x)
{
    const float a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];

    return a > b ? a : b;
}

static struct rtin_square large_at(const struct rtin_fine *fine, int32_t x, int32_t y, int32_t side)
{
    const float *at = fine->heights + y * fine->pitch + x;

    return (struct rtin_square){ at,
                                 fine->pitch,
                                 side,
                                 at[0],
                                 at[side],
                                 at[side * fine->pitch],
                                 at[side * fine->pitch + side],
                                 at[side / 2 * fine->pitch + side / 2] };
}

float rtin_halve(const struct rtin_square *s, bool falling)
{
    const int32_t side = s->side;
    const float step = 1.0f / (float)side;
    const float north = (s->ne - s->nw) * step, south = (s->se - s->sw) * step;
    const float west = (s->sw - s->nw) * step, from = falling ? s->nw : s->ne;
    const float diagonal = ((falling ? s->se : s->sw) - from) * step;
    const float left_slope = falling ? south : north, right_slope = falling ? north : south;
    four most = { 0 };

    for (int32_t v = 1; v < side; v++) {
        const int32_t on = falling ? v : side - v;

        run_row(&most, s->at + v * s->pitch, 1, on + 1, s->nw + west * (float)v + left_slope,
                left_slope);
        run_row(&most, s->at + v * s->pitch, on + 1, side, from + diagonal * (float)v + right_slope,
                right_slope);
    }
    return most_of(most);
}

/* Of the surface's quads along a diagonal from north-east to south-west, which it crosses. */
static float middles_large(const struct rtin_square *s)
{
    const float diagonal = (s->sw - s->ne) / (float)s->side;
    float farthest = 0;

    for (int32_t v = 0; v < s->side; v++) {
        const float *quad = s->at + v * s->pitch + s->side - 1 - v;
        const float error =
            fabsf((quad[0] + quad[s->pitch + 1]) * 0.5f - (s->ne + diagonal * ((float)v + 0.5f)));

        farthest = error > farthest ? error : farthest;
    }
    return farthest;
}

void rtin_quarter(const struct rtin_square *s, float farthest[4])
{
    const int32_t side = s->side, half = side / 2;
    const float step = 1.0f / (float)side, twice = 2 * s->centre;
    const float north = (s->ne - s->nw) * step, south = (s->se - s->sw) * step;
    const float west = (s->sw - s->nw) * step;
    const float inward = 2 * step;
    const float from_west = (twice - s->nw - s->sw) * step;
    const float from_east = (twice - s->ne - s->se) * step;
    four most[4] = { { 0 } };

    for (int32_t v = 0; v <= side; v++) {
        const float *row = s->at + v * s->pitch;
        const int32_t depth = v < side - v ? v : side - v;

        const float in = inward * (float)depth; /* of the way from a corner to the centre */
        const float ne = v < half ? s->ne : s->se;

        if (v < half)
            run_row(&most[0], row, depth + 1, side - depth,
                    s->nw + (s->centre - s->nw) * in + north, north);
        if (v > half)
            run_row(&most[1], row, depth + 1, side - depth,
                    s->sw + (s->centre - s->sw) * in + south, south);
        run_row(&most[2], row, 0, depth, s->nw + west * (float)v, from_west);
        run_row(&most[3], row, side - depth + 1, side + 1, ne + (s->centre - ne) * in - from_east,
                -from_east);
    }
    for (int i = 0; i < 4; i++)
        farthest[i] = most_of(most[i]);
}

static bool touches(const struct rect *dirty, int32_t x, int32_t y, int32_t side)
{
    return dirty->x <= x + side && dirty->x + dirty->width > x && dirty->y <= y + side &&
           dirty->y + dirty->height > y;
}

static void raise_at(const struct rtin_fine *fine, int32_t x, int32_t y, float error)
{
    int16_t *there = &fine->errors[y * (fine->n + 1) + x], packed = pack_one(fine, error);

    if (packed > *there)
        *there = packed;
}

/* Both squares at a side count for its middle: those whose side is touched are looked at anew,
 * whether or not they are touched themselves. */
static void quarter_all(const struct rtin_fine *fine, const struct rect *dirty, int32_t side)
{
    const int32_t half = side / 2, row = fine->n + 1;
    const struct rect around = { dirty->x - side, dirty->y - side, dirty->width + 2 * side,
                                 dirty->height + 2 * side };

    for (int32_t y = 0; y < fine->n; y += side)
        for (int32_t x = 0; x < fine->n; x += side)
            if (touches(dirty, x, y, side)) {
                fine->errors[y * row + x + half] = fine->errors[(y + side) * row + x + half] = 0;
                fine->errors[(y + half) * row + x] = fine->errors[(y + half) * row + x + side] = 0;
            }
    for (int32_t y = 0; y < fine->n; y += side)
        for (int32_t x = 0; x < fine->n; x += side)
            if (touches(&around, x, y, side)) {
                const struct rtin_square square = large_at(fine, x, y, side);
                float farthest[4];

                rtin_quarter(&square, farthest);
                raise_at(fine, x + half, y, farthest[0]);
                raise_at(fine, x + half, y + side, farthest[1]);
                raise_at(fine, x, y + half, farthest[2]);
                raise_at(fine, x + side, y + half, farthest[3]);
            }
}

static void halve_all(const struct rtin_fine *fine, const struct rect *dirty, int32_t side)
{
    for (int32_t y = 0; y < fine->n; y += side)
        for (int32_t x = 0; x < fine->n; x += side)
            if (touches(dirty, x, y, side)) {
                const struct rtin_square square = large_at(fine, x, y, side);
                const bool falling = side == fine->n || ((x ^ y) / side & 1) == 0;

                const float rows = rtin_halve(&square, falling);
                const float middles = falling ? 0 : middles_large(&square);

                fine->errors[(y + side / 2) * (fine->n + 1) + x + side / 2] =
                    pack_one(fine, rows > middles ? rows : middles);
            }
}

void rtin_measure_fine(const struct rtin_fine *fine, struct rect dirty)
{
    const int32_t first = (dirty.y > 0 ? dirty.y - 1 : 0) / CELL;
    const int32_t last = (dirty.y + dirty.height - 1) / CELL;
    const int32_t bands = fine->n / CELL;

    measure_bands(fine, &dirty, first < bands ? first : bands - 1, last < bands ? last : bands - 1);
    halve_all(fine, &dirty, CELL);
    for (int32_t side = 2 * CELL; side <= fine->n; side *= 2) {
        quarter_all(fine, &dirty, side);
        halve_all(fine, &dirty, side);
    }
}

size_t rtin_fine_scratch(void)
{
    return (sizeof(struct panel) + 63) & ~(size_t)63;
}
