/* What happens to landscapes when nobody asks: loading, writing back, checking. */
#include "terrain/landscape_inside.h"

#include <inttypes.h>
#include <stdio.h>

static const double retry_seconds = 5, scrub_pause = 0.1;

enum task { TASK_NONE, TASK_LOAD, TASK_SAVE, TASK_SCRUB, TASK_REST };

/* What one landscape wants now. Under all->lock. */
static enum task wanted(const struct landscape *one, double now)
{
    bool idle = now - one->changed_at >= one->all->limits.idle;

    if (one->creating)
        return TASK_NONE;
    if (!one->here)
        return one->visited ? TASK_NONE : TASK_LOAD;
    if (now < one->retry_at)
        return TASK_NONE;
    if (one->doubtful || (one->unsaved && (idle || one->hurry)))
        return TASK_SAVE;
    if (idle && now >= one->scrub_at)
        return TASK_SCRUB;
    return one->open && !one->unsaved && now - one->changed_at >= one->all->limits.rest ? TASK_REST
                                                                                        : TASK_NONE;
}

/* The next landscape that wants something, held. Loading comes before all else. */
static enum task choose(struct landscapes *all, struct landscape **chosen)
{
    enum task task = TASK_NONE;
    double now = landscapes_now();

    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count && task != TASK_LOAD; i++) {
        struct landscape *one = all->table[(all->next_work + i) % all->count];
        enum task wants = wanted(one, now);

        if (wants == TASK_NONE || (task != TASK_NONE && wants != TASK_LOAD))
            continue;
        task = wants;
        *chosen = one;
    }
    if (task != TASK_NONE) {
        (*chosen)->holders++;
        all->next_work++;
    }
    pthread_mutex_unlock(&all->lock);
    return task;
}

static void report(struct landscape *landscape, const struct fault *why)
{
    struct landscapes *all = landscape->all;

    pthread_mutex_lock(&all->lock);
    all->troubled = true;
    all->trouble = *why;
    snprintf(all->trouble_id, sizeof all->trouble_id, "%s", landscape->id);
    all->numbers.troubles++;
    landscape->retry_at = landscapes_now() + retry_seconds;
    pthread_mutex_unlock(&all->lock);
}

bool landscapes_trouble(struct landscapes *all, char id[65], struct fault *trouble)
{
    bool troubled;

    pthread_mutex_lock(&all->lock);
    troubled = all->troubled;
    if (troubled) {
        *trouble = all->trouble;
        snprintf(id, sizeof all->trouble_id, "%s", all->trouble_id);
        all->troubled = false;
    }
    pthread_mutex_unlock(&all->lock);
    return troubled;
}

/* In the background a landscape is loaded only where there is room; one that is asked for makes
 * room. */
static void load(struct landscape *landscape)
{
    struct landscapes *all = landscape->all;
    struct fault why = { 0 };
    bool room, unsaved;

    pthread_mutex_lock(&all->lock);
    room = all->memory + landscape->vertices * 3 < all->limits.memory_bytes;
    pthread_mutex_unlock(&all->lock);
    if (room && !landscape_load(landscape, &why) && why.code != FAULT_MISSING)
        report(landscape, &why);
    pthread_mutex_lock(&all->lock);
    landscape->visited = true;
    unsaved = landscape->unsaved;
    pthread_mutex_unlock(&all->lock);
    if (!unsaved)
        landscape_rest(landscape);
}

static void save(struct landscape *landscape)
{
    struct landscapes *all = landscape->all;
    struct fault why = { 0 };
    bool idle, more = true;

    pthread_mutex_lock(&all->lock);
    idle = landscapes_now() - landscape->changed_at >= all->limits.idle;
    pthread_mutex_unlock(&all->lock);
    if (!landscape_ready(landscape, &why) ||
        !ledger_write_back(landscape->ledger, landscape->view, idle, all->limits.history_bytes,
                           &more, &why))
        report(landscape, &why);
    if (landscape->ledger && landscape->history)
        history_trim(landscape->history, ledger_horizon(landscape->ledger));
    landscape_account(landscape, landscape->bytes, true);
    landscape_note(landscape, false);
    pthread_mutex_lock(&all->lock);
    all->numbers.write_backs++;
    if (!more && idle)
        landscape->unsaved = false;
    pthread_mutex_unlock(&all->lock);
    if (!more && idle)
        store_keep_reserve(all->store);
}

static void scrub(struct landscape *landscape)
{
    struct fault why = { 0 };

    if (!landscape_ready(landscape, &why) ||
        !ledger_scrub(landscape->ledger, &landscape->scrub_place, &why))
        report(landscape, &why);
    pthread_mutex_lock(&landscape->all->lock);
    landscape->scrub_at =
        landscapes_now() + (landscape->scrub_place ? scrub_pause : landscape->all->limits.scrub);
    pthread_mutex_unlock(&landscape->all->lock);
}

bool landscapes_work(struct landscapes *all)
{
    struct landscape *landscape = NULL;
    enum task task = choose(all, &landscape);

    if (task == TASK_NONE)
        return false;
    pthread_mutex_lock(&landscape->turn);
    if (task == TASK_LOAD)
        load(landscape);
    else if (landscape->gone || !landscape->view)
        task = TASK_NONE; /* deleted or put away meanwhile */
    else if (task == TASK_SAVE)
        save(landscape);
    else if (task == TASK_SCRUB)
        scrub(landscape);
    else
        landscape_rest(landscape);
    pthread_mutex_unlock(&landscape->turn);
    landscape_drop(landscape);
    return true;
}

void landscapes_progress(struct landscapes *all, int32_t *loaded, int32_t *count)
{
    *loaded = 0;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count; i++)
        *loaded += all->table[i]->here || all->table[i]->visited;
    *count = (int32_t)all->count;
    pthread_mutex_unlock(&all->lock);
}
