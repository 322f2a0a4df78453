#include "terrain/landscape_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/landscape_inside.h"

enum { ROOM_FIRST = 16, RECORDS_USUAL = 4096 };

static struct landscape_record *feed_record(const struct feed *feed, int32_t i)
{
    return &feed->ring[(feed->first + i) % feed->room];
}

/* Room for one record more: the ring grows to its bound, then the oldest makes room. */
static bool feed_room(struct feed *feed, int32_t most)
{
    int32_t room = feed->room ? feed->room * 2 : ROOM_FIRST;
    struct landscape_record *ring;

    if (feed->count < feed->room)
        return true;
    room = room < most ? room : most;
    if (room == feed->room) {
        feed->first = (feed->first + 1) % feed->room;
        feed->count--;
        return true;
    }
    ring = malloc((size_t)room * sizeof *ring);
    if (!ring)
        return false;
    for (int32_t i = 0; i < feed->count; i++)
        ring[i] = *feed_record(feed, i);
    free(feed->ring);
    feed->ring = ring;
    feed->room = room;
    feed->first = 0;
    return true;
}

void feed_begin(struct landscape *landscape, uint64_t version)
{
    struct feed *feed = &landscape->feed;

    if (feed->newest == version)
        return;
    feed->newest = version;
    feed->count = 0;
    feed->recalled = false;
}

static int32_t records_most(const struct landscape *landscape)
{
    int32_t most = landscape->all->limits.kept_records;

    return most > 0 ? most : RECORDS_USUAL;
}

static void author_set(struct landscape_record *record, const char *author)
{
    snprintf(record->author, sizeof record->author, "%s", author ? author : "");
}

void feed_add(struct landscape *landscape, const struct landscape_came *came)
{
    uint64_t version = landscape->view->version;
    struct feed *feed = &landscape->feed;

    if (version != feed->newest + 1 || !came || !feed_room(feed, records_most(landscape))) {
        feed_begin(landscape, version);
    } else {
        struct landscape_record *record = feed_record(feed, feed->count++);

        record->version = feed->newest = version;
        record->dirty = came->change->dirty;
        record->vertices = came->change->vertices;
        record->what = came->change->what;
        record->kind = came->kind;
        author_set(record, came->author);
    }
    watch_wake_all(feed->watches);
}

void feed_end(struct landscape *landscape)
{
    pthread_mutex_lock(&landscape->seen);
    landscape->feed.ended = true;
    watch_wake_all(landscape->feed.watches);
    pthread_mutex_unlock(&landscape->seen);
}

void feed_empty(struct landscape *landscape)
{
    struct feed *feed = &landscape->feed;

    if (feed->watches)
        return;
    free(feed->ring);
    feed->ring = NULL;
    feed->room = feed->first = feed->count = 0;
    feed->recalled = false;
}

size_t landscape_feed_read(struct landscape *landscape, uint64_t after, size_t most,
                           struct landscape_record *records, struct landscape_news *news)
{
    const struct feed *feed = &landscape->feed;
    size_t count = 0;
    uint64_t oldest;

    pthread_mutex_lock(&landscape->seen);
    oldest = feed->newest - (uint64_t)feed->count; /* the newest of which no record is needed */
    *news = (struct landscape_news){ .newest = feed->newest,
                                     .missed = after < oldest || after > feed->newest,
                                     .deleted = feed->ended };
    news->logged = after < oldest && !feed->recalled && !feed->ended &&
                   feed->newest - after <= (uint64_t)records_most(landscape);
    while (!news->missed && count < most && after + count < feed->newest) {
        records[count] = *feed_record(feed, (int32_t)(after - oldest) + (int32_t)count);
        count++;
    }
    pthread_mutex_unlock(&landscape->seen);
    return count;
}

/* What the log has, newest first, up to the records that there are. */
struct recalling {
    struct landscape_record *records; /* filled from the end */
    int32_t room, count;
    uint64_t next; /* the version that is to come */
};

static bool recall_row(void *context, const struct ledger_row *row, struct fault *why)
{
    struct recalling *recalling = context;
    struct landscape_record *record;

    (void)why;
    if (row->version != recalling->next || recalling->count == recalling->room)
        return true; /* there is a gap, before which nothing is of use */
    record = &recalling->records[recalling->room - ++recalling->count];
    recalling->next--;
    *record = (struct landscape_record){ .version = row->version,
                                         .dirty = row->dirty,
                                         .vertices = row->vertices,
                                         .what = row->what,
                                         .kind = (enum history_kind)row->kind };
    author_set(record, row->author);
    return true;
}

/* Puts the records in front of those that there are. Under the turn, nothing is added meanwhile. */
static bool recalled_keep(struct landscape *landscape, const struct recalling *recalling)
{
    int32_t count = recalling->count + landscape->feed.count;
    struct landscape_record *ring = malloc((size_t)(count ? count : 1) * sizeof *ring);
    struct feed *feed = &landscape->feed;

    if (!ring)
        return false;
    memcpy(ring, recalling->records + recalling->room - recalling->count,
           (size_t)recalling->count * sizeof *ring);
    pthread_mutex_lock(&landscape->seen);
    for (int32_t i = 0; i < feed->count; i++)
        ring[recalling->count + i] = *feed_record(feed, i);
    free(feed->ring);
    feed->ring = ring;
    feed->room = feed->count = count;
    feed->first = 0;
    feed->recalled = recalling->count < recalling->room || count == records_most(landscape);
    pthread_mutex_unlock(&landscape->seen);
    return true;
}

/* Under the turn, where what there is of the feed stays as it is. */
static bool recall(struct landscape *landscape, uint64_t after, struct fault *why)
{
    uint64_t oldest = landscape->feed.newest - (uint64_t)landscape->feed.count;
    int32_t room = records_most(landscape) - landscape->feed.count;
    struct recalling recalling = { .next = oldest };
    bool done;

    if (after >= oldest || landscape->feed.recalled || room < 1)
        return true;
    recalling.room = oldest - after < (uint64_t)room ? (int32_t)(oldest - after) : room;
    recalling.records = malloc((size_t)recalling.room * sizeof *recalling.records);
    if (!recalling.records)
        return fault_set(why, FAULT_MEMORY, "no memory for %d changes", recalling.room);
    done = ledger_versions(landscape->ledger, oldest + 1, recalling.room, 0, recall_row, &recalling,
                           why) &&
           (recalled_keep(landscape, &recalling) ||
            fault_set(why, FAULT_MEMORY, "no memory for %d changes", recalling.count));
    free(recalling.records);
    return done;
}

bool landscape_feed_recall(struct landscape *landscape, uint64_t after, struct fault *why)
{
    bool done;

    pthread_mutex_lock(&landscape->turn);
    done = landscape_ready(landscape, why) && recall(landscape, after, why);
    pthread_mutex_unlock(&landscape->turn);
    return done;
}

static void watchers_count(struct landscape *landscape, int by)
{
    pthread_mutex_lock(&landscape->all->lock);
    landscape->watchers += by;
    pthread_mutex_unlock(&landscape->all->lock);
}

void landscape_feed_watch(struct landscape *landscape, struct watch *watch)
{
    landscape_hold(landscape);
    watchers_count(landscape, 1);
    pthread_mutex_lock(&landscape->seen);
    watch_add(&landscape->feed.watches, watch);
    pthread_mutex_unlock(&landscape->seen);
}

void landscape_feed_unwatch(struct landscape *landscape, struct watch *watch)
{
    pthread_mutex_lock(&landscape->seen);
    watch_remove(watch);
    pthread_mutex_unlock(&landscape->seen);
    watchers_count(landscape, -1);
    landscape_drop(landscape);
}
