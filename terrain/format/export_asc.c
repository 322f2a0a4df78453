#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/export_grid.h"

void export_grid_of(const struct view *view, const struct export_window *window,
                    struct export_grid *grid)
{
    const struct settings *settings = view->settings;
    const struct grid *of = view_grid(view);
    struct summary heights = tree_bounds(&view->planes[PLANE_HEIGHTS], window->rect);
    double low = grid_metres(of, heights.least), high = grid_metres(of, heights.greatest);
    double step_x = of->scale[0], step_y = of->scale[1];
    double west = of->origin[0], north = -of->origin[1]; /* rows run south, a raster's axis north */

    if (settings->placed) {
        step_x = (settings->bounds[2] - settings->bounds[0]) / (of->columns - 1);
        step_y = (settings->bounds[3] - settings->bounds[1]) / (of->rows - 1);
        west = settings->bounds[0];
        north = settings->bounds[3];
    }
    grid->west = west + window->rect.x * step_x;
    grid->north = north - window->rect.y * step_y;
    grid->step_x = step_x * window->step;
    grid->step_y = step_y * window->step;
    for (grid->nodata = -9999; grid->nodata >= low - 1 && grid->nodata <= high + 1;)
        grid->nodata = grid->nodata * 10 - 9;
}

/* Whether the quad counts: of the data's vertices, those beside the pad do not lose their
 * height to the pad's holes. */
static bool void_beside(const struct rect *data, int32_t x, int32_t y, int32_t qx, int32_t qy)
{
    bool vertex_in = x < data->width && y < data->height;
    bool quad_in = qx < data->width - 1 && qy < data->height - 1;

    return !vertex_in || quad_in;
}

void export_voids(const struct view *view, const struct export_window *window, int32_t j,
                  uint8_t *voids, uint8_t *scratch)
{
    struct rect all = view_rect(view), data = export_data_rect(view->settings);
    int32_t y = window->rect.y + j * window->step, west = window->rect.x - 1;
    int32_t width = window->rect.width + 1;

    memset(scratch, 0, 2 * (size_t)width);
    for (int32_t k = 0; k < 2; k++) { /* the quads north and south of the row */
        struct rect row = rect_meet((struct rect){ west, y - 1 + k, width, 1 },
                                    (struct rect){ 0, 0, all.width - 1, all.height - 1 });

        if (!rect_empty(row))
            view_read_holes(view, row, scratch + k * width + (row.x - west), width);
    }
    for (int32_t i = 0; i < export_columns(window); i++) {
        int32_t x = window->rect.x + i * window->step;

        voids[i] = 0;
        for (int32_t quad = 0; quad < 4; quad++) {
            int32_t qx = x - 1 + (quad & 1), qy = y - 1 + (quad >> 1);

            if (scratch[(quad >> 1) * width + (qx - west)] && void_beside(&data, x, y, qx, qy))
                voids[i] = 1;
        }
    }
}

enum { TEXT_ROOM = 40 };

/* Fixed notation with a point always, as readers tell whole numbers from others by it. */
static void print_value(double value, char text[TEXT_ROOM])
{
    for (int decimals = 1; decimals < 17; decimals++) {
        snprintf(text, TEXT_ROOM, "%.*f", decimals, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

static bool print_head(const struct export_window *window, const struct export_grid *grid,
                       struct bytes *to, struct fault *why)
{
    int32_t columns = export_columns(window), rows = export_rows(window);
    double west = grid->west - grid->step_x / 2;
    double south = grid->north - grid->step_y * (rows - 1) - grid->step_y / 2;
    bool square = fabs(grid->step_x - grid->step_y) <= 1e-9 * grid->step_x;

    return bytes_print(to, why, "ncols %d\nnrows %d\nxllcorner %.15g\nyllcorner %.15g\n", columns,
                       rows, west, south) &&
           (square ? bytes_print(to, why, "cellsize %.15g\n", grid->step_x)
                   : bytes_print(to, why, "dx %.15g\ndy %.15g\n", grid->step_x, grid->step_y)) &&
           bytes_print(to, why, "NODATA_value %.1f\n", grid->nodata);
}

/* The texts of codes that have come up: most landscapes have more vertices than there are codes. */
struct texts {
    const struct grid *grid;
    char (*of)[TEXT_ROOM];
};

static bool print_row(struct texts *texts, const uint16_t *codes, const uint8_t *voids,
                      int32_t count, double nodata, struct bytes *to, struct fault *why)
{
    char none[TEXT_ROOM];

    print_value(nodata, none);
    if (!bytes_reserve(to, (size_t)count * TEXT_ROOM, why))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const char *text = voids[i] ? none : texts->of[codes[i]];
        size_t length;

        if (!voids[i] && !text[0])
            print_value(grid_metres(texts->grid, codes[i]), texts->of[codes[i]]);
        length = strlen(text);
        memcpy(to->data + to->length, text, length);
        to->data[to->length + length] = i + 1 < count ? ' ' : '\n';
        to->length += length + 1;
    }
    return true;
}

bool export_asc(const struct view *view, const struct export_window *window, struct bytes *to,
                struct fault *why)
{
    size_t width = (size_t)window->rect.width;
    int32_t columns = export_columns(window);
    struct texts texts = { view_grid(view), calloc(65536, sizeof *texts.of) };
    uint16_t *codes = malloc(2 * width * sizeof *codes);
    uint8_t *voids = malloc(3 * (width + 1));
    struct export_grid grid;
    bool done = false;

    if (!texts.of || !codes || !voids) {
        fault_set(why, FAULT_MEMORY, "no memory for a text grid");
        goto done;
    }
    export_grid_of(view, window, &grid);
    done = print_head(window, &grid, to, why);
    for (int32_t j = 0; done && j < export_rows(window); j++) {
        export_codes(view, window, j, codes, codes + width);
        export_voids(view, window, j, voids, voids + width);
        done = print_row(&texts, codes, voids, columns, grid.nodata, to, why);
    }

done:
    free(texts.of);
    free(codes);
    free(voids);
    return done;
}
