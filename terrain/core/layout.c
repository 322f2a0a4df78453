#include "terrain/core/layout.h"

#include <stddef.h>
#include <stdlib.h>

const int32_t layout_section_quads[] = { 7, 15, 31, 63, 127, 255, 0 };

static bool section_known(int32_t quads)
{
    for (int i = 0; layout_section_quads[i]; i++) {
        if (layout_section_quads[i] == quads)
            return true;
    }
    return false;
}

bool layout_check(const struct layout *layout, struct fault *why)
{
    int32_t most;

    if (!section_known(layout->section_quads)) {
        fault_set(why, FAULT_INPUT, "a section has 7, 15, 31, 63, 127 or 255 quads a side, not %d",
                  layout->section_quads);
        return fault_at(why, "/section_quads");
    }
    if (layout->sections != 1 && layout->sections != 2) {
        fault_set(why, FAULT_INPUT, "a component has 1 or 2 sections a side, not %d",
                  layout->sections);
        return fault_at(why, "/sections_per_component");
    }
    most = (LAYOUT_SIDE_MOST - 1) / layout_component_quads(layout);
    for (int i = 0; i < 2; i++) {
        if (layout->components[i] < 1 || layout->components[i] > most) {
            fault_set(why, FAULT_INPUT, "a side has 1 to %d components of %d quads, not %d", most,
                      layout_component_quads(layout), layout->components[i]);
            return fault_at(why, "/components/%d", i);
        }
    }
    return true;
}

int32_t layout_component_quads(const struct layout *layout)
{
    return layout->sections * layout->section_quads;
}

int32_t layout_columns(const struct layout *layout)
{
    return layout->components[0] * layout_component_quads(layout) + 1;
}

int32_t layout_rows(const struct layout *layout)
{
    return layout->components[1] * layout_component_quads(layout) + 1;
}

/* Levels of detail */

int32_t layout_lods(int32_t section_quads)
{
    int32_t lods = 0;

    while ((section_quads + 1) >> lods > 1)
        lods++;
    return lods;
}

int32_t layout_lod_quads(int32_t section_quads, int32_t lod)
{
    return ((section_quads + 1) >> lod) - 1;
}

double layout_lod_ratio(int32_t section_quads, int32_t lod)
{
    return (double)section_quads / layout_lod_quads(section_quads, lod);
}

int32_t layout_lod_triangles(const struct layout *layout, int32_t lod)
{
    int32_t side = layout_lod_quads(layout->section_quads, lod) * layout->sections;

    return 2 * side * side;
}

int32_t layout_lod_indices(const struct layout *layout, int32_t lod)
{
    return 3 * layout_lod_triangles(layout, lod);
}

int32_t layout_lod_base(int32_t section_quads, int32_t lod, int32_t i)
{
    int32_t quads = layout_lod_quads(section_quads, lod);

    return (2 * i * section_quads + quads) / (2 * quads);
}

int32_t layout_lod_floor(int32_t section_quads, int32_t lod, int32_t i)
{
    return i * section_quads / layout_lod_quads(section_quads, lod);
}

/* Buffers */

int32_t layout_vertices(const struct layout *layout)
{
    int32_t side = (layout->section_quads + 1) * layout->sections;

    return side * side;
}

int32_t layout_index_bits(const struct layout *layout)
{
    return layout_vertices(layout) > 65535 ? 32 : 16;
}

int32_t layout_vertex_index(const struct layout *layout, int32_t sx, int32_t sy, int32_t x,
                            int32_t y)
{
    int32_t side = layout->section_quads + 1;

    return ((sy * layout->sections + sx) * side + y) * side + x;
}

uint32_t layout_buffer_key(const struct layout *layout, bool pc, bool xy_offset)
{
    return (uint32_t)layout_lods(layout->section_quads) | (uint32_t)layout->sections << 4 |
           (uint32_t)pc << 30 | (uint32_t)xy_offset << 31;
}

/* Corner (x, y) of the LOD grid as a number of the vertex buffer. */
static uint32_t corner(const struct layout *layout, int32_t lod, bool pc, int32_t section,
                       int32_t x, int32_t y)
{
    if (!pc) {
        x = layout_lod_base(layout->section_quads, lod, x);
        y = layout_lod_base(layout->section_quads, lod, y);
    }
    return (uint32_t)layout_vertex_index(layout, section % layout->sections,
                                         section / layout->sections, x, y);
}

void layout_index_buffer(const struct layout *layout, int32_t lod, bool pc, uint32_t *indices)
{
    int32_t quads = layout_lod_quads(layout->section_quads, lod);

    for (int32_t section = 0; section < layout->sections * layout->sections; section++) {
        for (int32_t i = 0; i < quads * quads; i++) {
            int32_t x = i % quads, y = i / quads;
            uint32_t north_west = corner(layout, lod, pc, section, x, y);
            uint32_t north_east = corner(layout, lod, pc, section, x + 1, y);
            uint32_t south_west = corner(layout, lod, pc, section, x, y + 1);
            uint32_t south_east = corner(layout, lod, pc, section, x + 1, y + 1);

            *indices++ = north_west;
            *indices++ = south_east;
            *indices++ = north_east;
            *indices++ = north_west;
            *indices++ = south_west;
            *indices++ = south_east;
        }
    }
}

bool layout_first_use(const struct layout *layout, uint32_t *order, struct fault *why)
{
    static const int32_t corners[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
    bool *met = calloc((size_t)layout_vertices(layout), sizeof *met);

    if (!met)
        return fault_set(why, FAULT_MEMORY, "no memory for the order of %d vertices",
                         layout_vertices(layout));
    for (int32_t lod = layout_lods(layout->section_quads) - 1; lod >= 0; lod--) {
        int32_t quads = layout_lod_quads(layout->section_quads, lod);
        int32_t all = layout->sections * layout->sections * quads * quads * 4;

        for (int32_t i = 0; i < all; i++) {
            const int32_t *at = corners[i % 4];
            int32_t quad = i / 4 % (quads * quads);
            uint32_t vertex = corner(layout, lod, false, i / (4 * quads * quads),
                                     quad % quads + at[0], quad / quads + at[1]);

            if (!met[vertex])
                *order++ = vertex;
            met[vertex] = true;
        }
    }
    free(met);
    return true;
}

/* The sections of one axis that store a coordinate: one, or two on their common border. */
struct axis_place {
    int32_t component, section, local, texel;
};

static int32_t axis_places(const struct layout *layout, int axis, int32_t at,
                           struct axis_place places[2])
{
    int32_t quads = layout->section_quads, last = layout->components[axis] * layout->sections;
    int32_t count = 0;

    for (int32_t section = at / quads - (at % quads == 0); section <= at / quads; section++) {
        int32_t inside = section % layout->sections, local = at - section * quads;

        if (section >= 0 && section < last)
            places[count++] = (struct axis_place){ section / layout->sections, inside, local,
                                                   inside * (quads + 1) + local };
    }
    return count;
}

int32_t layout_places(const struct layout *layout, int32_t x, int32_t y,
                      struct layout_place places[16])
{
    struct axis_place across[2], down[2];
    int32_t columns = axis_places(layout, 0, x, across), rows = axis_places(layout, 1, y, down);

    for (int32_t i = 0; i < columns * rows; i++) {
        const struct axis_place *a = &across[i % columns], *d = &down[i / columns];

        places[i] = (struct layout_place){ { a->component, d->component },
                                           { a->section, d->section },
                                           { a->local, d->local },
                                           { a->texel, d->texel } };
    }
    return columns * rows;
}

/* Layouts for rasters */

/* In order of preference; the first `padding` of them are offered to sizes that need a pad. */
static const struct {
    int32_t quads, sections;
} offers[] = { { 63, 2 }, { 63, 1 }, { 31, 2 },  { 31, 1 },  { 15, 2 },  { 15, 1 },
               { 7, 2 },  { 7, 1 },  { 127, 2 }, { 127, 1 }, { 255, 2 }, { 255, 1 } };
enum { OFFERS = sizeof offers / sizeof *offers, OFFERS_PADDING = 8 };

static bool offered(int offer, int32_t section_quads, int32_t sections)
{
    return (section_quads == 0 || section_quads == offers[offer].quads) &&
           (sections == 0 || sections == offers[offer].sections);
}

static int32_t components_for(int32_t vertices, int32_t component_quads)
{
    int32_t components = (vertices - 1 + component_quads - 1) / component_quads;

    return components > 1 ? components : 1;
}

static struct layout layout_around(int offer, int32_t width, int32_t height)
{
    int32_t side = offers[offer].quads * offers[offer].sections;

    return (struct layout){ { components_for(width, side), components_for(height, side) },
                            offers[offer].sections,
                            offers[offer].quads };
}

static int64_t layout_area(const struct layout *layout)
{
    return (int64_t)layout_columns(layout) * layout_rows(layout);
}

bool layout_for(int32_t width, int32_t height, int32_t section_quads, int32_t sections,
                struct layout *layout, struct fault *why)
{
    int64_t samples = (int64_t)width * height, least = INT64_MAX;
    int last = section_quads ? OFFERS : OFFERS_PADDING;

    if (width < 1 || height < 1 || width > LAYOUT_SIDE_MOST || height > LAYOUT_SIDE_MOST)
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "a landscape has 8 to %d vertices a side, %d x %d samples do not fit",
                         LAYOUT_SIDE_MOST, width, height);
    for (int offer = 0; offer < last; offer++) {
        struct layout around = layout_around(offer, width, height);
        int64_t pad = layout_area(&around) - samples;

        if (!offered(offer, section_quads, sections) ||
            layout_columns(&around) > LAYOUT_SIDE_MOST || layout_rows(&around) > LAYOUT_SIDE_MOST ||
            pad >= least)
            continue;
        *layout = around;
        least = pad;
        if (4 * pad <= layout_area(&around))
            return true;
    }
    if (least == INT64_MAX)
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "no layout of %d quads a section holds %d x %d samples", section_quads,
                         width, height);
    return true;
}

bool layout_exact(int32_t width, int32_t height, int32_t section_quads, int32_t sections,
                  struct layout *layout)
{
    if (width < 1 || height < 1 || width > LAYOUT_SIDE_MOST || height > LAYOUT_SIDE_MOST)
        return false;
    for (int offer = 0; offer < OFFERS; offer++) {
        struct layout around = layout_around(offer, width, height);

        if (offered(offer, section_quads, sections) && layout_columns(&around) == width &&
            layout_rows(&around) == height) {
            *layout = around;
            return true;
        }
    }
    return false;
}

/* What follows from a change */

struct rect layout_dirty_components(const struct layout *layout, struct rect vertices)
{
    int32_t quads = layout_component_quads(layout);
    int32_t left = vertices.x > 0 ? (vertices.x - 1) / quads : 0;
    int32_t top = vertices.y > 0 ? (vertices.y - 1) / quads : 0;
    int32_t right = (vertices.x + vertices.width - 1) / quads;
    int32_t bottom = (vertices.y + vertices.height - 1) / quads;

    right = right < layout->components[0] ? right : layout->components[0] - 1;
    bottom = bottom < layout->components[1] ? bottom : layout->components[1] - 1;
    return (struct rect){ left, top, right - left + 1, bottom - top + 1 };
}

struct rect layout_dirty_normals(const struct layout *layout, struct rect vertices)
{
    struct rect all = { 0, 0, layout_columns(layout), layout_rows(layout) };
    struct rect grown = { vertices.x - 1, vertices.y - 1, vertices.width + 2, vertices.height + 2 };

    return rect_meet(grown, all);
}

struct rect layout_dirty_quads(const struct layout *layout, struct rect vertices)
{
    struct rect all = { 0, 0, layout_columns(layout) - 1, layout_rows(layout) - 1 };
    struct rect touched = { vertices.x - 1, vertices.y - 1, vertices.width + 1,
                            vertices.height + 1 };

    return rect_meet(touched, all);
}
