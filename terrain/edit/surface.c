#include "terrain/edit/surface.h"

#include "terrain/core/view.h"

/* A quad's corners, north-west, north-east, south-west, south-east, and where in it a point is. */
struct quad {
    int32_t corners[4];
    double across, down;
};

/* The first vertex of the quad that holds a coordinate; the last quad holds the border too. */
static int32_t quad_first(double at, int32_t vertices)
{
    if (vertices < 2)
        return 0;
    return at < vertices - 2 ? (int32_t)at : vertices - 2;
}

static int32_t leaf_value(enum plane plane, const struct block *block, int32_t x, int32_t y)
{
    return plane == PLANE_HEIGHTS ? block_heights(block)[y * BLOCK_SIDE + x]
                                  : block_value(block, x, y);
}

static void read_corners(const struct tree *tree, int32_t i, int32_t j, int32_t corners[4])
{
    int32_t x = i & BLOCK_MASK, y = j & BLOCK_MASK;
    int32_t right = i + 1 < tree->columns ? i + 1 : i, below = j + 1 < tree->rows ? j + 1 : j;

    if (x < BLOCK_MASK && y < BLOCK_MASK && right > i && below > j) {
        const struct child *leaf = tree_leaf(tree, i >> BLOCK_LOG2, j >> BLOCK_LOG2);

        for (int k = 0; k < 4; k++)
            corners[k] = leaf->below
                             ? leaf_value(tree->plane, leaf->below, x + (k & 1), y + (k >> 1))
                             : leaf->summary.least;
        return;
    }
    for (int k = 0; k < 4; k++)
        corners[k] = tree_value(tree, k & 1 ? right : i, k >> 1 ? below : j);
}

static bool quad_at(const struct tree *tree, double x, double y, struct quad *quad)
{
    int32_t i, j;

    if (!(x >= 0 && y >= 0 && x <= tree->columns - 1 && y <= tree->rows - 1))
        return false;
    i = quad_first(x, tree->columns);
    j = quad_first(y, tree->rows);
    quad->across = x - i;
    quad->down = y - j;
    read_corners(tree, i, j, quad->corners);
    return true;
}

bool surface_triangle(const struct tree *tree, double x, double y, double *value)
{
    struct quad quad;
    const int32_t *c = quad.corners;

    if (!quad_at(tree, x, y, &quad))
        return false;
    *value = view_quad_code(c[0], c[1], c[2], c[3], quad.across, quad.down);
    return true;
}

bool surface_bilinear(const struct tree *tree, double x, double y, double *value)
{
    struct quad quad;
    const int32_t *c = quad.corners;
    double top, bottom;

    if (!quad_at(tree, x, y, &quad))
        return false;
    top = c[0] + (c[1] - c[0]) * quad.across;
    bottom = c[2] + (c[3] - c[2]) * quad.across;
    *value = top + (bottom - top) * quad.down;
    return true;
}
