/* What every endpoint's row has to be, whichever it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/endpoint.h"
#include "api/json_read.h"
#include "api/media.h"
#include "api/member.h"
#include "api/query.h"
#include "api/route.h"
#include "api/service.h"

enum part { QUERY, BODY, ANSWER };

static const struct endpoint *row; /* under test, for messages */

static void wrong(const struct shape *shape, const struct field *field, const char *what)
{
    fail_msg("%s %s: %s.%s %s", row->method, row->path, shape ? shape->name : "",
             field ? field->name : "", what);
}

static bool numeric(const struct field *field)
{
    return field->kind == FIELD_INT || field->kind == FIELD_INT64 || field->kind == FIELD_REAL ||
           field->kind == FIELD_REALS || field->kind == FIELD_INTS || field->kind == FIELD_PICK;
}

static bool whole(const struct field *field)
{
    return field->kind == FIELD_INT || field->kind == FIELD_INT64 || field->kind == FIELD_INTS;
}

static size_t words_count(const char *const *words)
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

/* Answers may speak another standard's language, as TileJSON's tileSize; requests are ours. */
static void name_is_sound(const struct shape *shape, const struct field *field, enum part part)
{
    if (!field->name || !*field->name)
        wrong(shape, field, "has no name");
    for (const char *c = field->name; *c && part != ANSWER; c++)
        if (!islower((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_' && *c != ',')
            wrong(shape, field, "is not snake_case");
}

static void field_is_sound(const struct shape *shape, const struct field *field)
{
    if (!field->help || strlen(field->help) < 3)
        wrong(shape, field, "has no sentence about it");
    if (field->least > field->greatest)
        wrong(shape, field, "has its bounds the wrong way round");
    if (field->at + 1 > shape->size)
        wrong(shape, field, "lies outside its struct");
    if (whole(field) &&
        (field->least != floor(field->least) || field->greatest != floor(field->greatest)))
        wrong(shape, field, "has fractions for bounds of whole numbers");
    if (numeric(field) && field->has_value && isfinite(field->value) &&
        (field->least || field->greatest) && field->value > field->greatest)
        wrong(shape, field, "has a default out of its bounds");
    if (field->kind == FIELD_CHOICE && (!field->words || words_count(field->words) < 1))
        wrong(shape, field, "has no words to choose from");
    if (field->kind == FIELD_CHOICE && field->has_value &&
        field->value >= (double)words_count(field->words))
        wrong(shape, field, "has a default beyond its words");
    if (field->kind == FIELD_PICK && (!field->words || words_count(field->words) != 1))
        wrong(shape, field, "needs exactly one word");
    if ((field->kind == FIELD_REALS || field->kind == FIELD_INTS) && field->count < 1)
        wrong(shape, field, "has no count");
    if ((field->kind == FIELD_OBJECT || field->kind == FIELD_LIST) && !field->shape)
        wrong(shape, field, "has no shape");
    if ((field->kind == FIELD_VARIANT || field->kind == FIELD_VARIANTS) && !field->variants)
        wrong(shape, field, "has no variants");
    if (field->required && field->has_value)
        wrong(shape, field, "is required and has a default");
}

enum { DEPTH_MOST = 24 };

/* Shapes may lie within each other, as masks of masks do: those on the way here are not entered
 * again. */
static bool entered(const struct shape *const *way, int depth, const struct shape *shape)
{
    for (int i = 0; i < depth; i++)
        if (way[i] == shape)
            return true;
    return false;
}

static void shape_is_sound_within(const struct shape **way, int depth, const struct shape *shape,
                                  enum part part)
{
    struct member member = { 0 }, other;
    int count = 0;

    if (!shape || entered(way, depth, shape))
        return;
    assert_true(depth < DEPTH_MOST);
    way[depth] = shape;
    while (member_next(shape, &member)) {
        const struct field *field = member.field;
        if (!shape_choice(shape)) /* of the whole, which has no name */
            name_is_sound(shape, field, part);
        field_is_sound(shape, field);
        other = member;
        while (member_next(shape, &other))
            if (!strcmp(other.field->name, field->name))
                wrong(shape, field, "is there twice");
        if (field->in_path && (part != QUERY || !strstr(row->path, field->name)))
            wrong(shape, field, "is not in the path");
        if (member.owner->given >= 0 && member.index >= 64)
            wrong(shape, field, "is beyond the 64 that `given` can tell");
        if (field->shape)
            shape_is_sound_within(way, depth + 1, field->shape, part);
        for (int i = 0; field->variants && i < field->variants->count; i++)
            shape_is_sound_within(way, depth + 1, field->variants->shapes[i], part);
        count++;
    }
    if (count > SHAPE_FIELDS_MOST)
        wrong(shape, NULL, "has too many fields");
}

static void shape_is_sound(const struct shape *shape, enum part part)
{
    const struct shape *way[DEPTH_MOST];

    shape_is_sound_within(way, 0, shape, part);
}

static void every_shape_is_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < endpoint_count; i++) {
        row = endpoints[i];
        shape_is_sound(row->asks, QUERY);
        shape_is_sound(row->takes, BODY);
        shape_is_sound(row->answers, ANSWER);
    }
}

static void every_row_says_what_it_must(void **state)
{
    struct limits limits;

    (void)state;
    limits_init(&limits);
    for (size_t i = 0; i < endpoint_count; i++) {
        row = endpoints[i];
        if (!row->run || !row->summary || !row->example_path)
            wrong(NULL, NULL, "lacks run, summary or example_path");
        if (row->path[0] != '/')
            wrong(NULL, NULL, "has a path without a slash");
        if (row->holds != HOLDS_NOTHING && !strstr(row->path, "{landscape}"))
            wrong(NULL, NULL, "holds a landscape that its path does not name");
        if (row->body_limit && !limits_at(&limits, row->body_limit))
            wrong(NULL, NULL, "names a limit that there is not");
        if (row->newest && row->holds != HOLDS_VIEW)
            wrong(NULL, NULL, "has newest without a view");
        if (row->kept && (row->holds != HOLDS_VIEW || row->pace != SLOW))
            wrong(NULL, NULL, "is kept, but not slow with a view");
        if (row->formats &&
            (!row->media_out || words_count(row->formats) != words_count(row->media_out)))
            wrong(NULL, NULL, "has not a format for each media type");
        if (row->takes && row->media_in && !row->example_body)
            continue;
        if (row->takes && !row->body_optional && !row->example_body)
            wrong(NULL, NULL, "lacks example_body");
        if (!strcmp(row->method, "GET") && (row->takes || row->media_in))
            wrong(NULL, NULL, "is a GET with a body");
    }
}

/* Reading is for `read`, changing for more; only health may be open to all. */
static void every_scope_fits_its_method(void **state)
{
    (void)state;
    for (size_t i = 0; i < endpoint_count; i++) {
        row = endpoints[i];
        if (row->scope == SCOPE_OPEN && strcmp(row->path, "/healthz") &&
            strcmp(row->path, "/readyz") && strcmp(row->path, "/"))
            wrong(NULL, NULL, "is open to all");
        if (row->scope == SCOPE_OPEN &&
            (row->pace != QUICK || row->waits)) /* a stop does not wait for those */
            wrong(NULL, NULL, "is open to all and slow");
        if (row->scope == SCOPE_READ &&
            (!strcmp(row->method, "PUT") || !strcmp(row->method, "PATCH") ||
             !strcmp(row->method, "DELETE")))
            wrong(NULL, NULL, "changes things with scope read");
    }
}

static void every_example_is_read_by_its_own_rows(void **state)
{
    struct routes *routes;
    struct fault why = { 0 };

    (void)state;
    routes = routes_new(endpoints, endpoint_count, &why);
    assert_non_null(routes);
    for (size_t i = 0; i < endpoint_count; i++) {
        struct arena arena = { 0 };
        struct route route;
        row = endpoints[i];
        if (!route_find(routes, row->example_path, strlen(row->example_path), &arena, &route,
                        &why) ||
            route_row(&route, row->method) != row)
            wrong(NULL, NULL, "has an example_path that does not lead to it");
        if (row->takes && row->example_body) {
            void *body = arena_new(&arena, row->takes->size);
            if (!json_read(row->takes, row->example_body, strlen(row->example_body), &arena, body,
                           &why))
                fail_msg("%s %s: %s at %s", row->method, row->path, why.detail, why.place);
        }
        arena_free(&arena);
    }
    routes_free(routes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_sound),
        cmocka_unit_test(every_row_says_what_it_must),
        cmocka_unit_test(every_scope_fits_its_method),
        cmocka_unit_test(every_example_is_read_by_its_own_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
