#include "terrain/format/glb_pack.h"

#include <math.h>
#include <string.h>

enum {
    MAGIC = 0x46546c67,
    VERSION = 2,
    CHUNK_JSON = 0x4e4f534a,
    CHUNK_BIN = 0x004e4942,
    HEAD_BYTES = 12,
    CHUNK_HEAD_BYTES = 8,
    TYPE_SHORT = 5123,
    TYPE_LONG = 5125
};

static void store_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static size_t up_to_four(size_t length)
{
    return (length + 3) & ~(size_t)3;
}

static size_t index_bytes(const struct glb_room *room)
{
    return room->indices * (room->vertices > GLB_SHORT_MOST ? 4 : 2);
}

static size_t vertex_bytes(const struct glb_room *room)
{
    return room->vertices * 3 * sizeof(float);
}

static bool print_asset(const struct mesh_note *note, struct bytes *to, struct fault *why)
{
    bool version = note->version, bound = isfinite(note->bound);

    if (!bytes_print(to, why, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"landscaped\"%s",
                     version || bound ? ",\"extras\":{" : ""))
        return false;
    if (version && !bytes_print(to, why, "\"version\":%llu%s", (unsigned long long)note->version,
                                bound ? "," : ""))
        return false;
    if (bound && !bytes_print(to, why, "\"bound\":%.9g", note->bound))
        return false;
    return bytes_print(to, why, "%s},\"scene\":0,\"scenes\":[{", version || bound ? "}" : "");
}

/* One buffer: positions, normals, indices, each on a multiple of four. */
static bool print_views(const struct glb_room *room, struct bytes *to, struct fault *why)
{
    size_t vertices = vertex_bytes(room), before = vertices * (room->normals ? 2 : 1);
    size_t indices = index_bytes(room);

    return bytes_print(to, why,
                       ",\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":["
                       "{\"buffer\":0,\"byteLength\":%zu,\"target\":34962}",
                       before + indices, vertices) &&
           (!room->normals ||
            bytes_print(to, why,
                        ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34962}",
                        vertices, vertices)) &&
           bytes_print(to, why,
                       ",{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34963}]",
                       before, indices);
}

static bool print_accessors(const struct glb_room *room, struct bytes *to, struct fault *why)
{
    const float *low = room->low, *high = room->high;

    /* 17 digits are the float itself, to whoever reads doubles. */
    return bytes_print(to, why,
                       ",\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%zu,"
                       "\"type\":\"VEC3\",\"min\":[%.17g,%.17g,%.17g],\"max\":[%.17g,%.17g,%.17g]}",
                       room->vertices, (double)low[0], (double)low[1], (double)low[2],
                       (double)high[0], (double)high[1], (double)high[2]) &&
           (!room->normals || bytes_print(to, why,
                                          ",{\"bufferView\":1,\"componentType\":5126,\"count\":%zu,"
                                          "\"type\":\"VEC3\"}",
                                          room->vertices)) &&
           bytes_print(
               to, why,
               ",{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\"}]",
               room->normals ? 2 : 1, room->vertices > GLB_SHORT_MOST ? TYPE_LONG : TYPE_SHORT,
               room->indices);
}

static bool print_scene(const struct glb_room *room, const struct mesh_note *note, struct bytes *to,
                        struct fault *why)
{
    /* Without a material of its own, ground would shine like metal. */
    return bytes_print(to, why,
                       "\"nodes\":[0]}],\"nodes\":[{\"name\":\"%s\",\"mesh\":0,"
                       "\"translation\":[%.17g,%.17g,%.17g]}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0%s},"
                       "\"indices\":%d,\"material\":0}]}],"
                       "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":"
                       "[0.6,0.6,0.6,1],\"metallicFactor\":0}}]",
                       note->name, room->middle[0], room->middle[1], room->middle[2],
                       room->normals ? ",\"NORMAL\":1" : "", room->normals ? 2 : 1) &&
           print_views(room, to, why) && print_accessors(room, to, why) &&
           bytes_print(to, why, "}");
}

static bool add_json(const struct glb_room *room, const struct mesh_note *note, struct bytes *to,
                     struct fault *why)
{
    static const char head[HEAD_BYTES + CHUNK_HEAD_BYTES];

    if (!bytes_add(to, head, sizeof head, why) || !print_asset(note, to, why) ||
        !(room->indices ? print_scene(room, note, to, why) : bytes_print(to, why, "}]}")))
        return false;
    while (to->length % 4)
        if (!bytes_add(to, " ", 1, why))
            return false;
    store_u32(to->data, MAGIC);
    store_u32(to->data + 4, VERSION);
    store_u32(to->data + HEAD_BYTES, (uint32_t)(to->length - HEAD_BYTES - CHUNK_HEAD_BYTES));
    store_u32(to->data + HEAD_BYTES + 4, CHUNK_JSON);
    return true;
}

bool glb_open(const struct glb_room *room, const struct mesh_note *note, struct bytes *to,
              struct glb_parts *parts, struct fault *why)
{
    size_t vertices = vertex_bytes(room), before = vertices * (room->normals ? 2 : 1);
    size_t padded = room->indices ? up_to_four(before + index_bytes(room)) : 0;
    unsigned char *data;

    *parts = (struct glb_parts){ 0 };
    if (padded > UINT32_MAX - 65536)
        return fault_set(why, FAULT_LIMIT, "a GLB has less than 4 GiB, not %zu bytes", padded);
    if (!add_json(room, note, to, why) || !bytes_reserve(to, CHUNK_HEAD_BYTES + padded, why))
        return false;
    if (room->indices) {
        store_u32(to->data + to->length, (uint32_t)padded);
        store_u32(to->data + to->length + 4, CHUNK_BIN);
        to->length += CHUNK_HEAD_BYTES;
        parts->numbers_at = to->length;
        data = to->data + to->length;
        memset(data + padded - 4, 0, 4);
        parts->positions = (void *)data;
        parts->normals = room->normals ? (void *)(data + vertices) : NULL;
        parts->longs = room->vertices > GLB_SHORT_MOST ? (void *)(data + before) : NULL;
        parts->shorts = parts->longs ? NULL : (void *)(data + before);
        to->length += padded;
    }
    store_u32(to->data + 8, (uint32_t)to->length);
    return true;
}

static void swap(unsigned char *at, size_t count, size_t size)
{
    for (; count; count--, at += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = at[i];

            at[i] = at[size - 1 - i];
            at[size - 1 - i] = byte;
        }
}

void glb_close(const struct glb_room *room, const struct glb_parts *parts, struct bytes *to)
{
    const uint16_t one = 1;
    size_t numbers = room->vertices * (room->normals ? 6 : 3);

    if (*(const unsigned char *)&one || !room->indices)
        return;
    swap(to->data + parts->numbers_at, numbers, 4);
    swap(to->data + parts->numbers_at + numbers * 4, room->indices, parts->longs ? 4 : 2);
}
