/* Scenes in files: drawn alone they are the same picture, and bytes that are none are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "render/scene_file.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

static const char scene_path[] = "tests/render/test_scene_file.scene";
static const char raw_path[] = "tests/render/test_scene_file.raw";

static struct bytes scene_of(const struct view *view, const struct picture *picture)
{
    struct bytes scene = { 0 };
    struct fault why = { 0 };

    if (!scene_file_write(view, picture, &scene, &why))
        fail_msg("%s", why.detail);
    return scene;
}

static void save(const struct bytes *bytes)
{
    FILE *file = fopen(scene_path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->length, file), bytes->length);
    fclose(file);
}

/* What landscaped-render draws of the file; whether it did. Drivers do not free all that they take,
 * which a sanitizer would find at its end. */
static bool draw_alone(const char *options, uint8_t *rgba, size_t length)
{
    char command[300];
    FILE *file;
    size_t read;

    unlink(raw_path);
    snprintf(command, sizeof command,
             "ASAN_OPTIONS=detect_leaks=0 ./landscaped-render --scene %s --output %s %s "
             ">tests/render/test_scene_file.said 2>&1",
             scene_path, raw_path, options);
    if (system(command) != 0)
        return false;
    file = fopen(raw_path, "rb");
    assert_non_null(file);
    read = fread(rgba, 1, length, file);
    fclose(file);
    return read == length;
}

static void a_scene_drawn_alone_is_the_daemons_picture(void **state)
{
    static const char *const backends[] = { "egl-surfaceless", "osmesa" };
    struct view *view = scenery_mountains(253, 10);
    struct picture picture = studio_picture(96, 64);
    size_t length = 96 * 64 * 4;
    uint8_t *alone = malloc(length);

    (void)state;
    for (int mode = RENDER_MODE_lit; mode <= RENDER_MODE_normals; mode++)
        for (int i = 0; i < 2; i++) {
            struct renderer *renderer = studio_open(1, backends[i]);
            struct bytes scene;
            uint8_t *drawn;
            char options[64];

            picture.mode = mode;
            scene = scene_of(view, &picture);
            save(&scene);
            drawn = studio_draw(renderer, view, &picture);
            snprintf(options, sizeof options, "--repeat 2 --bare --backend %s", backends[i]);
            assert_true(draw_alone(options, alone, length));
            assert_memory_equal(alone, drawn, length);
            free(drawn);
            bytes_free(&scene);
            renderer_stop(renderer);
        }
    free(alone);
    view_drop(view);
}

/* The number behind a word at the beginning of a line of what was said. */
static long long said(const char *word)
{
    FILE *file = fopen("tests/render/test_scene_file.said", "r");
    char line[400];
    long long number = -1;

    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0)
            number = atoll(line + strlen(word));
    fclose(file);
    return number;
}

/* With holes, so that nodes bring triangles of their own. */
static void every_geometry_has_a_floor(void **state)
{
    struct view *whole = scenery_mountains(253, 10);
    struct view *view = scenery_holes(whole, (struct rect){ 100, 90, 40, 30 });
    struct picture picture = studio_picture(96, 64);
    uint8_t *alone = malloc(96 * 64 * 4);

    (void)state;
    for (int geometry = 0; geometry < RENDER_GEOMETRIES; geometry++) {
        struct bytes scene;

        picture.geometry = geometry;
        scene = scene_of(view, &picture);
        save(&scene);
        assert_true(draw_alone("--bare", alone, 96 * 64 * 4));
        assert_true(said("triangles ") > 0);
        assert_int_equal(said("bare triangles "), said("triangles "));
        bytes_free(&scene);
    }
    free(alone);
    view_drop(view);
    view_drop(whole);
}

static bool readable(const struct bytes *bytes, size_t length)
{
    unsigned char *copy = malloc(length + !length); /* of just that size, for sanitizers to see */
    const unsigned char *tiles;
    struct scene_parts parts;
    struct fault why = { 0 };
    bool read;

    memcpy(copy, bytes->data, length);
    read = scene_file_read(copy, length, &parts, &tiles, &why);
    if (!read) {
        assert_int_equal(why.code, FAULT_FORMAT);
    } else {
        unsigned sum = 0;

        /* What is read fits: each index leads to a key, each tile's bytes are there. */
        for (uint32_t i = 0; i < parts.head->patch_count; i++)
            sum += (unsigned)parts.keys[parts.patches[i].slots[SLOT_heights]].plane;
        for (size_t i = 0; i < scene_tile_bytes(&parts); i++)
            sum += tiles[i];
        assert_true(tiles + scene_tile_bytes(&parts) == copy + length && sum != 1);
    }
    free(copy);
    return read;
}

static void a_file_cut_short_or_longer_is_refused(void **state)
{
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(64, 64);
    struct bytes scene = scene_of(view, &picture);
    struct fault why = { 0 };
    size_t whole = scene.length;

    (void)state;
    assert_true(readable(&scene, whole));
    for (size_t length = 0; length < whole; length += length < 300 ? 1 : 997)
        assert_false(readable(&scene, length));
    assert_true(bytes_add(&scene, "x", 1, &why));
    assert_false(readable(&scene, whole + 1));
    bytes_free(&scene);
    view_drop(view);
}

/* Bytes of the head, the keys and the patches changed at random: refused, or sound all the same. */
static void a_changed_file_is_refused_or_sound(void **state)
{
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(64, 64);
    struct bytes scene = scene_of(view, &picture);
    const struct scene_file *head = (const struct scene_file *)scene.data;
    size_t until = sizeof *head + (size_t)head->scene_bytes;
    uint64_t random = 88172645463325252u; /* xorshift64: Marsaglia 2003 */
    int refused = 0;

    (void)state;
    for (int i = 0; i < (getenv("LANDSCAPED_SOAK") ? 30000 : 1000); i++) {
        unsigned char before;
        size_t at;

        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        at = (size_t)(random >> 20) % until;
        before = scene.data[at];
        scene.data[at] = (unsigned char)random;
        refused += !readable(&scene, scene.length);
        scene.data[at] = before;
    }
    assert_true(refused > 100);
    bytes_free(&scene);
    view_drop(view);
}

static void another_builds_scene_is_refused(void **state)
{
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(64, 64);
    struct bytes scene = scene_of(view, &picture);
    struct scene_file *head = (struct scene_file *)scene.data;
    uint8_t pixel[4];

    (void)state;
    head->build++;
    assert_false(readable(&scene, scene.length));
    save(&scene);
    assert_false(draw_alone("", pixel, sizeof pixel));
    head->build--;
    assert_true(readable(&scene, scene.length));
    bytes_free(&scene);
    view_drop(view);
}

static int remove_files(void **state)
{
    (void)state;
    unlink(scene_path);
    unlink(raw_path);
    unlink("tests/render/test_scene_file.said");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_cut_short_or_longer_is_refused),
        cmocka_unit_test(a_changed_file_is_refused_or_sound),
        cmocka_unit_test(another_builds_scene_is_refused),
        cmocka_unit_test(a_scene_drawn_alone_is_the_daemons_picture),
        cmocka_unit_test(every_geometry_has_a_floor),
    };

    return cmocka_run_group_tests(tests, NULL, remove_files);
}
