/* The inside of a ledger, for the files of the store that share it.
 *
 * Blocks: the row of a block with the greatest `good` that is at most about.good counts. A
 * write-back pass adds rows that are good for one held view; its last slice moves about.good
 * forward in one commit, and a sweep then removes the rows that they replace. A plane's row says
 * since when it is there: rows of its blocks that were good earlier are of a layer that was deleted
 * and came back, and do not count. A crash at any
 * point leaves a file that loads to the same heights. Edits up to about.good are history
 * that may be trimmed.
 */
#ifndef TERRAIN_STORE_LEDGER_H
#define TERRAIN_STORE_LEDGER_H

#include "terrain/store/database.h"
#include "terrain/store/pack.h"
#include "terrain/store/store.h"

enum statement {
    ASK_ABOUT,
    PUT_ABOUT,
    ASK_LAST,
    ASK_SETTINGS,
    PUT_SETTINGS,
    TRIM_SETTINGS,
    ASK_PLANE,
    ASK_PLANES,
    PUT_PLANE,
    DROP_PLANE,
    ASK_BLOCKS,
    PUT_BLOCK,
    DROP_BLOCK,
    DROP_DEAD,
    DROP_UNFINISHED,
    ASK_EDITS,
    ASK_EDIT,
    PUT_EDIT,
    ASK_PARTS,
    PUT_PART,
    ASK_ROWS,
    ASK_VERSIONS,
    ASK_FIRST,
    ASK_OLDEST,
    TRIM_EDITS,
    TRIM_PARTS,
    ASK_ANSWER,
    PUT_ANSWER,
    TRIM_ANSWERS,
    TRIM_ANSWERS_BY_NUMBER,
    SCRUB_BLOCKS,
    SCRUB_EDITS,
    ASK_PINNED,
    ASK_SNAPSHOTS,
    ASK_SNAPSHOT,
    PUT_SNAPSHOT,
    DROP_SNAPSHOT,
    STATEMENT_COUNT
};

/* Where a walk over the blocks newer than `since` stands, in Z order, plane by plane of the
 * view's layers. */
struct walk {
    int32_t plane;
    int64_t next;
};

enum pass { PASS_NONE, PASS_WRITE, PASS_SWEEP, PASS_TRIM };

struct ledger {
    struct store *store;
    uint64_t incarnation;
    struct database database;
    uint64_t last;     /* newest durable version */
    uint64_t good;     /* the version that all blocks on disk are good for */
    int64_t through;   /* bytes of the log, from its beginning to the last edit */
    int64_t replayed;  /* `through` at the edit that `good` names */
    uint64_t horizon;  /* the version before the oldest edit of the log */
    int64_t forgotten; /* `through` there */
    uint64_t pinned;   /* the oldest version that has a snapshot; UINT64_MAX is none */
    int64_t snapshots;
    bool doubtful;
    enum pass pass;
    struct view *saving; /* whose blocks the pass writes */
    int64_t saving_through;
    uint64_t since; /* newer blocks are written */
    struct walk walk;
    bool dead; /* rows of planes that are no more, or of an earlier life, are to be swept */
};

enum {
    LEDGER_FORMAT = 4,
    LEDGER_SLICE = 4 << 20, /* bytes of a transaction */
    LEDGER_LOG_PAGES = (64 << 20) / DATABASE_PAGE,
    LEDGER_BEHIND_EDITS = 4096,
    LEDGER_BEHIND_BYTES = 64 << 20,
    LEDGER_VERSIONS = 1 << 17, /* edits that the log keeps at most, unless a snapshot needs more */
    EDIT_NUMBERS = 12          /* columns of an edit that its checksum covers beside its data */
};

/* A ledger on its way into being: the file is filled by several transactions. */
bool ledger_fill(struct store *store, const struct view *content, const struct executor *executor,
                 struct fault *why);

/* (Re)opens the file and reads where it stands. */
bool ledger_begin(struct ledger *ledger, struct fault *why);

/* Of a fault of the database: keeps its doubt; returns false. */
bool ledger_failed(struct ledger *ledger);

/* The next block that is newer than `since` on the view; false when there is none. */
bool walk_next(struct walk *walk, const struct view *view, uint64_t since,
               const struct layer_plane **plane, int32_t *bx, int32_t *by);

bool ledger_say(struct ledger *ledger, const char *name, int64_t value, struct fault *why);

/* Inserts the row of a block, given in its packed form. */
bool ledger_put_packed(struct ledger *ledger, uint64_t good, const struct layer_plane *plane,
                       int32_t bx, int32_t by, const struct bytes *packed, struct fault *why);
bool ledger_put_plane(struct ledger *ledger, const struct layer_plane *plane, struct fault *why);
bool ledger_put_settings(struct ledger *ledger, const struct view *view, struct fault *why);

/* The row's checksum: its keys, then its bytes. */
uint32_t ledger_block_sum(const int64_t keys[5], const void *data, size_t length);
uint32_t ledger_edit_sum(const int64_t numbers[EDIT_NUMBERS], const void *data, size_t length);

/* How far back the log goes, and which snapshots hold it. */
bool ledger_read_horizon(struct ledger *ledger, struct fault *why);

/* The settings that hold at a version, and the version that made them. */
struct settings *ledger_load_settings(struct ledger *ledger, uint64_t at, uint64_t *made,
                                      struct fault *why);
/* The differences of the edit in this row of EDIT_COLUMNS, unpacked. */
bool ledger_load_edit(struct ledger *ledger, struct packer *packer, struct sqlite3_stmt *row,
                      struct bytes *raw, struct fault *why);

/* Replays the log after the view; the view is taken, and the newest returned. */
struct view *ledger_replay(struct ledger *ledger, struct view *view, struct fault *why);

/* store.c */
struct folder;
const struct folder *store_folder(const struct store *store);
/* Opens a file to serve; on a full disk at the cost of the reserve. */
bool store_database(struct store *store, struct database *database, const char *path,
                    const char *const *texts, struct fault *why);
struct packer *store_packer(struct store *store, struct fault *why);
void store_packer_back(struct store *store, struct packer *packer);

#endif
