#include "terrain/edit/dab.h"

#include <math.h>

#include "terrain/base/wide.h"
#include "terrain/edit/falloff.h"
#include "terrain/edit/mask.h"

enum {
    DAB_VERTICES_LEAST = 64 /* a dab that misses the landscape counts as so many */
};
#define DABS_MOST 1e9

void dab_clip(double from, double to, int32_t size, int32_t *first, int32_t *end)
{
    *first = *end = 0;
    if (!(to >= 0 && from <= size - 1 && from <= to))
        return;
    *first = from > 0 ? (int32_t)from : 0;
    *first += *first < from;
    *end = to < size - 1 ? (int32_t)to + 1 : size;
}

/* Applying */

int64_t dab_vertices(const struct dab *dab)
{
    int64_t vertices = 0;

    for (int32_t y = dab->box.y; y < dab->box.y + dab->box.height; y++) {
        int32_t first, end;

        dab->span(dab, y, &first, &end);
        vertices += end > first ? end - first : 0;
    }
    return vertices > DAB_VERTICES_LEAST ? vertices : DAB_VERTICES_LEAST;
}

/* A block that a tool works on. */
struct opened {
    int32_t bx, by;
    uint16_t *heights; /* NULL where the tool's own are changed */
    bool yet;
    struct rect rows; /* that have been changed, block coordinates */
};

static bool block_open(struct opened *opened, struct draft *draft, struct tool *tool,
                       struct rect part, struct fault *why)
{
    if (tool->block && !tool->block(tool, part, why))
        return false;
    if (tool->open)
        return opened->yet = tool->open(tool, draft, opened->bx, opened->by, why);
    opened->heights = draft_heights_begin(draft, opened->bx, opened->by, why);
    return opened->yet = opened->heights != NULL;
}

static bool block_close(const struct opened *opened, struct draft *draft, struct tool *tool,
                        struct fault *why)
{
    if (!opened->yet)
        return true;
    if (tool->close)
        return tool->close(tool, draft, opened->rows, why);
    draft_heights_end(draft, opened->bx, opened->by, opened->rows);
    return true;
}

/* The rows of the dab in one block, which is opened when the first of them has any vertex. */
static bool dab_block(struct draft *draft, const struct dab *dab, struct tool *tool, int32_t bx,
                      int32_t by, struct fault *why)
{
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    struct rect part = rect_meet(block, dab->box);
    struct opened opened = { bx, by, NULL, false, { 0 } };
    double force[BLOCK_SIDE];

    for (int32_t y = part.y; y < part.y + part.height; y++) {
        int32_t first, end;
        struct rect row;

        dab->span(dab, y, &first, &end);
        first = first > part.x ? first : part.x;
        end = end < part.x + part.width ? end : part.x + part.width;
        if (first >= end)
            continue;
        if (!opened.yet && !block_open(&opened, draft, tool, part, why))
            return false;
        row = (struct rect){ first - block.x, y - block.y, end - first, 1 };
        dab->force(dab, first, y, row.width, force);
        tool->row(tool, first, y, row.width, force,
                  opened.heights ? opened.heights + row.y * BLOCK_SIDE + row.x : NULL);
        opened.rows = rect_join(opened.rows, row);
    }
    return block_close(&opened, draft, tool, why);
}

bool dab_apply(struct draft *draft, const struct dab *dab, struct tool *tool, struct fault *why)
{
    struct rect box = dab->box;

    tool->dab = dab;
    if (rect_empty(box))
        return draft_spend(draft, DAB_VERTICES_LEAST, why);
    if (!draft_spend(draft, dab_vertices(dab), why))
        return false;
    if (tool->begin && !tool->begin(tool, draft, box, why))
        return false;
    for (int32_t by = box.y >> BLOCK_LOG2; by <= (box.y + box.height - 1) >> BLOCK_LOG2; by++) {
        for (int32_t bx = box.x >> BLOCK_LOG2; bx <= (box.x + box.width - 1) >> BLOCK_LOG2; bx++) {
            if (!dab_block(draft, dab, tool, bx, by, why))
                return false;
        }
    }
    return true;
}

/* A round dab */

struct disc {
    struct dab dab;
    double centre[2]; /* grid coordinates */
    double scale[2];  /* metres a quad */
    double radius;    /* metres */
    double share;
    enum falloff_shape shape;
    int32_t columns;
};

static void disc_span(const struct dab *dab, int32_t y, int32_t *first, int32_t *end)
{
    const struct disc *disc = (const struct disc *)dab;
    double down = (y - disc->centre[1]) * disc->scale[1];
    double rest = disc->radius * disc->radius - down * down;
    /* One vertex more a side: the force itself decides about the rim. */
    double half = (rest > 0 ? sqrt(rest) : 0) / disc->scale[0] + 1;

    dab_clip(disc->centre[0] - half, disc->centre[0] + half, disc->columns, first, end);
}

WIDE static void disc_force(const struct dab *dab, int32_t x, int32_t y, int32_t count,
                            double *force)
{
    const struct disc *disc = (const struct disc *)dab;
    double down = (y - disc->centre[1]) * disc->scale[1], left = x - disc->centre[0];
    double square = down * down, step = disc->scale[0], squares[BLOCK_SIDE];

    for (int32_t i = 0; i < count; i++) {
        double across = (left + i) * step;

        squares[i] = across * across + square;
    }
    falloff_row(disc->shape, disc->radius, disc->share, count, squares, force);
}

static struct disc disc_at(const struct where *where, const struct grid *grid,
                           const double centre[2])
{
    struct disc disc = { .dab = { .span = disc_span, .force = disc_force },
                         .centre = { centre[0], centre[1] },
                         .scale = { grid->scale[0], grid->scale[1] },
                         .radius = where->radius,
                         .share = where->falloff,
                         .shape = (enum falloff_shape)where->shape,
                         .columns = grid->columns };
    double across = where->radius / grid->scale[0] + 1, down = where->radius / grid->scale[1] + 1;
    int32_t left, right, top, bottom;

    dab_clip(centre[0] - across, centre[0] + across, grid->columns, &left, &right);
    dab_clip(centre[1] - down, centre[1] + down, grid->rows, &top, &bottom);
    disc.dab.box = (struct rect){ left, top, right - left, bottom - top };
    for (int i = 0; i < 2; i++) {
        disc.dab.middle[i] = centre[i];
        disc.dab.half[i] = where->radius / grid->scale[i];
    }
    return disc;
}

/* A region at full strength */

static void region_span(const struct dab *dab, int32_t y, int32_t *first, int32_t *end)
{
    (void)y;
    *first = dab->box.x;
    *end = dab->box.x + dab->box.width;
}

static void region_force(const struct dab *dab, int32_t x, int32_t y, int32_t count, double *force)
{
    (void)dab;
    (void)x;
    (void)y;
    for (int32_t i = 0; i < count; i++)
        force[i] = 1;
}

static struct dab region_of(struct rect rect)
{
    double across = (rect.width - 1) / 2.0, down = (rect.height - 1) / 2.0;

    return (struct dab){ .box = rect,
                         .middle = { rect.x + across, rect.y + down },
                         .half = { across, down },
                         .span = region_span,
                         .force = region_force };
}

/* Where */

static const char *const shape_words[] = { "smooth", "linear", "spherical", "tip", NULL };

static const struct field where_rows[] = {
    FIELD_AS(FIELD_POINTS, struct where, path,
             "Positions that the brush touches in order; give either these or a region",
             .unit = "positions", .least = 1, .greatest = 65536),
    FIELD(struct where, radius, "m", 0, 1e9,
          "Reach of a dab, its falloff included; a path needs it", .above_least = true),
    FIELD(struct where, falloff, "", 0, 1, "Share of the radius over which a dab fades",
          .has_value = true, .value = 0.5),
    FIELD_AS(FIELD_CHOICE, struct where, shape, "How a dab fades", .words = shape_words,
             .has_value = true, .value = FALLOFF_SMOOTH),
    FIELD(struct where, spacing, "m", 0, 1e9,
          "Metres between dabs along the line through the path; 0 puts one dab at each point",
          .has_value = true),
    FIELD(struct where, region, "vertices", 0, 0, "A rectangle to be touched at full strength"),
    MASK_FIELD(struct where),
    { .kind = FIELD_END }
};

const struct shape where_shape = {
    .name = "where", .size = sizeof(struct where), .fields = where_rows, .given = -1
};

bool where_check(const struct where *where, const struct view *view, struct fault *why)
{
    bool region = where->region.width > 0 || where->region.height > 0;
    struct rect all = view_rect(view);

    if ((where->path.count > 0) == region) {
        fault_set(why, FAULT_INPUT, "%s",
                  region ? "give a path or a region, not both"
                         : "a path with a radius or a region is needed");
        return fault_at(why, "%s", region ? "/region" : "/path");
    }
    if (!region && !(where->radius > 0)) {
        fault_set(why, FAULT_INPUT, "a path needs a radius above 0 m");
        return fault_at(why, "/radius");
    }
    if (!region || (!rect_empty(where->region) && rect_inside(where->region, all)))
        return true;
    fault_set(why, FAULT_IMPOSSIBLE,
              "the region from (%d, %d), %d x %d, is not within the landscape's %d x %d vertices",
              where->region.x, where->region.y, where->region.width, where->region.height,
              all.width, all.height);
    return fault_at(why, "/region");
}

/* Dabs on their way: what is done at each of them, and through which mask. */
struct touching {
    struct draft *draft;
    const struct where *where;
    struct masking *masking;
    struct tool *tool;
};

static bool dab_at(const struct touching *touching, const double centre[2], struct fault *why)
{
    struct draft *draft = touching->draft;
    struct disc disc = disc_at(touching->where, view_grid(draft_view(draft)), centre);

    return masking_apply(touching->masking, draft, &disc.dab, touching->tool, why);
}

struct rect where_box(const struct where *where, const struct view *view)
{
    const struct grid *grid = view_grid(view);
    const double(*points)[2] = where->path.items;
    double least[2] = { INFINITY, INFINITY }, most[2] = { -INFINITY, -INFINITY };
    int32_t left, right, top, bottom;

    if (where->path.count == 0)
        return where->region;
    for (size_t i = 0; i < where->path.count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            double reach = where->radius / grid->scale[axis] + 1;

            least[axis] = fmin(least[axis], points[i][axis] - reach);
            most[axis] = fmax(most[axis], points[i][axis] + reach);
        }
    }
    dab_clip(least[0], most[0], grid->columns, &left, &right);
    dab_clip(least[1], most[1], grid->rows, &top, &bottom);
    return (struct rect){ left, top, right - left, bottom - top };
}

static double metres_between(const struct grid *grid, const double a[2], const double b[2])
{
    double x = (b[0] - a[0]) * grid->scale[0], y = (b[1] - a[1]) * grid->scale[1];

    return sqrt(x * x + y * y);
}

/* Dabs at every multiple of the spacing along the line, its beginning included. */
static bool dabs_along(const struct touching *touching, struct fault *why)
{
    const struct where *where = touching->where;
    const double(*points)[2] = where->path.items;
    struct grid grid = *view_grid(draft_view(touching->draft));
    double begun = 0, dabs = 1;

    if (!dab_at(touching, points[0], why))
        return false;
    for (size_t i = 1; i < where->path.count; i++) {
        const double *from = points[i - 1], *to = points[i];
        double length = metres_between(&grid, from, to);

        if (!((begun + length) / where->spacing <= DABS_MOST)) {
            fault_set(why, FAULT_LIMIT, "a path of %g m has too many dabs at a spacing of %g m",
                      begun + length, where->spacing);
            return fault_at(why, "/spacing");
        }
        for (; dabs * where->spacing <= begun + length; dabs++) {
            double share = (dabs * where->spacing - begun) / length;
            const double at[2] = { from[0] + (to[0] - from[0]) * share,
                                   from[1] + (to[1] - from[1]) * share };

            if (length > 0 && !dab_at(touching, at, why))
                return false;
        }
        begun += length;
    }
    return true;
}

static bool touch(const struct touching *touching, struct fault *why)
{
    const struct where *where = touching->where;
    const double(*points)[2] = where->path.items;
    const struct dab region = region_of(where->region);

    if (where->path.count == 0)
        return masking_apply(touching->masking, touching->draft, &region, touching->tool, why);
    if (where->spacing > 0)
        return dabs_along(touching, why);
    for (size_t i = 0; i < where->path.count; i++) {
        if (!dab_at(touching, points[i], why))
            return false;
    }
    return true;
}

bool where_apply(struct draft *draft, const struct where *where, struct tool *tool,
                 struct fault *why)
{
    struct touching touching = { draft, where, NULL, tool };
    bool touched;

    if (!masking_new(draft, &where->mask, &touching.masking, why))
        return false;
    touched = touch(&touching, why);
    masking_free(touching.masking);
    return touched;
}
