/* Going back beside going on: durable edits, their undo and redo from memory and from the log, and
 * how long an older version takes to be made again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/json_read.h"
#include "bench/client.h"
#include "terrain/edit/brush.h"
#include "terrain/landscape_history.h"

enum { ROUNDS = 40, PAST = 500 };

static void demand_true(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "bench_history: %s\n", why->detail);
    exit(1);
}

struct ops {
    struct list ops;
};

static const struct field ops_rows[] = { FIELD_AS(FIELD_VARIANTS, struct ops, ops, "What to do",
                                                  .variants = &brush_variants),
                                         { .kind = FIELD_END } };

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct ops *ops = context;

    return brush_apply_all(draft, ops->ops.items, ops->ops.count, why);
}

/* A raise at a place of its own for each number, and how long it took. */
static double edit(struct landscape *ground, int32_t radius, uint32_t number)
{
    uint32_t room = (uint32_t)(1009 - 2 * radius - 2);
    struct arena arena = { 0 };
    struct fault why = { 0 };
    struct ops ops = { { 0 } };
    char *text =
        arena_print(&arena,
                    "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%u.25,%u.75]],"
                    "\"radius\":%d,\"amount\":%s3}]}",
                    (unsigned)radius + number * 2654435761u % room,
                    (unsigned)radius + number * 40503u % room, radius, number % 2 ? "-" : "");
    struct landscape_change change = { .make = make, .context = &ops, .request = text };
    struct landscape_changed changed;
    double began;

    demand_true(json_read(SHAPE(struct ops, ops_rows), text, strlen(text), &arena, &ops, &why),
                &why);
    began = seconds();
    demand_true(landscape_change(ground, &change, &changed, &why), &why);
    began = seconds() - began;
    arena_free(&arena);
    return began;
}

static double step(struct landscape *ground, bool undo)
{
    struct landscape_change change = { .request = "{}" };
    struct landscape_changed changed;
    struct fault why = { 0 };
    double began = seconds();

    demand_true((undo ? landscape_undo : landscape_redo)(ground, &change, NULL, &changed, &why),
                &why);
    return seconds() - began;
}

static struct landscapes *all;

static struct landscape *open_ground(const char *folder)
{
    struct landscapes_limits limits = { .vertices = 1 << 26,
                                        .memory_bytes = 1 << 30,
                                        .waiting_changes = 64,
                                        .history_bytes = 1 << 30 };
    struct fault why = { 0 };

    demand_true(landscapes_open(folder, &limits, &all, &why), &why);
    return landscapes_has(all, "ground") ? landscapes_find(all, "ground", &why) : NULL;
}

static struct landscape *create(void)
{
    struct layout layout = { { 16, 16 }, 1, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *flat = view_new(&settings, 0, 1, 32768);
    struct fault why = { 0 };
    struct landscape *ground = landscapes_create(all, "ground", flat, "{}", &why);

    demand_true(ground != NULL, &why);
    view_drop(flat);
    return ground;
}

static void row(const char *what, int32_t radius, double time, double floor)
{
    printf("%-34s R=%-4d %8.3f ms   %.2f of the edit\n", what, radius, time * 1e3, time / floor);
}

static void compare(struct landscape **ground, const char *folder, int32_t radius)
{
    double edits[ROUNDS], undos[ROUNDS], redos[ROUNDS], logged[ROUNDS], floor;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        edits[i] = edit(*ground, radius, i);
        undos[i] = step(*ground, true);
        redos[i] = step(*ground, false);
    }
    landscape_drop(*ground);
    landscapes_close(all);
    *ground = open_ground(folder); /* nothing older is in memory now */
    for (int i = 0; i < ROUNDS; i++)
        logged[i] = step(*ground, true);
    floor = median(edits, ROUNDS);
    row("edit", radius, floor, floor);
    row("undo, content in memory", radius, median(undos, ROUNDS), floor);
    row("redo, content in memory", radius, median(redos, ROUNDS), floor);
    row("undo, from the log", radius, median(logged, ROUNDS), floor);
}

static void make_again(struct landscape *ground)
{
    struct fault why = { 0 };
    uint64_t newest;
    struct view *view;
    double began, time = 0;

    for (uint32_t i = 0; i < PAST; i++)
        time += edit(ground, 16, i);
    view = landscape_view(ground);
    newest = view->version;
    view_drop(view);
    began = seconds();
    view = landscape_view_at(ground, newest - PAST, &why);
    demand_true(view != NULL, &why);
    began = seconds() - began;
    view_drop(view);
    printf("%d edits of R=16 back: %.1f ms, %.3f of the edits\n", PAST, began * 1e3, began / time);
}

int main(void)
{
    char folder[] = "bench-history-XXXXXX", command[64];
    struct landscape *ground;

    if (!mkdtemp(folder))
        return 1;
    open_ground(folder);
    ground = create();
    compare(&ground, folder, 64);
    compare(&ground, folder, 256);
    make_again(ground);
    landscape_drop(ground);
    landscapes_close(all);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
