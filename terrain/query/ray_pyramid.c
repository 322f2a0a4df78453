#include "terrain/query/ray_pyramid.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/base/wide.h"

enum { LINE = BLOCK_SIDE + 1 };

struct making {
    const struct view *view;
    int32_t bx, by;
};

static void pyramid_free(struct derived *thing)
{
    free(thing);
}

static size_t ranges_count(void)
{
    size_t count = 0;

    for (int level = RAY_PYRAMID_LOWEST; level <= RAY_PYRAMID_HIGHEST; level++)
        count += (size_t)1 << 2 * (BLOCK_LOG2 - level);
    return count;
}

/* Of three lines of vertices: the bounds of each column of three, then of each square of 3 x 3. */
WIDE static void line_sum(const uint16_t *restrict north, const uint16_t *restrict middle,
                          const uint16_t *restrict south, struct node_range *restrict ranges)
{
    uint16_t least[LINE], greatest[LINE];

    for (int x = 0; x < LINE; x++) {
        uint16_t low = north[x] < middle[x] ? north[x] : middle[x];
        uint16_t high = north[x] > middle[x] ? north[x] : middle[x];

        least[x] = south[x] < low ? south[x] : low;
        greatest[x] = south[x] > high ? south[x] : high;
    }
    for (int x = 0; x < BLOCK_SIDE / 2; x++) {
        const uint16_t *low = least + 2 * x, *high = greatest + 2 * x;
        uint16_t l = low[0] < low[1] ? low[0] : low[1];
        uint16_t g = high[0] > high[1] ? high[0] : high[1];

        ranges[x].least = low[2] < l ? low[2] : l;
        ranges[x].greatest = high[2] > g ? high[2] : g;
    }
}

static struct node_range join(struct node_range a, struct node_range b)
{
    return (struct node_range){ a.least < b.least ? a.least : b.least,
                                a.greatest > b.greatest ? a.greatest : b.greatest };
}

static void levels_sum(struct ray_pyramid *pyramid)
{
    for (int level = RAY_PYRAMID_LOWEST + 1; level <= RAY_PYRAMID_HIGHEST; level++) {
        const int side = BLOCK_SIDE >> level;

        for (int y = 0; y < side; y++) {
            const struct node_range *north = pyramid->level[level - 1] + 4 * y * side;
            const struct node_range *south = north + 2 * side;

            for (int x = 0; x < side; x++)
                pyramid->level[level][y * side + x] = join(join(north[2 * x], north[2 * x + 1]),
                                                           join(south[2 * x], south[2 * x + 1]));
        }
    }
}

/* Squares wholly beyond the landscape; those partly so have its last vertices repeated. */
static void clear_beyond(struct ray_pyramid *pyramid, int32_t width, int32_t height)
{
    const int side = BLOCK_SIDE >> RAY_PYRAMID_LOWEST;

    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            if (2 * x >= width || 2 * y >= height)
                pyramid->level[RAY_PYRAMID_LOWEST][y * side + x] =
                    (struct node_range){ UINT16_MAX, 0 };
}

static void lowest_sum(struct ray_pyramid *pyramid, const uint16_t *heights)
{
    for (int y = 0; y < BLOCK_SIDE / 2; y++) {
        const uint16_t *north = heights + (size_t)(2 * y) * LINE;

        line_sum(north, north + LINE, north + 2 * LINE,
                 pyramid->level[RAY_PYRAMID_LOWEST] + (size_t)y * (BLOCK_SIDE / 2));
    }
}

static struct derived *make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    const struct grid *grid = view_grid(making->view);
    const int32_t x = making->bx << BLOCK_LOG2, y = making->by << BLOCK_LOG2;
    const int32_t width = grid->columns - 1 - x, height = grid->rows - 1 - y;
    const size_t bytes = sizeof(struct ray_pyramid) + ranges_count() * sizeof(struct node_range);
    struct ray_pyramid *pyramid = malloc(bytes);
    uint16_t *heights = malloc(sizeof *heights * LINE * LINE);
    struct node_range *next;

    (void)older;
    if (!pyramid || !heights) {
        free(pyramid);
        free(heights);
        fault_set(why, FAULT_MEMORY, "no memory for the bounds that rays need within a block");
        return NULL;
    }
    pyramid->derived.free = pyramid_free;
    pyramid->derived.bytes = bytes;
    atomic_init(&pyramid->derived.holders, 1);
    next = pyramid->ranges;
    pyramid->level[0] = NULL;
    for (int level = RAY_PYRAMID_LOWEST; level <= RAY_PYRAMID_HIGHEST; level++) {
        pyramid->level[level] = next;
        next += (size_t)1 << 2 * (BLOCK_LOG2 - level);
    }
    view_read_around(making->view, (struct rect){ x, y, LINE, LINE }, heights, LINE);
    lowest_sum(pyramid, heights);
    if (width < BLOCK_SIDE || height < BLOCK_SIDE)
        clear_beyond(pyramid, width, height);
    levels_sum(pyramid);
    free(heights);
    return &pyramid->derived;
}

struct ray_pyramid *ray_pyramid(const struct view *view, struct derived_cache *cache, int32_t bx,
                                int32_t by, struct fault *why)
{
    static const char kind;
    const struct grid *grid = view_grid(view);
    const struct rect closed = { bx << BLOCK_LOG2, by << BLOCK_LOG2, LINE, LINE };
    struct making making = { view, bx, by };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .at = { bx, by, (int64_t)grid->rows << 32 | grid->columns,
                                           (int64_t)view->again } };

    return (struct ray_pyramid *)derived_get(
        cache, &place, tree_newest(&view->planes[PLANE_HEIGHTS], closed), make, &making, why);
}
