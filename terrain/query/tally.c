#include "terrain/query/tally.h"

#include <string.h>

#include "terrain/base/wide.h"

void tally_begin(struct tally *tally, const struct view *view, const struct statistics_asked *asked)
{
    const struct grid *grid = view_grid(view);

    *tally = (struct tally){ .view = view,
                             .asked = asked,
                             .plane = { grid_code(grid, asked->plane[0]),
                                        grid_codes(grid, asked->plane[1]),
                                        grid_codes(grid, asked->plane[2]) } };
    for (int k = 0; k < 2; k++)
        tally->lean[k] = grid->scale[2] / 128 / grid->scale[k];
}

static bool sooner(const struct tally_extreme *a, const struct tally_extreme *b)
{
    return a->y < b->y || (a->y == b->y && a->x < b->x);
}

static void extreme_meet(struct tally_extreme *best, struct tally_extreme other, int sign,
                         bool first)
{
    const int32_t ahead = sign * ((int32_t)other.code - best->code);

    if (first || ahead > 0 || (ahead == 0 && sooner(&other, best)))
        *best = other;
}

void tally_join(struct tally *tally, const struct tally *more)
{
    if (more->vertices > 0) {
        extreme_meet(&tally->least, more->least, -1, tally->vertices == 0);
        extreme_meet(&tally->greatest, more->greatest, 1, tally->vertices == 0);
    }
    tally->vertices += more->vertices;
    tally->sum += more->sum;
    tally->squares += more->squares;
    tally->quads += more->quads;
    tally->parts += more->parts;
    tally->surface += more->surface;
    prism_join(&tally->prism, &more->prism);
}

/* Vertices */

struct row_sums {
    uint64_t sum, squares;
    uint16_t least, greatest;
};

WIDE static struct row_sums sum_row(const uint16_t *row, int32_t count)
{
    struct row_sums sums = { 0, 0, UINT16_MAX, 0 };
    uint32_t sum = 0;

    for (int32_t i = 0; i < count; i++) {
        const uint32_t code = row[i];

        sum += code;
        sums.squares += (uint64_t)code * code;
        sums.least = row[i] < sums.least ? row[i] : sums.least;
        sums.greatest = row[i] > sums.greatest ? row[i] : sums.greatest;
    }
    sums.sum = sum;
    return sums;
}

static int32_t find(const uint16_t *row, uint16_t code)
{
    int32_t i = 0;

    while (row[i] != code)
        i++;
    return i;
}

/* Beats what is known, or ties with it and comes sooner; looked for only then. */
static void note_extremes(struct tally *tally, const uint16_t *row, struct rect at,
                          const struct row_sums *sums)
{
    const bool first = tally->vertices == 0;
    const struct tally_extreme begin = { 0, at.x, at.y };

    if (first || sums->least < tally->least.code ||
        (sums->least == tally->least.code && sooner(&begin, &tally->least)))
        extreme_meet(&tally->least,
                     (struct tally_extreme){ sums->least, at.x + find(row, sums->least), at.y }, -1,
                     first);
    if (first || sums->greatest > tally->greatest.code ||
        (sums->greatest == tally->greatest.code && sooner(&begin, &tally->greatest)))
        extreme_meet(
            &tally->greatest,
            (struct tally_extreme){ sums->greatest, at.x + find(row, sums->greatest), at.y }, 1,
            first);
}

/* Vertices beside each other, all with ground. */
static void add_row(struct tally *tally, const uint16_t *row, struct rect at)
{
    const struct row_sums sums = sum_row(row, at.width);

    note_extremes(tally, row, at, &sums);
    tally->vertices += at.width;
    tally->sum += sums.sum;
    tally->squares += sums.squares;
    if (tally->codes)
        for (int32_t i = 0; i < at.width; i++)
            tally->codes[row[i]]++;
}

static struct rect quads_around(const struct view *view, struct rect vertices)
{
    const struct rect all = view_rect(view);

    return rect_meet(
        (struct rect){ vertices.x - 1, vertices.y - 1, vertices.width + 1, vertices.height + 1 },
        (struct rect){ 0, 0, all.width - 1, all.height - 1 });
}

bool tally_has_holes(const struct tally *tally, struct rect quads)
{
    return !tally->asked->ignore_holes && !rect_empty(quads) &&
           tree_bounds(&tally->view->planes[PLANE_HOLES], quads).greatest > 0;
}

/* Whether each vertex of a row, from at.x on, has a quad that is no hole. */
static void find_ground(const struct view *view, struct rect at, uint8_t *ground)
{
    const struct rect quads = quads_around(view, at);
    uint8_t holes[2][BLOCK_SIDE + 1];

    view_read_holes(view, quads, holes[0], BLOCK_SIDE + 1);
    memset(ground, 0, (size_t)at.width);
    for (int32_t j = 0; j < quads.height; j++)
        for (int32_t i = 0; i < quads.width; i++) {
            const int32_t x = quads.x + i - at.x;

            if (holes[j][i])
                continue;
            if (x >= 0)
                ground[x] = 1;
            if (x + 1 < at.width)
                ground[x + 1] = 1;
        }
}

static void add_grounded(struct tally *tally, const uint16_t *row, struct rect at)
{
    uint8_t ground[BLOCK_SIDE];

    find_ground(tally->view, at, ground);
    for (int32_t i = 0; i < at.width;) {
        int32_t end = i;

        while (end < at.width && ground[end])
            end++;
        if (end > i)
            add_row(tally, row + i, (struct rect){ at.x + i, at.y, end - i, 1 });
        i = end + 1;
    }
}

/* All of one value. */
static void add_flat(struct tally *tally, struct rect at, uint16_t code)
{
    const uint64_t count = (uint64_t)rect_area(at);
    const struct row_sums sums = { 0, 0, code, code };

    note_extremes(tally, &code, at, &sums);
    tally->vertices += (int64_t)count;
    tally->sum += count * code;
    tally->squares += count * code * code;
    if (tally->codes)
        tally->codes[code] += (uint32_t)count;
}

static void note_cell(struct tally *tally, const struct block *block, const struct cell *cell,
                      struct rect at)
{
    const struct row_sums sums = { 0, 0, cell->least, cell->greatest };
    const uint16_t *heights = block_heights(block);
    const struct tally_extreme begin = { 0, at.x, at.y };
    const bool first = tally->vertices == 0;

    if (first || sums.least < tally->least.code || sums.greatest > tally->greatest.code ||
        (sums.least == tally->least.code && sooner(&begin, &tally->least)) ||
        (sums.greatest == tally->greatest.code && sooner(&begin, &tally->greatest)))
        for (int32_t j = 0; j < CELL_SIDE; j++) {
            const uint16_t *row =
                heights + ((at.y + j) & BLOCK_MASK) * BLOCK_SIDE + (at.x & BLOCK_MASK);
            const struct row_sums here = sum_row(row, CELL_SIDE);

            note_extremes(tally, row, (struct rect){ at.x, at.y + j, CELL_SIDE, 1 }, &here);
            tally->vertices += CELL_SIDE;
        }
    else
        tally->vertices += CELL_SIDE * CELL_SIDE;
    tally->sum += cell->sum;
}

/* A whole block by its summaries. */
static void add_block(struct tally *tally, const struct block *block, struct rect at)
{
    const struct cell *cells = block_cells(block);

    for (int32_t j = 0; j < BLOCK_CELLS; j++)
        for (int32_t i = 0; i < BLOCK_CELLS; i++)
            note_cell(tally, block, &cells[j * BLOCK_CELLS + i],
                      (struct rect){ at.x + (i << CELL_LOG2), at.y + (j << CELL_LOG2), CELL_SIDE,
                                     CELL_SIDE });
}

static void add_vertices(void *context, struct rect at)
{
    struct tally *tally = context;
    const struct view *view = tally->view;
    const struct child *leaf =
        tree_leaf(&view->planes[PLANE_HEIGHTS], at.x >> BLOCK_LOG2, at.y >> BLOCK_LOG2);
    const bool holes = tally_has_holes(tally, quads_around(view, at));
    uint16_t row[BLOCK_SIDE];

    if (!holes && !leaf->below) {
        add_flat(tally, at, leaf->summary.least);
        return;
    }
    if (!holes && !tally->asked->deviation && !tally->codes && rect_area(at) == BLOCK_VERTICES) {
        add_block(tally, leaf->below, at);
        return;
    }
    for (int32_t y = at.y; y < at.y + at.height; y++) {
        const struct rect here = { at.x, y, at.width, 1 };

        view_read_heights(view, here, row, at.width);
        if (holes)
            add_grounded(tally, row, here);
        else
            add_row(tally, row, here);
    }
}

const struct region_visit tally_visit = { add_vertices, tally_quads, tally_piece };
