/* The gallery: what was put is there, whole, after a restart, kill -9 and a failing disk. */
#include "tests/store/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terrain/store/gallery.h"
#include "tests/server/fault_io.h"

static const struct gallery_limits wide = { 100, 1 << 26, 1 << 20 };

static struct gallery *open_gallery(const char *folder, const struct gallery_limits *limits)
{
    struct gallery *gallery = NULL;
    struct fault why = { 0 };

    if (!gallery_open(folder, limits, &gallery, &why))
        fail_msg("%s", why.detail);
    return gallery;
}

/* Samples that tell their seed in every byte. */
static void *samples_of(int32_t width, int32_t height, int32_t channels, uint64_t seed)
{
    int64_t bytes = picture_bytes(width, height, channels);
    unsigned char *samples = malloc((size_t)bytes);
    struct dice dice = { seed };

    for (int64_t i = 0; i < bytes; i++)
        samples[i] = (unsigned char)(dice_throw(&dice) >> 8);
    return samples;
}

static bool put(struct gallery *gallery, const char *name, int32_t width, int32_t height,
                int32_t channels, uint64_t seed, struct fault *why)
{
    void *samples = samples_of(width, height, channels, seed);
    struct picture_about about;
    bool replaced, done = gallery_put(gallery, name, width, height, channels, samples, NULL, &about,
                                      &replaced, why);

    free(samples);
    return done;
}

static void must_put(struct gallery *gallery, const char *name, int32_t width, int32_t height,
                     int32_t channels, uint64_t seed)
{
    struct fault why = { 0 };

    if (!put(gallery, name, width, height, channels, seed, &why))
        fail_msg("%s", why.detail);
}

static void assert_there(struct gallery *gallery, const char *name, int32_t width, int32_t height,
                         int32_t channels, uint64_t seed)
{
    struct fault why = { 0 };
    const struct picture_held *held = gallery_hold(gallery, name, &why);
    void *samples = samples_of(width, height, channels, seed);

    if (!held)
        fail_msg("%s", why.detail);
    assert_string_equal(held->about.name, name);
    assert_int_equal(held->about.width, width);
    assert_int_equal(held->about.height, height);
    assert_int_equal(held->about.channels, channels);
    assert_int_equal(held->about.bytes, picture_bytes(width, height, channels));
    assert_memory_equal(held->samples, samples, (size_t)held->about.bytes);
    gallery_drop(gallery, held);
    free(samples);
}

static int begin(void **state)
{
    *state = scratch_new();
    return 0;
}

static int end(void **state)
{
    scratch_remove(*state);
    return 0;
}

static void pictures_of_every_kind_survive_a_restart(void **state)
{
    struct gallery *gallery = open_gallery(*state, &wide);

    for (int32_t channels = 1; channels <= 4; channels++) {
        char name[8];

        snprintf(name, sizeof name, "p%d", channels);
        must_put(gallery, name, 30 + channels, 7, channels, (uint64_t)channels);
    }
    for (int round = 0; round < 2; round++) {
        for (int32_t channels = 1; channels <= 4; channels++) {
            char name[8];

            snprintf(name, sizeof name, "p%d", channels);
            assert_there(gallery, name, 30 + channels, 7, channels, (uint64_t)channels);
        }
        gallery_close(gallery);
        gallery = open_gallery(*state, &wide);
    }
    gallery_close(gallery);
}

static void another_picture_under_a_name_is_another_revision(void **state)
{
    struct gallery *gallery = open_gallery(*state, &wide);
    struct picture_about first, second;
    const struct picture_held *held;
    void *old = samples_of(9, 9, 1, 1);
    struct fault why = { 0 };

    must_put(gallery, "a", 9, 9, 1, 1);
    assert_true(gallery_find(gallery, "a", &first, &why));
    held = gallery_hold(gallery, "a", &why);
    must_put(gallery, "a", 9, 9, 1, 2);
    assert_true(gallery_find(gallery, "a", &second, &why));
    assert_true(first.revision != second.revision);
    assert_there(gallery, "a", 9, 9, 1, 2);
    /* who holds the old one still has it */
    assert_int_equal(held->about.revision, first.revision);
    assert_memory_equal(held->samples, old, 162);
    gallery_drop(gallery, held);
    free(old);
    gallery_close(gallery);
}

static void names_are_listed_in_order_and_the_nearest_is_told(void **state)
{
    static const char *const names[] = { "moss", "Rock", "ash", "sand.2", "snow" };
    static const char *const sorted[] = { "Rock", "ash", "moss", "sand.2", "snow" };
    struct gallery *gallery = open_gallery(*state, &wide);
    struct picture_about abouts[8];
    struct fault why = { 0 };

    for (size_t i = 0; i < 5; i++)
        must_put(gallery, names[i], 3, 3, 1, i);
    assert_int_equal(gallery_list(gallery, "", 8, abouts), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(abouts[i].name, sorted[i]);
    assert_int_equal(gallery_list(gallery, "ash", 2, abouts), 2);
    assert_string_equal(abouts[0].name, "moss");
    assert_int_equal(gallery_list(gallery, "b", 8, abouts), 3);
    assert_false(gallery_find(gallery, "mos", abouts, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    assert_non_null(strstr(why.detail, "did you mean moss?"));
    assert_null(gallery_hold(gallery, "sond.2", &why));
    assert_non_null(strstr(why.detail, "sand.2"));
    assert_true(gallery_remove(gallery, "moss", NULL, &why));
    assert_false(gallery_remove(gallery, "moss", NULL, &why));
    assert_int_equal(why.code, FAULT_MISSING);
    assert_int_equal(gallery_list(gallery, "", 8, abouts), 4);
    gallery_close(gallery);
}

static void limits_on_count_and_bytes_hold(void **state)
{
    const struct gallery_limits narrow = { 2, 6000, 0 };
    struct gallery *gallery = open_gallery(*state, &narrow);
    struct fault why = { 0 };

    must_put(gallery, "a", 30, 30, 1, 1); /* noise: 1800 bytes and a head */
    must_put(gallery, "b", 30, 30, 1, 2);
    assert_false(put(gallery, "c", 1, 1, 1, 3, &why));
    assert_int_equal(why.code, FAULT_LIMIT);
    assert_false(put(gallery, "b", 60, 60, 1, 3, &why));
    assert_int_equal(why.code, FAULT_FULL);
    assert_there(gallery, "b", 30, 30, 1, 2);
    must_put(gallery, "b", 40, 40, 1, 4); /* in its place there is room */
    assert_true(gallery_remove(gallery, "a", NULL, &why));
    must_put(gallery, "c", 20, 20, 1, 3);
    gallery_close(gallery);
}

/* More than is kept in memory: what is let go of is read again. */
static void memory_is_bounded_and_pictures_come_back(void **state)
{
    const struct gallery_limits small = { 100, 1 << 26, 50000 };
    struct gallery *gallery = open_gallery(*state, &small);
    const struct picture_held *held[8];
    struct fault why = { 0 };
    char name[8];

    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "p%d", i);
        must_put(gallery, name, 100, 100, 1, (uint64_t)i);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++) {
            snprintf(name, sizeof name, "p%d", i);
            assert_there(gallery, name, 100, 100, 1, (uint64_t)i);
        }
    }
    for (int i = 0; i < 8; i++) { /* all at once, though they are more than is kept */
        snprintf(name, sizeof name, "p%d", i);
        held[i] = gallery_hold(gallery, name, &why);
        assert_non_null(held[i]);
    }
    for (int i = 0; i < 8; i++)
        gallery_drop(gallery, held[i]);
    gallery_close(gallery);
}

static void damage_is_told_and_mended_by_putting_it_again(void **state)
{
    struct gallery *gallery = open_gallery(*state, &wide);
    char path[300];
    struct fault why = { 0 };
    struct picture_about about;

    must_put(gallery, "head", 50, 50, 1, 1);
    must_put(gallery, "body", 50, 50, 1, 2);
    must_put(gallery, "short", 50, 50, 1, 3);
    gallery_close(gallery);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "head", "body", "short" };
        unsigned char byte;
        int file;

        snprintf(path, sizeof path, "%s/rasters/%s", (const char *)*state, names[i]);
        file = open(path, O_RDWR);
        assert_true(file >= 0);
        if (i == 2) {
            assert_int_equal(ftruncate(file, 1000), 0);
        } else {
            assert_int_equal(pread(file, &byte, 1, i == 0 ? 13 : 900), 1);
            byte ^= 4;
            assert_int_equal(pwrite(file, &byte, 1, i == 0 ? 13 : 900), 1);
        }
        close(file);
    }
    gallery = open_gallery(*state, &wide);
    assert_true(gallery_find(gallery, "head", &about, &why));
    assert_true(about.damaged);
    assert_true(gallery_find(gallery, "short", &about, &why));
    assert_true(about.damaged);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = { "head", "body", "short" };

        assert_null(gallery_hold(gallery, names[i], &why));
        assert_int_equal(why.code, FAULT_STORAGE);
        assert_non_null(strstr(why.detail, names[i]));
        must_put(gallery, names[i], 20, 20, 3, 9);
        assert_there(gallery, names[i], 20, 20, 3, 9);
    }
    gallery_close(gallery);
}

static bool never(void *context, const struct picture_about *now, struct fault *why)
{
    *(bool *)context = now != NULL;
    return fault_set(why, FAULT_STALE, "no");
}

static void a_condition_that_does_not_hold_changes_nothing(void **state)
{
    struct gallery *gallery = open_gallery(*state, &wide);
    bool there = true, replaced;
    struct gallery_condition condition = { never, &there };
    struct picture_about about;
    uint16_t sample = 7;
    struct fault why = { 0 };

    assert_false(gallery_put(gallery, "a", 1, 1, 1, &sample, &condition, &about, &replaced, &why));
    assert_int_equal(why.code, FAULT_STALE);
    assert_false(there);
    assert_int_equal(gallery_list(gallery, "", 1, &about), 0);
    must_put(gallery, "a", 4, 4, 1, 1);
    assert_false(gallery_remove(gallery, "a", &condition, &why));
    assert_true(there);
    assert_there(gallery, "a", 4, 4, 1, 1);
    gallery_close(gallery);
}

/* Each write and flush of a put fails once: what was there stays, and works on. */
static void a_failing_disk_leaves_all_of_the_old_or_all_of_the_new(void **state)
{
    struct gallery *gallery;
    char full[4096];
    bool happened = true;
    int failures = 0;

    assert_non_null(realpath(*state, full));
    setenv("FAULT_IO_FOLDER", full, 1);
    gallery = open_gallery(*state, &wide);
    must_put(gallery, "a", 40, 40, 1, 1);
    for (int nth = 1; happened; nth++) {
        struct fault why = { 0 };
        bool done;

        fault_io_nth(nth, nth % 2 ? EIO : ENOSPC);
        done = put(gallery, "a", 40, 40, 1, 2, &why);
        happened = fault_io_happened();
        fault_io_nth(0, 0);
        assert_true(done != happened);
        if (!done) {
            failures++;
            assert_true(why.code == FAULT_STORAGE || why.code == FAULT_FULL);
            /* the last flush, that of the folder, fails when the name has moved on already */
            if (nth <= 2)
                assert_there(gallery, "a", 40, 40, 1, 1);
        }
        must_put(gallery, "a", 40, 40, 1, 1);
        gallery_close(gallery);
        gallery = open_gallery(*state, &wide);
        assert_there(gallery, "a", 40, 40, 1, 1);
    }
    assert_true(failures >= 3); /* the write, its flush, the folder's */
    gallery_close(gallery);
    unsetenv("FAULT_IO_FOLDER");
}

/* What several threads do to three names at once. */
struct many {
    struct gallery *gallery;
    uint64_t seed;
    int wrongs;
};

/* Its samples are all alike, whichever it is. */
static void look(struct many *many, const char *name)
{
    struct fault why;
    const struct picture_held *held = gallery_hold(many->gallery, name, &why);
    const uint16_t *samples = held ? held->samples : NULL;

    if (!held) {
        many->wrongs += why.code != FAULT_MISSING;
        return;
    }
    for (int32_t i = 1; i < held->about.width * held->about.height; i++)
        many->wrongs += samples[i] != samples[0];
    gallery_drop(many->gallery, held);
}

static void *be_busy(void *context)
{
    struct many *many = context;
    struct dice dice = { many->seed };

    for (int round = 0; round < 60; round++) {
        static const char *const names[] = { "a", "b", "c" };
        const char *name = names[dice_between(&dice, 0, 2)];
        int32_t side = dice_between(&dice, 1, 60);
        uint16_t *samples = malloc((size_t)(side * side) * sizeof *samples);
        struct picture_about about;
        struct fault why;
        bool replaced;

        for (int32_t i = 0; i < side * side; i++)
            samples[i] = (uint16_t)(round * 100 + (int)many->seed);
        switch (dice_between(&dice, 0, 5)) {
        case 0:
            if (!gallery_remove(many->gallery, name, NULL, &why))
                many->wrongs += why.code != FAULT_MISSING;
            break;
        case 1:
        case 2:
            many->wrongs += !gallery_put(many->gallery, name, side, side, 1, samples, NULL, &about,
                                         &replaced, &why);
            break;
        default:
            look(many, name);
            break;
        }
        free(samples);
    }
    return NULL;
}

static void threads_see_all_of_one_picture_or_all_of_the_next(void **state)
{
    const struct gallery_limits small = { 100, 1 << 26, 5000 };
    struct many many[6];
    pthread_t threads[6];

    for (int i = 0; i < 6; i++)
        many[i] =
            (struct many){ i ? many[0].gallery : open_gallery(*state, &small), (uint64_t)i + 1, 0 };
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, be_busy, &many[i]), 0);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 6; i++)
        assert_int_equal(many[i].wrongs, 0);
    gallery_close(many[0].gallery);
}

/* Puts one after another, and says so after each. */
static void put_for_ever(const char *folder, int to)
{
    struct gallery *gallery = NULL;
    struct fault why;

    if (!gallery_open(folder, &wide, &gallery, &why))
        _exit(1);
    for (int32_t i = 1;; i++)
        if (!put(gallery, "a", 64, 64, 1, (uint64_t)i, &why) || write(to, &i, sizeof i) < 0)
            _exit(2);
}

static void what_was_put_survives_kill_9(void **state)
{
    struct dice dice = { 5 };
    int rounds = getenv("LANDSCAPED_SOAK") ? 100 : 8;

    for (int round = 0; round < rounds; round++) {
        int ends[2], wanted = dice_between(&dice, 1, 20), status;
        int32_t acked = 0, found = 0;
        struct gallery *gallery;
        const struct picture_held *held;
        struct fault why = { 0 };
        pid_t child;

        assert_int_equal(pipe(ends), 0);
        child = fork();
        if (child == 0) {
            close(ends[0]); /* without its parent it ends, too */
            put_for_ever(*state, ends[1]);
        }
        assert_true(child > 0);
        close(ends[1]);
        while (acked < wanted)
            assert_int_equal(read(ends[0], &acked, sizeof acked), sizeof acked);
        usleep((useconds_t)dice_between(&dice, 0, 900));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        while (read(ends[0], &acked, sizeof acked) == sizeof acked)
            ;
        close(ends[0]);
        gallery = open_gallery(*state, &wide);
        held = gallery_hold(gallery, "a", &why);
        assert_non_null(held);
        /* the last that it said, or the one after it; nothing in between */
        for (int32_t seed = acked; seed <= acked + 1; seed++) {
            void *samples = samples_of(64, 64, 1, (uint64_t)seed);

            if (!memcmp(samples, held->samples, (size_t)held->about.bytes))
                found = seed;
            free(samples);
        }
        assert_true(found > 0);
        gallery_drop(gallery, held);
        gallery_close(gallery);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(pictures_of_every_kind_survive_a_restart),
        TEST(another_picture_under_a_name_is_another_revision),
        TEST(names_are_listed_in_order_and_the_nearest_is_told),
        TEST(limits_on_count_and_bytes_hold),
        TEST(memory_is_bounded_and_pictures_come_back),
        TEST(damage_is_told_and_mended_by_putting_it_again),
        TEST(a_condition_that_does_not_hold_changes_nothing),
        TEST(a_failing_disk_leaves_all_of_the_old_or_all_of_the_new),
        TEST(threads_see_all_of_one_picture_or_all_of_the_next),
        TEST(what_was_put_survives_kill_9),
    };

    return cmocka_run_group_tests_name("gallery", tests, NULL, NULL);
}
