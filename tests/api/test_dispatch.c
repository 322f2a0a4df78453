/* What dispatch does for every row, shown on rows of our own over a real landscape. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/caller.h"
#include "terrain/format/georef.h"

/* ---- the rows ---- */

struct place {
    double at[2];
    struct list path;
};

static const struct field place_asks[] = { FIELD_PLACE(struct place, at, "Where", .required = true),
                                           { .kind = FIELD_END } };

static const struct field place_rows[] = { FIELD_AS(FIELD_POINT, struct place, at, "Where",
                                                    .required = true),
                                           FIELD_AS(FIELD_POINTS, struct place, path, "A way"),
                                           { .kind = FIELD_END } };
static const struct shape place_shape = { "place", sizeof(struct place), place_rows, NULL, -1 };

static double seen[2]; /* what the handler saw, in grid coordinates */
static int runs;

static bool point_run(struct request *rq, const void *asked, void *answer)
{
    const struct place *place = rq->body ? rq->body : asked;

    runs++;
    memcpy(seen, place->at, sizeof seen);
    *(struct place *)answer = *place;
    return true;
}

static const struct endpoint get_point = {
    .method = "GET",
    .path = "/t/{landscape}/point",
    .summary = "A point",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .framed = true,
    .asks = SHAPE(struct place, place_asks),
    .answers = &place_shape,
    .run = point_run,
};

static const struct endpoint post_point = {
    .method = "POST",
    .path = "/t/{landscape}/point",
    .summary = "A point",
    .scope = SCOPE_READ,
    .holds = HOLDS_VIEW,
    .framed = true,
    .takes = &place_shape,
    .answers = &place_shape,
    .run = point_run,
};

struct picture {
    int32_t n;
};

static const struct field picture_asks[] = {
    FIELD(struct picture, n, NULL, 0, 1000, "Which", .in_path = true), { .kind = FIELD_END }
};

static uint64_t picture_newest;

static bool picture_version(struct request *rq, const void *asked, uint64_t *version)
{
    const struct picture *picture = asked;

    if (picture->n == 404)
        return REFUSE(rq, FAULT_RANGE, "there is no picture %d", picture->n);
    *version = picture_newest;
    return true;
}

static bool picture_run(struct request *rq, const void *asked, void *answer)
{
    const struct picture *picture = asked;

    (void)answer;
    runs++;
    if (picture->n == 500)
        return REFUSE(rq, FAULT_IMPOSSIBLE, "no picture %d can be made", picture->n);
    for (int i = 0; i < 400; i++)
        if (!bytes_print(&rq->bytes, &rq->fault, "%d,", picture->n))
            return false;
    return true;
}

static const char *const picture_media[] = { "image/png", "text/csv", NULL };

static const struct endpoint get_picture = {
    .method = "GET",
    .path = "/t/{landscape}/pictures/{n}",
    .summary = "A picture",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .kept = true,
    .loose_query = true,
    .asks = SHAPE(struct picture, picture_asks),
    .media_out = picture_media,
    .newest = picture_version,
    .run = picture_run,
};

/* What it shows of what it depends on. */
static int content_shown;

static bool content_run(struct request *rq, const void *asked, void *answer)
{
    const struct picture *picture = asked;

    (void)answer;
    runs++;
    for (int i = 0; i < 400; i++)
        if (!bytes_print(&rq->bytes, &rq->fault, "%d,", picture->n + content_shown))
            return false;
    return true;
}

static const char *const content_media[] = { "text/csv", NULL };

#define CONTENT_ROW(path_, kept_)                                                                  \
    {                                                                                              \
        .method = "GET", .path = path_, .summary = "Named by its content", .scope = SCOPE_READ,    \
        .pace = SLOW, .holds = HOLDS_VIEW, .kept = kept_, .content_etag = true,                    \
        .asks = SHAPE(struct picture, picture_asks), .media_out = content_media,                   \
        .newest = picture_version, .run = content_run                                              \
    }

static const struct endpoint get_content = CONTENT_ROW("/t/{landscape}/content/{n}", true);
static const struct endpoint get_content_unkept = CONTENT_ROW("/t/{landscape}/unkept/{n}", false);

static const struct endpoint *const rows[] = { &get_point, &post_point, &get_picture, &get_content,
                                               &get_content_unkept };

/* ---- the stage ---- */

static int begin(void **state)
{
    struct routes *own;
    struct caller *caller;
    struct fault why;

    if (caller_begin(state))
        return -1;
    caller = *state;
    call(caller, "PUT", "/v1/landscapes/a",
         "{\"layout\":{\"components\":[1,1],\"section_quads\":63},\"scale\":[2,4,1],"
         "\"origin\":[100,200,0]}");
    assert_int_equal(caller->status, 201);
    call(caller, "PUT", "/v1/landscapes/b",
         "{\"layout\":{\"components\":[1,1],\"section_quads\":63},\"crs\":\"EPSG:4326\","
         "\"bounds\":[10,50,10.63,50.63]}");
    assert_int_equal(caller->status, 201);
    routes_free((struct routes *)(uintptr_t)caller->service.routes);
    own = routes_new(rows, sizeof rows / sizeof *rows, &why);
    assert_non_null(own);
    caller->service.routes = own;
    runs = 0;
    picture_newest = 1;
    return 0;
}

/* ---- frames ---- */

static void positions_come_in_grid_coordinates_and_go_in_the_frame(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "GET", "/t/a/point?x=110&y=220", NULL), 200);
    assert_float_equal(seen[0], 5, 1e-12);
    assert_float_equal(seen[1], 5, 1e-12);
    assert_float_equal(caller_number(caller, "at.0"), 110, 1e-9);
    assert_int_equal(call(caller, "GET", "/t/a/point?x=7&y=8&frame=grid", NULL), 200);
    assert_float_equal(seen[1], 8, 0);
    assert_float_equal(caller_number(caller, "at.1"), 8, 0);
    assert_int_equal(call(caller, "POST", "/t/a/point?frame=local",
                          "{\"at\":[102,204],\"path\":[[100,200],[104,208]]}"),
                     200);
    assert_float_equal(seen[0], 1, 1e-12);
    assert_float_equal(caller_number(caller, "path.1.1"), 208, 1e-9);
}

static void degrees_need_a_landscape_in_the_world(void **state)
{
    struct caller *caller = *state;

    call(caller, "GET", "/t/a/point?x=10&y=50&frame=lonlat", NULL);
    assert_int_equal(caller->status, 422);
    assert_int_equal(call(caller, "GET", "/t/b/point?x=10.1&y=50.53&frame=lonlat", NULL), 200);
    assert_float_equal(seen[0], 10, 1e-6);
    assert_float_equal(seen[1], 10, 1e-6);
    assert_float_equal(caller_number(caller, "at.0"), 10.1, 1e-9);
    call(caller, "GET", "/t/b/point?x=10&y=50&frame=degrees", NULL);
    assert_refused(caller, 400, "frame");
}

static void a_place_is_named_by_its_own_parameter(void **state)
{
    struct caller *caller = *state;

    call(caller, "GET", "/t/a/point?x=1", NULL);
    assert_refused(caller, 400, "y");
    call(caller, "GET", "/t/a/point?x=NaN&y=1", NULL);
    assert_refused(caller, 400, "x");
    call(caller, "POST", "/t/a/point", "{\"at\":[1,2],\"path\":[[1,2],[3,\"4\"]]}");
    assert_refused(caller, 400, "/path/1/1");
}

/* ---- versions and conditions ---- */

static void an_etag_names_content_and_options(void **state)
{
    struct caller *caller = *state;
    char first[256];

    call(caller, "GET", "/t/a/point?x=1&y=1", NULL);
    snprintf(first, sizeof first, "%s", caller_header(caller, "ETag"));
    assert_string_equal(caller_header(caller, "Landscape-Version"), "1");
    call(caller, "GET", "/t/a/point?y=1&x=1.0", NULL); /* the same options, said otherwise */
    assert_string_equal(caller_header(caller, "ETag"), first);
    call(caller, "GET", "/t/a/point?x=1&y=2", NULL);
    assert_string_not_equal(caller_header(caller, "ETag"), first);
    call(caller, "GET", "/t/a/point?x=1&y=1&frame=grid", NULL);
    assert_string_not_equal(caller_header(caller, "ETag"), first);
    call(caller, "GET", "/t/b/point?x=1&y=1", NULL);
    assert_string_not_equal(caller_header(caller, "ETag"), first);
}

static void what_the_client_has_is_not_made_again(void **state)
{
    struct caller *caller = *state;
    char etag[256], list[600];

    call(caller, "GET", "/t/a/point?x=1&y=1", NULL);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    assert_int_equal(runs, 1);
    snprintf(list, sizeof list, "\"x\", W/%s", etag);
    caller->if_none_match = list;
    assert_int_equal(call(caller, "GET", "/t/a/point?x=1&y=1", NULL), 304);
    assert_int_equal(caller->length, 0);
    assert_string_equal(caller_header(caller, "ETag"), etag);
    caller->if_none_match = "*";
    assert_int_equal(call(caller, "GET", "/t/a/point?x=1&y=1", NULL), 304);
    assert_int_equal(runs, 1);
    caller->if_none_match = "\"other\"";
    assert_int_equal(call(caller, "GET", "/t/a/point?x=1&y=1", NULL), 200);
    caller->if_match = "\"other\"";
    assert_int_equal(call(caller, "GET", "/t/a/point?x=1&y=1", NULL), 412);
    assert_int_equal(runs, 2);
}

static void versions_that_are_not_there_are_refused(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "GET", "/t/a/point?x=1&y=1&version=1", NULL), 200);
    call(caller, "GET", "/t/a/point?x=1&y=1&version=2", NULL);
    assert_true(caller->status == 404 || caller->status == 422);
    call(caller, "GET", "/t/a/point?x=1&y=1&version=0", NULL);
    assert_refused(caller, 400, "version");
    call(caller, "GET", "/t/nobody/point?x=1&y=1", NULL);
    assert_int_equal(caller->status, 404);
    call(caller, "GET", "/t/.hidden/point?x=1&y=1", NULL);
    assert_refused(caller, 400, "landscape");
}

/* ---- kept answers ---- */

static void a_kept_answer_is_made_once(void **state)
{
    struct caller *caller = *state;
    char etag[256];

    assert_int_equal(call(caller, "GET", "/t/a/pictures/7", NULL), 200);
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    assert_int_equal(call(caller, "GET", "/t/a/pictures/7?whatever=1", NULL), 200);
    assert_int_equal(runs, 1);
    assert_string_equal(caller_header(caller, "ETag"), etag);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
    assert_memory_equal(caller->body, "7,7,", 4);
    call(caller, "GET", "/t/b/pictures/7", NULL);
    assert_int_equal(runs, 2);
    picture_newest = 2; /* something under it has changed */
    call(caller, "GET", "/t/a/pictures/7", NULL);
    assert_int_equal(runs, 3);
    assert_string_not_equal(caller_header(caller, "ETag"), etag);
}

static void content_names_what_depends_on_less(void **state)
{
    static const char *const targets[] = { "/t/a/content/7", "/t/a/unkept/7" };
    struct caller *caller = *state;

    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char etag[256];

        assert_int_equal(call(caller, "GET", targets[i], NULL), 200);
        snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
        caller->if_none_match = etag;
        assert_int_equal(call(caller, "GET", targets[i], NULL), 304);
        assert_int_equal(caller->length, 0);
        assert_string_equal(caller_header(caller, "ETag"), etag);
        picture_newest++; /* something has changed that it does not show */
        caller->if_none_match = etag;
        assert_int_equal(call(caller, "GET", targets[i], NULL), 304);
        caller->if_match = "\"other\"";
        assert_int_equal(call(caller, "GET", targets[i], NULL), 412);
        picture_newest++, content_shown++;
        caller->if_none_match = etag;
        assert_int_equal(call(caller, "GET", targets[i], NULL), 200);
        assert_string_not_equal(caller_header(caller, "ETag"), etag);
        caller->if_none_match = "*";
        assert_int_equal(call(caller, "GET", targets[i], NULL), 304);
    }
}

static void a_failure_is_not_kept(void **state)
{
    struct caller *caller = *state;

    assert_int_equal(call(caller, "GET", "/t/a/pictures/500", NULL), 422);
    assert_int_equal(call(caller, "GET", "/t/a/pictures/500", NULL), 422);
    assert_int_equal(runs, 2);
    assert_int_equal(call(caller, "GET", "/t/a/pictures/404", NULL), 404);
    assert_int_equal(runs, 2); /* refused before any work */
}

static void media_types_are_kept_apart(void **state)
{
    struct caller *caller = *state;
    char etag[256];

    caller->accept = "text/csv";
    assert_int_equal(call(caller, "GET", "/t/a/pictures/7", NULL), 200);
    assert_string_equal(caller_header(caller, "Content-Type"), "text/csv");
    assert_string_equal(caller_header(caller, "Vary"), "Accept, Accept-Encoding");
    snprintf(etag, sizeof etag, "%s", caller_header(caller, "ETag"));
    caller->accept = "image/*;q=0.9, text/csv;q=0.1";
    call(caller, "GET", "/t/a/pictures/7", NULL);
    assert_string_equal(caller_header(caller, "Content-Type"), "image/png");
    assert_string_not_equal(caller_header(caller, "ETag"), etag);
    caller->accept = "application/json";
    assert_int_equal(call(caller, "GET", "/t/a/pictures/7", NULL), 406);
    caller->accept = "image/png;q=0, */*";
    call(caller, "GET", "/t/a/pictures/7", NULL);
    assert_string_equal(caller_header(caller, "Content-Type"), "text/csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(positions_come_in_grid_coordinates_and_go_in_the_frame,
                                        begin, caller_end),
        cmocka_unit_test_setup_teardown(degrees_need_a_landscape_in_the_world, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_place_is_named_by_its_own_parameter, begin, caller_end),
        cmocka_unit_test_setup_teardown(an_etag_names_content_and_options, begin, caller_end),
        cmocka_unit_test_setup_teardown(what_the_client_has_is_not_made_again, begin, caller_end),
        cmocka_unit_test_setup_teardown(versions_that_are_not_there_are_refused, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_kept_answer_is_made_once, begin, caller_end),
        cmocka_unit_test_setup_teardown(content_names_what_depends_on_less, begin, caller_end),
        cmocka_unit_test_setup_teardown(a_failure_is_not_kept, begin, caller_end),
        cmocka_unit_test_setup_teardown(media_types_are_kept_apart, begin, caller_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
