#include "render/plane_chain.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/chain.h"
#include "terrain/core/offset.h"
#include "terrain/lod/extent.h"

/* A tile being made. */
struct filling {
    const struct plane_source *source;
    const struct layout *layout;
    const struct tile_key *key;
    int32_t side, across; /* texels of a cell; cells */
    uint16_t *heights;
    uint16_t (*offsets)[2]; /* one of both */
};

static int32_t cell_side(const struct layout *layout, int32_t level)
{
    return (layout->section_quads + 1) >> level;
}

struct tile_key chain_key(const struct view *view, int plane, int32_t level, int32_t sx, int32_t sy,
                          enum hole_rule rule, float cell[2])
{
    const struct layout *layout = &view->settings->layout;
    int32_t across = CHAIN_SIDE / cell_side(layout, level), reach = across * layout->section_quads;
    struct rect over = { sx / across * reach, sy / across * reach, reach + 1, reach + 1 };
    uint64_t newest, holes;

    over = rect_meet(over, view_rect(view));
    cell[0] = (float)(sx % across);
    cell[1] = (float)(sy % across);
    newest = tree_newest(&view->planes[PLANE_HEIGHTS], over);
    holes = tree_newest(&view->planes[PLANE_HOLES], over);
    newest = plane == RENDER_PLANE_drift ? view_newest_offsets(view, over)
             : holes > newest            ? holes
                                         : newest;
    return (struct tile_key){ .incarnation = view->incarnation,
                              .newest = newest,
                              .detail = (uint64_t)rule | (uint64_t)layout->section_quads << 8 |
                                        (uint64_t)layout->sections << 20,
                              .level = level,
                              .x = sx / across,
                              .y = sy / across,
                              .plane = plane };
}

static void copy_level(const struct filling *filling, const struct chain *chain, int32_t sx,
                       int32_t sy, int32_t mip, int32_t to)
{
    int32_t side = chain_section_side(chain, mip);

    for (int32_t y = 0; y < side; y++, to += CHAIN_SIDE) {
        int32_t from = chain_at(chain, mip, sx, sy, 0, y);

        for (int32_t x = 0; x < side; x++)
            if (filling->heights)
                filling->heights[to + x] = chain->texels[mip][from + x].height;
            else
                memcpy(filling->offsets[to + x], chain->offsets[mip][from + x],
                       sizeof *filling->offsets);
    }
}

/* Base quads that quad i of a coarse grid lies over, if only with a part: from, and how many. */
static int32_t quads_below(int32_t quads, int32_t coarse, int32_t i, int32_t *count)
{
    int32_t from = i * quads / coarse;

    *count = ((i + 1) * quads + coarse - 1) / coarse - from;
    return from;
}

static void cut_holes(const struct filling *filling, int32_t gx, int32_t gy, int32_t left,
                      int32_t top)
{
    const struct view *view = filling->source->view;
    int32_t quads = filling->layout->section_quads, coarse = filling->side - 1;
    bool any = (filling->key->detail & 255) == HOLES_ANY;
    uint16_t *words = filling->heights + CHAIN_SIDE * CHAIN_SIDE * 3 / 2;
    struct rect all = { gx * quads, gy * quads, quads, quads };

    if (!extent_holed(view, all))
        return;
    for (int32_t y = 0; y < coarse; y++)
        for (int32_t x = 0; x < coarse; x++) {
            struct rect below;

            below.x = all.x + quads_below(quads, coarse, x, &below.width);
            below.y = all.y + quads_below(quads, coarse, y, &below.height);
            if (any ? extent_holed(view, below) : extent_hollow(view, below))
                words[(top + y) * (CHAIN_SIDE / 16) + (left + x) / 16] |=
                    (uint16_t)(1u << (left + x) % 16);
        }
}

static void fill_cell(const struct filling *filling, const struct chain *chain, int32_t gx,
                      int32_t gy)
{
    int32_t s = filling->layout->sections, side = filling->side, level = filling->key->level;
    int32_t left = gx % filling->across * side, row = gy % filling->across;

    for (int32_t mip = level; mip < chain->mips; mip++) {
        int32_t x = mip == level ? left : left + side - (side >> (mip - level - 1));
        int32_t y = row * (side * 3 / 2) + (mip == level ? 0 : side);

        copy_level(filling, chain, gx % s, gy % s, mip, y * CHAIN_SIDE + x);
    }
    if (filling->heights)
        cut_holes(filling, gx, gy, left, row * side);
}

static bool fill_section(const struct filling *filling, int32_t gx, int32_t gy, struct fault *why)
{
    int32_t s = filling->layout->sections;
    const struct chain *chain = chain_get(filling->source->view, filling->source->derived, gx / s,
                                          gy / s, CHAIN_OFFSETS, why);

    if (!chain)
        return false;
    if (filling->heights || chain->with_offsets)
        fill_cell(filling, chain, gx, gy);
    chain_drop(chain);
    return true;
}

/* Component by component, so that each chain is made once. */
static bool fill(struct filling *filling, struct fault *why)
{
    const struct layout *layout = filling->layout;
    int32_t s = layout->sections;

    filling->side = cell_side(layout, filling->key->level);
    filling->across = CHAIN_SIDE / filling->side;
    for (int32_t j = 0; j < filling->across; j++)
        for (int32_t i = 0; i < filling->across; i++) {
            int32_t gx = filling->key->x * filling->across + i;
            int32_t gy = filling->key->y * filling->across + j;

            if (gx < layout->components[0] * s && gy < layout->components[1] * s &&
                !fill_section(filling, gx, gy, why))
                return false;
        }
    return true;
}

static bool chain_make(const struct plane_source *source, const struct tile_key *key, void *texels,
                       struct fault *why)
{
    struct filling filling = {
        .source = source, .layout = &source->view->settings->layout, .key = key, .heights = texels
    };

    memset(texels, 0, plane_bytes(key->plane));
    return fill(&filling, why);
}

static bool drift_make(const struct plane_source *source, const struct tile_key *key, void *texels,
                       struct fault *why)
{
    struct filling filling = {
        .source = source, .layout = &source->view->settings->layout, .key = key, .offsets = texels
    };

    for (size_t i = 0; i < plane_bytes(key->plane) / 4; i++)
        filling.offsets[i][0] = filling.offsets[i][1] = OFFSET_REST;
    return fill(&filling, why);
}

const struct plane_maker plane_maker_chain = { .make = chain_make };
const struct plane_maker plane_maker_drift = { .make = drift_make };
