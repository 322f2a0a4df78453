/* Meshes through the API: what is exported, what reports say has gone wrong elsewhere, and what is
 * refused. Files are read by a strict reader of their own (tests/format/gltf.h). */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/gltf.h"

static struct gltf get_glb(struct caller *caller, const char *target)
{
    struct gltf gltf;

    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    assert_string_equal(caller_header(caller, "Content-Type"), "model/gltf-binary");
    gltf_read(caller->body, caller->length, &gltf);
    return gltf;
}

static struct gltf exported(struct caller *caller, const char *query)
{
    char target[200];

    snprintf(target, sizeof target, LAND "/export?format=glb%s", query);
    return get_glb(caller, target);
}

/* TIL-12: a landscape of each size, at full detail. */
static void indices_are_wide_enough(void **state)
{
    static const struct {
        const char *layout, *window;
        int columns, rows, type;
    } sizes[] = {
        { "{\"components\":[2,2],\"sections_per_component\":1,\"section_quads\":127}", "", 255, 255,
          5123 },
        { "{\"components\":[2,2],\"sections_per_component\":1,\"section_quads\":255}",
          "&width=256&height=256", 256, 256, 5125 },
        { "{\"components\":[4,2],\"sections_per_component\":2,\"section_quads\":63}", "", 505, 253,
          5125 },
    };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char body[200];
        struct gltf gltf;

        call(caller, "DELETE", LAND, NULL);
        snprintf(body, sizeof body, "{\"layout\":%s}", sizes[i].layout);
        assert_int_equal(call(caller, "PUT", LAND, body), 201);
        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":30,\"cell\":40,\"region\":{\"x\":0,"
                 "\"y\":0,\"width\":%d,\"height\":%d}}]}",
                 sizes[i].columns, sizes[i].rows);
        land_post(caller, LAND "/edits", body);
        gltf = exported(caller, sizes[i].window);
        assert_int_equal(gltf.vertices, sizes[i].columns * sizes[i].rows);
        assert_int_equal(gltf.triangles, 2 * (sizes[i].columns - 1) * (sizes[i].rows - 1));
        assert_int_equal(gltf.index_type, sizes[i].type);
        gltf_assert_upward(&gltf, false);
        gltf_free(&gltf);
    }
}

/* TIL-11: names of four lengths in a row make JSON of each length modulo four. */
static void a_glb_is_sound_whatever_its_name(void **state)
{
    struct caller *caller = *state;
    unsigned seen = 0;

    for (int length = 1; length <= 4; length++) {
        char target[100];
        struct gltf gltf;

        snprintf(target, sizeof target, "/v1/landscapes/%.*s", length, "name");
        assert_int_equal(
            call(caller, "PUT", target, "{\"layout\":{\"components\":[1,1],\"section_quads\":7}}"),
            201);
        strcat(target, "/export?format=glb");
        gltf = get_glb(caller, target);
        gltf_assert_upward(&gltf, false);
        seen |= 1u << gltf.json_length % 4;
        gltf_free(&gltf);
    }
    assert_int_equal(seen, 0xf);
}

static const float *normal_at(const struct gltf *gltf, double x, double z)
{
    for (size_t i = 0; i < gltf->vertices; i++)
        if (fabs(gltf->at[i][0] - x) < 1e-3 && fabs(gltf->at[i][2] - z) < 1e-3)
            return gltf->normals[i];
    fail_msg("no vertex at (%g, %g)", x, z);
    return NULL;
}

/* Seen from above, the triangles cover so many square metres in all: none twice, none missing. */
static void assert_area(const struct gltf *gltf, double expected)
{
    double sum = 0;

    for (size_t i = 0; i < gltf->triangles; i++) {
        const double *a = gltf->at[gltf->corners[i * 3]], *b = gltf->at[gltf->corners[i * 3 + 1]];
        const double *c = gltf->at[gltf->corners[i * 3 + 2]];

        sum += ((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])) / 2;
    }
    assert_true(fabs(sum - expected) < 1e-6 * expected);
}

/* SEA-01: both components that share column 63, and one mesh over all. */
static void normals_along_a_border_are_those_of_the_whole(void **state)
{
    struct caller *caller = land_begin_with(state, "surface/step_border.png");
    struct gltf west = exported(caller, "&x=0&y=0&width=64&height=64");
    struct gltf east = exported(caller, "&x=63&y=0&width=64&height=64");
    struct gltf all = exported(caller, "");
    bool leans = false;

    for (int row = 0; row < 64; row++) {
        const float *a = normal_at(&west, 63, row), *b = normal_at(&east, 63, row);
        const float *c = normal_at(&all, 63, row);

        assert_memory_equal(a, b, 3 * sizeof *a);
        assert_memory_equal(a, c, 3 * sizeof *a);
        leans |= a[0] != 0;
    }
    assert_true(leans); /* the step is seen from both sides */
    gltf_free(&west);
    gltf_free(&east);
    gltf_free(&all);
}

/* The same of components' own meshes, at their own address. */
static void a_components_mesh_is_its_part_of_the_whole(void **state)
{
    struct caller *caller = land_begin_with(state, "surface/step_border.png");
    struct gltf west = get_glb(caller, LAND "/components/0/0/mesh.glb");
    struct gltf east = get_glb(caller, LAND "/components/1/0/mesh.glb");
    struct gltf all = exported(caller, "");

    assert_int_equal(west.triangles, 2 * 63 * 63);
    gltf_assert_upward(&west, false);
    gltf_assert_upward(&east, false);
    assert_true(atof(caller_header(caller, "Landscape-Mesh-Error")) == 0);
    for (int row = 0; row < 64; row++) {
        const float *whole = normal_at(&all, 63, row), *own = normal_at(&west, 63, row);

        /* A component's are those of its texture, which has 8 bits for each axis. */
        assert_memory_equal(own, normal_at(&east, 63, row), 3 * sizeof *own);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabsf(own[axis] - whole[axis]) < 2.0f / 255);
    }
    gltf_free(&west);
    gltf_free(&east);
    gltf_free(&all);
    call(caller, "GET", LAND "/components/2/0/mesh.glb", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", LAND "/components/0/0/mesh.glb?lod=7", NULL);
    assert_refused(caller, 422, "lod");
}

/* A mesh is named by its bytes: a change far off leaves its name, one at its rim that turns a
 * normal does not; and what is kept says its error like what was just made. */
static void a_components_mesh_is_named_by_its_bytes(void **state)
{
    static const char mesh[] = LAND "/components/0/0/mesh.glb?lod=1";
    struct caller *caller = land_begin(state);
    char etag[80], error[40];

    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":9,\"cell\":5," LAND_ALL "}");
    assert_int_equal(call(caller, "GET", mesh, NULL), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    snprintf(error, sizeof error, "%s", caller_header(caller, "Landscape-Mesh-Error"));
    assert_true(atof(error) > 0);
    assert_int_equal(call(caller, "GET", mesh, NULL), 200);
    assert_string_equal(caller_header(caller, "Landscape-Mesh-Error"), error);
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3,\"path\":[[90,90]],\"radius\":0.5}");
    assert_int_equal(call(caller, "GET", mesh, NULL), 200);
    assert_string_equal(caller_header(caller, "ETag"), etag);
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3,\"path\":[[64,30]],\"radius\":0.5}");
    assert_int_equal(call(caller, "GET", mesh, NULL), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), etag);
}

static void holes_are_left_out_and_no_more(void **state)
{
    struct caller *caller = land_begin_with_all(state);
    struct gltf gltf = exported(caller, "");
    size_t solid = 0;

    assert_int_equal(call(caller, "GET", LAND "/holes?format=r8", NULL), 200);
    for (size_t i = 0; i < caller->length; i++)
        solid += caller->body[i] == 0;
    assert_int_equal(gltf.triangles, solid * 2);
    assert_true(solid < 126 * 126);
    gltf_free(&gltf);
}

/* The bound that is said holds at every vertex that was left out. */
static void a_coarse_mesh_says_how_far_it_is_off(void **state)
{
    struct caller *caller = land_begin_with(state, "png/gray16_asym_127.png");
    double last = -1;

    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":9,\"cell\":5," LAND_ALL "}");
    for (int lod = 0; lod <= 16; lod += lod < 3 ? 1 : 13) {
        char query[60];
        struct gltf gltf;
        double bound;

        snprintf(query, sizeof query, "&lod=%d", lod);
        gltf = exported(caller, query);
        bound = atof(caller_header(caller, "Landscape-Mesh-Error"));
        assert_true(bound == gltf_extra(&gltf, "bound"));
        assert_true(lod == 0 ? bound == 0 : bound > 0);
        assert_true(lod != 16 || gltf.triangles == 2);
        last = bound;
        gltf_free(&gltf);
    }
    assert_int_equal(call(caller, "GET", LAND "/export?format=obj&lod=16", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "model/obj");
    assert_true(atof(caller_header(caller, "Landscape-Mesh-Error")) == last);
    assert_non_null(strstr(caller->body, "m above or below"));
    assert_int_equal(call(caller, "GET", LAND "/export?format=stl&lod=2", NULL), 200);
    assert_int_equal(caller->length, 84 + 50 * 2 * 32 * 32);
    assert_string_equal(caller_header(caller, "Content-Disposition"),
                        "attachment; filename=\"land.stl\"");
}

/* At an error bound: within it at every vertex of the landscape, with fewer triangles. */
static void a_mesh_within_an_error_keeps_to_it(void **state)
{
    struct caller *caller = land_begin(state);
    size_t last = 0;

    land_edit(caller, "{\"tool\":\"noise\",\"amplitude\":9,\"cell\":9," LAND_ALL "}");
    for (int i = 0; i < 4; i++) {
        static const double errors[] = { 0, 0.1, 1, 1000 };
        char query[60];
        struct gltf gltf;
        double bound;

        snprintf(query, sizeof query, "&max_error=%g", errors[i]);
        gltf = exported(caller, query);
        bound = gltf_extra(&gltf, "bound");
        assert_true(bound <= errors[i] &&
                    bound == atof(caller_header(caller, "Landscape-Mesh-Error")));
        assert_true(i == 0 || gltf.triangles < last);
        gltf_assert_upward(&gltf, false);
        assert_area(&gltf, 126.0 * 126);
        last = gltf.triangles;
        gltf_free(&gltf);
    }
    call(caller, "GET", LAND "/export?format=glb&max_error=1&lod=1", NULL);
    assert_refused(caller, 400, "max_error");
    call(caller, "GET", LAND "/export?format=glb&max_error=1&x=8&y=17", NULL);
    assert_refused(caller, 422, "y");
    call(caller, "GET", LAND "/export?format=glb&max_error=1&x=8&y=16&width=18&height=17", NULL);
    assert_refused(caller, 422, "width");
    assert_int_equal(call(caller, "GET",
                          LAND "/export?format=obj&max_error=1&x=8&y=16&width=17&height=33", NULL),
                     200);
}

static void what_no_mesh_can_be_is_refused(void **state)
{
    struct caller *caller = land_begin(state);

    call(caller, "GET", LAND "/export?format=glb&step=2", NULL);
    assert_refused(caller, 400, "step");
    call(caller, "GET", LAND "/export?format=png16&lod=2", NULL);
    assert_refused(caller, 400, "lod");
    call(caller, "GET", LAND "/export?format=r16&normals=false", NULL);
    assert_refused(caller, 400, "normals");
    call(caller, "GET", LAND "/export?format=glb&width=1", NULL);
    assert_refused(caller, 422, "width");
    caller->service.limits.mesh_triangles = 2 * 126 * 126 - 1;
    call(caller, "GET", LAND "/export?format=glb", NULL);
    assert_refused(caller, 413, "");
    assert_non_null(strstr(caller->body, "31752"));
    assert_non_null(strstr(caller->body, "31751"));
    assert_int_equal(call(caller, "GET", LAND "/export?format=glb&lod=1", NULL), 200);
}

/* What changes beside a window may turn the normals on its border, and nothing further off. */
static void an_export_is_named_by_what_it_depends_on(void **state)
{
    static const char window[] = LAND "/export?format=glb&x=10&y=10&width=20&height=20";
    struct caller *caller = land_begin(state);
    char etag[80];

    assert_int_equal(call(caller, "GET", window, NULL), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3,\"path\":[[30,20]],\"radius\":0.5}");
    assert_int_equal(call(caller, "GET", window, NULL), 200);
    assert_string_not_equal(caller_header(caller, "ETag"), etag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(indices_are_wide_enough),
        TEST(a_glb_is_sound_whatever_its_name),
        TEST(normals_along_a_border_are_those_of_the_whole),
        TEST(a_components_mesh_is_its_part_of_the_whole),
        TEST(a_components_mesh_is_named_by_its_bytes),
        TEST(holes_are_left_out_and_no_more),
        TEST(a_coarse_mesh_says_how_far_it_is_off),
        TEST(a_mesh_within_an_error_keeps_to_it),
        TEST(what_no_mesh_can_be_is_refused),
        TEST(an_export_is_named_by_what_it_depends_on),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
