#include "terrain/landscape_feed.h"

#include <stdio.h>
#include <stdlib.h>

#include "terrain/landscape_inside.h"

enum { ROOM_FIRST = 16, RECORDS_USUAL = 1024 };

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
}

void feed_add(struct landscape *landscape, const struct landscape_came *came)
{
    int32_t most = landscape->all->limits.kept_records;
    uint64_t version = landscape->view->version;
    struct feed *feed = &landscape->feed;

    if (version != feed->newest + 1 || !came || !feed_room(feed, most > 0 ? most : RECORDS_USUAL)) {
        feed_begin(landscape, version);
    } else {
        struct landscape_record *record = feed_record(feed, feed->count++);

        record->version = feed->newest = version;
        record->dirty = came->change->dirty;
        record->vertices = came->change->vertices;
        record->what = came->change->what;
        snprintf(record->author, sizeof record->author, "%s", came->author ? came->author : "");
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
}

size_t landscape_feed_read(struct landscape *landscape, uint64_t after, size_t most,
                           struct landscape_record *records, struct landscape_news *news)
{
    const struct feed *feed = &landscape->feed;
    size_t count = 0;
    uint64_t oldest;

    pthread_mutex_lock(&landscape->seen);
    oldest = feed->newest - (uint64_t)feed->count; /* the newest of which no record is needed */
    *news = (struct landscape_news){ feed->newest, after < oldest || after > feed->newest,
                                     feed->ended };
    while (!news->missed && count < most && after + count < feed->newest) {
        records[count] = *feed_record(feed, (int32_t)(after - oldest) + (int32_t)count);
        count++;
    }
    pthread_mutex_unlock(&landscape->seen);
    return count;
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
