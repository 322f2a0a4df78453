#include "tests/format/gltf.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float f32(const unsigned char *at)
{
    uint32_t bits = u32(at);
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static json_int_t whole(const json_t *from, const char *name)
{
    json_t *value = json_object_get(from, name);

    if (!json_is_integer(value))
        fail_msg("%s is no whole number", name);
    return json_integer_value(value);
}

/* The bytes of an accessor, tightly packed elements of so many bytes. */
static const unsigned char *accessor(const struct gltf *gltf, size_t number, size_t element,
                                     const unsigned char *bin, size_t bin_length, size_t *count)
{
    json_t *row = json_array_get(json_object_get(gltf->json, "accessors"), number);
    json_t *views = json_object_get(gltf->json, "bufferViews");
    json_t *view = json_array_get(views, (size_t)whole(row, "bufferView"));
    json_t *offset = json_object_get(view, "byteOffset");
    size_t at = offset ? (size_t)json_integer_value(offset) : 0;
    size_t length = (size_t)whole(view, "byteLength");

    *count = (size_t)whole(row, "count");
    assert_int_equal(whole(view, "buffer"), 0);
    assert_int_equal(at % 4, 0);
    assert_int_equal(length, *count * element);
    assert_true(at + length <= bin_length);
    return bin + at;
}

static void read_positions(struct gltf *gltf, const json_t *primitive, const unsigned char *bin,
                           size_t bin_length)
{
    size_t number = (size_t)whole(json_object_get(primitive, "attributes"), "POSITION");
    json_t *row = json_array_get(json_object_get(gltf->json, "accessors"), number);
    const unsigned char *from = accessor(gltf, number, 12, bin, bin_length, &gltf->vertices);
    float low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };

    assert_int_equal(whole(row, "componentType"), 5126);
    assert_string_equal(json_string_value(json_object_get(row, "type")), "VEC3");
    gltf->at = malloc(gltf->vertices * sizeof *gltf->at);
    for (size_t i = 0; i < gltf->vertices * 3; i++) {
        float value = f32(from + i * 4);

        assert_true(isfinite(value));
        low[i % 3] = value < low[i % 3] ? value : low[i % 3];
        high[i % 3] = value > high[i % 3] ? value : high[i % 3];
        gltf->at[i / 3][i % 3] = value + gltf->translation[i % 3];
    }
    for (size_t axis = 0; axis < 3; axis++) {
        double least = json_number_value(json_array_get(json_object_get(row, "min"), axis));
        double most = json_number_value(json_array_get(json_object_get(row, "max"), axis));

        assert_true(least == (double)low[axis]); /* to the bit, so that no rounding is left out */
        assert_true(most == (double)high[axis]);
    }
}

static void read_normals(struct gltf *gltf, const json_t *primitive, const unsigned char *bin,
                         size_t bin_length)
{
    json_t *normal = json_object_get(json_object_get(primitive, "attributes"), "NORMAL");
    const unsigned char *from;
    size_t count;

    if (!normal)
        return;
    from = accessor(gltf, (size_t)json_integer_value(normal), 12, bin, bin_length, &count);
    assert_int_equal(count, gltf->vertices);
    gltf->normals = malloc(count * sizeof *gltf->normals);
    for (size_t i = 0; i < count; i++) {
        double square = 0;

        for (int axis = 0; axis < 3; axis++) {
            gltf->normals[i][axis] = f32(from + i * 12 + (size_t)axis * 4);
            square += (double)gltf->normals[i][axis] * gltf->normals[i][axis];
        }
        assert_true(fabs(sqrt(square) - 1) < 1e-6);
    }
}

static void read_indices(struct gltf *gltf, const json_t *primitive, const unsigned char *bin,
                         size_t bin_length)
{
    size_t number = (size_t)whole(primitive, "indices"), count, size;
    json_t *row = json_array_get(json_object_get(gltf->json, "accessors"), number);
    const unsigned char *from;

    gltf->index_type = (int)whole(row, "componentType");
    assert_true(gltf->index_type == 5123 || gltf->index_type == 5125);
    size = gltf->index_type == 5123 ? 2 : 4;
    from = accessor(gltf, number, size, bin, bin_length, &count);
    assert_int_equal(count % 3, 0);
    gltf->triangles = count / 3;
    gltf->corners = malloc((count + 1) * sizeof *gltf->corners);
    for (size_t i = 0; i < count; i++) {
        gltf->corners[i] = size == 4 ? u32(from + i * 4)
                                     : (uint32_t)(from[i * 2] | (uint32_t)from[i * 2 + 1] << 8);
        assert_true(gltf->corners[i] < gltf->vertices);
        assert_true(size == 4 || gltf->corners[i] != 65535);
    }
}

static void read_scene(struct gltf *gltf, const unsigned char *bin, size_t bin_length,
                       size_t bin_padded)
{
    json_t *nodes = json_object_get(gltf->json, "nodes"), *node = json_array_get(nodes, 0);
    json_t *meshes = json_object_get(gltf->json, "meshes");
    json_t *primitives = json_object_get(json_array_get(meshes, 0), "primitives");
    json_t *primitive = json_array_get(primitives, 0);

    if (!node) {
        assert_null(meshes);
        assert_null(bin);
        return;
    }
    assert_int_equal(json_array_size(nodes), 1);
    assert_int_equal(json_array_size(meshes), 1);
    assert_int_equal(json_array_size(primitives), 1);
    for (size_t axis = 0; axis < 3; axis++)
        gltf->translation[axis] =
            json_number_value(json_array_get(json_object_get(node, "translation"), axis));
    for (size_t i = bin_length; i < bin_padded; i++)
        assert_int_equal(bin[i], 0);
    read_positions(gltf, primitive, bin, bin_length);
    read_normals(gltf, primitive, bin, bin_length);
    read_indices(gltf, primitive, bin, bin_length);
}

void gltf_read(const void *data, size_t length, struct gltf *gltf)
{
    const unsigned char *file = data, *bin = NULL;
    size_t json_padded, bin_padded = 0, bin_length = 0;
    json_t *asset, *buffer;

    *gltf = (struct gltf){ 0 };
    assert_true(length >= 20);
    assert_int_equal(u32(file), 0x46546c67);
    assert_int_equal(u32(file + 4), 2);
    assert_int_equal(u32(file + 8), length);
    json_padded = u32(file + 12);
    assert_int_equal(json_padded % 4, 0);
    assert_int_equal(u32(file + 16), 0x4e4f534a);
    assert_true(20 + json_padded <= length);
    gltf->json = json_loadb((const char *)file + 20, json_padded, 0, NULL);
    assert_non_null(gltf->json);
    for (gltf->json_length = json_padded; file[20 + gltf->json_length - 1] == ' ';)
        gltf->json_length--;
    assert_int_equal(file[20 + gltf->json_length - 1], '}');
    assert_true(json_padded - gltf->json_length < 4);
    asset = json_object_get(gltf->json, "asset");
    assert_string_equal(json_string_value(json_object_get(asset, "version")), "2.0");
    assert_string_equal(json_string_value(json_object_get(asset, "generator")), "landscaped");
    buffer = json_array_get(json_object_get(gltf->json, "buffers"), 0);
    if (buffer) {
        assert_true(28 + json_padded <= length);
        bin_padded = u32(file + 20 + json_padded);
        assert_int_equal(bin_padded % 4, 0);
        assert_int_equal(u32(file + 24 + json_padded), 0x004e4942);
        assert_int_equal(28 + json_padded + bin_padded, length);
        bin = file + 28 + json_padded;
        bin_length = (size_t)whole(buffer, "byteLength");
        assert_true(bin_length <= bin_padded && bin_padded - bin_length < 4);
    } else {
        assert_int_equal(20 + json_padded, length);
    }
    read_scene(gltf, bin, bin_length, bin_padded);
}

void gltf_free(struct gltf *gltf)
{
    free(gltf->at);
    free(gltf->normals);
    free(gltf->corners);
    json_decref(gltf->json);
    *gltf = (struct gltf){ 0 };
}

double gltf_extra(const struct gltf *gltf, const char *name)
{
    json_t *extras = json_object_get(json_object_get(gltf->json, "asset"), "extras");
    json_t *value = json_object_get(extras, name);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

void gltf_assert_upward(const struct gltf *gltf, bool steep)
{
    for (size_t i = 0; i < gltf->triangles; i++) {
        const uint32_t *corners = gltf->corners + i * 3;
        const double *a = gltf->at[corners[0]], *b = gltf->at[corners[1]],
                     *c = gltf->at[corners[2]];
        /* The Y of (b - a) x (c - a). */
        double up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);

        assert_true(steep ? up >= 0 : up > 0);
    }
}
