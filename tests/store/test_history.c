/* What undo and redo act on, against a model that keeps a set of applied steps for each version. */
#include "tests/terrain/ground.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/history.h"

enum { ROWS_MOST = 400, AUTHORS = 3 };

static const char *const authors[AUTHORS] = { "anna", "bo", NULL };

/* A step of the model, in the order in which steps were applied or undone last. */
struct model {
    uint64_t horizon, newest;
    bool applied[ROWS_MOST][ROWS_MOST]; /* by version, then step */
    bool is_step[ROWS_MOST];
    uint64_t turned[ROWS_MOST]; /* of a step: when last */
    int author[ROWS_MOST];
    uint64_t of[ROWS_MOST];
};

static struct history *fresh(uint64_t horizon)
{
    struct fault why = { 0 };
    struct history *history = history_new(horizon, &why);

    assert_non_null(history);
    return history;
}

static void add(struct history *history, enum history_kind kind, uint64_t of, const char *author)
{
    struct fault why = { 0 };
    struct history_row row = { .version = history_newest(history) + 1,
                               .kind = kind,
                               .of = of,
                               .dirty = { 0, 0, 1, 1 },
                               .author = author };

    if (!history_append(history, &row, &why))
        fail_msg("%s", why.detail);
}

static void model_add(struct model *model, enum history_kind kind, uint64_t of, int author)
{
    uint64_t version = ++model->newest, step = of;

    memcpy(model->applied[version], model->applied[version - 1], sizeof model->applied[version]);
    if (kind == HISTORY_EDIT) {
        step = version;
        model->is_step[version] = true;
        model->author[version] = author;
    }
    model->of[version] = step;
    model->turned[step] = version;
    model->applied[version][step] = kind != HISTORY_UNDO;
}

static bool by(const struct model *model, uint64_t step, int author)
{
    return author < 0 || (authors[author] && model->author[step] == author);
}

/* The applied step that was turned last; 0 is none. */
static uint64_t model_undo(const struct model *model, int author)
{
    uint64_t found = 0;

    for (uint64_t step = 1; step <= model->newest; step++)
        if (model->is_step[step] && model->applied[model->newest][step] &&
            by(model, step, author) && (!found || model->turned[step] > model->turned[found]))
            found = step;
    return found > model->horizon ? found : 0;
}

static uint64_t model_redo(const struct model *model, int author)
{
    uint64_t found = 0, last = 0;

    for (uint64_t step = 1; step <= model->newest; step++) {
        if (!model->is_step[step] || !by(model, step, author))
            continue;
        last = step;
        if (!model->applied[model->newest][step] &&
            (!found || model->turned[step] > model->turned[found]))
            found = step;
    }
    return found > model->horizon && model->turned[found] > last ? found : 0;
}

static void check_pick(bool any, const struct history_pick *pick, const struct model *model,
                       uint64_t wanted)
{
    assert_int_equal(any ? pick->step : 0, wanted);
    if (any)
        assert_int_equal(pick->since, model->turned[wanted]);
}

static void check_picks(const struct history *history, const struct model *model)
{
    struct history_pick pick;

    for (int author = -1; author < 2; author++) {
        const char *whose = author < 0 ? NULL : authors[author];

        check_pick(history_undo(history, whose, &pick), &pick, model, model_undo(model, author));
        check_pick(history_redo(history, whose, &pick), &pick, model, model_redo(model, author));
    }
}

struct seen {
    bool other[ROWS_MOST];
    uint64_t last;
};

static bool see(void *context, const struct history_row *step, uint64_t differences)
{
    struct seen *seen = context;

    assert_true(seen->last == 0 || differences < seen->last);
    seen->last = differences;
    seen->other[step->version] = true;
    return true;
}

/* Exactly the other steps whose state is not what it was right after `since`. */
static void check_since(const struct history *history, const struct model *model)
{
    struct history_pick pick;
    struct seen seen = { .last = 0 };

    if (!history_undo(history, "anna", &pick))
        return;
    assert_true(history_since(history, &pick, see, &seen));
    for (uint64_t step = 1; step <= model->newest; step++) {
        bool other = step != pick.step && model->is_step[step] &&
                     model->applied[model->newest][step] != model->applied[pick.since][step];

        assert_int_equal(seen.other[step], other);
    }
}

/* What is said to be the same content has the same steps. */
static void check_contents(const struct history *history, const struct model *model)
{
    for (uint64_t a = model->horizon; a <= model->newest; a++) {
        uint64_t like = history_content(history, a);

        if (like >= 1 && like <= model->newest)
            assert_memory_equal(model->applied[a], model->applied[like], sizeof model->applied[a]);
    }
}

static void play(struct history *history, struct model *model, struct dice *dice)
{
    int author = dice_between(dice, 0, AUTHORS - 1), whose = dice_between(dice, -1, 1);
    uint64_t undo = model_undo(model, whose), redo = model_redo(model, whose);
    int what = dice_between(dice, 0, 9);

    if (what < 4 && undo) {
        add(history, HISTORY_UNDO, undo, authors[author]);
        model_add(model, HISTORY_UNDO, undo, author);
    } else if (what < 7 && redo) {
        add(history, HISTORY_REDO, redo, authors[author]);
        model_add(model, HISTORY_REDO, redo, author);
    } else {
        add(history, HISTORY_EDIT, 0, authors[author]);
        model_add(model, HISTORY_EDIT, 0, author);
    }
}

static void undo_and_redo_act_as_sets_of_steps_say(void **state)
{
    struct model *model = malloc(sizeof *model);

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct dice dice = { seed };
        struct history *history = fresh(0);

        memset(model, 0, sizeof *model);
        while (model->newest < ROWS_MOST - 1) {
            play(history, model, &dice);
            check_picks(history, model);
            check_since(history, model);
        }
        check_contents(history, model);
        history_free(history);
    }
    free(model);
}

/* Every row taken back leaves what was there before it. */
static void a_row_taken_back_leaves_no_trace(void **state)
{
    struct model *model = calloc(1, sizeof *model), *before = malloc(sizeof *before);
    struct history *history = fresh(0);
    struct dice dice = { 7 };

    (void)state;
    while (model->newest < ROWS_MOST - 1) {
        size_t bytes = history_bytes(history);

        memcpy(before, model, sizeof *before);
        play(history, before, &dice);
        history_take_back(history);
        check_picks(history, model);
        assert_true(history_bytes(history) >= bytes);
        play(history, model, &dice);
        check_picks(history, model);
    }
    history_free(history);
    free(model);
    free(before);
}

/* The same rows, read anew from some version on, and rows forgotten up to there, answer alike. */
static void what_is_read_again_answers_as_what_was_trimmed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct model *model = calloc(1, sizeof *model);
        struct history *kept = fresh(0), *again;
        struct dice dice = { seed };
        uint64_t horizon = (uint64_t)dice_between(&dice, 1, 100);

        while (model->newest < 150)
            play(kept, model, &dice);
        again = fresh(horizon);
        for (uint64_t version = horizon + 1; version <= 150; version++) {
            struct history_row row;
            struct fault why = { 0 };
            bool undone;

            assert_true(history_at(kept, version, &row, &undone));
            assert_true(history_append(again, &row, &why));
        }
        history_trim(kept, horizon);
        assert_int_equal(history_horizon(kept), horizon);
        assert_false(history_at(kept, horizon, &(struct history_row){ 0 }, &(bool){ false }));
        for (int author = -1; author < 2; author++) {
            const char *whose = author < 0 ? NULL : authors[author];
            struct history_pick a = { 0 }, b = { 0 };

            assert_int_equal(history_undo(kept, whose, &a), history_undo(again, whose, &b));
            assert_memory_equal(&a, &b, sizeof a);
            assert_int_equal(history_redo(kept, whose, &a), history_redo(again, whose, &b));
            assert_memory_equal(&a, &b, sizeof a);
        }
        history_free(kept);
        history_free(again);
        free(model);
    }
}

static void rows_that_cannot_be_are_refused(void **state)
{
    static const struct history_row wrong[] = {
        { .version = 4, .kind = HISTORY_EDIT },
        { .version = 3, .kind = HISTORY_EDIT, .of = 1 },
        { .version = 3, .kind = HISTORY_UNDO },
        { .version = 3, .kind = HISTORY_UNDO, .of = 3 },
        { .version = 3, .kind = HISTORY_REDO, .of = 2 },
        { .version = 3, .kind = HISTORY_RESTORE, .of = 9 },
        { .version = 3, .kind = HISTORY_KINDS, .of = 1 },
    };
    struct history *history = fresh(1);
    struct history_pick pick;

    (void)state;
    add(history, HISTORY_EDIT, 0, "anna");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fault why = { 0 };

        assert_false(history_append(history, &wrong[i], &why));
        assert_int_equal(why.code, FAULT_STORAGE);
        assert_int_equal(history_newest(history), 2);
    }
    assert_true(history_undo(history, NULL, &pick));
    assert_int_equal(pick.step, 2);
    history_free(history);
}

static void a_restoring_is_a_step_with_older_content(void **state)
{
    struct history *history = fresh(1);
    struct history_pick pick;

    (void)state;
    add(history, HISTORY_EDIT, 0, "anna");
    add(history, HISTORY_EDIT, 0, "bo");
    add(history, HISTORY_RESTORE, 2, "bo");
    assert_int_equal(history_content(history, 4), 2);
    assert_true(history_undo(history, NULL, &pick));
    assert_int_equal(pick.step, 4);
    add(history, HISTORY_UNDO, 4, NULL);
    assert_int_equal(history_content(history, 5), 3);
    assert_true(history_redo(history, "bo", &pick));
    assert_int_equal(pick.step, 4);
    history_free(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(undo_and_redo_act_as_sets_of_steps_say),
        cmocka_unit_test(a_row_taken_back_leaves_no_trace),
        cmocka_unit_test(what_is_read_again_answers_as_what_was_trimmed),
        cmocka_unit_test(rows_that_cannot_be_are_refused),
        cmocka_unit_test(a_restoring_is_a_step_with_older_content),
    };

    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
