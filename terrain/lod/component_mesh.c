#include "terrain/lod/component_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/chain.h"
#include "terrain/lod/morph.h"

/* A section that is drawn: what it reads, where it lies, and the levels around it. */
struct drawn {
    const struct view *view;
    struct derived_cache *cache;
    const struct chain *chain;
    enum hole_rule holes;
    int32_t x, y; /* the landscape's vertex that it begins at */
    int32_t sx, sy, draw;
    struct morph_levels levels;
    int32_t across, down, steps; /* where it begins on the grid of what shares these levels */
};

/* Places of the drawn grid, and the mesh's number of each that has been used. */
struct places {
    struct morphed *morphed;
    uint32_t *numbers; /* UINT32_MAX: not yet */
    int32_t side;
};

/* Holes */

/* Base quads [*first, *end) that quad i of a coarse grid lies over, if only with a part. */
static void quads_below(int32_t quads, int32_t coarse, int32_t i, int32_t *first, int32_t *end)
{
    *first = i * quads / coarse;
    *end = ((i + 1) * quads + coarse - 1) / coarse;
}

static bool hole_below(const uint8_t *holes, int32_t quads, int32_t coarse, int32_t x, int32_t y,
                       enum hole_rule rule)
{
    int32_t left, right, top, bottom;

    quads_below(quads, coarse, x, &left, &right);
    quads_below(quads, coarse, y, &top, &bottom);
    for (int32_t j = top; j < bottom; j++)
        for (int32_t i = left; i < right; i++)
            if ((holes[j * quads + i] != 0) != (rule == HOLES_ALL))
                return rule == HOLES_ANY;
    return rule == HOLES_ALL;
}

/* A byte for each drawn quad; *cut is NULL where there is no hole. */
static bool cut_holes(const struct drawn *drawn, uint8_t **cut, struct fault *why)
{
    int32_t quads = drawn->chain->section_quads, coarse = layout_lod_quads(quads, drawn->draw);
    struct rect over = { drawn->x, drawn->y, quads, quads };
    uint8_t *holes;

    *cut = NULL;
    if (tree_bounds(&drawn->view->planes[PLANE_HOLES], over).greatest == 0)
        return true;
    holes = malloc((size_t)quads * (size_t)quads);
    *cut = malloc((size_t)coarse * (size_t)coarse);
    if (!holes || !*cut) {
        free(holes);
        free(*cut);
        return fault_set(why, FAULT_MEMORY, "no memory for a section's holes");
    }
    view_read_holes(drawn->view, over, holes, quads);
    for (int32_t i = 0; i < coarse * coarse; i++)
        (*cut)[i] = hole_below(holes, quads, coarse, i % coarse, i / coarse, drawn->holes);
    free(holes);
    return true;
}

/* Vertices */

static void place_all(const struct drawn *drawn, struct places *places)
{
    struct morph_from from = {
        .draw = drawn->draw, .sx = drawn->sx, .sy = drawn->sy, .origin = { drawn->x, drawn->y }
    };
    struct morphed *to = places->morphed;

    for (from.y = 0; from.y < places->side; from.y++) {
        for (from.x = 0; from.x < places->side; from.x++, to++) {
            double lod = morph_lod(&drawn->levels, drawn->across + from.x, drawn->down + from.y,
                                   drawn->steps);

            morph_vertex(drawn->chain, MORPH_POINT, &from, lod, to);
        }
    }
    memset(places->numbers, 0xff, (size_t)places->side * (size_t)places->side * 4);
}

static bool same_place(const struct morphed *a, const struct morphed *b)
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->code == b->code;
}

static uint32_t number_of(struct places *places, int32_t at, struct mesh *mesh)
{
    const struct morphed *from = &places->morphed[at];
    double length;
    uint32_t number = places->numbers[at];

    if (number != UINT32_MAX)
        return number;
    number = mesh_vertex(mesh, from->at[0], from->at[1], from->code);
    places->numbers[at] = number;
    if (!mesh->with_normals)
        return number;
    /* Steep ones were rounded to more than a unit. */
    length = sqrt(from->normal[0] * from->normal[0] + from->normal[1] * from->normal[1] +
                  from->normal[2] * from->normal[2]);
    for (int i = 0; i < 3; i++)
        mesh->normals[number][i] = (float)(from->normal[i] / length);
    return number;
}

/* A triangle that morphing has folded into a line or a point is none. */
static void add_triangle(struct places *places, int32_t a, int32_t b, int32_t c, struct mesh *mesh)
{
    const struct morphed *at = places->morphed;

    if (same_place(&at[a], &at[b]) || same_place(&at[b], &at[c]) || same_place(&at[c], &at[a]))
        return;
    mesh_triangle(mesh, number_of(places, a, mesh), number_of(places, b, mesh),
                  number_of(places, c, mesh));
}

/* In the order of the index buffer. */
static void add_triangles(struct places *places, const uint8_t *cut, struct mesh *mesh)
{
    int32_t quads = places->side - 1;

    for (int32_t i = 0; i < quads * quads; i++) {
        int32_t north_west = i / quads * places->side + i % quads;
        int32_t south_west = north_west + places->side;

        if (cut && cut[i])
            continue;
        add_triangle(places, north_west, south_west + 1, north_west + 1, mesh);
        add_triangle(places, north_west, south_west, south_west + 1, mesh);
    }
}

static bool draw_section(const struct drawn *drawn, struct mesh *mesh, struct fault *why)
{
    int32_t quads = layout_lod_quads(drawn->chain->section_quads, drawn->draw);
    size_t count = (size_t)(quads + 1) * (size_t)(quads + 1);
    struct places places = { .side = quads + 1 };
    uint8_t *cut;
    bool done = cut_holes(drawn, &cut, why);

    if (!done)
        return false;
    places.morphed = malloc(count * (sizeof *places.morphed + sizeof *places.numbers));
    if (!places.morphed)
        done = fault_set(why, FAULT_MEMORY, "no memory for a section's vertices");
    done = done && mesh_reserve(mesh, count, (size_t)quads * (size_t)quads * 6, why);
    if (done) {
        places.numbers = (uint32_t *)(places.morphed + count);
        place_all(drawn, &places);
        add_triangles(&places, cut, mesh);
    }
    free(places.morphed);
    free(cut);
    return done;
}

/* Components */

static const struct chain *chain_for(const struct drawn *drawn, int32_t cx, int32_t cy,
                                     const struct mesh *mesh, struct fault *why)
{
    return chain_get(drawn->view, drawn->cache, cx, cy,
                     CHAIN_OFFSETS | (mesh->with_normals ? CHAIN_NORMALS : 0), why);
}

/* All sections of a component at the component's levels. */
static bool draw_whole(struct drawn *drawn, int32_t cx, int32_t cy, struct mesh *mesh,
                       struct fault *why)
{
    const struct layout *layout = &drawn->view->settings->layout;
    int32_t quads = layout_lod_quads(layout->section_quads, drawn->draw);
    const struct chain *chain = chain_for(drawn, cx, cy, mesh, why);
    bool done = chain != NULL;

    drawn->chain = chain;
    drawn->steps = layout->sections * quads;
    for (int32_t s = 0; done && s < layout->sections * layout->sections; s++) {
        drawn->sx = s % layout->sections;
        drawn->sy = s / layout->sections;
        drawn->x = (cx * layout->sections + drawn->sx) * layout->section_quads;
        drawn->y = (cy * layout->sections + drawn->sy) * layout->section_quads;
        drawn->across = drawn->sx * quads;
        drawn->down = drawn->sy * quads;
        done = draw_section(drawn, mesh, why);
    }
    chain_drop(chain);
    return done;
}

bool component_mesh(const struct view *view, int32_t cx, int32_t cy, int32_t lod,
                    enum hole_rule holes, struct mesh *mesh, struct fault *why)
{
    const double alone[4] = { NAN, NAN, NAN, NAN };
    struct drawn drawn = { .view = view, .holes = holes, .draw = lod };

    morph_around(&drawn.levels, lod, alone, layout_lods(view->settings->layout.section_quads) - 1);
    return draw_whole(&drawn, cx, cy, mesh, why);
}

/* Selections */

/* The level of a section, counted over the landscape; NaN beyond it. */
static double section_lod(const struct picks *picks, const struct layout *layout, int32_t x,
                          int32_t y)
{
    int32_t sections = layout->sections, across = layout->components[0];

    if (x < 0 || y < 0 || x >= across * sections || y >= layout->components[1] * sections)
        return NAN;
    return picks->patches[(size_t)(y / sections) * (size_t)across + (size_t)(x / sections)]
        .section_lods[y % sections * sections + x % sections];
}

/* Each section at its own levels: what a component is to its neighbours, it is to its. */
static bool draw_apart(struct drawn *drawn, const struct picks *picks, int32_t cx, int32_t cy,
                       struct mesh *mesh, struct fault *why)
{
    const struct layout *layout = &drawn->view->settings->layout;
    int32_t last = layout_lods(layout->section_quads) - 1;
    struct morph_levels levels[4];
    const struct chain *chain;
    bool done;

    for (int32_t s = 0; s < layout->sections * layout->sections; s++) {
        int32_t x = cx * layout->sections + s % layout->sections;
        int32_t y = cy * layout->sections + s / layout->sections;
        double around[4] = { section_lod(picks, layout, x, y - 1),
                             section_lod(picks, layout, x - 1, y),
                             section_lod(picks, layout, x + 1, y),
                             section_lod(picks, layout, x, y + 1) };

        morph_around(&levels[s], section_lod(picks, layout, x, y), around, last);
    }
    chain = chain_for(drawn, cx, cy, mesh, why);
    done = chain != NULL;
    drawn->chain = chain;
    for (int32_t s = 0; done && s < layout->sections * layout->sections; s++) {
        drawn->sx = s % layout->sections;
        drawn->sy = s / layout->sections;
        drawn->x = (cx * layout->sections + drawn->sx) * layout->section_quads;
        drawn->y = (cy * layout->sections + drawn->sy) * layout->section_quads;
        drawn->levels = levels[s];
        drawn->draw = (int32_t)floor(levels[s].own);
        drawn->steps = layout_lod_quads(layout->section_quads, drawn->draw);
        done = draw_section(drawn, mesh, why);
    }
    chain_drop(chain);
    return done;
}

bool component_picks_mesh(const struct view *view, struct derived_cache *cache,
                          const struct pick_options *options, const struct picks *picks,
                          struct mesh *mesh, struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    int32_t last = layout_lods(layout->section_quads) - 1;

    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        int32_t cx = (int32_t)(i % (size_t)layout->components[0]);
        int32_t cy = (int32_t)(i / (size_t)layout->components[0]);
        struct drawn drawn = { .view = view,
                               .cache = cache,
                               .holes = (enum hole_rule)options->hole_rule,
                               .draw = patch->draw };

        if (!patch->visible)
            continue;
        morph_around(&drawn.levels, patch->lod, patch->neighbours, last);
        if (!(options->component.per_section ? draw_apart(&drawn, picks, cx, cy, mesh, why)
                                             : draw_whole(&drawn, cx, cy, mesh, why)))
            return false;
    }
    return true;
}
