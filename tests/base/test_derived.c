/* The cache of derived things: bounded, never stale, each made once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>

#include "terrain/base/derived.h"

static const char kind_a, kind_b;
static _Atomic int alive;

struct thing {
    struct derived derived;
    uint64_t stamp, older; /* what it was made from */
};

static void thing_free(struct derived *derived)
{
    alive--;
    free(derived);
}

struct order {
    uint64_t stamp;
    size_t bytes;
    _Atomic int made;
    bool fails;
};

static struct derived *thing_make(void *context, const struct derived *older, struct fault *why)
{
    struct order *order = context;
    struct thing *thing;

    order->made++;
    if (order->fails) {
        fault_set(why, FAULT_MEMORY, "told to fail");
        return NULL;
    }
    thing = calloc(1, sizeof *thing);
    assert_non_null(thing);
    alive++;
    thing->derived = (struct derived){ 1, order->bytes, thing_free };
    thing->stamp = order->stamp;
    thing->older = older ? ((const struct thing *)older)->stamp : 0;
    return &thing->derived;
}

static struct thing *get(struct derived_cache *cache, const struct derived_place *place,
                         struct order *order)
{
    struct fault why = { 0 };

    return (struct thing *)derived_get(cache, place, order->stamp, thing_make, order, &why);
}

static void a_thing_is_made_once_and_again_from_the_older(void **state)
{
    struct derived_cache *cache = derived_cache_new(1000);
    struct derived_place place = { &kind_a, 7, { 1, 2, 3, 4 }, 5 };
    struct order first = { .stamp = 1, .bytes = 100 }, second = { .stamp = 2, .bytes = 100 };
    struct thing *a = get(cache, &place, &first), *b = get(cache, &place, &first), *c;

    (void)state;
    assert_ptr_equal(a, b);
    assert_int_equal(first.made, 1);
    assert_int_equal(a->older, 0);
    c = get(cache, &place, &second);
    assert_int_equal(c->stamp, 2);
    assert_int_equal(c->older, 1);
    assert_int_equal(alive, 2); /* the first is still held */
    derived_drop(&a->derived);
    derived_drop(&b->derived);
    assert_int_equal(alive, 1);
    derived_drop(&c->derived);
    derived_cache_free(cache);
    assert_int_equal(alive, 0);
}

static void every_part_of_a_place_counts(void **state)
{
    struct derived_cache *cache = derived_cache_new(100000);
    struct derived_place places[8];
    struct order order = { .stamp = 1, .bytes = 10 };

    (void)state;
    for (int i = 0; i < 8; i++)
        places[i] = (struct derived_place){ &kind_a, 7, { 1, 2, 3, 4 }, 5 };
    places[1].kind = &kind_b;
    places[2].incarnation = 8;
    for (int i = 0; i < 4; i++)
        places[3 + i].at[i] = 99;
    places[7].options = 6;
    for (int i = 0; i < 8; i++)
        derived_drop(&get(cache, &places[i], &order)->derived);
    assert_int_equal(order.made, 8);
    for (int i = 0; i < 8; i++)
        derived_drop(&get(cache, &places[i], &order)->derived);
    assert_int_equal(order.made, 8);
    derived_cache_free(cache);
    assert_int_equal(alive, 0);
}

static void the_bound_holds_and_the_least_used_go(void **state)
{
    struct derived_cache *cache = derived_cache_new(1000);
    struct derived_numbers numbers;
    struct order order = { .stamp = 1, .bytes = 100 }, huge = { .stamp = 1, .bytes = 1001 };
    struct derived_place first = { .kind = &kind_a };

    (void)state;
    for (int i = 0; i < 500; i++) {
        derived_drop(
            &get(cache, &(struct derived_place){ .kind = &kind_a, .at = { i } }, &order)->derived);
        derived_drop(&get(cache, &first, &order)->derived); /* in use all the time */
        derived_numbers(cache, &numbers);
        assert_true(numbers.bytes <= 1000);
        assert_int_equal(numbers.bytes, numbers.things * 100);
    }
    assert_int_equal(order.made, 500);
    derived_drop(&get(cache, &(struct derived_place){ .kind = &kind_b }, &huge)->derived);
    derived_drop(&get(cache, &(struct derived_place){ .kind = &kind_b }, &huge)->derived);
    assert_int_equal(huge.made, 2); /* too large to keep */
    derived_numbers(cache, &numbers);
    assert_int_equal(numbers.bytes, 1000);
    assert_int_equal(numbers.things, alive);
    derived_cache_free(cache);
    assert_int_equal(alive, 0);
}

static void a_failure_is_not_kept(void **state)
{
    struct derived_cache *cache = derived_cache_new(1000);
    struct order order = { .stamp = 1, .bytes = 100, .fails = true };
    struct derived_place place = { .kind = &kind_a };

    (void)state;
    assert_null(get(cache, &place, &order));
    order.fails = false;
    derived_drop(&get(cache, &place, &order)->derived);
    assert_int_equal(order.made, 2);
    derived_cache_free(cache);
    assert_int_equal(alive, 0);
}

static void without_a_cache_each_is_made(void **state)
{
    struct order order = { .stamp = 1, .bytes = 100 };
    struct derived_place place = { .kind = &kind_a };

    (void)state;
    derived_drop(&get(NULL, &place, &order)->derived);
    derived_drop(&get(NULL, &place, &order)->derived);
    assert_int_equal(order.made, 2);
    assert_int_equal(alive, 0);
}

struct race {
    struct derived_cache *cache;
    struct order orders[4]; /* by place */
};

enum { RACERS = 8, ROUNDS = 2000 };

static void *racer(void *context)
{
    struct race *race = context;
    struct fault why;

    for (int i = 0; i < ROUNDS; i++) {
        struct derived_place place = { .kind = &kind_a, .at = { i % 4 } };
        uint64_t stamp = (uint64_t)i / 500 + 1;
        struct order order = { .stamp = stamp, .bytes = 100 };
        struct thing *thing =
            (struct thing *)derived_get(race->cache, &place, stamp, thing_make, &order, &why);

        if (thing->stamp != stamp)
            abort();
        derived_drop(&thing->derived);
    }
    return NULL;
}

static void threads_never_see_another_stamp(void **state)
{
    struct race race = { .cache = derived_cache_new(350) };
    pthread_t threads[RACERS];

    (void)state;
    for (int i = 0; i < RACERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, racer, &race), 0);
    for (int i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    derived_cache_free(race.cache);
    assert_int_equal(alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thing_is_made_once_and_again_from_the_older),
        cmocka_unit_test(every_part_of_a_place_counts),
        cmocka_unit_test(the_bound_holds_and_the_least_used_go),
        cmocka_unit_test(a_failure_is_not_kept),
        cmocka_unit_test(without_a_cache_each_is_made),
        cmocka_unit_test(threads_never_see_another_stamp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
