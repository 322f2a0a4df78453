/* The selection of a component renderer: reference, part 5.1. */
#include <math.h>
#include <stdlib.h>

#include "terrain/lod/component_bounds.h"
#include "terrain/lod/curve.h"
#include "terrain/lod/extent.h"
#include "terrain/lod/pick.h"

enum { NORTH, WEST, EAST, SOUTH, PATCHES_MOST = 1 << 22 };

/* The six planes around what is seen: inside, the normal times the place is no less than -away. */
struct planes {
    double normals[6][3], away[6];
};

static void plane_set(struct planes *planes, int i, const struct look *look,
                      const double direction[3], double away)
{
    planes->away[i] = away;
    for (int axis = 0; axis < 3; axis++) {
        planes->normals[i][axis] = direction[axis];
        planes->away[i] -= direction[axis] * look->eye[axis];
    }
}

static void planes_of(const struct frustum *frustum, struct planes *planes)
{
    const struct look *look = &frustum->look;
    const double *sides[2] = { look->right, look->up };
    double ahead[3], back[3];

    for (int k = 0; k < 4; k++) {
        double sign = k & 1 ? -1 : 1, half = look->half[k / 2], direction[3];

        for (int axis = 0; axis < 3; axis++)
            direction[axis] =
                sign * sides[k / 2][axis] + (look->ortho ? 0 : half * look->forward[axis]);
        plane_set(planes, k, look, direction, look->ortho ? half : 0);
    }
    for (int axis = 0; axis < 3; axis++) {
        ahead[axis] = look->forward[axis];
        back[axis] = -look->forward[axis];
    }
    plane_set(planes, 4, look, ahead, -frustum->nearest);
    plane_set(planes, 5, look, back, frustum->farthest);
}

/* frustum_sees, by the corner that lies furthest inside of each plane. */
static bool planes_see(const struct planes *planes, const double middle[3], const double half[3])
{
    bool seen = true;

    for (int i = 0; i < 6; i++) {
        const double *normal = planes->normals[i];
        double inside = planes->away[i];

        for (int axis = 0; axis < 3; axis++)
            inside += normal[axis] * middle[axis] + fabs(normal[axis]) * half[axis];
        seen &= inside >= 0;
    }
    return seen;
}

/* A selection being made. */
struct picking {
    const struct view *view;
    const struct layout *layout;
    const struct frustum *frustum;
    const struct pick_options *options;
    const struct component_bounds *bounds, *sections; /* sections: NULL unless asked for */
    struct curve curve;
    struct planes planes;
    struct picks *picks;
};

/* The box of so many quads from a vertex on, local metres. */
static void box_of(const struct view *view, int32_t x, int32_t y, int32_t quads,
                   const struct component_bound *bound, double low[3], double high[3])
{
    const struct grid *grid = view_grid(view);

    low[0] = grid->origin[0] + x * grid->scale[0];
    low[1] = grid->origin[1] + y * grid->scale[1];
    low[2] = grid_metres(grid, bound->least);
    high[0] = grid->origin[0] + (x + quads) * grid->scale[0];
    high[1] = grid->origin[1] + (y + quads) * grid->scale[1];
    high[2] = grid_metres(grid, bound->greatest);
    extent_widen(view, (struct rect){ x, y, quads + 1, quads + 1 }, low, high);
}

static double lod_of(const struct picking *picking, const double low[3], const double high[3])
{
    return curve_lod(&picking->curve, curve_radius(&picking->frustum->look, low, high));
}

static void pick_sections(const struct picking *picking, int32_t cx, int32_t cy,
                          struct patch *patch)
{
    const struct component_bounds *bounds = picking->sections;
    int32_t sections = picking->layout->sections;

    for (int32_t s = 0; s < sections * sections; s++) {
        int32_t x = cx * sections + s % sections, y = cy * sections + s / sections;
        double low[3], high[3];

        box_of(picking->view, x * bounds->quads, y * bounds->quads, bounds->quads,
               &bounds->bounds[y * bounds->across + x], low, high);
        patch->section_lods[s] = lod_of(picking, low, high);
        patch->sections[s] = (int32_t)patch->section_lods[s];
    }
}

/* All of a component but what its neighbours say; whether it is seen. */
static bool pick_one(const struct picking *picking, int32_t cx, int32_t cy, struct patch *patch)
{
    const struct component_bounds *bounds = picking->bounds;
    const struct component_bound *bound = &bounds->bounds[cy * bounds->across + cx];
    double low[3], high[3], middle[3], half[3];

    *patch = (struct patch){ .x = cx * bounds->quads,
                             .y = cy * bounds->quads,
                             .size = bounds->quads,
                             .least = bound->least,
                             .greatest = bound->greatest };
    box_of(picking->view, patch->x, patch->y, patch->size, bound, low, high);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (low[axis] + high[axis]) / 2;
        half[axis] = (high[axis] - low[axis]) / 2;
    }
    patch->distance = look_distance(&picking->frustum->look, low, high);
    patch->lod = lod_of(picking, low, high);
    patch->draw = (int32_t)patch->lod;
    patch->sections[0] = patch->draw;
    if (picking->sections)
        pick_sections(picking, cx, cy, patch);
    return !bound->hollow &&
           (picking->options->everything || planes_see(&picking->planes, middle, half));
}

/* One draw for sections that agree, else one for each. */
static void count_draws(const struct picking *picking, struct patch *patch)
{
    const struct layout *layout = picking->layout;
    int32_t count = layout->sections * layout->sections;
    bool agree = true;

    if (!picking->sections) {
        patch->draws = 1;
        patch->triangles = layout_lod_triangles(layout, patch->draw);
        return;
    }
    for (int32_t s = 0; s < count; s++) {
        int32_t quads = layout_lod_quads(layout->section_quads, patch->sections[s]);

        agree = agree && patch->sections[s] == patch->sections[0];
        patch->triangles += 2 * quads * quads;
    }
    patch->draws = agree ? 1 : count;
}

static double raised(const struct patch *patch, const struct patch *neighbour)
{
    return neighbour->lod > patch->lod ? neighbour->lod : patch->lod;
}

static void look_around(const struct picking *picking, int32_t cx, int32_t cy, struct patch *patch)
{
    int32_t across = picking->layout->components[0], down = picking->layout->components[1];

    patch->neighbours[NORTH] = cy > 0 ? raised(patch, patch - across) : NAN;
    patch->neighbours[WEST] = cx > 0 ? raised(patch, patch - 1) : NAN;
    patch->neighbours[EAST] = cx < across - 1 ? raised(patch, patch + 1) : NAN;
    patch->neighbours[SOUTH] = cy < down - 1 ? raised(patch, patch + across) : NAN;
}

static void pick_all(struct picking *picking)
{
    int32_t across = picking->layout->components[0], down = picking->layout->components[1];
    struct picks *picks = picking->picks;
    struct patch *patch = picks->patches;

    for (int32_t cy = 0; cy < down; cy++)
        for (int32_t cx = 0; cx < across; cx++, patch++)
            patch->visible = pick_one(picking, cx, cy, patch);
    patch = picks->patches;
    for (int32_t cy = 0; cy < down; cy++) {
        for (int32_t cx = 0; cx < across; cx++, patch++) {
            look_around(picking, cx, cy, patch);
            if (!patch->visible)
                continue;
            count_draws(picking, patch);
            picks->visible++;
            picks->draws += patch->draws;
            picks->triangles += patch->triangles;
        }
    }
    picks->culled = (int64_t)picks->count - picks->visible;
}

static bool pick_begin(struct picking *picking, struct derived_cache *cache, struct fault *why)
{
    const struct layout *layout = picking->layout;
    int64_t count = (int64_t)layout->components[0] * layout->components[1];

    if (count > PATCHES_MOST)
        return fault_set(why, FAULT_LIMIT, "a selection has at most %d components, not %lld",
                         PATCHES_MOST, (long long)count);
    picking->bounds = component_bounds_get(picking->view, cache, false, why);
    if (!picking->bounds)
        return false;
    if (picking->options->component.per_section) {
        picking->sections = component_bounds_get(picking->view, cache, true, why);
        if (!picking->sections)
            return false;
    }
    picking->picks->patches = malloc((size_t)count * sizeof *picking->picks->patches);
    if (!picking->picks->patches)
        return fault_set(why, FAULT_MEMORY, "no memory for %lld components", (long long)count);
    picking->picks->count = (size_t)count;
    return true;
}

bool pick_components(const struct view *view, struct derived_cache *cache,
                     const struct frustum *frustum, const struct pick_options *options,
                     struct picks *picks, struct fault *why)
{
    struct picking picking = { .view = view,
                               .layout = &view->settings->layout,
                               .frustum = frustum,
                               .options = options,
                               .picks = picks };
    bool begun;

    *picks = (struct picks){ 0 };
    curve_of(&picking.curve, view->settings, &options->component);
    planes_of(frustum, &picking.planes);
    begun = pick_begin(&picking, cache, why);
    if (begun)
        pick_all(&picking);
    component_bounds_drop(picking.bounds);
    component_bounds_drop(picking.sections);
    return begun;
}
