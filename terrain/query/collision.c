#include "terrain/query/collision.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "terrain/query/collision_part.h"

int32_t collision_mips(const struct view *view)
{
    return layout_lods(view->settings->layout.section_quads);
}

bool collision_init(struct collision *collision, const struct view *view, int32_t mip,
                    struct derived_cache *cache, const struct executor *executor, struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    const int32_t last = collision_mips(view) - 1;
    int32_t steps;

    if (mip < 0 || mip > last)
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "sections of %d quads have the collision mips 0 to %d, not %d; the "
                         "nearest is %d",
                         layout->section_quads, last, mip, mip < 0 ? 0 : last);
    steps = layout_lod_quads(layout->section_quads, mip);
    *collision = (struct collision){
        .view = view,
        .cache = cache,
        .executor = executor,
        .mip = mip,
        .columns = layout->components[0] * layout->sections * steps + 1,
        .rows = layout->components[1] * layout->sections * steps + 1,
        .section_quads = layout->section_quads,
        .section_steps = steps,
        .component_steps = layout->sections * steps,
        .spacing = (double)layout->section_quads / steps,
    };
    return true;
}

/* Components */

struct rect collision_components(const struct collision *collision, struct rect samples)
{
    const int32_t steps = collision->component_steps;
    const int32_t across = (collision->columns - 1) / steps, down = (collision->rows - 1) / steps;
    struct rect first = { samples.x / steps, samples.y / steps, 1, 1 };
    int32_t east = (samples.x + samples.width - 2) / steps;
    int32_t south = (samples.y + samples.height - 2) / steps;

    /* A single line of samples is the beginning of its quads, or the landscape's end. */
    first.x = first.x < across ? first.x : across - 1;
    first.y = first.y < down ? first.y : down - 1;
    first.width = east > first.x ? east - first.x + 1 : 1;
    first.height = south > first.y ? south - first.y + 1 : 1;
    return first;
}

struct rect collision_reach(const struct collision *collision, struct rect samples)
{
    const int32_t quads =
        collision->component_steps / collision->section_steps * collision->section_quads;
    const struct rect components = collision_components(collision, samples);

    return (struct rect){ components.x * quads, components.y * quads, components.width * quads + 1,
                          components.height * quads + 1 };
}

/* What is done with each component of a rectangle, at once where there is an executor. */
struct work {
    const struct collision *collision;
    struct rect components;
    struct rect samples; /* of a window of heights */
    uint16_t *codes;
    int64_t stride;
    double *metres; /* of errors */
    struct fault *why;
    _Atomic bool failed;
};

static const struct collision_part *work_part(struct work *work, size_t piece, int32_t *cx,
                                              int32_t *cy)
{
    const int32_t across = work->components.width;
    const struct collision_part *part;
    struct fault why;

    *cx = work->components.x + (int32_t)piece % across;
    *cy = work->components.y + (int32_t)piece / across;
    part = collision_part(work->collision, *cx, *cy, &why);
    if (!part && !atomic_exchange(&work->failed, true))
        *work->why = why;
    return part;
}

static bool work_run(struct work *work, void (*piece)(void *work, size_t i))
{
    const size_t pieces = (size_t)rect_area(work->components);

    executor_run(pieces > 1 ? work->collision->executor : NULL, pieces, piece, work);
    return !work->failed;
}

/* Heights */

/* The last line that two components share is the later one's, unless that has no part in this. */
static int32_t own_steps(int32_t steps, int32_t component, int32_t first, int32_t count)
{
    return component == first + count - 1 ? steps + 1 : steps;
}

static void copy_piece(void *context, size_t piece)
{
    struct work *work = context;
    const struct rect *all = &work->components;
    const int32_t steps = work->collision->component_steps;
    int32_t cx, cy;
    const struct collision_part *part = work_part(work, piece, &cx, &cy);
    struct rect own;

    if (!part)
        return;
    own = rect_meet((struct rect){ cx * steps, cy * steps, own_steps(steps, cx, all->x, all->width),
                                   own_steps(steps, cy, all->y, all->height) },
                    work->samples);
    for (int32_t y = own.y; y < own.y + own.height; y++)
        memcpy(work->codes + (y - work->samples.y) * work->stride + (own.x - work->samples.x),
               part->codes + (y - cy * steps) * part->side + (own.x - cx * steps),
               (size_t)own.width * sizeof *work->codes);
    collision_part_drop(part);
}

bool collision_heights(const struct collision *collision, struct rect samples, uint16_t *codes,
                       int64_t stride, struct fault *why)
{
    struct work work = { .collision = collision,
                         .components = collision_components(collision, samples),
                         .samples = samples,
                         .codes = codes,
                         .stride = stride,
                         .why = why };

    if (collision->mip > 0)
        return work_run(&work, copy_piece);
    view_read_heights(collision->view, samples, codes, stride);
    return true;
}

/* Holes */

/* The line of base quads that holds the middle of a line of the grid's: (a + 1/2) q / Q. */
static int32_t base_quad(const struct collision *collision, int32_t a)
{
    return (int32_t)((2 * (int64_t)a + 1) * collision->section_quads /
                     (2 * (int64_t)collision->section_steps));
}

void collision_holes(const struct collision *collision, struct rect quads, uint8_t *holes,
                     int64_t stride)
{
    if (collision->view->planes[PLANE_HOLES].root.summary.greatest == 0) {
        for (int32_t j = 0; j < quads.height; j++)
            memset(holes + j * stride, 0, (size_t)quads.width);
        return;
    }
    if (collision->mip == 0) {
        view_read_holes(collision->view, quads, holes, stride);
        return;
    }
    for (int32_t j = 0; j < quads.height; j++) {
        const int32_t y = base_quad(collision, quads.y + j);

        for (int32_t i = 0; i < quads.width; i++)
            holes[j * stride + i] =
                view_hole(collision->view, base_quad(collision, quads.x + i), y) ? 255 : 0;
    }
}

/* Points */

static bool on_grid(const struct collision *collision, const double at[2], struct fault *why)
{
    const struct grid *grid = view_grid(collision->view);

    if (at[0] >= 0 && at[1] >= 0 && at[0] <= grid->columns - 1 && at[1] <= grid->rows - 1)
        return true;
    return fault_set(why, FAULT_RANGE,
                     "column %.17g, row %.17g is outside the landscape, whose columns are 0 to %d "
                     "and rows 0 to %d",
                     at[0], at[1], grid->columns - 1, grid->rows - 1);
}

bool collision_point(const struct collision *collision, const double at[2],
                     struct collision_point *point, struct fault *why)
{
    const double x = at[0] * collision->section_steps / collision->section_quads;
    const double y = at[1] * collision->section_steps / collision->section_quads;
    struct rect quad = { 0, 0, 2, 2 };
    uint16_t codes[4];
    uint8_t hole;
    bool south_west;

    if (!on_grid(collision, at, why))
        return false;
    quad.x = x < collision->columns - 2 ? (int32_t)x : collision->columns - 2;
    quad.y = y < collision->rows - 2 ? (int32_t)y : collision->rows - 2;
    if (!collision_heights(collision, quad, codes, 2, why))
        return false;
    collision_holes(collision, (struct rect){ quad.x, quad.y, 1, 1 }, &hole, 1);
    south_west = x - quad.x < y - quad.y;
    *point = (struct collision_point){
        .z = grid_metres(
            view_grid(collision->view),
            view_quad_code(codes[0], codes[1], codes[2], codes[3], x - quad.x, y - quad.y)),
        .triangle = 2 * ((int64_t)quad.y * (collision->columns - 1) + quad.x) + south_west,
        .hole = hole != 0,
    };
    return true;
}

/* Errors */

static void error_piece(void *context, size_t piece)
{
    struct work *work = context;
    const struct collision *collision = work->collision;
    int32_t cx, cy;
    const struct collision_part *part = work_part(work, piece, &cx, &cy);

    if (!part)
        return;
    work->metres[piece] = (double)part->error /
                          ((double)collision->section_quads * collision->section_steps) / 128 *
                          view_grid(collision->view)->scale[2];
    collision_part_drop(part);
}

bool collision_errors(const struct collision *collision, struct rect components, double *metres,
                      struct fault *why)
{
    struct work work = {
        .collision = collision, .components = components, .metres = metres, .why = why
    };

    if (collision->mip > 0)
        return work_run(&work, error_piece);
    for (int64_t i = 0; i < rect_area(components); i++)
        metres[i] = 0;
    return true;
}

bool collision_error(const struct collision *collision, struct rect components, double *metres,
                     struct fault *why)
{
    *metres = 0;
    for (int32_t cy = components.y; cy < components.y + components.height; cy++) {
        struct rect row = { components.x, cy, components.width, 1 };
        double errors[256];

        for (int32_t more = components.width; more > 0; more -= row.width, row.x += row.width) {
            row.width = more < 256 ? more : 256;
            if (!collision_errors(collision, row, errors, why))
                return false;
            for (int32_t i = 0; i < row.width; i++)
                *metres = fmax(*metres, errors[i]);
        }
    }
    return true;
}
