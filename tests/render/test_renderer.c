/* Who draws, and what becomes of the others when one dies. */
#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/render/scenery.h"
#include "tests/render/studio.h"

/* This process's children of that name. */
static int find_workers(pid_t *pids, int most)
{
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int count = 0;

    while (folder && (entry = readdir(folder)) != NULL && count < most) {
        char path[64], name[32] = "", state = 'Z';
        int pid = atoi(entry->d_name), parent = 0;
        FILE *file;

        if (pid <= 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        file = fopen(path, "r");
        if (file && fscanf(file, "%*d (%31[^)]) %c %d", name, &state, &parent) == 3 &&
            state != 'Z' && parent == getpid() && strncmp(name, "landscaped-rend", 15) == 0)
            pids[count++] = pid;
        if (file)
            fclose(file);
    }
    if (folder)
        closedir(folder);
    return count;
}

/* Many threads that ask for pictures and compare them with what they should be. */
struct crowd {
    struct renderer *renderer;
    struct view *views[4];
    struct picture picture;
    uint8_t *right[4];
    _Atomic int next, wrong, failed, other;
    int pictures;
};

static void *ask(void *context)
{
    struct crowd *crowd = context;
    size_t size = (size_t)crowd->picture.width * (size_t)crowd->picture.height * 4;
    int which;

    while ((which = atomic_fetch_add(&crowd->next, 1)) < crowd->pictures) {
        struct bytes pixels = { 0 };
        struct fault why = { 0 };

        if (renderer_draw(crowd->renderer, crowd->views[which % 4], &crowd->picture, &pixels, &why))
            crowd->wrong +=
                pixels.length != size || memcmp(pixels.data, crowd->right[which % 4], size) != 0;
        else if (why.code == FAULT_WORKER || why.code == FAULT_POISON)
            crowd->failed++;
        else
            crowd->other++;
        bytes_free(&pixels);
    }
    return NULL;
}

static void crowd_open(struct crowd *crowd, int workers, int pictures)
{
    *crowd = (struct crowd){ .renderer = studio_open(workers, NULL),
                             .pictures = pictures,
                             .picture = studio_picture(128, 96) };
    for (int i = 0; i < 4; i++) {
        crowd->views[i] = scenery_mountains(127 + 126 * i, 10 + i);
        crowd->right[i] = studio_draw(crowd->renderer, crowd->views[i], &crowd->picture);
    }
}

static void crowd_close(struct crowd *crowd)
{
    renderer_stop(crowd->renderer);
    for (int i = 0; i < 4; i++) {
        view_drop(crowd->views[i]);
        free(crowd->right[i]);
    }
}

enum { THREADS = 16 };

static void pictures_of_many_at_once_equal_those_of_one_by_one(void **state)
{
    struct crowd crowd;
    pthread_t threads[THREADS];

    (void)state;
    crowd_open(&crowd, 2, 200);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &crowd), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(crowd.wrong, 0);
    assert_int_equal(crowd.failed, 0);
    assert_int_equal(crowd.other, 0);
    crowd_close(&crowd);
}

/* While a hundred pictures are drawn the worker is killed again and again: each death costs at most
 * the picture that was being drawn, every other one is right, and afterwards all is well. */
static void kill_while_drawing(int signal)
{
    struct crowd crowd;
    pthread_t threads[4];
    struct renderer_numbers numbers;
    int kills = 0;
    uint8_t *after;

    crowd_open(&crowd, 1, 100);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &crowd), 0);
    for (int at = 6; atomic_load(&crowd.next) < crowd.pictures;) {
        pid_t pid = 0;

        usleep(1000);
        if (atomic_load(&crowd.next) >= at && find_workers(&pid, 1) == 1 &&
            kill(pid, signal) == 0) {
            kills++;
            at = atomic_load(&crowd.next) + 10; /* by then its successor has been at work */
        }
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_true(kills >= 5);
    assert_int_equal(crowd.wrong, 0);
    assert_int_equal(crowd.other, 0);
    assert_true(crowd.failed <= kills);
    after = studio_draw(crowd.renderer, crowd.views[0], &crowd.picture);
    assert_memory_equal(after, crowd.right[0], 128 * 96 * 4);
    renderer_numbers(crowd.renderer, &numbers);
    assert_true(numbers.starts > 1);
    assert_int_equal(numbers.running, 0);
    assert_int_equal(numbers.waiting, 0);
    free(after);
    crowd_close(&crowd);
}

static void a_killed_worker_costs_one_picture(void **state)
{
    (void)state;
    kill_while_drawing(SIGKILL);
}

static void a_crashing_worker_costs_one_picture(void **state)
{
    (void)state;
    kill_while_drawing(SIGSEGV);
}

/* A worker that hangs is ended at the deadline, and the next picture is drawn by another. */
static void a_hanging_worker_costs_one_picture(void **state)
{
    struct renderer_options options = {
        .workers = 1,
        .deadline = 15, /* which no other comes near, on a busy machine either */
        .waiting_most = 8,
        .pixels_most = 1 << 20,
        .texture_bytes = 16 << 20,
        .program = "./landscaped-render"
    };
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(64, 64);
    struct bytes pixels = { 0 };
    struct renderer *renderer;
    struct fault why = { 0 };
    uint8_t *first, *next;
    pid_t pid = 0;

    (void)state;
    assert_true(renderer_start(&options, &renderer, &why));
    first = studio_draw(renderer, view, &picture);
    assert_int_equal(find_workers(&pid, 1), 1);
    assert_int_equal(kill(pid, SIGSTOP), 0);
    assert_false(renderer_draw(renderer, view, &picture, &pixels, &why));
    assert_int_equal(why.code, FAULT_DEADLINE);
    assert_int_equal(pixels.length, 0);
    next = studio_draw(renderer, view, &picture);
    assert_memory_equal(first, next, 64 * 64 * 4);
    free(first);
    free(next);
    renderer_stop(renderer);
    view_drop(view);
}

static void expect_backend(const char *asked, const char *found)
{
    struct renderer *renderer = studio_open(1, asked);
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(64, 64);
    struct renderer_about about;
    struct fault why = { 0 };

    if (!renderer_about(renderer, &about, &why))
        fail_msg("no backend: %s", why.detail);
    assert_string_equal(about.backend, found);
    assert_true(about.api[0] && about.vendor[0] && about.renderer[0]);
    free(studio_draw(renderer, view, &picture));
    renderer_stop(renderer);
    view_drop(view);
}

/* A folder of libraries that are none, in front of the system's. */
static void break_libraries(const char *const *names, char *folder, size_t room)
{
    snprintf(folder, room, "/tmp/landscaped-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (; *names; names++) {
        char path[128];
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", folder, *names);
        file = fopen(path, "w");
        assert_non_null(file);
        fputs("no library", file);
        fclose(file);
    }
    setenv("LD_LIBRARY_PATH", folder, 1);
}

static void mend_libraries(const char *const *names, const char *folder)
{
    for (; *names; names++) {
        char path[128];

        snprintf(path, sizeof path, "%s/%s", folder, *names);
        unlink(path);
    }
    rmdir(folder);
    unsetenv("LD_LIBRARY_PATH");
}

static void without_egl_osmesa_draws(void **state)
{
    static const char *const names[] = { "libEGL.so.1", NULL };
    char folder[64];

    (void)state;
    break_libraries(names, folder, sizeof folder);
    expect_backend("auto", "osmesa");
    mend_libraries(names, folder);
}

static void an_egl_without_drivers_falls_through(void **state)
{
    (void)state;
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere/vendor.json", 1);
    expect_backend("auto", "osmesa");
    unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
}

static void a_backend_can_be_chosen(void **state)
{
    (void)state;
    expect_backend("osmesa", "osmesa");
    expect_backend("egl-surfaceless", "egl-surfaceless");
}

/* The same shaders for OpenGL ES 3.0 and OpenGL 3.3, through EGL and OSMesa: one picture. */
static void each_opengl_draws_the_same(void **state)
{
    static const char *const backends[] = { "egl-surfaceless", "egl-surfaceless-gl", "osmesa" };
    struct view *view = scenery_mountains(127, 10);
    struct picture picture = studio_picture(64, 64);
    uint8_t *pictures[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct renderer *renderer = studio_open(1, backends[i]);
        struct renderer_about about;
        struct fault why = { 0 };

        assert_true(renderer_about(renderer, &about, &why));
        assert_string_equal(about.backend, backends[i]);
        assert_int_equal(strncmp(about.api, "OpenGL ES ", 10) == 0, i == 0);
        pictures[i] = studio_draw(renderer, view, &picture);
        renderer_stop(renderer);
    }
    for (int i = 1; i < 3; i++) {
        assert_memory_equal(pictures[i], pictures[0], 64 * 64 * 4);
        free(pictures[i]);
    }
    free(pictures[0]);
    view_drop(view);
}

static void with_no_way_to_draw_each_reason_is_told(void **state)
{
    static const char *const names[] = { "libEGL.so.1", "libOSMesa.so.8", "libOSMesa.so.6", NULL };
    struct renderer *renderer;
    struct view *view = scenery_plain(8, 1, 32768);
    struct picture picture = studio_picture(64, 64);
    struct renderer_about about;
    struct bytes pixels = { 0 };
    struct fault why = { 0 }, again = { 0 };
    char folder[64];

    (void)state;
    break_libraries(names, folder, sizeof folder);
    renderer = studio_open(1, "auto");
    assert_false(renderer_draw(renderer, view, &picture, &pixels, &why));
    assert_int_equal(why.code, FAULT_WORKER);
    assert_non_null(strstr(why.detail, "egl-device: "));
    assert_non_null(strstr(why.detail, "egl-surfaceless: "));
    assert_non_null(strstr(why.detail, "osmesa: "));
    assert_false(renderer_about(renderer, &about, &again));
    assert_int_equal(again.code, FAULT_WORKER);
    assert_non_null(strstr(again.detail, "osmesa: "));
    assert_int_equal(pixels.length, 0);
    renderer_stop(renderer);
    mend_libraries(names, folder);
    view_drop(view);
}

static void an_unknown_backend_is_no_way_to_draw(void **state)
{
    struct renderer *renderer = studio_open(1, "vulkan");
    struct renderer_about about;
    struct fault why = { 0 };

    (void)state;
    assert_false(renderer_about(renderer, &about, &why));
    assert_int_equal(why.code, FAULT_WORKER);
    renderer_stop(renderer);
}

/* A worker that the shell kills when it is started with one of these words as its backend; which
 * backend is found then, and what is said of those before it. */
static void crash_for(const char *words, const char *found, const char *passed_over)
{
    struct renderer_options options = { .workers = 1,
                                        .deadline = 60,
                                        .waiting_most = 8,
                                        .pixels_most = 1 << 20,
                                        .texture_bytes = 16 << 20 };
    char program[] = "/tmp/landscaped-test-XXXXXX";
    int file = mkstemp(program);
    struct renderer *renderer;
    struct renderer_about about = { .backend = "" };
    struct fault why = { 0 };
    char text[512], here[256];

    assert_true(file >= 0 && getcwd(here, sizeof here));
    snprintf(text, sizeof text,
             "#!/bin/sh\ncase \"$1\" in %s) kill -SEGV $$;; esac\n"
             "exec %s/landscaped-render \"$@\"\n",
             words, here);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    fchmod(file, 0700);
    close(file);
    options.program = program;
    assert_true(renderer_start(&options, &renderer, &why));
    for (int i = 0; i < 200 && !about.backend[0]; i++) {
        if (!renderer_about(renderer, &about, &why))
            assert_int_equal(why.code, FAULT_WORKER);
        usleep(50000);
    }
    assert_string_equal(about.backend, found);
    assert_non_null(strstr(about.passed_over, passed_over));
    assert_non_null(strstr(about.passed_over, "signal 11"));
    renderer_stop(renderer);
    unlink(program);
}

/* A driver that kills the worker before it can say anything is given up after a few starts. */
static void a_driver_that_crashes_at_start_is_passed_over(void **state)
{
    (void)state;
    crash_for("auto", "egl-surfaceless", "auto: ");
    crash_for("auto|egl*", "osmesa", "egl-surfaceless+: ");
}

/* After one that crashes, one that merely fails leads on too. */
static void each_way_to_fail_leads_to_the_next(void **state)
{
    (void)state;
    setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere/vendor.json", 1);
    crash_for("auto", "osmesa", "; egl-surfaceless: ");
    unsetenv("__EGL_VENDOR_LIBRARY_FILENAMES");
}

/* One picture that kills whoever draws it: two deaths, then it is refused with one reference, while
 * others are drawn. */
static void a_picture_that_kills_two_workers_is_refused(void **state)
{
    struct renderer_options options = { .workers = 1,
                                        .deadline = 20,
                                        .waiting_most = 8,
                                        .pixels_most = 1 << 20,
                                        .texture_bytes = 16 << 20,
                                        .poison_seconds = 600 };
    struct view *view = scenery_mountains(127, 10);
    struct picture deadly = studio_picture(64, 64), other = studio_picture(64, 48);
    struct renderer_numbers numbers;
    struct renderer *renderer;
    struct bytes pixels = { 0 };
    struct fault first = { 0 }, again = { 0 };
    const char *reference;

    (void)state;
    options.program = "tests/render/brittle_renderer";
    assert_true(renderer_start(&options, &renderer, &first));
    free(studio_draw(renderer, view, &other));
    assert_false(renderer_draw(renderer, view, &deadly, &pixels, &first));
    assert_int_equal(first.code, FAULT_POISON);
    reference = strstr(first.detail, "reference is ");
    assert_non_null(reference);
    free(studio_draw(renderer, view, &other));
    assert_false(renderer_draw(renderer, view, &deadly, &pixels, &again));
    assert_int_equal(again.code, FAULT_POISON);
    assert_non_null(strstr(again.detail, reference));
    assert_int_equal(pixels.length, 0);
    renderer_numbers(renderer, &numbers);
    assert_int_equal(numbers.starts, 3);
    assert_int_equal(numbers.poisonous, 1);
    renderer_stop(renderer);
    view_drop(view);
}

static int open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* By the number of a lie; see lying_renderer.c. */
static bool drawn_by_liars(struct renderer *renderer, const struct view *view, int lie,
                           struct fault *why)
{
    struct picture picture = studio_picture(64, lie);
    struct bytes pixels = { 0 };
    bool drawn = renderer_draw(renderer, view, &picture, &pixels, why);

    assert_int_equal(pixels.length, drawn ? 64 * lie * 4 : 0);
    bytes_free(&pixels);
    return drawn;
}

static void draw_honestly(struct renderer *renderer, const struct view *view)
{
    enum { HONEST = 32 };
    struct fault why = { 0 };

    /* Starts after failures are paced, and a busy machine may be late. */
    while (!drawn_by_liars(renderer, view, HONEST, &why))
        assert_true(why.code == FAULT_BUSY || why.code == FAULT_DEADLINE);
}

/* What a worker says against the protocol costs its picture, and nothing of it is left with us. */
static void a_worker_that_lies_costs_one_picture(void **state)
{
    enum { LIES = 17, NO_ANSWER = 15, TWICE = 100, NUMBERS };
    struct renderer_options options = { .workers = 1,
                                        .waiting_most = 8,
                                        .pixels_most = 1 << 20,
                                        .texture_bytes = 16 << 20,
                                        .program = "tests/render/lying_renderer" };
    struct view *view = scenery_mountains(127, 10);
    struct renderer *renderer = NULL;
    struct renderer_numbers numbers;
    struct fault why = { 0 };
    int files;

    (void)state;
    for (int lie = 1; lie <= LIES; lie++) {
        if (lie == 1 || lie == NO_ANSWER) {
            renderer_stop(renderer);
            options.deadline = lie == NO_ANSWER ? 0.3 : 20;
            assert_true(renderer_start(&options, &renderer, &why));
        }
        draw_honestly(renderer, view);
        files = open_files();
        if (drawn_by_liars(renderer, view, lie, &why))
            fail_msg("lie %d is a picture", lie);
        if (lie >= NO_ANSWER ? why.code != FAULT_DEADLINE
                             : why.code != FAULT_WORKER && why.code != FAULT_POISON)
            fail_msg("lie %d: %d %s", lie, why.code, why.detail);
        draw_honestly(renderer, view);
        assert_int_equal(open_files(), files);
    }
    renderer_stop(renderer);
    options.deadline = 20;
    assert_true(renderer_start(&options, &renderer, &why));
    for (int lie = TWICE; lie <= NUMBERS; lie++) {
        assert_true(drawn_by_liars(renderer, view, lie, &why));
        draw_honestly(renderer, view);
        assert_int_equal(open_files(), files);
    }
    renderer_numbers(renderer, &numbers);
    assert_true(numbers.drawing_seconds >= 0);
    renderer_stop(renderer);
    view_drop(view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_backend_can_be_chosen),
        cmocka_unit_test(without_egl_osmesa_draws),
        cmocka_unit_test(an_egl_without_drivers_falls_through),
        cmocka_unit_test(with_no_way_to_draw_each_reason_is_told),
        cmocka_unit_test(an_unknown_backend_is_no_way_to_draw),
        cmocka_unit_test(each_opengl_draws_the_same),
        cmocka_unit_test(a_driver_that_crashes_at_start_is_passed_over),
        cmocka_unit_test(each_way_to_fail_leads_to_the_next),
        cmocka_unit_test(a_picture_that_kills_two_workers_is_refused),
        cmocka_unit_test(a_worker_that_lies_costs_one_picture),
        cmocka_unit_test(pictures_of_many_at_once_equal_those_of_one_by_one),
        cmocka_unit_test(a_killed_worker_costs_one_picture),
        cmocka_unit_test(a_crashing_worker_costs_one_picture),
        cmocka_unit_test(a_hanging_worker_costs_one_picture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
