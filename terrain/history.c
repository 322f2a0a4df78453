#include "terrain/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const history_words[] = { "edit", "undo", "redo", "restore", NULL };

struct record {
    uint64_t of, content;
    uint64_t turned; /* of a step: the version that applied or undid it last, its own at first */
    uint64_t prior;  /* of an undo or redo: what `turned` was before */
    char *author;
    struct rect dirty;
    uint8_t kind, what;
    bool undone;
};

/* Records of the versions after the horizon, without a gap. */
struct history {
    struct record *records; /* `room`, those in use from `first` on */
    size_t first, count, room;
    uint64_t horizon, horizon_content;
    size_t author_bytes;
};

static struct record *record_of(const struct history *history, uint64_t version)
{
    if (version <= history->horizon || version - history->horizon > history->count)
        return NULL;
    return &history->records[history->first + (size_t)(version - history->horizon - 1)];
}

static bool is_step(const struct record *record)
{
    return record->kind == HISTORY_EDIT || record->kind == HISTORY_RESTORE;
}

struct history *history_new(uint64_t horizon, struct fault *why)
{
    struct history *made = calloc(1, sizeof *made);

    if (!made) {
        fault_set(why, FAULT_MEMORY, "no memory for a history");
        return NULL;
    }
    made->horizon = made->horizon_content = horizon;
    return made;
}

void history_free(struct history *history)
{
    if (!history)
        return;
    history_trim(history, history_newest(history));
    free(history->records);
    free(history);
}

uint64_t history_horizon(const struct history *history)
{
    return history->horizon;
}

uint64_t history_newest(const struct history *history)
{
    return history->horizon + history->count;
}

size_t history_bytes(const struct history *history)
{
    return sizeof *history + history->room * sizeof *history->records + history->author_bytes;
}

static bool make_room(struct history *history)
{
    size_t room = history->room ? history->room * 2 : 16;
    struct record *grown;

    if (history->first + history->count < history->room)
        return true;
    if (history->first > history->room / 2) {
        memmove(history->records, history->records + history->first,
                history->count * sizeof *history->records);
        history->first = 0;
        return true;
    }
    grown = realloc(history->records, room * sizeof *grown);
    if (!grown)
        return false;
    history->records = grown;
    history->room = room;
    return true;
}

uint64_t history_content(const struct history *history, uint64_t version)
{
    const struct record *record = record_of(history, version);

    return record ? record->content : history->horizon_content;
}

/* Turning a step back leads to what was before it, when nothing else is otherwise than then. */
static uint64_t content_of(const struct history *history, const struct history_row *row)
{
    const struct record *step = record_of(history, row->of);

    if (row->kind == HISTORY_RESTORE && (step || row->of == history->horizon))
        return history_content(history, row->of);
    if (row->kind == HISTORY_EDIT || row->kind == HISTORY_RESTORE || !step ||
        !history_settled(history, &(struct history_pick){ row->of, step->turned }))
        return row->version;
    return history_content(history, step->turned - 1);
}

static bool check_row(const struct history *history, const struct history_row *row,
                      struct fault *why)
{
    const struct record *step = record_of(history, row->of);

    if (row->version != history_newest(history) + 1)
        return fault_set(why, FAULT_STORAGE,
                         "version %" PRIu64 " of the history does not follow %" PRIu64,
                         row->version, history_newest(history));
    if (row->kind >= HISTORY_KINDS || (row->kind == HISTORY_EDIT) != (row->of == 0) ||
        row->of >= row->version)
        return fault_set(why, FAULT_STORAGE,
                         "version %" PRIu64 " of the history says that it is of version %" PRIu64,
                         row->version, row->of);
    if (row->kind != HISTORY_RESTORE && step &&
        (!is_step(step) || step->undone == (row->kind == HISTORY_UNDO)))
        return fault_set(why, FAULT_STORAGE,
                         "version %" PRIu64 " of the history cannot %s version %" PRIu64,
                         row->version, history_words[row->kind], row->of);
    return true;
}

bool history_append(struct history *history, const struct history_row *row, struct fault *why)
{
    char *author = row->author ? strdup(row->author) : NULL;
    struct record *made, *step;

    if (!check_row(history, row, why)) {
        free(author);
        return false;
    }
    if ((row->author && !author) || !make_room(history)) {
        free(author);
        return fault_set(why, FAULT_MEMORY, "no memory for one version more of the history");
    }
    step =
        row->kind == HISTORY_UNDO || row->kind == HISTORY_REDO ? record_of(history, row->of) : NULL;
    made = &history->records[history->first + history->count];
    *made = (struct record){ .of = row->of,
                             .content = content_of(history, row),
                             .turned = row->version,
                             .prior = step ? step->turned : 0,
                             .author = author,
                             .dirty = row->dirty,
                             .kind = (uint8_t)row->kind,
                             .what = (uint8_t)row->what };
    history->author_bytes += author ? strlen(author) + 1 : 0;
    history->count++;
    if (step) {
        step->undone = row->kind == HISTORY_UNDO;
        step->turned = row->version;
    }
    return true;
}

static void let_go(struct history *history, struct record *record)
{
    history->author_bytes -= record->author ? strlen(record->author) + 1 : 0;
    free(record->author);
}

void history_take_back(struct history *history)
{
    struct record *last = record_of(history, history_newest(history)), *step;

    if (!last)
        return;
    step = is_step(last) ? NULL : record_of(history, last->of);
    if (step) {
        step->undone = last->kind == HISTORY_REDO;
        step->turned = last->prior;
    }
    let_go(history, last);
    history->count--;
}

void history_trim(struct history *history, uint64_t horizon)
{
    while (history->count > 0 && history->horizon < horizon) {
        struct record *oldest = &history->records[history->first];

        history->horizon_content = oldest->content;
        let_go(history, oldest);
        history->horizon++;
        history->first++;
        history->count--;
    }
}

static struct history_row row_of(const struct record *record, uint64_t version)
{
    return (struct history_row){ version,      (enum history_kind)record->kind,
                                 record->of,   record->dirty,
                                 record->what, record->author };
}

bool history_at(const struct history *history, uint64_t version, struct history_row *row,
                bool *undone)
{
    const struct record *record = record_of(history, version);

    if (!record)
        return false;
    *row = row_of(record, version);
    *undone = record->undone;
    return true;
}

static bool is_by(const struct record *record, const char *author)
{
    return !author || (record->author && strcmp(record->author, author) == 0);
}

bool history_undo(const struct history *history, const char *author, struct history_pick *pick)
{
    for (uint64_t version = history_newest(history); version > history->horizon; version--) {
        const struct record *row = record_of(history, version), *step = row;

        if (row->kind == HISTORY_UNDO)
            continue;
        if (row->kind == HISTORY_REDO)
            step = record_of(history, row->of);
        if (!step)
            return false; /* applied last, and forgotten */
        if (step->undone || step->turned != version || !is_by(step, author))
            continue;
        *pick = (struct history_pick){ step == row ? version : row->of, version };
        return true;
    }
    return false;
}

bool history_redo(const struct history *history, const char *author, struct history_pick *pick)
{
    for (uint64_t version = history_newest(history); version > history->horizon; version--) {
        const struct record *row = record_of(history, version), *step;

        if (is_step(row) && is_by(row, author))
            return false;
        if (row->kind != HISTORY_UNDO)
            continue;
        step = record_of(history, row->of);
        if (!step)
            return false; /* undone last, and forgotten */
        if (!step->undone || step->turned != version || !is_by(step, author))
            continue;
        *pick = (struct history_pick){ row->of, version };
        return true;
    }
    return false;
}

bool history_settled(const struct history *history, const struct history_pick *pick)
{
    return history_content(history, history_newest(history)) ==
           history_content(history, pick->since);
}

/* Whether the step was applied right after that version. */
static bool was_applied(const struct history *history, uint64_t step, uint64_t at)
{
    uint64_t turn = record_of(history, step)->turned;

    if (step > at)
        return false;
    while (turn > at)
        turn = record_of(history, turn)->prior;
    return turn == step || record_of(history, turn)->kind == HISTORY_REDO;
}

bool history_since(const struct history *history, const struct history_pick *pick,
                   history_visit *visit, void *context)
{
    for (uint64_t version = history_newest(history); version > pick->since; version--) {
        const struct record *row = record_of(history, version), *step = row;
        uint64_t of = is_step(row) ? version : row->of;
        struct history_row told;

        if (of == pick->step)
            continue;
        if (!is_step(row))
            step = record_of(history, of);
        if (step &&
            (step->turned != version || step->undone != was_applied(history, of, pick->since)))
            continue;
        /* One that is forgotten may have been either. */
        told = step ? row_of(step, of) : row_of(row, version);
        if (!visit(context, &told, version))
            return false;
    }
    return true;
}
