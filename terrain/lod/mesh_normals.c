/* Normals of a mesh's vertices, from the landscape and not from the mesh's triangles. Where
 * vertices stand close together they are worked out square by square, each triangle of the
 * landscape once. */
#include <stdlib.h>
#include <string.h>

#include "terrain/core/codec.h"
#include "terrain/core/normals.h"
#include "terrain/lod/mesh.h"

enum { SQUARE_LOG2 = 5, SQUARE = 1 << SQUARE_LOG2, AROUND = SQUARE + 2 };
/* So many vertices of a square cost as much, one by one, as all of it at once. */
enum { CROWD = SQUARE * SQUARE / 16 };

static const int local_axes[3] = { 0, 1, 2 };

/* The heights around a vertex, without a look at the tree for each when one block has them all. */
static void read_window(const struct view *view, int32_t column, int32_t row, uint16_t window[9])
{
    const struct tree *heights = &view->planes[PLANE_HEIGHTS];
    int32_t x = column & BLOCK_MASK, y = row & BLOCK_MASK;
    const struct child *leaf;
    const uint16_t *from;

    if (x == 0 || y == 0 || x == BLOCK_MASK || y == BLOCK_MASK || column >= heights->columns - 1 ||
        row >= heights->rows - 1) {
        view_read_around(view, (struct rect){ column - 1, row - 1, 3, 3 }, window, 3);
        return;
    }
    leaf = tree_leaf(heights, column >> BLOCK_LOG2, row >> BLOCK_LOG2);
    if (!leaf->below) {
        for (int i = 0; i < 9; i++)
            window[i] = leaf->summary.least;
        return;
    }
    from = block_heights(leaf->below) + (y - 1) * BLOCK_SIDE + x - 1;
    for (int i = 0; i < 3; i++)
        memcpy(window + 3 * i, from + (ptrdiff_t)i * BLOCK_SIDE, 3 * sizeof *window);
}

void mesh_vertex_normal(const struct view *view, int32_t column, int32_t row, float normal[3])
{
    const struct grid *grid = view_grid(view);
    bool west = column > 0, north = row > 0, east = column < grid->columns - 1;
    bool south = row < grid->rows - 1;
    unsigned present = (unsigned)(west && north) | (unsigned)(east && north) << 1 |
                       (unsigned)(west && south) << 2 | (unsigned)(east && south) << 3;
    uint16_t window[9];
    double unit[3];

    read_window(view, column, row, window);
    codec_vertex_normal(window, grid->scale, present, unit);
    for (int i = 0; i < 3; i++)
        normal[i] = (float)unit[i];
}

/* The vertices from `first` on, sorted by the squares that they stand in. */
struct crowd {
    const struct view *view;
    struct mesh *mesh;
    int32_t x, y, across, down; /* squares: the first, and how many */
    uint32_t *starts;           /* of each square among the sorted, and the end */
    uint32_t *sorted;
};

static size_t square_of(const struct crowd *crowd, const double at[3])
{
    int32_t x = ((int32_t)at[0] >> SQUARE_LOG2) - crowd->x;
    int32_t y = ((int32_t)at[1] >> SQUARE_LOG2) - crowd->y;

    return (size_t)y * (size_t)crowd->across + (size_t)x;
}

static void crowd_bound(struct crowd *crowd, size_t first)
{
    const struct mesh *mesh = crowd->mesh;
    double low[2] = { mesh->at[first][0], mesh->at[first][1] }, high[2] = { low[0], low[1] };

    for (size_t i = first; i < mesh->vertex_count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = mesh->at[i][axis] < low[axis] ? mesh->at[i][axis] : low[axis];
            high[axis] = mesh->at[i][axis] > high[axis] ? mesh->at[i][axis] : high[axis];
        }
    }
    crowd->x = (int32_t)low[0] >> SQUARE_LOG2;
    crowd->y = (int32_t)low[1] >> SQUARE_LOG2;
    crowd->across = ((int32_t)high[0] >> SQUARE_LOG2) - crowd->x + 1;
    crowd->down = ((int32_t)high[1] >> SQUARE_LOG2) - crowd->y + 1;
}

/* False when there is no memory for it. */
static bool crowd_sort(struct crowd *crowd, size_t first)
{
    const struct mesh *mesh = crowd->mesh;
    size_t squares = (size_t)crowd->across * (size_t)crowd->down;

    crowd->starts = calloc(squares + 2, sizeof *crowd->starts);
    crowd->sorted = malloc((mesh->vertex_count - first) * sizeof *crowd->sorted);
    if (!crowd->starts || !crowd->sorted)
        return false;
    for (size_t i = first; i < mesh->vertex_count; i++)
        crowd->starts[square_of(crowd, mesh->at[i]) + 2]++;
    for (size_t i = 2; i < squares + 2; i++)
        crowd->starts[i] += crowd->starts[i - 1];
    for (size_t i = first; i < mesh->vertex_count; i++)
        crowd->sorted[crowd->starts[square_of(crowd, mesh->at[i]) + 1]++] = (uint32_t)i;
    return true;
}

static void fill_one(const struct crowd *crowd, uint32_t vertex)
{
    const double *at = crowd->mesh->at[vertex];

    mesh_vertex_normal(crowd->view, (int32_t)at[0], (int32_t)at[1], crowd->mesh->normals[vertex]);
}

static void fill_square(const struct crowd *crowd, struct rect square, const uint32_t *vertices,
                        size_t count)
{
    uint16_t around[AROUND * AROUND];
    float normals[SQUARE * SQUARE][3];

    square = rect_meet(square, view_rect(crowd->view));
    view_read_around(
        crowd->view,
        (struct rect){ square.x - 1, square.y - 1, square.width + 2, square.height + 2 }, around,
        square.width + 2);
    normals_fill(around, square, view_grid(crowd->view), local_axes, normals, SQUARE);
    for (size_t i = 0; i < count; i++) {
        const double *at = crowd->mesh->at[vertices[i]];
        int32_t x = (int32_t)at[0] - square.x, y = (int32_t)at[1] - square.y;

        memcpy(crowd->mesh->normals[vertices[i]], normals[y * SQUARE + x], sizeof *normals);
    }
}

static void fill_squares(const struct crowd *crowd)
{
    for (int32_t y = 0; y < crowd->down; y++) {
        for (int32_t x = 0; x < crowd->across; x++) {
            const uint32_t *start = crowd->starts + (size_t)y * (size_t)crowd->across + x;
            const uint32_t *vertices = crowd->sorted + start[0];
            size_t count = start[1] - start[0];

            if (count >= CROWD)
                fill_square(crowd,
                            (struct rect){ (crowd->x + x) * SQUARE, (crowd->y + y) * SQUARE, SQUARE,
                                           SQUARE },
                            vertices, count);
            else
                for (size_t i = 0; i < count; i++)
                    fill_one(crowd, vertices[i]);
        }
    }
}

void mesh_fill_normals(const struct view *view, struct mesh *mesh, size_t first)
{
    struct crowd crowd = { .view = view, .mesh = mesh };
    size_t count = mesh->vertex_count - first;

    if (!mesh->with_normals || !count)
        return;
    crowd_bound(&crowd, first);
    if (count >= CROWD && (size_t)crowd.across * (size_t)crowd.down <= count / 8 + 1 &&
        crowd_sort(&crowd, first)) {
        fill_squares(&crowd);
    } else {
        for (size_t i = first; i < mesh->vertex_count; i++)
            fill_one(&crowd, (uint32_t)i);
    }
    free(crowd.sorted);
    free(crowd.starts);
}
