#include "tests/terrain/tooling.h"

#include <math.h>
#include <stdlib.h>

/* The view after the op, or NULL and why. The view given stays. */
struct view *tool_tried(const struct view *view, const struct op *op, const struct sources *sources,
                        struct fault *why)
{
    struct draft *draft = draft_new(view, why);
    struct change change;

    assert_non_null(draft);
    draft_lend(draft, sources);
    if (!brush_apply_all(draft, &op->variant, 1, why)) {
        draft_free(draft);
        return NULL;
    }
    return ground_finish(draft, view_hold(view), &change);
}

/* The same, freeing the op; the view given stays. */
struct view *tool_done(const struct view *view, struct op *op, const struct sources *sources)
{
    struct fault why = { 0 };
    struct view *after = tool_tried(view, op, sources, &why);

    if (!after)
        fail_msg("%s %s", why.place, why.detail);
    op_free(op);
    return after;
}

void tool_refused(const struct view *view, struct op *op, enum fault_code code, const char *place)
{
    struct fault why = { 0 };

    assert_null(tool_tried(view, op, NULL, &why));
    assert_int_equal(why.code, code);
    assert_string_equal(why.place, place);
    assert_true(why.detail[0] != '\0');
    op_free(op);
}

struct op *tool_on_region(const char *tool, struct rect region)
{
    struct op *op = op_new(tool);

    assert_non_null(op);
    assert_true(op_region(op, region));
    return op;
}

struct op *tool_on_dab(const char *tool, double x, double y, double radius)
{
    const double path[1][2] = { { x, y } };
    struct op *op = op_new(tool);

    assert_non_null(op);
    assert_true(op_path(op, path, 1));
    assert_true(op_real(op, "radius", radius));
    return op;
}

/* How every computed height comes to rest. */
int32_t tool_rested(double code)
{
    return code < 0 ? 0 : code > 65535 ? 65535 : (int32_t)floor(code + 0.5);
}

double tool_force(const struct op *op, const struct view *view, int32_t x, int32_t y)
{
    const struct where *where = op->variant.members;
    const double *middle = where->path.items;
    const double *scale = view_grid(view)->scale;
    double across, down;

    if (where->path.count == 0)
        return x >= where->region.x && y >= where->region.y &&
               x < where->region.x + where->region.width &&
               y < where->region.y + where->region.height;
    across = (x - middle[0]) * scale[0];
    down = (y - middle[1]) * scale[1];
    return falloff_at((enum falloff_shape)where->shape, sqrt(across * across + down * down),
                      where->radius, where->falloff);
}

void tool_assert(const struct view *before, struct op *op, const struct sources *sources,
                 tool_expect *expected)
{
    struct fault why = { 0 };
    struct view *after = tool_tried(before, op, sources, &why);

    if (!after)
        fail_msg("%s %s", why.place, why.detail);
    for (int32_t y = 0; y < view_rect(before).height; y++) {
        for (int32_t x = 0; x < view_rect(before).width; x++) {
            double f = tool_force(op, before, x, y);
            double code = f > 0 ? expected(before, op, x, y, f) : view_height(before, x, y);
            int32_t is = view_height(after, x, y);

            /* two orders of the same sums may round to either side of a half */
            if (is != tool_rested(code) &&
                !(fabs(code + 0.5 - is) < 1e-6 || fabs(code - 0.5 - is) < 1e-6))
                fail_msg("(%d, %d) is %d, not %.9g", x, y, is, code);
        }
    }
    view_drop(after);
    op_free(op);
}

uint32_t tool_hash(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = (x * 0x8da6b343u) ^ (y * 0xd8163841u) ^ (seed * 0xcb1ab31fu);

    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

/* Gradient noise at a position counted in cells. */
double tool_noise(double x, double y, uint32_t seed)
{
    double fx = x - floor(x), fy = y - floor(y), sum = 0;

    for (uint32_t c = 0; c < 4; c++) {
        uint32_t i = (uint32_t)(int64_t)floor(x) + (c & 1),
                 j = (uint32_t)(int64_t)floor(y) + (c >> 1);
        double turn = 2 * acos(-1) * (tool_hash(i, j, seed) >> 28) / 16;
        double dx = fx - (c & 1), dy = fy - (c >> 1), wx = 1 - fabs(dx), wy = 1 - fabs(dy);

        wx = wx * wx * wx * (wx * (wx * 6 - 15) + 10);
        wy = wy * wy * wy * (wy * (wy * 6 - 15) + 10);
        sum += wx * wy * (cos(turn) * dx + sin(turn) * dy);
    }
    return sum * sqrt(2);
}
