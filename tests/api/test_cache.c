/* Answers that are kept: found, bounded, and made once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cache.h"

static int released;

static void release(void *attached)
{
    free(attached);
    released++;
}

static struct kept *keep(struct cache *cache, int key, size_t length)
{
    struct bytes body = { .data = malloc(length), .length = length, .room = length };
    const struct kept like = { .media = "image/png", .version = 3, .etag = "\"e\"" };
    struct kept *kept;

    memset(body.data, key, length);
    assert_true(cache_claim(cache, &key, sizeof key, &kept));
    assert_null(kept);
    kept = cache_settle(cache, &key, sizeof key, &body, &like);
    assert_null(body.data);
    return kept;
}

static void what_is_kept_is_found(void **state)
{
    struct cache *cache = cache_new(1 << 20, release);
    struct kept *kept = keep(cache, 7, 100), *found;
    int key = 7, other = 8;

    (void)state;
    found = cache_find(cache, &key, sizeof key);
    assert_ptr_equal(found, kept);
    assert_int_equal(found->body.data[99], 7);
    assert_string_equal(found->etag, "\"e\"");
    assert_null(cache_find(cache, &other, sizeof other));
    kept_drop(found);
    kept_drop(kept);
    cache_free(cache);
}

static void the_least_used_makes_room(void **state)
{
    struct cache *cache = cache_new(10 * 1600, release);
    struct cache_numbers numbers;
    struct kept *held = keep(cache, 0, 1000);
    int zero = 0, one = 1;

    (void)state;
    for (int key = 1; key < 10; key++)
        kept_drop(keep(cache, key, 1000));
    kept_drop(cache_find(cache, &zero, sizeof zero)); /* used again: not the least any more */
    kept_drop(keep(cache, 10, 1000));
    assert_null(cache_find(cache, &one, sizeof one));
    kept_drop(cache_find(cache, &zero, sizeof zero));
    for (int key = 20; key < 60; key++)
        kept_drop(keep(cache, key, 1000));
    cache_numbers(cache, &numbers);
    assert_true(numbers.bytes <= 10 * 1600);
    assert_null(cache_find(cache, &zero, sizeof zero));
    assert_int_equal(held->body.data[999],
                     0); /* out of the cache, and whole as long as it is held */
    kept_drop(held);
    cache_free(cache);
}

static void too_large_an_answer_is_given_but_not_kept(void **state)
{
    struct cache *cache = cache_new(4096, release);
    struct kept *kept = keep(cache, 1, 100000);
    int one = 1;

    (void)state;
    assert_int_equal(kept->body.length, 100000);
    kept_drop(kept);
    assert_null(cache_find(cache, &one, sizeof one));
    cache_free(cache);
}

static void what_is_attached_ends_with_the_answer(void **state)
{
    struct cache *cache = cache_new(1 << 20, release);
    struct kept *kept = keep(cache, 1, 10);
    void *second = malloc(1);

    (void)state;
    released = 0;
    assert_true(kept_attach(kept, malloc(1)));
    assert_false(kept_attach(kept, second));
    free(second);
    kept_drop(kept);
    assert_int_equal(released, 0);
    cache_free(cache);
    assert_int_equal(released, 1);
}

struct race {
    struct cache *cache;
    _Atomic int made, given, failed;
};

static void *ask(void *context)
{
    struct race *race = context;
    struct kept *kept;

    for (int key = 0; key < 200; key++) {
        if (cache_claim(race->cache, &key, sizeof key, &kept)) {
            struct bytes body = { .data = malloc(16), .length = 16, .room = 16 };
            const struct kept like = { .media = "image/png" };
            memset(body.data, key, 16);
            usleep(100);
            atomic_fetch_add(&race->made, 1);
            kept = cache_settle(race->cache, &key, sizeof key, key % 10 ? &body : NULL, &like);
            bytes_free(&body);
        }
        if (kept)
            assert_int_equal(kept->body.data[15], (unsigned char)key);
        atomic_fetch_add(kept ? &race->given : &race->failed, 1);
        kept_drop(kept);
    }
    return NULL;
}

static void many_who_ask_make_it_once(void **state)
{
    struct race race = { .cache = cache_new(1 << 20, release) };
    pthread_t threads[8];

    (void)state;
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, ask, &race);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(race.given, 8 * 180);
    assert_int_equal(race.failed, 8 * 20);
    assert_true(race.made >= 200); /* a failure is tried again by who comes later */
    assert_true(race.made <= 180 + 8 * 20);
    cache_free(race.cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_found),
        cmocka_unit_test(the_least_used_makes_room),
        cmocka_unit_test(too_large_an_answer_is_given_but_not_kept),
        cmocka_unit_test(what_is_attached_ends_with_the_answer),
        cmocka_unit_test(many_who_ask_make_it_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
