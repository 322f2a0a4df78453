/* Pictures of a real daemon whose renderer dies, again and again, or cannot be had at all: it costs
 * the pictures that were being drawn and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/server/harness.h"

enum { KILLS = 9, BETWEEN = 10, PAINTERS = 4 };

static const char json[] = "Content-Type: application/json\r\n";
static const char picture[] = "/v1/landscapes/hill/render.png?width=160&height=120&sun_azimuth=%d";

struct scene {
    struct served *served;
    _Atomic int next, drawn, refused, wrong; /* pictures */
    _Atomic int edits, queries, broken;      /* other requests, and those that failed */
    _Atomic bool painted, ending;
};

static struct served *start_with_hill(const char *const *options)
{
    struct served *served = served_start(options);

    assert_non_null(served);
    served_expect(
        served, "PUT", "/v1/landscapes/hill",
        "{\"layout\":{\"components\":[2,2],\"sections_per_component\":2,\"section_quads\":63}}",
        201);
    served_expect(
        served, "POST", "/v1/landscapes/hill/edits",
        "{\"ops\":[{\"tool\":\"raise\",\"path\":[[120,120]],\"radius\":90,\"amount\":60}]}", 200);
    return served;
}

static void *paint(void *context)
{
    struct scene *scene = context;

    while (!atomic_load(&scene->painted)) {
        int number = atomic_fetch_add(&scene->next, 1);
        struct answer answer;
        char target[128];

        snprintf(target, sizeof target, picture, number % 360); /* none is kept from before */
        served_ask(scene->served, "GET", target, NULL, NULL, 0, &answer);
        if (answer.status == 200 && answer.length > 100 && !memcmp(answer.body, "\x89PNG", 4))
            scene->drawn++;
        else if (answer.status == 503 && answer_header(&answer, "Retry-After"))
            scene->refused++;
        else
            scene->wrong++;
        answer_free(&answer);
    }
    return NULL;
}

/* What everybody else asks meanwhile, outside the picture. */
static void *work(void *context)
{
    static const char lower[] = "{\"ops\":[{\"tool\":\"raise\",\"path\":[[10,10]],\"radius\":3,"
                                "\"amount\":0.5}]}";
    struct scene *scene = context;

    while (!atomic_load(&scene->ending)) {
        struct answer answer;

        served_ask(scene->served, "POST", "/v1/landscapes/hill/edits", json, lower,
                   sizeof lower - 1, &answer);
        scene->broken += answer.status != 200;
        scene->edits++;
        answer_free(&answer);
        served_ask(scene->served, "GET", "/v1/landscapes/hill/height?x=120&y=120", NULL, NULL, 0,
                   &answer);
        scene->broken += answer.status != 200 || !strstr((const char *)answer.body, "\"z\":60");
        scene->queries++;
        answer_free(&answer);
    }
    return NULL;
}

static void kill_while_painting(int signal)
{
    struct scene scene = { .served = start_with_hill(NULL) };
    pthread_t painters[PAINTERS], worker;
    int kills = 0;

    for (int i = 0; i < PAINTERS; i++)
        assert_int_equal(pthread_create(&painters[i], NULL, paint, &scene), 0);
    assert_int_equal(pthread_create(&worker, NULL, work, &scene), 0);
    for (int at = BETWEEN / 2; kills < KILLS || atomic_load(&scene.next) < at;) {
        pid_t pid;

        usleep(1000);
        if (kills < KILLS && atomic_load(&scene.next) >= at &&
            served_helpers(scene.served, "landscaped-rend", &pid, 1) &&
            served_end_helper(pid, signal)) {
            kills++;
            at = atomic_load(&scene.next) + BETWEEN;
        }
    }
    atomic_store(&scene.painted, true);
    for (int i = 0; i < PAINTERS; i++)
        pthread_join(painters[i], NULL);
    atomic_store(&scene.ending, true);
    pthread_join(worker, NULL);
    printf("signal %d: %d kills, %d pictures, %d refused; %d edits, %d queries, %d broken\n",
           signal, kills, scene.drawn, scene.refused, scene.edits, scene.queries, scene.broken);
    assert_int_equal(scene.wrong, 0);
    assert_int_equal(scene.broken, 0);
    assert_true(scene.edits > 0 && scene.queries > 0);
    assert_true(scene.refused <= kills);
    assert_int_equal(scene.drawn + scene.refused, scene.next);
    served_expect(scene.served, "GET", "/v1/landscapes/hill/render.png?width=64&height=64", NULL,
                  200);
    assert_int_equal(served_stop(scene.served), 0);
    served_free(scene.served);
}

static void killing_the_renderer_disturbs_nobody_else(void **state)
{
    (void)state;
    kill_while_painting(SIGKILL);
}

static void a_crash_of_the_renderer_disturbs_nobody_else(void **state)
{
    (void)state;
    kill_while_painting(SIGSEGV);
}

static void expect_no_pictures(const char *const *options, const char *reason)
{
    struct served *served = start_with_hill(options);
    struct answer answer;

    served_ask(served, "GET", "/v1/landscapes/hill/render.png", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 503);
    assert_non_null(strstr((const char *)answer.body, reason));
    answer_free(&answer);
    served_ask(served, "GET", "/v1/info", NULL, NULL, 0, &answer);
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr((const char *)answer.body, "\"backend\":null"));
    answer_free(&answer);
    served_expect(served, "GET", "/v1/landscapes/hill/height?x=1&y=1", NULL, 200);
    served_expect(served, "GET", "/readyz", NULL, 200);
    assert_int_equal(served_stop(served), 0);
    served_free(served);
}

static void a_daemon_without_a_renderer_does_all_else(void **state)
{
    static const char *const none[] = { "--render-backend", "none", NULL };
    static const char *const unknown[] = { "--render-backend", "vulkan", NULL };

    (void)state;
    expect_no_pictures(none, "without a renderer");
    expect_no_pictures(unknown, "no such backend");
}

/* REN-01, when all ways fail; that each leads to the next is in tests/render/test_renderer.c. */
static void each_way_to_draw_that_failed_is_told(void **state)
{
    static const char *const osmesa[] = { "--render-backend", "osmesa", NULL };
    static const char *const names[] = { "libOSMesa.so.8", "libOSMesa.so.6" };
    char folder[] = "/tmp/landscaped-test-XXXXXX", path[64];

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 2; i++) {
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    }
    setenv("LD_LIBRARY_PATH", folder, 1);
    expect_no_pictures(osmesa, "osmesa: ");
    unsetenv("LD_LIBRARY_PATH");
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

/* The same eye, said in metres and in quads, on a landscape where the two are not the same. */
static void a_camera_stands_where_its_frame_says(void **state)
{
    static const char *const eyes[] = {
        "\"position\":[2200,4600,900],\"target\":[2800,5000,0]",
        "\"position\":[60,130,900],\"target\":[90,150,0]",
        "\"position\":[60,130,900],\"target\":[90,110,0]",
    };
    static const char *const frames[] = { "local", "grid", "grid" };
    struct answer pictures[3];
    struct served *served = served_start(NULL);

    (void)state;
    assert_non_null(served);
    served_expect(
        served, "PUT", "/v1/landscapes/far",
        "{\"layout\":{\"components\":[2,2],\"sections_per_component\":2,\"section_quads\":63},"
        "\"scale\":[20,20,1],\"origin\":[1000,2000,0]}",
        201);
    served_expect(
        served, "POST", "/v1/landscapes/far/edits?frame=grid",
        "{\"ops\":[{\"tool\":\"raise\",\"path\":[[90,150]],\"radius\":500,\"amount\":200}]}", 200);
    for (int i = 0; i < 3; i++) {
        char target[80], body[200];

        snprintf(target, sizeof target, "/v1/landscapes/far/render?frame=%s", frames[i]);
        snprintf(body, sizeof body, "{\"width\":96,\"height\":64,\"camera\":{%s}}", eyes[i]);
        served_ask(served, "POST", target, json, body, strlen(body), &pictures[i]);
        assert_int_equal(pictures[i].status, 200);
    }
    assert_int_equal(pictures[0].length, pictures[1].length);
    assert_memory_equal(pictures[0].body, pictures[1].body, pictures[0].length);
    assert_true(pictures[2].length != pictures[0].length ||
                memcmp(pictures[2].body, pictures[0].body, pictures[0].length) != 0);
    for (int i = 0; i < 3; i++)
        answer_free(&pictures[i]);
    served_free(served);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_stands_where_its_frame_says),
        cmocka_unit_test(a_daemon_without_a_renderer_does_all_else),
        cmocka_unit_test(each_way_to_draw_that_failed_is_told),
        cmocka_unit_test(killing_the_renderer_disturbs_nobody_else),
        cmocka_unit_test(a_crash_of_the_renderer_disturbs_nobody_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
