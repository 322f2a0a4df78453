/* Rows, names and near words. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "terrain/base/field.h"
#include "terrain/base/rect.h"

struct animal {
    const char *name;
    int32_t legs;
};

struct dog {
    struct animal animal;
    double weight;
    bool trained;
    int64_t chip;
    uint64_t chip_too;
    struct rect basket;
    struct json_text papers;
    double nose[2];
};

static const struct field animal_rows[] = { FIELD(struct animal, name, "", 0, 10, "Its name"),
                                            FIELD(struct animal, legs, "legs", 0, 8, "How many",
                                                  .required = true),
                                            { .kind = FIELD_END } };

static const struct shape animal_shape = {
    .name = "animal", .size = sizeof(struct animal), .fields = animal_rows, .given = -1
};

static const struct field dog_rows[] = { FIELD(struct dog, weight, "kg", 0, 100, "On a scale",
                                               .has_value = true, .value = 12),
                                         FIELD(struct dog, trained, "", 0, 0, "Or not"),
                                         FIELD(struct dog, chip, "", 0, 1e15, "Its number"),
                                         FIELD(struct dog, chip_too, "", 0, 1e15, "Its number"),
                                         FIELD(struct dog, basket, "", 0, 0, "Where it sleeps"),
                                         FIELD(struct dog, papers, "", 0, 0, "Its papers"),
                                         FIELD_AS(FIELD_POINT, struct dog, nose, "Where it is"),
                                         { .kind = FIELD_END } };

static const struct shape dog_shape = { .name = "dog",
                                        .size = sizeof(struct dog),
                                        .fields = dog_rows,
                                        .base = &animal_shape,
                                        .given = -1 };

static void rows_take_their_kind_from_the_member(void **state)
{
    static const enum field_kind kinds[] = { FIELD_REAL, FIELD_BOOL, FIELD_INT64, FIELD_INT64,
                                             FIELD_RECT, FIELD_JSON, FIELD_POINT, FIELD_END };
    struct dog dog = { .weight = 7.5 };

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(dog_rows[i].kind, kinds[i]);
    assert_int_equal(animal_rows[0].kind, FIELD_TEXT);
    assert_int_equal(animal_rows[1].kind, FIELD_INT);
    assert_true(animal_rows[1].required);
    assert_float_equal(*(double *)field_in(&dog_rows[0], &dog), 7.5, 0);
    assert_string_equal(dog_rows[0].unit, "kg");
    assert_float_equal(dog_rows[0].value, 12, 0);
    assert_int_equal(SHAPE(struct animal, animal_rows)->size, sizeof(struct animal));
}

struct walk {
    char text[200];
    int stop_after;
};

static bool note(const struct field *field, int index, void *context)
{
    struct walk *walk = context;
    size_t used = strlen(walk->text);

    snprintf(walk->text + used, sizeof walk->text - used, "%s%d ", field->name, index);
    return --walk->stop_after > 0;
}

static void a_walk_over_rows_begins_with_those_of_the_base(void **state)
{
    struct walk all = { .stop_after = 100 }, some = { .stop_after = 3 };
    const struct shape empty = { .name = "empty" };

    (void)state;
    assert_true(shape_each(&dog_shape, note, &all));
    assert_string_equal(all.text, "name-1 legs-1 weight0 trained1 chip2 chip_too3 basket4 papers5 "
                                  "nose6 ");
    assert_false(shape_each(&dog_shape, note, &some));
    assert_string_equal(some.text, "name-1 legs-1 weight0 ");
    some = (struct walk){ .stop_after = 1 };
    assert_false(shape_each(&dog_shape, note, &some));
    assert_string_equal(some.text, "name-1 ");
    assert_true(shape_each(&empty, note, &some));
}

static void names_are_short_plain_and_not_hidden(void **state)
{
    char longest[66];

    (void)state;
    memset(longest, 'a', 65);
    longest[65] = '\0';
    assert_false(name_valid(longest));
    longest[64] = '\0';
    assert_true(name_valid(longest));
    assert_true(name_valid("a.b_C-9"));
    assert_true(name_valid("a.."));
    assert_true(name_valid("-"));
    assert_false(name_valid(""));
    assert_false(name_valid("."));
    assert_false(name_valid(".."));
    assert_false(name_valid(".hidden"));
    assert_false(name_valid("a/b"));
    assert_false(name_valid("a b"));
    assert_false(name_valid("\xc3\xa4"));
    assert_false(name_valid("a\n"));
}

static void the_nearest_word_is_offered_when_it_is_near(void **state)
{
    static const char *const words[] = { "raise", "lower", "flatten", "smooth" };
    char longest[100];

    (void)state;
    assert_string_equal(word_nearest("rise", words, 4), "raise");
    assert_string_equal(word_nearest("flaten", words, 4), "flatten");
    assert_string_equal(word_nearest("Smooth", words, 4), "smooth");
    assert_null(word_nearest("hydraulic", words, 4));
    assert_null(word_nearest("x", words, 4));
    assert_null(word_nearest("", words, 0));
    memset(longest, 'r', 99);
    longest[99] = '\0';
    assert_null(word_nearest(longest, words, 4));
}

static void rectangles_meet_and_join(void **state)
{
    const struct rect a = { 0, 0, 10, 10 }, b = { 5, -5, 10, 10 }, far = { 100, 0, 5, 5 };
    const struct rect meet = { 5, 0, 5, 5 }, join = { 0, -5, 15, 15 }, none = { 0 };
    struct rect got;

    (void)state;
    got = rect_meet(a, b);
    assert_memory_equal(&got, &meet, sizeof meet);
    got = rect_join(a, b);
    assert_memory_equal(&got, &join, sizeof join);
    assert_true(rect_empty(rect_meet(a, far)));
    got = rect_join(a, none);
    assert_memory_equal(&got, &a, sizeof a);
    got = rect_join(none, b);
    assert_memory_equal(&got, &b, sizeof b);
    assert_true(rect_inside(meet, a) && rect_inside(meet, b) && !rect_inside(b, a));
    assert_false(rect_inside((struct rect){ 5, 5, INT32_MAX, 1 }, a));
    assert_true(rect_area((struct rect){ 0, 0, 65536, 65536 }) == 4294967296);
    assert_int_equal(rect_area(none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_take_their_kind_from_the_member),
        cmocka_unit_test(a_walk_over_rows_begins_with_those_of_the_base),
        cmocka_unit_test(names_are_short_plain_and_not_hidden),
        cmocka_unit_test(the_nearest_word_is_offered_when_it_is_near),
        cmocka_unit_test(rectangles_meet_and_join),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
