/* Nodes of the quadtree as meshes, the selection of detail, and the mesh of what a camera sees. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/gltf.h"
#include "tests/terrain/cracks.h"

static struct gltf get_node(struct caller *caller, const char *rest)
{
    char target[200];
    struct gltf gltf;

    snprintf(target, sizeof target, LAND "/quadtree/%s", rest);
    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    gltf_read(caller->body, caller->length, &gltf);
    return gltf;
}

static struct gltf post_mesh(struct caller *caller, const char *body)
{
    struct gltf gltf;

    if (call(caller, "POST", LAND "/mesh", body) != 200)
        fail_msg("%s: %s", body, caller->body);
    gltf_read(caller->body, caller->length, &gltf);
    return gltf;
}

static struct caller *rough(void **state)
{
    struct caller *caller = land_begin(state);

    land_edit(caller,
              "{\"tool\":\"noise\",\"amplitude\":12,\"cell\":9,\"octaves\":3," LAND_ALL "}");
    return caller;
}

/* Of what stands upright: how deep it hangs at least, and how many triangles there are. */
static size_t curtains(const struct gltf *gltf, double *least)
{
    size_t count = 0;

    *least = INFINITY;
    for (size_t i = 0; i < gltf->triangles; i++) {
        const double *at[3];
        double up;

        for (size_t k = 0; k < 3; k++)
            at[k] = gltf->at[gltf->corners[i * 3 + k]];
        up = (at[1][2] - at[0][2]) * (at[2][0] - at[0][0]) -
             (at[1][0] - at[0][0]) * (at[2][2] - at[0][2]);
        if (up != 0)
            continue;
        count++;
        for (int k = 0; k < 3; k++) {
            const double *a = at[k], *b = at[(k + 1) % 3];

            if (a[0] == b[0] && a[2] == b[2])
                *least = fmin(*least, fabs(a[1] - b[1]));
        }
    }
    return count;
}

/* The way a triangle's front looks, east and south. */
static void assert_outward(const struct gltf *gltf, double west, double north, double east,
                           double south)
{
    for (size_t i = 0; i < gltf->triangles; i++) {
        const double *a = gltf->at[gltf->corners[i * 3]], *b = gltf->at[gltf->corners[i * 3 + 1]];
        const double *c = gltf->at[gltf->corners[i * 3 + 2]];
        double x = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
        double z = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        double up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);

        if (up != 0)
            continue;
        assert_true((a[0] == west && b[0] == west && c[0] == west && x < 0) ||
                    (a[0] == east && b[0] == east && c[0] == east && x > 0) ||
                    (a[2] == north && b[2] == north && c[2] == north && z < 0) ||
                    (a[2] == south && b[2] == south && c[2] == south && z > 0));
    }
}

/* SEA-06: of a rough landscape and of a flat one, in whole metres and as deep as is good. */
static void curtains_hang_when_they_are_asked_for(void **state)
{
    for (int flat = 0; flat < 2; flat++) {
        struct caller *caller = flat ? *state : rough(state);
        struct gltf plain, five, good, simple;
        double depth, bound;

        if (flat) {
            call(caller, "DELETE", LAND, NULL);
            land_begin(state);
        }
        plain = get_node(caller, "1/1/0.glb?leaf=64");
        five = get_node(caller, "1/1/0.glb?leaf=64&skirts=5");
        good = get_node(caller, "1/1/0.glb?leaf=64&skirts=true");
        assert_int_equal(curtains(&plain, &depth), 0);
        /* Quads 64 to 126 across, 0 to 64 down: two triangles for each edge of the border. */
        assert_int_equal(plain.triangles, 62 * 64 * 2);
        assert_int_equal(curtains(&five, &depth), 2 * 2 * (62 + 64));
        assert_true(depth >= 5 - 1e-4 && depth < 5 + 1e-4);
        assert_outward(&five, 64, 0, 126, 64);
        assert_int_equal(curtains(&good, &depth), 2 * 2 * (62 + 64));
        assert_true(depth >= 1 - 1e-4);
        simple = get_node(caller, "0/0/0.glb?leaf=64&max_error=3&skirts=0.001");
        bound = gltf_extra(&simple, "bound");
        assert_true(curtains(&simple, &depth) >= 2 * 4);
        assert_true(depth >= fmax(bound, 0.001) - 1e-4); /* never less deep than it is off */
        assert_true(flat ? bound == 0 : bound > 0);
        gltf_free(&plain);
        gltf_free(&five);
        gltf_free(&good);
        gltf_free(&simple);
    }
}

static void nodes_keep_within_the_error_that_they_say(void **state)
{
    struct caller *caller = rough(state);
    static const char *const asked[] = { "1/0/0.glb", "0/0/0.glb",
                                         "0/0/0.glb?grid=16&merge_angle=4",
                                         "1/1/1.glb?max_error=0.5", "0/0/0.glb?max_error=1.5" };

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        struct gltf gltf = get_node(caller, asked[i]);
        double bound = atof(caller_header(caller, "Landscape-Mesh-Error"));

        assert_true(bound == gltf_extra(&gltf, "bound"));
        /* At their own step, only the edge strips are split otherwise than the landscape is. */
        assert_true(i == 0 ? bound < 3 : bound > 0);
        assert_true(i != 3 || bound <= 0.5);
        gltf_assert_upward(&gltf, false);
        gltf_free(&gltf);
    }
}

static void what_no_node_is_is_refused(void **state)
{
    struct caller *caller = land_begin(state);

    call(caller, "GET", LAND "/quadtree/2/0/0.glb", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", LAND "/quadtree/1/2/0.glb", NULL);
    assert_refused(caller, 404, "");
    call(caller, "GET", LAND "/quadtree/0/0/0.glb?leaf=48", NULL);
    assert_refused(caller, 400, "leaf");
    call(caller, "GET", LAND "/quadtree/0/0/0.glb?leaf=32&grid=64", NULL);
    assert_refused(caller, 400, "grid");
    call(caller, "GET", LAND "/quadtree/0/0/0.glb?leaf=512&max_error=1", NULL);
    assert_refused(caller, 400, "grid");
    call(caller, "GET", LAND "/quadtree/0/0/0.glb?frame_out=ecef", NULL);
    assert_refused(caller, 422, "frame_out");
    assert_int_equal(call(caller, "GET", LAND "/quadtree/0/0/0.glb?leaf=512", NULL), 200);
    assert_int_equal(call(caller, "GET", LAND "/quadtree/0/0/0.glb?v=7", NULL), 200);
}

/* What lies wholly elsewhere leaves a node's name, to the level. */
static void a_nodes_name_changes_with_its_bytes(void **state)
{
    static const char *const nodes[] = { "1/0/0.glb", "1/0/0.glb?max_error=1", "1/1/1.glb" };
    struct caller *caller = rough(state);
    char etags[3][80];

    for (int i = 0; i < 3; i++) {
        struct gltf gltf = get_node(caller, nodes[i]);

        snprintf(etags[i], sizeof etags[i], "%s", caller_header(caller, "ETag"));
        gltf_free(&gltf);
    }
    land_edit(caller, "{\"tool\":\"raise\",\"amount\":3,\"path\":[[120,120]],\"radius\":2}");
    for (int i = 0; i < 3; i++) {
        struct gltf gltf = get_node(caller, nodes[i]);

        assert_int_equal(strcmp(caller_header(caller, "ETag"), etags[i]) == 0, i < 2);
        gltf_free(&gltf);
    }
}

/* As the checker has meshes: column, row, height. Components' vertices move as they morph, and on
 * rough ground some triangles turn over. */
static void assert_whole(const struct gltf *gltf, bool folds)
{
    struct cracks_ground ground = { 126, 126, NULL };
    struct cracks_rule rule = cracks_ground_rule(&ground);
    struct fault why = { 0 };
    struct mesh mesh;

    rule.folds = folds;
    mesh_init(&mesh, false);
    assert_true(mesh_reserve(&mesh, gltf->vertices, gltf->triangles * 3, &why));
    for (size_t i = 0; i < gltf->vertices; i++)
        mesh_vertex(&mesh, gltf->at[i][0], gltf->at[i][2], gltf->at[i][1]);
    for (size_t i = 0; i < gltf->triangles * 3; i += 3)
        mesh_triangle(&mesh, gltf->corners[i], gltf->corners[i + 1], gltf->corners[i + 2]);
    cracks_assert_none(&mesh, &rule);
    mesh_free(&mesh);
}

#define NEAR_CAMERA                                                                                \
    "\"camera\":{\"position\":[10,10,20],\"target\":[63,63,0],\"fov\":60},\"width\":800,"          \
    "\"height\":600,\"everything\":true"

/* Near one corner, so that there are several levels, all of the landscape as one mesh. */
static void a_mesh_of_several_levels_has_no_crack(void **state)
{
    static const char *const bodies[] = {
        "{\"mode\":\"quadtree\",\"leaf\":8,\"factor\":1.5," NEAR_CAMERA "}",
        "{\"mode\":\"quadtree\",\"leaf\":16,\"grid\":8,\"split\":\"error\",\"balance\":"
        "2," NEAR_CAMERA "}",
        "{\"mode\":\"quadtree\",\"leaf\":8,\"merge_angle\":5,\"half_step\":true," NEAR_CAMERA "}",
        "{\"mode\":\"component\"," NEAR_CAMERA "}",
        "{\"mode\":\"quadtree\",\"max_error\":0.5," NEAR_CAMERA "}",
    };
    struct caller *caller = rough(state);

    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct gltf gltf = post_mesh(caller, bodies[i]);

        assert_true(gltf.triangles > 100);
        assert_whole(&gltf, i == 3);
        assert_true(gltf_extra(&gltf, "bound") ==
                    atof(caller_header(caller, "Landscape-Mesh-Error")));
        assert_int_equal(gltf_extra(&gltf, "version"), land_version(caller));
        gltf_free(&gltf);
    }
}

static void the_selection_adds_up(void **state)
{
    static const char *const bodies[] = {
        "{\"mode\":\"quadtree\",\"leaf\":8,\"camera\":{\"position\":[9,9,9],\"target\":[63,63,0]}}",
        "{\"mode\":\"component\",\"camera\":{\"position\":[10,10,20],\"target\":[63,63,0]}}",
        "{\"mode\":\"component\",\"per_section\":true,\"camera\":{\"fit\":true}}",
        "{\"mode\":\"quadtree\",\"camera\":{\"ortho\":{\"center\":[20,20],\"width\":30}}}",
    };
    struct caller *caller = rough(state);

    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        int64_t triangles = 0, draws = 0, visible = 0;
        char body[300];
        json_t *patches;
        size_t count, listed;

        assert_int_equal(call(caller, "POST", LAND "/lod", bodies[i]), 200);
        patches = caller_member(caller, "patches");
        count = json_array_size(patches);
        for (size_t k = 0; k < count; k++) {
            json_t *patch = json_array_get(patches, k);

            if (!json_is_true(json_object_get(patch, "visible")))
                continue;
            visible++;
            triangles += json_integer_value(json_object_get(patch, "triangles"));
            draws += json_integer_value(json_object_get(patch, "draws"));
        }
        assert_int_equal(caller_number(caller, "visible"), visible);
        assert_int_equal(caller_number(caller, "culled"), (int64_t)count - visible);
        assert_int_equal(caller_number(caller, "triangles"), triangles);
        assert_int_equal(caller_number(caller, "draws"), draws);
        snprintf(body, sizeof body, "{\"patches\":\"visible\",%s", bodies[i] + 1);
        assert_int_equal(call(caller, "POST", LAND "/lod", body), 200);
        listed = json_array_size(caller_member(caller, "patches"));
        assert_int_equal(listed, visible);
        assert_int_equal(call(caller, "POST", LAND "/lod?format=f32", bodies[i]), 200);
        assert_string_equal(caller_header(caller, "Content-Type"), "application/x-f32");
        assert_int_equal(caller->length, count * 22 * 4);
        snprintf(body, sizeof body, "{\"patches\":\"none\",%s", bodies[i] + 1);
        assert_int_equal(call(caller, "POST", LAND "/lod", body), 200);
        assert_true(json_is_null(caller_member(caller, "patches")));
        assert_int_equal(caller_number(caller, "triangles"), triangles);
    }
}

/* A listed node is the one at that address. */
static void a_patch_says_which_node_it_is(void **state)
{
    struct caller *caller = rough(state);
    json_t *patches;

    assert_int_equal(call(caller, "POST", LAND "/lod",
                          "{\"mode\":\"quadtree\",\"leaf\":8,\"camera\":{\"position\":[10,10,20],"
                          "\"target\":[63,63,0]}}"),
                     200);
    patches = json_incref(caller_member(caller, "patches"));
    for (size_t i = 0; i < json_array_size(patches); i += 7) {
        json_t *patch = json_array_get(patches, i), *index = json_object_get(patch, "index");
        double least = INFINITY, west = INFINITY, north = INFINITY;
        char rest[80];
        struct gltf gltf;

        snprintf(rest, sizeof rest, "%d/%d/%d.glb?leaf=8",
                 (int)json_integer_value(json_array_get(index, 0)),
                 (int)json_integer_value(json_array_get(index, 1)),
                 (int)json_integer_value(json_array_get(index, 2)));
        gltf = get_node(caller, rest);
        for (size_t k = 0; k < gltf.vertices; k++) {
            west = fmin(west, gltf.at[k][0]);
            least = fmin(least, gltf.at[k][1]);
            north = fmin(north, gltf.at[k][2]);
        }
        assert_true(west == json_number_value(json_object_get(patch, "x")));
        assert_true(north == json_number_value(json_object_get(patch, "y")));
        assert_true(least >= json_number_value(json_object_get(patch, "least")) - 1e-6);
        gltf_free(&gltf);
    }
    json_decref(patches);
}

static void what_no_selection_is_is_refused(void **state)
{
    static const struct {
        const char *body, *place;
    } wrong[] = {
        { "{\"camera\":{\"fit\":true}}", "/mode" },
        { "{\"mode\":\"quadtree\",\"camera\":{\"fit\":true,\"orbit\":{}}}", "/camera" },
        { "{\"mode\":\"quadtree\",\"lod\":1}", "/lod" },
        { "{\"mode\":\"component\",\"leaf\":8}", "/leaf" },
        { "{\"mode\":\"quadtree\",\"leaf\":24}", "/leaf" },
        { "{\"mode\":\"quadtree\",\"leaf\":16,\"grid\":32}", "/grid" },
        { "{\"mode\":\"quadtree\",\"near\":5,\"far\":4}", "/far" },
        { "{\"mode\":\"quadtree\",\"camera\":{\"position\":[1,1,1],\"target\":[1,1,1]}}",
          "/camera" },
    };
    struct caller *caller = land_begin(state);

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        call(caller, "POST", LAND "/lod", wrong[i].body);
        assert_refused(caller, 400, wrong[i].place);
        call(caller, "POST", LAND "/mesh", wrong[i].body);
        assert_refused(caller, 400, wrong[i].place);
    }
    call(caller, "POST", LAND "/mesh", "{\"mode\":\"component\",\"frame_out\":\"ecef\"}");
    assert_refused(caller, 422, "/frame_out");
    caller->service.limits.mesh_triangles = 100;
    call(caller, "POST", LAND "/mesh", "{\"mode\":\"component\",\"lod\":0,\"everything\":true}");
    assert_refused(caller, 413, "");
    assert_non_null(strstr(caller->body, "31752"));
    call(caller, "POST", LAND "/mesh", "{\"mode\":\"component\",\"max_error\":0}");
    assert_refused(caller, 413, ""); /* it has to end where the landscape does, 126 quads on */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(curtains_hang_when_they_are_asked_for),
        TEST(nodes_keep_within_the_error_that_they_say),
        TEST(what_no_node_is_is_refused),
        TEST(a_nodes_name_changes_with_its_bytes),
        TEST(a_mesh_of_several_levels_has_no_crack),
        TEST(the_selection_adds_up),
        TEST(a_patch_says_which_node_it_is),
        TEST(what_no_selection_is_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
