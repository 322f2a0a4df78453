/* Long lists: read and printed in pieces as they are in one, and as the general reader reads them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_read.h"
#include "api/json_write.h"
#include "api/service.h"
#include "terrain/base/executor.h"

struct ray {
    double origin[3], direction[3], reach;
};

struct lists {
    struct list points, eyes, numbers, rays;
};

static const struct field ray_rows[] = {
    FIELD_AS(FIELD_POINT3, struct ray, origin, "From where", .required = true),
    FIELD_AS(FIELD_REALS, struct ray, direction, "Where to", .required = true, .count = 3),
    FIELD(struct ray, reach, "m", 0, 1e6, "How far", .above_least = true, .has_value = true,
          .value = 1000, .nullable = true),
    { .kind = FIELD_END }
};

static const struct field rows[] = {
    FIELD_AS(FIELD_POINTS, struct lists, points, "Places", .limit = "query_points"),
    FIELD_AS(FIELD_POINTS, struct lists, eyes, "Places in the air", .count = 3),
    FIELD_AS(FIELD_NUMBERS, struct lists, numbers, "Numbers"),
    FIELD_AS(FIELD_LIST, struct lists, rays, "Rays", .shape = SHAPE(struct ray, ray_rows)),
    { .kind = FIELD_END }
};

static const struct shape shape = {
    .name = "lists", .size = sizeof(struct lists), .fields = rows, .given = -1
};

/* Of threads that take pieces in any order the worst is the last first. */
static void backwards(const struct executor *self, size_t count, void (*piece)(void *, size_t),
                      void *work)
{
    (void)self;
    while (count--)
        piece(work, count);
}
static const struct executor executor = { backwards };

static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static struct arena arena;
static struct fault why;
static struct limits limits;

static bool read_lists(const struct bytes *text, const struct executor *with, struct lists *to)
{
    *to = (struct lists){ 0 };
    why = (struct fault){ 0 };
    return json_read_large(&shape, (const char *)text->data, text->length, with, &limits, &arena,
                           to, &why);
}

static void add(struct bytes *text, const char *more)
{
    struct fault reason;

    assert_true(bytes_add(text, more, strlen(more), &reason));
}

/* White space, mostly none. */
static const char *space(void)
{
    static const char *const spaces[] = { "", "", "", "", " ", "\n ", "\t\r\n  " };

    return spaces[next() % 7];
}

static void add_number(struct bytes *text, double *value)
{
    static const char *const ways[] = { "%.3f", "%.17g", "%.6e", "%.0f", "%.1fE+2" };
    char word[64];

    snprintf(word, sizeof word, ways[next() % 5], (double)(int64_t)next() / 9e15);
    *value = strtod(word, NULL);
    add(text, word);
}

static void add_tuple(struct bytes *text, int count, double *values)
{
    add(text, "[");
    for (int i = 0; i < count; i++) {
        add(text, i ? "," : "");
        add(text, space());
        add_number(text, &values[i]);
        add(text, space());
    }
    add(text, "]");
}

static void add_ray(struct bytes *text, struct ray *ray)
{
    int first = (int)(next() % 2), reach = (int)(next() % 4);

    add(text, "{");
    add(text, space());
    for (int i = 0; i < 2; i++) {
        add(text, i == first ? "\"origin\":" : "\"direction\"\t: ");
        add_tuple(text, 3, i == first ? ray->origin : ray->direction);
        add(text, i ? "" : ",");
    }
    ray->reach = reach == 1 ? 25.5 : 1000;
    add(text, reach == 1 ? ", \"reach\" : 25.5 " : reach == 2 ? ",\"reach\":null" : "");
    add(text, "}");
}

/* A list of each kind with so many items, as text and as they should be read. */
static void make(struct bytes *text, size_t count, struct lists *right)
{
    static const char *const names[] = { "points", "eyes", "numbers", "rays" };
    static const size_t sizes[] = { 16, 24, 8, sizeof(struct ray) };
    struct list *lists = &right->points;

    add(text, "{");
    for (int kind = 0; kind < 4; kind++) {
        char *items = calloc(count + 1, sizes[kind]);

        lists[kind] = (struct list){ count, items };
        add(text, kind ? ", \"" : "\"");
        add(text, names[kind]);
        add(text, "\":[");
        for (size_t i = 0; i < count; i++) {
            void *item = items + i * sizes[kind];

            add(text, i ? "," : "");
            add(text, space());
            if (kind == 2)
                add_number(text, item);
            else if (kind == 3)
                add_ray(text, item);
            else
                add_tuple(text, 2 + kind, item);
            add(text, space());
        }
        add(text, "]");
    }
    add(text, "}");
}

static void same_items(const struct list *list, const struct list *right, size_t size)
{
    assert_int_equal(list->count, right->count);
    if (right->count)
        assert_memory_equal(list->items, right->items, right->count * size);
}

static void same_lists(const struct lists *lists, const struct lists *right)
{
    same_items(&lists->points, &right->points, 16);
    same_items(&lists->eyes, &right->eyes, 24);
    same_items(&lists->numbers, &right->numbers, 8);
    same_items(&lists->rays, &right->rays, sizeof(struct ray));
}

static void free_lists(struct lists *lists)
{
    free(lists->points.items);
    free(lists->eyes.items);
    free(lists->numbers.items);
    free(lists->rays.items);
}

/* However it is split, and whatever stands between. Long enough for pieces, and for more room than
 * a list begins with. */
static void lists_are_read_to_the_last_bit(void **state)
{
    static const size_t counts[] = { 0, 1, 4, 5, 200, 40000 };

    (void)state;
    limits_init(&limits);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct bytes text = { 0 };
        struct lists right = { 0 }, lists;

        make(&text, counts[i], &right);
        for (int split = 0; split < 2; split++) {
            if (!read_lists(&text, split ? &executor : NULL, &lists))
                fail_msg("%zu items: %s at %s", counts[i], why.detail, why.place);
            same_lists(&lists, &right);
            arena_free(&arena);
        }
        free_lists(&right);
        bytes_free(&text);
    }
}

/* A damaged byte anywhere: in pieces, and in one, the same is read or the same fault found. */
static void damage_is_found_at_the_same_place(void **state)
{
    static const char letters[] = "0123456789.eE+-[]{},:\"\\ nx\x01\xff";
    struct bytes text = { 0 };
    struct lists right = { 0 };
    int refused = 0;

    (void)state;
    limits_init(&limits);
    make(&text, 8000, &right);
    for (int i = 0; i < 60; i++) {
        size_t at = next() % text.length;
        unsigned char kept = text.data[at];
        struct lists one, pieces;
        struct fault first;
        bool done;

        text.data[at] = (unsigned char)letters[next() % (sizeof letters - 1)];
        done = read_lists(&text, NULL, &one);
        first = why;
        assert_int_equal(read_lists(&text, &executor, &pieces), done);
        assert_string_equal(why.detail, first.detail);
        assert_string_equal(why.place, first.place);
        if (done)
            same_lists(&pieces, &one);
        refused += !done;
        text.data[at] = kept;
        arena_free(&arena);
    }
    assert_in_range(refused, 20, 60);
    free_lists(&right);
    bytes_free(&text);
}

/* Brackets in a text are no items, however much like items they look: the text is no member. */
static void a_text_full_of_brackets_is_no_list(void **state)
{
    struct bytes text = { 0 };
    struct lists lists;

    (void)state;
    limits_init(&limits);
    add(&text, "{\"points\":[[1,2],\"");
    for (int i = 0; i < 100000; i++)
        add(&text, "],[1,2");
    add(&text, "\"]}");
    assert_false(read_lists(&text, &executor, &lists));
    assert_string_equal(why.place, "/points/1");
    assert_non_null(strstr(why.detail, "not a text"));
    arena_free(&arena);
    text.length = 0;
    add(&text, "{\"points\":[[3,4]],\"numbers\":[1],\"rays\":[],\"points\":[");
    for (int i = 0; i < 100000; i++)
        add(&text, "[1,2],");
    add(&text, "[1,2]]}");
    assert_false(read_lists(&text, &executor, &lists));
    assert_string_equal(why.place, "/points");
    assert_non_null(strstr(why.detail, "twice"));
    arena_free(&arena);
    bytes_free(&text);
}

/* By the server's limit, at the first item too many: what comes behind it is not read. */
static void too_many_are_refused_as_they_come(void **state)
{
    struct bytes text = { 0 };
    struct lists lists;

    (void)state;
    limits_init(&limits);
    add(&text, "{\"points\":[[0,0]");
    for (int i = 1; i < 1000000; i++)
        add(&text, ",[1,2]");
    add(&text, "]}");
    for (int split = 0; split < 2; split++) {
        assert_true(read_lists(&text, split ? &executor : NULL, &lists));
        assert_int_equal(lists.points.count, 1000000);
        arena_free(&arena);
    }
    text.length -= 2;
    add(&text, ",[1,2],[none of this is JSON]}");
    for (int split = 0; split < 2; split++) {
        assert_false(read_lists(&text, split ? &executor : NULL, &lists));
        assert_int_equal(why.code, FAULT_LIMIT);
        assert_string_equal(why.detail, "more than 1000000 points came; at most 1000000 are "
                                        "answered (query_points)");
        assert_string_equal(why.place, "/points");
        arena_free(&arena);
    }
    bytes_free(&text);
}

/* What a body may decode to is bounded, whatever its brackets promise. */
static void memory_is_bounded(void **state)
{
    struct bytes text = { 0 };
    struct lists lists;

    (void)state;
    limits_init(&limits);
    add(&text, "{\"numbers\":[0");
    for (int i = 0; i < 400000; i++)
        add(&text, ",0");
    add(&text, "]}");
    arena.limit = 3 << 20;
    for (int split = 0; split < 2; split++) {
        assert_false(read_lists(&text, split ? &executor : NULL, &lists));
        assert_int_equal(why.code, FAULT_MEMORY);
        assert_in_range(arena.used, 0, 3 << 20);
        arena_free(&arena);
    }
    arena.limit = (size_t)8 * 400001 + 100000; /* none of it twice */
    assert_true(read_lists(&text, &executor, &lists));
    arena_free(&arena);
    arena.limit = 0;
    bytes_free(&text);
}

/* Printed in pieces it is the same text, and read again the same. */
static void pieces_join_to_the_same_text(void **state)
{
    struct bytes text = { 0 }, one = { 0 }, pieces = { 0 };
    struct lists right = { 0 }, lists;
    struct fault reason;

    (void)state;
    limits_init(&limits);
    make(&text, 40000, &right);
    assert_true(json_write(&shape, &right, &one, &reason));
    assert_true(json_write_large(&shape, &right, &executor, &pieces, &reason));
    assert_int_equal(one.length, pieces.length);
    assert_memory_equal(one.data, pieces.data, one.length);
    assert_true(read_lists(&pieces, &executor, &lists));
    pieces.length = 0;
    assert_true(json_write(&shape, &lists, &pieces, &reason));
    assert_int_equal(one.length, pieces.length);
    assert_memory_equal(one.data, pieces.data, one.length);
    arena_free(&arena);
    free_lists(&right);
    bytes_free(&text);
    bytes_free(&one);
    bytes_free(&pieces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_read_to_the_last_bit),
        cmocka_unit_test(damage_is_found_at_the_same_place),
        cmocka_unit_test(a_text_full_of_brackets_is_no_list),
        cmocka_unit_test(too_many_are_refused_as_they_come),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(pieces_join_to_the_same_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
