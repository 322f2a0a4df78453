/* What users of such software have met, as far as editing can meet it: each test names its report,
 * and asks for the right values from outside. Those of importing, tiles and weights alone stand
 * with their endpoints. */
#include "tests/api/caller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/brush.h"
#include "tests/format/inputs.h"
#include "tests/format/judge.h"

#define LAND "/v1/landscapes/land"
#define ALL  "\"region\":{\"x\":0,\"y\":0,\"width\":127,\"height\":127}"
enum { SIDE = 127, VERTICES = SIDE * SIDE };

/* 127 x 127 vertices of 2 x 2 components; 0 m everywhere. */
static struct caller *begin(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(
        call(caller, "PUT", LAND, "{\"layout\":{\"components\":[2,2],\"section_quads\":63}}"), 201);
    return caller;
}

/* The same, of the codes of an input file. */
static struct caller *begin_with(void **state, const char *file)
{
    struct caller *caller = *state;
    size_t length;
    unsigned char *data = input_read(file, &length);

    call(caller, "DELETE", LAND, NULL);
    caller->type = "image/png";
    assert_int_equal(call_bytes(caller, "POST",
                                LAND "/import?fit=exact&section_quads=63&sections_per_component=1",
                                data, length),
                     201);
    free(data);
    return caller;
}

static void post(struct caller *caller, const char *target, const char *body)
{
    if (call(caller, "POST", target, body) / 100 != 2)
        fail_msg("%s %s: %s", target, body ? body : "", caller->body);
}

static void edit(struct caller *caller, const char *op)
{
    char body[1024];

    snprintf(body, sizeof body, "{\"ops\":[%s]}", op);
    post(caller, LAND "/edits?frame=grid", body);
}

static double version(struct caller *caller)
{
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    return caller_number(caller, "version");
}

/* The bytes of an answer, to be freed. */
static char *take(struct caller *caller, const char *target, size_t *length)
{
    char *bytes;

    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    bytes = malloc(caller->length + 1);
    memcpy(bytes, caller->body, caller->length);
    *length = caller->length;
    return bytes;
}

/* The codes of all vertices, good until the next call. */
static const uint16_t *codes(struct caller *caller)
{
    assert_int_equal(call(caller, "GET", LAND "/heights?format=r16", NULL), 200);
    return (const uint16_t *)(const void *)caller->body;
}

static void assert_codes(struct caller *caller, uint16_t expected)
{
    const uint16_t *now = codes(caller);

    for (size_t i = 0; i < caller->length / 2; i++)
        assert_int_equal(now[i], expected);
}

/* Weights and layers */

static int weight(struct caller *caller, const char *layer, int x, int y)
{
    char target[120];

    snprintf(target, sizeof target, LAND "/weights/%s?format=r8&x=%d&y=%d&width=1&height=1", layer,
             x, y);
    assert_int_equal(call(caller, "GET", target, NULL), 200);
    return (uint8_t)caller->body[0];
}

static void assert_sums(struct caller *caller, bool everywhere)
{
    const uint8_t *planes;

    assert_int_equal(call(caller, "GET", LAND "/weights?layers=a,b", NULL), 200);
    planes = (const uint8_t *)caller->body;
    for (int i = 0; i < VERTICES; i++) {
        int sum = planes[i] + planes[VERTICES + i];

        assert_true(sum == 255 || (sum == 0 && !everywhere));
    }
}

/* WGT-01: by the tools, and by what takes them back. */
static void weights_add_up_after_each_step(void **state)
{
    struct caller *caller = begin(state);
    static uint8_t planes[2 * VERTICES];

    caller_paint(caller, "land", "a", true);
    caller_paint(caller, "land", "b", true);
    for (int i = 0; i < VERTICES; i++)
        planes[VERTICES + i] = (uint8_t)(255 - (planes[i] = (uint8_t)(2 * (i % SIDE))));
    planes[60 * SIDE + 60] = 51;
    planes[VERTICES + 60 * SIDE + 60] = 204;
    caller->type = "application/x-r8";
    assert_int_equal(
        call_bytes(caller, "PUT", LAND "/weights?layers=a,b&strict=true", planes, sizeof planes),
        200);
    edit(caller, "{\"tool\":\"paint\",\"layer\":\"a\",\"target\":255,\"path\":[[60,60]],"
                 "\"radius\":0.5,\"falloff\":0}");
    assert_int_equal(caller_number(caller, "changed"), 1);
    assert_int_equal(weight(caller, "a", 60, 60), 255);
    assert_int_equal(weight(caller, "b", 60, 60), 0);
    assert_sums(caller, true);
    edit(caller, "{\"tool\":\"noise\",\"layer\":\"b\",\"amplitude\":300,\"cell\":9," ALL "}");
    assert_sums(caller, true);
    edit(caller, "{\"tool\":\"smooth\",\"layer\":\"a\"," ALL "}");
    assert_sums(caller, true);
    edit(caller, "{\"tool\":\"unpaint\",\"layer\":\"a\",\"amount\":255," ALL "}");
    assert_sums(caller, true);
    for (int i = 0; i < 3; i++)
        post(caller, LAND "/undo", NULL);
    assert_int_equal(weight(caller, "a", 60, 60), 255);
    post(caller, LAND "/undo", NULL);
    assert_int_equal(weight(caller, "b", 60, 60), 204);
    assert_sums(caller, true);
}

/* WGT-03 */
static void layers_of_one_value_are_listed_with_it(void **state)
{
    struct caller *caller = begin(state);

    caller_paint(caller, "land", "full", true);
    caller_paint(caller, "land", "none", true);
    edit(caller, "{\"tool\":\"paint\",\"layer\":\"full\",\"target\":255," ALL "}");
    caller_restart(caller);
    assert_int_equal(call(caller, "GET", LAND "/layers?statistics=true", NULL), 200);
    assert_string_equal(caller_text(caller, "layers.0.name"), "full");
    assert_float_equal(caller_number(caller, "layers.0.statistics.mean"), 255, 0);
    assert_float_equal(caller_number(caller, "layers.0.statistics.least"), 255, 0);
    assert_string_equal(caller_text(caller, "layers.1.name"), "none");
    assert_float_equal(caller_number(caller, "layers.1.statistics.greatest"), 0, 0);
}

/* WGT-07, HTTP-12: refused with the rule, wherever a name may stand, and nothing is there. */
static void names_are_kept_or_refused_by_their_rule(void **state)
{
    static const char *const lists[] = { LAND "/layers", LAND "/edit-layers", LAND "/snapshots" };
    static const char *const names[] = {
        "",          ".",    "..",     "../x",    "/x", "a b", "<svg onload=1>",
        "a\\u0000b", ".hid", "a\\\\b", "\xc3\xa4"
    };
    static const char *const paths[] = { "%2e%2e%2fx", "..%5cx", "a%00b", "%3Csvg%20onload=1%3E" };
    struct caller *caller = begin(state);
    char body[400], target[200];

    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(body, sizeof body, "{\"name\":\"%s\"}", names[i]);
            call(caller, "POST", lists[l], body);
            assert_refused(caller, 400, "/name");
        }
        snprintf(body, sizeof body, "{\"name\":\"%0300d\"}", 7);
        call(caller, "POST", lists[l], body);
        assert_refused(caller, 400, "/name");
        assert_true(strlen(caller_text(caller, "detail")) < 400);
        for (size_t i = 0; i < 2; i++) {
            size_t length;
            unsigned char *data =
                input_read(i ? "bodies/bad_utf8.json" : "bodies/layer_name.json", &length);

            assert_int_equal(call_bytes(caller, "POST", lists[l], data, length), 400);
            free(data);
        }
        post(caller, lists[l], "{\"name\":\"Wet-sand_1.0\"}");
        snprintf(target, sizeof target, "%s/Wet%%2Dsand_1.0", lists[l]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        call(caller, "POST", lists[l], "{\"name\":\"Wet-sand_1.0\"}");
        assert_refused(caller, 409, "/name");
        for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
            snprintf(target, sizeof target, "%s/%s", lists[l], paths[i]);
            call(caller, "GET", target, NULL);
            assert_in_range(caller->status, 400, 404);
            assert_string_equal(caller_header(caller, "Content-Type"), "application/problem+json");
        }
    }
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        snprintf(target, sizeof target, "/v1/rasters/%s?width=1&height=1", paths[i]);
        caller->type = "application/x-r8";
        assert_int_equal(call_bytes(caller, "PUT", target, "x", 1), 400);
    }
    assert_float_equal(version(caller), 3, 0); /* a snapshot is no version */
}

/* Exports and what is read back */

/* Ground, holes and paint of every kind, and an edit layer above. */
static struct caller *begin_with_all(void **state)
{
    struct caller *caller = begin_with(state, "png/gray16_asym_127.png");

    caller_paint(caller, "land", "a", true);
    caller_paint(caller, "land", "b", true);
    caller_paint(caller, "land", "free", false);
    edit(caller, "{\"tool\":\"hole\",\"path\":[[20,30],[90,100]],\"radius\":5,\"spacing\":4},"
                 "{\"tool\":\"hole\",\"region\":{\"x\":125,\"y\":125,\"width\":1,\"height\":1}},"
                 "{\"tool\":\"paint\",\"layer\":\"a\",\"target\":255," ALL "},"
                 "{\"tool\":\"paint\",\"layer\":\"b\",\"amount\":200,\"path\":[[60,60]],"
                 "\"radius\":40},"
                 "{\"tool\":\"paint\",\"layer\":\"free\",\"amount\":77,\"path\":[[126,126]],"
                 "\"radius\":20}");
    post(caller, LAND "/edit-layers", "{\"name\":\"top\"}");
    post(caller, LAND "/edits",
         "{\"edit_layer\":\"top\",\"ops\":[{\"tool\":\"raise\",\"amount\":2.5,"
         "\"path\":[[63,63]],\"radius\":30},{\"tool\":\"paint\",\"layer\":\"b\",\"amount\":31,"
         "\"path\":[[10,10]],\"radius\":9}]}");
    return caller;
}

static const struct {
    const char *get, *put, *type;
} ways[] = {
    { "/heights?format=png", "/heights?edit_layer=top", "image/png" },
    { "/heights?format=r16", "/heights?edit_layer=top&width=127&height=127", "application/x-r16" },
    { "/heights?format=f32", "/heights?edit_layer=top&width=127&height=127", "application/x-f32" },
    { "/heights?format=r16&x=3&y=60&width=99&height=5",
      "/heights?edit_layer=top&x=3&y=60&width=99&height=5", "application/x-r16" },
    { "/holes", "/holes?edit_layer=top", "image/png" },
    { "/holes?format=r8", "/holes?edit_layer=top&width=126&height=126", "application/x-r8" },
    { "/weights/a", "/weights/a?edit_layer=top", "image/png" },
    { "/weights/b?format=r8", "/weights/b?edit_layer=top&width=127&height=127",
      "application/x-r8" },
    { "/weights/free?format=r8&x=100&y=90&width=27&height=37",
      "/weights/free?edit_layer=top&x=100&y=90&width=27&height=37", "application/x-r8" },
    { "/weights?layers=b,free,a",
      "/weights?layers=b,free,a&strict=true&edit_layer=top&width=127&height=127",
      "application/x-r8" },
};

/* EXP-01, EXP-07, EXP-11 */
static void putting_what_was_got_changes_nothing(void **state)
{
    struct caller *caller = begin_with_all(state);
    double before = version(caller);

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char target[200];
        size_t length;
        char *got;

        snprintf(target, sizeof target, LAND "%s", ways[i].get);
        got = take(caller, target, &length);
        snprintf(target, sizeof target, LAND "%s", ways[i].put);
        caller->type = ways[i].type;
        if (call_bytes(caller, "PUT", target, got, length) != 200)
            fail_msg("%s: %s", target, caller->body);
        if (!json_is_null(caller_member(caller, "dirty")) ||
            caller_number(caller, "version") != before)
            fail_msg("%s: %s", target, caller->body);
        free(got);
    }
}

/* EXP-01, EXP-03, WGT-05: another landscape of what was read is the same in every raster. */
static void what_is_read_makes_the_same_landscape_again(void **state)
{
    static const struct {
        const char *get, *put, *type;
    } rasters[] = {
        { "/heights", "/heights?", "image/png" },
        { "/holes", "/holes?", "image/png" },
        { "/weights?layers=a,b,free", "/weights?layers=a,b,free&width=127&height=127",
          "application/x-r8" },
    };
    static const char *const reads[] = { "heights?format=r16", "holes?format=r8",
                                         "weights?layers=a,b,free" };
    struct caller *caller = begin_with_all(state);
    char target[200];

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/twin",
                          "{\"layout\":{\"components\":[2,2],\"section_quads\":63}}"),
                     201);
    caller_paint(caller, "twin", "a", true);
    caller_paint(caller, "twin", "b", true);
    caller_paint(caller, "twin", "free", false);
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        char *got;

        snprintf(target, sizeof target, LAND "%s", rasters[i].get);
        got = take(caller, target, &length);
        snprintf(target, sizeof target, "/v1/landscapes/twin%s", rasters[i].put);
        caller->type = rasters[i].type;
        assert_int_equal(call_bytes(caller, "PUT", target, got, length), 200);
        free(got);
    }
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        char *got;

        snprintf(target, sizeof target, LAND "/%s", reads[i]);
        got = take(caller, target, &length);
        snprintf(target, sizeof target, "/v1/landscapes/twin/%s", reads[i]);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(caller->length, length);
        assert_memory_equal(caller->body, got, length);
        free(got);
    }
}

static bool of_a_hole(const uint8_t *holes, int x, int y)
{
    for (int k = 0; k < 4; k++) {
        int qx = x - k % 2, qy = y - k / 2;

        if (qx >= 0 && qy >= 0 && qx < SIDE - 1 && qy < SIDE - 1 && holes[qy * (SIDE - 1) + qx])
            return true;
    }
    return false;
}

/* EXP-05: holes that a tool made are back, and the ground around them to the bit. */
static void holes_and_heights_come_back_from_metres(void **state)
{
    static const char *const formats[] = { "asc", "tiff" };
    struct caller *caller = begin_with_all(state);
    size_t length;
    uint8_t *holes = (uint8_t *)take(caller, LAND "/holes?format=r8", &length);
    uint16_t *before = (uint16_t *)(void *)take(caller, LAND "/heights?format=r16", &length);

    for (int i = 0; i < 2; i++) {
        char target[200];
        char *file;
        const uint16_t *now;

        snprintf(target, sizeof target, LAND "/export?format=%s", formats[i]);
        file = take(caller, target, &length);
        call(caller, "DELETE", "/v1/landscapes/back", NULL);
        caller->type = "application/octet-stream";
        if (call_bytes(caller, "POST",
                       "/v1/landscapes/back/import?fit=exact&section_quads=63&"
                       "sections_per_component=1&z_scale=1&z_origin=0",
                       file, length) != 201)
            fail_msg("%s: %s", formats[i], caller->body);
        free(file);
        assert_int_equal(call(caller, "GET", "/v1/landscapes/back/holes?format=r8", NULL), 200);
        assert_int_equal(caller->length, (SIDE - 1) * (SIDE - 1));
        for (int q = 0; q < (SIDE - 1) * (SIDE - 1); q++) {
            int x = q % (SIDE - 1), y = q / (SIDE - 1);
            bool all = of_a_hole(holes, x, y) && of_a_hole(holes, x + 1, y) &&
                       of_a_hole(holes, x, y + 1) && of_a_hole(holes, x + 1, y + 1);

            assert_int_equal((uint8_t)caller->body[q], all ? 255 : 0);
            assert_true(all || !holes[q]);
        }
        assert_int_equal(call(caller, "GET", "/v1/landscapes/back/heights?format=r16", NULL), 200);
        now = (const uint16_t *)(const void *)caller->body;
        for (int v = 0; v < VERTICES; v++)
            assert_true(of_a_hole(holes, v % SIDE, v / SIDE) || now[v] == before[v]);
    }
    free(holes);
    free(before);
}

/* EXP-09, SIZ-13: of weights and holes too. */
static void pieces_of_any_raster_make_the_whole(void **state)
{
    static const struct {
        const char *raster;
        int side;
    } kinds[] = { { "weights/a", 127 }, { "weights/free", 127 }, { "holes", 126 } };
    enum { PIECE = 50, SHARED = 1 };
    struct caller *caller = begin_with_all(state);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        int side = kinds[k].side;
        char target[200];
        size_t length;
        char *whole;

        snprintf(target, sizeof target, LAND "/%s?format=r8", kinds[k].raster);
        whole = take(caller, target, &length);
        assert_int_equal(length, side * side);
        for (int y = 0; y < side - 1; y += PIECE - SHARED) {
            for (int x = 0; x < side - 1; x += PIECE - SHARED) {
                int width = x + PIECE < side ? PIECE : side - x;
                int height = y + PIECE < side ? PIECE : side - y;

                snprintf(target, sizeof target, LAND "/%s?format=r8&x=%d&y=%d&width=%d&height=%d",
                         kinds[k].raster, x, y, width, height);
                assert_int_equal(call(caller, "GET", target, NULL), 200);
                assert_int_equal(caller->length, width * height);
                for (int row = 0; row < height; row++)
                    assert_memory_equal(caller->body + row * width, whole + (y + row) * side + x,
                                        width);
            }
        }
        free(whole);
    }
}

/* Sizes */

/* SIZ-05, SIZ-03 */
static void a_resampled_ramp_is_the_finer_ramp(void **state)
{
    struct caller *caller = begin_with(state, "surface/ramp_x.png");
    const uint16_t *now;

    post(caller, LAND "/resize", "{\"components\":[4,4],\"mode\":\"resample\"}");
    now = codes(caller);
    assert_int_equal(caller->length, 2 * 253 * 253);
    for (int i = 0; i < 253 * 253; i++)
        assert_int_equal(now[i], 256 * (i % 253));
    post(caller, LAND "/undo", NULL);
    now = codes(caller);
    assert_int_equal(caller->length, 2 * VERTICES);
    assert_int_equal(now[126], 64512);
}

/* HTTP-07, NUM-08 */
static void a_size_beyond_all_bounds_is_refused(void **state)
{
    static const char *const sizes[] = { "[0,2]",       "[2,-1]",  "[5000,2]", "[1000000,1000000]",
                                         "[4096,4096]", "[2,2.5]", "[2]",      "[1e999,1]" };
    struct caller *caller = begin(state);
    char body[200];

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(body, sizeof body, "{\"components\":%s,\"mode\":\"expand\"}", sizes[i]);
        call(caller, "POST", LAND "/resize", body);
        assert_in_range(caller->status, 400, 422);
        assert_true(strlen(caller_text(caller, "detail")) > 10);
    }
    assert_float_equal(version(caller), 1, 0);
}

/* Numbers */

/* NUM-01 */
static void the_lowest_ground_is_not_the_top_after_any_change(void **state)
{
    static const char *const ops[] = {
        "{\"tool\":\"smooth\"," ALL "}",
        "{\"tool\":\"sharpen\",\"strength\":1," ALL "}",
        "{\"tool\":\"contrast\",\"factor\":3," ALL "}",
        "{\"tool\":\"flatten\",\"target\":-256," ALL "}",
        "{\"tool\":\"flatten\",\"terrace\":0.5," ALL "}",
        "{\"tool\":\"set\",\"height\":-256.001," ALL "}",
        "{\"tool\":\"lower\",\"amount\":0.001," ALL "}",
        "{\"tool\":\"erosion\",\"iterations\":5," ALL "}",
        "{\"tool\":\"expression\",\"expression\":\"h - 1\"," ALL "}",
    };
    struct caller *caller = begin_with(state, "surface/all_zero.png");

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char body[400];

        snprintf(body, sizeof body, "{\"ops\":[%s]}", ops[i]);
        post(caller, LAND "/edits", body);
        if (caller_number(caller, "changed") != 0)
            fail_msg("%s: %s", ops[i], caller->body);
        assert_codes(caller, 0);
    }
    post(caller, LAND "/resize", "{\"components\":[4,4],\"mode\":\"resample\"}");
    assert_int_equal(codes(caller)[0], 0);
    assert_int_equal(caller->length, 2 * 253 * 253);
    assert_codes(caller, 0);
}

/* NUM-02: each goes no further than the end, and says nothing or that nothing changed. */
static void ground_at_the_limits_saturates(void **state)
{
    static const struct {
        const char *file, *op;
        uint16_t least, greatest;
    } cases[] = {
        { "surface/all_max.png", "{\"tool\":\"raise\",\"amount\":1e9," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"lower\",\"amount\":-1e9," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"raise\",\"amount\":-1e9," ALL "}", 0, 0 },
        { "surface/all_zero.png", "{\"tool\":\"lower\",\"amount\":1e9," ALL "}", 0, 0 },
        { "surface/all_zero.png", "{\"tool\":\"lower\",\"amount\":-1e9," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"noise\",\"amplitude\":1,\"cell\":3," ALL "}", 65407,
          65535 },
        { "surface/all_zero.png", "{\"tool\":\"noise\",\"amplitude\":1,\"cell\":3," ALL "}", 0,
          128 },
        { "surface/all_max.png", "{\"tool\":\"set\",\"height\":1e9," ALL "}", 65535, 65535 },
        { "surface/all_zero.png", "{\"tool\":\"set\",\"height\":-1e9," ALL "}", 0, 0 },
        { "surface/all_max.png", "{\"tool\":\"flatten\",\"target\":1e9," ALL "}", 65535, 65535 },
        { "surface/all_max.png",
          "{\"tool\":\"ramp\",\"from\":[-9,63,1e6],\"to\":[140,63,1e6],\"width\":400,"
          "\"falloff\":0}",
          65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"smooth\"," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"sharpen\",\"strength\":1," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"contrast\",\"factor\":9," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"erosion\",\"iterations\":9," ALL "}", 65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"expression\",\"expression\":\"h * 1e9\"," ALL "}",
          65535, 65535 },
        { "surface/all_max.png", "{\"tool\":\"expression\",\"expression\":\"h * -1e9\"," ALL "}", 0,
          0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct caller *caller = begin_with(state, cases[i].file);
        const uint16_t *now;

        edit(caller, cases[i].op);
        now = codes(caller);
        for (int k = 0; k < VERTICES; k++)
            if (now[k] < cases[i].least || now[k] > cases[i].greatest)
                fail_msg("%s: %d", cases[i].op, now[k]);
    }
}

/* NUM-02, of weights: amounts as large as they may be, again and again, up and down. */
static void weights_at_the_limits_saturate(void **state)
{
    struct caller *caller = begin(state);

    caller_paint(caller, "land", "a", true);
    caller_paint(caller, "land", "b", true);
    caller_paint(caller, "land", "free", false);
    for (int i = 0; i < 2; i++) {
        edit(caller, "{\"tool\":\"paint\",\"layer\":\"a\",\"amount\":255," ALL "},"
                     "{\"tool\":\"paint\",\"layer\":\"free\",\"amount\":200," ALL "},"
                     "{\"tool\":\"paint\",\"layer\":\"free\",\"amount\":200," ALL "}");
        assert_int_equal(weight(caller, "a", 126, 126), 255);
        assert_int_equal(weight(caller, "free", 126, 126), 255);
        edit(caller, "{\"tool\":\"unpaint\",\"layer\":\"free\",\"amount\":200," ALL "},"
                     "{\"tool\":\"unpaint\",\"layer\":\"free\",\"amount\":200," ALL "},"
                     "{\"tool\":\"paint\",\"layer\":\"b\",\"amount\":255," ALL "}");
        assert_int_equal(weight(caller, "free", 0, 0), 0);
        assert_int_equal(weight(caller, "a", 0, 0), 0);
        assert_int_equal(weight(caller, "b", 0, 0), 255);
    }
    for (int i = 0; i < 2; i++) {
        call(caller, "POST", LAND "/edits",
             i ? "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"a\",\"amount\":-1," ALL "}]}"
               : "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"a\",\"amount\":256," ALL "}]}");
        assert_refused(caller, 400, "/ops/0/amount");
    }
}

/* NUM-02, COL-10: dabs as small, as large and as far as can be said, of every tool that has any. */
static void radii_and_places_at_the_limits_are_safe(void **state)
{
    static const char *const tools[] = {
        "\"raise\",\"amount\":5",
        "\"lower\",\"amount\":5",
        "\"set\",\"height\":5",
        "\"flatten\",\"target\":5",
        "\"flatten\",\"terrace\":3",
        "\"smooth\",\"kernel_radius\":64",
        "\"noise\",\"amplitude\":5,\"cell\":3",
        "\"sharpen\",\"strength\":1",
        "\"contrast\",\"factor\":2",
        "\"clone\",\"from\":[3,3]",
        "\"erosion\",\"iterations\":2,\"threshold\":1",
        "\"hydro_erosion\",\"iterations\":1",
        "\"expression\",\"expression\":\"h + 5\"",
        "\"hole\"",
        "\"unhole\"",
        "\"paint\",\"layer\":\"b\",\"amount\":9",
        "\"unpaint\",\"layer\":\"a\",\"amount\":9",
    };
    static const struct {
        const char *path, *radius;
        int most; /* vertices or quads that it may reach */
    } dabs[] = {
        { "[[60,60]]", "1e-9", 1 },
        { "[[60.4,60.4]]", "0.5", 0 },
        { "[[126,126]]", "1e-300", 1 },
        { "[[-3,-3]]", "2.9", 0 },
        { "[[1e6,-1e6]]", "1000", 0 },
        { "[[63,63]]", "1e5", VERTICES },
        { "[[0,0],[126,126]]", "1e5", VERTICES },
    };
    struct caller *caller = begin_with_all(state);

    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        for (size_t k = 0; k < sizeof dabs / sizeof *dabs; k++) {
            char body[400];

            snprintf(body, sizeof body,
                     "{\"ops\":[{\"tool\":%s,\"path\":%s,\"radius\":%s,\"falloff\":0.5}]}",
                     tools[i], dabs[k].path, dabs[k].radius);
            post(caller, LAND "/edits?frame=grid&dry_run=true", body);
            if (caller_number(caller, "changed") > dabs[k].most)
                fail_msg("%s: %s", body, caller->body);
            if (caller_number(caller, "changed") > 0) {
                assert_true(caller_number(caller, "dirty.x") >= 0);
                assert_true(caller_number(caller, "dirty.x") +
                                caller_number(caller, "dirty.width") <=
                            SIDE);
                assert_true(caller_number(caller, "dirty.y") +
                                caller_number(caller, "dirty.height") <=
                            SIDE);
            }
        }
    }
}

/* NUM-04: null, and every answer is JSON, also of a landscape in which there is nothing. */
static void what_is_not_there_is_null_and_every_answer_is_json(void **state)
{
    static const char *const asks[] = {
        LAND,
        LAND "/height?x=60&y=60",
        LAND "/height?x=126&y=126",
        LAND "/heights?format=json&x=0&y=0&width=5&height=5",
        LAND "/layers?statistics=true",
        LAND "/layers/a?statistics=true",
        LAND "/difference?from=1",
        LAND "/difference?from=1&x=3&y=3&width=1&height=1",
        LAND "/edit-layers",
        LAND "/versions",
        LAND "/snapshots",
        LAND "/checksums?since=1",
        LAND "/index-map",
        LAND "/components/1/1",
        "/v1/rasters",
    };
    struct caller *caller = begin(state);

    caller_paint(caller, "land", "a", true);
    edit(caller, "{\"tool\":\"hole\"," ALL "}");
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        if (call(caller, "GET", asks[i], NULL) != 200 || !caller->json)
            fail_msg("%s: %d %s", asks[i], caller->status, caller->body);
    }
    post(caller, LAND "/query/heights", "{\"points\":[[5,5],[-1,5],[126,126.5]]}");
    for (size_t i = 0; i < 3; i++)
        assert_true(json_is_null(json_array_get(caller_member(caller, "heights"), i)));
    post(caller, LAND "/query/heights?fields=normal,layer,triangle", "{\"points\":[[5,5]]}");
    assert_true(json_is_null(caller_member(caller, "points.0")));
}

/* NUM-06 */
static void numbers_that_are_none_change_nothing(void **state)
{
    static const char *const files[] = {
        "nan", "inf", "overflow", "long_number", "trailing_comma", "duplicate", "bom", "empty"
    };
    static const char *const takers[] = { "/edits",     "/resize",        "/layers", "/edit-layers",
                                          "/snapshots", "/query/heights", "/copy" };
    static const char *const values[] = { "NaN", "-Infinity", "1e999", "0x10", "", "1,5" };
    static const char *const queries[] = { "/height?y=5&x=%s",    "/heights?format=r16&x=%s",
                                           "/weights/a?width=%s", "/holes?y=%s",
                                           "/difference?from=%s", "/versions?limit=%s",
                                           "/checksums?since=%s", "/export?format=r16&x=%s" };
    struct caller *caller = begin(state);
    char target[200], file[100];
    double before;

    caller_paint(caller, "land", "a", true);
    before = version(caller);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (size_t k = 0; k < sizeof takers / sizeof *takers; k++) {
            size_t length;
            unsigned char *data;

            snprintf(file, sizeof file, "bodies/%s.json", files[i]);
            data = input_read(file, &length);
            snprintf(target, sizeof target, LAND "%s", takers[k]);
            if (call_bytes(caller, "POST", target, data, length) != 400)
                fail_msg("%s %s: %d %s", target, files[i], caller->status, caller->body);
            free(data);
        }
    }
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
            char query[100];

            snprintf(query, sizeof query, queries[k], values[i]);
            snprintf(target, sizeof target, LAND "%s", query);
            if (call(caller, "GET", target, NULL) != 400)
                fail_msg("%s: %d %s", target, caller->status, caller->body);
            caller_member(caller, "parameter");
        }
    }
    assert_float_equal(version(caller), before, 0);
}

/* NUM-08: sums of a million of the greatest. */
static void great_sums_do_not_come_back_small(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[8,8],\"sections_per_component\":2,"
                          "\"section_quads\":63},\"height\":-256}"),
                     201);
    caller_paint(caller, "land", "a", true);
    edit(caller, "{\"tool\":\"set\",\"height\":1000,\"region\":{\"x\":0,\"y\":0,\"width\":1009,"
                 "\"height\":1009}},{\"tool\":\"paint\",\"layer\":\"a\",\"target\":255,\"region\":"
                 "{\"x\":0,\"y\":0,\"width\":1009,\"height\":1009}}");
    assert_int_equal(caller_number(caller, "changed"), 1009 * 1009);
    assert_int_equal(call(caller, "GET", LAND "/difference?from=1", NULL), 200);
    assert_int_equal(caller_number(caller, "heights_changed"), 1009 * 1009);
    assert_float_equal(caller_number(caller, "mean"), 65535 / 128.0, 1e-9);
    assert_float_equal(caller_number(caller, "least"), 65535 / 128.0, 1e-9);
    assert_float_equal(caller_number(caller, "greatest"), 65535 / 128.0, 1e-9);
    assert_float_equal(caller_number(caller, "raised"), 1009 * 1009 * (65535 / 128.0), 1e-3);
    assert_int_equal(caller_number(caller, "lowered"), 0);
    assert_int_equal(call(caller, "GET", LAND "/layers/a?statistics=true", NULL), 200);
    assert_float_equal(caller_number(caller, "statistics.mean"), 255, 0);
    assert_int_equal(call(caller, "GET", LAND "/tiles/terrarium/0/0/0.png", NULL), 200);
}

/* NUM-11 */
static void erasing_goes_to_zero_metres_and_never_guesses(void **state)
{
    struct caller *caller = begin_with(state, "surface/ramp_x.png");

    call(caller, "POST", LAND "/edits", "{\"ops\":[{\"tool\":\"flatten\"," ALL "}]}");
    assert_refused(caller, 400, "/ops/0/target");
    call(caller, "POST", LAND "/edits", "{\"ops\":[{\"tool\":\"erase\"," ALL "}]}");
    assert_refused(caller, 400, "/ops/0/tool");
    assert_int_equal(codes(caller)[1], 512);
    post(caller, LAND "/edit-layers/base/clear", "{}");
    assert_codes(caller, 32768);
    post(caller, LAND "/undo", NULL);
    edit(caller, "{\"tool\":\"set\",\"height\":0," ALL "}");
    assert_codes(caller, 32768);
}

/* NUM-12, SEA-05: what has no relief gets none, up to the border. */
static void flat_ground_stays_flat(void **state)
{
    static const char *const files[] = { "surface/all_mid.png", "surface/all_zero.png",
                                         "surface/all_max.png", NULL };
    static const char *const ops[] = {
        "{\"tool\":\"smooth\",\"path\":[[0,0],[126,63],[63,126]],\"radius\":20}",
        "{\"tool\":\"smooth\",\"kernel\":\"gauss\",\"kernel_radius\":9," ALL "}",
        "{\"tool\":\"sharpen\",\"strength\":1,\"path\":[[0,0],[126,63],[63,126]],\"radius\":20}",
        "{\"tool\":\"contrast\",\"factor\":4,\"path\":[[0,0],[126,126]],\"radius\":30}",
        "{\"tool\":\"flatten\",\"target\":\"pick\",\"path\":[[0,0],[126,126]],\"radius\":30}",
        "{\"tool\":\"erosion\",\"iterations\":20," ALL "}",
        "{\"tool\":\"hydro_erosion\",\"iterations\":5,\"rain\":0.01,"
        "\"path\":[[126,126]],\"radius\":30}",
        "{\"tool\":\"mirror\",\"axis\":\"x\"," ALL "}",
        "{\"tool\":\"expression\",\"expression\":\"h\"," ALL "}",
        "{\"tool\":\"raise\",\"amount\":9," ALL ",\"mask\":{\"type\":\"slope\",\"from\":1,"
        "\"to\":90}}",
    };

    for (int i = 0; i < 4; i++) {
        struct caller *caller = begin_with(state, files[i] ?: "surface/all_mid.png");
        uint16_t code;

        if (!files[i])
            edit(caller, "{\"tool\":\"set\",\"height\":56.5," ALL "}"); /* 40000 */
        code = codes(caller)[0];
        for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
            edit(caller, ops[k]);
            if (caller_number(caller, "changed") != 0)
                fail_msg("%s: %s", ops[k], caller->body);
            assert_codes(caller, code);
        }
        assert_int_equal(call(caller, "GET", LAND "/height?x=63&y=63", NULL), 200);
        assert_float_equal(caller_number(caller, "normal.2"), 1, 0);
    }
}

/* Clients */

/* The bounds that rays and cameras go by. */
static void assert_range(struct caller *caller, double least, double greatest)
{
    assert_int_equal(call(caller, "GET", LAND, NULL), 200);
    assert_float_equal(caller_number(caller, "height_range.0"), least, 1e-9);
    assert_float_equal(caller_number(caller, "height_range.1"), greatest, 1e-9);
    assert_int_equal(call(caller, "GET", LAND "/components/0/1", NULL), 200);
    assert_float_equal(caller_number(caller, "bounds.max.2"), greatest, 1e-9);
}

/* COL-06 */
static void bounds_follow_brushes_and_undo(void **state)
{
    struct caller *caller = begin_with(state, "surface/spike_interior.png");
    double top = 32767 / 128.0;

    assert_range(caller, 0, top);
    edit(caller, "{\"tool\":\"set\",\"height\":0,\"path\":[[40,70]],\"radius\":0.5,\"falloff\":0}");
    assert_range(caller, 0, 0);
    edit(caller, "{\"tool\":\"set\",\"height\":90,\"path\":[[20,80]],\"radius\":0.5,"
                 "\"falloff\":0}");
    assert_range(caller, 0, 90);
    post(caller, LAND "/undo", NULL);
    assert_range(caller, 0, 0);
    post(caller, LAND "/undo", NULL);
    assert_range(caller, 0, top);
    post(caller, LAND "/redo", NULL);
    assert_range(caller, 0, 0);
}

/* A tile before and after, and that nobody who has the one is told that it is the other. */
static void tiles_are_new_after(struct caller *caller, const char *what, const char *target,
                                const char *body)
{
    static const char *const tiles[] = { "terrain-rgb/0/0/0", "terrarium/0/0/0", "hillshade/0/0/0",
                                         "weights/0/0/0",     "terrarium/1/0/0", "weights/2/1/1" };
    enum { TILES = sizeof tiles / sizeof *tiles };
    char *before[TILES], etags[TILES][256], tile[160];
    size_t lengths[TILES];
    int renewed = 0;

    for (int i = 0; i < TILES; i++) {
        snprintf(tile, sizeof tile, LAND "/tiles/%s.png", tiles[i]);
        before[i] = take(caller, tile, &lengths[i]);
        snprintf(etags[i], sizeof etags[i], "%s", caller_header(caller, "ETag"));
    }
    post(caller, target, body);
    for (int i = 0; i < TILES; i++) {
        bool same;

        snprintf(tile, sizeof tile, LAND "/tiles/%s.png", tiles[i]);
        assert_int_equal(call(caller, "GET", tile, NULL), 200);
        same = caller->length == lengths[i] && memcmp(caller->body, before[i], lengths[i]) == 0;
        renewed += !same;
        if (!same && strcmp(etags[i], caller_header(caller, "ETag")) == 0)
            fail_msg("%s changed under its ETag after %s", tiles[i], what);
        assert_non_null(strstr(caller_header(caller, "Cache-Control"), "no-cache"));
        caller->if_none_match = etags[i];
        if (call(caller, "GET", tile, NULL) == 304)
            assert_true(same);
        free(before[i]);
    }
    if (!renewed)
        fail_msg("no tile is new after %s", what);
}

/* HTTP-15: whatever changes the landscape. */
static void no_tile_is_old_after_any_change(void **state)
{
    struct caller *caller = begin_with_all(state);
    static const char raise[] =
        "{\"ops\":[{\"tool\":\"raise\",\"amount\":40,\"path\":[[60,60]],\"radius\":50}]}";
    static const char paint[] = "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"b\",\"target\":255,"
                                "\"path\":[[90,90]],\"radius\":60}]}";

    post(caller, LAND "/snapshots", "{\"name\":\"first\"}");
    tiles_are_new_after(caller, "raise", LAND "/edits", raise);
    tiles_are_new_after(caller, "undo", LAND "/undo", NULL);
    tiles_are_new_after(caller, "redo", LAND "/redo", NULL);
    tiles_are_new_after(caller, "paint", LAND "/edits", paint);
    tiles_are_new_after(caller, "undo of paint", LAND "/undo", NULL);
    tiles_are_new_after(caller, "clear", LAND "/edit-layers/top/clear", "{}");
    tiles_are_new_after(caller, "undo of clear", LAND "/undo", NULL);
    tiles_are_new_after(caller, "resize", LAND "/resize",
                        "{\"components\":[3,3],\"mode\":\"expand\"}");
    tiles_are_new_after(caller, "restore", LAND "/snapshots/first/restore", NULL);
}

/* HTTP-16 */
static void a_bad_point_is_null_alone(void **state)
{
    static const bool there[] = { true, false, true, false, false, true };
    struct caller *caller = begin(state);
    size_t length;
    unsigned char *data = input_read("bodies/points_mixed.json", &length);

    assert_int_equal(call_bytes(caller, "POST", LAND "/query/heights?frame=grid", data, length),
                     200);
    assert_int_equal(json_array_size(caller_member(caller, "heights")), 6);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(json_is_number(json_array_get(caller_member(caller, "heights"), i)),
                         there[i]);
    free(data);
}

/* TIL-14: tiles inside an area that an edit made level, up to their last pixel. */
static void tiles_of_level_ground_have_no_frame(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "PUT", LAND,
                          "{\"layout\":{\"components\":[5,5],\"sections_per_component\":2,"
                          "\"section_quads\":63}}"),
                     201);
    edit(caller, "{\"tool\":\"set\",\"height\":100,\"region\":{\"x\":0,\"y\":0,\"width\":631,"
                 "\"height\":631}}");
    for (int set = 0; set < 2; set++) {
        for (int i = 0; i < 4; i++) {
            int width, height, channels;
            char target[160];
            uint8_t *pixels;

            snprintf(target, sizeof target, LAND "/tiles/%s/2/%d/%d.png",
                     set ? "terrarium" : "terrain-rgb", i % 2, i / 2);
            assert_int_equal(call(caller, "GET", target, NULL), 200);
            pixels = judge_png(caller->body, caller->length, &width, &height, &channels);
            assert_non_null(pixels);
            assert_int_equal(channels, 3);
            for (int k = 0; k < width * height; k++)
                assert_float_equal(set ? judge_terrarium(pixels + 3 * k)
                                       : judge_terrain_rgb(pixels + 3 * k),
                                   100, 1e-9);
            free(pixels);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
        TEST(weights_add_up_after_each_step),
        TEST(layers_of_one_value_are_listed_with_it),
        TEST(names_are_kept_or_refused_by_their_rule),
        TEST(putting_what_was_got_changes_nothing),
        TEST(what_is_read_makes_the_same_landscape_again),
        TEST(holes_and_heights_come_back_from_metres),
        TEST(pieces_of_any_raster_make_the_whole),
        TEST(a_resampled_ramp_is_the_finer_ramp),
        TEST(a_size_beyond_all_bounds_is_refused),
        TEST(the_lowest_ground_is_not_the_top_after_any_change),
        TEST(ground_at_the_limits_saturates),
        TEST(weights_at_the_limits_saturate),
        TEST(radii_and_places_at_the_limits_are_safe),
        TEST(what_is_not_there_is_null_and_every_answer_is_json),
        TEST(numbers_that_are_none_change_nothing),
        TEST(great_sums_do_not_come_back_small),
        TEST(erasing_goes_to_zero_metres_and_never_guesses),
        TEST(flat_ground_stays_flat),
        TEST(bounds_follow_brushes_and_undo),
        TEST(no_tile_is_old_after_any_change),
        TEST(a_bad_point_is_null_alone),
        TEST(tiles_of_level_ground_have_no_frame),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
