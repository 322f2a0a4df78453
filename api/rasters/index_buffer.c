#include "api/rasters/index_buffer.h"

#include <stdlib.h>

#include "terrain/core/layout.h"
#include "terrain/core/mobile.h"

const char *const vertex_order_words[] = { "grid", "first_use", NULL };

static const struct field rows[] = {
    FIELD(struct index_buffer_asked, key, NULL, 1, 16,
          "Which buffers: a number, decimal or hexadecimal behind 0x. Bits 0 to 3: log2 of the "
          "vertices a side of a section; 4 to 7: sections a side; 30: the PC feature level; 31: an "
          "XY offset map",
          .required = true, .in_path = true),
    FIELD(struct index_buffer_asked, lod, NULL, 0, LAYOUT_LODS_MOST - 1, "The level of detail",
          .required = true, .in_path = true),
    FIELD_AS(FIELD_CHOICE, struct index_buffer_asked, order,
             "How the mobile vertices stand: row by row, or as they are first used, from the "
             "coarsest level on",
             .words = vertex_order_words, .has_value = true),
    { .kind = FIELD_END }
};

const struct shape index_buffer_asked_shape = {
    .name = "index_buffer", .size = sizeof(struct index_buffer_asked), .fields = rows, .given = -1
};

/* What a key says. */
struct key {
    struct layout layout;
    bool pc;
};

static bool key_number(const char *text, uint32_t *number)
{
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hexadecimal ? text + 2 : text;
    uint64_t value = 0;

    if (!*digits)
        return false;
    for (; *digits; digits++) {
        int digit = *digits >= '0' && *digits <= '9'   ? *digits - '0'
                    : *digits >= 'a' && *digits <= 'f' ? *digits - 'a' + 10
                    : *digits >= 'A' && *digits <= 'F' ? *digits - 'A' + 10
                                                       : 16;

        if (digit >= (hexadecimal ? 16 : 10))
            return false;
        value = value * (hexadecimal ? 16 : 10) + (uint64_t)digit;
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return true;
}

static bool key_read(struct request *rq, const char *text, struct key *key)
{
    struct fault none = { 0 };
    uint32_t number;

    if (!key_number(text, &number)) {
        REFUSE(rq, FAULT_INPUT,
               "a key is a number of 32 bits, like 1073741862 or 0x40000026, not %s", text);
        return fault_at(&rq->fault, "key");
    }
    key->layout = (struct layout){ { 1, 1 }, number >> 4 & 15, (1 << (number & 15)) - 1 };
    key->pc = number >> 30 & 1;
    if (number & 0x3fffff00 || !layout_check(&key->layout, &none))
        return REFUSE(rq, FAULT_MISSING,
                      "no buffers have the key %u: bits 0 to 3 are 3 to 8, 4 to 7 are 1 or 2, "
                      "and 8 to 29 are 0",
                      number);
    return true;
}

static bool same_buffers(struct request *rq, const struct key *key, const struct layout *landscape)
{
    if (landscape->sections == key->layout.sections &&
        landscape->section_quads == key->layout.section_quads)
        return true;
    return REFUSE(
        rq, FAULT_MISSING, "this landscape's index buffers have the keys %u (PC) and %u (mobile)",
        layout_buffer_key(landscape, true, false), layout_buffer_key(landscape, false, false));
}

/* Numbers of vertices become those of their places in that order. */
static bool reorder(struct request *rq, const struct key *key, uint32_t *indices, size_t count)
{
    size_t vertices = (size_t)layout_vertices(&key->layout);
    uint32_t *order = arena_new(rq->arena, 2 * vertices * sizeof *order), *places;

    if (!order)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the order of %zu vertices", vertices);
    places = order + vertices;
    if (!layout_first_use(&key->layout, order, &rq->fault))
        return false;
    for (size_t i = 0; i < vertices; i++)
        places[order[i]] = (uint32_t)i;
    for (size_t i = 0; i < count; i++)
        indices[i] = places[indices[i]];
    return true;
}

static bool write_numbers(struct request *rq, const uint32_t *indices, size_t count, int bytes)
{
    unsigned char *to;

    if (!bytes_reserve(&rq->bytes, count * (size_t)bytes, &rq->fault))
        return false;
    to = rq->bytes.data;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < bytes; k++)
            *to++ = (unsigned char)(indices[i] >> (8 * k));
    rq->bytes.length = count * (size_t)bytes;
    return true;
}

bool index_buffer_answer(struct request *rq, const struct index_buffer_asked *asked,
                         const struct layout *landscape)
{
    struct key key;
    uint32_t *indices;
    size_t count;
    int32_t last;

    if (!key_read(rq, asked->key, &key) || (landscape && !same_buffers(rq, &key, landscape)))
        return false;
    last = layout_lods(key.layout.section_quads) - 1;
    if (asked->lod > last)
        return REFUSE(rq, FAULT_MISSING, "there is no level %d; these buffers have 0 to %d",
                      asked->lod, last);
    if (key.pc && asked->order != MOBILE_GRID) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "PC vertices stand row by row; use order=grid");
        return fault_at(&rq->fault, "order");
    }
    count = (size_t)layout_lod_indices(&key.layout, asked->lod);
    indices = arena_new(rq->arena, count * sizeof *indices);
    if (!indices)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu indices", count);
    layout_index_buffer(&key.layout, asked->lod, key.pc, indices);
    rq->cache_control = "max-age=31536000, immutable";
    return (asked->order == MOBILE_GRID || reorder(rq, &key, indices, count)) &&
           write_numbers(rq, indices, count, layout_index_bits(&key.layout) / 8);
}
