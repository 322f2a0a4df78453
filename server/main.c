/* The daemon: reads its options, starts its parts in order, waits for a signal, stops them in
 * reverse. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/cache.h"
#include "api/dispatch.h"
#include "api/jobs/jobs.h"
#include "api/tokens.h"
#include "config.h"
#include "render/renderer.h"
#include "server/batch.h"
#include "server/events.h"
#include "server/http.h"
#include "server/http_answer.h"
#include "server/job_workers.h"
#include "server/keeper.h"
#include "server/listen.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/reaper.h"
#include "server/splitter.h"
#include "server/workers.h"
#include "terrain/base/derived.h"
#include "terrain/store/gallery.h"
#include "terrain/worker/worker.h"

struct daemon {
    struct options options;
    struct service service;
    struct listening listening;
    struct tokens *tokens;
    struct routes *routes;
    struct splitter *splitter;
    struct job_workers *job_workers;
    struct workers *workers;
    struct reaper *reaper;
    struct events *events;
    struct keeper *keeper;
    struct http *http;
    char folder[512];
};

/* ---- the parts, in the order in which they start ---- */

static bool tokens_start(struct daemon *daemon, struct fault *why)
{
    if (daemon->options.tokens && !tokens_load(daemon->options.tokens, &daemon->tokens, why))
        return false;
    daemon->service.tokens = daemon->tokens;
    return true;
}

static void tokens_stop(struct daemon *daemon)
{
    tokens_free(daemon->tokens);
}

static bool listen_start(struct daemon *daemon, struct fault *why)
{
    return listen_open(daemon->options.listen, daemon->tokens != NULL, &daemon->listening, why);
}

static bool decoders_start(struct daemon *daemon, struct fault *why)
{
    const struct worker_options options = {
        .program = "landscaped-decode",
        .count = (int)daemon->options.decoders,
        .deadline = 120,
        .memory_bytes = INT64_C(4) << 30,
        .jobs_before_renewal = (int)daemon->options.helper_jobs,
        .resident_most = daemon->options.helper_mib << 20,
        .poison_seconds = (double)daemon->options.poison_seconds,
        .waiting_most = (int)daemon->options.limits.requests_in_work,
    };

    return worker_pool_start(&options, &daemon->service.decoders, why);
}

static void decoders_stop(struct daemon *daemon)
{
    worker_pool_stop(daemon->service.decoders);
}

/* A machine that cannot draw is told so by /v1/info and each picture; maps and everything else
 * work. */
static bool renderer_begin(struct daemon *daemon, struct fault *why)
{
    const struct options *said = &daemon->options;
    const struct renderer_options options = {
        .workers = (int)said->renderers,
        .deadline = (double)said->render_seconds,
        .waiting_most = (int)said->limits.renders_waiting,
        .pixels_most = said->limits.render_pixels,
        .backend = said->render_backend,
        .texture_bytes = said->limits.texture_bytes,
        .jobs_before_renewal = (int)said->helper_jobs,
        .resident_most = said->helper_mib << 20,
        .poison_seconds = (double)said->poison_seconds,
        .derived = daemon->service.derived,
    };

    return renderer_start(&options, &daemon->service.renderer, why);
}

static void renderer_end(struct daemon *daemon)
{
    if (daemon->service.renderer)
        renderer_stop(daemon->service.renderer);
}

static bool landscapes_start(struct daemon *daemon, struct fault *why)
{
    const struct limits *limits = &daemon->options.limits;
    const struct landscapes_limits own = {
        .vertices = limits->landscape_vertices,
        .memory_bytes = limits->memory_bytes,
        .waiting_changes = (int32_t)limits->edits_waiting,
        .history_bytes = limits->history_bytes,
        .snapshot_bytes = limits->snapshot_bytes,
        .snapshots = limits->snapshots,
        .kept_records = (int32_t)limits->events_kept,
        .executor = daemon->service.executor,
    };

    return landscapes_open(daemon->folder, &own, &daemon->service.landscapes, why);
}

static void landscapes_stop(struct daemon *daemon)
{
    landscapes_close(daemon->service.landscapes);
}

static bool gallery_start(struct daemon *daemon, struct fault *why)
{
    const struct limits *limits = &daemon->options.limits;
    const struct gallery_limits own = { limits->rasters, limits->rasters_bytes,
                                        limits->rasters_memory_bytes };

    return gallery_open(daemon->folder, &own, &daemon->service.gallery, why);
}

static void gallery_stop(struct daemon *daemon)
{
    gallery_close(daemon->service.gallery);
}

static bool keeping_start(struct daemon *daemon, struct fault *why)
{
    return keeper_start(daemon->service.landscapes, &daemon->keeper, why);
}

static void keeping_stop(struct daemon *daemon)
{
    keeper_stop(daemon->keeper);
}

static bool cache_start(struct daemon *daemon, struct fault *why)
{
    daemon->service.cache = cache_new(daemon->options.limits.cache_bytes, http_answer_release);
    daemon->service.derived = derived_cache_new(daemon->options.limits.derived_bytes);
    return (daemon->service.cache && daemon->service.derived) ||
           fault_set(why, FAULT_MEMORY, "No memory for the caches");
}

static void cache_stop(struct daemon *daemon)
{
    derived_cache_free(daemon->service.derived);
    cache_free(daemon->service.cache);
}

static bool splitter_begin(struct daemon *daemon, struct fault *why)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (!splitter_start(processors > 1 ? (int)processors - 1 : 0, 0, &daemon->splitter, why))
        return false;
    daemon->service.executor = splitter_executor(daemon->splitter);
    return true;
}

static void splitter_end(struct daemon *daemon)
{
    splitter_stop(daemon->splitter);
}

static bool routes_start(struct daemon *daemon, struct fault *why)
{
    daemon->routes = routes_new(endpoints, endpoint_count, why);
    daemon->service.routes = daemon->routes;
    return daemon->routes != NULL;
}

static void routes_stop(struct daemon *daemon)
{
    routes_free(daemon->routes);
}

static bool jobs_start(struct daemon *daemon, struct fault *why)
{
    return jobs_open(&daemon->service, daemon->folder, daemon->options.job != NULL, why);
}

static void jobs_end(struct daemon *daemon)
{
    jobs_close(daemon->service.jobs);
}

static bool job_workers_begin(struct daemon *daemon, struct fault *why)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    /* Whoever waits for a renderer keeps no processor busy; one more has the next picture ready. */
    int64_t at_once =
        processors > daemon->options.renderers ? processors : daemon->options.renderers + 1;

    return job_workers_start(daemon->service.jobs, (int)daemon->options.job_workers,
                             (int)at_once - 1, &daemon->job_workers, why);
}

static void job_workers_end(struct daemon *daemon)
{
    job_workers_stop(daemon->job_workers);
}

static bool workers_begin(struct daemon *daemon, struct fault *why)
{
    return workers_start((int)daemon->options.workers, (int)daemon->options.limits.requests_in_work,
                         daemon->options.limits.request_seconds, &daemon->workers, why);
}

static void workers_end(struct daemon *daemon)
{
    workers_stop(daemon->workers);
}

/* Each stream is a descriptor, and half of them are left to everything else. */
static int64_t streams_most(const struct limits *limits)
{
    struct rlimit now;
    int64_t allowed;

    if (getrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur == RLIM_INFINITY)
        return limits->event_streams;
    allowed = (int64_t)(now.rlim_cur / 2);
    return limits->event_streams < allowed ? limits->event_streams : allowed;
}

static bool events_begin(struct daemon *daemon, struct fault *why)
{
    const struct limits *said = &daemon->options.limits;
    const struct events_limits limits = { .streams = streams_most(said),
                                          .streams_per_address = said->connections_per_address,
                                          .backlog = said->event_backlog,
                                          .beat_seconds = said->event_beat_seconds };

    return events_start(&limits, &daemon->events, why);
}

static void events_end(struct daemon *daemon)
{
    events_stop(daemon->events);
}

static bool reaper_begin(struct daemon *daemon, struct fault *why)
{
    if (!reaper_start(&daemon->reaper, why))
        return false;
    metrics_setup(daemon->workers, daemon->reaper, daemon->events);
    daemon->service.print_metrics = metrics_print;
    return true;
}

static void reaper_end(struct daemon *daemon)
{
    reaper_stop(daemon->reaper);
}

static bool http_begin(struct daemon *daemon, struct fault *why)
{
    const struct http_parts parts = { &daemon->service, daemon->workers, daemon->reaper,
                                      daemon->events };

    return http_start(&parts, &daemon->listening, &daemon->http, why);
}

/* What is under way may end; what is still there after that ends with the process. */
static void http_end(struct daemon *daemon)
{
    atomic_store(&daemon->service.stopping, true);
    http_quiet(daemon->http);
    if (!http_drain(daemon->http, (double)daemon->options.stop_seconds)) {
        log_line(LOG_WARNING, "stopped-early", "s:reason",
                 "requests were still under way; what they changed is on disk or undone", NULL);
        _exit(0);
    }
    http_stop(daemon->http);
}

static const struct part {
    const char *name;
    bool (*start)(struct daemon *daemon, struct fault *why);
    void (*stop)(struct daemon *daemon);
    bool serving; /* of no use to a job alone */
} parts[] = {
    { "tokens", tokens_start, tokens_stop, true },
    { "socket", listen_start, NULL, true },
    { "cache", cache_start, cache_stop, false },
    { "decoders", decoders_start, decoders_stop, false }, /* processes before threads */
    { "renderer", renderer_begin, renderer_end, false },
    { "splitter", splitter_begin, splitter_end, false },
    { "landscapes", landscapes_start, landscapes_stop, false },
    { "rasters", gallery_start, gallery_stop, false }, /* of the folder that those have taken */
    { "routes", routes_start, routes_stop, false },
    { "jobs", jobs_start, jobs_end, false },
    { "background", keeping_start, keeping_stop, true },
    { "job workers", job_workers_begin, job_workers_end, false },
    { "workers", workers_begin, workers_end, true },
    { "events", events_begin, events_end, true },
    { "reaper", reaper_begin, reaper_end, true },
    { "http", http_begin, http_end, true },
};

enum { PART_COUNT = sizeof parts / sizeof *parts };

static void parts_stop(struct daemon *daemon, size_t started)
{
    while (started--) {
        if (!parts[started].stop || (parts[started].serving && daemon->options.job))
            continue;
        log_line(LOG_DEBUG, "stop", "s:part", parts[started].name, NULL);
        parts[started].stop(daemon);
    }
}

static bool parts_start(struct daemon *daemon, struct fault *why)
{
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i].serving && daemon->options.job)
            continue;
        log_line(LOG_DEBUG, "start", "s:part", parts[i].name, NULL);
        if (parts[i].start(daemon, why))
            continue;
        log_line(LOG_ERROR, "cannot-start", "s:part", parts[i].name, "s:reason", why->detail, NULL);
        parts_stop(daemon, i);
        return false;
    }
    return true;
}

/* ---- the process ---- */

static bool folder_choose(struct daemon *daemon, struct fault *why)
{
    const char *data = daemon->options.data, *state = getenv("STATE_DIRECTORY");
    const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;

    if (data)
        length = snprintf(daemon->folder, sizeof daemon->folder, "%s", data);
    else if (state && *state)
        length = snprintf(daemon->folder, sizeof daemon->folder, "%.*s", (int)strcspn(state, ":"),
                          state);
    else if (xdg && *xdg)
        length = snprintf(daemon->folder, sizeof daemon->folder, "%s/landscaped", xdg);
    else if (home && *home)
        length =
            snprintf(daemon->folder, sizeof daemon->folder, "%s/.local/state/landscaped", home);
    else
        return fault_set(why, FAULT_INPUT, "There is no home folder; name a folder with --data");
    return length < (int)sizeof daemon->folder ||
           fault_set(why, FAULT_INPUT, "The data folder's name is too long");
}

/* Links are made by putting a path behind it. */
static bool public_url_check(const char *url, struct fault *why)
{
    if (!url || ((!strncmp(url, "http://", 7) || !strncmp(url, "https://", 8)) &&
                 url[strlen(url) - 1] != '/'))
        return true;
    return fault_set(why, FAULT_INPUT,
                     "public_url must be like https://maps.example, without a slash at the end, "
                     "not \"%.80s\"",
                     url);
}

static void at_once(int signal)
{
    (void)signal;
    _exit(1);
}

/* Every thread inherits the mask, so only the wait below sees these. */
static void signals_hold(sigset_t *held)
{
    sigemptyset(held);
    sigaddset(held, SIGTERM);
    sigaddset(held, SIGINT);
    pthread_sigmask(SIG_BLOCK, held, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void signals_wait(const sigset_t *held)
{
    int which = 0;

    while (sigwait(held, &which))
        ;
    log_line(LOG_INFO, "stopping", "s:signal", which == SIGINT ? "SIGINT" : "SIGTERM", NULL);
    signal(SIGTERM, at_once);
    signal(SIGINT, at_once);
    pthread_sigmask(SIG_UNBLOCK, held, NULL);
}

/* Each connection is a descriptor, and more are needed for files, workers and what lingers. */
static void descriptors_raise(const struct limits *limits)
{
    rlim_t wanted = (rlim_t)limits->connections + 1024 + 2 * (rlim_t)limits->event_streams;
    struct rlimit now;

    if (getrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur >= wanted)
        return;
    now.rlim_cur = now.rlim_max < wanted ? now.rlim_max : wanted;
    if (setrlimit(RLIMIT_NOFILE, &now) < 0 || now.rlim_cur < wanted)
        log_line(LOG_WARNING, "few-descriptors", "i:wanted", (int64_t)wanted, "i:allowed",
                 (int64_t)now.rlim_cur, NULL);
}

/* Answers of some megabytes come again and again: memory that was touched once is kept for the next
 * instead of being given back to the kernel, which would clear each page anew. */
static void memory_keep(void)
{
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

static int job_alone(struct daemon *daemon, const sigset_t *held)
{
    int status = batch_run(daemon->service.jobs, daemon->folder, daemon->options.job, held);

    parts_stop(daemon, PART_COUNT);
    return status;
}

static int serve(struct daemon *daemon)
{
    struct fault why = { 0 };
    sigset_t held;

    memory_keep();
    log_setup((enum log_level)daemon->options.log_level, daemon->options.log_format == 1);
    signals_hold(&held);
    descriptors_raise(&daemon->options.limits);
    daemon->service.limits = daemon->options.limits;
    daemon->service.cors_origin = daemon->options.cors_origin;
    daemon->service.public_url = daemon->options.public_url;
    daemon->service.version = PACKAGE_VERSION;
    if (!public_url_check(daemon->options.public_url, &why) || !folder_choose(daemon, &why)) {
        log_line(LOG_ERROR, "cannot-start", "s:reason", why.detail, NULL);
        return 1;
    }
    if (!parts_start(daemon, &why))
        return 1;
    if (daemon->options.job)
        return job_alone(daemon, &held);
    log_line(LOG_INFO, "serving", "s:url", daemon->listening.url, "s:data", daemon->folder, NULL);
    printf("landscaped listening on %s\n", daemon->listening.url);
    fflush(stdout);
    signals_wait(&held);
    parts_stop(daemon, PART_COUNT);
    log_line(LOG_INFO, "stopped", NULL);
    return 0;
}

static int token_print(const struct options *options)
{
    char token[TOKEN_ROOM], line[TOKEN_LINE_ROOM];
    struct fault why;

    if (!token_make(options->token_name, options->token_scopes, token, line, &why)) {
        fprintf(stderr, "landscaped: %s\n", why.detail);
        return 2;
    }
    printf("%s\n%s\n", token, line);
    return 0;
}

int main(int count, char **words)
{
    static struct daemon daemon;
    struct fault why;

    if (!options_read(&daemon.options, count, words, &why)) {
        fprintf(stderr, "landscaped: %s\n", why.detail);
        return 2;
    }
    switch (daemon.options.command) {
    case COMMAND_HELP:
        options_help(stdout);
        return 0;
    case COMMAND_VERSION:
        printf("landscaped %s\n", PACKAGE_VERSION);
        return 0;
    case COMMAND_MANUAL:
        options_manual(stdout);
        return 0;
    case COMMAND_NEW_TOKEN:
        return token_print(&daemon.options);
    case COMMAND_SERVE:
        break;
    }
    return serve(&daemon);
}
