#include "terrain/edit/paint_write.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/weights.h"

/* The blended layers of a draft, those that are written and the rest, by position. */
struct sides {
    int given[PAINT_LAYERS_MOST], given_count; /* index among the planes */
    int others[PAINT_LAYERS_MOST], others_count;
};

static bool among(const struct paint_planes *planes, int paint)
{
    for (int i = 0; i < planes->count; i++) {
        if (planes->paints[i] == paint)
            return true;
    }
    return false;
}

static void take_sides(const struct draft *draft, const struct paint_planes *planes,
                       struct sides *sides)
{
    const struct stack *stack = draft_view(draft)->settings->stack;

    sides->given_count = sides->others_count = 0;
    for (int i = 0; i < planes->count; i++) {
        if (stack->paints[planes->paints[i]].blended)
            sides->given[sides->given_count++] = i;
    }
    for (int paint = 0; paint < stack->paint_count; paint++) {
        if (stack->paints[paint].blended && !among(planes, paint))
            sides->others[sides->others_count++] = paint;
    }
}

static const uint8_t *plane_at(const struct paint_planes *planes, int plane, int32_t x, int32_t y)
{
    int64_t width = planes->to.width, vertices = rect_area(planes->to);

    return planes->weights + plane * vertices + (y - planes->to.y) * width + (x - planes->to.x);
}

/* Writing, a row of a block at a time */

struct writing {
    const struct paint_planes *planes;
    struct sides sides;
    uint8_t *rows[PAINT_LAYERS_MOST]; /* of the open block */
};

static void write_one(const struct writing *writing, int32_t x, int32_t y, int32_t count, int at)
{
    int paint = writing->planes->paints[0], some = 0;
    const uint8_t *asked = plane_at(writing->planes, 0, x, y);
    uint8_t *others[PAINT_LAYERS_MOST];

    if (writing->sides.given_count == 0) {
        memcpy(writing->rows[paint] + at, asked, (size_t)count);
        return;
    }
    for (int i = 0; i < writing->sides.others_count; i++) {
        uint8_t *row = writing->rows[writing->sides.others[i]];

        if (row)
            others[some++] = row + at;
    }
    weights_paint_row(writing->rows[paint] + at, asked, others, some, count);
}

static void write_several(const struct writing *writing, int32_t x, int32_t y, int32_t count,
                          int at)
{
    const struct paint_planes *planes = writing->planes;
    const struct sides *sides = &writing->sides;
    uint8_t *given[PAINT_LAYERS_MOST], *others[PAINT_LAYERS_MOST];

    for (int i = 0; i < planes->count; i++)
        memcpy(writing->rows[planes->paints[i]] + at, plane_at(planes, i, x, y), (size_t)count);
    for (int i = 0; i < sides->given_count; i++)
        given[i] = writing->rows[planes->paints[sides->given[i]]] + at;
    for (int i = 0; i < sides->others_count; i++)
        others[i] = writing->rows[sides->others[i]] + at;
    weights_put_row(given, sides->given_count, others, sides->others_count, count);
}

static bool write_block(struct draft *draft, struct writing *writing, int32_t bx, int32_t by,
                        struct fault *why)
{
    const struct paint_planes *planes = writing->planes;
    struct rect block = { bx * BLOCK_SIDE, by * BLOCK_SIDE, BLOCK_SIDE, BLOCK_SIDE };
    struct rect part = rect_meet(block, planes->to);

    if (!draft_weights_begin(draft, bx, by, planes->count == 1 ? planes->paints[0] : -1,
                             writing->rows, why))
        return false;
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        int at = (y - block.y) * BLOCK_SIDE + (part.x - block.x);

        if (planes->count == 1)
            write_one(writing, part.x, y, part.width, at);
        else
            write_several(writing, part.x, y, part.width, at);
    }
    part.x -= block.x;
    part.y -= block.y;
    draft_weights_end(draft, bx, by, part);
    return true;
}

bool paint_write(struct draft *draft, const struct paint_planes *planes, struct fault *why)
{
    struct rect to = planes->to;
    struct writing *writing = calloc(1, sizeof *writing);
    bool done = true;

    if (!writing)
        return fault_set(why, FAULT_MEMORY, "no memory to write weights");
    writing->planes = planes;
    take_sides(draft, planes, &writing->sides);
    for (int32_t by = to.y >> BLOCK_LOG2; done && by <= (to.y + to.height - 1) >> BLOCK_LOG2;
         by++) {
        for (int32_t bx = to.x >> BLOCK_LOG2; done && bx <= (to.x + to.width - 1) >> BLOCK_LOG2;
             bx++)
            done = write_block(draft, writing, bx, by, why);
    }
    free(writing);
    return done;
}

/* Checking */

static bool others_sum(struct draft *draft, const struct sides *sides, int32_t x, int32_t y,
                       int32_t *sum, struct fault *why)
{
    for (int i = 0; i < sides->others_count; i++) {
        const struct tree *tree =
            draft_weights(draft, sides->others[i], (struct rect){ x, y, 1, 1 }, why);

        if (!tree)
            return false;
        *sum += tree_value(tree, x, y);
    }
    return true;
}

static bool check_row(struct draft *draft, const struct paint_planes *planes,
                      const struct sides *sides, int32_t y, struct fault *why)
{
    int32_t end = planes->to.x + planes->to.width;

    for (int32_t x = planes->to.x; x < end; x++) {
        uint8_t *rows[PAINT_LAYERS_MOST];
        int32_t sum = 0, given, odd;

        for (int i = 0; i < sides->given_count; i++)
            rows[i] = (uint8_t *)(uintptr_t)plane_at(planes, sides->given[i], x, y);
        odd = weights_row_odd(rows, sides->given_count, end - x, &sum);
        if (odd < 0)
            return true;
        x += odd;
        given = sum;
        if (!others_sum(draft, sides, x, y, &sum, why))
            return false;
        if (sum != WEIGHT_FULL)
            return fault_set(why, FAULT_IMPOSSIBLE,
                             "the weights at column %d, row %d add up to %d, not to 255 or 0", x, y,
                             given);
    }
    return true;
}

bool paint_check(struct draft *draft, const struct paint_planes *planes, struct fault *why)
{
    struct sides sides;

    take_sides(draft, planes, &sides);
    for (int32_t y = planes->to.y; y < planes->to.y + planes->to.height; y++) {
        if (!check_row(draft, planes, &sides, y, why))
            return false;
    }
    return true;
}
