/* render_once: draws a landscape made up on the spot (or of a file of 16-bit codes) and says with
 * what, and how fast.
 *
 * usage: render_once [name=value]... [OUT.ppm]
 *   backend=auto  width=512 height=512  repeat=5
 *   side=1009 scale=10          of the landscape that is made up
 *   geometry=auto               (a name of geometries.def)
 *   raw=FILE columns= rows= scale_x= scale_y=   codes, little-endian, instead of one
 *   azimuth= elevation= distance= fov=  sun_azimuth=315 sun_elevation=45
 *   shadows=1 occlusion=1 exposure=0 fog=0.1 fog_height=0 plain=0 samples=0
 *   water=metres horizon=0
 *   mode=lit  scene=FILE        also writes the scene, for landscaped-render --scene
 *   eye=x,y,z target=x,y,z      metres  ortho=x,y,width
 *
 * It needs no library beyond the C library, so that it runs on a machine that has only a driver. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "render/renderer.h"
#include "render/scene_file.h"
#include "tests/render/scenery.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const char *text_of(int argc, char **argv, const char *name, const char *otherwise)
{
    size_t length = strlen(name);

    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
            return argv[i] + length + 1;
    return otherwise;
}

static double number_of(int argc, char **argv, const char *name, double otherwise)
{
    const char *text = text_of(argc, argv, name, NULL);

    return text ? atof(text) : otherwise;
}

static struct view *view_of(int argc, char **argv)
{
    const char *raw = text_of(argc, argv, "raw", NULL);
    int32_t columns = (int32_t)number_of(argc, argv, "columns", 0);
    int32_t rows = (int32_t)number_of(argc, argv, "rows", 0);
    double scale[3] = { number_of(argc, argv, "scale_x", 1), number_of(argc, argv, "scale_y", 1),
                        number_of(argc, argv, "scale_z", 1) };
    struct view *view;
    uint16_t *codes;
    FILE *file;

    if (!raw)
        return scenery_mountains((int32_t)number_of(argc, argv, "side", 1009),
                                 number_of(argc, argv, "scale", 10));
    codes = calloc((size_t)columns * (size_t)rows, 2);
    file = fopen(raw, "rb");
    if (!codes || !file || fread(codes, 2, (size_t)columns * (size_t)rows, file) == 0) {
        fprintf(stderr, "cannot read %s\n", raw);
        exit(2);
    }
    fclose(file);
    view = scenery_of(columns, rows, codes, scale);
    free(codes);
    return view;
}

static struct camera camera_of(int argc, char **argv, const struct view *view)
{
    struct camera camera = { .kind = CAMERA_FIT,
                             .azimuth = number_of(argc, argv, "azimuth", CAMERA_AZIMUTH),
                             .elevation = number_of(argc, argv, "elevation", CAMERA_ELEVATION),
                             .distance = number_of(argc, argv, "distance", 0),
                             .fov = number_of(argc, argv, "fov", CAMERA_FOV) };
    const char *eye = text_of(argc, argv, "eye", NULL), *ortho = text_of(argc, argv, "ortho", NULL);
    struct extent extent;

    extent_of(view, &extent);
    for (int i = 0; i < 3; i++)
        camera.target[i] = (extent.low[i] + extent.high[i]) / 2;
    if (camera.distance > 0)
        camera.kind = CAMERA_ORBIT;
    if (eye && sscanf(eye, "%lf,%lf,%lf", &camera.position[0], &camera.position[1],
                      &camera.position[2]) == 3)
        camera.kind = CAMERA_PERSPECTIVE;
    sscanf(text_of(argc, argv, "target", ""), "%lf,%lf,%lf", &camera.target[0], &camera.target[1],
           &camera.target[2]);
    if (ortho && sscanf(ortho, "%lf,%lf,%lf", &camera.target[0], &camera.target[1],
                        &camera.ortho_width) == 3)
        camera.kind = CAMERA_ORTHO;
    return camera;
}

static int geometry_of(int argc, char **argv)
{
    const char *name = text_of(argc, argv, "geometry", "auto");
    int geometry = 0;

    while (render_geometries[geometry] && strcmp(render_geometries[geometry], name) != 0)
        geometry++;
    return render_geometries[geometry] ? geometry : 0;
}

static void save(const char *path, const struct picture *picture, const struct bytes *rgba)
{
    FILE *file = fopen(path, "wb");

    if (!file) {
        perror(path);
        exit(2);
    }
    fprintf(file, "P6\n%d %d\n255\n", picture->width, picture->height);
    for (size_t i = 0; i < rgba->length; i += 4)
        fwrite(rgba->data + i, 1, 3, file);
    fclose(file);
}

static int mode_of(const char *name)
{
    for (int i = 0; render_mode_names[i]; i++)
        if (strcmp(render_mode_names[i], name) == 0)
            return i;
    fprintf(stderr, "render_once: there is no mode %s\n", name);
    exit(2);
}

static void save_scene(const char *path, const struct view *view, const struct picture *picture)
{
    struct bytes scene = { 0 };
    struct fault why = { 0 };
    FILE *file = fopen(path, "wb");

    if (!file || !scene_file_write(view, picture, &scene, &why) ||
        fwrite(scene.data, 1, scene.length, file) != scene.length || fclose(file) != 0) {
        fprintf(stderr, "render_once: %s: %s\n", path, why.detail);
        exit(2);
    }
    bytes_free(&scene);
}

static bool draw(struct renderer *renderer, const struct view *view, const struct picture *picture,
                 struct bytes *rgba, const char *which)
{
    struct renderer_numbers before, after;
    struct fault why = { 0 };
    double began = now();

    rgba->length = 0;
    renderer_numbers(renderer, &before);
    if (!renderer_draw(renderer, view, picture, rgba, &why)) {
        fprintf(stderr, "render_once: %s\n", why.detail);
        return false;
    }
    renderer_numbers(renderer, &after);
    printf("%s %.1f ms  tiles %lld  draws %lld  patches %lld  triangles %lld\n", which,
           (now() - began) * 1e3, (long long)(after.tiles_loaded - before.tiles_loaded),
           (long long)(after.draws - before.draws), (long long)(after.patches - before.patches),
           (long long)(after.triangles - before.triangles));
    return true;
}

int main(int argc, char **argv)
{
    struct renderer_options options = { .workers = 1,
                                        .deadline = 60,
                                        .waiting_most = 4,
                                        .pixels_most = INT64_C(1) << 28,
                                        .backend = text_of(argc, argv, "backend", "auto"),
                                        .texture_bytes = INT64_C(256) << 20,
                                        .program = text_of(argc, argv, "program", NULL) };
    struct view *view = view_of(argc, argv);
    struct picture picture = { .width = (int32_t)number_of(argc, argv, "width", 512),
                               .height = (int32_t)number_of(argc, argv, "height", 512),
                               .mode = mode_of(text_of(argc, argv, "mode", "lit")),
                               .geometry = geometry_of(argc, argv),
                               .camera = camera_of(argc, argv, view),
                               .light.sun_azimuth = number_of(argc, argv, "sun_azimuth", 315),
                               .light.sun_elevation = number_of(argc, argv, "sun_elevation", 45),
                               .light.shadows = number_of(argc, argv, "shadows", 1),
                               .light.occlusion = number_of(argc, argv, "occlusion", 1),
                               .light.exposure = number_of(argc, argv, "exposure", 0),
                               .light.fog = number_of(argc, argv, "fog", 0.1),
                               .light.fog_height = number_of(argc, argv, "fog_height", 0),
                               .light.plain = number_of(argc, argv, "plain", 0) > 0,
                               .water.on = *text_of(argc, argv, "water", "") != 0,
                               .water.level = number_of(argc, argv, "water", 0),
                               .water.to_horizon = number_of(argc, argv, "horizon", 0) > 0,
                               .water.color = { 0x1d, 0x5a, 0x66 },
                               .samples = (int)number_of(argc, argv, "samples", 0) };
    struct renderer_about about;
    struct renderer *renderer;
    struct bytes rgba = { 0 };
    struct fault why = { 0 };
    bool drawn;

    if (!renderer_start(&options, &renderer, &why) || !renderer_about(renderer, &about, &why)) {
        fprintf(stderr, "render_once: %s\n", why.detail);
        return 1;
    }
    printf("backend %s\napi %s\nvendor %s\nrenderer %s\n", about.backend, about.api, about.vendor,
           about.renderer);
    drawn = draw(renderer, view, &picture, &rgba, "first");
    for (int i = 0; drawn && i < (int)number_of(argc, argv, "repeat", 5); i++)
        drawn = draw(renderer, view, &picture, &rgba, "again");
    if (text_of(argc, argv, "scene", NULL))
        save_scene(text_of(argc, argv, "scene", NULL), view, &picture);
    if (drawn && argc > 1 && !strchr(argv[argc - 1], '='))
        save(argv[argc - 1], &picture, &rgba);
    bytes_free(&rgba);
    renderer_stop(renderer);
    view_drop(view);
    return drawn ? 0 : 1;
}
