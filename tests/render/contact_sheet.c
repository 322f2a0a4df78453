/* contact_sheet: every mode of pictures on one sheet, with its name.
 *
 * usage: contact_sheet DEM.tif OUT.jpg [MODE]...
 *
 * Draws the ground of a raster (a path from tests/inputs/), painted with five layers by height and
 * slope, and then each of the five surfaces from near by, an evening and water; with modes given,
 * those alone, large and on top of one another: askew, and as a map. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/canvas.h"
#include "terrain/edit/draft.h"
#include "terrain/edit/paint_write.h"
#include "terrain/edit/paints.h"
#include "terrain/format/jpeg_write.h"
#include "terrain/query/collide.h"
#include "tests/api/caller.h"
#include "tests/format/inputs.h"
#include "tests/render/scenery.h"
#include "tests/render/studio.h"

enum {
    COLUMNS = 5,
    WIDTH = 320,
    HEIGHT = 204,
    LARGE_WIDTH = 700,
    LARGE_HEIGHT = 440,
    PAINTS = 5,
    FAR = 2
};

static const char *const names[PAINTS] = { "grass", "rock", "sand", "snow", "soil" };

static struct view *ground_of(struct caller *caller, const char *path)
{
    struct landscape *landscape;
    struct fault why = { 0 };
    size_t length;
    void *raster = input_read(path, &length);
    struct view *view;

    caller->type = "image/tiff";
    assert_int_equal(call_bytes(caller, "POST", "/v1/landscapes/sheet/import", raster, length),
                     201);
    free(raster);
    landscape = landscapes_find(caller->service.landscapes, "sheet", &why);
    assert_non_null(landscape);
    view = landscape_view(landscape);
    landscape_drop(landscape);
    return view;
}

static double clamp01(double value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* Weights of five layers at a vertex: grass, rock, sand, snow, soil. */
static void weigh(double height, double steep, double patchy, uint8_t weights[PAINTS])
{
    double share[PAINTS], sum = 0;
    int left = 255;

    share[1] = clamp01((steep - 0.30) / 0.25);
    share[3] = (1 - share[1]) * clamp01((height - 0.62) / 0.14);
    share[2] = (1 - share[1]) * clamp01((0.10 - height) / 0.06);
    share[4] = clamp01(1 - share[1] - share[2] - share[3]) * clamp01(patchy);
    share[0] = clamp01(1 - share[1] - share[2] - share[3] - share[4]);
    for (int i = 0; i < PAINTS; i++)
        sum += share[i];
    for (int i = 1; i < PAINTS; i++) {
        weights[i] = (uint8_t)(share[i] / sum * 255);
        left -= weights[i];
    }
    weights[0] = (uint8_t)left;
}

static void weigh_all(const struct view *view, uint8_t *weights)
{
    const struct grid *grid = view_grid(view);
    struct summary range = view->planes[PLANE_HEIGHTS].root.summary;
    size_t count = (size_t)grid->columns * (size_t)grid->rows;

    for (int32_t y = 0; y < grid->rows; y++)
        for (int32_t x = 0; x < grid->columns; x++) {
            int32_t east = x < grid->columns - 1 ? x + 1 : x,
                    south = y < grid->rows - 1 ? y + 1 : y;
            double code = view_height(view, x, y), metres = grid->scale[2] / 128;
            double across = (view_height(view, east, y) - code) * metres / grid->scale[0];
            double down = (view_height(view, x, south) - code) * metres / grid->scale[1];
            uint8_t at[PAINTS];

            weigh((code - range.least) / (range.greatest - range.least), hypot(across, down),
                  1.5 * sin(x * 0.043) * cos(y * 0.051) + 0.6 * sin(x * 0.11 + y * 0.07) - 0.2, at);
            for (int i = 0; i < PAINTS; i++)
                weights[(size_t)i * count + (size_t)y * (size_t)grid->columns + (size_t)x] = at[i];
        }
}

static struct view *painted(const struct view *view)
{
    static const uint8_t colours[PAINTS][3] = {
        { 86, 150, 62 }, { 128, 122, 118 }, { 222, 198, 128 }, { 240, 244, 250 }, { 128, 84, 50 }
    };
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    uint8_t *weights = malloc(PAINTS * (size_t)rect_area(view_rect(view)));
    const int order[PAINTS] = { 0, 1, 2, 3, 4 };
    struct paint_planes planes = { order, PAINTS, view_rect(view), weights };
    struct change change;
    struct view *next;

    for (int i = 0; i < PAINTS; i++) {
        struct paints_change as = { .given = PAINT_DEBUG_COLOR };

        memcpy(as.as.debug_color, colours[i], 3);
        assert_true(paints_add(draft, names[i], &as, &why));
    }
    weigh_all(view, weights);
    assert_true(paint_write(draft, &planes, &why));
    next = draft_finish(draft, &change, &why);
    draft_free(draft);
    free(weights);
    return next;
}

/* A dam, a pit and a shaft: what there is to compare, and holes. */
static struct view *dug(const struct view *view)
{
    const struct grid *grid = view_grid(view);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct view *next;
    uint8_t hole[64 * 64];

    for (int32_t k = 0; k < 3; k++) {
        int32_t side = grid->columns / 5, x = grid->columns * (2 + 3 * k) / 12;
        struct rect where = { x - side / 2, grid->rows * (k == 1 ? 7 : 4) / 12 - side / 2, side,
                              side };
        uint16_t *codes = malloc(sizeof *codes * (size_t)rect_area(where));

        view_read_heights(view, where, codes, side);
        for (int32_t i = 0; i < side * side; i++) {
            double off = hypot(i % side - side / 2, i / side - side / 2) / (side / 2);
            double bump = off < 1 ? 0.5 + 0.5 * cos(3.14159265 * off) : 0;

            codes[i] = (uint16_t)(codes[i] + (k == 1 ? -1 : 1) * 90 * bump / grid->scale[2] * 128);
        }
        assert_true(draft_write_heights(draft, where, codes, side, &why));
        free(codes);
    }
    memset(hole, 255, sizeof hole);
    for (int32_t k = 0; k < 4; k++)
        assert_true(
            draft_write_holes(draft,
                              (struct rect){ grid->columns * (2 + 2 * k) / 10,
                                             grid->rows * (6 - k) / 9, 12 + 5 * k, 20 - 3 * k },
                              hole, 64, &why));
    next = draft_finish(draft, &change, &why);
    draft_free(draft);
    return next;
}

static struct picture picture_of(int mode, const struct view *before, int32_t width, int32_t height)
{
    struct picture picture = studio_picture(width, height);

    picture.mode = mode;
    picture.camera.elevation = 42;
    picture.show.mip = -1;
    picture.show.layer = 1;
    picture.show.before = before;
    picture.light.shadows = picture.light.occlusion = 1;
    picture.cover.depth = 0.2;
    return picture;
}

/* From a man's height above a slope, where the ground is of one surface. */
static struct picture near_picture(const struct view *view)
{
    const struct grid *grid = view_grid(view);
    const double at[2] = { grid->columns * 0.55, grid->rows * 0.45 };
    const double ahead[2] = { at[0] + 0.25, at[1] - 0.12 };
    struct picture picture = picture_of(RENDER_MODE_lit, NULL, WIDTH, HEIGHT);

    picture.camera.kind = CAMERA_PERSPECTIVE;
    picture.camera.fov = 50;
    grid_to_local(grid, at, picture.camera.position);
    grid_to_local(grid, ahead, picture.camera.target);
    collide_height(view, at[0], at[1], &picture.camera.position[2], NULL);
    collide_height(view, ahead[0], ahead[1], &picture.camera.target[2], NULL);
    picture.camera.position[2] += 9;
    picture.light.sun_elevation = 28;
    return picture;
}

/* Low over the ground: in the evening, and with a lake in the valleys. */
static struct picture far_picture(bool evening)
{
    struct picture picture = picture_of(RENDER_MODE_lit, NULL, WIDTH, HEIGHT);

    picture.camera.elevation = evening ? 20 : 24;
    picture.camera.azimuth = evening ? 210 : 75;
    picture.light.fog = 0.08;
    picture.light.sun_elevation = evening ? 9 : 40;
    picture.light.sun_azimuth = evening ? 275 : 140;
    if (!evening)
        picture.water = (struct picture_water){ .on = true, .level = 400, .color = { 30, 70, 80 } };
    return picture;
}

static void put(uint8_t *sheet, int32_t sheet_width, int32_t left, int32_t top,
                const uint8_t *pixels, int32_t width, int32_t height)
{
    for (int32_t y = 0; y < height; y++)
        memcpy(sheet + 4 * ((size_t)(top + y) * (size_t)sheet_width + (size_t)left),
               pixels + 4 * (size_t)y * (size_t)width, 4 * (size_t)width);
}

static void draw(struct renderer *renderer, const struct view *view, const struct picture *picture,
                 const char *name, uint8_t *sheet, int32_t sheet_width, int32_t left, int32_t top)
{
    uint8_t *pixels = studio_draw(renderer, view, picture);
    struct canvas canvas = canvas_of(pixels, picture->width, picture->height);
    int32_t wide = canvas_text_width(&canvas, name);

    canvas_plate(&canvas, (struct rect){ 4, 4, wide + 8, GLYPH_HEIGHT * canvas.dot + 6 });
    canvas_text(&canvas, 8, 8, name, canvas_light);
    put(sheet, sheet_width, left, top, pixels, picture->width, picture->height);
    free(pixels);
}

static void save(const char *path, const uint8_t *rgba, int32_t width, int32_t height)
{
    struct bytes jpeg = { 0 };
    struct fault why = { 0 };
    FILE *file = fopen(path, "wb");

    if (!file || !jpeg_write(width, height, rgba, 90, &jpeg, &why) ||
        fwrite(jpeg.data, 1, jpeg.length, file) != jpeg.length || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", path, why.detail);
        exit(1);
    }
    printf("%s: %zu bytes\n", path, jpeg.length);
    bytes_free(&jpeg);
}

static void draw_all(struct renderer *renderer, const struct view *view, const struct view *before,
                     const char *path)
{
    int32_t rows = (RENDER_MODES + PAINTS + FAR + COLUMNS - 1) / COLUMNS, width = COLUMNS * WIDTH;
    uint8_t *sheet = malloc(4 * (size_t)width * (size_t)(rows * HEIGHT));

    memset(sheet, 240, 4 * (size_t)width * (size_t)(rows * HEIGHT));
    for (int mode = 0; mode < RENDER_MODES; mode++) {
        struct picture picture = picture_of(mode, before, WIDTH, HEIGHT);

        draw(renderer, view, &picture, render_modes[mode]->name, sheet, width,
             mode % COLUMNS * WIDTH, mode / COLUMNS * HEIGHT);
    }
    for (int i = 0; i < PAINTS; i++) {
        struct view *whole = scenery_paint(before, names[i], view_rect(before), 255);
        struct picture picture = near_picture(whole);
        const int at = RENDER_MODES + i;

        draw(renderer, whole, &picture, names[i], sheet, width, at % COLUMNS * WIDTH,
             at / COLUMNS * HEIGHT);
        view_drop(whole);
    }
    for (int i = 0; i < FAR; i++) {
        struct picture picture = far_picture(i == 0);
        const int at = RENDER_MODES + PAINTS + i;

        draw(renderer, before, &picture, i == 0 ? "evening" : "water", sheet, width,
             at % COLUMNS * WIDTH, at / COLUMNS * HEIGHT);
    }
    save(path, sheet, width, rows * HEIGHT);
    free(sheet);
}

static void draw_some(struct renderer *renderer, const struct view *view, const struct view *before,
                      const char *path, char **wanted, int count)
{
    int32_t width = 2 * LARGE_WIDTH, height = count * LARGE_HEIGHT;
    uint8_t *sheet = malloc(4 * (size_t)width * (size_t)height);

    for (int i = 0; i < count; i++)
        for (int mode = 0; mode < RENDER_MODES; mode++) {
            struct picture picture = picture_of(mode, before, LARGE_WIDTH, LARGE_HEIGHT);

            if (strcmp(render_modes[mode]->name, wanted[i]) != 0)
                continue;
            draw(renderer, view, &picture, wanted[i], sheet, width, 0, i * LARGE_HEIGHT);
            picture.camera.elevation = 90;
            picture.camera.azimuth = 0;
            draw(renderer, view, &picture, wanted[i], sheet, width, LARGE_WIDTH, i * LARGE_HEIGHT);
        }
    save(path, sheet, width, height);
    free(sheet);
}

static char **arguments;
static int argument_count;

static void sheet(void **state)
{
    struct view *bare = ground_of(*state, arguments[1]), *before = painted(bare),
                *view = dug(before);
    struct renderer *renderer = studio_open(1, NULL);

    if (argument_count > 3)
        draw_some(renderer, view, before, arguments[2], arguments + 3, argument_count - 3);
    else
        draw_all(renderer, view, before, arguments[2]);
    renderer_stop(renderer);
    view_drop(view);
    view_drop(before);
    view_drop(bare);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sheet, caller_begin, caller_end),
    };

    if (argc < 3) {
        fprintf(stderr, "usage: contact_sheet DEM.tif OUT.jpg [MODE]...\n");
        return 2;
    }
    arguments = argv;
    argument_count = argc;
    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
