#include "render/overlay.h"

#include <stdlib.h>

#include "render/flat.h"
#include "render/flat_colours.h"
#include "render/mode_scale.h"
#include "render/overlay_inside.h"
#include "terrain/query/ray.h"

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
           (!wanted->contour_labels || !flat_is_map(view, picture) ||
            draw_numbers(view, picture, &canvas, taken, 2, why));
}
