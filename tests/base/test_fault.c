/* Faults: what they say and where. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "terrain/base/fault.h"

static void setting_a_fault_returns_false_and_forgets_the_old_place(void **state)
{
    struct fault why = { 0 };

    (void)state;
    assert_false(fault_set(&why, FAULT_RANGE, "%d is outside", 7));
    assert_int_equal(why.code, FAULT_RANGE);
    assert_string_equal(why.detail, "7 is outside");
    assert_false(fault_at(&why, "/ops/%d", 3));
    assert_string_equal(why.place, "/ops/3");
    fault_set(&why, FAULT_INPUT, "another");
    assert_string_equal(why.place, "");
}

static void places_grow_from_the_inside_out(void **state)
{
    struct fault why = { 0 };

    (void)state;
    fault_set(&why, FAULT_INPUT, "x");
    assert_false(fault_within(&why, "radius"));
    assert_string_equal(why.place, "/radius");
    fault_within(&why, "%d", 2);
    fault_within(&why, "/ops");
    assert_string_equal(why.place, "/ops/2/radius");
    fault_at(&why, "step");
    fault_within(&why, "/a");
    assert_string_equal(why.place, "/astep");
}

static void long_texts_are_cut_and_end(void **state)
{
    struct fault why = { 0 };
    char text[1000];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    fault_set(&why, FAULT_INPUT, "%s", text);
    assert_int_equal(strlen(why.detail), sizeof why.detail - 1);
    for (int i = 0; i < 30; i++)
        fault_within(&why, "%s", text + 950);
    assert_int_equal(strlen(why.place), sizeof why.place - 1);
    assert_true(why.place[0] == '/');
    fault_within(&why, "%s", text);
    assert_int_equal(strlen(why.place), sizeof why.place - 1);
    errno = EIO;
    fault_errno(&why, FAULT_STORAGE, "%s", text);
    assert_int_equal(strlen(why.detail), sizeof why.detail - 1);
}

static void errors_of_the_system_have_their_own_codes(void **state)
{
    static const struct {
        int error;
        enum fault_code code;
    } rows[] = { { EIO, FAULT_STORAGE },
                 { ENOSPC, FAULT_FULL },
                 { EDQUOT, FAULT_FULL },
                 { ENOMEM, FAULT_MEMORY } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fault why = { .place = "old" };

        errno = rows[i].error;
        assert_false(fault_errno(&why, FAULT_STORAGE, "writing %s", "x"));
        assert_int_equal(why.code, rows[i].code);
        assert_string_equal(why.place, "");
        assert_true(strncmp(why.detail, "writing x: ", 11) == 0);
        assert_string_equal(why.detail + 11, strerror(rows[i].error));
    }
}

static void every_code_has_slug_and_title_of_its_own(void **state)
{
    (void)state;
    for (enum fault_code code = 0; code < FAULT_COUNT; code++) {
        assert_true(fault_title(code)[0] != '\0');
        for (enum fault_code other = 0; other < code; other++)
            assert_string_not_equal(fault_slug(code), fault_slug(other));
    }
    assert_string_equal(fault_slug(FAULT_NONE), "none");
    assert_string_equal(fault_slug(FAULT_RANGE), "outside-landscape");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_a_fault_returns_false_and_forgets_the_old_place),
        cmocka_unit_test(places_grow_from_the_inside_out),
        cmocka_unit_test(long_texts_are_cut_and_end),
        cmocka_unit_test(errors_of_the_system_have_their_own_codes),
        cmocka_unit_test(every_code_has_slug_and_title_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
