/* A window at full detail, row by row: what a mesh of it would say, without making one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/glb_pack.h"

/* Of the two triangles of a quad, what each adds to the normals around it, in local axes. */
struct leaning {
    double ne[3], sw[3];
};

struct rows {
    const struct view *view;
    struct rect window;
    uint16_t *codes;          /* of the row, or of three rows with a vertex more at both ends */
    float *across;            /* X of each column */
    struct leaning *quads[2]; /* north and south of the row, one more than columns */
    uint32_t *pattern;        /* the first row of quads' indices */
};

static void rows_fini(struct rows *rows)
{
    free(rows->codes);
    free(rows->across);
    free(rows->quads[0]);
    free(rows->quads[1]);
    free(rows->pattern);
}

static bool rows_init(struct rows *rows, const struct view *view, struct rect window, bool normals,
                      struct fault *why)
{
    size_t columns = (size_t)window.width;

    *rows = (struct rows){ .view = view, .window = window };
    rows->codes = malloc(2 * (columns + 2) * sizeof *rows->codes);
    rows->across = malloc(columns * sizeof *rows->across);
    rows->pattern = malloc(columns * 6 * sizeof *rows->pattern);
    for (int i = 0; i < 2; i++)
        rows->quads[i] = calloc(normals ? columns + 1 : 1, sizeof *rows->quads[i]);
    if (rows->codes && rows->across && rows->pattern && rows->quads[0] && rows->quads[1])
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

/* The upward unit normal of a plane that rises by these amounts a quad: the arithmetic of
 * codec_vertex_normal, so that normals are the same to the bit. */
static inline void lean(double rise_x, double rise_y, const double scale[3], double normal[3])
{
    double x = -rise_x * scale[2] / 128 / scale[0], y = -rise_y * scale[2] / 128 / scale[1];
    double length = sqrt(x * x + y * y + 1);

    normal[0] = x / length;
    normal[1] = y / length;
    normal[2] = 1 / length;
}

/* The quads between row j - 1 and j, from the one west of the window to the one east of it. */
static void lean_quads(struct rows *rows, int32_t j, struct leaning *quads)
{
    const struct grid *grid = view_grid(rows->view);
    int32_t columns = rows->window.width, south = rows->window.y + j;
    uint16_t *upper = rows->codes, *lower = rows->codes + columns + 2;

    if (south < 1 || south > grid->rows - 1) {
        memset(quads, 0, (size_t)(columns + 1) * sizeof *quads);
        return;
    }
    view_read_around(rows->view, (struct rect){ rows->window.x - 1, south - 1, columns + 2, 2 },
                     upper, columns + 2);
    for (int32_t i = 0; i <= columns; i++) {
        lean(upper[i + 1] - upper[i], lower[i + 1] - upper[i + 1], grid->scale, quads[i].ne);
        lean(lower[i + 1] - lower[i], lower[i] - upper[i], grid->scale, quads[i].sw);
    }
    if (rows->window.x == 0)
        quads[0] = (struct leaning){ { 0 }, { 0 } };
    if (rows->window.x + columns == grid->columns)
        quads[columns] = (struct leaning){ { 0 }, { 0 } };
}

static void write_normals(struct rows *rows, float (*to)[3])
{
    static const int axis_to[3] = { 0, 2, 1 };

    lean_quads(rows, 0, rows->quads[0]);
    for (int32_t j = 0; j < rows->window.height; j++) {
        const struct leaning *north = rows->quads[0], *south = rows->quads[1];

        lean_quads(rows, j + 1, rows->quads[1]);
        for (int32_t i = 0; i < rows->window.width; i++, to++) {
            double sum[3], length;

            for (int k = 0; k < 3; k++)
                sum[k] = north[i].ne[k] + north[i].sw[k] + north[i + 1].sw[k] + south[i].ne[k] +
                         south[i + 1].ne[k] + south[i + 1].sw[k];
            length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
            for (int k = 0; k < 3; k++)
                (*to)[axis_to[k]] = (float)(sum[k] / length);
        }
        rows->quads[1] = rows->quads[0];
        rows->quads[0] = (struct leaning *)south;
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
    if (!rows_init(&rows, view, window, normals, why))
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
        write_normals(&rows, parts.normals);
    write_indices(&rows, &parts);
    glb_close(&room, &parts, to);
    rows_fini(&rows);
    return true;
}
