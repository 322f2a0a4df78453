#include "render/overlay.h"

#include "render/overlay_inside.h"
#include "terrain/query/ray.h"

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

static bool draw_scale_bar(const struct view *view, const struct picture *picture,
                           const struct look *look, const struct canvas *canvas, struct fault *why)
{
    double pixel = 2 * look->half[0] / picture->width, ahead = 1;

    if (!look->ortho && !middle_ahead(view, look, &ahead, why))
        return false;
    if (ahead > 0)
        overlay_scale_bar(canvas, pixel * ahead, look->ortho ? "" : " in the middle");
    return true;
}

bool overlay_draw(const struct view *view, const struct picture *picture, uint8_t *rgba,
                  struct fault *why)
{
    const struct render_mode *mode = render_modes[picture->mode];
    const struct canvas canvas = canvas_of(rgba, picture->width, picture->height);
    struct legend legend = { 0 };
    struct extent extent;
    struct look look;

    if (picture->output != RENDER_OUTPUT_colour ||
        (!picture->overlays.scale_bar && !picture->overlays.legend))
        return true;
    extent_of(view, &extent);
    if (!camera_look(&picture->camera, &extent, picture->width, picture->height, &look, why))
        return false;
    if (picture->overlays.scale_bar && !draw_scale_bar(view, picture, &look, &canvas, why))
        return false;
    if (picture->overlays.legend && mode->legend) {
        mode->legend(view, picture, &legend);
        overlay_legend(&canvas, &legend);
    }
    return true;
}
