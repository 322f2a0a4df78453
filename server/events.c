#include "server/events.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "server/chunks.h"
#include "server/clock.h"
#include "server/peers.h"

enum {
    SOCKET_BYTES = 16 << 10, /* that the kernel keeps for one reader */
    READY_MOST = 256,        /* of one look at the sockets */
    RESTS = 4,               /* times that a round took, to be rested after it */
    NICENESS = 10            /* an edit comes before the news of it */
};
#define WAIT_MOST   (CLOCK_SECOND / 100)
#define REST_MOST   (CLOCK_SECOND / 10)
#define MILLISECOND (CLOCK_SECOND / 1000)

/* What is followed, with those who do. */
struct channel {
    struct watch watch; /* first */
    struct events *events;
    struct channel *next, **at;
    const struct stream_kind *kind;
    void *of;
    _Atomic bool marked;
    uint64_t place; /* up to where all have been told whose sockets would take it */
    struct listener *listeners;
};

struct listener {
    struct listener *next, **at;      /* of its channel; `next` of the newcomers before */
    struct listener *later, *earlier; /* of the queue */
    struct channel *channel;
    struct bytes rest; /* what has to go first, from `gone` on: the head, the end of an event */
    size_t gone;
    uint64_t place;
    int64_t told; /* when anything was last written */
    struct events_seat seat;
    int socket;
    bool chunked, blocked;
};

struct newcomer {
    struct newcomer *next;
    struct stream stream;
    struct listener *listener;
};

struct events {
    struct events_limits limits;
    struct peers *peers;
    int epoll, wake;
    pthread_t thread;
    _Atomic int64_t streams, sent, dropped, refused;
    _Atomic bool quiet, stopping;

    pthread_mutex_t lock;
    struct newcomer *newcomers;

    /* the thread's own */
    struct channel *channels;
    struct listener *silent, *loud; /* the queue: who was told longest ago is first */
    bool poked;
    int64_t took, rest_until, due;     /* the last round, its rest, and when the next begins */
    struct stream_batch plain, chunks; /* the same events */
};

static void poke(struct events *events)
{
    uint64_t one = 1;

    while (write(events->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

static void mark(struct watch *watch)
{
    struct channel *channel = (struct channel *)watch;

    if (!atomic_exchange(&channel->marked, true))
        poke(channel->events);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A long round lets those who made the news be answered first. */
static void round_want(struct events *events)
{
    int64_t due = clock_now() + least(events->took, WAIT_MOST);

    if (due < events->rest_until)
        due = events->rest_until;
    if (!events->poked)
        events->due = events->took < MILLISECOND ? 0 : due;
    events->poked = true;
}

/* ---- coming and going ---- */

static void queue_leave(struct events *events, struct listener *one)
{
    *(one->earlier ? &one->earlier->later : &events->silent) = one->later;
    *(one->later ? &one->later->earlier : &events->loud) = one->earlier;
}

static void queue_join(struct events *events, struct listener *one)
{
    one->told = clock_now();
    one->later = NULL;
    one->earlier = events->loud;
    *(events->loud ? &events->loud->later : &events->silent) = one;
    events->loud = one;
}

/* To the newest place: who comes catches up by itself. */
static void channel_skip(struct events *events, struct channel *channel)
{
    struct stream_batch *batch = &events->plain;
    struct fault why;

    while (channel->kind->read(channel->of, channel->place, batch, &why) && batch->count) {
        channel->place = batch->events[batch->count - 1].place;
        if (!batch->more)
            break;
    }
}

static struct channel *channel_find(struct events *events, const struct stream *stream)
{
    struct channel *channel = events->channels;

    while (channel && channel->of != stream->of)
        channel = channel->next;
    if (channel)
        return channel;
    channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    *channel = (struct channel){ .watch.wake = mark,
                                 .events = events,
                                 .next = events->channels,
                                 .at = &events->channels,
                                 .kind = stream->kind,
                                 .of = stream->of };
    if (channel->next)
        channel->next->at = &channel->next;
    events->channels = channel;
    channel->kind->watch(channel->of, &channel->watch);
    channel_skip(events, channel);
    return channel;
}

static void channel_end(struct channel *channel)
{
    channel->kind->unwatch(channel->of, &channel->watch);
    *channel->at = channel->next;
    if (channel->next)
        channel->next->at = channel->at;
    free(channel);
}

static void socket_close(struct events *events, struct listener *one)
{
    close(one->socket);
    bytes_free(&one->rest);
    events_cancel(events, &one->seat);
    free(one);
}

static void listener_end(struct events *events, struct listener *one)
{
    static const char last[] = "0\r\n\r\n";

    if (one->chunked && !one->blocked)
        send(one->socket, last, sizeof last - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    /* Closing alone is not enough while a process that is being started shares the socket. */
    epoll_ctl(events->epoll, EPOLL_CTL_DEL, one->socket, NULL);
    queue_leave(events, one);
    *one->at = one->next;
    if (one->next)
        one->next->at = one->at;
    socket_close(events, one);
    round_want(events); /* its channel may be nobody's now */
}

static void listener_drop(struct events *events, struct listener *one)
{
    one->blocked = true; /* no end is written: it has not seen all */
    atomic_fetch_add(&events->dropped, 1);
    listener_end(events, one);
}

/* ---- writing ---- */

/* The epoll always tells of a socket's end, and of room in it when there was none. */
static void block(struct events *events, struct listener *one, bool blocked)
{
    struct epoll_event wanted = { .events = EPOLLRDHUP | (blocked ? (uint32_t)EPOLLOUT : 0),
                                  .data.ptr = one };

    if (one->blocked != blocked)
        epoll_ctl(events->epoll, EPOLL_CTL_MOD, one->socket, &wanted);
    one->blocked = blocked;
}

/* How much of it the socket took; -1 when the peer has gone. */
static ssize_t tell(struct events *events, struct listener *one, const void *data, size_t length)
{
    ssize_t sent = send(one->socket, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);

    if (sent < 0)
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1;
    if (sent > 0) {
        queue_leave(events, one);
        queue_join(events, one);
    }
    return sent;
}

/* What has to go before anything new. False when the peer has gone. */
static bool rest_tell(struct events *events, struct listener *one)
{
    ssize_t sent;

    if (!one->rest.length)
        return true;
    sent = tell(events, one, one->rest.data + one->gone, one->rest.length - one->gone);
    if (sent < 0)
        return false;
    one->gone += (size_t)sent;
    block(events, one, one->gone < one->rest.length);
    if (!one->blocked) {
        bytes_free(&one->rest);
        one->gone = 0;
    }
    return true;
}

/* The events of the batch that it has not been told. What the socket does not take of one that has
 * begun is kept. False when the peer has gone. */
static bool batch_tell(struct events *events, struct listener *one,
                       const struct stream_batch *batch)
{
    size_t i = 0, at, told = 0;
    struct fault why;
    ssize_t sent;

    while (i < batch->count && batch->events[i].place <= one->place)
        i++;
    if (i == batch->count)
        return true;
    at = i ? batch->events[i - 1].end : 0;
    sent = tell(events, one, batch->text.data + at, batch->text.length - at);
    if (sent < 0)
        return false;
    at += (size_t)sent;
    for (; i < batch->count && (i ? batch->events[i - 1].end : 0) < at; i++, told++)
        one->place = batch->events[i].place;
    atomic_fetch_add(&events->sent, (int64_t)told);
    block(events, one, at < batch->text.length);
    return !told || at == batch->events[i - 1].end ||
           bytes_add(&one->rest, batch->text.data + at, batch->events[i - 1].end - at, &why);
}

/* ---- reading ---- */

static bool batch_read(struct events *events, const struct channel *channel, uint64_t place)
{
    struct fault why;

    return channel->kind->read(channel->of, place, &events->plain, &why) &&
           chunks_make(&events->plain, &events->chunks, &why);
}

static const struct stream_batch *batch_for(const struct events *events, const struct listener *one)
{
    return one->chunked ? &events->chunks : &events->plain;
}

/* Reads on for one listener alone, until it has been told all or its socket is full. False when it
 * has to end. */
static bool catch_up(struct events *events, struct listener *one)
{
    bool well = rest_tell(events, one), more = true;

    while (well && more && !one->blocked) {
        well = batch_read(events, one->channel, one->place);
        well = well && batch_tell(events, one, batch_for(events, one));
        more = events->plain.more;
        if (well && events->plain.ended && !one->blocked)
            well = false;
    }
    return well;
}

/* Reads on for all; false when there is nothing more. */
static bool channel_tell(struct events *events, struct channel *channel)
{
    struct listener *one, *next;
    uint64_t last;

    if (!batch_read(events, channel, channel->place) || !events->plain.count)
        return false;
    last = events->plain.events[events->plain.count - 1].place;
    channel->place = last;
    for (one = channel->listeners; one; one = next) {
        next = one->next;
        if (one->blocked && last > one->place + (uint64_t)events->limits.backlog)
            listener_drop(events, one);
        else if ((!one->blocked && !batch_tell(events, one, batch_for(events, one))) ||
                 events->plain.ended)
            listener_end(events, one);
    }
    return events->plain.more;
}

/* ---- the thread ---- */

static void newcomer_take(struct events *events, struct newcomer *newcomer)
{
    struct epoll_event wanted = { .events = EPOLLRDHUP, .data.ptr = newcomer->listener };
    struct listener *one = newcomer->listener;
    struct channel *channel = channel_find(events, &newcomer->stream);

    stream_drop(&newcomer->stream);
    free(newcomer);
    if (!channel || epoll_ctl(events->epoll, EPOLL_CTL_ADD, one->socket, &wanted) < 0) {
        socket_close(events, one);
        round_want(events); /* the channel may have been made for it */
        return;
    }
    one->channel = channel;
    one->next = channel->listeners;
    one->at = &channel->listeners;
    if (one->next)
        one->next->at = &one->next;
    channel->listeners = one;
    queue_join(events, one);
    if (!catch_up(events, one))
        listener_end(events, one);
}

static void newcomers_take(struct events *events)
{
    struct newcomer *list, *next;

    pthread_mutex_lock(&events->lock);
    list = events->newcomers;
    events->newcomers = NULL;
    pthread_mutex_unlock(&events->lock);
    for (; list; list = next) {
        next = list->next;
        newcomer_take(events, list);
    }
}

/* Everything new to everybody; then a rest. */
static void round_tell(struct events *events)
{
    int64_t began = clock_now();
    struct channel *channel, *next;

    events->poked = false;
    for (channel = events->channels; channel; channel = next) {
        next = channel->next;
        if (atomic_exchange(&channel->marked, false))
            while (channel_tell(events, channel))
                ;
        if (!channel->listeners)
            channel_end(channel);
    }
    events->took = clock_now() - began;
    events->rest_until = clock_now() + least(events->took * RESTS, REST_MOST);
}

/* A comment to those that have heard nothing for long: so a peer that is gone is found. One that
 * has taken nothing for as long is dropped. */
static void beat(struct events *events)
{
    int64_t since = clock_now() - events->limits.beat_seconds * CLOCK_SECOND;
    struct listener *one;
    struct fault why;

    while ((one = events->silent) && one->told <= since) {
        static const char chunk[] = "3\r\n:\n\n\r\n", plain[] = ":\n\n";

        if (one->blocked) {
            listener_drop(events, one);
            continue;
        }
        queue_leave(events, one);
        queue_join(events, one);
        if (!bytes_add(&one->rest, one->chunked ? chunk : plain,
                       one->chunked ? sizeof chunk - 1 : sizeof plain - 1, &why) ||
            !rest_tell(events, one))
            listener_end(events, one);
    }
}

static void end_all(struct events *events)
{
    while (events->silent)
        listener_end(events, events->silent);
}

/* Milliseconds until there is something to do without being woken; -1 for ever. */
static int patience(const struct events *events)
{
    int64_t now = clock_now(), then = INT64_MAX;

    if (events->silent)
        then = events->silent->told + events->limits.beat_seconds * CLOCK_SECOND;
    if (events->poked && events->due < then)
        then = events->due;
    return then == INT64_MAX ? -1
           : then <= now     ? 0
                             : (int)((then - now + MILLISECOND - 1) / MILLISECOND);
}

static void look(struct events *events)
{
    struct epoll_event ready[READY_MOST];
    int count = epoll_wait(events->epoll, ready, READY_MOST, patience(events));

    for (int i = 0; i < count; i++) {
        struct listener *one = ready[i].data.ptr;
        uint64_t pokes;

        if (!one) {
            if (read(events->wake, &pokes, sizeof pokes) > 0)
                round_want(events);
        } else if (ready[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {
            listener_end(events, one);
        } else {
            block(events, one, false);
            if (!catch_up(events, one))
                listener_end(events, one);
        }
    }
}

static void *serve(void *context)
{
    struct events *events = context;

    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
    while (!atomic_load(&events->stopping)) {
        look(events);
        newcomers_take(events);
        if (atomic_load(&events->quiet))
            end_all(events);
        if (events->poked && clock_now() >= events->due)
            round_tell(events);
        beat(events);
    }
    newcomers_take(events);
    end_all(events);
    round_tell(events);
    return NULL;
}

/* ---- from other threads ---- */

static void events_free(struct events *events)
{
    if (events->epoll >= 0)
        close(events->epoll);
    if (events->wake >= 0)
        close(events->wake);
    bytes_free(&events->plain.text);
    bytes_free(&events->chunks.text);
    peers_free(events->peers);
    pthread_mutex_destroy(&events->lock);
    free(events);
}

bool events_start(const struct events_limits *limits, struct events **made, struct fault *why)
{
    struct events *events = calloc(1, sizeof *events);
    struct epoll_event woken = { .events = EPOLLIN, .data.ptr = NULL };

    if (!events)
        return fault_set(why, FAULT_MEMORY, "No memory for event streams");
    events->limits = *limits;
    pthread_mutex_init(&events->lock, NULL);
    events->peers = peers_new(limits->streams_per_address);
    events->epoll = epoll_create1(EPOLL_CLOEXEC);
    events->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!events->peers || events->epoll < 0 || events->wake < 0 ||
        epoll_ctl(events->epoll, EPOLL_CTL_ADD, events->wake, &woken) < 0 ||
        (errno = pthread_create(&events->thread, NULL, serve, events)) != 0) {
        fault_errno(why, FAULT_INTERNAL, "starting the thread of event streams");
        events_free(events);
        return false;
    }
    *made = events;
    return true;
}

void events_quiet(struct events *events)
{
    atomic_store(&events->quiet, true);
    poke(events);
}

void events_stop(struct events *events)
{
    if (!events)
        return;
    atomic_store(&events->stopping, true);
    poke(events);
    pthread_join(events->thread, NULL);
    events_free(events);
}

bool events_reserve(struct events *events, const struct sockaddr *address, struct events_seat *seat,
                    struct fault *why)
{
    if (atomic_load(&events->quiet))
        return fault_set(why, FAULT_BUSY, "The server is shutting down");
    if (!peers_enter(events->peers, address, &seat->peer)) {
        atomic_fetch_add(&events->refused, 1);
        return fault_set(why, FAULT_BUSY,
                         "This address has %" PRId64 " event streams open; try again later",
                         events->limits.streams_per_address);
    }
    if (atomic_fetch_add(&events->streams, 1) < events->limits.streams)
        return true;
    events_cancel(events, seat);
    atomic_fetch_add(&events->refused, 1);
    return fault_set(why, FAULT_BUSY, "%" PRId64 " event streams are open already; try again later",
                     events->limits.streams);
}

void events_cancel(struct events *events, const struct events_seat *seat)
{
    peers_leave(events->peers, seat->peer);
    atomic_fetch_sub(&events->streams, 1);
}

/* Little is kept in the kernel, so that a slow reader is known for one; a peer that answers nothing
 * is given up. */
static void socket_prepare(int socket, int64_t beat_seconds)
{
    int room = SOCKET_BYTES, one = 1, nought = 0, patience = (int)(beat_seconds * 2000);

    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    setsockopt(socket, IPPROTO_TCP, TCP_CORK, &nought, sizeof nought);
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
}

bool events_add(struct events *events, const struct events_seat *seat, struct stream *stream,
                int socket, struct bytes *first, bool chunked)
{
    struct newcomer *newcomer = calloc(1, sizeof *newcomer);
    struct listener *one = calloc(1, sizeof *one);

    if (!newcomer || !one) {
        free(newcomer);
        free(one);
        return false;
    }
    socket_prepare(socket, events->limits.beat_seconds);
    *one = (struct listener){
        .seat = *seat, .socket = socket, .rest = *first, .place = stream->place, .chunked = chunked
    };
    *newcomer = (struct newcomer){ .stream = *stream, .listener = one };
    *first = (struct bytes){ 0 };
    stream->of = NULL;
    pthread_mutex_lock(&events->lock);
    newcomer->next = events->newcomers;
    events->newcomers = newcomer;
    pthread_mutex_unlock(&events->lock);
    poke(events);
    return true;
}

void events_numbers(struct events *events, struct events_numbers *numbers)
{
    *numbers =
        (struct events_numbers){ atomic_load(&events->streams), atomic_load(&events->sent),
                                 atomic_load(&events->dropped), atomic_load(&events->refused) };
}
