/* The OpenAPI document against the route table, read by someone else's parser. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/openapi.h"

static json_t *document;

static int begin(void **state)
{
    struct bytes text = { 0 };
    struct fault why;

    (void)state;
    if (!openapi_write(endpoints, endpoint_count, "1.2.3", &text, &why))
        return -1;
    document = json_loadb((char *)text.data, text.length, JSON_REJECT_DUPLICATES, NULL);
    bytes_free(&text);
    return document ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    json_decref(document);
    return 0;
}

static json_t *operation_of(const struct endpoint *row)
{
    char method[16] = "";

    for (size_t i = 0; row->method[i]; i++)
        method[i] = (char)tolower((unsigned char)row->method[i]);
    return json_object_get(json_object_get(json_object_get(document, "paths"), row->path), method);
}

static void every_row_is_an_operation_and_nothing_else_is(void **state)
{
    size_t operations = 0;
    const char *path;
    json_t *methods;

    (void)state;
    for (size_t i = 0; i < endpoint_count; i++)
        if (!operation_of(endpoints[i]))
            fail_msg("%s %s is missing", endpoints[i]->method, endpoints[i]->path);
    json_object_foreach(json_object_get(document, "paths"), path, methods) operations +=
        json_object_size(methods);
    assert_int_equal(operations, endpoint_count);
}

static bool has_parameter(const json_t *operation, const char *name, const char *in)
{
    const json_t *list = json_object_get(operation, "parameters");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (!strcmp(json_string_value(json_object_get(one, "name")), name) &&
            !strcmp(json_string_value(json_object_get(one, "in")), in))
            return true;
    }
    return false;
}

static void every_member_of_a_path_is_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < endpoint_count; i++) {
        const char *at = endpoints[i]->path;
        while ((at = strchr(at, '{'))) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "}"), at + 1);
            if (!has_parameter(operation_of(endpoints[i]), name, "path"))
                fail_msg("%s: %s is not described", endpoints[i]->path, name);
            at++;
        }
    }
}

static void every_parameter_is_there_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < endpoint_count; i++) {
        const json_t *list = json_object_get(operation_of(endpoints[i]), "parameters");
        for (size_t a = 0; a < json_array_size(list); a++)
            for (size_t b = 0; b < a; b++)
                if (json_equal(json_object_get(json_array_get(list, a), "name"),
                               json_object_get(json_array_get(list, b), "name")))
                    fail_msg("%s %s: a parameter twice", endpoints[i]->method, endpoints[i]->path);
    }
}

static void every_operation_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (size_t a = 0; a < endpoint_count; a++)
        for (size_t b = 0; b < a; b++)
            assert_false(json_equal(json_object_get(operation_of(endpoints[a]), "operationId"),
                                    json_object_get(operation_of(endpoints[b]), "operationId")));
}

/* Walks everything; each "$ref" has to lead somewhere. */
static int refs_resolve(const json_t *at)
{
    const char *key, *ref;
    json_t *value;
    size_t i;
    int count = 0;

    json_array_foreach(at, i, value) count += refs_resolve(value);
    json_object_foreach((json_t *)(uintptr_t)at, key, value)
    {
        const json_t *to = document;
        char step[128];
        count += refs_resolve(value);
        if (strcmp(key, "$ref"))
            continue;
        ref = json_string_value(value);
        assert_memory_equal(ref, "#/", 2);
        for (ref += 2; to && *ref; ref += strcspn(ref, "/"), ref += *ref == '/') {
            snprintf(step, sizeof step, "%.*s", (int)strcspn(ref, "/"), ref);
            to = json_object_get(to, step);
        }
        if (!to)
            fail_msg("%s leads nowhere", json_string_value(value));
        count++;
    }
    return count;
}

static void every_reference_leads_somewhere(void **state)
{
    (void)state;
    assert_true(refs_resolve(document) > (int)endpoint_count);
}

static void the_version_is_the_builds(void **state)
{
    (void)state;
    assert_string_equal(json_string_value(json_object_get(document, "openapi")), "3.1.0");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(document, "info"), "version")), "1.2.3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_an_operation_and_nothing_else_is),
        cmocka_unit_test(every_member_of_a_path_is_described),
        cmocka_unit_test(every_parameter_is_there_once),
        cmocka_unit_test(every_operation_has_a_name_of_its_own),
        cmocka_unit_test(every_reference_leads_somewhere),
        cmocka_unit_test(the_version_is_the_builds),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
