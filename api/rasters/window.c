#include "api/rasters/window.h"

#include "api/service.h"

enum { SIDE_MOST = 65536 };

static const struct field window_rows[] = {
    FIELD(struct window_asked, x, "vertices", 0, SIDE_MOST, "The westernmost column"),
    FIELD(struct window_asked, y, "vertices", 0, SIDE_MOST, "The northernmost row"),
    FIELD(struct window_asked, width, "vertices", 1, SIDE_MOST,
          "Columns; all that there are from x on when left out"),
    FIELD(struct window_asked, height, "vertices", 1, SIDE_MOST,
          "Rows; all that there are from y on when left out"),
    { .kind = FIELD_END }
};

const struct shape window_shape = {
    .name = "window", .size = sizeof(struct window_asked), .fields = window_rows, .given = -1
};

static const struct field step_rows[] = {
    FIELD(struct window_steps_asked, step, "vertices", 1, SIDE_MOST,
          "Only every step-th vertex, from the north-west one on", .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

const struct shape window_steps_shape = { .name = "window_steps",
                                          .size = sizeof(struct window_steps_asked),
                                          .fields = step_rows,
                                          .base = &window_shape,
                                          .given = -1 };

/* The vertices, or the quads, that there are. */
struct extent {
    int32_t columns, rows;
    const char *of;
};

static bool outside(const char *name, int32_t value, const struct extent *extent, struct fault *why)
{
    fault_set(why, FAULT_IMPOSSIBLE, "%s %d leads outside the landscape of %d x %d %s", name, value,
              extent->columns, extent->rows, extent->of);
    return fault_at(why, "%s", name);
}

static bool within(const struct window_asked *asked, const struct extent *extent, struct rect whole,
                   struct rect *rect, struct fault *why)
{
    bool all = !asked->x && !asked->y && !asked->width && !asked->height;

    if (asked->x >= extent->columns)
        return outside("x", asked->x, extent, why);
    if (asked->y >= extent->rows)
        return outside("y", asked->y, extent, why);
    if (asked->width > extent->columns - asked->x)
        return outside("width", asked->width, extent, why);
    if (asked->height > extent->rows - asked->y)
        return outside("height", asked->height, extent, why);
    *rect = all ? whole
                : (struct rect){ asked->x, asked->y,
                                 asked->width ? asked->width : extent->columns - asked->x,
                                 asked->height ? asked->height : extent->rows - asked->y };
    return true;
}

bool window_rect(const struct window_asked *asked, struct rect whole, const struct view *view,
                 struct rect *rect, struct fault *why)
{
    const struct extent extent = { view_grid(view)->columns, view_grid(view)->rows, "vertices" };

    return within(asked, &extent, whole, rect, why);
}

bool window_quads(const struct window_asked *asked, const struct view *view, struct rect *rect,
                  struct fault *why)
{
    const struct extent extent = { view_grid(view)->columns - 1, view_grid(view)->rows - 1,
                                   "quads" };

    return within(asked, &extent, (struct rect){ 0, 0, extent.columns, extent.rows }, rect, why);
}

bool window_samples(const struct window_asked *asked, int32_t columns, int32_t rows,
                    struct rect *rect, struct fault *why)
{
    const struct extent extent = { columns, rows, "samples" };

    return within(asked, &extent, (struct rect){ 0, 0, columns, rows }, rect, why);
}

bool window_steps(const struct request *rq, const struct window_steps_asked *asked,
                  struct rect whole, struct export_window *window, struct fault *why)
{
    int64_t count;

    window->step = asked->step;
    if (!window_rect(&asked->window, whole, rq->view, &window->rect, why))
        return false;
    count = (int64_t)export_columns(window) * export_rows(window);
    if (count <= rq->service->limits.window_vertices)
        return true;
    return fault_set(why, FAULT_LIMIT,
                     "the window has %lld vertices; at most %lld go into one answer "
                     "(window_vertices), a larger step makes them fewer",
                     (long long)count, (long long)rq->service->limits.window_vertices);
}
