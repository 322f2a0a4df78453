/* Map tiles of the demo from a real daemon: what the pixels say is what questions about the same
 * places are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/format/judge.h"
#include "tests/server/harness.h"

enum { SIDE = 256, PIXELS = SIDE * SIDE };

static struct served *served;

static void import_demo(void)
{
    const char *source = getenv("srcdir");
    static unsigned char data[1 << 20];
    struct answer answer;
    char path[512];
    size_t length;
    FILE *from;

    snprintf(path, sizeof path, "%s/deploy/demo/jacksboro.tif", source ? source : ".");
    from = fopen(path, "rb");
    assert_non_null(from);
    length = fread(data, 1, sizeof data, from);
    fclose(from);
    served_ask(served, "POST", "/v1/landscapes/demo/import", "Content-Type: image/tiff\r\n", data,
               length, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
}

static int start(void **state)
{
    (void)state;
    served = served_start(NULL);
    if (!served)
        return -1;
    import_demo();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    served_free(served);
    return 0;
}

static void get(const char *target, const char *headers, struct answer *answer)
{
    served_ask(served, "GET", target, headers, NULL, 0, answer);
}

/* The middle of the demo at a zoom. */
static void tile_middle(int z, int *x, int *y)
{
    const double n = ldexp(1, z), latitude = 36.59 * M_PI / 180;

    *x = (int)((-84.25 + 180) / 360 * n);
    *y = (int)((1 - asinh(tan(latitude)) / M_PI) / 2 * n);
}

/* Heights at all pixel centres of the tile; 0 where there is no ground. */
static double *ask_heights(int z, int x, int y)
{
    double *points = malloc(PIXELS * 2 * sizeof *points);
    double *heights = malloc(PIXELS * sizeof *heights);
    struct answer answer;

    for (int i = 0; i < PIXELS; i++) {
        const double u = (x + (i % SIDE + 0.5) / SIDE) / ldexp(1, z);
        const double v = (y + (i / SIDE + 0.5) / SIDE) / ldexp(1, z);

        points[2 * i] = u * 360 - 180;
        points[2 * i + 1] = atan(sinh(M_PI * (1 - 2 * v))) * 180 / M_PI;
    }
    served_ask(served, "POST", "/v1/landscapes/demo/query/heights?frame=lonlat&ignore_holes=true",
               "Content-Type: application/x-f64\r\nAccept: application/x-f64\r\n", points,
               PIXELS * 2 * sizeof *points, &answer);
    assert_int_equal(answer.status, 200);
    assert_int_equal(answer.length, PIXELS * sizeof *heights);
    memcpy(heights, answer.body, answer.length);
    answer_free(&answer);
    free(points);
    for (int i = 0; i < PIXELS; i++)
        heights[i] = isnan(heights[i]) ? 0 : heights[i];
    return heights;
}

static void pixels_say_what_points_are_told(void **state)
{
    (void)state;
    for (int z = 11; z <= 15; z += 2) {
        double *heights, worst = 0;
        struct answer answer;
        int x, y, width, height, channels;
        char target[120];
        uint8_t *rgb;

        tile_middle(z, &x, &y);
        snprintf(target, sizeof target, "/v1/landscapes/demo/tiles/terrarium/%d/%d/%d.png", z, x,
                 y);
        get(target, NULL, &answer);
        assert_int_equal(answer.status, 200);
        assert_string_equal(answer_header(&answer, "Content-Type"), "image/png");
        rgb = judge_png(answer.body, answer.length, &width, &height, &channels);
        assert_true(rgb && width == SIDE && height == SIDE && channels == 3);
        heights = ask_heights(z, x, y);
        for (int i = 0; i < PIXELS; i++)
            worst = fmax(worst, fabs(judge_terrarium(rgb + 3 * i) - heights[i]));
        if (!(worst <= 1 / 512.0 + 1e-4))
            fail_msg("%g m at zoom %d", worst, z);
        free(rgb);
        free(heights);
        answer_free(&answer);
    }
}

static void a_kept_tile_is_the_same_and_needs_no_second_sending(void **state)
{
    static const char target[] = "/v1/landscapes/demo/tiles/terrain-rgb/11/544/800.png";
    struct answer first, again;
    char condition[160], etag[100];

    (void)state;
    get(target, NULL, &first);
    assert_int_equal(first.status, 200);
    snprintf(etag, sizeof etag, "%s", answer_header(&first, "ETag"));
    get(target, NULL, &again);
    assert_int_equal(again.length, first.length);
    assert_memory_equal(again.body, first.body, first.length);
    assert_string_equal(answer_header(&again, "ETag"), etag);
    answer_free(&again);
    snprintf(condition, sizeof condition, "If-None-Match: \"other\", %s\r\n", etag);
    get(target, condition, &again);
    assert_int_equal(again.status, 304);
    assert_int_equal(again.length, 0);
    assert_string_equal(answer_header(&again, "ETag"), etag);
    answer_free(&again);
    served_ask(served, "HEAD", target, NULL, NULL, 0, &again);
    assert_int_equal(again.status, 200);
    assert_int_equal(atoi(answer_header(&again, "Content-Length")), (int)first.length);
    answer_free(&again);
    answer_free(&first);
}

/* An edit under the tile shows in the very next answer. */
static void the_next_tile_after_an_edit_is_new(void **state)
{
    static const char target[] = "/v1/landscapes/demo/tiles/hillshade/11/544/800.png";
    static const char edit[] = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[-84.3,36.6]],"
                               "\"radius\":2000,\"amount\":300}]}";
    struct answer before, after;
    char etag[100];

    (void)state;
    get(target, NULL, &before);
    snprintf(etag, sizeof etag, "%s", answer_header(&before, "ETag"));
    served_ask(served, "POST", "/v1/landscapes/demo/edits?frame=lonlat",
               "Content-Type: application/json\r\n", edit, strlen(edit), &after);
    assert_int_equal(after.status, 200);
    answer_free(&after);
    get(target, NULL, &after);
    assert_int_equal(after.status, 200);
    assert_string_not_equal(answer_header(&after, "ETag"), etag);
    assert_true(after.length != before.length ||
                memcmp(after.body, before.body, before.length) != 0);
    answer_free(&before);
    answer_free(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_say_what_points_are_told),
        cmocka_unit_test(a_kept_tile_is_the_same_and_needs_no_second_sending),
        cmocka_unit_test(the_next_tile_after_an_edit_is_new),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
