/* Changes a landscape by several threads until it is killed, and tells on stdout what it tries and
 * what it was promised: lines of "try|ack|not WRITER HEIGHT" and "make|made|drop|dropped NAME".
 * crash_writer FOLDER WRITERS */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terrain/landscape_history.h"
#include "tests/server/crash_ground.h"

static struct landscapes *all;
static struct landscape *ground;

/* One write, so that lines of several threads stay whole. */
static void tell(const char *what, long a, long b)
{
    char line[64];
    int length = snprintf(line, sizeof line, "%s %ld %ld\n", what, a, b);

    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        exit(3);
}

struct laying {
    int writer;
    uint16_t height;
};

static bool lay(void *context, struct draft *draft, struct fault *why)
{
    const struct laying *laying = context;
    uint16_t heights[CRASH_SIDE * CRASH_SIDE];

    for (int i = 0; i < CRASH_SIDE * CRASH_SIDE; i++)
        heights[i] = laying->height;
    return draft_write_heights(draft, crash_ground_square(laying->writer, 0), heights, CRASH_SIDE,
                               why) &&
           draft_write_heights(draft, crash_ground_square(laying->writer, 1), heights, CRASH_SIDE,
                               why);
}

static int32_t height_now(int writer)
{
    struct view *view = landscape_view(ground);
    int32_t height = crash_ground_height(view, writer);

    view_drop(view);
    return height;
}

/* One change, which is to lead to that height, between two lines about it. */
typedef bool try_one(const struct landscape_change *change, struct landscape_changed *changed,
                     struct fault *why);

static bool tell_about(try_one *one, int writer, int32_t height)
{
    struct laying laying = { writer, (uint16_t)height };
    char author[16];
    struct landscape_change change = {
        .make = lay, .context = &laying, .request = "{}", .author = author
    };
    struct landscape_changed changed;
    struct fault why = { 0 };
    bool worked;

    snprintf(author, sizeof author, "w%d", writer);
    tell("try", writer, height);
    worked = one(&change, &changed, &why);
    tell(worked ? "ack" : "not", writer, height);
    if (!worked)
        usleep(2000);
    return worked;
}

static bool lay_one(const struct landscape_change *change, struct landscape_changed *changed,
                    struct fault *why)
{
    return landscape_change(ground, change, changed, why);
}

static bool undo_one(const struct landscape_change *change, struct landscape_changed *changed,
                     struct fault *why)
{
    return landscape_undo(ground, change, change->author, changed, why);
}

static bool redo_one(const struct landscape_change *change, struct landscape_changed *changed,
                     struct fault *why)
{
    return landscape_redo(ground, change, change->author, changed, why);
}

/* Ever higher, and now and then a step back, and forth again. Where a change was refused nobody
 * knows what lies there, as it may be on disk all the same; only what is known is stepped back to.
 */
static void *write_on(void *context)
{
    int writer = (int)(intptr_t)context;
    int32_t height = height_now(writer), below = -1;
    bool known = true;

    for (int i = 0;; i++) {
        if (i % 5 == 4 && below >= 0) {
            known = tell_about(undo_one, writer, below);
            if (known && i % 2 == 0)
                known = tell_about(redo_one, writer, height);
            else if (known)
                height = below;
            below = -1;
            continue;
        }
        below = known ? height : -1;
        known = tell_about(lay_one, writer, height + 1);
        below = known ? below : -1;
        height++;
    }
    return NULL;
}

/* Landscapes that come and go beside the changes. */
static void *come_and_go(void *context)
{
    struct view *content = crash_ground_new();
    char id[16];

    (void)context;
    for (long i = 0;; i = (i + 1) % CRASH_NAMES) {
        struct fault why = { 0 };
        bool there;

        snprintf(id, sizeof id, "t%ld", i);
        there = landscapes_has(all, id);
        tell(there ? "drop" : "make", i, 0);
        if (there && landscapes_delete(all, id, NULL, &why)) {
            tell("dropped", i, 0);
        } else if (!there) {
            struct landscape *made = landscapes_create(all, id, content, "{}", &why);

            if (made)
                tell("made", i, 0);
            landscape_drop(made);
        }
        usleep(5000);
    }
    return NULL;
}

static void *keep(void *context)
{
    (void)context;
    for (;;)
        if (!landscapes_work(all))
            usleep(2000);
    return NULL;
}

static bool find_ground(struct fault *why)
{
    struct view *content;

    if (landscapes_has(all, "ground")) {
        ground = landscapes_find(all, "ground", why);
        return ground != NULL;
    }
    content = crash_ground_new();
    ground = landscapes_create(all, "ground", content, "{}", why);
    view_drop(content);
    return ground != NULL;
}

int main(int count, char **words)
{
    struct landscapes_limits limits = { .vertices = 1 << 24,
                                        .memory_bytes = 1 << 28,
                                        .waiting_changes = 512,
                                        .history_bytes = 1 << 20 };
    struct fault why = { 0 };
    pthread_t thread;

    if (count != 3)
        return 2;
    if (!landscapes_open(words[1], &limits, &all, &why) || !find_ground(&why)) {
        fprintf(stderr, "crash_writer: %s\n", why.detail);
        return 1;
    }
    pthread_create(&thread, NULL, keep, NULL);
    pthread_create(&thread, NULL, come_and_go, NULL);
    for (intptr_t i = 0; i < atoi(words[2]); i++)
        pthread_create(&thread, NULL, write_on, (void *)i);
    pthread_join(thread, NULL);
    return 0;
}
