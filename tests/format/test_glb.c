/* Meshes as files: GLB by a strict reader, OBJ and STL by what they say of the same mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/earth.h"
#include "terrain/format/mesh_format.h"
#include "terrain/lod/window_mesh.h"
#include "tests/format/gltf.h"
#include "tests/terrain/ground.h"

static const struct mesh_note note = { "hills", 7, 0.25 };

static struct mesh mesh_of(const struct view *view, struct rect window, int32_t step, bool normals)
{
    struct window_grid grid = { window, step, HOLES_ALL };
    struct fault why = { 0 };
    struct mesh mesh;

    mesh_init(&mesh, normals);
    assert_true(window_mesh(view, &grid, &mesh, &why));
    return mesh;
}

/* Every vertex stands where the landscape's is, and the right way round. */
static void assert_places(const struct view *view, const struct mesh *mesh, const struct gltf *gltf)
{
    const struct grid *grid = view_grid(view);

    assert_int_equal(gltf->vertices, mesh->vertex_count);
    assert_int_equal(gltf->triangles * 3, mesh->index_count);
    assert_memory_equal(gltf->corners, mesh->indices, mesh->index_count * 4);
    for (size_t i = 0; i < gltf->vertices; i++) {
        const double *at = mesh->at[i];
        double local[2];

        grid_to_local(grid, at, local);
        assert_true(fabs(gltf->at[i][0] - local[0]) < 1e-4);
        assert_true(fabs(gltf->at[i][1] - grid_metres(grid, at[2])) < 1e-4);
        assert_true(fabs(gltf->at[i][2] - local[1]) < 1e-4);
    }
}

static void a_mesh_is_in_gltfs_frame(void **state)
{
    struct view *view = ground_rough(127, 64, 5);
    struct rect window = { 3, 5, 90, 50 };
    struct mesh mesh = mesh_of(view, window, 1, true);
    struct bytes file = { 0 };
    struct fault why = { 0 };
    struct gltf gltf;

    (void)state;
    view->settings->grid.scale[0] = 2;
    view->settings->grid.scale[1] = 3;
    view->settings->grid.origin[0] = 500000;
    view->settings->grid.origin[1] = -4000000.25;
    view->settings->grid.origin[2] = 1000;
    assert_true(glb_write(view, &mesh, &note, &file, &why));
    gltf_read(file.data, file.length, &gltf);
    assert_places(view, &mesh, &gltf);
    gltf_assert_upward(&gltf, false);
    for (size_t i = 0; i < gltf.vertices; i++) {
        assert_true(gltf.normals[i][0] == mesh.normals[i][0]);
        assert_true(gltf.normals[i][1] == mesh.normals[i][2]);
        assert_true(gltf.normals[i][2] == mesh.normals[i][1]);
    }
    assert_true(gltf_extra(&gltf, "bound") == 0.25);
    assert_true(gltf_extra(&gltf, "version") == 7);
    gltf_free(&gltf);
    bytes_free(&file);
    mesh_free(&mesh);
    view_drop(view);
}

/* The fast way and the general one cannot be told apart. */
static void a_window_has_the_bytes_of_its_mesh(void **state)
{
    struct view *view = ground_rough(190, 127, 11);
    static const struct rect windows[] = { { 0, 0, 190, 127 }, { 0, 0, 2, 2 },
                                           { 188, 125, 2, 2 }, { 1, 1, 130, 3 },
                                           { 60, 0, 5, 127 },  { 7, 9, 128, 100 } };

    (void)state;
    view->settings->grid.scale[0] = 0.1;
    view->settings->grid.scale[1] = 30;
    view->settings->grid.origin[2] = -7.7;
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        for (int normals = 0; normals < 2; normals++) {
            struct mesh mesh = mesh_of(view, windows[i], 1, normals);
            struct bytes slow = { 0 }, fast = { 0 };
            struct fault why = { 0 };

            assert_true(glb_write(view, &mesh, &note, &slow, &why));
            assert_true(glb_write_window(view, windows[i], normals, &note, &fast, &why));
            assert_int_equal(slow.length, fast.length);
            assert_memory_equal(slow.data, fast.data, slow.length);
            bytes_free(&slow);
            bytes_free(&fast);
            mesh_free(&mesh);
        }
    }
    view_drop(view);
}

/* TIL-11: names of four lengths make JSON of all four lengths modulo 4. */
static void chunks_end_on_four_bytes_whatever_the_name(void **state)
{
    static const char *const names[] = { "a", "ab", "abc", "abcd" };
    struct view *view = ground_rough(64, 64, 3);
    unsigned seen = 0;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct mesh_note named = { names[i], 1, NAN };
        struct rect window = { 0, 0, 8, 8 };
        struct bytes file = { 0 };
        struct fault why = { 0 };
        struct gltf gltf;

        assert_true(glb_write_window(view, window, true, &named, &file, &why));
        gltf_read(file.data, file.length, &gltf);
        gltf_assert_upward(&gltf, false);
        assert_true(isnan(gltf_extra(&gltf, "bound")));
        seen |= 1u << gltf.json_length % 4;
        gltf_free(&gltf);
        bytes_free(&file);
    }
    assert_int_equal(seen, 0xf);
    view_drop(view);
}

/* TIL-12: 65,535 is no index of 16 bits. */
static void indices_widen_from_65536_vertices_on(void **state)
{
    static const struct {
        int32_t columns, rows;
        int type;
    } sizes[] = { { 255, 255, 5123 }, { 256, 256, 5125 }, { 505, 253, 5125 }, { 255, 257, 5123 } };
    struct view *view = ground_rough(505, 260, 9);

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct rect window = { 0, 0, sizes[i].columns, sizes[i].rows };
        struct bytes file = { 0 };
        struct fault why = { 0 };
        struct gltf gltf;

        assert_true(glb_write_window(view, window, false, &note, &file, &why));
        gltf_read(file.data, file.length, &gltf);
        assert_int_equal(gltf.index_type, sizes[i].type);
        assert_int_equal(gltf.vertices, sizes[i].columns * sizes[i].rows);
        assert_int_equal(gltf.triangles, 2 * (sizes[i].columns - 1) * (sizes[i].rows - 1));
        gltf_assert_upward(&gltf, false);
        gltf_free(&gltf);
        bytes_free(&file);
    }
    view_drop(view);
}

static void a_mesh_without_triangles_is_an_empty_scene(void **state)
{
    struct view *view = ground_flat(64, 64, 40000);
    struct bytes file = { 0 };
    struct fault why = { 0 };
    struct mesh mesh;
    struct gltf gltf;

    (void)state;
    mesh_init(&mesh, true);
    assert_true(glb_write(view, &mesh, &note, &file, &why));
    gltf_read(file.data, file.length, &gltf);
    assert_int_equal(gltf.triangles, 0);
    gltf_free(&gltf);
    bytes_free(&file);
    view_drop(view);
}

/* Bowring's way back: no arithmetic in common with the way there. */
static void back_to_lonlat(const double fixed[3], double lonlat[2], double *height)
{
    const double a = 6378137.0, f = 1 / 298.257223563, b = a * (1 - f);
    const double e2 = f * (2 - f), ep2 = e2 / (1 - e2), p = hypot(fixed[0], fixed[1]);
    double beta = atan2(fixed[2] * a, p * b), latitude = 0;

    for (int i = 0; i < 5; i++) {
        latitude = atan2(fixed[2] + ep2 * b * pow(sin(beta), 3), p - e2 * a * pow(cos(beta), 3));
        beta = atan2((1 - f) * sin(latitude), cos(latitude));
    }
    lonlat[0] = atan2(fixed[1], fixed[0]) * 180 / M_PI;
    lonlat[1] = latitude * 180 / M_PI;
    *height = p * cos(latitude) + fixed[2] * sin(latitude) -
              a * sqrt(1 - e2 * sin(latitude) * sin(latitude));
}

static void earth_fixed_places_are_those_of_wgs84(void **state)
{
    double fixed[3];

    (void)state;
    /* Where the ellipsoid's axes end. */
    earth_fixed(0, 0, 0, fixed);
    assert_true(fabs(fixed[0] - 6378137) < 1e-9 && fabs(fixed[1]) < 1e-9 && fabs(fixed[2]) < 1e-9);
    earth_fixed(90, 0, 10, fixed);
    assert_true(fabs(fixed[1] - 6378147) < 1e-9);
    earth_fixed(12, 90, 5, fixed);
    assert_true(fabs(fixed[2] - 6356757.314245179) < 1e-6 && fabs(fixed[0]) < 1e-6);
    for (int i = 0; i < 200; i++) {
        double at[2] = { -179 + i * 1.79, -89 + i * 0.89 }, back[2], height;

        earth_fixed(at[0], at[1], i * 40 - 1000, fixed);
        back_to_lonlat(fixed, back, &height);
        assert_true(fabs(back[0] - at[0]) < 1e-9 && fabs(back[1] - at[1]) < 1e-9);
        assert_true(fabs(height - (i * 40 - 1000)) < 1e-5);
    }
}

/* A plane that rises to the east, on Earth: a landscape of degrees, so that both are known. */
static void an_earth_fixed_mesh_stands_up_where_it_is(void **state)
{
    struct view *view = ground_flat(64, 64, 32768);
    struct settings *settings = view->settings;
    const struct datum raised = { .offset = 47.5 };
    struct rect window = { 0, 0, 64, 64 };
    struct mesh mesh;
    struct bytes file = { 0 };
    struct fault why = { 0 };
    struct gltf gltf;

    (void)state;
    settings->placed = true;
    strcpy(settings->crs, "EPSG:4326");
    memcpy(settings->bounds, (const double[]){ 11, 46, 11.063, 46.063 }, sizeof settings->bounds);
    settings->grid.scale[0] = 77.3;
    settings->grid.scale[1] = 111.1;
    mesh = mesh_of(view, window, 1, true);
    /* Rise of 1 to 1 eastward, as the normals would say it. */
    for (size_t i = 0; i < mesh.vertex_count; i++) {
        mesh.normals[i][0] = -(float)sqrt(0.5);
        mesh.normals[i][2] = (float)sqrt(0.5);
    }
    assert_true(glb_write_earth(view, &mesh, &raised, &note, &file, &why));
    gltf_read(file.data, file.length, &gltf);
    for (size_t i = 0; i < gltf.vertices; i++) {
        /* (X, Z, -Y) back. */
        const double fixed[3] = { gltf.at[i][0], -gltf.at[i][2], gltf.at[i][1] };
        const float *n = gltf.normals[i];
        double lonlat[2], height, longitude, latitude, east, north, up;

        back_to_lonlat(fixed, lonlat, &height);
        assert_true(fabs(lonlat[0] - (11 + mesh.at[i][0] * 0.001)) < 1e-8);
        assert_true(fabs(lonlat[1] - (46.063 - mesh.at[i][1] * 0.001)) < 1e-8);
        assert_true(fabs(height - 47.5) < 1e-3);
        longitude = lonlat[0] * M_PI / 180;
        latitude = lonlat[1] * M_PI / 180;
        east = -sin(longitude) * n[0] + cos(longitude) * -n[2];
        north = -sin(latitude) * (cos(longitude) * n[0] + sin(longitude) * -n[2]) +
                cos(latitude) * n[1];
        up =
            cos(latitude) * (cos(longitude) * n[0] + sin(longitude) * -n[2]) + sin(latitude) * n[1];
        assert_true(fabs(east + sqrt(0.5)) < 2e-3); /* scale is that of the middle */
        assert_true(fabs(north) < 1e-5);
        assert_true(fabs(up - sqrt(0.5)) < 2e-3);
    }
    /* Outward triangles: their normal points away from the Earth's middle. */
    for (size_t i = 0; i < gltf.triangles; i++) {
        const double *a = gltf.at[gltf.corners[i * 3]], *b = gltf.at[gltf.corners[i * 3 + 1]];
        const double *c = gltf.at[gltf.corners[i * 3 + 2]];
        double out = 0;

        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;

            out += a[k] * ((b[l] - a[l]) * (c[m] - a[m]) - (b[m] - a[m]) * (c[l] - a[l]));
        }
        assert_true(out > 0);
    }
    gltf_free(&gltf);
    bytes_free(&file);
    mesh_free(&mesh);
    view_drop(view);
}

/* Normals of very steep ground are so short upward that they count as level. */
static void a_wall_on_earth_has_a_normal(void **state)
{
    struct view *view = ground_flat(64, 64, 32768);
    struct settings *settings = view->settings;
    const struct datum datum = { .offset = 0 };
    struct rect window = { 0, 0, 9, 9 };
    double places[81][3];
    float normals[81][3];
    struct fault why = { 0 };
    struct mesh mesh;

    (void)state;
    settings->placed = true;
    strcpy(settings->crs, "EPSG:4326");
    memcpy(settings->bounds, (const double[]){ 0, 0, 0.063, 0.063 }, sizeof settings->bounds);
    settings->grid.scale[0] = settings->grid.scale[1] = 111.3;
    mesh = mesh_of(view, window, 1, true);
    assert_int_equal(mesh.vertex_count, 81);
    for (size_t i = 0; i < 81; i++) {
        mesh.normals[i][0] = i % 2 ? 0 : -1;
        mesh.normals[i][1] = i % 2;
        mesh.normals[i][2] = 0;
    }
    assert_true(earth_of_mesh(view, &mesh, &datum, places, normals, &why));
    /* Near 0 degrees east goes along y, and north along z. */
    for (size_t i = 0; i < 81; i++) {
        assert_true(fabs(normals[i][0]) < 0.01);
        assert_true(fabs(normals[i][1] - (i % 2 ? 0 : -1)) < 0.01);
        assert_true(fabs(normals[i][2] - (i % 2 ? -1 : 0)) < 0.01);
    }
    mesh_free(&mesh);
    view_drop(view);
}

static void obj_says_the_same_mesh(void **state)
{
    struct view *view = ground_rough(64, 64, 21);
    struct rect window = { 5, 6, 20, 30 };
    struct mesh mesh = mesh_of(view, window, 4, true);
    struct bytes file = { 0 };
    struct fault why = { 0 };
    size_t vertex = 0, normal = 0, face = 0;
    char *line, *rest = NULL;

    (void)state;
    view->settings->grid.scale[0] = 0.37;
    view->settings->grid.origin[1] = 123456.789;
    assert_true(mesh_formats[MESH_FORMAT_obj]->write(view, &mesh, &note, &file, &why));
    assert_true(bytes_add(&file, "", 1, &why));
    assert_non_null(strstr((char *)file.data, "more than 0.25 m"));
    for (line = strtok_r((char *)file.data, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        double at[3], local[2];
        uint32_t f[6];

        if (sscanf(line, "v %lf %lf %lf", at, at + 1, at + 2) == 3) {
            grid_to_local(view_grid(view), mesh.at[vertex], local);
            assert_true(fabs(at[0] - local[0]) < 1e-6);
            assert_true(fabs(at[1] + local[1]) < 1e-6);
            assert_true(at[2] == grid_metres(view_grid(view), mesh.at[vertex][2]));
            vertex++;
        } else if (sscanf(line, "vn %lf %lf %lf", at, at + 1, at + 2) == 3) {
            assert_true(fabs(at[0] - mesh.normals[normal][0]) < 1e-6);
            assert_true(fabs(at[1] + mesh.normals[normal][1]) < 1e-6);
            assert_true(fabs(at[2] - mesh.normals[normal][2]) < 1e-6);
            normal++;
        } else if (sscanf(line, "f %u//%u %u//%u %u//%u", f, f + 1, f + 2, f + 3, f + 4, f + 5) ==
                   6) {
            for (size_t k = 0; k < 3; k++) {
                assert_int_equal(f[k * 2], mesh.indices[face * 3 + k] + 1);
                assert_int_equal(f[k * 2], f[k * 2 + 1]);
            }
            face++;
        }
    }
    assert_int_equal(vertex, mesh.vertex_count);
    assert_int_equal(normal, mesh.vertex_count);
    assert_int_equal(face * 3, mesh.index_count);
    bytes_free(&file);
    mesh_free(&mesh);
    view_drop(view);
}

static float stl_number(const unsigned char *at)
{
    float value;

    memcpy(&value, at, sizeof value); /* tests run where the format's order is the machine's */
    return value;
}

static void stl_has_each_triangle_facing_up(void **state)
{
    struct view *view = ground_rough(64, 64, 22);
    struct rect window = { 0, 0, 64, 64 };
    struct mesh mesh = mesh_of(view, window, 2, false);
    struct bytes file = { 0 };
    struct fault why = { 0 };
    uint32_t count;

    (void)state;
    assert_true(mesh_formats[MESH_FORMAT_stl]->write(view, &mesh, &note, &file, &why));
    memcpy(&count, file.data + 80, 4);
    assert_int_equal(count * 3, mesh.index_count);
    assert_int_equal(file.length, 84 + (size_t)count * 50);
    assert_true(strncmp((char *)file.data, "solid", 5) != 0);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *at = file.data + 84 + (size_t)i * 50;

        assert_true(stl_number(at + 8) > 0);
        for (size_t k = 0; k < 3; k++) {
            const double *vertex = mesh.at[mesh.indices[i * 3 + k]];

            assert_true(stl_number(at + 12 + k * 12) == (float)vertex[0]);
            assert_true(stl_number(at + 16 + k * 12) == -(float)vertex[1]);
        }
    }
    bytes_free(&file);
    mesh_free(&mesh);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_is_in_gltfs_frame),
        cmocka_unit_test(a_window_has_the_bytes_of_its_mesh),
        cmocka_unit_test(chunks_end_on_four_bytes_whatever_the_name),
        cmocka_unit_test(indices_widen_from_65536_vertices_on),
        cmocka_unit_test(a_mesh_without_triangles_is_an_empty_scene),
        cmocka_unit_test(earth_fixed_places_are_those_of_wgs84),
        cmocka_unit_test(an_earth_fixed_mesh_stands_up_where_it_is),
        cmocka_unit_test(a_wall_on_earth_has_a_normal),
        cmocka_unit_test(obj_says_the_same_mesh),
        cmocka_unit_test(stl_has_each_triangle_facing_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
