/* What has happened to a landscape, a row a version, and what undo and redo act on.
 *
 * A step is a change that can be undone: an edit, or the restoring of an older version. It is
 * applied or undone; rows of undos and redos say which step they turned, and are no steps
 * themselves. Rows up to the horizon are forgotten: the log has no differences of them any more.
 * In memory alone; one thread at a time.
 */
#ifndef TERRAIN_HISTORY_H
#define TERRAIN_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/base/rect.h"

struct history;

enum history_kind { HISTORY_EDIT, HISTORY_UNDO, HISTORY_REDO, HISTORY_RESTORE, HISTORY_KINDS };
extern const char *const history_words[]; /* "edit", by kind; ends with NULL */

struct history_row {
    uint64_t version;
    enum history_kind kind;
    uint64_t of; /* the version that was undone, redone or restored; 0 of an edit */
    struct rect dirty;
    unsigned what;      /* of CHANGE_ (terrain/edit/draft.h) */
    const char *author; /* or NULL; lent by the history where it gives a row */
};

/* One without rows, of a landscape at that version; NULL with MEMORY. */
struct history *history_new(uint64_t horizon, struct fault *why);
void history_free(struct history *history);

uint64_t history_horizon(const struct history *history);
uint64_t history_newest(const struct history *history);
size_t history_bytes(const struct history *history);

/* The next row. Fails with MEMORY, and with STORAGE on one that cannot be: that does not follow, or
 * turns what is no step, or as it stands already. */
bool history_append(struct history *history, const struct history_row *row, struct fault *why);
/* The newest row has not come to be. */
void history_take_back(struct history *history);
/* Forgets rows up to that version. */
void history_trim(struct history *history, uint64_t horizon);

/* The row of a version; whether it is a step that is undone now. False where there is none. */
bool history_at(const struct history *history, uint64_t version, struct history_row *row,
                bool *undone);

/* The least version that is known to have had the same content as this one, which lies between
 * horizon and newest. */
uint64_t history_content(const struct history *history, uint64_t version);

struct history_pick {
    uint64_t step;
    uint64_t since; /* the version that applied or undid it last; before it was as it is to be */
};

/* What undo acts on: the step that was applied, or applied again, last; with an author, of those of
 * that author's. What redo acts on: the step that was undone last, as long as no step came after;
 * with an author, one of that author's as long as none of that author's came after. False when
 * there is nothing. */
bool history_undo(const struct history *history, const char *author, struct history_pick *pick);
bool history_redo(const struct history *history, const char *author, struct history_pick *pick);

/* Whether all is as it was right after `since` turned the step. */
bool history_settled(const struct history *history, const struct history_pick *pick);

/* Other steps that are applied now and were not at pick->since, or the other way round, newest
 * turn first: each as its row (what is known of it), and the version whose differences are
 * the step's or their opposite. False stops it. */
typedef bool history_visit(void *context, const struct history_row *step, uint64_t differences);
bool history_since(const struct history *history, const struct history_pick *pick,
                   history_visit *visit, void *context);

#endif
