/* Lists of questions: what is impossible about one is told of that one alone, the others are
 * answered as if it were not there, and JSON and floats tell the same. What is no question refuses
 * the whole, at its place. */
#include "tests/api/land.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS_MOST = 10, COUNT = 64, FRAMES = 3 };

/* Consecutive numbers of an item under one name; without a name the item is a bare position. */
struct part {
    const char *name;
    int count;
};

/* Numbers of an item, from which it is impossible. */
struct spoil {
    int first, count;
    double value;
};

struct query {
    const char *path, *list, *answers;
    struct part parts[4];
    struct spoil spoils[6];
    int out;             /* floats of a binary answer; 0: it takes JSON only */
    const char *spoiled; /* the status of an item with a position that has no place */
};

static const struct query queries[] = {
    { "heights", "points", "heights", { { NULL, 2 } }, { { 0 } }, 1, "outside" },
    { "raycast",
      "rays",
      "hits",
      { { "origin", 3 }, { "direction", 3 }, { "max_distance", 1 } },
      { { 3, 3, 0 }, { 6, 1, -1 }, { 6, 1, -1e308 }, { 2, 1, 1e308 }, { 2, 1, -1e200 } },
      8,
      "wrong" },
    { "line-of-sight",
      "pairs",
      "results",
      { { "from", 3 }, { "to", 3 } },
      { { 2, 1, 1e308 }, { 5, 1, -1e308 }, { 2, 1, -1e200 } },
      4,
      "wrong" },
    { "sphere-sweep",
      "sweeps",
      "hits",
      { { "from", 3 }, { "to", 3 }, { "radius", 1 } },
      { { 6, 1, -1 }, { 6, 1, -1e-300 }, { 2, 1, 1e308 }, { 5, 1, -1e200 } },
      12,
      "wrong" },
    { "nearest", "points", "nearest", { { NULL, 3 } }, { { 0 } }, 9, "wrong" },
    { "overlap",
      "spheres",
      "spheres",
      { { "center", 3 }, { "radius", 1 } },
      { { 3, 1, -1 } },
      0,
      "wrong" },
    { "overlap",
      "boxes",
      "boxes",
      { { "center", 3 }, { "half", 3 }, { "rotation", 4 } },
      { { 4, 1, -1 }, { 6, 4, 0 } },
      0,
      "wrong" },
};
enum { QUERIES = sizeof queries / sizeof *queries };

static const char *const frames[FRAMES] = { "local", "grid", "lonlat" };

static uint32_t seed;
static double random_between(double least, double greatest)
{
    seed = seed * 1664525u + 1013904223u;
    return least + (greatest - least) * (seed >> 8) / 16777216.0;
}

/* Over 126 quads of 2 by 3 m in UTM 32, and a little around. */
static struct caller *georeferenced(void **state)
{
    struct caller *caller = land_begin_with_all(state);

    assert_int_equal(call(caller, "PATCH", LAND,
                          "{\"crs\":\"EPSG:32632\",\"bounds\":[500000,5100000,500252,5100378]}"),
                     200);
    return caller;
}

static void position(int frame, double at[2])
{
    static const double ranges[FRAMES][2][2] = { { { -10, 262 }, { -10, 388 } },
                                                 { { -5, 131 }, { -5, 131 } },
                                                 { { 8.9999, 9.0034 }, { 46.0532, 46.0571 } } };

    for (int axis = 0; axis < 2; axis++)
        at[axis] = random_between(ranges[frame][axis][0], ranges[frame][axis][1]);
}

static int item_numbers(const struct query *query)
{
    int count = 0;

    for (int i = 0; i < 4; i++)
        count += query->parts[i].count;
    return count;
}

static bool is_position(const struct part *part)
{
    return !part->name || strchr("ofct", part->name[0]);
}

static void item_make(const struct query *query, int frame, double *numbers)
{
    for (int i = 0; i < 4; numbers += query->parts[i++].count) {
        const struct part *part = &query->parts[i];

        if (is_position(part) && part->count)
            position(frame, numbers);
        for (int k = is_position(part) ? 2 : 0; k < part->count; k++)
            numbers[k] = part->count == 1 ? random_between(0.1, part->name[0] == 'm' ? 900 : 150)
                         : part->name && part->name[0] == 'h' ? random_between(0.1, 150)
                                                              : random_between(-250, 250);
    }
}

/* Where the first of its positions begins. */
static void place_take_away(double *numbers)
{
    numbers[0] = 0;
    numbers[1] = 95;
}

static size_t item_print(const struct query *query, const double *numbers, char *to)
{
    const bool bare = !query->parts[0].name;
    size_t used = 0;

    if (!bare)
        to[used++] = '{';
    for (int i = 0; i < 4 && query->parts[i].count; i++) {
        const struct part *part = &query->parts[i];
        const bool one = part->count == 1;

        if (!bare)
            used += (size_t)sprintf(to + used, "%s\"%s\":", i ? "," : "", part->name);
        for (int k = 0; k < part->count; k++)
            used += (size_t)sprintf(to + used, "%s%.17g", k ? "," : one ? "" : "[", *numbers++);
        if (!one)
            to[used++] = ']';
    }
    if (!bare)
        to[used++] = '}';
    to[used] = 0;
    return used;
}

struct items {
    double numbers[COUNT][NUMBERS_MOST];
    const char *wrong[COUNT]; /* its status, or NULL */
};

/* About every third is impossible, in turns by each way that there is. */
static void items_make(const struct query *query, int frame, struct items *items)
{
    int ways = 0, turn = 0;

    memset(items, 0, sizeof *items);
    while (ways < 6 && query->spoils[ways].count)
        ways++;
    for (int i = 0; i < COUNT; i++) {
        const struct spoil *spoil;

        item_make(query, frame, items->numbers[i]);
        if (random_between(0, 3) > 1)
            continue;
        spoil = ways ? &query->spoils[turn++ % (ways + 1)] : query->spoils;
        if (spoil->count) {
            for (int k = 0; k < spoil->count; k++)
                items->numbers[i][spoil->first + k] = spoil->value;
            items->wrong[i] = "wrong";
        } else if (frame == 2) {
            place_take_away(items->numbers[i]);
            items->wrong[i] = query->spoiled;
        }
    }
}

static void ask(struct caller *caller, const struct query *query, int frame,
                const struct items *items, bool all)
{
    char target[120], body[COUNT * 400];
    size_t used = (size_t)sprintf(body, "{\"%s\":[", query->list);
    bool first = true;

    for (int i = 0; i < COUNT; i++) {
        if (items->wrong[i] && !all)
            continue;
        if (!first)
            body[used++] = ',';
        first = false;
        used += item_print(query, items->numbers[i], body + used);
    }
    strcpy(body + used, "]}");
    snprintf(target, sizeof target, LAND "/query/%s?statuses=true&frame=%s", query->path,
             frames[frame]);
    land_post(caller, target, body);
}

static void assert_the_floats_say_so(struct caller *caller, const struct query *query, int frame,
                                     const struct items *items, const json_t *statuses)
{
    static const char *const words[] = { "hit", "miss", "hole", "outside", "wrong" };
    const int in = item_numbers(query);
    const size_t length = COUNT * ((size_t)query->out * sizeof(double) + 1);
    double numbers[COUNT * NUMBERS_MOST], out;
    char target[120];

    for (int i = 0; i < COUNT; i++)
        memcpy(numbers + i * in, items->numbers[i], (size_t)in * sizeof *numbers);
    snprintf(target, sizeof target, LAND "/query/%s?statuses=true&frame=%s", query->path,
             frames[frame]);
    caller->type = caller->accept = "application/x-f64";
    assert_int_equal(
        call_bytes(caller, "POST", target, numbers, COUNT * (size_t)in * sizeof *numbers), 200);
    assert_int_equal(caller->length, length);
    for (size_t i = 0; i < COUNT; i++) {
        const uint8_t status = (uint8_t)caller->body[length - COUNT + i];

        assert_in_range(status, 0, 4);
        assert_string_equal(words[status], json_string_value(json_array_get(statuses, i)));
        memcpy(&out, caller->body + i * (size_t)query->out * sizeof out, sizeof out);
        if (items->wrong[i])
            assert_true(isnan(out));
    }
}

static void what_is_impossible_is_wrong_alone(void **state)
{
    struct caller *caller = georeferenced(state);

    for (int run = 0; run < QUERIES * FRAMES; run++) {
        const struct query *query = &queries[run % QUERIES];
        const int frame = run / QUERIES;
        json_t *alone, *answers, *statuses;
        size_t met = 0, wrong = 0, at = 0;
        struct items items;

        seed = (uint32_t)run + 1;
        items_make(query, frame, &items);
        ask(caller, query, frame, &items, false);
        alone = json_incref(caller_member(caller, query->answers));
        ask(caller, query, frame, &items, true);
        answers = json_incref(caller_member(caller, query->answers));
        statuses = json_incref(caller_member(caller, "statuses"));
        assert_int_equal(json_array_size(answers), COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            const json_t *answer = json_array_get(answers, i);
            const char *status = json_string_value(json_array_get(statuses, i));

            met += !strcmp(status, "hit");
            wrong += items.wrong[i] != NULL;
            if (items.wrong[i] && (!json_is_null(answer) || strcmp(status, items.wrong[i])))
                fail_msg("%s, %s: item %zu is %s", query->path, frames[frame], i, status);
            if (!items.wrong[i] &&
                (!strcmp(status, "wrong") || !json_equal(answer, json_array_get(alone, at++))))
                fail_msg("%s, %s: item %zu, which is %s, is answered otherwise", query->path,
                         frames[frame], i, status);
        }
        assert_int_equal(at, json_array_size(alone));
        if (met < COUNT / 16)
            fail_msg("%s, %s: %zu hits", query->path, frames[frame], met);
        assert_true(wrong > COUNT / 8 || (!query->spoils[0].count && frame != 2));
        if (query->out)
            assert_the_floats_say_so(caller, query, frame, &items, statuses);
        json_decref(alone);
        json_decref(answers);
        json_decref(statuses);
    }
}

/* In the place of item 3: a text, a member or number too many, a number that is none or that no
 * double can hold. */
static void what_is_no_question_refuses_all(void **state)
{
    struct caller *caller = georeferenced(state);

    for (int run = 0; run < QUERIES * 5; run++) {
        const struct query *query = &queries[run % QUERIES];
        const int way = run / QUERIES;
        char target[80], body[4000], place[60];
        struct items items;
        size_t used = (size_t)sprintf(body, "{\"%s\":[", query->list);

        seed = 9;
        items_make(query, 1, &items);
        for (int i = 0; i < 6; i++) {
            used += (size_t)sprintf(body + used, i ? "," : "");
            if (i == 3 && way < 2) {
                used += (size_t)sprintf(body + used, way ? "null" : "\"here\"");
                continue;
            }
            used += item_print(query, items.numbers[i], body + used);
            if (i == 3 && way == 2) { /* behind the last number or member */
                used--;
                used +=
                    (size_t)sprintf(body + used, query->parts[0].name ? ",\"along\":1}" : ",1,1]");
            }
            if (i == 3 && way > 2) { /* instead of its first number */
                char *from = strrchr(body, query->parts[0].name ? '{' : '[');
                char *number = query->parts[0].name ? strchr(from, '[') + 1 : from + 1;
                char rest[400];

                strcpy(rest, strchr(number, ','));
                used = (size_t)(number - body);
                used += (size_t)sprintf(body + used, "%s%s", way == 3 ? "NaN" : "1e999", rest);
            }
        }
        strcpy(body + used, "]}");
        snprintf(target, sizeof target, LAND "/query/%s?frame=grid", query->path);
        call(caller, "POST", target, body);
        snprintf(place, sizeof place, "\"/%s/3", query->list);
        if (caller->status != 400 || !strstr(caller->body, place))
            fail_msg("%s: %s\n%s", target, body, caller->body);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, caller_begin, caller_end)
    const struct CMUnitTest tests[] = {
        TEST(what_is_impossible_is_wrong_alone),
        TEST(what_is_no_question_refuses_all),
    };

    return cmocka_run_group_tests(tests, caller_decoders_start, caller_decoders_stop);
}
