#include "terrain/query/earthwork.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/prism.h"

/* Rows of blocks are shared out to so many pieces of work at most. */
enum { WORKS_MOST = 32 };

struct work {
    const struct view *from, *to;
    bool ignore_holes;
    const uint8_t *dirty; /* a byte a block: whether quads that begin in it may differ */
    int32_t across;
    double unit;          /* metres of a code, where both versions agree on that; or 0 */
    struct earthwork sum; /* its volumes and areas not used */
    struct prism prism;   /* quads and metres */
    bool failed;
    struct fault why;
};

static bool clean(const struct work *work, struct rect at)
{
    return !work->dirty[(at.y >> BLOCK_LOG2) * work->across + (at.x >> BLOCK_LOG2)];
}

static double rise_of(const struct work *work, uint16_t was, uint16_t is)
{
    return work->unit != 0
               ? (is - was) * work->unit
               : grid_metres(view_grid(work->to), is) - grid_metres(view_grid(work->from), was);
}

/* A row of at most BLOCK_SIDE + 1 vertices. */
static void read_rises(const struct work *work, struct rect row, double *rises)
{
    uint16_t was[BLOCK_SIDE + 1], is[BLOCK_SIDE + 1];

    view_read_heights(work->from, row, was, row.width);
    view_read_heights(work->to, row, is, row.width);
    for (int32_t i = 0; i < row.width; i++)
        rises[i] = rise_of(work, was[i], is[i]);
}

static void read_either(const struct work *work, struct rect quads, uint8_t *holes)
{
    uint8_t other[BLOCK_SIDE];

    if (work->ignore_holes) {
        memset(holes, 0, (size_t)quads.width);
        return;
    }
    view_read_holes(work->from, quads, holes, quads.width);
    view_read_holes(work->to, quads, other, quads.width);
    for (int32_t i = 0; i < quads.width; i++)
        holes[i] |= other[i];
}

/* Whether a vertex has a quad that is a hole in neither version. */
static bool grounded(const struct work *work, int32_t x, int32_t y)
{
    const struct grid *grid = view_grid(work->to);

    for (int32_t j = y > 0 ? y - 1 : 0; j <= y && j < grid->rows - 1; j++)
        for (int32_t i = x > 0 ? x - 1 : 0; i <= x && i < grid->columns - 1; i++)
            if (!view_hole(work->from, i, j) && !view_hole(work->to, i, j))
                return true;
    return false;
}

/* Whether any of the quads around the vertices may be a hole. */
static bool any_holes(const struct view *view, struct rect at)
{
    const struct rect around = { at.x - 1, at.y - 1, at.width + 1, at.height + 1 };

    return tree_bounds(&view->planes[PLANE_HOLES], rect_meet(around, view_rect(view))).greatest > 0;
}

static void note(double ahead, int32_t x, int32_t y, double *most, int32_t at[2])
{
    const bool sooner = at[0] >= 0 && (y < at[1] || (y == at[1] && x < at[0]));

    if (ahead > *most || (ahead == *most && ahead > 0 && sooner)) {
        *most = ahead;
        at[0] = x;
        at[1] = y;
    }
}

static void add_vertices(void *context, struct rect at)
{
    struct work *work = context;
    double rises[BLOCK_SIDE + 1];
    bool holes;

    /* a block that differs is itself dirty, whichever of its vertices do */
    if (clean(work, at))
        return;
    holes = !work->ignore_holes && (any_holes(work->from, at) || any_holes(work->to, at));
    for (int32_t y = at.y; y < at.y + at.height; y++) {
        read_rises(work, (struct rect){ at.x, y, at.width, 1 }, rises);
        for (int32_t i = 0; i < at.width; i++) {
            if (rises[i] == 0 || (holes && !grounded(work, at.x + i, y)))
                continue;
            work->sum.changed++;
            note(rises[i], at.x + i, y, &work->sum.rise, work->sum.rise_at);
            note(-rises[i], at.x + i, y, &work->sum.fall, work->sum.fall_at);
        }
    }
}

/* Runs of quads that are no holes. */
static void add_row(const double *north, const double *south, const uint8_t *holes, int32_t count,
                    struct prism *prism)
{
    for (int32_t i = 0; i < count;) {
        int32_t end = i;

        while (end < count && !holes[end])
            end++;
        prism_row(north + i, south + i, end - i, prism);
        i = end + 1;
    }
}

static void add_quads(void *context, struct rect quads)
{
    struct work *work = context;
    struct prism prism = { 0 };
    double rises[2][BLOCK_SIDE + 1];
    uint8_t holes[BLOCK_SIDE];

    if (clean(work, quads))
        return;
    read_rises(work, (struct rect){ quads.x, quads.y, quads.width + 1, 1 }, rises[0]);
    for (int32_t j = 0; j < quads.height; j++) {
        const struct rect row = { quads.x, quads.y + j, quads.width, 1 };

        read_rises(work, (struct rect){ row.x, row.y + 1, row.width + 1, 1 }, rises[~j & 1]);
        read_either(work, row, holes);
        add_row(rises[j & 1], rises[~j & 1], holes, row.width, &prism);
    }
    prism_join(&work->prism, &prism);
}

static void add_piece(void *context, int32_t x, int32_t y, bool south_west,
                      const double (*corners)[2], int count)
{
    struct work *work = context;
    double rises[4], east, south, d[REGION_CORNERS_MOST];

    if (clean(work, (struct rect){ x, y, 1, 1 }) ||
        (!work->ignore_holes && (view_hole(work->from, x, y) || view_hole(work->to, x, y))))
        return;
    read_rises(work, (struct rect){ x, y, 2, 1 }, rises);
    read_rises(work, (struct rect){ x, y + 1, 2, 1 }, rises + 2);
    east = south_west ? rises[3] - rises[2] : rises[1] - rises[0];
    south = south_west ? rises[2] - rises[0] : rises[3] - rises[1];
    for (int i = 0; i < count; i++)
        d[i] = rises[0] + corners[i][0] * east + corners[i][1] * south;
    for (int i = 1; i + 1 < count; i++)
        prism_add(prism_area(corners[0], corners[i], corners[i + 1]), d[0], d[i], d[i + 1],
                  &work->prism);
}

static const struct region_visit visit = { add_vertices, add_quads, add_piece };

/* Which blocks may differ, with those whose last quads reach into them. */
struct marking {
    uint8_t *dirty;
    int32_t across;
};

static bool mark(void *context, int32_t bx, int32_t by, const struct child *before,
                 const struct child *after)
{
    const struct marking *marking = context;

    (void)before;
    (void)after;
    for (int32_t j = by > 0 ? by - 1 : 0; j <= by; j++)
        for (int32_t i = bx > 0 ? bx - 1 : 0; i <= bx; i++)
            marking->dirty[j * marking->across + i] = 1;
    return true;
}

static void mark_all(const struct view *from, const struct view *to, double unit, size_t blocks,
                     struct marking *marking)
{
    if (unit == 0)
        for (size_t i = 0; i < blocks; i++)
            marking->dirty[i] = 1;
    else
        tree_compare(&from->planes[PLANE_HEIGHTS], &to->planes[PLANE_HEIGHTS], mark, marking);
}

struct working {
    const struct region *region;
    _Atomic int64_t left; /* as in region.h */
    size_t count;
    struct work works[WORKS_MOST];
};

static void work_run(void *context, size_t i)
{
    struct working *working = context;
    struct work *work = &working->works[i];
    const size_t strips = (size_t)region_strips(working->region);

    for (size_t s = i * strips / working->count;
         !work->failed && s < (i + 1) * strips / working->count; s++)
        work->failed =
            !region_walk(working->region, (int32_t)s, &visit, work, &working->left, &work->why);
}

static bool join(const struct working *working, double quad, struct earthwork *to,
                 struct fault *why)
{
    struct prism prism = { 0 };

    for (size_t i = 0; i < working->count; i++) {
        const struct work *work = &working->works[i];
        const struct earthwork *sum = &work->sum;

        if (work->failed) {
            *why = work->why;
            return false;
        }
        prism_join(&prism, &work->prism);
        to->changed += sum->changed;
        note(sum->rise, sum->rise_at[0], sum->rise_at[1], &to->rise, to->rise_at);
        note(sum->fall, sum->fall_at[0], sum->fall_at[1], &to->fall, to->fall_at);
    }
    to->cut = prism.below * quad;
    to->fill = prism.above * quad;
    to->cut_area = prism.area_below * quad;
    to->fill_area = prism.area_above * quad;
    return true;
}

static bool same_size(const struct grid *from, const struct grid *to, struct fault *why)
{
    if (from->columns == to->columns && from->rows == to->rows)
        return true;
    return fault_set(why, FAULT_IMPOSSIBLE,
                     "one version has %d x %d vertices and the other %d x %d", from->columns,
                     from->rows, to->columns, to->rows);
}

bool earthwork_of(const struct view *from, const struct view *to, const struct region *region,
                  bool ignore_holes, const struct executor *executor, struct earthwork *earthwork,
                  struct fault *why)
{
    const struct grid *was = view_grid(from), *is = view_grid(to);
    const bool same = was->scale[2] == is->scale[2] && was->origin[2] == is->origin[2];
    const struct tree *tree = &to->planes[PLANE_HEIGHTS];
    const size_t blocks = (size_t)tree_blocks_across(tree) * (size_t)tree_blocks_down(tree);
    const size_t strips = (size_t)region_strips(region);
    struct working *working;
    struct marking marking;
    bool done = false;

    *earthwork = (struct earthwork){ .fall_at = { -1, -1 }, .rise_at = { -1, -1 } };
    if (!same_size(was, is, why))
        return false;
    working = calloc(1, sizeof *working);
    marking = (struct marking){ calloc(blocks, 1), tree_blocks_across(tree) };
    if (!working || !marking.dirty) {
        fault_set(why, FAULT_MEMORY, "no memory to compare %zu blocks", blocks);
        goto done;
    }
    working->region = region;
    atomic_init(&working->left, REGION_PIECES_MOST);
    working->count = strips < WORKS_MOST ? strips : WORKS_MOST;
    for (size_t i = 0; i < working->count; i++)
        working->works[i] = (struct work){ .from = from,
                                           .to = to,
                                           .ignore_holes = ignore_holes,
                                           .dirty = marking.dirty,
                                           .across = marking.across,
                                           .unit = same ? is->scale[2] / 128 : 0,
                                           .sum = *earthwork };
    mark_all(from, to, working->works[0].unit, blocks, &marking);
    executor_run(working->count > 1 ? executor : NULL, working->count, work_run, working);
    done = join(working, is->scale[0] * is->scale[1], earthwork, why);

done:
    free(marking.dirty);
    free(working);
    return done;
}
