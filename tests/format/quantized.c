#include "tests/format/quantized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const uint8_t *data;
    size_t at, length;
};

static uint64_t take(struct reader *reader, int size)
{
    uint64_t number = 0;

    if (reader->at + (size_t)size > reader->length)
        fail_msg("%zu bytes end within a number at %zu", reader->length, reader->at);
    for (int i = 0; i < size; i++)
        number |= (uint64_t)reader->data[reader->at++] << 8 * i;
    return number;
}

static double take_double(struct reader *reader)
{
    uint64_t bits = take(reader, 8);
    double number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

static float take_float(struct reader *reader)
{
    uint32_t bits = (uint32_t)take(reader, 4);
    float number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

static int32_t *take_differences(struct reader *reader, uint32_t count)
{
    int32_t *numbers = malloc((count + 1) * sizeof *numbers), now = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t code = (uint32_t)take(reader, 2);

        now += (int32_t)(code >> 1) ^ -(int32_t)(code & 1);
        assert_true(now >= 0 && now <= 32767);
        numbers[i] = now;
    }
    return numbers;
}

static void take_extensions(struct reader *reader, struct quantized *tile)
{
    int before = 0;

    while (reader->at < reader->length) {
        const int id = (int)take(reader, 1);
        const uint32_t length = (uint32_t)take(reader, 4);
        const uint8_t *data = reader->data + reader->at;

        assert_true(reader->at + length <= reader->length);
        assert_true(id > before);
        before = id;
        if (id == 1) {
            assert_int_equal(length, 2 * tile->count);
            tile->normals = data;
        } else if (id == 2) {
            assert_true(length == 1 || length == 65536);
            tile->water = data;
            tile->water_bytes = length;
        } else if (id == 4) {
            struct reader own = { data, 0, length };

            tile->metadata_bytes = (uint32_t)take(&own, 4);
            assert_int_equal(tile->metadata_bytes + 4, length);
            tile->metadata = (const char *)data + 4;
        } else {
            fail_msg("extension %d", id);
        }
        reader->at += length;
    }
}

struct quantized quantized_read(const void *data, size_t length)
{
    struct reader reader = { data, 0, length };
    struct quantized tile = { 0 };
    uint32_t highest = 0;
    int size;

    for (int k = 0; k < 3; k++)
        tile.center[k] = take_double(&reader);
    tile.minimum = take_float(&reader);
    tile.maximum = take_float(&reader);
    for (int k = 0; k < 4; k++)
        tile.sphere[k] = take_double(&reader);
    for (int k = 0; k < 3; k++)
        tile.occlusion[k] = take_double(&reader);
    tile.count = (uint32_t)take(&reader, 4);
    assert_true(tile.count < length);
    tile.u = take_differences(&reader, tile.count);
    tile.v = take_differences(&reader, tile.count);
    tile.h = take_differences(&reader, tile.count);
    size = tile.count > 65536 ? 4 : 2;
    while (size == 4 && reader.at % 4)
        assert_int_equal(take(&reader, 1), 0);
    tile.triangles = (uint32_t)take(&reader, 4);
    assert_true(tile.triangles < length);
    tile.indices = malloc(3 * (size_t)tile.triangles * sizeof *tile.indices);
    for (uint32_t i = 0; i < 3 * tile.triangles; i++) {
        const uint32_t code = (uint32_t)take(&reader, size);

        assert_true(code <= highest);
        tile.indices[i] = highest - code;
        highest += code == 0;
        assert_true(tile.indices[i] < tile.count);
    }
    assert_int_equal(highest, tile.count);
    for (int k = 0; k < 4; k++) {
        tile.edge_counts[k] = (uint32_t)take(&reader, 4);
        assert_true(tile.edge_counts[k] <= tile.count);
        tile.edges[k] = malloc((tile.edge_counts[k] + 1) * sizeof *tile.edges[k]);
        for (uint32_t i = 0; i < tile.edge_counts[k]; i++)
            tile.edges[k][i] = (uint32_t)take(&reader, size);
    }
    take_extensions(&reader, &tile);
    return tile;
}

void quantized_free(struct quantized *tile)
{
    free(tile->u);
    free(tile->v);
    free(tile->h);
    free(tile->indices);
    for (int k = 0; k < 4; k++)
        free(tile->edges[k]);
}

double quantized_height(const struct quantized *tile, uint32_t vertex)
{
    const double share = tile->h[vertex] / 32767.0;

    return (1 - share) * (double)tile->minimum + share * (double)tile->maximum;
}

static double side_of(const struct quantized *tile, uint32_t a, uint32_t b, double u, double v)
{
    return (tile->u[b] - tile->u[a]) * (v - tile->v[a]) -
           (u - tile->u[a]) * (tile->v[b] - tile->v[a]);
}

bool quantized_covers(const struct quantized *tile, uint32_t triangle, double u, double v,
                      double *height)
{
    const uint32_t *c = tile->indices + 3 * triangle;
    const double weights[3] = { side_of(tile, c[1], c[2], u, v), side_of(tile, c[2], c[0], u, v),
                                side_of(tile, c[0], c[1], u, v) };

    if (weights[0] < 0 || weights[1] < 0 || weights[2] < 0)
        return false;
    *height =
        (weights[0] * quantized_height(tile, c[0]) + weights[1] * quantized_height(tile, c[1]) +
         weights[2] * quantized_height(tile, c[2])) /
        (weights[0] + weights[1] + weights[2]);
    return true;
}

double quantized_height_at(const struct quantized *tile, double u, double v)
{
    double height;

    for (uint32_t i = 0; i < tile->triangles; i++)
        if (quantized_covers(tile, i, u, v, &height))
            return height;
    fail_msg("nothing lies at (%g, %g)", u, v);
    return NAN;
}

void quantized_normal(const struct quantized *tile, uint32_t vertex, double normal[3])
{
    double x = tile->normals[2 * vertex] / 255.0 * 2 - 1;
    double y = tile->normals[2 * vertex + 1] / 255.0 * 2 - 1, z = 1 - fabs(x) - fabs(y), length;

    if (z < 0) {
        const double folded = (1 - fabs(y)) * (x < 0 ? -1 : 1);

        y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
        x = folded;
    }
    length = sqrt(x * x + y * y + z * z);
    normal[0] = x / length;
    normal[1] = y / length;
    normal[2] = z / length;
}

static void check_edge(const struct quantized *tile, const bool *surface, int k)
{
    const int32_t *across = k % 2 ? tile->v : tile->u, *along = k % 2 ? tile->u : tile->v;
    const int32_t where = k < 2 ? 0 : 32767;
    uint32_t count = 0;

    for (uint32_t i = 0; i < tile->count; i++)
        count += across[i] == where && surface[i];
    assert_int_equal(tile->edge_counts[k], count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(tile->edges[k][i] < tile->count);
        assert_int_equal(across[tile->edges[k][i]], where);
        assert_true(surface[tile->edges[k][i]]);
        if (i > 0)
            assert_true(along[tile->edges[k][i]] > along[tile->edges[k][i - 1]]);
    }
    assert_int_equal(along[tile->edges[k][0]], 0);
    assert_int_equal(along[tile->edges[k][count - 1]], 32767);
}

static int pair_order(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one > other) - (one < other);
}

/* Each side of a triangle that does not lie on the border has its other half. */
static void check_sides(const struct quantized *tile)
{
    const size_t count = 3 * (size_t)tile->triangles;
    uint64_t *sides = malloc(count * sizeof *sides);

    for (size_t i = 0; i < count; i++)
        sides[i] = (uint64_t)tile->indices[i] << 32 | tile->indices[i % 3 == 2 ? i - 2 : i + 1];
    qsort(sides, count, sizeof *sides, pair_order);
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = (uint32_t)(sides[i] >> 32), b = (uint32_t)sides[i];
        const uint64_t back = (uint64_t)b << 32 | a;
        const bool border = (tile->u[a] == tile->u[b] && tile->u[a] % 32767 == 0) ||
                            (tile->v[a] == tile->v[b] && tile->v[a] % 32767 == 0);

        assert_true(i == 0 || sides[i] != sides[i - 1]);
        assert_true((bsearch(&back, sides, count, sizeof *sides, pair_order) != NULL) != border);
    }
    free(sides);
}

void quantized_check(const struct quantized *tile)
{
    bool *surface = calloc(tile->count + 1, sizeof *surface);
    int64_t area = 0;

    assert_true(tile->maximum > tile->minimum);
    for (uint32_t i = 0; i < tile->triangles; i++) {
        const uint32_t *c = tile->indices + 3 * i;
        const double twice = side_of(tile, c[0], c[1], tile->u[c[2]], tile->v[c[2]]);

        assert_true(twice > 0);
        area += (int64_t)twice;
        surface[c[0]] = surface[c[1]] = surface[c[2]] = true;
    }
    assert_int_equal(area, (int64_t)2 * 32767 * 32767);
    for (int k = 0; k < 4; k++)
        check_edge(tile, surface, k);
    check_sides(tile);
    free(surface);
}

/* One that hangs along edge k: what it covers along the edge, by its height there. */
static double hanging(const struct quantized *tile, const uint32_t *c, int k)
{
    static const int out[4][2] = { { -1, 0 }, { 0, -1 }, { 1, 0 }, { 0, 1 } };
    double to[2][3], facing[2];

    for (int i = 0; i < 2; i++) {
        to[i][0] = tile->u[c[i + 1]] - tile->u[c[0]];
        to[i][1] = tile->v[c[i + 1]] - tile->v[c[0]];
        to[i][2] = quantized_height(tile, c[i + 1]) - quantized_height(tile, c[0]);
    }
    facing[0] = to[0][1] * to[1][2] - to[0][2] * to[1][1];
    facing[1] = to[0][2] * to[1][0] - to[0][0] * to[1][2];
    assert_true(facing[0] * out[k][0] + facing[1] * out[k][1] > 0);
    return facing[0] * out[k][0] + facing[1] * out[k][1];
}

static int edge_of(const struct quantized *tile, const uint32_t *c)
{
    for (int k = 0; k < 4; k++) {
        const int32_t *across = k % 2 ? tile->v : tile->u, where = k < 2 ? 0 : 32767;

        if (across[c[0]] == where && across[c[1]] == where && across[c[2]] == where)
            return k;
    }
    fail_msg("a triangle without an area lies inside");
    return -1;
}

/* Below each vertex of an edge list there is one that deep. */
static void check_below(const struct quantized *tile, uint32_t vertex, double deep)
{
    double low = INFINITY;

    for (uint32_t i = 0; i < tile->count; i++)
        if (tile->u[i] == tile->u[vertex] && tile->v[i] == tile->v[vertex])
            low = fmin(low, quantized_height(tile, i));
    if (low > quantized_height(tile, vertex) - deep + 1e-9)
        fail_msg("%g m deep, not %g", quantized_height(tile, vertex) - low, deep);
}

void quantized_check_skirts(const struct quantized *tile, double deep)
{
    struct quantized surface = *tile;
    double areas[4] = { 0 };
    uint32_t hung = 0, sides = 0;

    surface.triangles = 0;
    surface.indices = malloc(3 * (size_t)tile->triangles * sizeof *surface.indices);
    for (uint32_t i = 0; i < tile->triangles; i++) {
        const uint32_t *c = tile->indices + 3 * i;
        int k;

        if (side_of(tile, c[0], c[1], tile->u[c[2]], tile->v[c[2]]) != 0) {
            memcpy(surface.indices + 3 * surface.triangles++, c, 3 * sizeof *c);
            continue;
        }
        k = edge_of(tile, c);
        areas[k] += hanging(tile, c, k);
        hung++;
    }
    quantized_check(&surface);
    for (int k = 0; k < 4; k++) {
        sides += tile->edge_counts[k] - 1;
        for (uint32_t i = 0; i < tile->edge_counts[k]; i++)
            check_below(tile, tile->edges[k][i], deep);
        /* No gap between them. */
        assert_true(areas[k] >= 2 * 32767 * deep * (1 - 1e-9) && areas[k] > 0);
    }
    assert_int_equal(hung, 2 * sides);
    free(surface.indices);
}
