#include "tests/api/number_judge.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/number.h"

static size_t digits_length(const char *text, size_t length)
{
    size_t count = 0;

    while (count < length && text[count] >= '0' && text[count] <= '9')
        count++;
    return count;
}

/* RFC 8259: [ minus ] int [ frac ] [ exp ]; 0 when it is none. */
static size_t grammar_length(const char *text, size_t length)
{
    size_t at = length && text[0] == '-', digits = digits_length(text + at, length - at);

    if (!digits)
        return 0;
    at += text[at] == '0' ? 1 : digits;
    if (at < length && text[at] == '.') {
        digits = digits_length(text + at + 1, length - at - 1);
        if (!digits)
            return 0;
        at += 1 + digits;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '+' || text[at] == '-');
        digits = digits_length(text + at, length - at);
        return digits ? at + digits : 0;
    }
    return at;
}

const char *judge_read(const char *text, size_t length, char said[JUDGE_ROOM])
{
    size_t right = grammar_length(text, length);
    double value = 0, wanted = INFINITY;
    char *exact = malloc(length + 1), *copy; /* of just that size, so that reading on is seen */
    const char *end;
    bool same;

    memcpy(exact, text, length);
    end = number_scan(exact, exact + length, &value);
    copy = calloc(1, right + 1);
    memcpy(copy, text, right);
    if (right <= NUMBER_LENGTH_MOST)
        wanted = strtod(copy, NULL);
    else if (text[0] == '-')
        wanted = -INFINITY;
    same = right ? end == exact + right && memcmp(&value, &wanted, sizeof value) == 0 : !end;
    snprintf(said, JUDGE_ROOM, "\"%.70s\" ends at %d with %.17g, not at %zu with %.17g", copy,
             end ? (int)(end - exact) : -1, value, right, wanted);
    free(exact);
    free(copy);
    return same ? NULL : said;
}

/* Digits without zeros at either end. */
static int digits_of(const char *text)
{
    int count = 0, zeros = 0;

    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (count == 0 && *text == '0'))
            continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

/* Whether any decimal of so many digits reads back: the neighbours of the value on both sides. */
static bool reads_back(double value, int digits, bool single)
{
    char text[64];
    long double unit;

    if (digits < 1)
        return false;
    unit = powl(10, floorl(log10l(fabsl((long double)value))) - digits + 1);
    for (int step = -1; step <= 1; step++) {
        snprintf(text, sizeof text, "%.*Le", digits - 1, (long double)value + step * unit);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            return true;
    }
    return false;
}

static const char *judge(double value, bool single, char said[JUDGE_ROOM])
{
    char text[NUMBER_ROOM], nearest[64];
    size_t length = single ? number_print_float((float)value, text) : number_print(value, text);
    double back, near;
    int digits;

    snprintf(said, JUDGE_ROOM, "%.17g is printed %s", value, text);
    if (length != strlen(text))
        return said;
    if (!isfinite(value))
        return strcmp(text, "null") ? said : NULL;
    if (!number_read(text, length, &back) || grammar_length(text, length) != length)
        return said;
    if (single ? strtof(text, NULL) != (float)value : back != value || strtod(text, NULL) != value)
        return said;
    if (value == 0)
        return strcmp(text, "0") ? said : NULL;
    digits = digits_of(text);
    if (reads_back(value, digits - 1, single))
        return said;
    snprintf(nearest, sizeof nearest, "%.*e", digits - 1, value);
    near = strtod(nearest, NULL);
    /* the decimal nearest to the value does not always read back; when it does, it is the one */
    if ((single ? strtof(nearest, NULL) == (float)value : near == value) &&
        strtold(nearest, NULL) != strtold(text, NULL))
        return said;
    return NULL;
}

const char *judge_print(double value, char said[JUDGE_ROOM])
{
    return judge(value, false, said);
}

const char *judge_print_float(float value, char said[JUDGE_ROOM])
{
    return judge((double)value, true, said);
}
