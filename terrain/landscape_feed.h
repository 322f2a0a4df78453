/* What has become of a landscape lately, for those that follow it: the last changes, a record a
 * version, in memory.
 *
 * A record is there when its version can be read, not before. Whoever follows says which version
 * it knows, and reads on from there; it never makes a writer wait. After a restart, and when a
 * landscape that nobody follows has been put away for its memory, versions before are known by the
 * log alone, until they are recalled. Any thread.
 */
#ifndef TERRAIN_LANDSCAPE_FEED_H
#define TERRAIN_LANDSCAPE_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/base/rect.h"
#include "terrain/base/watch.h"
#include "terrain/history.h"

struct landscape;

struct landscape_record {
    uint64_t version;
    struct rect dirty;
    int64_t vertices;
    unsigned what; /* of CHANGE_, see draft.h */
    enum history_kind kind;
    char author[65]; /* "" when nobody has said */
};

struct landscape_news {
    uint64_t newest; /* version */
    bool missed;     /* what came between is not known: all has to be read anew, at `newest` */
    bool logged;     /* missed, but the log may know: see recall */
    bool deleted;
};

/* The records of the versions after `after`, oldest first, at most `most`; how many. A version
 * that has not been yet counts as missed. */
size_t landscape_feed_read(struct landscape *landscape, uint64_t after, size_t most,
                           struct landscape_record *records, struct landscape_news *news);

/* Reads from the log what is missed after a version, as far as the log goes back and records are
 * kept. Waits for the landscape's turn and for the disk. Fails as loading does; then nothing more
 * is known. */
bool landscape_feed_recall(struct landscape *landscape, uint64_t after, struct fault *why);

/* The watch is woken when there is something to read. Takes a hold of the landscape that keeps its
 * records but does not keep it in memory; unwatch lets it go, and then nothing is woken any more.
 */
void landscape_feed_watch(struct landscape *landscape, struct watch *watch);
void landscape_feed_unwatch(struct landscape *landscape, struct watch *watch);

#endif
