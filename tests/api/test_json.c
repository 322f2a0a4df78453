/* Bodies by their rows, in and out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_read.h"
#include "api/json_scan.h"
#include "api/json_write.h"
#include "api/number.h"

struct inner {
    double depth;
    const char *label;
};

struct circle {
    double radius;
};
struct square {
    double side;
    int32_t turns;
};

struct disc {
    bool hollow;
};
struct tile {
    struct disc disc;
    const char *picture;
    int32_t turns;
};

struct body {
    double x, y, level;
    int32_t count;
    bool flag;
    const char *title, *name;
    int colour;
    double scale[3];
    int32_t size[2];
    double at[2], eye[3];
    struct list path, inners, shapes, numbers, texts;
    struct inner inner;
    struct rect region;
    struct variant tile;
    uint64_t given;
};

static const char *const colours[] = { "red", "green", "blue", NULL };
static const char *const level_words[] = { "pick", NULL };

static const struct field inner_rows[] = { FIELD(struct inner, depth, "m", 0, 10, "How deep"),
                                           FIELD(struct inner, label, NULL, 0, 20, "A label"),
                                           { .kind = FIELD_END } };
static const struct field circle_rows[] = { FIELD(struct circle, radius, "m", 0, 100, "The radius",
                                                  .above_least = true, .required = true),
                                            { .kind = FIELD_END } };
static const struct field square_rows[] = {
    FIELD(struct square, side, "m", 0, 100, "The side", .required = true),
    FIELD(struct square, turns, NULL, 0, 3, "Quarter turns"),
    { .kind = FIELD_END }
};
static const struct shape circle_shape = { "circle", sizeof(struct circle), circle_rows, NULL, -1 };
static const struct shape square_shape = { "square", sizeof(struct square), square_rows, NULL, -1 };
static const char *const kinds[] = { "circle", "square", NULL };
static const struct shape *const kind_shapes[] = { &circle_shape, &square_shape };
static const struct variant_set shape_set = {
    .tag = "kind", .words = kinds, .shapes = kind_shapes, .count = 2
};

/* A set that a text alone may stand for: the picture's name. */
static const struct field disc_rows[] = { FIELD(struct disc, hollow, NULL, 0, 0, "Without middle"),
                                          { .kind = FIELD_END } };
static const struct shape disc_shape = { "disc", sizeof(struct disc), disc_rows, NULL, -1 };
static const struct field tile_rows[] = {
    FIELD_AS(FIELD_NAME, struct tile, picture, "Which", .required = true),
    FIELD(struct tile, turns, NULL, 0, 3, "Quarter turns", .has_value = true, .value = 2),
    { .kind = FIELD_END }
};
static const struct shape tile_shape = { "tile", sizeof(struct tile), tile_rows, &disc_shape, -1 };
static const char *const tile_words[] = { "disc", "tile", NULL };
static const struct shape *const tile_shapes[] = { &disc_shape, &tile_shape };
static const struct variant_set tile_set = {
    .tag = "kind", .words = tile_words, .shapes = tile_shapes, .count = 2, .plain = "tile"
};

static const struct field rows[] = {
    FIELD(struct body, x, "m", -1e6, 1e6, "East", .required = true),
    FIELD(struct body, y, "m", -1e6, 1e6, "South", .required = true),
    FIELD_AS(FIELD_PICK, struct body, level, "Where to", .words = level_words, .least = -9,
             .greatest = 9),
    FIELD(struct body, count, NULL, 1, 10, "How many", .has_value = true, .value = 3),
    FIELD(struct body, flag, NULL, 0, 0, "On or off"),
    FIELD(struct body, title, NULL, 0, 12, "A title", .nullable = true),
    FIELD_AS(FIELD_NAME, struct body, name, "A name"),
    FIELD_AS(FIELD_CHOICE, struct body, colour, "A colour", .words = colours),
    FIELD_AS(FIELD_REALS, struct body, scale, "Scale", .count = 3, .least = 0, .greatest = 5),
    FIELD_AS(FIELD_INTS, struct body, size, "Size", .count = 2, .least = 0, .greatest = 9),
    FIELD_AS(FIELD_POINT, struct body, at, "Where", .nullable = true),
    FIELD_AS(FIELD_POINT3, struct body, eye, "From where", .nullable = true),
    FIELD_AS(FIELD_POINTS, struct body, path, "A way", .least = 0, .greatest = 4),
    FIELD_AS(FIELD_LIST, struct body, inners, "Things", .shape = SHAPE(struct inner, inner_rows)),
    FIELD_AS(FIELD_VARIANTS, struct body, shapes, "Shapes", .variants = &shape_set),
    FIELD_AS(FIELD_NUMBERS, struct body, numbers, "Numbers"),
    FIELD_AS(FIELD_TEXTS, struct body, texts, "Texts"),
    FIELD_AS(FIELD_OBJECT, struct body, inner, "A thing", .shape = SHAPE(struct inner, inner_rows)),
    FIELD(struct body, region, NULL, 0, 0, "A rectangle", .nullable = true),
    FIELD_AS(FIELD_VARIANT, struct body, tile, "A tile", .variants = &tile_set, .nullable = true),
    { .kind = FIELD_END }
};
static const struct shape body_shape = { "body", sizeof(struct body), rows, NULL,
                                         offsetof(struct body, given) };

static struct arena arena;
static struct fault why;

static bool read_body(const char *text, struct body *body)
{
    memset(body, 0, sizeof *body);
    why = (struct fault){ 0 };
    return json_read(&body_shape, text, strlen(text), &arena, body, &why);
}

static int finish(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void a_whole_body_is_read(void **state)
{
    struct body body;
    const struct variant *shapes;

    (void)state;
    assert_true(read_body(
        " {\"x\": 1.5, \"y\": -2e2, \"level\": \"pick\", \"count\": 7, \"flag\": true,"
        "\"title\": \"a\\u00e9\\n\\ud83d\\ude00\", \"name\": \"n-1\", \"colour\": \"blue\","
        "\"scale\": [1, 2.5, 0], \"size\": [3, 4], \"at\": [1, 2], \"eye\": [1, 2, 3],"
        "\"path\": [[0, 1], [2, 3]], \"inners\": [{\"depth\": 1}, {\"label\": \"z\"}],"
        "\"shapes\": [{\"kind\": \"circle\", \"radius\": 5},"
        "             {\"side\": 2, \"turns\": 1, \"kind\": \"square\"}],"
        "\"numbers\": [1, -1], \"texts\": [\"p\", \"q\"], \"inner\": {\"depth\": 9},"
        "\"region\": {\"x\": 1, \"y\": 2, \"width\": 3, \"height\": 4}}\n",
        &body));
    assert_float_equal(body.x, 1.5, 0);
    assert_float_equal(body.y, -200, 0);
    assert_true(isnan(body.level));
    assert_int_equal(body.count, 7);
    assert_true(body.flag);
    assert_string_equal(body.title, "a\xc3\xa9\n\xf0\x9f\x98\x80");
    assert_int_equal(body.colour, 2);
    assert_int_equal(body.size[1], 4);
    assert_int_equal(body.path.count, 2);
    assert_float_equal(((double *)body.path.items)[3], 3, 0);
    assert_string_equal(((struct inner *)body.inners.items)[1].label, "z");
    shapes = body.shapes.items;
    assert_int_equal(shapes[1].chosen, 1);
    assert_float_equal(((struct square *)shapes[1].members)->side, 2, 0);
    assert_int_equal(body.region.height, 4);
    assert_int_equal(body.given, ((uint64_t)1 << 19) - 1);
}

static void what_is_absent_has_its_default(void **state)
{
    struct body body;

    (void)state;
    assert_true(read_body("{\"y\":0,\"x\":0,\"title\":null}", &body));
    assert_int_equal(body.count, 3);
    assert_null(body.title);
    assert_true(isnan(body.at[0]));
    assert_int_equal(body.path.count, 0);
    assert_int_equal(body.given, 3 | 1 << 5); /* null counts as given */
}

static void a_text_alone_stands_for_the_plain_variant(void **state)
{
    static const char *const texts[] = {
        "{\"x\":1,\"y\":1,\"tile\":\"moss\"}",
        "{\"x\":1,\"y\":1,\"tile\":{\"picture\":\"moss\"}}",
        "{\"x\":1,\"y\":1,\"tile\":{\"picture\":\"moss\",\"kind\":\"tile\"}}",
    };
    struct body body;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct tile *tile;

        assert_true(read_body(texts[i], &body));
        assert_int_equal(body.tile.chosen, 1);
        tile = body.tile.members;
        assert_string_equal(tile->picture, "moss");
        assert_int_equal(tile->turns, 2);
    }
    assert_true(read_body("{\"x\":1,\"y\":1,\"tile\":{\"kind\":\"disc\",\"hollow\":true}}", &body));
    assert_int_equal(body.tile.chosen, 0);
}

static void every_wrong_member_is_named(void **state)
{
    static const struct {
        const char *text, *place, *says;
    } wrongs[] = {
        { "{\"x\":1}", "/y", "missing" },
        { "{\"x\":1,\"y\":1,\"z\":1}", "/z", "no member" },
        { "{\"x\":1,\"y\":1,\"colur\":\"red\"}", "/colur", "did you mean \"colour\"" },
        { "{\"x\":1,\"x\":900,\"y\":1}", "/x", "twice" },
        { "{\"x\":\"1\",\"y\":1}", "/x", "a number, not a text" },
        { "{\"x\":true,\"y\":1}", "/x", "a number, not a bool" },
        { "{\"x\":null,\"y\":1}", "/x", "a number, not null" },
        { "{\"x\":],\"y\":1}", "/x", "malformed at byte 5" },
        { "{\"x\":'1',\"y\":1}", "/x", "malformed at byte 5" },
        { "{\"x\":NaN,\"y\":1}", "/x", "a number" },
        { "{\"x\":Infinity,\"y\":0}", "/x", "a number" },
        { "{\"x\":-Infinity,\"y\":0}", "/x", "a number" },
        { "{\"x\":1e999,\"y\":0}", "/x", "beyond 1.7e308" },
        { "{\"x\":11111111111111111111111111111111111111111111111111111111111111111,\"y\":0}", "/x",
          "longer than 64" },
        { "{\"x\":2e6,\"y\":0}", "/x", "at most 1000000 m, not 2000000" },
        { "{\"x\":01,\"y\":0}", "", "expected" },
        { "{\"x\":1.,\"y\":0}", "/x", "a number" },
        { "{\"x\":.5,\"y\":0}", "/x", "a number" },
        { "{\"x\":+1,\"y\":0}", "/x", "a number" },
        { "{\"x\":0x10,\"y\":0}", "", "expected" },
        { "{\"x\":1,\"y\":1,}", "", "expected" },
        { "{\"x\":1,\"y\":1", "", "expected" },
        { "{\"x\":1,\"y\":1} {}", "", "text after the end" },
        { "{\"x\":1,\"y\":1,\"count\":1.5}", "/count", "whole number" },
        { "{\"x\":1,\"y\":1,\"count\":0}", "/count", "at least 1" },
        { "{\"x\":1,\"y\":1,\"count\":1e30}", "/count", "at most 10" },
        { "{\"x\":1,\"y\":1,\"level\":\"pock\"}", "/level", "\"pick\"" },
        { "{\"x\":1,\"y\":1,\"level\":10}", "/level", "at most 9" },
        { "{\"x\":1,\"y\":1,\"title\":\"thirteen byte\"}", "/title", "0 to 12 bytes" },
        { "{\"x\":1,\"y\":1,\"title\":\"\\u0000\"}", "/title", "NUL" },
        { "{\"x\":1,\"y\":1,\"title\":\"\\ud800\"}", "/title", "surrogate" },
        { "{\"x\":1,\"y\":1,\"title\":\"\\ud800\\u0041\"}", "/title", "surrogate" },
        { "{\"x\":1,\"y\":1,\"title\":\"\\x41\"}", "/title", "escape" },
        { "{\"x\":1,\"y\":1,\"title\":\"a\nb\"}", "/title", "control character" },
        { "{\"x\":1,\"y\":1,\"title\":\"a", "/title", "no end" },
        { "{\"x\":1,\"y\":1,\"name\":\"../x\"}", "/name", "must be 1 to 64" },
        { "{\"x\":1,\"y\":1,\"name\":\".x\"}", "/name", "must be 1 to 64" },
        { "{\"x\":1,\"y\":1,\"colour\":\"gren\"}", "/colour", "did you mean \"green\"" },
        { "{\"x\":1,\"y\":1,\"scale\":[1,2]}", "/scale", "exactly 3 numbers, not 2" },
        { "{\"x\":1,\"y\":1,\"scale\":[1,2,3,4]}", "/scale", "exactly 3" },
        { "{\"x\":1,\"y\":1,\"scale\":[1,9,3]}", "/scale/1", "at most 5" },
        { "{\"x\":1,\"y\":1,\"path\":[[1,2],[3]]}", "/path/1", "exactly 2" },
        { "{\"x\":1,\"y\":1,\"path\":[[1,2],3]}", "/path/1", "a list of numbers" },
        { "{\"x\":1,\"y\":1,\"path\":[[1,NaN]]}", "/path/0/1", "number" },
        { "{\"x\":1,\"y\":1,\"path\":[[1,1],[1,1],[1,1],[1,1],[1,1]]}", "/path", "at most 4" },
        { "{\"x\":1,\"y\":1,\"inners\":[{},{\"depth\":11}]}", "/inners/1/depth", "at most 10" },
        { "{\"x\":1,\"y\":1,\"shapes\":[{\"radius\":1}]}", "/shapes/0/kind", "missing" },
        { "{\"x\":1,\"y\":1,\"shapes\":[{\"kind\":\"ring\"}]}", "/shapes/0/kind", "none of" },
        { "{\"x\":1,\"y\":1,\"tile\":\".\"}", "/tile", "not begin" },
        { "{\"x\":1,\"y\":1,\"tile\":7}", "/tile", "an object or a text" },
        { "{\"x\":1,\"y\":1,\"tile\":{}}", "/tile/picture", "missing" },
        { "{\"x\":1,\"y\":1,\"tile\":{\"hollow\":true}}", "/tile/picture", "missing" },
        { "{\"x\":1,\"y\":1,\"shapes\":[{\"kind\":7}]}", "/shapes/0/kind", "a text" },
        { "{\"x\":1,\"y\":1,\"shapes\":[{\"kind\":\"circle\",\"radius\":0}]}", "/shapes/0/radius",
          "above 0" },
        { "{\"x\":1,\"y\":1,\"shapes\":[{\"kind\":\"circle\",\"side\":1}]}", "/shapes/0/side",
          "no member" },
        { "{\"x\":1,\"y\":1,\"shapes\":[{\"kind\":\"circle\",\"radius\":1,\"kind\":\"circle\"}]}",
          "/shapes/0/kind", "twice" },
        { "{\"x\":1,\"y\":1,\"region\":{\"x\":1,\"y\":1,\"width\":0,\"height\":1}}",
          "/region/width", "at least 1" },
        { "{\"x\":1,\"y\":1,\"region\":{\"x\":1,\"y\":1,\"width\":1}}", "/region/height",
          "missing" },
        { "{\"x\":1,\"y\":1,\"inner\":[]}", "/inner", "an object, not a list" },
        { "[]", "", "a JSON object, not a list" },
        { "mode=1", "", "a JSON object, not something else" },
        { "", "", "a JSON object, not nothing" },
        { "\xEF\xBB\xBF{\"x\":1,\"y\":1}", "", "byte order mark" },
        { "{\"x\":1,\"y\":1,\"title\":\"\xff\xfe\"}", "", "not UTF-8" },
        { "{\"x\":1,\"y\":1,\"title\":\"\xc0\x80\"}", "", "not UTF-8" },
        { "{\"x\":1,\"y\":1,\"title\":\"\xed\xa0\x80\"}", "", "not UTF-8" },
    };
    struct body body;

    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        assert_false(read_body(wrongs[i].text, &body));
        if (why.code != FAULT_INPUT || strcmp(why.place, wrongs[i].place) ||
            !strstr(why.detail, wrongs[i].says))
            fail_msg("%s -> \"%s\" at \"%s\"", wrongs[i].text, why.detail, why.place);
    }
}

static void deep_nesting_is_refused(void **state)
{
    size_t length = 1 << 20;
    char *text = malloc(length);
    struct fault reason;
    struct scan scan;

    (void)state;
    memset(text, '[', length);
    assert_true(scan_begin(&scan, text, length, &arena, &reason));
    assert_false(scan_skip(&scan, &reason));
    assert_non_null(strstr(reason.detail, "64 levels"));
    free(text);
}

static void memory_that_runs_out_is_a_fault(void **state)
{
    struct arena small = { .limit = 4096 };
    char text[8192] = "{\"x\":1,\"y\":1,\"numbers\":[0";
    struct body body = { 0 };
    struct fault reason;

    (void)state;
    while (strlen(text) < 8000)
        strcat(text, ",0");
    strcat(text, "]}");
    assert_false(json_read(&body_shape, text, strlen(text), &small, &body, &reason));
    assert_int_equal(reason.code, FAULT_MEMORY);
    arena_free(&small);
}

/* What is written is what a strict reader, and our own, read again. */
static void what_is_written_reads_back(void **state)
{
    struct bytes first = { 0 }, second = { 0 };
    struct body body, again;
    json_t *tree;

    (void)state;
    assert_true(read_body("{\"x\":0.1,\"y\":123456.789,\"level\":1,\"title\":\"q\\\"\\\\\\u0001\","
                          "\"name\":\"n\",\"path\":[[1e-7,2]],\"at\":[1,2],\"eye\":[1,2,3],"
                          "\"inners\":[{\"depth\":0.3,\"label\":\"l\"}],\"numbers\":[0.1,-7],"
                          "\"shapes\":[{\"kind\":\"square\",\"side\":1}],\"texts\":[\"a\"],"
                          "\"inner\":{\"label\":\"m\"},"
                          "\"region\":{\"x\":0,\"y\":0,\"width\":1,\"height\":1}}",
                          &body));
    assert_true(json_write(&body_shape, &body, &first, &why));
    tree = json_loadb((char *)first.data, first.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(tree);
    json_decref(tree);
    memset(&again, 0, sizeof again);
    assert_true(json_read(&body_shape, (char *)first.data, first.length, &arena, &again, &why));
    assert_true(json_write(&body_shape, &again, &second, &why));
    assert_int_equal(first.length, second.length);
    assert_memory_equal(first.data, second.data, first.length);
    bytes_free(&first);
    bytes_free(&second);
}

static void nothing_that_is_no_number_is_written(void **state)
{
    struct body body = { .x = NAN, .y = INFINITY, .at = { NAN, NAN }, .eye = { NAN } };
    double numbers[2] = { NAN, 1 };
    struct bytes text = { 0 };
    json_t *tree;

    (void)state;
    body.numbers = (struct list){ 2, numbers };
    assert_true(json_write(&body_shape, &body, &text, &why));
    tree = json_loadb((char *)text.data, text.length, 0, NULL);
    assert_non_null(tree);
    assert_true(json_is_null(json_object_get(tree, "x")));
    assert_true(json_is_null(json_object_get(tree, "y")));
    assert_true(json_is_null(json_object_get(tree, "at")));
    assert_true(json_is_null(json_object_get(tree, "region")));
    assert_true(json_is_null(json_array_get(json_object_get(tree, "numbers"), 0)));
    json_decref(tree);
    bytes_free(&text);
}

static void a_number_is_its_shortest_text(void **state)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = {
        { 0, "0" },
        { -0.0, "0" },
        { 1, "1" },
        { -1.5, "-1.5" },
        { 0.1, "0.1" },
        { 100, "100" },
        { 0.0078125, "0.0078125" },
        { 1e21, "1e+21" },
        { 123456.789, "123456.789" },
        { 1.0 / 3, "0.3333333333333333" },
        { 5e-324, "5e-324" },
        { NAN, "null" },
        { -INFINITY, "null" },
    };
    char text[NUMBER_ROOM];

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(number_print(numbers[i].value, text), strlen(numbers[i].text));
        assert_string_equal(text, numbers[i].text);
    }
}

static void text_that_is_not_utf8_is_mended(void **state)
{
    struct bytes text = { 0 };

    (void)state;
    assert_true(json_write_text("a\xff"
                                "b\xc3",
                                &text, &why));
    assert_int_equal(text.length, 10);
    assert_memory_equal(text.data,
                        "\"a\xef\xbf\xbd"
                        "b\xef\xbf\xbd\"",
                        10);
    bytes_free(&text);
}

/* Jansson is the judge of what is JSON: both accept or both refuse, whatever is changed in a text.
 */
static void the_same_texts_are_json_as_for_others(void **state)
{
    static const char seed_text[] = "{\"a\":[1,-2.5e3,true,false,null,\"\\u00e9\\n\"],\"b\":{}}";
    static const char letters[] = "{}[],:\"\\0123456789.eE+-truefalsn u\x01\xc3\xa9";
    uint64_t seed = 2463534242u;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        char text[sizeof seed_text];
        struct fault reason;
        struct scan scan;
        json_t *tree;
        bool ours;
        memcpy(text, seed_text, sizeof text);
        for (int j = 0; j <= i % 3; j++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            text[seed % (sizeof text - 1)] = letters[(seed >> 32) % (sizeof letters - 1)];
        }
        tree = json_loadb(text, sizeof text - 1, JSON_DECODE_ANY, NULL);
        ours = scan_begin(&scan, text, sizeof text - 1, &arena, &reason) &&
               scan_skip(&scan, &reason) && scan_end(&scan, &reason);
        if (ours != (tree != NULL))
            fail_msg("%s: %s", text, ours ? "accepted by us alone" : reason.detail);
        json_decref(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_body_is_read),
        cmocka_unit_test(what_is_absent_has_its_default),
        cmocka_unit_test(a_text_alone_stands_for_the_plain_variant),
        cmocka_unit_test(every_wrong_member_is_named),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(memory_that_runs_out_is_a_fault),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(nothing_that_is_no_number_is_written),
        cmocka_unit_test(a_number_is_its_shortest_text),
        cmocka_unit_test(text_that_is_not_utf8_is_mended),
        cmocka_unit_test(the_same_texts_are_json_as_for_others),
    };

    return cmocka_run_group_tests(tests, NULL, finish);
}
