/* Numbers as texts, both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/number.h"
#include "tests/api/number_judge.h"

static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static int rounds(int usual)
{
    return getenv("LANDSCAPED_SOAK") ? usual * 100 : usual;
}

/* Any double, one of few bits, or a length in metres. */
static double any_double(int i)
{
    uint64_t bits = next();
    double value;

    if (i % 4 == 1)
        return (double)(int64_t)(bits % 2000000000) / 128.0 / (i % 7 + 1);
    if (i % 4 == 2)
        bits &= ~((UINT64_C(1) << (bits >> 58)) - 1);
    if (i % 4 == 3)
        bits &= ~(UINT64_C(0x7FF) << 52); /* below the normal ones */
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void right_read(const char *text)
{
    char said[JUDGE_ROOM];

    if (judge_read(text, strlen(text), said))
        fail_msg("%s: %s", text, said);
}

static void right_print(double value)
{
    char said[JUDGE_ROOM];

    if (judge_print(value, said))
        fail_msg("%s", said);
    if (judge_print_float((float)value, said))
        fail_msg("%s as a float", said);
}

/* Near the ends of double, around powers of two, halfway, and with more digits than fit. */
static void hard_texts_are_read_as_the_nearest_double(void **state)
{
    static const char *const hard[] = {
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088284396434110686182e-324",
        "2.47032822920623272088284396434110686183e-324",
        "1.7976931348623157e308",
        "1.7976931348623158e+308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778e246",
        "17976931348623158079372897140530341507993413271003782693617377e247",
        "1e309",
        "-1e309",
        "1e-400",
        "0e999999999999999999999",
        "1e999999999999999999999",
        "1e-999999999999999999999",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740993.00001",
        "9007199254740992.99999999999999999999999999999999999999999",
        "9007199254740993.00000000000000000000000000000000000000000000001",
        "9007199254740995",
        "-9007199254740993",
        "9223372036854775807",
        "9223372036854775809",
        "9999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617.5",
        "0.1",
        "-0",
        "-0.0",
        "-0e5",
        "0.000000000000000001",
        "0.0000000000000000000000000000000000000000000000000000000012345",
        "6.631236846766476e-316",
        "0.500000000000000166533453693773481063544750213623046875",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "3.518437208883201171875e13",
        "1e22",
        "1e23",
        "8.5e-7",
        "7450580596923828125e-27",
        "9007199254740993e-1",
        "0.7294720018655702978372573852539062",
        "1234567890123456789012345678901234567890123456789012345678901234",
        "12345678901234567890123456789012345678901234567890123456789012345",
    };

    (void)state;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        right_read(hard[i]);
}

static void what_is_no_number_is_not_read(void **state)
{
    static const char *const none[] = { "",   "-",        "+1",  ".5",  "1.",       "1.e5",
                                        "1e", "1e+",      "-.",  "NaN", "nan",      "Inf",
                                        "-I", "Infinity", "--1", "e5",  "\xd9\xa1", "1.-5" };
    static const char *const beginnings[] = { "01",    "-00",       "0x10",     "1,2",
                                              "1.5.5", "1e5e5",     "1_0",      "1/",
                                              "1:",    "12345678/", "1234567:", "1\xb1" };
    double value;

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        right_read(none[i]);
        assert_null(number_scan(none[i], none[i] + strlen(none[i]), &value));
    }
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        right_read(beginnings[i]);
        assert_false(number_read(beginnings[i], strlen(beginnings[i]), &value));
    }
}

static void any_text_of_digits_is_read_as_the_nearest_double(void **state)
{
    (void)state;
    for (int i = 0; i < rounds(200000); i++) {
        char text[120];
        unsigned long long many = next(), more = next();
        double value = any_double(i);
        int few = (int)(next() % 40);

        switch (i % 6) {
        case 0:
            snprintf(text, sizeof text, "%llu.%llu", many >> few, more >> (few + 20) % 64);
            break;
        case 1: /* the middle of two doubles beyond 2^53, or next to it */
            snprintf(text, sizeof text, "%llu.%d", (1ull << 53) + (many >> 12) * 2 + 1, i / 6 % 3);
            break;
        case 2:
            snprintf(text, sizeof text, "%lld%llue%d", (long long)many >> few, more,
                     (int)(next() % 720) - 380);
            break;
        case 3:
            snprintf(text, sizeof text, "%.*e", few, isfinite(value) ? value : 0);
            break;
        case 4:
            snprintf(text, sizeof text, "%.*f", few % 25, isfinite(value) ? fmod(value, 1e15) : 0);
            break;
        default: { /* the middle of two doubles, exactly */
            long double middle = (long double)value + (nextafter(value, INFINITY) - value) / 2;
            snprintf(text, sizeof text, "%.*Le", 17 + few, isfinite(value) ? middle : 0);
        }
        }
        if (isfinite(strtold(text, NULL)))
            right_read(text);
    }
}

/* Wherever the text ends, and whatever is beyond it. */
static void any_bytes_are_read_by_the_grammar(void **state)
{
    static const char letters[] = "0123456789012345678900..eE+-- ,]\xff";

    (void)state;
    for (int i = 0; i < rounds(200000); i++) {
        char text[24], said[JUDGE_ROOM];
        size_t length = next() % sizeof text;

        for (size_t j = 0; j < length; j++)
            text[j] = letters[next() % (sizeof letters - 1)];
        if (judge_read(text, length, said))
            fail_msg("%s", said);
    }
}

static void every_double_has_its_shortest_text(void **state)
{
    static const double hard[] = {
        0,
        -0.0,
        1,
        -1,
        0.1,
        0.3,
        1e22,
        1e23,
        5e-324,
        1e-323,
        DBL_MIN,
        DBL_MAX,
        FLT_MAX,
        FLT_MIN,
        1.4e-45,
        9007199254740991.0,
        9.5e-7,
        9007199254740992.0,
        9007199254740994.0,
        2.2250738585072009e-308,
        1e15,
        1e16,
        123456789012345680.0,
        9.999999999999999e22,
        2e-44,
        1.7976931348623155e308,
        4.35,
        0.5,
        2.0 / 3,
        1e-5,
        1e-7,
        1.5e-7,
        1e-8,
        100,
        1e14,
        999999999999999.0,
        4294967296.0,
        1.0e-308,
        9.5367431640625e-07,
        NAN,
        INFINITY,
        -INFINITY,
    };

    (void)state;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        right_print(hard[i]);
    for (int e = -1074; e < 1024; e++) { /* where neighbours lie unevenly */
        right_print(ldexp(1, e));
        right_print(nextafter(ldexp(1, e), 0));
        right_print(nextafter(ldexp(1, e), INFINITY));
    }
    for (int e = -324; e <= 308; e++) {
        char text[16];

        snprintf(text, sizeof text, "1e%d", e);
        right_print(strtod(text, NULL));
        right_print(nextafter(strtod(text, NULL), 0));
        right_print(nextafter(strtod(text, NULL), INFINITY));
    }
    for (int i = 0; i < rounds(60000); i++) {
        right_print(any_double(i));
        /* whole numbers, whose neighbours' middles may be short decimals themselves */
        right_print(ldexp((double)(next() >> 11 | UINT64_C(1) << 52), (int)(next() % 30)));
    }
}

/* Decimals as people write them come back as they were written. */
static void what_is_short_stays_as_it_was(void **state)
{
    (void)state;
    for (int i = 0; i < rounds(200000); i++) {
        uint64_t whole = next() % 100000000, parts = next() % 10000 * 10 + next() % 9 + 1;
        char text[40], again[NUMBER_ROOM];
        double value;

        snprintf(text, sizeof text, "%s%llu.%05llu", i & 1 ? "-" : "", (unsigned long long)whole,
                 (unsigned long long)parts);
        assert_true(number_read(text, strlen(text), &value));
        number_print(value, again);
        assert_string_equal(again, text);
        snprintf(text, sizeof text, "%llu", (unsigned long long)(next() % 1000000000000000));
        assert_true(number_read(text, strlen(text), &value));
        number_print(value, again);
        assert_string_equal(again, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_texts_are_read_as_the_nearest_double),
        cmocka_unit_test(what_is_no_number_is_not_read),
        cmocka_unit_test(any_text_of_digits_is_read_as_the_nearest_double),
        cmocka_unit_test(any_bytes_are_read_by_the_grammar),
        cmocka_unit_test(every_double_has_its_shortest_text),
        cmocka_unit_test(what_is_short_stays_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
