#include "render/errors.h"

#include <math.h>
#include <stdlib.h>

#include "render/samples.h"

enum { SPREAD_LOG2 = 3 };

/* Where a vertex lies: its column, the column of the heightfield before it, and the share of the
 * way to the next. */
struct errors_column {
    int32_t vertex, first;
    double share;
};

struct rect errors_around(const struct collision *collision, struct rect vertices)
{
    int32_t left = (int32_t)(vertices.x / collision->spacing) - 1;
    int32_t top = (int32_t)(vertices.y / collision->spacing) - 1;
    int32_t right = (int32_t)((vertices.x + vertices.width) / collision->spacing) + 2;
    int32_t bottom = (int32_t)((vertices.y + vertices.height) / collision->spacing) + 2;

    return rect_meet((struct rect){ left, top, right - left + 1, bottom - top + 1 },
                     (struct rect){ 0, 0, collision->columns, collision->rows });
}

static int32_t spread_of(const struct errors *errors)
{
    return 1 << (errors->level < SPREAD_LOG2 ? errors->level : SPREAD_LOG2);
}

/* The k-th vertex that a column or row of samples stands for, the nearest on the landscape. */
static int32_t vertex_of(const struct errors *errors, int32_t sample, int32_t k, int32_t count)
{
    int32_t step = 1 << errors->level, apart = step / spread_of(errors);
    int32_t vertex = sample * step + k * apart + apart / 2;

    return vertex < 0 ? 0 : vertex > count - 1 ? count - 1 : vertex;
}

/* The place between two samples of the heightfield, of `count`: the first, and the share. */
static double place_of(const struct collision *collision, int32_t vertex, int32_t count,
                       int32_t *first)
{
    double at = vertex / collision->spacing;

    *first = at < count - 1 ? (int32_t)at : count - 2;
    return at - *first;
}

static void lay_columns(struct errors *errors)
{
    int32_t spread = spread_of(errors), columns = view_grid(errors->view)->columns;

    for (int32_t i = 0; i < errors->samples.width * spread; i++) {
        struct errors_column *column = &errors->columns[i];

        column->vertex = vertex_of(errors, errors->samples.x + i / spread, i % spread, columns);
        column->share =
            place_of(&errors->collision, column->vertex, errors->collision.columns, &column->first);
        column->first -= errors->coarse.x;
    }
}

bool errors_open(struct errors *errors, const struct view *view, int32_t mip,
                 struct derived_cache *derived, int32_t level, struct rect samples,
                 struct fault *why)
{
    const struct rect reach = samples_reach(level, samples), ground = view_rect(view);
    const int32_t east = ground.x + ground.width - 1, south = ground.y + ground.height - 1;
    struct rect over = rect_meet(reach, ground);

    *errors = (struct errors){ .view = view, .level = level, .samples = samples };
    if (rect_empty(over)) /* the nearest on the landscape */
        over = (struct rect){ reach.x < 0      ? 0
                              : reach.x > east ? east
                                               : reach.x,
                              reach.y < 0       ? 0
                              : reach.y > south ? south
                                                : reach.y,
                              1, 1 };
    if (!collision_init(&errors->collision, view, mip, derived, NULL, why))
        return false;
    errors->coarse = errors_around(&errors->collision, over);
    errors->codes = malloc(sizeof *errors->codes * (size_t)rect_area(errors->coarse));
    errors->row = malloc(sizeof *errors->row * (size_t)view_grid(view)->columns);
    errors->columns =
        malloc(sizeof *errors->columns * (size_t)samples.width * (size_t)spread_of(errors));
    if (!errors->codes || !errors->row || !errors->columns)
        return fault_set(why, FAULT_MEMORY, "no memory for collision samples");
    lay_columns(errors);
    return collision_heights(&errors->collision, errors->coarse, errors->codes,
                             errors->coarse.width, why);
}

void errors_close(struct errors *errors)
{
    free(errors->codes);
    free(errors->row);
    free(errors->columns);
}

/* Codes that the heightfield lies off a vertex in a row that is so far between two of its own. */
static double error_at(const struct errors *errors, const struct errors_column *column,
                       const uint16_t *north, double down, uint16_t code)
{
    const uint16_t *nw = north + column->first, *sw = nw + errors->coarse.width;

    return fabs(view_quad_code(nw[0], nw[1], sw[0], sw[1], column->share, down) - code);
}

void errors_row(struct errors *errors, int32_t row, float *metres)
{
    const struct grid *grid = view_grid(errors->view);
    const int32_t spread = spread_of(errors), count = errors->samples.width * spread;
    const int32_t west = errors->columns[0].vertex, east = errors->columns[count - 1].vertex;

    for (int32_t i = 0; i < errors->samples.width; i++)
        metres[i] = 0;
    for (int32_t k = 0; k < spread; k++) {
        int32_t y = vertex_of(errors, errors->samples.y + row, k, grid->rows), first;
        double down = place_of(&errors->collision, y, errors->collision.rows, &first);
        const uint16_t *north =
            errors->codes + (int64_t)(first - errors->coarse.y) * errors->coarse.width;

        view_read_heights(errors->view, (struct rect){ west, y, east - west + 1, 1 }, errors->row,
                          east - west + 1);
        for (int32_t i = 0; i < count; i++) {
            const struct errors_column *column = &errors->columns[i];
            double off = error_at(errors, column, north, down, errors->row[column->vertex - west]);

            metres[i / spread] = fmaxf(metres[i / spread], (float)(off * grid->scale[2] / 128));
        }
    }
}
