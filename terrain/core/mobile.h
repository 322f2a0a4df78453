/* Packed mobile vertices: 12 bytes that hold a vertex of a section and its heights at six levels of
 * detail; reference, part 4.
 *
 * Bytes 0 and 1 are the vertex in its section, bits of byte 2 its section and whether the quad
 * south-east of it is a hole. Heights are bytes between a base and a span: in the DELTA form bytes
 * 4 and 5 are the least height and byte 3 the span, in units of 256; in the MINMAX form bytes 4 and
 * 5 are the high bytes of bounds and byte 3 is 0. Levels that a section lacks repeat its last one.
 * Heights are 16-bit codes. Any thread.
 */
#ifndef TERRAIN_CORE_MOBILE_H
#define TERRAIN_CORE_MOBILE_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/core/view.h"

enum { MOBILE_BYTES = 12, MOBILE_LODS = 6 };
enum mobile_form { MOBILE_DELTA, MOBILE_MINMAX };

struct mobile_vertex {
    int32_t x, y;   /* in the section, 0..255 */
    int32_t sx, sy; /* the section, 0 or 1 */
    bool hole;
    uint16_t heights[MOBILE_LODS];
};

void mobile_encode(const struct mobile_vertex *vertex, enum mobile_form form,
                   uint8_t packed[MOBILE_BYTES]);

/* The heights as unrounded codes; the place and the hole, if vertex is not NULL (its heights are
 * left alone). */
void mobile_decode(const uint8_t packed[MOBILE_BYTES], enum mobile_form form,
                   double codes[MOBILE_LODS], struct mobile_vertex *vertex);

/* No decoded height lies further than this many codes from the one that was packed. */
double mobile_bound(const uint16_t heights[MOBILE_LODS], enum mobile_form form);

/* In which order a component's vertices stand: that of the vertex buffer (layout_vertex_index), or
 * the first use by index buffers from the coarsest on (layout_first_use). */
enum mobile_order { MOBILE_GRID, MOBILE_FIRST_USE };

/* All vertices of component (cx, cy): layout_vertices() of MOBILE_BYTES. Fails with MEMORY. */
bool mobile_component(const struct view *view, int32_t cx, int32_t cy, enum mobile_form form,
                      enum mobile_order order, uint8_t *packed, struct fault *why);

#endif
