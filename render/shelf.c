#include "render/shelf.h"

#include <stdlib.h>
#include <string.h>

enum { LAYERS_FIRST = 128, BUCKETS = 4096, NOWHERE = -1 };

struct place {
    struct tile_key key;
    bool taken;
    uint64_t used; /* the picture that used it last */
    int32_t next;  /* in its bucket */
};

struct shelf {
    const struct gl *gl;
    GLuint heights, slopes;
    int32_t layers, layers_most;
    struct place *places; /* one a layer */
    int32_t buckets[BUCKETS];
    uint64_t picture;
    uint16_t slope_row[2 * TILE_SIDE * TILE_SIDE];
};

static int32_t *bucket_of(struct shelf *shelf, const struct tile_key *key)
{
    const unsigned char *bytes = (const unsigned char *)key;
    uint64_t hash = 0xcbf29ce484222325;

    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return &shelf->buckets[(hash >> 32) % BUCKETS];
}

static int32_t look_up(struct shelf *shelf, const struct tile_key *key)
{
    int32_t at = *bucket_of(shelf, key);

    while (at != NOWHERE && memcmp(&shelf->places[at].key, key, sizeof *key) != 0)
        at = shelf->places[at].next;
    return at;
}

static void forget(struct shelf *shelf, int32_t layer)
{
    int32_t *at = bucket_of(shelf, &shelf->places[layer].key);

    while (*at != layer)
        at = &shelf->places[*at].next;
    *at = shelf->places[layer].next;
    shelf->places[layer].taken = false;
}

static GLuint array_new(const struct gl *gl, int32_t rows, int32_t layers, GLint internal,
                        GLenum format, GLenum type, GLint filter)
{
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, name);
    gl->TexImage3D(GL_TEXTURE_2D_ARRAY, 0, internal, TILE_SIDE, rows, layers, 0, format, type,
                   NULL);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, filter);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

static void let_go(struct shelf *shelf)
{
    shelf->gl->DeleteTextures(1, &shelf->heights);
    shelf->gl->DeleteTextures(1, &shelf->slopes);
    free(shelf->places);
    shelf->places = NULL;
    shelf->heights = shelf->slopes = 0;
    shelf->layers = 0;
}

/* Empty textures of that many layers in the place of those there are. */
static bool resize(struct shelf *shelf, int32_t layers, struct fault *why)
{
    const struct gl *gl = shelf->gl;

    let_go(shelf);
    for (int i = 0; i < BUCKETS; i++)
        shelf->buckets[i] = NOWHERE;
    shelf->places = calloc((size_t)layers, sizeof *shelf->places);
    if (!shelf->places)
        return fault_set(why, FAULT_MEMORY, "no memory for %d tiles", layers);
    shelf->heights =
        array_new(gl, TILE_ROWS, layers, GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, GL_NEAREST);
    shelf->slopes = array_new(gl, TILE_SIDE, layers, GL_RG16F, GL_RG, GL_HALF_FLOAT, GL_LINEAR);
    shelf->layers = layers;
    return gl_sound(gl, "making textures for tiles", why);
}

struct shelf *shelf_new(const struct gl *gl, int64_t bytes_most, struct fault *why)
{
    struct shelf *shelf = calloc(1, sizeof *shelf);
    int64_t layers = bytes_most / SHELF_LAYER_BYTES;

    if (!shelf) {
        fault_set(why, FAULT_MEMORY, "no memory to keep tiles");
        return NULL;
    }
    shelf->gl = gl;
    layers = layers < gl->layers_most ? layers : gl->layers_most;
    shelf->layers_most = layers > LAYERS_FIRST ? (int32_t)layers : LAYERS_FIRST;
    if (resize(shelf, LAYERS_FIRST, why))
        return shelf;
    shelf_free(shelf);
    return NULL;
}

void shelf_free(struct shelf *shelf)
{
    if (!shelf)
        return;
    let_go(shelf);
    free(shelf);
}

int32_t shelf_layers_most(const struct shelf *shelf)
{
    return shelf->layers_most;
}

static bool make_room(struct shelf *shelf, int32_t count, struct fault *why)
{
    int32_t layers = shelf->layers;

    if (count > shelf->layers_most)
        return fault_set(why, FAULT_LIMIT, "The picture needs %d tiles and %d fit", count,
                         shelf->layers_most);
    while (layers < count)
        layers *= 2;
    if (layers > shelf->layers_most)
        layers = shelf->layers_most;
    return layers == shelf->layers || resize(shelf, layers, why);
}

bool shelf_find(struct shelf *shelf, const struct tile_key *keys, int32_t count, int32_t *layers,
                struct fault *why)
{
    if (!make_room(shelf, count, why))
        return false;
    shelf->picture++;
    for (int32_t i = 0; i < count; i++) {
        layers[i] = look_up(shelf, &keys[i]);
        if (layers[i] != NOWHERE)
            shelf->places[layers[i]].used = shelf->picture;
    }
    return true;
}

/* A layer that this picture does not use: a free one, else the least recently used. */
static int32_t oldest(const struct shelf *shelf)
{
    int32_t found = NOWHERE;

    for (int32_t i = 0; i < shelf->layers; i++) {
        const struct place *place = &shelf->places[i];

        if (!place->taken)
            return i;
        if (found == NOWHERE || place->used < shelf->places[found].used)
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

int32_t shelf_put(struct shelf *shelf, const struct tile_key *key, const uint16_t *texels)
{
    const struct gl *gl = shelf->gl;
    int32_t layer = oldest(shelf), *bucket = bucket_of(shelf, key);
    struct place *place = &shelf->places[layer];

    if (place->taken)
        forget(shelf, layer);
    *place = (struct place){ .key = *key, .taken = true, .used = shelf->picture, .next = *bucket };
    *bucket = layer;
    make_slopes(texels, shelf->slope_row);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 2);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->heights);
    gl->TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, TILE_SIDE, TILE_ROWS, 1, GL_RED_INTEGER,
                      GL_UNSIGNED_SHORT, texels);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->slopes);
    gl->TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, TILE_SIDE, TILE_SIDE, 1, GL_RG,
                      GL_HALF_FLOAT, shelf->slope_row);
    return layer;
}

void shelf_bind(const struct shelf *shelf)
{
    shelf->gl->ActiveTexture(GL_TEXTURE1);
    shelf->gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->slopes);
    shelf->gl->ActiveTexture(GL_TEXTURE0);
    shelf->gl->BindTexture(GL_TEXTURE_2D_ARRAY, shelf->heights);
}
