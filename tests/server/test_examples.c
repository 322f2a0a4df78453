/* Every endpoint's own example, against a real daemon: it succeeds, and the answer is what its rows
 * say. */
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

#include "api/endpoint.h"
#include "api/media.h"
#include "api/member.h"
#include "tests/server/harness.h"

static struct served *served;
static const struct endpoint *row; /* under test */

static void import_demo(void)
{
    const char *source = getenv("srcdir");
    char path[512], *bytes = malloc(1 << 20);
    struct answer answer;
    size_t length;
    FILE *from;

    snprintf(path, sizeof path, "%s/deploy/demo/jacksboro.tif", source ? source : SOURCE_FOLDER);
    from = fopen(path, "rb");
    assert_non_null(from);
    length = fread(bytes, 1, 1 << 20, from);
    fclose(from);
    served_ask(served, "POST", "/v1/landscapes/demo/import?replace=false",
               "Content-Type: image/tiff\r\n", bytes, length, &answer);
    if (answer.status != 201)
        fail_msg("the demo was not imported: %s", (char *)answer.body);
    answer_free(&answer);
    free(bytes);
}

/* The raster that examples speak of. */
static void upload_demo(void)
{
    static unsigned char samples[16 * 16];
    struct answer answer;

    for (int i = 0; i < 16 * 16; i++)
        samples[i] = (unsigned char)i;
    served_ask(served, "PUT", "/v1/rasters/demo?width=16&height=16",
               "Content-Type: application/x-r8\r\n", samples, sizeof samples, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
}

/* The demo with two paint layers, and paint: grass, with rock where it is steep. */
static void paint_demo(void)
{
    static const char body[] = "{\"ops\":[{\"tool\":\"paint\",\"layer\":\"grass\",\"target\":255,"
                               "\"region\":{\"x\":0,\"y\":0,"
                               "\"width\":400,\"height\":300}},{\"tool\":\"paint\",\"layer\":"
                               "\"rock\",\"target\":230,\"region\":{"
                               "\"x\":0,\"y\":0,\"width\":400,\"height\":300},\"mask\":{\"type\":"
                               "\"slope\",\"from\":10,\"to\":90,"
                               "\"fade\":10}}]}";
    static const char *const layers[] = { "{\"name\":\"grass\"}", "{\"name\":\"rock\"}" };
    struct answer answer;

    for (int i = 0; i < 2; i++) {
        served_ask(served, "POST", "/v1/landscapes/demo/layers",
                   "Content-Type: application/json\r\n", layers[i], strlen(layers[i]), &answer);
        assert_int_equal(answer.status, 201);
        answer_free(&answer);
    }
    served_ask(served, "POST", "/v1/landscapes/demo/edits", "Content-Type: application/json\r\n",
               body, sizeof body - 1, &answer);
    if (answer.status != 200)
        fail_msg("the demo was not painted: %s", (char *)answer.body);
    answer_free(&answer);
}

/* The snapshot that examples speak of. */
static void name_demo(void)
{
    static const char body[] = "{\"name\":\"demo\"}";
    struct answer answer;

    served_ask(served, "POST", "/v1/landscapes/demo/snapshots",
               "Content-Type: application/json\r\n", body, sizeof body - 1, &answer);
    assert_int_equal(answer.status, 201);
    answer_free(&answer);
}

/* The job that examples speak of. */
static void post_demo(void)
{
    static const char body[] = "{\"kind\":\"export\",\"id\":\"demo\",\"landscape\":\"demo\"}";
    struct answer answer;

    served_ask(served, "POST", "/v1/jobs", "Content-Type: application/json\r\n", body,
               sizeof body - 1, &answer);
    assert_int_equal(answer.status, 202);
    answer_free(&answer);
    served_ask(served, "GET", "/v1/jobs/demo?wait=30", NULL, NULL, 0, &answer);
    assert_non_null(strstr((char *)answer.body, "\"state\":\"done\""));
    answer_free(&answer);
}

static int start(void **state)
{
    (void)state;
    served = served_start(NULL);
    if (!served)
        return -1;
    import_demo();
    upload_demo();
    paint_demo();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    served_free(served);
    return 0;
}

static void wrong(const char *place, const char *what)
{
    fail_msg("%s %s: %s %s", row->method, row->path, place, what);
}

static void value_fits(const struct field *field, const json_t *value, const char *place);

static void shape_fits(const struct shape *shape, const json_t *object, const char *place)
{
    struct member member = { 0 };
    const char *name;
    json_t *value;
    size_t count = 0;
    char at[256];

    if (!json_is_object(object))
        wrong(place, "is no object");
    while (member_next(shape, &member)) {
        value = json_object_get(object, member.field->name);
        snprintf(at, sizeof at, "%s/%s", place, member.field->name);
        if (!value && member.field->left_out)
            continue;
        if (!value)
            wrong(at, "is missing");
        value_fits(member.field, value, at);
        count++;
    }
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (!member_find(shape, name, strlen(name), &member))
            wrong(name, "is in no row");
    }
    assert_int_equal(json_object_size(object), count);
}

static void number_fits(const struct field *field, const json_t *value, const char *place)
{
    bool whole =
        field->kind == FIELD_INT || field->kind == FIELD_INT64 || field->kind == FIELD_INTS;

    if (whole ? !json_is_integer(value) : !json_is_number(value))
        wrong(place, "is no such number");
    if ((field->least || field->greatest) && field->kind != FIELD_POINT &&
        (json_number_value(value) < field->least || json_number_value(value) > field->greatest))
        wrong(place, "is out of its bounds");
}

static void numbers_fit(const struct field *field, const json_t *value, const char *place,
                        int count)
{
    if ((int)json_array_size(value) != count)
        wrong(place, "has not the right count of numbers");
    for (int i = 0; i < count; i++)
        number_fits(field, json_array_get(value, (size_t)i), place);
}

static void list_fits(const struct field *field, const json_t *value, const char *place)
{
    if (!json_is_array(value))
        wrong(place, "is no list");
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *item = json_array_get(value, i);
        if (field->kind == FIELD_LIST && !(field->nullable && json_is_null(item)))
            shape_fits(field->shape, item, place);
        if (field->kind == FIELD_TEXTS && !json_is_string(item))
            wrong(place, "has an item that is no text");
        if (field->kind == FIELD_NUMBERS && !json_is_number(item) && !json_is_null(item))
            wrong(place, "has an item that is no number");
    }
}

static bool null_allowed(const struct field *field)
{
    return field->nullable || field->kind == FIELD_REAL || field->kind == FIELD_TEXT ||
           field->kind == FIELD_NAME || field->kind == FIELD_JSON;
}

static void value_fits(const struct field *field, const json_t *value, const char *place)
{
    if (json_is_null(value)) {
        if (!null_allowed(field))
            wrong(place, "is null");
        return;
    }
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_INT64:
    case FIELD_REAL:
        number_fits(field, value, place);
        break;
    case FIELD_BOOL:
        if (!json_is_boolean(value))
            wrong(place, "is no bool");
        break;
    case FIELD_TEXT:
    case FIELD_NAME:
    case FIELD_CHOICE:
        if (!json_is_string(value))
            wrong(place, "is no text");
        break;
    case FIELD_REALS:
    case FIELD_INTS:
        numbers_fit(field, value, place, field->count);
        break;
    case FIELD_POINT:
        numbers_fit(field, value, place, 2);
        break;
    case FIELD_OBJECT:
        shape_fits(field->shape, value, place);
        break;
    case FIELD_LIST:
    case FIELD_TEXTS:
    case FIELD_NUMBERS:
        list_fits(field, value, place);
        break;
    default:
        break;
    }
}

/* A body for a row that takes bytes: what the same path answers to GET. */
static bool body_fetch(struct answer *body, char type[128])
{
    served_ask(served, "GET", row->example_path, NULL, NULL, 0, body);
    snprintf(type, 128, "Content-Type: %s\r\n", answer_header(body, "Content-Type"));
    return body->status == 200;
}

static void ask_example(struct answer *answer)
{
    struct answer body = { 0 };
    char target[512], type[128] = "Content-Type: application/json\r\n";
    const char *text = row->example_body;
    size_t length = text ? strlen(text) : 0;

    if (!text && row->media_in && !row->body_optional) {
        assert_true(body_fetch(&body, type));
        text = (char *)body.body;
        length = body.length;
    }
    snprintf(target, sizeof target, "%s%s%s", row->example_path, row->example ? "?" : "",
             row->example ? row->example : "");
    served_ask(served, row->method, target, text ? type : NULL, text, length, answer);
    answer_free(&body);
}

static void answer_fits(const struct answer *answer)
{
    const char *type = answer_header(answer, "Content-Type");
    json_t *tree;

    if (answer->status < 200 || answer->status > 299)
        fail_msg("%s %s: %d %s", row->method, row->example_path, answer->status,
                 (char *)answer->body);
    if (answer->status == 204)
        return;
    if (!row->unversioned && !strcmp(row->method, "GET"))
        assert_non_null(answer_header(answer, "ETag"));
    assert_non_null(type = answer_header(answer, "Content-Type"));
    if (row->media_out ? media_find(row->media_out, type) < 0 : !media_is_json(type))
        wrong(type, "is not among the media types of the row");
    if (!row->answers || !media_is_json(type))
        return;
    tree = json_loadb((char *)answer->body, answer->length, JSON_REJECT_DUPLICATES, NULL);
    if (!tree)
        wrong((char *)answer->body, "is no strict JSON");
    shape_fits(row->answers, tree, "");
    json_decref(tree);
}

static bool status_listed(int status)
{
    bool listed = status == 200;

    for (const int *one = row->statuses; one && *one; one++)
        listed = listed || *one == status;
    return listed;
}

/* Deletions last, and what is within a landscape before the landscape. */
static void ask_all(bool deletions)
{
    for (size_t i = 0; i < endpoint_count; i++) {
        struct answer answer;
        row = endpoints[deletions ? endpoint_count - 1 - i : i];
        if (!strcmp(row->method, "DELETE") != deletions || strstr(row->path, "/import"))
            continue;
        ask_example(&answer);
        answer_fits(&answer);
        if (!status_listed(answer.status))
            wrong(answer.head, "has a status that the row does not list");
        answer_free(&answer);
    }
}

static void every_example_is_answered_as_its_rows_say(void **state)
{
    (void)state;
    ask_all(false);
    ask_all(true);
}

/* GET twice: nothing has changed, so the second is 304; HEAD has the same head. */
static void every_read_is_conditional_and_has_a_head(void **state)
{
    (void)state;
    import_demo();
    upload_demo();
    paint_demo();
    name_demo();
    post_demo();
    for (size_t i = 0; i < endpoint_count; i++) {
        struct answer first, second;
        char target[512], header[256];
        row = endpoints[i];
        if (strcmp(row->method, "GET") || row->unversioned)
            continue;
        snprintf(target, sizeof target, "%s%s%s", row->example_path, row->example ? "?" : "",
                 row->example ? row->example : "");
        served_ask(served, "GET", target, NULL, NULL, 0, &first);
        assert_int_equal(first.status, 200);
        snprintf(header, sizeof header, "If-None-Match: %s\r\n", answer_header(&first, "ETag"));
        served_ask(served, "GET", target, header, NULL, 0, &second);
        if (second.status != 304 || second.length)
            wrong(target, "is not 304 for its own ETag");
        answer_free(&second);
        served_ask(served, "HEAD", target, NULL, NULL, 0, &second);
        assert_int_equal(second.status, 200);
        assert_int_equal(strtoull(answer_header(&second, "Content-Length"), NULL, 10),
                         first.length);
        snprintf(header, sizeof header, "%s", answer_header(&second, "ETag"));
        assert_string_equal(header, answer_header(&first, "ETag"));
        answer_free(&second);
        if (row->holds == HOLDS_VIEW)
            assert_non_null(answer_header(&first, "Landscape-Version"));
        answer_free(&first);
    }
}

/* What no row takes is refused by every row, in its query and in its body. */
static void every_endpoint_refuses_what_it_does_not_know(void **state)
{
    (void)state;
    for (size_t i = 0; i < endpoint_count; i++) {
        struct answer answer;
        char target[512], body[2048];
        row = endpoints[i];
        snprintf(target, sizeof target, "%s?no_such_parameter=1", row->example_path);
        if (!row->loose_query) {
            served_ask(served, row->method, target, NULL, row->takes ? "{}" : NULL,
                       row->takes ? 2 : 0, &answer);
            if (answer.status != 400 && answer.status != 411)
                wrong(target, "is not refused");
            answer_free(&answer);
        }
        if (!row->takes || !row->example_body)
            continue;
        snprintf(body, sizeof body, "{\"no_such_member\":1,%s", row->example_body + 1);
        served_ask(served, row->method, row->example_path, "Content-Type: application/json\r\n",
                   body, strlen(body), &answer);
        if (answer.status != 400 || !strstr((char *)answer.body, "/no_such_member"))
            wrong((char *)answer.body, "does not name the unknown member");
        answer_free(&answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_is_answered_as_its_rows_say),
        cmocka_unit_test(every_read_is_conditional_and_has_a_head),
        cmocka_unit_test(every_endpoint_refuses_what_it_does_not_know),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
