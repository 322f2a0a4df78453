#include "terrain/core/mobile.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/chain.h"
#include "terrain/core/component.h"

/* Heights are base + byte / 255 * span. */
struct range {
    int32_t base, span;
};

static int32_t byte_up(int32_t value)
{
    int32_t steps = (value + 255) / 256;

    return steps < 255 ? steps : 255;
}

static void bounds_of(const uint16_t heights[MOBILE_LODS], int32_t *low, int32_t *high)
{
    *low = *high = heights[0];
    for (int lod = 1; lod < MOBILE_LODS; lod++) {
        *low = heights[lod] < *low ? heights[lod] : *low;
        *high = heights[lod] > *high ? heights[lod] : *high;
    }
}

/* What bytes 3 to 5 say of the range. */
static struct range range_of(const uint8_t packed[MOBILE_BYTES], enum mobile_form form)
{
    if (form == MOBILE_DELTA)
        return (struct range){ packed[4] << 8 | packed[5], packed[3] * 256 };
    return (struct range){ packed[4] * 256, (packed[5] - packed[4]) * 256 };
}

static void pack_range(int32_t low, int32_t high, enum mobile_form form,
                       uint8_t packed[MOBILE_BYTES])
{
    packed[3] = form == MOBILE_DELTA ? (uint8_t)byte_up(high - low) : 0;
    packed[4] = (uint8_t)(low >> 8);
    packed[5] = form == MOBILE_DELTA ? (uint8_t)low : (uint8_t)byte_up(high);
}

void mobile_encode(const struct mobile_vertex *vertex, enum mobile_form form,
                   uint8_t packed[MOBILE_BYTES])
{
    int32_t low, high;
    struct range range;

    packed[0] = (uint8_t)vertex->x;
    packed[1] = (uint8_t)vertex->y;
    packed[2] =
        (uint8_t)((unsigned)vertex->sy | (unsigned)vertex->sx << 1 | (unsigned)vertex->hole << 2);
    bounds_of(vertex->heights, &low, &high);
    pack_range(low, high, form, packed);
    range = range_of(packed, form);
    for (int lod = 0; lod < MOBILE_LODS; lod++) {
        int32_t above = (vertex->heights[lod] - range.base) * 255;
        int32_t byte = range.span ? (2 * above + range.span) / (2 * range.span) : 0;

        packed[6 + lod] = (uint8_t)(byte < 255 ? byte : 255);
    }
}

void mobile_decode(const uint8_t packed[MOBILE_BYTES], enum mobile_form form,
                   double codes[MOBILE_LODS], struct mobile_vertex *vertex)
{
    struct range range = range_of(packed, form);

    for (int lod = 0; lod < MOBILE_LODS; lod++)
        codes[lod] = range.base + packed[6 + lod] / 255.0 * range.span;
    if (!vertex)
        return;
    vertex->x = packed[0];
    vertex->y = packed[1];
    vertex->sy = packed[2] & 1;
    vertex->sx = packed[2] >> 1 & 1;
    vertex->hole = packed[2] >> 2 & 1;
}

double mobile_bound(const uint16_t heights[MOBILE_LODS], enum mobile_form form)
{
    uint8_t packed[MOBILE_BYTES];
    int32_t low, high;
    struct range range;
    double rounding, beyond;

    bounds_of(heights, &low, &high);
    pack_range(low, high, form, packed);
    range = range_of(packed, form);
    rounding = range.span / 510.0;
    beyond = high - (range.base + range.span);
    return rounding > beyond ? rounding : beyond;
}

/* Components */

static struct mobile_vertex vertex_at(const struct chain *chain, int32_t number)
{
    int32_t side = chain->section_quads + 1, section = number / (side * side);
    struct mobile_vertex vertex = { .x = number % side,
                                    .y = number / side % side,
                                    .sx = section % chain->sections,
                                    .sy = section / chain->sections };

    for (int32_t lod = 0; lod < MOBILE_LODS; lod++) {
        int32_t mip = lod < chain->mips ? lod : chain->mips - 1;
        int32_t at = chain_at(chain, mip, vertex.sx, vertex.sy, vertex.x >> mip, vertex.y >> mip);

        vertex.heights[lod] = chain->texels[mip][at].height;
    }
    return vertex;
}

bool mobile_component(const struct view *view, int32_t cx, int32_t cy, enum mobile_form form,
                      enum mobile_order order, uint8_t *packed, struct fault *why)
{
    const struct layout *layout = &view->settings->layout;
    int32_t lods = layout_lods(layout->section_quads), count = layout_vertices(layout);
    struct rect rect = component_rect(view, cx, cy);
    uint32_t *numbers = malloc((size_t)count * sizeof *numbers);
    struct chain *chain = chain_new(view, cx, cy, lods < MOBILE_LODS ? lods : MOBILE_LODS, 0, why);
    bool done = chain && numbers;

    if (!numbers)
        fault_set(why, FAULT_MEMORY, "no memory for %d vertices", count);
    for (int32_t i = 0; done && i < count; i++)
        numbers[i] = (uint32_t)i;
    if (done && order == MOBILE_FIRST_USE)
        done = layout_first_use(layout, numbers, why);
    for (int32_t i = 0; done && i < count; i++, packed += MOBILE_BYTES) {
        struct mobile_vertex vertex = vertex_at(chain, (int32_t)numbers[i]);

        vertex.hole = view_hole(view, rect.x + vertex.sx * layout->section_quads + vertex.x,
                                rect.y + vertex.sy * layout->section_quads + vertex.y);
        mobile_encode(&vertex, form, packed);
    }
    chain_drop(chain);
    free(numbers);
    return done;
}
