#include "tests/server/chaos.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char json[] = "Content-Type: application/json\r\n";

int chaos_times(int usually)
{
    return getenv("LANDSCAPED_SOAK") ? 100 : usually;
}

void chaos_hill(const struct served *served, const char *id)
{
    char target[100];

    snprintf(target, sizeof target, "/v1/landscapes/%s", id);
    served_expect(
        served, "PUT", target,
        "{\"layout\":{\"components\":[2,2],\"sections_per_component\":2,\"section_quads\":63}}",
        201);
    snprintf(target, sizeof target, "/v1/landscapes/%s/edits", id);
    served_expect(
        served, "POST", target,
        "{\"ops\":[{\"tool\":\"raise\",\"path\":[[120,120]],\"radius\":90,\"amount\":60}]}", 200);
}

bool chaos_is_picture(const struct answer *answer)
{
    return answer->status == 200 && answer->length > 100 && memcmp(answer->body, "\x89PNG", 4) == 0;
}

bool chaos_is_told(const struct answer *answer)
{
    const char *body = (const char *)answer->body;

    return (answer->status == 503 || answer->status == 504 || answer->status == 500) &&
           strstr(body, "\"type\":\"/problems/") && strstr(body, "\"detail\":\"");
}

/* Leaves the process hardly more address space than it has. */
static bool starve(pid_t pid)
{
    struct rlimit room;
    long long pages = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    file = fopen(path, "r");
    if (!file)
        return false;
    if (fscanf(file, "%lld", &pages) != 1)
        pages = 0;
    fclose(file);
    room.rlim_cur = room.rlim_max = (rlim_t)(pages * sysconf(_SC_PAGESIZE) + 16384);
    return pages > 0 && prlimit(pid, RLIMIT_AS, &room, NULL) == 0;
}

/* Whether it has started: then it is in its sandbox. */
static bool is_at_work(pid_t pid)
{
    char path[64], line[200];
    int sandboxed = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "Seccomp: %d", &sandboxed);
    if (file)
        fclose(file);
    return sandboxed == 2;
}

bool chaos_harm(const struct served *served, int signal, int which)
{
    pid_t found[CHAOS_RENDERERS];
    int count = served_helpers(served, "landscaped-rend", found, CHAOS_RENDERERS);

    if (count == 0 || (signal != SIGKILL && signal != SIGSEGV && !is_at_work(found[which % count])))
        return false;
    if (signal == SIGKILL || signal == SIGSEGV)
        return served_end_helper(found[which % count], signal);
    return signal ? kill(found[which % count], signal) == 0 : starve(found[which % count]);
}

static void ask_other(struct chaos_others *others, const char *method, const char *target,
                      const char *body, const char *says)
{
    struct answer answer;

    served_ask(others->served, method, target, body ? json : NULL, body, body ? strlen(body) : 0,
               &answer);
    others->disturbed += answer.status != 200 || !strstr((const char *)answer.body, says);
    others->asked++;
    answer_free(&answer);
}

static void *ask_all(void *context)
{
    struct chaos_others *others = context;
    char height[100], edits[100];

    snprintf(height, sizeof height, "/v1/landscapes/%s/height?x=120&y=120", others->landscape);
    snprintf(edits, sizeof edits, "/v1/landscapes/%s/edits", others->landscape);
    while (!atomic_load(&others->ending)) {
        ask_other(others, "GET", "/healthz", NULL, "");
        ask_other(others, "GET", "/readyz", NULL, "");
        ask_other(others, "GET", height, NULL, "\"z\":60");
        ask_other(others, "POST", edits,
                  "{\"ops\":[{\"tool\":\"raise\",\"path\":[[10,10]],\"radius\":3,\"amount\":0.5}]}",
                  "");
    }
    return NULL;
}

void chaos_others_start(struct chaos_others *others, const struct served *served,
                        const char *landscape)
{
    *others = (struct chaos_others){ .served = served, .landscape = landscape };
    assert_int_equal(pthread_create(&others->thread, NULL, ask_all, others), 0);
}

void chaos_others_stop(struct chaos_others *others)
{
    atomic_store(&others->ending, true);
    pthread_join(others->thread, NULL);
}
