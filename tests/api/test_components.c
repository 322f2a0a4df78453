/* Index buffers, mobile vertices and the documents of components, through their endpoints. */
#include "tests/api/caller.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/layout.h"
#include "terrain/core/mobile.h"
#include "tests/format/judge.h"
#include "tests/terrain/vectors.h"

static const char plain[] = "{\"layout\":{\"components\":[2,2],\"sections_per_component\":2,"
                            "\"section_quads\":7}}";

static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/plain", plain), 201);
    assert_int_equal(
        call(
            caller, "POST", "/v1/landscapes/plain/edits?frame=grid",
            "{\"ops\":[{\"tool\":\"noise\",\"region\":{\"x\":0,\"y\":0,\"width\":29,\"height\":29},"
            "\"amplitude\":20,\"cell\":5,\"seed\":2},{\"tool\":\"hole\",\"path\":[[20,10]],"
            "\"radius\":2}]}"),
        200);
    return caller;
}

static uint32_t number_in(const char *bytes, size_t i, int size)
{
    const unsigned char *at = (const unsigned char *)bytes + i * (size_t)size;
    uint32_t number = 0;

    for (int k = size; k-- > 0;)
        number = number << 8 | at[k];
    return number;
}

/* Every key and level there is, in both widths. */
static void index_buffers_are_those_of_their_keys(void **state)
{
    struct caller *caller = *state;

    for (int32_t i = 0; layout_section_quads[i]; i++) {
        for (int32_t k = 0; k < 8; k++) {
            struct layout layout = { { 1, 1 }, 1 + (k & 1), layout_section_quads[i] };
            uint32_t key = layout_buffer_key(&layout, k & 2, k & 4);
            int size = layout_index_bits(&layout) / 8;
            char target[100];

            if (layout.section_quads > 127 && k != 3)
                continue; /* one of the large ones is enough */
            for (int32_t lod = 0; lod < layout_lods(layout.section_quads); lod++) {
                size_t count = (size_t)layout_lod_indices(&layout, lod);
                uint32_t *indices = malloc(count * sizeof *indices);

                snprintf(target, sizeof target,
                         lod & 1 ? "/v1/index-buffers/0x%X/%d" : "/v1/index-buffers/%u/%d", key,
                         lod);
                assert_int_equal(call(caller, "GET", target, NULL), 200);
                assert_int_equal(caller->length, count * (size_t)size);
                layout_index_buffer(&layout, lod, k & 2, indices);
                for (size_t n = 0; n < count; n++)
                    if (number_in(caller->body, n, size) != indices[n])
                        fail_msg("%s: index %zu", target, n);
                assert_non_null(strstr(caller_header(caller, "Cache-Control"), "immutable"));
                free(indices);
            }
        }
    }
}

static void index_buffers_that_are_none_are_refused(void **state)
{
    static const struct {
        const char *target, *place;
        int status;
    } cases[] = {
        { "/v1/index-buffers/x/0", "key", 400 },
        { "/v1/index-buffers/-1/0", "key", 400 },
        { "/v1/index-buffers/0x/0", "key", 400 },
        { "/v1/index-buffers/4294967296/0", "key", 400 },
        { "/v1/index-buffers/99999999999999999/0", "key", 400 },
        { "/v1/index-buffers/1e3/0", "key", 400 },
        { "/v1/index-buffers/0/0", "", 404 },
        { "/v1/index-buffers/0x12/0", "", 404 },     /* q 3 */
        { "/v1/index-buffers/0x19/0", "", 404 },     /* q 511 */
        { "/v1/index-buffers/0x33/0", "", 404 },     /* 3 sections */
        { "/v1/index-buffers/0x100013/0", "", 404 }, /* a bit that means nothing */
        { "/v1/index-buffers/0x13/3", "", 404 },     /* one level too many */
        { "/v1/index-buffers/0x13/8", "lod", 400 },
        { "/v1/index-buffers/0x40000013/0?order=first_use", "order", 422 },
        { "/v1/landscapes/plain/index-buffers/0x13/0", "", 404 }, /* another layout's */
        { "/v1/landscapes/none/index-buffers/0x23/0", "", 404 },
    };
    struct caller *caller = begin(state);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        call(caller, "GET", cases[i].target, NULL);
        assert_refused(caller, cases[i].status, cases[i].place);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/index-buffers/0xC0000023/2", NULL),
                     200);
    assert_int_equal(caller->length, 2 * 6 * 4);
    assert_non_null(caller_header(caller, "ETag"));
}

/* The document leads to buffers that fit the vertices. */
static void a_document_leads_to_what_draws_the_component(void **state)
{
    struct caller *caller = begin(state);
    char mesh[200], buffer[200], mobile[200];

    caller_paint(caller, "plain", "grass", true);
    assert_int_equal(call(caller, "POST", "/v1/landscapes/plain/edits?frame=grid",
                          "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":29,\"height\":29}}]}"),
                     200);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/components/1/0", NULL), 200);
    assert_true(caller_number(caller, "index_buffer_keys.pc") == 0x40000023);
    assert_true(caller_number(caller, "index_buffer_keys.mobile") == 0x23);
    assert_int_equal(json_array_size(caller_member(caller, "neighbours")), 2);
    assert_string_equal(caller_text(caller, "neighbours.0.side"), "west");
    assert_string_equal(caller_text(caller, "neighbours.0.self"),
                        "/v1/landscapes/plain/components/0/0");
    assert_string_equal(caller_text(caller, "neighbours.1.side"), "south");
    assert_int_equal(caller_number(caller, "neighbours.1.component.0"), 1);
    assert_int_equal(caller_number(caller, "neighbours.1.component.1"), 1);
    assert_string_equal(caller_text(caller, "links.weightmaps.0"),
                        "/v1/landscapes/plain/components/1/0/weightmap/0.png");
    assert_int_equal(json_array_size(caller_member(caller, "links.weightmaps")), 1);
    snprintf(mesh, sizeof mesh, "%s", caller_text(caller, "links.mesh"));
    snprintf(buffer, sizeof buffer, "%s", caller_text(caller, "lods.1.mobile_index_buffer"));
    snprintf(mobile, sizeof mobile, "%s", caller_text(caller, "links.mobile"));
    assert_string_equal(mesh, "/v1/landscapes/plain/components/1/0/mesh.glb?lod=0");
    assert_int_equal(call(caller, "GET", buffer, NULL), 200);
    assert_int_equal(caller->length, 2 * 6 * 9 * 4);
    assert_int_equal(call(caller, "GET", mobile, NULL), 200);
    assert_int_equal(caller->length, 16 * 16 * MOBILE_BYTES);
}

/* A triangle of either order's buffers is the same triangle. */
static void vertices_and_indices_go_together_in_either_order(void **state)
{
    struct caller *caller = begin(state);
    static const char *const forms[] = { "delta", "minmax" };

    for (int form = 0; form < 2; form++) {
        char *vertices[2], *indices[2];
        size_t count = 0;

        for (int order = 0; order < 2; order++) {
            char target[200];

            snprintf(target, sizeof target,
                     "/v1/landscapes/plain/components/1/0/mobile.bin?form=%s&order=%s", forms[form],
                     order ? "first_use" : "grid");
            assert_int_equal(call(caller, "GET", target, NULL), 200);
            assert_int_equal(caller->length, 16 * 16 * MOBILE_BYTES);
            vertices[order] = malloc(caller->length);
            memcpy(vertices[order], caller->body, caller->length);
            snprintf(target, sizeof target, "/v1/index-buffers/0x23/1?order=%s",
                     order ? "first_use" : "grid");
            assert_int_equal(call(caller, "GET", target, NULL), 200);
            indices[order] = malloc(caller->length);
            memcpy(indices[order], caller->body, caller->length);
            count = caller->length / 2;
        }
        assert_memory_not_equal(indices[0], indices[1], count * 2);
        for (size_t i = 0; i < count; i++) {
            uint32_t one = number_in(indices[0], i, 2), other = number_in(indices[1], i, 2);

            assert_memory_equal(vertices[0] + one * MOBILE_BYTES,
                                vertices[1] + other * MOBILE_BYTES, MOBILE_BYTES);
            assert_true(other < 4 * 4 * 4); /* those of level 1 stand at the head */
        }
        for (int order = 0; order < 2; order++) {
            free(vertices[order]);
            free(indices[order]);
        }
    }
}

/* What the bytes say of heights and holes is what the rasters say, within the bound. */
static void mobile_vertices_are_the_ground(void **state)
{
    struct caller *caller = begin(state);
    uint8_t packed[16 * 16 * MOBILE_BYTES];
    int holes = 0;

    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/components/1/0/mobile.bin", NULL),
                     200);
    memcpy(packed, caller->body, sizeof packed);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/heights?format=r16", NULL), 200);
    for (int i = 0; i < 16 * 16; i++) {
        struct mobile_vertex vertex;
        double codes[MOBILE_LODS];
        int at, span = packed[i * MOBILE_BYTES + 3] * 256;

        mobile_decode(packed + i * MOBILE_BYTES, MOBILE_DELTA, codes, &vertex);
        at = (vertex.sy * 7 + vertex.y) * 29 + 14 + vertex.sx * 7 + vertex.x;
        assert_float_equal(codes[0], number_in(caller->body, (size_t)at, 2), span / 510.0 + 1e-9);
    }
    assert_int_equal(call(caller, "GET", "/v1/landscapes/plain/holes?format=r8", NULL), 200);
    for (int i = 0; i < 16 * 16; i++) {
        struct mobile_vertex vertex;
        double codes[MOBILE_LODS];
        int x, y;

        mobile_decode(packed + i * MOBILE_BYTES, MOBILE_DELTA, codes, &vertex);
        x = 14 + vertex.sx * 7 + vertex.x;
        y = vertex.sy * 7 + vertex.y;
        assert_int_equal(vertex.hole, x < 28 && caller->body[y * 28 + x]);
        holes += vertex.hole;
    }
    assert_true(holes > 4);
}

static void mobile_vertices_change_with_what_they_hold(void **state)
{
    struct caller *caller = begin(state);
    char etag[2][256];

    for (int i = 0; i < 2; i++) {
        assert_int_equal(call(caller, "GET",
                              i ? "/v1/landscapes/plain/components/1/1/mobile.bin"
                                : "/v1/landscapes/plain/components/0/0/mobile.bin?form=minmax",
                              NULL),
                         200);
        snprintf(etag[i], sizeof etag[i], "%s", caller_header(caller, "ETag"));
    }
    caller->type = "application/x-r16";
    assert_int_equal(
        call_bytes(caller, "PUT", "/v1/landscapes/plain/heights?x=3&y=3&width=1&height=1", "ab", 2),
        200);
    caller->if_none_match = etag[0];
    assert_int_equal(
        call(caller, "GET", "/v1/landscapes/plain/components/0/0/mobile.bin?form=minmax", NULL),
        200);
    call(caller, "GET", "/v1/landscapes/plain/components/2/0/mobile.bin", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", "/v1/landscapes/plain/components/0/0/mobile.bin?form=float", NULL);
    assert_refused(caller, 400, "form");
}

/* A landscape of the reference, with its heights. */
static void put_land(struct caller *caller, const char *id, int across, int down, int sections,
                     int quads, const json_t *list)
{
    uint16_t *codes = vectors_codes(list);
    int columns = across * sections * quads + 1, rows = down * sections * quads + 1;
    char *bytes = malloc((size_t)columns * (size_t)rows * 2);
    char text[300];

    for (int i = 0; i < columns * rows; i++) {
        bytes[2 * i] = (char)codes[i];
        bytes[2 * i + 1] = (char)(codes[i] >> 8);
    }
    snprintf(text, sizeof text,
             "{\"layout\":{\"components\":[%d,%d],\"sections_per_component\":%d,"
             "\"section_quads\":%d},\"scale\":[100,100,100]}",
             across, down, sections, quads);
    snprintf(text + 200, 100, "/v1/landscapes/%s", id);
    assert_int_equal(call(caller, "PUT", text + 200, text), 201);
    snprintf(text, sizeof text, "/v1/landscapes/%s/heights?width=%d&height=%d", id, columns, rows);
    caller->type = "application/x-r16";
    assert_int_equal(call_bytes(caller, "PUT", text, bytes, (size_t)columns * (size_t)rows * 2),
                     200);
    free(bytes);
    free(codes);
}

static uint8_t *texture(struct caller *caller, const char *id, int cx, int cy, int mip, int side)
{
    int width, height, channels;
    char target[200];
    uint8_t *rgba;

    snprintf(target, sizeof target, "/v1/landscapes/%s/components/%d/%d/heightmap.png?mip=%d", id,
             cx, cy, mip);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    rgba = judge_png(caller->body, caller->length, &width, &height, &channels);
    assert_non_null(rgba);
    assert_int_equal(width, side);
    assert_int_equal(height, side);
    assert_int_equal(channels, 4);
    return rgba;
}

/* Height and normal of every texel, the rows that sections share twice. */
static void textures_are_those_of_the_reference(void **state)
{
    struct caller *caller = *state;
    json_t *file = vectors_open("02_codec"), *land = json_object_get(file, "textures");
    int across = vectors_int(land, "nx"), down = vectors_int(land, "ny");
    int sections = vectors_int(land, "s"), quads = vectors_int(land, "q");
    int side = sections * (quads + 1);

    for (int axis = 0; axis < 3; axis++)
        assert_true(vectors_at(json_object_get(land, "scale"), (size_t)axis) == 100);
    put_land(caller, "codec", across, down, sections, quads, json_object_get(land, "heights"));
    for (int c = 0; c < across * down; c++) {
        const json_t *texels = json_array_get(json_object_get(land, "components"), (size_t)c);
        uint8_t *rgba = texture(caller, "codec", c % across, c / across, 0, side);

        if (json_is_object(texels))
            texels = json_object_get(texels, "rgba");
        for (int i = 0; i < 4 * side * side; i++)
            assert_int_equal(rgba[i], vectors_at(texels, (size_t)i));
        free(rgba);
    }
    json_decref(file);
}

static void coarser_textures_are_those_of_the_reference(void **state)
{
    struct caller *caller = *state;
    json_t *file = vectors_open("03_mips"), *section;
    size_t n;

    json_array_foreach(json_object_get(file, "sections"), n, section)
    {
        int quads = vectors_int(section, "q");
        char id[40];

        snprintf(id, sizeof id, "section-%zu", n);
        put_land(caller, id, 1, 1, 1, quads, json_object_get(section, "heights"));
        for (int mip = 1; mip < layout_lods(quads); mip++) {
            const json_t *list = json_array_get(json_object_get(section, "mip"), (size_t)mip - 1);
            int side = (quads + 1) >> mip;
            uint8_t *rgba = texture(caller, id, 0, 0, mip, side);

            for (int i = 0; i < side * side; i++)
                assert_int_equal(rgba[4 * i] << 8 | rgba[4 * i + 1], vectors_at(list, (size_t)i));
            free(rgba);
        }
    }
    json_decref(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(index_buffers_are_those_of_their_keys),
        TEST(index_buffers_that_are_none_are_refused),
        TEST(a_document_leads_to_what_draws_the_component),
        TEST(vertices_and_indices_go_together_in_either_order),
        TEST(mobile_vertices_are_the_ground),
        TEST(mobile_vertices_change_with_what_they_hold),
        TEST(textures_are_those_of_the_reference),
        TEST(coarser_textures_are_those_of_the_reference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
