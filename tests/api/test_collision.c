/* The collision heightfield through the API: every layout is read as its engine reads it, with the
 * engine's own diagonal, and is the surface that heights are asked of. */
#include "tests/api/caller.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/engines.h"
#include "tests/terrain/dice.h"

#define IT "/v1/landscapes/it"
enum { COLUMNS = 61, ROWS = 31 };

/* 61 x 31 vertices, rough, with holes of one quad and of many. */
static struct caller *begin(void **state)
{
    struct caller *caller = *state;
    struct dice dice = { 21 };
    static uint8_t codes[COLUMNS * ROWS * 2], holes[(COLUMNS - 1) * (ROWS - 1)];

    assert_int_equal(call(caller, "PUT", IT,
                          "{\"layout\":{\"components\":[2,1],\"sections_per_component\":2,"
                          "\"section_quads\":15},\"scale\":[2,3,4],\"origin\":[100,-50,20]}"),
                     201);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const int code = 30000 + dice_between(&dice, 0, 5000);

        codes[2 * i] = (uint8_t)code;
        codes[2 * i + 1] = (uint8_t)(code >> 8);
    }
    memset(holes, 0, sizeof holes);
    for (int i = 0; i < 30; i++) {
        const struct rect hole = dice_rect(&dice, COLUMNS - 1, ROWS - 1, i < 20 ? 1 : 6);

        for (int y = hole.y; y < hole.y + hole.height; y++)
            memset(holes + y * (COLUMNS - 1) + hole.x, 255, (size_t)hole.width);
    }
    caller->type = "application/x-r16";
    assert_int_equal(
        call_bytes(caller, "PUT", IT "/heights?width=61&height=31", codes, sizeof codes), 200);
    caller->type = "application/x-r8";
    assert_int_equal(call_bytes(caller, "PUT", IT "/holes?width=60&height=30", holes, sizeof holes),
                     200);
    return caller;
}

static void numbers(const json_t *from, const char *member, double *to, size_t count)
{
    const json_t *list = json_object_get(from, member);

    assert_int_equal(json_array_size(list), count);
    for (size_t i = 0; i < count; i++)
        to[i] = json_number_value(json_array_get(list, i));
}

static json_t *format_named(struct caller *caller, const char *name)
{
    json_t *all = json_object_get(caller->json, "formats"), *one;
    size_t i;

    json_array_foreach(all, i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0)
            return one;
    }
    fail_msg("no format %s", name);
    return NULL;
}

static struct shape_file take(struct caller *caller, const char *name, const char *query)
{
    struct shape_file file = { .data = NULL };
    char target[300], href[400];
    const json_t *format;
    double bytes;

    snprintf(target, sizeof target, IT "/collision?%s", query);
    if (call(caller, "GET", target, NULL) != 200)
        fail_msg("%s: %s", target, caller->body);
    format = format_named(caller, name);
    numbers(format, "counts", file.counts, 2);
    numbers(format, "scale", file.scale, 3);
    numbers(format, "position", file.position, 3);
    numbers(format, "rotation", file.rotation, 4);
    numbers(format, "range", file.range, 2);
    bytes = json_number_value(json_object_get(format, "bytes"));
    snprintf(href, sizeof href, "%s", json_string_value(json_object_get(format, "href")));
    if (call(caller, "GET", href, NULL) != 200)
        fail_msg("%s: %s", href, caller->body);
    assert_int_equal(caller->length, bytes);
    file.length = caller->length;
    file.data = malloc(file.length + 1);
    memcpy(file.data, caller->body, file.length);
    return file;
}

/* A place that lies on no line of the grid or diagonal, and not quite at the window's edge. */
static void some_place(struct dice *dice, const struct shape_file *codes, double *x, double *y)
{
    double u, v;

    do {
        u = dice_real(dice, 0, codes->counts[0] - 1);
        v = dice_real(dice, 0, codes->counts[1] - 1);
    } while (fabs(u - round(u)) < 1e-4 || fabs(v - round(v)) < 1e-4 ||
             fabs(u - v - round(u - v)) < 1e-4 || fabs(u + v - round(u + v)) < 1e-4);
    *x = codes->position[0] + u * codes->scale[0];
    *y = codes->position[1] + v * codes->scale[1];
}

static const char *const windows[] = { "mip=0", "mip=0&x=7&y=3&width=20&height=11",
                                       "mip=1", "mip=1&x=3&y=2&width=9&height=12",
                                       "mip=2", "mip=3" };
enum { WINDOWS = sizeof windows / sizeof *windows, PLACES = 400 };

/* Heights are floats, some 200 m. */
static void assert_same_height(double got, double wanted, const char *what)
{
    if (isnan(got) != isnan(wanted) || (!isnan(got) && fabs(got - wanted) > 1e-4))
        fail_msg("%s: %.9g m instead of %.9g m", what, got, wanted);
}

static void every_layout_is_the_surface(void **state)
{
    static const struct {
        const char *name;
        engines_read *read;
        bool ignoring;
    } rows[] = {
        { "chaos", engines_chaos, false },   { "physx", engines_physx, false },
        { "rapier", engines_rapier, false }, { "triangles", engines_list, false },
        { "soup", engines_soup, false },     { "bullet", engines_bullet, true },
        { "jolt", engines_jolt, true },      { "f32", engines_f32, true },
        { "physx", engines_physx, true },    { "rapier", engines_rapier, true },
    };
    struct caller *caller = begin(state);
    struct dice dice = { 4 };

    for (size_t w = 0; w < WINDOWS; w++) {
        struct shape_file codes = take(caller, "r16", windows[w]);
        struct shape_file holes = take(caller, "holes", windows[w]);

        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
            char query[200];
            struct shape_file file;

            snprintf(query, sizeof query, "%s&ignore_holes=%s", windows[w],
                     rows[r].ignoring ? "true" : "false");
            file = take(caller, rows[r].name, query);
            for (int i = 0; i < PLACES; i++) {
                double x, y;

                some_place(&dice, &codes, &x, &y);
                assert_same_height(rows[r].read(&file, x, y),
                                   engines_plain(&codes, rows[r].ignoring ? NULL : &holes, x, y),
                                   rows[r].name);
            }
            free(file.data);
        }
        free(codes.data);
        free(holes.data);
    }
}

/* Jolt's field is short of solid ground around holes by what its rim has, and of nothing else. */
static void jolts_field_and_its_rim_are_the_surface(void **state)
{
    struct caller *caller = begin(state);
    struct dice dice = { 6 };
    int rims = 0;

    for (size_t w = 0; w < WINDOWS; w++) {
        struct shape_file codes = take(caller, "r16", windows[w]);
        struct shape_file holes = take(caller, "holes", windows[w]);
        struct shape_file field = take(caller, "jolt", windows[w]);
        struct shape_file rim = take(caller, "jolt_rim", windows[w]);

        for (int i = 0; i < PLACES; i++) {
            double x, y, there, beside;

            some_place(&dice, &codes, &x, &y);
            there = engines_jolt(&field, x, y);
            beside = engines_list(&rim, x, y);
            assert_true(isnan(there) || isnan(beside)); /* never both */
            rims += !isnan(beside);
            assert_same_height(isnan(there) ? beside : there, engines_plain(&codes, &holes, x, y),
                               "jolt and its rim");
        }
        free(codes.data);
        free(holes.data);
        free(field.data);
        free(rim.data);
    }
    assert_true(rims > 100);
}

static void blocks_pad_jolts_square(void **state)
{
    static const struct {
        const char *query;
        int side;
    } rows[] = { { "mip=0", 64 },         { "mip=0&block=2", 62 },
                 { "mip=0&block=3", 63 }, { "width=9&height=4", 16 },
                 { "mip=3&block=8", 16 }, { "mip=3&block=2", 6 } };
    struct caller *caller = begin(state);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct shape_file file = take(caller, "jolt", rows[i].query);

        assert_float_equal(file.counts[0], rows[i].side, 0);
        assert_float_equal(engines_float(&file, file.length - 4), FLT_MAX, 0);
        free(file.data);
    }
}

/* A sample is left out when any quad around it is a hole, or only when all are. */
static void the_rule_of_holes_says_which_samples_go(void **state)
{
    struct caller *caller = begin(state);
    struct shape_file codes = take(caller, "r16", "mip=0");
    struct shape_file holes = take(caller, "holes", "mip=0");
    struct shape_file any = take(caller, "f32", "mip=0"), all = take(caller, "f32", "holes=all");
    int gone[2] = { 0, 0 };

    for (size_t y = 0; y < ROWS; y++)
        for (size_t x = 0; x < COLUMNS; x++) {
            int quads = 0, open = 0;

            for (size_t k = 0; k < 4; k++) {
                const size_t i = x - k % 2, j = y - k / 2;

                if (i >= COLUMNS - 1 || j >= ROWS - 1)
                    continue;
                quads++;
                open += holes.data[j * (COLUMNS - 1) + i] == 255;
            }
            assert_int_equal(isnan(engines_float(&any, 4 * (y * COLUMNS + x))), open > 0);
            assert_int_equal(isnan(engines_float(&all, 4 * (y * COLUMNS + x))), open == quads);
            gone[0] += open > 0;
            gone[1] += open == quads;
        }
    assert_true(gone[0] > gone[1] && gone[1] > 0);
    free(codes.data);
    free(holes.data);
    free(any.data);
    free(all.data);
}

/* At mip 0 it is the surface of GET height, holes and all. */
static void mip_0_is_what_heights_are_asked_of(void **state)
{
    struct caller *caller = begin(state);
    struct shape_file codes = take(caller, "r16", "mip=0");
    struct shape_file holes = take(caller, "holes", "mip=0");
    struct dice dice = { 8 };
    int in_holes = 0;

    for (int i = 0; i < 200; i++) {
        char target[200];
        double x, y, wanted;

        some_place(&dice, &codes, &x, &y);
        wanted = engines_plain(&codes, &holes, x, y);
        snprintf(target, sizeof target, IT "/height?x=%.17g&y=%.17g", x, y);
        assert_int_equal(call(caller, "GET", target, NULL), 200);
        assert_int_equal(json_is_true(caller_member(caller, "hole")), isnan(wanted));
        in_holes += isnan(wanted);
        if (!isnan(wanted))
            assert_float_equal(caller_number(caller, "z"), wanted, 1e-9);
    }
    assert_true(in_holes > 5);
    free(codes.data);
    free(holes.data);
}

static void the_document_says_what_it_is(void **state)
{
    struct caller *caller = begin(state);
    double error;

    assert_int_equal(call(caller, "GET", IT "/collision?mip=1&x=3&errors=true", NULL), 200);
    assert_float_equal(caller_number(caller, "version"), 3, 0);
    assert_float_equal(caller_number(caller, "mips"), 4, 0);
    assert_float_equal(caller_number(caller, "columns"), 29, 0);
    assert_float_equal(caller_number(caller, "rows"), 15, 0);
    assert_float_equal(caller_number(caller, "width"), 26, 0);
    assert_float_equal(caller_number(caller, "spacing"), 15 / 7.0, 1e-15);
    assert_float_equal(caller_number(caller, "step.0"), 30 / 7.0, 1e-14);
    assert_float_equal(caller_number(caller, "step.1"), 45 / 7.0, 1e-14);
    assert_float_equal(caller_number(caller, "origin.0"), 100 + 90 / 7.0, 1e-12);
    assert_float_equal(caller_number(caller, "origin.1"), -50, 0);
    assert_float_equal(caller_number(caller, "height_scale"), 4 / 128.0, 0);
    error = caller_number(caller, "error");
    assert_true(error > 10);
    assert_float_equal(fmax(caller_number(caller, "errors.0"), caller_number(caller, "errors.1")),
                       error, 0);
    assert_float_equal(atof(caller_header(caller, "Landscape-Mesh-Error")), error, 1e-6 * error);
    assert_int_equal(call(caller, "GET", IT "/collision?mip=1&x=3&format=physx", NULL), 200);
    assert_float_equal(atof(caller_header(caller, "Landscape-Mesh-Error")), error, 1e-6 * error);
    assert_int_equal(call(caller, "GET", IT "/collision", NULL), 200);
    assert_float_equal(caller_number(caller, "error"), 0, 0);
    assert_true(json_is_null(caller_member(caller, "errors")));
    assert_non_null(strstr(
        json_string_value(json_object_get(format_named(caller, "bullet"), "refused")), "holes"));
    assert_true(json_is_null(json_object_get(format_named(caller, "jolt"), "refused")));
}

static void what_cannot_be_is_refused_by_name(void **state)
{
    struct caller *caller = begin(state);

    call(caller, "GET", IT "/collision?mip=4", NULL);
    assert_refused(caller, 422, "mip");
    assert_non_null(strstr(caller->body, "nearest is 3"));
    call(caller, "GET", IT "/collision?mip=-1", NULL);
    assert_refused(caller, 400, "mip");
    call(caller, "GET", IT "/collision?mip=1&width=30", NULL);
    assert_refused(caller, 422, "width");
    assert_non_null(strstr(caller->body, "29 x 15 samples"));
    call(caller, "GET", IT "/collision?mip=1&y=14", NULL);
    assert_refused(caller, 422, "height");
    call(caller, "GET", IT "/collision?block=9", NULL);
    assert_refused(caller, 400, "block");
    call(caller, "GET", IT "/collision?format=bulet", NULL);
    assert_int_equal(caller->status, 400);
    assert_non_null(strstr(caller->body, "bullet"));
    call(caller, "GET", IT "/collision?format=bullet", NULL);
    assert_int_equal(caller->status, 422);
    assert_non_null(strstr(caller->body, "ignore_holes"));
    caller->service.limits.collision_samples = 100;
    call(caller, "GET", IT "/collision?mip=1", NULL);
    assert_int_equal(caller->status, 413);
    assert_non_null(strstr(caller->body, "collision_samples"));
    caller->service.limits.collision_samples = 1000000;
    caller->service.limits.mesh_triangles = 100;
    call(caller, "GET", IT "/collision?format=soup", NULL);
    assert_int_equal(caller->status, 413);
    assert_non_null(strstr(caller->body, "mesh_triangles"));
    assert_int_equal(call(caller, "GET", IT "/collision", NULL), 200);
    assert_non_null(strstr(
        json_string_value(json_object_get(format_named(caller, "soup"), "refused")), "mesh"));
}

static void edit(struct caller *caller, int x)
{
    char body[200];

    snprintf(body, sizeof body,
             "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%d,10]],\"radius\":2,"
             "\"amount\":5}]}",
             x);
    if (call(caller, "POST", "/v1/landscapes/wide/edits?frame=grid", body) != 200)
        fail_msg("%s", caller->body);
}

/* An answer is named by what it depends on; older versions are there; the document tells its own.
 */
static void names_follow_what_they_depend_on(void **state)
{
    static const char west[] = "/v1/landscapes/wide/collision?mip=1&width=40&height=40&format=r16";
    struct caller *caller = *state;
    char tag[100], document[100];
    char *before;

    assert_int_equal(call(caller, "PUT", "/v1/landscapes/wide",
                          "{\"layout\":{\"components\":[2,1],\"sections_per_component\":1,"
                          "\"section_quads\":255}}"),
                     201);
    assert_int_equal(call(caller, "GET", west, NULL), 200);
    snprintf(tag, sizeof tag, "%s", caller_header(caller, "ETag"));
    before = malloc(caller->length);
    memcpy(before, caller->body, caller->length);
    assert_int_equal(call(caller, "GET", "/v1/landscapes/wide/collision?mip=1&width=40", NULL),
                     200);
    snprintf(document, sizeof document, "%s", caller_header(caller, "ETag"));
    edit(caller, 450);
    caller->if_none_match = tag;
    assert_int_equal(call(caller, "GET", west, NULL), 304);
    caller->if_none_match = document;
    assert_int_equal(call(caller, "GET", "/v1/landscapes/wide/collision?mip=1&width=40", NULL),
                     200);
    edit(caller, 20);
    caller->if_none_match = tag;
    assert_int_equal(call(caller, "GET", west, NULL), 200);
    assert_true(memcmp(before, caller->body, caller->length) != 0);
    assert_int_equal(
        call(caller, "GET",
             "/v1/landscapes/wide/collision?mip=1&width=40&height=40&format=r16&version=1", NULL),
        200);
    assert_memory_equal(before, caller->body, caller->length);
    free(before);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(every_layout_is_the_surface),
        TEST(jolts_field_and_its_rim_are_the_surface),
        TEST(blocks_pad_jolts_square),
        TEST(the_rule_of_holes_says_which_samples_go),
        TEST(mip_0_is_what_heights_are_asked_of),
        TEST(the_document_says_what_it_is),
        TEST(what_cannot_be_is_refused_by_name),
        TEST(names_follow_what_they_depend_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
