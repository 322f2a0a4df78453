#include "render/overlay.h"

#include <stdlib.h>

#include "render/flat.h"
#include "render/flat_colours.h"
#include "render/mode_scale.h"
#include "render/overlay_inside.h"
#include "terrain/query/ray.h"

const char *const picture_overlay_names[] = {
#define OVERLAY(name, where, summary) #name,
#include "render/overlays.def"
#undef OVERLAY
    NULL
};

enum { TAKEN_MOST = 512 /* places that overlays take */ };

/* How far ahead the ground lies in the middle of the picture; 0 where there is none. */
static bool middle_ahead(const struct view *view, const struct look *look, double *ahead,
                         struct fault *why)
{
    const struct grid *grid = view_grid(view);
    struct ray ray = { .reach = INFINITY };
    const struct ray_ways ways = { .ignore_holes = true };
    struct ray_hit hit;

    grid_from_local(grid, look->eye, ray.from);
    ray.from[2] = look->eye[2];
    for (int k = 0; k < 3; k++)
        ray.along[k] = k < 2 ? look->forward[k] / grid->scale[k] : look->forward[k];
    if (!ray_cast(view, NULL, &ray, 1, &ways, &hit, NULL, why))
        return false;
    *ahead = hit.status == RAY_HIT ? hit.t : 0;
    return true;
}

/* None where there is no ground in the middle, and none of a panorama, which has no one scale. */
static bool draw_scale_bar(const struct view *view, const struct picture *picture,
                           const struct canvas *canvas, struct rect *taken, struct fault *why)
{
    double pixel, ahead = 1;
    struct extent extent;
    struct look look;

    if (picture->camera.kind == CAMERA_PANORAMA)
        return true;
    extent_of(view, &extent);
    if (!camera_look(&picture->camera, &extent, picture->width, picture->height, &look, why) ||
        (!look.ortho && !middle_ahead(view, &look, &ahead, why)))
        return false;
    pixel = 2 * look.half[0] / picture->width;
    if (ahead > 0)
        *taken = overlay_scale_bar(canvas, pixel * ahead, look.ortho ? "" : " in the middle");
    return true;
}

static bool draw_legend(const struct view *view, const struct picture *picture,
                        const struct canvas *canvas, struct rect *taken, struct fault *why)
{
    struct legend legend;

    if (!legend_of(view, picture, &legend, why))
        return false;
    *taken = overlay_legend(canvas, &legend);
    return true;
}

/* Thick lines have numbers; all where there are no thick ones. */
static bool draw_numbers(const struct view *view, const struct picture *picture,
                         const struct canvas *canvas, struct rect *taken, int count,
                         struct fault *why)
{
    const double interval = mode_interval(view, picture);
    float *z = malloc(sizeof *z * (size_t)picture->width * (size_t)picture->height);
    bool drawn = z ? flat_heights(view, picture, z, why)
                   : fault_set(why, FAULT_MEMORY, "no memory for numbers on contour lines");

    if (drawn && overlay_contours(canvas, z, interval * (double)contour_pen.strong_every, taken,
                                  count, TAKEN_MOST) == 0)
        overlay_contours(canvas, z, interval, taken, count, TAKEN_MOST);
    free(z);
    return drawn;
}

/* Which way north lies in the picture, as the ground would be seen from above with the camera's
 * heading up: to the right and up. */
static bool draw_north(const struct view *view, const struct picture *picture,
                       const struct canvas *canvas, struct rect *taken, struct fault *why)
{
    struct extent extent;
    struct look look;

    if (picture->camera.kind == CAMERA_PANORAMA)
        return true;
    extent_of(view, &extent);
    if (!camera_look(&picture->camera, &extent, picture->width, picture->height, &look, why))
        return false;
    /* North is against y. What lies ahead of a level camera, and above in one that looks down. */
    *taken = overlay_north(canvas, -look.right[1], -look.forward[1] - look.up[1]);
    return true;
}

enum { GROUND, PICTURE, AHEAD, MAP };

static const struct {
    const char *name;
    int where;
} rows[PICTURE_OVERLAYS] = {
#define OVERLAY(name, where, summary) { #name, where },
#include "render/overlays.def"
#undef OVERLAY
};

static bool is_wanted(const struct picture_overlays *wanted, int overlay)
{
    const bool is[PICTURE_OVERLAYS] = {
#define OVERLAY(name, where, summary) wanted->name > 0,
#include "render/overlays.def"
#undef OVERLAY
    };

    return is[overlay];
}

bool overlay_check(const struct view *view, const struct picture *picture, const char **which,
                   struct fault *why)
{
    const bool panorama = picture->camera.kind == CAMERA_PANORAMA;

    for (int i = 0; i < PICTURE_OVERLAYS; i++) {
        if (!is_wanted(&picture->overlays, i))
            continue;
        *which = rows[i].name;
        if (rows[i].where == MAP && !flat_is_map(view, picture))
            return fault_set(why, FAULT_INPUT,
                             "%s needs a map: a camera that looks straight down without "
                             "perspective, as with elevation 90, on ground without XY offsets",
                             rows[i].name);
        if (rows[i].where == AHEAD && panorama)
            return fault_set(why, FAULT_INPUT,
                             "A panorama looks all around, and has no %s; grid, borders and legend "
                             "it has",
                             rows[i].name);
    }
    return true;
}

double overlay_grid(const struct view *view, const struct picture *picture)
{
    enum { LINES = 6 };
    const int32_t longer = picture->width > picture->height ? picture->width : picture->height;

    return overlay_round(mode_pixel(view, picture) * longer / LINES);
}

bool overlay_draw(const struct view *view, const struct picture *picture, uint8_t *rgba,
                  struct fault *why)
{
    const struct picture_overlays *wanted = &picture->overlays;
    const struct canvas canvas = canvas_of(rgba, picture->width, picture->height);
    struct rect taken[TAKEN_MOST] = { 0 };

    if (picture->output != RENDER_OUTPUT_colour)
        return true;
    return (!wanted->scale_bar || draw_scale_bar(view, picture, &canvas, &taken[0], why)) &&
           (!wanted->legend || draw_legend(view, picture, &canvas, &taken[1], why)) &&
           (!wanted->north_arrow || draw_north(view, picture, &canvas, &taken[2], why)) &&
           (!wanted->contour_labels || !flat_is_map(view, picture) ||
            draw_numbers(view, picture, &canvas, taken, 3, why));
}
