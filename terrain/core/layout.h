/* How a landscape divides into components and sections, and the tables that follow from it.
 *
 * A component has sections x sections sections, a section section_quads x section_quads
 * quads. Neighbouring components share their border vertices, so a side has
 * components * sections * section_quads + 1 vertices. Definitions: layout and levels of
 * detail of the reference (UE landscape). Any thread.
 */
#ifndef TERRAIN_CORE_LAYOUT_H
#define TERRAIN_CORE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/base/rect.h"

struct layout {
    int32_t components[2]; /* across, down */
    int32_t sections;      /* a side of a component: 1 or 2 */
    int32_t section_quads; /* 7, 15, 31, 63, 127 or 255 */
};

enum { LAYOUT_LODS_MOST = 8, LAYOUT_SIDE_MOST = 65536 /* vertices */ };

/* The valid section sizes, ends with 0. */
extern const int32_t layout_section_quads[];

/* Fails with INPUT, placed at the member, for numbers that no layout has. */
bool layout_check(const struct layout *layout, struct fault *why);

int32_t layout_component_quads(const struct layout *layout);
int32_t layout_columns(const struct layout *layout); /* vertices across */
int32_t layout_rows(const struct layout *layout);    /* vertices down */

/* Levels of detail of one section: how many, and of level lod the quads a side
 * (V >> lod) - 1, the ratio q / Q, and the triangles and indices of a component. */
int32_t layout_lods(int32_t section_quads);
int32_t layout_lod_quads(int32_t section_quads, int32_t lod);
double layout_lod_ratio(int32_t section_quads, int32_t lod);
int32_t layout_lod_triangles(const struct layout *layout, int32_t lod);
int32_t layout_lod_indices(const struct layout *layout, int32_t lod);

/* The base vertex of LOD vertex i, rounded (the mobile mapping) or floored (the vertex variant). */
int32_t layout_lod_base(int32_t section_quads, int32_t lod, int32_t i);
int32_t layout_lod_floor(int32_t section_quads, int32_t lod, int32_t i);

/* The component's vertex buffer: vertices a component stores, the bits of an index,
 * and the place of local vertex (x, y) of section (sx, sy). */
int32_t layout_vertices(const struct layout *layout);
int32_t layout_index_bits(const struct layout *layout);
int32_t layout_vertex_index(const struct layout *layout, int32_t sx, int32_t sy, int32_t x,
                            int32_t y);

/* The key of a shared index buffer: bits 0-3 log2 of V, 4-7 sections, 30 the PC
 * feature level, 31 an XY offset map. */
uint32_t layout_buffer_key(const struct layout *layout, bool pc, bool xy_offset);

/* The index buffer of a level, layout_lod_indices numbers. On PC the vertices of
 * the LOD grid; on mobile the base vertices. */
void layout_index_buffer(const struct layout *layout, int32_t lod, bool pc, uint32_t *indices);

/* Mobile first-use order: each of layout_vertices numbers once, coarse levels first. */
bool layout_first_use(const struct layout *layout, uint32_t *order, struct fault *why);

/* Where a landscape vertex is stored: up to four places when it lies on inner borders. */
struct layout_place {
    int32_t component[2], section[2], local[2], texel[2];
};
int32_t layout_places(const struct layout *layout, int32_t x, int32_t y,
                      struct layout_place places[16]);

/* What follows from a change of the heights in a rectangle of vertices on the landscape: the
 * components that store any of them (a rectangle of components, as neighbours share their border
 * vertices), the vertices whose normals look at them, the quads that have one for a corner. */
struct rect layout_dirty_components(const struct layout *layout, struct rect vertices);
struct rect layout_dirty_normals(const struct layout *layout, struct rect vertices);
struct rect layout_dirty_quads(const struct layout *layout, struct rect vertices);

/* The layout for a raster of width x height samples: the first of 63 2x2, 63 1x1, 31 2x2,
 * 31 1x1, 15, 7 (each 2x2, then 1x1) that pads at most a quarter of the vertices; the
 * smallest padding if none does. A nonzero section_quads or sections fixes that number.
 * layout_exact finds the first that pads nothing; false when there is none. */
bool layout_for(int32_t width, int32_t height, int32_t section_quads, int32_t sections,
                struct layout *layout, struct fault *why);
bool layout_exact(int32_t width, int32_t height, int32_t section_quads, int32_t sections,
                  struct layout *layout);

#endif
