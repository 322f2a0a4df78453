/* Any bytes as lists of numbers: read in one, in pieces of a few bytes (see BULK_PIECE_BYTES), and
 * by jansson's tree and strtod. All three take or refuse the same, and find the same bits. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_read.h"
#include "terrain/base/executor.h"
#include "terrain/base/field.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

struct ray {
    double origin[3], direction[3], reach;
};

struct lists {
    struct list points, eyes, numbers, rays;
};

static const struct field ray_rows[] = {
    FIELD_AS(FIELD_POINT3, struct ray, origin, "", .required = true),
    FIELD_AS(FIELD_REALS, struct ray, direction, "", .required = true, .count = 3),
    FIELD(struct ray, reach, "m", 0, 1e6, "", .above_least = true, .nullable = true),
    { .kind = FIELD_END }
};
static const struct field rows[] = {
    FIELD_AS(FIELD_POINTS, struct lists, points, ""),
    FIELD_AS(FIELD_POINTS, struct lists, eyes, "", .count = 3),
    FIELD_AS(FIELD_NUMBERS, struct lists, numbers, "", .greatest = 20),
    FIELD_AS(FIELD_LIST, struct lists, rays, "", .shape = SHAPE(struct ray, ray_rows)),
    { .kind = FIELD_END }
};
static const struct shape shape = {
    .name = "lists", .size = sizeof(struct lists), .fields = rows, .given = -1
};

static void backwards(const struct executor *self, size_t count, void (*piece)(void *, size_t),
                      void *work)
{
    (void)self;
    while (count--)
        piece(work, count);
}

/* The plain reading: a tree, and what the rows say. */

static bool tree_numbers(const json_t *tree, size_t count, double *to)
{
    bool right = json_is_array(tree) && json_array_size(tree) == count;

    for (size_t i = 0; right && i < count; i++) {
        right = json_is_real(json_array_get(tree, i));
        to[i] = json_real_value(json_array_get(tree, i));
    }
    return right;
}

static bool tree_ray(json_t *tree, double *to)
{
    const json_t *reach = json_object_get(tree, "reach");
    size_t known = 2 + (reach != NULL);

    if (!json_is_object(tree) || json_object_size(tree) != known ||
        !tree_numbers(json_object_get(tree, "origin"), 3, to) ||
        !tree_numbers(json_object_get(tree, "direction"), 3, to + 3))
        return false;
    to[6] = 0;
    if (!reach || json_is_null(reach))
        return true;
    to[6] = json_real_value(reach);
    return json_is_real(reach) && to[6] > 0 && to[6] <= 1e6;
}

static bool tree_item(json_t *tree, int kind, double *to)
{
    to[0] = json_real_value(tree);
    return kind == 2   ? json_is_real(tree)
           : kind == 3 ? tree_ray(tree, to)
                       : tree_numbers(tree, (size_t)(2 + kind), to);
}

/* Compares with what was read when it was. */
static bool tree_right(json_t *tree, const struct list *lists, bool read)
{
    static const char *const names[] = { "points", "eyes", "numbers", "rays" };
    static const size_t widths[] = { 2, 3, 1, 7 };
    size_t known = 0;

    if (!json_is_object(tree))
        return false;
    for (int kind = 0; kind < 4; kind++) {
        const json_t *list = json_object_get(tree, names[kind]);
        size_t count = json_array_size(list);

        known += list != NULL;
        if (list && (!json_is_array(list) || (kind == 2 && count > 20)))
            return false;
        if (read && lists[kind].count != count)
            abort();
        for (size_t i = 0; i < count; i++) {
            double right[7];

            if (!tree_item(json_array_get(list, i), kind, right))
                return false;
            if (read && memcmp((double *)lists[kind].items + i * widths[kind], right,
                               widths[kind] * sizeof(double)) != 0)
                abort();
        }
    }
    return known == json_object_size(tree);
}

/* What jansson lets through or stops otherwise than we do: long numbers, deep nesting, and a NUL
 * behind a number. */
static bool is_beyond(const char *text, size_t length)
{
    size_t run = 0, depth = 0;

    for (size_t i = 0; i < length; i++) {
        run = text[i] && strchr("0123456789.eE+-", text[i]) ? run + 1 : 0;
        depth += text[i] == '[' || text[i] == '{';
        if (run > 64 || depth > 60 || !text[i])
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static const struct executor executor = { backwards };
    const int flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
    struct arena arena = { .limit = 1 << 24 }, second = { .limit = 1 << 24 };
    struct lists one = { 0 }, pieces = { 0 };
    struct fault why = { 0 }, other = { 0 };
    char *text = malloc(length + 1); /* of just that size */
    bool read;
    json_t *tree;

    text = realloc(text, length + !length);
    memcpy(text, data, length);
    read = json_read(&shape, text, length, &arena, &one, &why);
    if (json_read_large(&shape, text, length, &executor, NULL, &second, &pieces, &other) != read ||
        why.code != other.code || strcmp(why.detail, other.detail) ||
        strcmp(why.place, other.place)) {
        fprintf(stderr, "in one: %s; in pieces: %s\n", why.detail, other.detail);
        abort();
    }
    tree = json_loadb(text, length, flags, NULL);
    if (read && !tree && !is_beyond(text, length))
        abort();
    if (tree && !is_beyond(text, length) && tree_right(tree, &one.points, read) != read) {
        fprintf(stderr, "read %d: %s at %s\n", read, why.detail, why.place);
        abort();
    }
    if (tree && read && !is_beyond(text, length))
        tree_right(tree, &pieces.points, true);
    json_decref(tree);
    arena_free(&arena);
    arena_free(&second);
    free(text);
    return 0;
}
