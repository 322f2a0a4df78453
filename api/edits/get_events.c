/* What becomes of a landscape, told as it happens: server-sent events, one a version. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/changed.h"
#include "api/echo.h"
#include "api/endpoint.h"
#include "api/json_write.h"
#include "api/edits/event_tiles.h"
#include "terrain/edit/draft.h"
#include "terrain/landscape_feed.h"

enum { RETRY_MILLISECONDS = 2000 };

/* The data of a `change` event. */
struct event {
    int64_t version;
    int kind;
    struct rect dirty;
    int64_t changed;
    struct list what;
    const char *author;
    struct json_text tiles;
};

static const struct field event_rows[] = {
    FIELD(struct event, version, NULL, 0, 0, "The landscape's version after the change"),
    FIELD_AS(FIELD_CHOICE, struct event, kind, "What kind of change it was",
             .words = history_words),
    FIELD(struct event, dirty, "vertices", 0, 0, "Around all that changed", .nullable = true),
    FIELD(struct event, changed, "vertices", 0, 0, "How many changed"),
    FIELD_AS(FIELD_TEXTS, struct event, what,
             "What changed: heights, holes, weights, layers, settings, offsets"),
    FIELD(struct event, author, NULL, 0, 0, "Who changed it, where that was said",
          .nullable = true),
    FIELD(struct event, tiles, NULL, 0, 0,
          "The map tiles that may show something else: for each grid a list by zoom, from 0 on, of "
          "[west, north, east, south] columns and rows, the last ones included; [] where there is "
          "none, and west greater than east across 180 degrees. null when nothing on the ground "
          "changed, or it is not known where: then any tile may be another one",
          .nullable = true),
    { .kind = FIELD_END }
};

static bool data_write(const struct landscape_record *record, const struct view *view,
                       struct bytes *to, struct fault *why)
{
    struct bytes tiles = { 0 };
    bool written;
    const char *what[CHANGED_WORDS];
    struct event event = { .version = (int64_t)record->version,
                           .kind = (int)record->kind,
                           .dirty = record->dirty,
                           .changed = record->vertices,
                           .what = changed_what(record->what, what),
                           .author = *record->author ? record->author : NULL };

    written = event_tiles_write(view, record->dirty, &tiles, why);
    if (tiles.length)
        event.tiles.text = (const char *)tiles.data;
    written = written && json_write(SHAPE(struct event, event_rows), &event, to, why);
    bytes_free(&tiles);
    return written;
}

static bool event_add(struct stream_batch *batch, uint64_t place, bool written)
{
    batch->events[batch->count].place = place;
    batch->events[batch->count++].end = batch->text.length;
    return written;
}

static bool change_add(struct stream_batch *batch, const struct landscape_record *record,
                       const struct view *view, struct fault *why)
{
    return event_add(
        batch, record->version,
        bytes_print(&batch->text, why, "event: change\nid: %" PRIu64 "\ndata: ", record->version) &&
            data_write(record, view, &batch->text, why) && bytes_add(&batch->text, "\n\n", 2, why));
}

/* From which version on everything has to be fetched again. */
static bool reset_add(struct stream_batch *batch, uint64_t newest, struct fault *why)
{
    return event_add(batch, newest,
                     bytes_print(&batch->text, why,
                                 "event: reset\nid: %" PRIu64 "\ndata: {\"version\":%" PRIu64
                                 "}\n\n",
                                 newest, newest));
}

/* Its id is empty: whoever connects again knows nothing of a landscape of this name. */
static bool deleted_add(struct stream_batch *batch, uint64_t newest, struct fault *why)
{
    return event_add(batch, newest + 1,
                     bytes_print(&batch->text, why,
                                 "event: deleted\nid\ndata: {\"version\":%" PRIu64 "}\n\n",
                                 newest));
}

static bool events_read(void *of, uint64_t place, struct stream_batch *batch, struct fault *why)
{
    struct landscape_record records[STREAM_BATCH_MOST - 1];
    struct landscape_news news;
    size_t count = landscape_feed_read(of, place, sizeof records / sizeof *records, records, &news);
    struct view *view = count ? landscape_view_here(of) : NULL;
    bool done = true;

    batch->text.length = batch->count = 0;
    if (news.missed)
        done = reset_add(batch, news.newest, why);
    for (size_t i = 0; done && i < count; i++)
        done = change_add(batch, &records[i], view, why);
    batch->more = count && records[count - 1].version < news.newest;
    batch->ended = news.deleted && !batch->more;
    if (done && batch->ended)
        done = deleted_add(batch, news.newest, why);
    view_drop(view);
    return done;
}

static void events_watch(void *of, struct watch *watch)
{
    landscape_feed_watch(of, watch);
}

static void events_unwatch(void *of, struct watch *watch)
{
    landscape_feed_unwatch(of, watch);
}

static void events_drop(void *of)
{
    landscape_drop(of);
}

static const struct stream_kind events_kind = { events_read, events_watch, events_unwatch,
                                                events_drop };

struct events_asked {
    uint64_t given;
    int64_t since;
};

static const struct field asks[] = {
    FIELD(struct events_asked, since, NULL, 0, 9007199254740992.0,
          "The version that the client knows; a Last-Event-ID header wins. Without either, events "
          "begin at the newest version"),
    { .kind = FIELD_END }
};

/* Up to which version the client has been told; *known is false when it has not said. */
static bool place_choose(struct request *rq, const struct events_asked *asked, bool *known,
                         uint64_t *place)
{
    const char *last = rq->last_event_id;
    char room[ECHO_ROOM];

    *known = asked->given || (last && *last);
    *place = (uint64_t)asked->since;
    if (!last || !*last)
        return true;
    if (strlen(last) > 16 || last[strspn(last, "0123456789")])
        return REFUSE(rq, FAULT_INPUT, "The Last-Event-ID here is a version, such as 7, not %s",
                      echo_text(last, strlen(last), room));
    *place = strtoull(last, NULL, 10);
    return true;
}

/* What came after it may have to be read from the log. */
static bool waits(struct request *rq, const void *asked)
{
    struct landscape_news news;
    uint64_t place;
    bool known;

    if (!place_choose(rq, asked, &known, &place) || !known)
        return false;
    landscape_feed_read(rq->landscape, place, 0, NULL, &news);
    return news.logged;
}

/* An id without an event: a client that is cut off before the first can go on from here. */
static bool run(struct request *rq, const void *asked, void *answer)
{
    struct landscape_news news;
    uint64_t place;
    bool known;

    (void)answer;
    if (!place_choose(rq, asked, &known, &place))
        return false;
    landscape_feed_read(rq->landscape, place, 0, NULL, &news);
    if (known && news.logged && !landscape_feed_recall(rq->landscape, place, &rq->fault))
        return false;
    if (!known)
        place = news.newest;
    rq->version = news.newest;
    if (!bytes_print(&rq->bytes, &rq->fault, "retry: %d\nid: %" PRIu64 "\n\n", RETRY_MILLISECONDS,
                     place))
        return false;
    if (place > news.newest)
        place = 0; /* of another life of the landscape: known to nobody */
    rq->stream = (struct stream){ &events_kind, landscape_hold(rq->landscape), place };
    return true;
}

static const char *const media_out[] = { "text/event-stream", NULL };

const struct endpoint endpoint_get_events = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/events",
    .summary = "Server-sent events: a change a version, reset when versions between are not known, "
               "and deleted at the end",
    .example_path = "/v1/landscapes/demo/events",
    .example = "since=1",
    .scope = SCOPE_READ,
    .pace = QUICK,
    .waits = waits,
    .holds = HOLDS_LANDSCAPE,
    .asks = &(const struct shape){ .name = "events",
                                   .size = sizeof(struct events_asked),
                                   .fields = asks,
                                   .given = offsetof(struct events_asked, given) },
    .media_out = media_out,
    .unversioned = true,
    .stream = true,
    .run = run,
};
