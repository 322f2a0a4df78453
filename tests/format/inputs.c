#include "tests/format/inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *input_path(const char *file)
{
    static _Thread_local char path[4096];
    const char *source = getenv("srcdir");

    snprintf(path, sizeof path, "%s/tests/inputs/%s", source ? source : ".", file);
    return path;
}

static json_t *files(void)
{
    static json_t *manifest;
    json_error_t why;

    if (!manifest)
        manifest = json_load_file(input_path("manifest.json"), 0, &why);
    if (!manifest)
        fail_msg("%s: %s", input_path("manifest.json"), why.text);
    return json_object_get(manifest, "files");
}

static const char *text_of(json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

static int number_of(json_t *object, const char *member)
{
    return (int)json_integer_value(json_object_get(object, member));
}

static struct input input_of(json_t *row)
{
    json_t *expect = json_object_get(row, "expect"), *params = json_object_get(row, "params");
    json_t *dims = json_object_get(row, "dims");
    const char *reaction = text_of(expect, "reaction"), *order = text_of(params, "byte_order");
    struct input input = { .file = text_of(row, "file"),
                           .format = text_of(row, "format"),
                           .units = text_of(row, "units"),
                           .reason = text_of(expect, "reason"),
                           .same_as = text_of(row, "same_as"),
                           .bits = number_of(params, "bits"),
                           .samples = (struct json_t *)json_object_get(row, "samples") };

    input.reaction = strcmp(reaction, "accept") == 0   ? ACCEPT
                     : strcmp(reaction, "reject") == 0 ? REJECT
                                                       : OPTION;
    input.width = dims && json_array_size(dims) == 2
                      ? (int)json_integer_value(json_array_get(dims, 0))
                      : number_of(params, "width");
    input.height = dims && json_array_size(dims) == 2
                       ? (int)json_integer_value(json_array_get(dims, 1))
                       : number_of(params, "height");
    input.big_endian = order && strcmp(order, "big") == 0;
    input.bits = input.bits ? input.bits : 16;
    return input;
}

void inputs_each(void (*visit)(const struct input *input, void *context), void *context)
{
    size_t i;
    json_t *row;

    json_array_foreach(files(), i, row)
    {
        struct input input = input_of(row);

        visit(&input, context);
    }
}

struct input input_named(const char *file)
{
    size_t i;
    json_t *row;

    json_array_foreach(files(), i,
                       row) if (strcmp(text_of(row, "file"), file) == 0) return input_of(row);
    fail_msg("no input is called %s", file);
    return (struct input){ 0 };
}

size_t input_sample_count(const struct input *input)
{
    return json_array_size((json_t *)input->samples);
}

struct input_sample input_sample(const struct input *input, size_t i)
{
    json_t *row = json_array_get((json_t *)input->samples, i);
    json_t *value = json_object_get(row, "server");

    return (struct input_sample){ .x = number_of(row, "x"),
                                  .y = number_of(row, "y"),
                                  .has_value = json_is_number(value),
                                  .value = json_number_value(value) };
}

unsigned char *input_read(const char *file, size_t *length)
{
    FILE *from = fopen(input_path(file), "rb");
    unsigned char *data;
    long size;

    if (!from)
        fail_msg("%s is not there", input_path(file));
    fseek(from, 0, SEEK_END);
    size = ftell(from);
    rewind(from);
    data = malloc((size_t)size + 1);
    *length = fread(data, 1, (size_t)size, from);
    fclose(from);
    return data;
}
