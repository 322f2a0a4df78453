#include "terrain/core/index_map.h"

#include <string.h>

#include "terrain/core/weights.h"

/* One cell of a tile: where it lies in a plane. */
struct cell_at {
    const struct index_map_form *form;
    int32_t first; /* its north-west texel */
};

static int64_t texels(const struct index_map_form *form)
{
    return (int64_t)form->side * form->side;
}

static uint32_t cell_sum(const struct cell_at *cell, const uint8_t *plane)
{
    uint32_t sum = 0;

    for (int32_t y = 0; y < cell->form->cell; y++) {
        const uint8_t *row = plane + cell->first + (int64_t)y * cell->form->side;

        for (int32_t x = 0; x < cell->form->cell; x++)
            sum += row[x];
    }
    return sum;
}

/* The heaviest layers of the cell, in order; the lower number first where they weigh the same. */
static void cell_entry(const struct cell_at *cell, const uint8_t *weights, uint8_t *entry)
{
    uint32_t sums[INDEX_MAP_KEPT] = { 0 };

    memset(entry, INDEX_MAP_UNUSED, INDEX_MAP_KEPT);
    for (int32_t layer = 0; layer < cell->form->layers; layer++) {
        uint32_t sum = cell_sum(cell, weights + layer * texels(cell->form));
        int place = INDEX_MAP_KEPT;

        while (place > 0 && sum > sums[place - 1])
            place--;
        for (int i = INDEX_MAP_KEPT - 1; i > place; i--) {
            sums[i] = sums[i - 1];
            entry[i] = entry[i - 1];
        }
        if (place < INDEX_MAP_KEPT) {
            sums[place] = sum;
            entry[place] = (uint8_t)layer;
        }
    }
}

static void texel_encode(const struct index_map_form *form, const uint8_t *weights,
                         const uint8_t *entry, int64_t texel, uint8_t *channels)
{
    uint16_t kept[INDEX_MAP_KEPT] = { 0 };
    uint8_t shares[INDEX_MAP_KEPT];
    bool any = false;

    for (int i = 0; i < INDEX_MAP_KEPT && entry[i] != INDEX_MAP_UNUSED; i++) {
        kept[i] = weights[entry[i] * texels(form) + texel];
        any |= kept[i] > 0;
    }
    kept[0] = any ? kept[0] : WEIGHT_FULL;
    weights_share(kept, INDEX_MAP_KEPT, WEIGHT_FULL, shares);
    memcpy(channels + texel * INDEX_MAP_CHANNELS, shares, INDEX_MAP_CHANNELS);
}

static uint8_t texel_lost(const struct index_map_form *form, const uint8_t *weights,
                          const uint8_t *entry, int64_t texel)
{
    uint8_t lost = 0;

    for (int32_t layer = 0; layer < form->layers; layer++) {
        if (!memchr(entry, layer, INDEX_MAP_KEPT))
            lost = (uint8_t)(lost + weights[layer * texels(form) + texel]);
    }
    return lost;
}

void index_map_encode(const struct index_map_form *form, const uint8_t *weights, uint8_t *entries,
                      uint8_t *channels, uint8_t *lost)
{
    int32_t cells = form->side / form->cell;

    for (int32_t c = 0; c < cells * cells; c++) {
        int32_t x0 = c % cells * form->cell, y0 = c / cells * form->cell;
        struct cell_at cell = { form, y0 * form->side + x0 };
        uint8_t *entry = entries + (int64_t)c * INDEX_MAP_KEPT;

        cell_entry(&cell, weights, entry);
        for (int32_t i = 0; i < form->cell * form->cell; i++) {
            int64_t texel = cell.first + i / form->cell * form->side + i % form->cell;

            texel_encode(form, weights, entry, texel, channels);
            if (lost)
                lost[texel] = texel_lost(form, weights, entry, texel);
        }
    }
}

void index_map_decode(const struct index_map_form *form, const uint8_t *entries,
                      const uint8_t *channels, uint8_t *weights)
{
    int32_t cells = form->side / form->cell;

    memset(weights, 0, (size_t)(form->layers * texels(form)));
    for (int64_t texel = 0; texel < texels(form); texel++) {
        int64_t x = texel % form->side / form->cell, y = texel / form->side / form->cell;
        const uint8_t *entry = entries + (y * cells + x) * INDEX_MAP_KEPT;
        const uint8_t *rgb = channels + texel * INDEX_MAP_CHANNELS;
        const uint8_t four[INDEX_MAP_KEPT] = { rgb[0], rgb[1], rgb[2],
                                               (uint8_t)(WEIGHT_FULL - rgb[0] - rgb[1] - rgb[2]) };

        for (int i = 0; i < INDEX_MAP_KEPT; i++) {
            if (entry[i] < form->layers)
                weights[entry[i] * texels(form) + texel] = four[i];
        }
    }
}

void index_map_parent(const struct index_map_form *form, const uint8_t *const children[4],
                      uint8_t *weights)
{
    int32_t half = form->side / 2;

    for (int64_t texel = 0; texel < texels(form); texel++) {
        int32_t x = (int32_t)(texel % form->side), y = (int32_t)(texel / form->side);
        const uint8_t *child = children[y / half * 2 + x / half];
        int64_t first = (int64_t)(y % half * 2) * form->side + x % half * 2;
        uint16_t parts[INDEX_MAP_LAYERS];
        uint8_t shares[INDEX_MAP_LAYERS];

        for (int32_t layer = 0; layer < form->layers; layer++) {
            const uint8_t *at = child + layer * texels(form) + first;

            parts[layer] = (uint16_t)(at[0] + at[1] + at[form->side] + at[form->side + 1]);
        }
        weights_share(parts, form->layers, WEIGHT_FULL, shares);
        for (int32_t layer = 0; layer < form->layers; layer++)
            weights[layer * texels(form) + texel] = shares[layer];
    }
}

int64_t index_map_plain_bytes(int64_t side, int32_t layers)
{
    return (layers + SLOT_CHANNELS - 1) / SLOT_CHANNELS * side * side * SLOT_CHANNELS;
}

void index_map_bytes(int64_t side, int32_t levels, int32_t bits, int32_t cell,
                     int64_t *weight_bytes, int64_t *index_bytes)
{
    int64_t weight_bits = 0, cells = 0;

    for (int32_t level = 0; level < levels; level++) {
        int64_t s = side >> level;

        weight_bits += s * s * bits;
        cells += s / cell * (s / cell);
    }
    *weight_bytes = weight_bits / 8;
    *index_bytes = cells * INDEX_MAP_KEPT;
}
