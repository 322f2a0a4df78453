/* Views under threads: readers hold versions while writers publish new ones. */
#include "tests/terrain/ground.h"

#include <pthread.h>
#include <stdlib.h>

#include "terrain/query/collide.h"

enum { SIDE = 316, WRITERS = 2, READERS = 4, ROUNDS = 60 };

/* The newest view, as a live landscape keeps it. */
static struct {
    pthread_mutex_t seen, turn;
    struct view *view;
    _Atomic int torn, done;
} live = { .seen = PTHREAD_MUTEX_INITIALIZER, .turn = PTHREAD_MUTEX_INITIALIZER };

static struct view *newest(void)
{
    struct view *view;

    pthread_mutex_lock(&live.seen);
    view = view_hold(live.view);
    pthread_mutex_unlock(&live.seen);
    return view;
}

static void publish(struct view *view)
{
    struct view *old;

    pthread_mutex_lock(&live.seen);
    old = live.view;
    live.view = view;
    pthread_mutex_unlock(&live.seen);
    view_drop(old);
}

/* Sets the whole landscape to one code, in stripes of one draft, again and again. */
static void *write_all(void *code)
{
    uint16_t row[SIDE];

    for (int x = 0; x < SIDE; x++)
        row[x] = (uint16_t)(uintptr_t)code;
    for (int round = 0; round < ROUNDS; round++) {
        struct fault why = { 0 };
        struct change change;
        struct draft *draft;
        struct view *base;

        pthread_mutex_lock(&live.turn);
        base = newest();
        draft = draft_new(base, &why);
        for (int32_t y = 0; y < SIDE; y++)
            draft_write_heights(draft, (struct rect){ 0, y, SIDE, 1 }, row, SIDE, &why);
        publish(draft_finish(draft, &change, &why));
        draft_free(draft);
        view_drop(base);
        pthread_mutex_unlock(&live.turn);
    }
    live.done++;
    return NULL;
}

static void look(const struct view *view)
{
    static const double points[8] = { 0, 0, 17.5, 200.25, SIDE - 1, SIDE - 1, 127.5, 127.5 };
    uint16_t *heights = malloc(SIDE * SIDE * sizeof *heights);
    double z[4];
    struct settings *own = settings_copy(view->settings); /* while the writers hold them */

    view_read_heights(view, view_rect(view), heights, SIDE);
    for (int i = 1; i < SIDE * SIDE; i++)
        live.torn += heights[i] != heights[0];
    collide_heights(view, points, 4, &(const struct collide_ways){ 0 }, z, NULL, NULL);
    for (int i = 0; i < 4; i++)
        live.torn += z[i] != grid_metres(view_grid(view), heights[0]);
    live.torn += tree_bounds(&view->planes[PLANE_HEIGHTS], view_rect(view)).least != heights[0];
    live.torn += view_newest(view, view_rect(view)) > view->version;
    free(heights);
    live.torn += !own || own->grid.columns != SIDE;
    settings_drop(own);
}

static void *read_all(void *unused)
{
    (void)unused;
    while (live.done < WRITERS) {
        struct view *view = newest();

        look(view);
        view_drop(view);
    }
    return NULL;
}

static void a_held_view_is_of_one_moment(void **state)
{
    pthread_t threads[WRITERS + READERS];

    (void)state;
    live.view = ground_flat(SIDE, SIDE, 20000);
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_all, NULL), 0);
    for (uintptr_t i = 0; i < WRITERS; i++)
        assert_int_equal(
            pthread_create(&threads[READERS + i], NULL, write_all, (void *)(20000 + 25000 * i)), 0);
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(live.torn, 0);
    assert_true(live.view->version > 1);
    ground_assert_sound(live.view);
    view_drop(live.view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_view_is_of_one_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
