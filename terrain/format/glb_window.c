/* A window at full detail, row by row: what a mesh of it would say, without making one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/normals.h"
#include "terrain/format/glb_pack.h"

enum { SQUARE = 128 }; /* vertices whose normals are worked out together */

struct rows {
    const struct view *view;
    struct rect window;
    uint16_t *codes;   /* of a row */
    float *across;     /* X of each column */
    uint32_t *pattern; /* the first row of quads' indices */
};

static void rows_fini(struct rows *rows)
{
    free(rows->codes);
    free(rows->across);
    free(rows->pattern);
}

static bool rows_init(struct rows *rows, const struct view *view, struct rect window,
                      struct fault *why)
{
    size_t columns = (size_t)window.width;

    *rows = (struct rows){ .view = view, .window = window };
    rows->codes = malloc(columns * sizeof *rows->codes);
    rows->across = malloc(columns * sizeof *rows->across);
    rows->pattern = malloc(columns * 6 * sizeof *rows->pattern);
    if (rows->codes && rows->across && rows->pattern)
        return true;
    rows_fini(rows);
    return fault_set(why, FAULT_MEMORY, "no memory for rows of %zu vertices", columns);
}

static const uint16_t *read_row(struct rows *rows, int32_t j)
{
    struct rect row = { rows->window.x, rows->window.y + j, rows->window.width, 1 };

    view_read_heights(rows->view, row, rows->codes, row.width);
    return rows->codes;
}

static void code_bounds(struct rows *rows, uint16_t *least, uint16_t *greatest)
{
    uint16_t low = UINT16_MAX, high = 0;

    for (int32_t j = 0; j < rows->window.height; j++) {
        const uint16_t *codes = read_row(rows, j);

        for (int32_t i = 0; i < rows->window.width; i++) {
            low = codes[i] < low ? codes[i] : low;
            high = codes[i] > high ? codes[i] : high;
        }
    }
    *least = low;
    *greatest = high;
}

static void write_positions(struct rows *rows, double middle_code, double unit, double middle_row,
                            float (*to)[3])
{
    const struct grid *grid = view_grid(rows->view);
    int32_t columns = rows->window.width;

    for (int32_t j = 0; j < rows->window.height; j++) {
        const uint16_t *codes = read_row(rows, j);
        float down = (float)((rows->window.y + j - middle_row) * grid->scale[1]) + 0.0f;

        for (int32_t i = 0; i < columns; i++, to++) {
            (*to)[0] = rows->across[i];
            (*to)[1] = (float)((codes[i] - middle_code) * unit) + 0.0f;
            (*to)[2] = down;
        }
    }
}

/* Square by square, so that what a row of triangles comes to is at hand for the next. */
static void write_normals(const struct view *view, struct rect window, float (*to)[3])
{
    static const int gltf_axes[3] = { 0, 2, 1 };
    uint16_t around[(SQUARE + 2) * (SQUARE + 2)];

    for (int32_t y = 0; y < window.height; y += SQUARE) {
        for (int32_t x = 0; x < window.width; x += SQUARE) {
            struct rect square =
                rect_meet(window, (struct rect){ window.x + x, window.y + y, SQUARE, SQUARE });

            view_read_around(
                view,
                (struct rect){ square.x - 1, square.y - 1, square.width + 2, square.height + 2 },
                around, square.width + 2);
            normals_fill(around, square, view_grid(view), gltf_axes,
                         to + (int64_t)y * window.width + x, window.width);
        }
    }
}

/* Every row of quads is the first one's pattern further on. */
static void write_indices(struct rows *rows, const struct glb_parts *parts)
{
    uint32_t columns = (uint32_t)rows->window.width, *pattern = rows->pattern;
    size_t length = (size_t)(columns - 1) * 6;

    for (uint32_t i = 0; i + 1 < columns; i++) {
        const uint32_t quad[6] = { i, i + columns + 1, i + 1, i, i + columns, i + columns + 1 };

        memcpy(pattern + i * 6, quad, sizeof quad);
    }
    for (uint32_t j = 0; j + 1 < (uint32_t)rows->window.height; j++) {
        uint32_t base = j * columns;

        if (parts->longs) {
            uint32_t *to = parts->longs + j * length;

            for (size_t i = 0; i < length; i++)
                to[i] = pattern[i] + base;
        } else {
            uint16_t *to = parts->shorts + j * length;

            for (size_t i = 0; i < length; i++)
                to[i] = (uint16_t)(pattern[i] + base);
        }
    }
}

bool glb_write_window(const struct view *view, struct rect window, bool normals,
                      const struct mesh_note *note, struct bytes *to, struct fault *why)
{
    const struct grid *grid = view_grid(view);
    double unit = grid->scale[2] / 128, middle_column = window.x + (window.width - 1) / 2.0;
    double middle_row = window.y + (window.height - 1) / 2.0, middle_code;
    size_t columns = (size_t)window.width, count = columns * (size_t)window.height;
    struct glb_room room = { .vertices = count,
                             .indices = (columns - 1) * ((size_t)window.height - 1) * 6,
                             .normals = normals };
    uint16_t least, greatest;
    struct glb_parts parts;
    struct rows rows;

    if (count > UINT32_MAX)
        return fault_set(why, FAULT_LIMIT, "a mesh has at most %u vertices", UINT32_MAX);
    if (!rows_init(&rows, view, window, why))
        return false;
    for (size_t i = 0; i < columns; i++)
        rows.across[i] = (float)((window.x + (double)i - middle_column) * grid->scale[0]) + 0.0f;
    code_bounds(&rows, &least, &greatest);
    middle_code = (least + greatest) / 2.0;
    room.middle[0] = grid->origin[0] + middle_column * grid->scale[0];
    room.middle[1] = grid_metres(grid, 0) + middle_code * unit;
    room.middle[2] = grid->origin[1] + middle_row * grid->scale[1];
    room.low[0] = rows.across[0];
    room.high[0] = rows.across[columns - 1];
    room.low[1] = (float)((least - middle_code) * unit) + 0.0f;
    room.high[1] = (float)((greatest - middle_code) * unit) + 0.0f;
    room.low[2] = (float)((window.y - middle_row) * grid->scale[1]) + 0.0f;
    room.high[2] = (float)((window.y + window.height - 1 - middle_row) * grid->scale[1]) + 0.0f;
    if (!glb_open(&room, note, to, &parts, why)) {
        rows_fini(&rows);
        return false;
    }
    write_positions(&rows, middle_code, unit, middle_row, parts.positions);
    if (normals)
        write_normals(view, window, parts.normals);
    write_indices(&rows, &parts);
    glb_close(&room, &parts, to);
    rows_fini(&rows);
    return true;
}
