/* Growing bytes and arenas. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/arena.h"
#include "terrain/base/bytes.h"

static void bytes_hold_what_was_appended(void **state)
{
    struct bytes bytes = { 0 };
    struct fault why = { 0 };
    char expected[20000] = "";
    size_t length = 0;

    (void)state;
    for (int i = 0; i < 2000; i++) {
        char number[16];
        int written = snprintf(number, sizeof number, "%d,", i);

        memcpy(expected + length, number, (size_t)written);
        length += (size_t)written;
        assert_true(i % 2 ? bytes_print(&bytes, &why, "%d,", i)
                          : bytes_add(&bytes, number, (size_t)written, &why));
        assert_true(bytes.length <= bytes.room);
    }
    assert_int_equal(bytes.length, length);
    assert_memory_equal(bytes.data, expected, length);
    assert_true(bytes_add(&bytes, NULL, 0, &why));
    assert_int_equal(bytes.length, length);
    bytes_free(&bytes);
    assert_null(bytes.data);
    bytes_free(&bytes);
}

static void bytes_that_no_memory_holds_are_refused(void **state)
{
    struct bytes bytes = { 0 };
    struct fault why = { 0 };

    (void)state;
    assert_true(bytes_add(&bytes, "abc", 3, &why));
    assert_false(bytes_reserve(&bytes, SIZE_MAX / 2, &why));
    assert_int_equal(why.code, FAULT_MEMORY);
    assert_int_equal(bytes.length, 3);
    assert_memory_equal(bytes.data, "abc", 3);
    bytes_free(&bytes);
}

static void pieces_of_an_arena_are_zeroed_aligned_and_apart(void **state)
{
    struct arena arena = { 0 };
    unsigned char *pieces[500];

    (void)state;
    for (size_t i = 0; i < 500; i++) {
        pieces[i] = arena_new(&arena, i * 7 + 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < i * 7 + 1; k++)
            assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)i, i * 7 + 1);
    }
    for (size_t i = 0; i < 500; i++) {
        for (size_t k = 0; k < i * 7 + 1; k++)
            assert_int_equal(pieces[i][k], (unsigned char)i);
    }
    assert_true(arena.used >= 500 * 1748);
    arena_free(&arena);
    assert_int_equal(arena.used, 0);
    assert_non_null(arena_new(&arena, 5));
    arena_free(&arena);
}

static void texts_of_an_arena_are_copies(void **state)
{
    struct arena arena = { 0 };
    char source[] = "some text";
    char *copy = arena_text(&arena, source), *printed = arena_print(&arena, "%s %d", source, 5);
    char *data = arena_copy(&arena, source, 4);

    (void)state;
    source[0] = 'x';
    assert_string_equal(copy, "some text");
    assert_string_equal(printed, "some text 5");
    assert_memory_equal(data, "some", 4);
    assert_non_null(arena_copy(&arena, NULL, 0));
    arena_free(&arena);
}

static void an_arena_keeps_its_limit(void **state)
{
    struct arena arena = { .limit = 10000 };
    size_t given = 0;

    (void)state;
    while (arena_new(&arena, 100))
        given += 100;
    assert_true(given > 8000 && given <= 10000);
    assert_null(arena_text(&arena, "a text that does not fit any more, since the rest is small, "
                                   "a text that does not fit any more, since the rest is small"));
    assert_null(arena_print(&arena, "%200d", 5));
    assert_null(arena_new(&arena, SIZE_MAX));
    assert_null(arena_new(&arena, SIZE_MAX / 4));
    arena_free(&arena);
    assert_non_null(arena_new(&arena, 9000));
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_hold_what_was_appended),
        cmocka_unit_test(bytes_that_no_memory_holds_are_refused),
        cmocka_unit_test(pieces_of_an_arena_are_zeroed_aligned_and_apart),
        cmocka_unit_test(texts_of_an_arena_are_copies),
        cmocka_unit_test(an_arena_keeps_its_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
