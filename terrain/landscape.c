#include "terrain/landscape_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/base/field.h"
#include "terrain/core/block.h"

enum { BESIDE_HEIGHTS = 16 }; /* one part in so many: summaries, holes and the tree */

double landscapes_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool etag_matches(const char *header, const char *etag, bool weak_counts)
{
    size_t length = strlen(etag);
    const char *at = header;

    for (;;) {
        bool weak;

        at += strspn(at, " \t,");
        if (*at == '*')
            return true;
        weak = strncmp(at, "W/", 2) == 0;
        at += weak ? 2 : 0;
        if (*at != '"')
            return false;
        if ((!weak || weak_counts) && strncmp(at, etag, length) == 0 &&
            (at[length] == '\0' || strchr(" \t,", at[length])))
            return true;
        at = strchr(at + 1, '"');
        if (!at)
            return false;
        at++;
    }
}

/* The table; under all->lock. */

static size_t table_place(const struct landscapes *all, const char *id, bool *found)
{
    size_t low = 0, high = all->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(all->table[middle]->id, id);

        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = false;
    return low;
}

/* Fails with the nearest of those that stand around the place where it would be. */
static void missing(const struct landscapes *all, size_t place, const char *id, struct fault *why)
{
    enum { AROUND = 64 };
    const char *ids[2 * AROUND], *near;
    size_t first = place > AROUND ? place - AROUND : 0, count = 0;

    for (size_t i = first; i < all->count && i < place + AROUND; i++)
        if (!all->table[i]->creating)
            ids[count++] = all->table[i]->id;
    near = word_nearest(id, ids, count);
    if (near)
        fault_set(why, FAULT_MISSING, "there is no landscape %s; did you mean %s?", id, near);
    else
        fault_set(why, FAULT_MISSING, "there is no landscape %s", id);
}

bool landscapes_add(struct landscapes *all, struct landscape *landscape, struct fault *why)
{
    bool found;
    size_t place = table_place(all, landscape->id, &found);

    if (found)
        return fault_set(why, FAULT_CONFLICT, "there is a landscape %s already", landscape->id);
    if (all->count == all->room) {
        size_t room = all->room ? all->room * 2 : 16;
        struct landscape **table = realloc(all->table, room * sizeof *table);

        if (!table)
            return fault_set(why, FAULT_MEMORY, "no memory for one landscape more");
        all->table = table;
        all->room = room;
    }
    memmove(all->table + place + 1, all->table + place, (all->count - place) * sizeof *all->table);
    all->table[place] = landscape;
    all->count++;
    return true;
}

void landscapes_remove(struct landscapes *all, const struct landscape *landscape)
{
    bool found;
    size_t place = table_place(all, landscape->id, &found);

    if (!found || all->table[place] != landscape)
        return;
    all->count--;
    memmove(all->table + place, all->table + place + 1, (all->count - place) * sizeof *all->table);
}

/* One landscape */

struct landscape *landscape_new(struct landscapes *all, const char *id, uint64_t incarnation,
                                int64_t vertices, const char *request)
{
    struct landscape *made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->request = strdup(request);
    if (!made->request) {
        free(made);
        return NULL;
    }
    made->all = all;
    snprintf(made->id, sizeof made->id, "%s", id);
    made->incarnation = incarnation;
    made->vertices = vertices;
    made->holders = 1;
    made->scrub_at = landscapes_now() + all->limits.scrub / 100;
    pthread_mutex_init(&made->turn, NULL);
    pthread_mutex_init(&made->seen, NULL);
    pthread_mutex_init(&made->queue_lock, NULL);
    return made;
}

/* Lets go of all that it has in memory. Under its turn, or when nobody else knows it. */
static void landscape_empty(struct landscape *landscape)
{
    struct view *view;

    ledger_close(landscape->ledger);
    landscape->ledger = NULL;
    history_free(landscape->history);
    landscape->history = NULL;
    pthread_mutex_lock(&landscape->seen);
    view = landscape->view;
    landscape->view = NULL;
    for (int32_t i = 0; i < landscape->kept_count; i++)
        view_drop(landscape->kept[(landscape->kept_first + i) % KEPT_VERSIONS].view);
    for (int32_t i = 0; i < PAST_VERSIONS; i++)
        view_drop(landscape->past[i].view);
    memset(landscape->past, 0, sizeof landscape->past);
    landscape->kept_count = 0;
    landscape->kept_bytes = 0;
    feed_empty(landscape);
    pthread_mutex_unlock(&landscape->seen);
    view_drop(view);
}

void landscape_free(struct landscape *landscape)
{
    landscape_empty(landscape);
    pthread_mutex_destroy(&landscape->turn);
    pthread_mutex_destroy(&landscape->seen);
    pthread_mutex_destroy(&landscape->queue_lock);
    free(landscape->request);
    free(landscape);
}

struct landscape *landscape_hold(struct landscape *landscape)
{
    pthread_mutex_lock(&landscape->all->lock);
    landscape->holders++;
    pthread_mutex_unlock(&landscape->all->lock);
    return landscape;
}

void landscape_drop(struct landscape *landscape)
{
    bool last;

    if (!landscape)
        return;
    pthread_mutex_lock(&landscape->all->lock);
    last = --landscape->holders == 0;
    pthread_mutex_unlock(&landscape->all->lock);
    if (last)
        landscape_free(landscape);
}

const char *landscape_id(const struct landscape *landscape)
{
    return landscape->id;
}

const char *landscape_request(const struct landscape *landscape)
{
    return landscape->request;
}

struct view *landscape_view(struct landscape *landscape)
{
    struct view *view;

    pthread_mutex_lock(&landscape->seen);
    view = view_hold(landscape->view);
    pthread_mutex_unlock(&landscape->seen);
    return view;
}

struct view *landscape_view_here(struct landscape *landscape)
{
    struct view *view;

    pthread_mutex_lock(&landscape->seen);
    view = landscape->view ? view_hold(landscape->view) : NULL;
    pthread_mutex_unlock(&landscape->seen);
    return view;
}

struct view *landscape_view_at(struct landscape *landscape, uint64_t version, struct fault *why)
{
    struct view *found;
    uint64_t newest;

    pthread_mutex_lock(&landscape->seen);
    newest = landscape->view->version;
    pthread_mutex_unlock(&landscape->seen);
    if (version > newest) {
        fault_set(why, FAULT_MISSING, "there is no version %" PRIu64 " yet; the newest is %" PRIu64,
                  version, newest);
        return NULL;
    }
    found = landscape_kept(landscape, version);
    return found ? found : landscape_past(landscape, version, why);
}

/* Memory */

static int64_t bytes_expected(int64_t vertices)
{
    return vertices * 2 + vertices * 2 / BESIDE_HEIGHTS + sizeof(struct landscape);
}

/* The landscape used longest ago that nobody holds in memory, its turn taken; NULL when there is
 * none. All that it has said is durable is on disk, so it may go at any time. Under all->lock. */
static struct landscape *choose_victim(struct landscapes *all)
{
    struct landscape *oldest = NULL;

    for (size_t i = 0; i < all->count; i++) {
        struct landscape *one = all->table[i];

        if (one->here && one->holders - one->watchers == 1 && !one->doubtful &&
            (!oldest || one->used < oldest->used))
            oldest = one;
    }
    return oldest && pthread_mutex_trylock(&oldest->turn) == 0 ? oldest : NULL;
}

bool landscapes_room(struct landscapes *all, int64_t bytes, struct fault *why)
{
    int64_t limit = all->limits.memory_bytes;
    bool room = true;

    pthread_mutex_lock(&all->lock);
    while (room && all->memory + bytes > limit) {
        struct landscape *victim = choose_victim(all);

        if (!victim) {
            room = fault_set(why, FAULT_FULL,
                             "%" PRId64 " bytes more would make %" PRId64
                             " for all landscapes in memory, over the limit of %" PRId64
                             "; delete some, or raise the limit",
                             bytes, all->memory + bytes, limit);
            break;
        }
        victim->here = false;
        victim->unsaved = victim->open = false;
        victim->holders++;
        all->memory -= victim->bytes;
        victim->bytes = victim->grown = 0;
        all->numbers.evictions++;
        pthread_mutex_unlock(&all->lock);
        landscape_empty(victim);
        pthread_mutex_unlock(&victim->turn);
        pthread_mutex_lock(&all->lock);
        victim->holders--;
    }
    if (room)
        all->memory += bytes;
    pthread_mutex_unlock(&all->lock);
    return room;
}

static int64_t bytes_now(struct landscape *landscape)
{
    struct view *view = landscape_view(landscape);
    int64_t bytes = (int64_t)view_bytes(view) + (int64_t)sizeof *landscape +
                    (landscape->history ? (int64_t)history_bytes(landscape->history) : 0);

    view_drop(view);
    pthread_mutex_lock(&landscape->seen);
    bytes +=
        landscape->kept_bytes + landscape->feed.room * (int64_t)sizeof(struct landscape_record);
    for (int32_t i = 0; i < PAST_VERSIONS; i++)
        bytes += landscape->past[i].bytes;
    pthread_mutex_unlock(&landscape->seen);
    return bytes;
}

void landscape_account(struct landscape *landscape, int64_t expected, bool here)
{
    int64_t real = here ? bytes_now(landscape) : 0;

    pthread_mutex_lock(&landscape->all->lock);
    landscape->all->memory += real - expected;
    landscape->bytes = real;
    landscape->grown = 0;
    landscape->here = here;
    pthread_mutex_unlock(&landscape->all->lock);
}

/* Finding */

bool landscape_load(struct landscape *landscape, struct fault *why)
{
    int64_t expected = bytes_expected(landscape->vertices);
    struct landscapes *all = landscape->all;
    struct ledger *ledger = NULL;
    struct view *view = NULL;

    if (landscape->gone)
        return fault_set(why, FAULT_MISSING, "there is no landscape %s", landscape->id);
    if (landscape->view)
        return true;
    if (!landscapes_room(all, expected, why))
        return false;
    if (ledger_open(all->store, landscape->incarnation, &ledger, why))
        view = ledger_load(ledger, why);
    if (!view) {
        ledger_close(ledger);
        landscape_account(landscape, expected, false);
        return false;
    }
    landscape->ledger = ledger;
    if (!landscape_recall(landscape, why)) {
        view_drop(view);
        ledger_close(ledger);
        landscape->ledger = NULL;
        landscape_account(landscape, expected, false);
        return false;
    }
    pthread_mutex_lock(&landscape->seen);
    landscape->view = view;
    feed_begin(landscape, view->version);
    pthread_mutex_unlock(&landscape->seen);
    landscape_account(landscape, expected, true);
    landscape_note(landscape, false);
    return true;
}

bool landscape_ready(struct landscape *landscape, struct fault *why)
{
    if (!landscape_load(landscape, why))
        return false;
    if (!landscape->ledger) {
        if (!ledger_open(landscape->all->store, landscape->incarnation, &landscape->ledger, why))
            return false;
        ledger_expect(landscape->ledger, landscape->view->version);
    }
    if (ledger_doubtful(landscape->ledger))
        return landscape_settle(landscape, why) &&
               (landscape->history || landscape_recall(landscape, why));
    landscape_note(landscape, false);
    return landscape->history || landscape_recall(landscape, why);
}

void landscape_rest(struct landscape *landscape)
{
    ledger_close(landscape->ledger);
    landscape->ledger = NULL;
    pthread_mutex_lock(&landscape->all->lock);
    landscape->open = false;
    pthread_mutex_unlock(&landscape->all->lock);
}

/* Held, or NULL with MISSING. Waits for one that is being made, unless at once. */
struct landscape *landscapes_look_up(struct landscapes *all, const char *id, bool wait,
                                     struct fault *why)
{
    struct landscape *landscape = NULL;
    size_t place;
    bool found;

    pthread_mutex_lock(&all->lock);
    for (;;) {
        place = table_place(all, id, &found);
        if (!found || !all->table[place]->creating || !wait)
            break;
        pthread_cond_wait(&all->made, &all->lock);
    }
    if (found && !all->table[place]->creating) {
        landscape = all->table[place];
        landscape->holders++;
        landscape->used = ++all->clock;
    } else if (!found) {
        missing(all, place, id, why);
    }
    pthread_mutex_unlock(&all->lock);
    return landscape;
}

bool landscapes_has(struct landscapes *all, const char *id)
{
    bool found;

    pthread_mutex_lock(&all->lock);
    table_place(all, id, &found);
    pthread_mutex_unlock(&all->lock);
    return found;
}

static bool is_here(struct landscape *landscape)
{
    bool here;

    pthread_mutex_lock(&landscape->all->lock);
    here = landscape->here;
    pthread_mutex_unlock(&landscape->all->lock);
    return here;
}

struct landscape *landscapes_find_at_once(struct landscapes *all, const char *id, struct fault *why)
{
    struct landscape *landscape = landscapes_look_up(all, id, false, why);

    if (landscape && !is_here(landscape)) {
        landscape_drop(landscape);
        return NULL;
    }
    return landscape;
}

struct landscape *landscapes_find(struct landscapes *all, const char *id, struct fault *why)
{
    struct landscape *landscape = landscapes_look_up(all, id, true, why);
    bool loaded = true;

    if (!landscape)
        return NULL;
    /* Held, it cannot be put away any more. */
    if (!is_here(landscape)) {
        pthread_mutex_lock(&landscape->turn);
        loaded = landscape_load(landscape, why);
        pthread_mutex_unlock(&landscape->turn);
    }
    if (!loaded) {
        landscape_drop(landscape);
        return NULL;
    }
    return landscape;
}

size_t landscapes_list(struct landscapes *all, const char *after, size_t most, char (*names)[65])
{
    size_t place, count = 0;
    bool found;

    pthread_mutex_lock(&all->lock);
    place = table_place(all, after, &found);
    for (place += found; place < all->count && count < most; place++)
        if (!all->table[place]->creating)
            memcpy(names[count++], all->table[place]->id, sizeof *names);
    pthread_mutex_unlock(&all->lock);
    return count;
}

/* Opening and closing */

struct opening {
    struct landscapes *all;
    struct fault *why;
    bool failed;
};

static bool open_entry(void *context, const struct store_entry *entry)
{
    struct opening *opening = context;
    struct landscape *landscape =
        landscape_new(opening->all, entry->id, entry->incarnation, entry->vertices, entry->request);

    if (!landscape)
        opening->failed = !fault_set(opening->why, FAULT_MEMORY, "no memory for the catalogue");
    else if (!landscapes_add(opening->all, landscape, opening->why)) {
        landscape_free(landscape);
        opening->failed = true;
    }
    return !opening->failed;
}

bool landscapes_open(const char *folder, const struct landscapes_limits *limits,
                     struct landscapes **landscapes, struct fault *why)
{
    struct landscapes *all = calloc(1, sizeof *all);
    struct opening opening = { all, why, false };

    if (!all)
        return fault_set(why, FAULT_MEMORY, "no memory for landscapes");
    all->limits = *limits;
    all->limits.idle = limits->idle > 0 ? limits->idle : 1;
    all->limits.rest = limits->rest > 0 ? limits->rest : 30;
    all->limits.scrub = limits->scrub > 0 ? limits->scrub : 86400;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->made, NULL);
    if (!store_open(folder, &all->store, why) ||
        !store_each(all->store, open_entry, &opening, why) || opening.failed) {
        landscapes_close(all);
        return false;
    }
    *landscapes = all;
    return true;
}

/* Blocks and an empty log make the next start quick; what does not get done is replayed then. */
static void close_one(struct landscape *landscape, double until)
{
    struct fault why = { 0 };
    bool more = landscape->ledger && !ledger_doubtful(landscape->ledger);

    while (more && landscapes_now() < until)
        if (!ledger_write_back(landscape->ledger, landscape->view, true,
                               landscape->all->limits.history_bytes, &more, &why))
            break;
    landscape_free(landscape);
}

void landscapes_close(struct landscapes *all)
{
    double until = landscapes_now() + 10;

    if (!all)
        return;
    for (size_t i = 0; i < all->count; i++)
        close_one(all->table[i], until);
    free(all->table);
    store_close(all->store);
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->made);
    free(all);
}

void landscapes_numbers(struct landscapes *all, struct landscapes_numbers *numbers)
{
    static const double weigh_every = 5;
    double now = landscapes_now();
    bool weigh;

    pthread_mutex_lock(&all->lock);
    weigh = all->weighed_at == 0 || now - all->weighed_at > weigh_every;
    if (weigh)
        all->weighed_at = now;
    pthread_mutex_unlock(&all->lock);
    if (weigh) { /* a look at each file */
        int64_t bytes = store_bytes(all->store);

        pthread_mutex_lock(&all->lock);
        all->numbers.store_bytes = bytes;
        pthread_mutex_unlock(&all->lock);
    }
    pthread_mutex_lock(&all->lock);
    *numbers = all->numbers;
    numbers->count = (int64_t)all->count;
    numbers->memory_bytes = all->memory;
    pthread_mutex_unlock(&all->lock);
}
