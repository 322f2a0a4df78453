/* Which pictures are maps, and which of those are drawn here. */
#include <math.h>
#include <stdio.h>

#include "render/flat.h"
#include "render/mode_scale.h"
#include "render/flat_inside.h"
#include "render/overlay.h"
#include "render/renderer.h"

bool flat_looks_down(const struct look *look)
{
    return look->ortho && look->forward[2] < 0 && look->forward[0] == 0 && look->forward[1] == 0;
}

static bool looks_down(const struct view *view, const struct picture *picture)
{
    struct extent extent;
    struct fault why;
    struct look look;

    if (picture->camera.kind == CAMERA_PANORAMA)
        return false;
    extent_of(view, &extent);
    return camera_look(&picture->camera, &extent, picture->width, picture->height, &look, &why) &&
           flat_looks_down(&look);
}

bool flat_is_map(const struct view *view, const struct picture *picture)
{
    return looks_down(view, picture) && !view_has_offsets(view);
}

const char *renderer_map_modes(char names[MAP_MODES_ROOM])
{
    size_t length = 0;

    names[0] = 0;
    for (int i = 0; i < RENDER_MODES; i++)
        if (render_modes[i]->flat)
            length += (size_t)snprintf(names + length, MAP_MODES_ROOM - length, "%s%s",
                                       length ? ", " : "", render_modes[i]->name);
    return names;
}

static bool check(const struct view *view, const struct picture *picture, struct fault *why)
{
    char modes[MAP_MODES_ROOM];

    if (!render_modes[picture->mode]->flat)
        return fault_set(why, FAULT_INPUT, "the mode %s is drawn by GL; in C: %s",
                         render_modes[picture->mode]->name, renderer_map_modes(modes));
    if (picture->output != RENDER_OUTPUT_colour)
        return fault_set(why, FAULT_INPUT, "the output %s is drawn by GL; in C is colour",
                         render_outputs[picture->output]);
    if (picture->geometry != RENDER_GEOMETRY_auto)
        return fault_set(why, FAULT_INPUT, "the geometry %s is drawn by GL; in C is auto",
                         render_geometries[picture->geometry]);
    if (!looks_down(view, picture))
        return fault_set(why, FAULT_INPUT,
                         "the camera does not look straight down without perspective, as with "
                         "elevation 90");
    if (view_has_offsets(view))
        return fault_set(why, FAULT_INPUT, "this landscape has XY offsets, which GL draws");
    return true;
}

bool flat_check(const struct view *view, const struct picture *picture, struct fault *why)
{
    struct fault reason;

    return check(view, picture, &reason) ||
           fault_set(why, FAULT_INPUT, "This is no map that is drawn in C: %s", reason.detail);
}

bool flat_draws(const struct view *view, const struct picture *picture)
{
    struct fault why;

    return !picture->by_gl && check(view, picture, &why);
}

bool flat_instead(const struct picture *picture, struct fault *why)
{
    const struct render_mode *mode = render_modes[picture->mode];
    struct fault reason = *why;

    return fault_set(why, reason.code,
                     "%.200s; maps can be drawn all the same: the mode %s from right above, as "
                     "with elevation 90",
                     reason.detail, mode->flat ? mode->name : "hillshade");
}

bool picture_settle(const struct view *view, struct picture *picture, bool without_worker,
                    const char **member, struct fault *why)
{
    if (!overlay_check(view, picture, member, why))
        return false;
    if (isnan(picture->overlays.grid))
        picture->overlays.grid = overlay_grid(view, picture);
    *member = "draw_by";
    return !without_worker || flat_check(view, picture, why);
}

bool picture_mode_fits(const struct view *view, const struct picture *picture, struct fault *why)
{
    return mode_check(view, picture, why);
}
