#include "render/shelf.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAYERS_FIRST = 128,
    LARGE_FIRST = 32,
    LARGE_BYTES = 1 << 17,
    LAYERS_FIRST_BYTES = 16 << 20,
    LAYERS_LEAST = 16, /* a patch and a tile that colours it have fewer by far */
    SURFACES_LEAST = 44,
    BUCKETS = 4096,
    NOWHERE = -1,
    SLOPE_TEXEL_BYTES = 4
};

struct place {
    struct tile_key key;
    bool taken;
    uint64_t used; /* the picture that used it last */
    int32_t next;  /* in its bucket */
};

/* The tiles of one plane. */
struct rack {
    GLuint texture, slopes; /* slopes: of heights alone */
    int32_t layers, layers_most;
    struct place *places; /* one a layer */
    int32_t buckets[BUCKETS];
};

struct shelf {
    const struct gl *gl;
    struct rack racks[RENDER_PLANES];
    uint64_t picture;
    uint16_t slope_row[2 * TILE_SIDE * TILE_SIDE];
};

/* How GL calls a kind of texel. */
static const struct {
    GLint internal;
    GLenum format, type;
} texels_of[] = {
    [TEXEL_R16UI] = { GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT },
    [TEXEL_RG16UI] = { GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT },
    [TEXEL_R16F] = { GL_R16F, GL_RED, GL_HALF_FLOAT },
    [TEXEL_RG8] = { GL_RG8, GL_RG, GL_UNSIGNED_BYTE },
    [TEXEL_RGBA8] = { GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE },
};

static int32_t *bucket_of(struct rack *rack, const struct tile_key *key)
{
    const unsigned char *bytes = (const unsigned char *)key;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return &rack->buckets[(hash >> 32) % BUCKETS];
}

static int32_t look_up(struct rack *rack, const struct tile_key *key)
{
    int32_t at = rack->layers ? *bucket_of(rack, key) : NOWHERE;

    while (at != NOWHERE && memcmp(&rack->places[at].key, key, sizeof *key) != 0)
        at = rack->places[at].next;
    return at;
}

static void forget(struct rack *rack, int32_t layer)
{
    int32_t *at = bucket_of(rack, &rack->places[layer].key);

    while (*at != layer)
        at = &rack->places[*at].next;
    *at = rack->places[layer].next;
    rack->places[layer].taken = false;
}

/* How many layers a rack begins with, if its share is not less. */
static int32_t layers_first(int plane)
{
    if (plane == RENDER_PLANE_surfaces)
        return LAYERS_FIRST_BYTES / (int32_t)plane_bytes(plane);
    return plane_bytes(plane) < LARGE_BYTES ? LAYERS_FIRST : LARGE_FIRST;
}

static GLuint repeated_new(const struct gl *gl, int32_t layers)
{
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, name);
    for (int level = 0; level <= SURFACE_LOG2; level++)
        gl->TexImage3D(GL_TEXTURE_2D_ARRAY, level, GL_RGBA8, SURFACE_SIDE >> level,
                       SURFACE_SIDE >> level, layers, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, SURFACE_LOG2);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
    return name;
}

static GLuint array_new(const struct gl *gl, const struct plane_format *format, int32_t layers)
{
    GLint filter = format->filter == FILTER_NEAREST ? GL_NEAREST : GL_LINEAR;
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, name);
    gl->TexImage3D(GL_TEXTURE_2D_ARRAY, 0, texels_of[format->texel].internal, format->columns,
                   format->rows, layers, 0, texels_of[format->texel].format,
                   texels_of[format->texel].type, NULL);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

static GLuint slopes_new(const struct gl *gl, int32_t layers)
{
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, name);
    gl->TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RG16F, TILE_SIDE, TILE_SIDE, layers, 0, GL_RG,
                   GL_HALF_FLOAT, NULL);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

static void let_go(const struct gl *gl, struct rack *rack)
{
    gl->DeleteTextures(1, &rack->texture);
    gl->DeleteTextures(1, &rack->slopes);
    free(rack->places);
    rack->places = NULL;
    rack->texture = rack->slopes = 0;
    rack->layers = 0;
}

/* Empty textures of that many layers in the place of those there are. */
static bool resize(struct shelf *shelf, int plane, int32_t layers, struct fault *why)
{
    struct rack *rack = &shelf->racks[plane];

    let_go(shelf->gl, rack);
    for (int i = 0; i < BUCKETS; i++)
        rack->buckets[i] = NOWHERE;
    rack->places = calloc((size_t)layers, sizeof *rack->places);
    if (!rack->places)
        return fault_set(why, FAULT_MEMORY, "no memory for %d tiles", layers);
    rack->texture = plane_formats[plane].filter == FILTER_REPEATED
                        ? repeated_new(shelf->gl, layers)
                        : array_new(shelf->gl, &plane_formats[plane], layers);
    if (plane == RENDER_PLANE_heights)
        rack->slopes = slopes_new(shelf->gl, layers);
    rack->layers = layers;
    return gl_sound(shelf->gl, "making textures for tiles", why);
}

static bool make_room(struct shelf *shelf, int plane, int32_t count, struct fault *why)
{
    const struct rack *rack = &shelf->racks[plane];
    int32_t layers = rack->layers ? rack->layers : layers_first(plane);

    if (count > rack->layers_most)
        return fault_set(why, FAULT_LIMIT, "The picture needs %d tiles of %s and %d fit", count,
                         plane_formats[plane].name, rack->layers_most);
    while (layers < count)
        layers *= 2;
    if (layers > rack->layers_most)
        layers = rack->layers_most;
    return layers == rack->layers || count == 0 || resize(shelf, plane, layers, why);
}

struct shelf *shelf_new(const struct gl *gl, int64_t bytes_most, struct fault *why)
{
    struct shelf *shelf = calloc(1, sizeof *shelf);

    if (!shelf) {
        fault_set(why, FAULT_MEMORY, "no memory to keep tiles");
        return NULL;
    }
    shelf->gl = gl;
    for (int plane = 0; plane < RENDER_PLANES; plane++) {
        int64_t bytes =
            (int64_t)plane_bytes(plane) +
            (plane == RENDER_PLANE_heights ? SLOPE_TEXEL_BYTES * TILE_SIDE * TILE_SIDE : 0);
        int64_t layers = bytes_most * plane_formats[plane].share / 64 / bytes;
        int64_t least = plane == RENDER_PLANE_surfaces ? SURFACES_LEAST : LAYERS_LEAST;

        layers = layers < gl->layers_most ? layers : gl->layers_most;
        shelf->racks[plane].layers_most = (int32_t)(layers > least ? layers : least);
    }
    if (make_room(shelf, RENDER_PLANE_heights, 1, why))
        return shelf;
    shelf_free(shelf);
    return NULL;
}

void shelf_free(struct shelf *shelf)
{
    if (!shelf)
        return;
    for (int plane = 0; plane < RENDER_PLANES; plane++)
        let_go(shelf->gl, &shelf->racks[plane]);
    free(shelf);
}

int32_t shelf_layers_most(const struct shelf *shelf, int plane)
{
    return shelf->racks[plane].layers_most;
}

bool shelf_find(struct shelf *shelf, const struct tile_key *keys, const uint32_t *places,
                uint32_t count, int32_t *layers, struct fault *why)
{
    int32_t counts[RENDER_PLANES] = { 0 };

    for (uint32_t i = 0; i < count; i++)
        counts[keys[places[i]].plane]++;
    for (int plane = 0; plane < RENDER_PLANES; plane++)
        if (!make_room(shelf, plane, counts[plane], why))
            return false;
    shelf->picture++;
    for (uint32_t i = 0; i < count; i++) {
        const struct tile_key *key = &keys[places[i]];
        struct rack *rack = &shelf->racks[key->plane];
        int32_t layer = look_up(rack, key);

        if (layer != NOWHERE)
            rack->places[layer].used = shelf->picture;
        layers[places[i]] = layer;
    }
    return true;
}

/* A layer that this picture does not use: a free one, else the least recently used. */
static int32_t oldest(const struct rack *rack)
{
    int32_t found = NOWHERE;

    for (int32_t i = 0; i < rack->layers; i++) {
        const struct place *place = &rack->places[i];

        if (!place->taken)
            return i;
        if (found == NOWHERE || place->used < rack->places[found].used)
            found = i;
    }
    return found;
}

/* A whole number of eighths as a half float: always normal or zero, rounded to nearest. */
static inline uint16_t half_of(int32_t eighths)
{
    union {
        float number;
        uint32_t bits;
    } as = { .number = (float)eighths * 0.125f };
    uint32_t magnitude = (as.bits & 0x7fffffff) + 0xfff + (as.bits >> 13 & 1);

    return eighths == 0 ? 0 : (uint16_t)((as.bits >> 16 & 0x8000) | ((magnitude >> 13) - 0x1c000));
}

/* Horn's weighted differences over 3 x 3 samples: codes a sample, east and south. The outermost
 * ring is never looked up and copies its neighbour. */
static void make_slopes(const uint16_t *heights, uint16_t *slopes)
{
    for (int32_t y = 1; y < TILE_SIDE - 1; y++) {
        const uint16_t *up = heights + (y - 1) * TILE_SIDE, *here = up + TILE_SIDE;
        const uint16_t *down = here + TILE_SIDE;
        uint16_t *row = slopes + 2 * y * TILE_SIDE;

        for (int32_t x = 1; x < TILE_SIDE - 1; x++) {
            int32_t east = up[x + 1] + 2 * here[x + 1] + down[x + 1];
            int32_t west = up[x - 1] + 2 * here[x - 1] + down[x - 1];
            int32_t south = down[x - 1] + 2 * down[x] + down[x + 1];
            int32_t north = up[x - 1] + 2 * up[x] + up[x + 1];

            row[2 * x] = half_of(east - west);
            row[2 * x + 1] = half_of(south - north);
        }
        memcpy(row, row + 2, 4);
        memcpy(row + 2 * (TILE_SIDE - 1), row + 2 * (TILE_SIDE - 2), 4);
    }
    memcpy(slopes, slopes + 2 * TILE_SIDE, 4 * TILE_SIDE);
    memcpy(slopes + 2 * TILE_SIDE * (TILE_SIDE - 1), slopes + 2 * TILE_SIDE * (TILE_SIDE - 2),
           4 * TILE_SIDE);
}

static void put_slopes(struct shelf *shelf, const uint16_t *heights, int32_t layer)
{
    const struct gl *gl = shelf->gl;

    make_slopes(heights, shelf->slope_row);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->racks[RENDER_PLANE_heights].slopes);
    gl->TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, TILE_SIDE, TILE_SIDE, 1, GL_RG,
                      GL_HALF_FLOAT, shelf->slope_row);
}

static void put_levels(const struct gl *gl, const struct plane_format *format, int32_t layer,
                       const unsigned char *texels)
{
    int last = format->filter == FILTER_REPEATED ? SURFACE_LOG2 : 0;

    for (int level = 0; level <= last; level++) {
        int32_t columns = format->columns >> level, rows = format->rows >> level;

        gl->TexSubImage3D(GL_TEXTURE_2D_ARRAY, level, 0, 0, layer, columns, rows, 1,
                          texels_of[format->texel].format, texels_of[format->texel].type, texels);
        texels += 4 * columns * rows; /* only textures of four bytes have levels */
    }
}

int32_t shelf_put(struct shelf *shelf, const struct tile_key *key, const void *texels)
{
    const struct gl *gl = shelf->gl;
    const struct plane_format *format = &plane_formats[key->plane];
    struct rack *rack = &shelf->racks[key->plane];
    int32_t layer = oldest(rack), *bucket = bucket_of(rack, key);
    struct place *place = &rack->places[layer];

    if (place->taken)
        forget(rack, layer);
    *place = (struct place){ .key = *key, .taken = true, .used = shelf->picture, .next = *bucket };
    *bucket = layer;
    gl->ActiveTexture(GL_TEXTURE0);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 2);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, rack->texture);
    put_levels(gl, format, layer, texels);
    if (key->plane == RENDER_PLANE_heights)
        put_slopes(shelf, texels, layer);
    return layer;
}

void shelf_bind(const struct shelf *shelf)
{
    const struct gl *gl = shelf->gl;

    gl->ActiveTexture(GL_TEXTURE0 + UNIT_SLOPES);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->racks[RENDER_PLANE_heights].slopes);
    for (int plane = RENDER_PLANES - 1; plane >= 0; plane--) {
        gl->ActiveTexture(GL_TEXTURE0 + (GLenum)plane);
        gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->racks[plane].texture);
    }
}
