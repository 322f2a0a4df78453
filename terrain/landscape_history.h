/* Going back: undo and redo, older versions, snapshots, and the list of what happened.
 *
 * An undo is a change like any other, a new version with older content, and so is a redo or a
 * restoring; they wait for their turn and may be undone themselves (an undo by redo). Any thread.
 */
#ifndef TERRAIN_LANDSCAPE_HISTORY_H
#define TERRAIN_LANDSCAPE_HISTORY_H

#include "terrain/history.h"
#include "terrain/landscape.h"
#include "terrain/store/store.h"

/* As landscape_change, which sets `make`, `context` and `step` itself. whose: only steps of this
 * author's, which must not be overlapped by anything that came later and still stands; NULL is
 * anybody's last. Fail as landscape_change does, with NOTHING_TO_UNDO or NOTHING_TO_REDO, with
 * CONFLICT, naming what is in the way, and with LOCKED. */
bool landscape_undo(struct landscape *landscape, const struct landscape_change *change,
                    const char *whose, struct landscape_changed *changed, struct fault *why);
bool landscape_redo(struct landscape *landscape, const struct landscape_change *change,
                    const char *whose, struct landscape_changed *changed, struct fault *why);

/* The content of an older version, settings included. Fails as landscape_change and
 * landscape_view_at do, and with LOCKED where a locked layer would change. */
bool landscape_restore(struct landscape *landscape, const struct landscape_change *change,
                       uint64_t version, struct landscape_changed *changed, struct fault *why);

struct landscape_version {
    struct history_row row;
    bool undone; /* it is a step, and undone now */
    int64_t vertices, bytes;
    int64_t at;          /* milliseconds since 1970 */
    const char *request; /* the beginning of what asked for it, or NULL */
};

/* What there is beside the list. */
struct landscape_reach {
    uint64_t newest, oldest; /* versions; the oldest is the one before the oldest of the list */
    uint64_t undo, redo;     /* the versions that undo and redo would act on; 0 is none */
};

/* Up to `most` versions before `before`, newest first, with so many letters of their requests;
 * texts are lent for the call. False stops it. Waits for the landscape's turn. */
typedef bool landscape_version_visit(void *context, const struct landscape_version *version);
bool landscape_versions(struct landscape *landscape, uint64_t before, int32_t most, int32_t letters,
                        landscape_version_visit *visit, void *context,
                        struct landscape_reach *reach, struct fault *why);

/* Snapshots name versions, which are kept as long as they do; see ledger_snapshot_put and its
 * neighbours for how they fail. version 0 is the newest, which if_match is about, and is filled in.
 */
bool landscape_snapshot_put(struct landscape *landscape, struct ledger_snapshot *snapshot,
                            const char *if_match, struct fault *why);
bool landscape_snapshot_find(struct landscape *landscape, const char *name,
                             ledger_snapshot_visit *visit, void *context, struct fault *why);
bool landscape_snapshots(struct landscape *landscape, ledger_snapshot_visit *visit, void *context,
                         struct fault *why);
bool landscape_snapshot_drop(struct landscape *landscape, const char *name, struct fault *why);

#endif
