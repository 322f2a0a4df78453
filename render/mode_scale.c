#include "render/mode_scale.h"

#include <math.h>
#include <stdlib.h>

#include "render/samples.h"
#include "terrain/query/collision.h"
#include "terrain/query/compare.h"
#include "terrain/query/landform.h"

static const double steep = 60; /* degrees */

enum {
    PLACES = 32 /* a side, at which curvature is looked at */,
    COMPONENTS_MOST = 8 /* a side */
};

static double larger_side(const struct extent *extent)
{
    return fmax(extent->high[0] - extent->low[0], extent->high[1] - extent->low[1]);
}

/* Metres across the picture, about. */
static double across(const struct picture *picture, const struct extent *extent)
{
    const struct camera *camera = &picture->camera;
    struct fault why;
    struct look look;
    double ahead = 0;

    if (!camera_look(camera, extent, picture->width, picture->height, &look, &why))
        return larger_side(extent);
    if (look.ortho)
        return 2 * fmax(look.half[0], look.half[1]);
    for (int i = 0; i < 3; i++) {
        double middle = camera->kind == CAMERA_PERSPECTIVE ? camera->target[i]
                                                           : (extent->low[i] + extent->high[i]) / 2;

        ahead += look.forward[i] * (middle - look.eye[i]);
    }
    return 2 * fmax(look.half[0], look.half[1]) * fmax(ahead, 1e-3 * larger_side(extent));
}

double mode_pixel(const struct view *view, const struct picture *picture)
{
    struct extent extent;

    extent_of(view, &extent);
    return across(picture, &extent) /
           (picture->width > picture->height ? picture->width : picture->height);
}

/* The least of 1, 2, 5 times powers of ten that is not less. */
static double rounded_up(double value)
{
    static const double steps[] = { 1, 2, 5, 10 };
    double power;

    if (!(value > 0) || !isfinite(value))
        return 1;
    power = pow(10, floor(log10(value)));
    for (int i = 0; i < 3; i++)
        if (steps[i] * power >= value * (1 - 1e-9))
            return steps[i] * power;
    return 10 * power;
}

double mode_interval(const struct view *view, const struct picture *picture)
{
    struct extent extent;
    double share, most;

    if (picture->show.interval > 0)
        return picture->show.interval;
    extent_of(view, &extent);
    share = fmin(across(picture, &extent) / fmax(larger_side(&extent), 1e-9), 1);
    most = fmin(picture->width, picture->height) / CONTOUR_PIXELS;
    most = fmin(fmax(most, CONTOURS_LEAST), CONTOURS_MOST);
    return rounded_up((extent.high[2] - extent.low[2]) * share / most);
}

int32_t mode_mip(const struct view *view, const struct picture *picture)
{
    int32_t own = view->settings->collision_mip;

    return picture->show.mip >= 0 ? picture->show.mip : own > 0 ? own : 1;
}

double mode_mip_spacing(const struct view *view, const struct picture *picture)
{
    struct collision collision;
    struct fault why;

    return collision_init(&collision, view, mode_mip(view, picture), NULL, NULL, &why)
               ? collision.spacing
               : 1;
}

/* Ranges */

static int compare_reals(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return a < b ? -1 : a > b;
}

static double curvature_at(const struct view *view, int32_t level, int32_t column, int32_t row)
{
    struct rect window = { (column >> level) - 1, (row >> level) - 1, 3, 3 };
    struct grid grid = *view_grid(view);
    double codes[9], forms[LANDFORMS];
    uint16_t samples[9];

    if (!samples_heights(view, level, window, samples, 3))
        return 0;
    for (int i = 0; i < 9; i++)
        codes[i] = samples[i];
    grid.scale[0] *= 1 << level;
    grid.scale[1] *= 1 << level;
    landform_window(codes, &grid, forms);
    return fabs(forms[LANDFORM_MEAN]);
}

static void curvature_range(const struct view *view, const struct picture *picture, double range[2])
{
    const struct grid *grid = view_grid(view);
    const double step = fmax(grid->scale[0], grid->scale[1]), pixel = mode_pixel(view, picture);
    double found[PLACES * PLACES];
    int32_t level = 0;

    while (level < SAMPLES_LEVEL_MOST && step * (2 << level) <= pixel * 1.2 &&
           (PLACES << level) < grid->columns && (PLACES << level) < grid->rows)
        level++;
    for (int i = 0; i < PLACES * PLACES; i++)
        found[i] = curvature_at(
            view, level, (int32_t)((2 * (i % PLACES) + 1) * (int64_t)grid->columns / (2 * PLACES)),
            (int32_t)((2 * (i / PLACES) + 1) * (int64_t)grid->rows / (2 * PLACES)));
    qsort(found, PLACES * PLACES, sizeof *found, compare_reals);
    range[1] = found[PLACES * PLACES * 19 / 20];
    range[1] = range[1] > 0 ? rounded_up(range[1]) : 0.01;
    range[0] = -range[1];
}

struct rising {
    const struct view *from, *to;
    double metres[BLOCK_SIDE], most;
};

static bool add_rise(void *context, int32_t bx, int32_t by, const struct child *before,
                     const struct child *after)
{
    struct rising *rising = context;
    struct rect part = tree_block_rect(&rising->to->planes[PLANE_HEIGHTS], bx, by);

    (void)before;
    (void)after;
    for (int32_t y = part.y; y < part.y + part.height; y++) {
        compare_row(rising->from, rising->to, part.x, y, part.width, rising->metres);
        for (int32_t i = 0; i < part.width; i++)
            rising->most = fmax(rising->most, fabs(rising->metres[i]));
    }
    return true;
}

/* Blocks that both versions share differ by what the place did, alike everywhere but for a scale:
 * the lowest and the highest code tell. */
static void rise_range(const struct view *from, const struct view *to, double range[2])
{
    const struct tree *tree = &to->planes[PLANE_HEIGHTS];
    struct rising rising = { .from = from, .to = to };

    tree_compare(&from->planes[PLANE_HEIGHTS], tree, add_rise, &rising);
    for (int i = 0; i < 2; i++) {
        uint16_t code = i ? tree->root.summary.greatest : tree->root.summary.least;

        rising.most = fmax(rising.most, fabs(grid_metres(view_grid(to), code) -
                                             grid_metres(view_grid(from), code)));
    }
    range[0] = -rising.most;
    range[1] = rising.most;
}

static bool error_range(const struct view *view, const struct picture *picture,
                        struct derived_cache *derived, double range[2], struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    struct collision collision;

    range[0] = range[1] = 0;
    if (!collision_init(&collision, view, mode_mip(view, picture), derived, NULL, why))
        return false;
    for (int i = 0; i < COMPONENTS_MOST * COMPONENTS_MOST; i++) {
        int32_t x = i % COMPONENTS_MOST, y = i / COMPONENTS_MOST;
        struct rect one = { x, y, 1, 1 };
        double metres;

        if (layout->components[0] > COMPONENTS_MOST)
            one.x = (2 * x + 1) * layout->components[0] / (2 * COMPONENTS_MOST);
        if (layout->components[1] > COMPONENTS_MOST)
            one.y = (2 * y + 1) * layout->components[1] / (2 * COMPONENTS_MOST);
        if (one.x >= layout->components[0] || one.y >= layout->components[1])
            continue;
        if (!collision_error(&collision, one, &metres, why))
            return false;
        range[1] = fmax(range[1], metres);
    }
    if (range[1] == 0)
        range[1] = 1;
    return true;
}

static bool range_of(const struct view *view, const struct picture *picture,
                     struct derived_cache *derived, double range[2], struct fault *why)
{
    struct extent extent;

    range[0] = 0;
    range[1] = 1;
    switch (render_modes[picture->mode]->values) {
    case MODE_HEIGHT:
        extent_of(view, &extent);
        range[0] = extent.low[2];
        range[1] = extent.high[2];
        return true;
    case MODE_SLOPE:
        range[1] = steep;
        return true;
    case MODE_ASPECT:
        range[1] = 360;
        return true;
    case MODE_CURVATURE:
        curvature_range(view, picture, range);
        return true;
    case MODE_RISE:
        rise_range(picture->show.before, view, range);
        return true;
    case MODE_ERROR:
        return error_range(view, picture, derived, range, why);
    default:
        return true;
    }
}

bool mode_scale(const struct view *view, const struct picture *picture,
                struct derived_cache *derived, struct mode_scale *scale, struct fault *why)
{
    const struct render_mode *mode = render_modes[picture->mode];
    const struct picture_mode *show = &picture->show;
    double range[2] = { show->range[0], show->range[1] };

    *scale = (struct mode_scale){ 0 };
    if (!mode_check(view, picture, why))
        return false;
    if (mode->values == MODE_NO_VALUES)
        return true;
    if (range[0] == range[1] && !range_of(view, picture, derived, range, why))
        return false;
    scale->ramp = &ramps[show->ramp ? show->ramp - 1 : mode->ramp];
    scale->span = ramp_span_of(scale->ramp, range[0], range[1]);
    return true;
}

/* What goes together */

static bool check_before(const struct view *view, const struct picture *picture, struct fault *why)
{
    const struct view *before = picture->show.before;

    if (!before) {
        fault_set(why, FAULT_INPUT,
                  "The mode %s compares with an earlier version, and none was named",
                  render_modes[picture->mode]->name);
        return fault_at(why, "/against");
    }
    if (view_grid(before)->columns == view_grid(view)->columns &&
        view_grid(before)->rows == view_grid(view)->rows)
        return true;
    fault_set(why, FAULT_INPUT,
              "Version %llu has %d x %d vertices and this one has %d x %d: they cannot be compared",
              (unsigned long long)before->version, view_grid(before)->columns,
              view_grid(before)->rows, view_grid(view)->columns, view_grid(view)->rows);
    return fault_at(why, "/against");
}

bool mode_check(const struct view *view, const struct picture *picture, struct fault *why)
{
    const struct render_mode *mode = render_modes[picture->mode];
    const struct picture_mode *show = &picture->show;
    int paints = view->settings->stack->paint_count;

    if (mode->hears & MODE_HEARS_AGAINST && !check_before(view, picture, why))
        return false;
    if (mode->hears & MODE_HEARS_LAYER && (show->layer < 0 || show->layer >= paints)) {
        fault_set(why, FAULT_INPUT, "The mode %s shows one paint layer, and %s", mode->name,
                  paints ? "none was named" : "this landscape has none");
        return fault_at(why, "/layer");
    }
    if (mode->hears & MODE_HEARS_MIP && mode_mip(view, picture) >= collision_mips(view)) {
        fault_set(why, FAULT_INPUT, "There is no collision mip %d; the last one is %d",
                  mode_mip(view, picture), collision_mips(view) - 1);
        return fault_at(why, "/mip");
    }
    return true;
}
