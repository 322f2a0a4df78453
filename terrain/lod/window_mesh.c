#include "terrain/lod/window_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/offset.h"

static int32_t lines(int32_t vertices, int32_t step)
{
    return (vertices - 2) / step + 2;
}

int32_t window_grid_columns(const struct window_grid *grid)
{
    return lines(grid->window.width, grid->step);
}

int32_t window_grid_rows(const struct window_grid *grid)
{
    return lines(grid->window.height, grid->step);
}

int64_t window_grid_triangles(const struct window_grid *grid)
{
    return ((int64_t)window_grid_columns(grid) - 1) * (window_grid_rows(grid) - 1) * 2;
}

/* One row of the grid's quads at a time: the heights and holes below it. */
struct strip {
    const struct view *view;
    const struct window_grid *grid;
    int32_t columns, rows; /* of the grid */
    uint16_t *codes;       /* window.width a row, step + 1 rows */
    uint8_t *holes;        /* of the landscape's quads */
    uint8_t *solid[2];     /* of the grid's quads with one more at both ends: above the line, below
                              it */
    uint32_t *numbers[2];  /* of the vertices on the line above, and on it */
};

/* The window's column, or row, of the grid's i-th line. */
static int32_t line_at(int32_t vertices, int32_t step, int32_t i)
{
    return i * step < vertices - 1 ? i * step : vertices - 1;
}

static int32_t column_at(const struct strip *strip, int32_t i)
{
    return line_at(strip->grid->window.width, strip->grid->step, i);
}

static int32_t row_at(const struct strip *strip, int32_t j)
{
    return line_at(strip->grid->window.height, strip->grid->step, j);
}

static void strip_fini(struct strip *strip)
{
    free(strip->codes);
    free(strip->holes);
    for (int i = 0; i < 2; i++) {
        free(strip->solid[i]);
        free(strip->numbers[i]);
    }
}

static bool strip_init(struct strip *strip, const struct view *view, const struct window_grid *grid,
                       struct fault *why)
{
    size_t width = (size_t)grid->window.width;
    size_t height = (size_t)(grid->step < grid->window.height ? grid->step : grid->window.height);

    *strip = (struct strip){ .view = view, .grid = grid };
    strip->columns = window_grid_columns(grid);
    strip->rows = window_grid_rows(grid);
    strip->codes = malloc(width * (height + 1) * sizeof *strip->codes);
    strip->holes = malloc(width * height);
    for (int i = 0; i < 2; i++) {
        strip->solid[i] = calloc((size_t)strip->columns + 1, 1);
        strip->numbers[i] = malloc((size_t)strip->columns * sizeof **strip->numbers);
    }
    if (strip->codes && strip->holes && strip->solid[0] && strip->solid[1] && strip->numbers[0] &&
        strip->numbers[1])
        return true;
    strip_fini(strip);
    return fault_set(why, FAULT_MEMORY, "no memory for rows of %zu vertices", width);
}

/* Which of the grid's quads between line j and the next are there. */
static void read_solid(struct strip *strip, int32_t j, uint8_t *solid)
{
    const struct rect window = strip->grid->window;
    bool any = strip->grid->holes == HOLES_ANY;
    struct rect quads = { window.x, window.y, window.width - 1, 0 };

    memset(solid, 0, (size_t)strip->columns + 1);
    if (j < 0 || j >= strip->rows - 1)
        return;
    quads.y += row_at(strip, j);
    quads.height = row_at(strip, j + 1) - row_at(strip, j);
    view_read_holes(strip->view, quads, strip->holes, quads.width);
    for (int32_t i = 0; i + 1 < strip->columns; i++) {
        int32_t across = column_at(strip, i + 1) - column_at(strip, i), count = 0;
        const uint8_t *from = strip->holes + column_at(strip, i);

        for (int32_t y = 0; y < quads.height; y++, from += quads.width)
            for (int32_t x = 0; x < across; x++)
                count += from[x] != 0;
        solid[i + 1] = any ? count == 0 : count < across * quads.height;
    }
}

/* A quad of the grid over the landscape's vertices: how far these lie off it. */
struct coarse {
    const uint16_t *codes; /* its north-west vertex, rows stride apart */
    int32_t stride, across, down;
    int32_t nw, ne, sw, se;
};

/* Where its sides differ its diagonal runs across the landscape's quads, and the two surfaces may
 * lie furthest apart where it crosses an edge of these. */
static double off_at(const struct coarse *cell, double along)
{
    double x = along * cell->across, y = along * cell->down;
    int32_t column = (int32_t)x, row = (int32_t)y;
    const uint16_t *at;

    column = column < cell->across ? column : cell->across - 1;
    row = row < cell->down ? row : cell->down - 1;
    at = cell->codes + (ptrdiff_t)row * cell->stride + column;
    return fabs(
        view_quad_code(at[0], at[1], at[cell->stride], at[cell->stride + 1], x - column, y - row) -
        (cell->nw + along * (cell->se - cell->nw)));
}

static double off_diagonal(const struct coarse *cell)
{
    int32_t apart = cell->across - cell->down, sign = apart < 0 ? -1 : 1;
    double off = 0;

    if (!apart)
        return 0;
    for (int32_t i = 1; i < cell->across; i++)
        off = fmax(off, off_at(cell, (double)i / cell->across));
    for (int32_t j = 1; j < cell->down; j++)
        off = fmax(off, off_at(cell, (double)j / cell->down));
    for (int32_t k = 1; k < apart * sign; k++)
        off = fmax(off, off_at(cell, (double)k / (apart * sign)));
    return off;
}

static double off_vertices(const struct coarse *cell)
{
    double off = 0;

    for (int32_t y = 0; y <= cell->down; y++) {
        const uint16_t *codes = cell->codes + (ptrdiff_t)y * cell->stride;

        for (int32_t x = 0; x <= cell->across; x++)
            off = fmax(off, fabs(codes[x] - view_quad_code(cell->nw, cell->ne, cell->sw, cell->se,
                                                           (double)x / cell->across,
                                                           (double)y / cell->down)));
    }
    return off;
}

/* How far the landscape lies off the quads between line j and the next, codes. */
static double off_strip(struct strip *strip, int32_t j, const uint8_t *solid)
{
    const struct rect window = strip->grid->window;
    int32_t top = row_at(strip, j), down = row_at(strip, j + 1) - top;
    double off = 0;

    view_read_heights(strip->view,
                      (struct rect){ window.x, window.y + top, window.width, down + 1 },
                      strip->codes, window.width);
    for (int32_t i = 0; i + 1 < strip->columns; i++) {
        int32_t west = column_at(strip, i), across = column_at(strip, i + 1) - west;
        const uint16_t *nw = strip->codes + west, *sw = nw + (ptrdiff_t)down * window.width;
        struct coarse cell = {
            nw, window.width, across, down, nw[0], nw[across], sw[0], sw[across]
        };

        if (!solid[i + 1] || (across == 1 && down == 1))
            continue;
        off = fmax(off, fmax(off_vertices(&cell), off_diagonal(&cell)));
    }
    return off;
}

/* The vertices on line j that a quad above or below it has. */
static void add_line(struct strip *strip, int32_t j, uint32_t *numbers, struct mesh *mesh)
{
    const struct rect window = strip->grid->window;
    int32_t row = window.y + row_at(strip, j);

    view_read_heights(strip->view, (struct rect){ window.x, row, window.width, 1 }, strip->codes,
                      window.width);
    for (int32_t i = 0; i < strip->columns; i++) {
        const uint8_t *above = strip->solid[0] + i, *below = strip->solid[1] + i;

        if (above[0] | above[1] | below[0] | below[1])
            numbers[i] = mesh_vertex(mesh, window.x + column_at(strip, i), row,
                                     strip->codes[column_at(strip, i)]);
    }
}

static void add_quads(const struct strip *strip, struct mesh *mesh)
{
    const uint32_t *north = strip->numbers[0], *south = strip->numbers[1];

    for (int32_t i = 0; i + 1 < strip->columns; i++) {
        if (!strip->solid[0][i + 1])
            continue;
        mesh_triangle(mesh, north[i], south[i + 1], north[i + 1]);
        mesh_triangle(mesh, north[i], south[i], south[i + 1]);
    }
}

static void swap_lines(struct strip *strip)
{
    uint8_t *solid = strip->solid[0];
    uint32_t *numbers = strip->numbers[0];

    strip->solid[0] = strip->solid[1];
    strip->solid[1] = solid;
    strip->numbers[0] = strip->numbers[1];
    strip->numbers[1] = numbers;
}

/* Whoever fetches a surface wants it where its vertices stand. */
static void add_offsets(const struct view *view, struct mesh *mesh, size_t first)
{
    for (size_t i = first; i < mesh->vertex_count; i++) {
        struct rect vertex = { (int32_t)mesh->at[i][0], (int32_t)mesh->at[i][1], 1, 1 };

        for (int axis = 0; axis < 2; axis++) {
            uint16_t offset;

            view_read_offsets(view, axis, vertex, &offset, 1);
            mesh->at[i][axis] += offset_decode(offset);
        }
    }
}

bool window_mesh(const struct view *view, const struct window_grid *grid, struct mesh *mesh,
                 struct fault *why)
{
    size_t first = mesh->vertex_count;
    struct strip strip;
    double off = 0;

    if (!strip_init(&strip, view, grid, why))
        return false;
    for (int32_t j = 0; j < strip.rows; j++) {
        swap_lines(&strip);
        read_solid(&strip, j, strip.solid[1]);
        if (!mesh_reserve(mesh, (size_t)strip.columns, (size_t)strip.columns * 6, why)) {
            strip_fini(&strip);
            return false;
        }
        add_line(&strip, j, strip.numbers[1], mesh);
        if (j > 0)
            add_quads(&strip, mesh);
        if (j + 1 < strip.rows && grid->step > 1)
            off = fmax(off, off_strip(&strip, j, strip.solid[1]));
    }
    strip_fini(&strip);
    mesh_fill_normals(view, mesh, first);
    off *= view_grid(view)->scale[2] / 128;
    mesh->bound = mesh->bound > off ? mesh->bound : off;
    if (view_has_offsets(view)) {
        add_offsets(view, mesh, first);
        mesh->bound = NAN;
    }
    return true;
}
