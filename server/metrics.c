#include "server/metrics.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/cache.h"
#include "api/jobs/jobs.h"
#include "render/renderer.h"
#include "server/clock.h"
#include "server/events.h"
#include "server/reaper.h"
#include "server/upload.h"
#include "server/workers.h"
#include "terrain/base/derived.h"
#include "terrain/worker/worker.h"

enum { ROWS_MOST = 256, BUCKETS = 8, CLASSES = 5 };

static const double bucket_ends[BUCKETS] = { 0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5, 30 };

struct row_numbers {
    _Atomic int64_t classes[CLASSES], buckets[BUCKETS], nanoseconds, bytes;
};

static struct row_numbers numbers[ROWS_MOST];
static struct workers *from_workers;
static struct reaper *from_reaper;
static struct events *from_events;

void metrics_setup(struct workers *workers, struct reaper *reaper, struct events *events)
{
    from_workers = workers;
    from_reaper = reaper;
    from_events = events;
}

/* The last place is for requests without a row. */
static size_t row_index(const struct endpoint *row)
{
    size_t i = 0;

    while (i < endpoint_count && endpoints[i] != row)
        i++;
    return i < ROWS_MOST ? i : ROWS_MOST - 1;
}

void metrics_request(const struct endpoint *row, int status, int64_t nanoseconds, uint64_t bytes)
{
    struct row_numbers *of = &numbers[row_index(row)];
    int class = status / 100 - 1, bucket = 0;

    while (bucket < BUCKETS && (double)nanoseconds > bucket_ends[bucket] * 1e9)
        bucket++;
    if (bucket < BUCKETS)
        atomic_fetch_add_explicit(&of->buckets[bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&of->classes[class >= 0 && class < CLASSES ? class : 4], 1,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&of->nanoseconds, nanoseconds, memory_order_relaxed);
    atomic_fetch_add_explicit(&of->bytes, (int64_t)bytes, memory_order_relaxed);
}

static bool header(struct bytes *to, const char *name, const char *type, const char *help,
                   struct fault *why)
{
    return bytes_print(to, why, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static bool one(struct bytes *to, const char *name, const char *type, const char *help,
                double value, struct fault *why)
{
    return header(to, name, type, help, why) && bytes_print(to, why, "%s %.15g\n", name, value);
}

static int64_t row_count(const struct row_numbers *of)
{
    int64_t count = 0;

    for (int i = 0; i < CLASSES; i++)
        count += atomic_load(&of->classes[i]);
    return count;
}

static const char *row_label(size_t i, char label[160])
{
    if (i < endpoint_count)
        snprintf(label, 160, "method=\"%s\",route=\"%s\"", endpoints[i]->method,
                 endpoints[i]->path);
    else
        snprintf(label, 160, "method=\"\",route=\"\"");
    return label;
}

static bool row_requests(struct bytes *to, size_t i, struct fault *why)
{
    char label[160];

    for (int class = 0; class < CLASSES; class ++) {
        int64_t count = atomic_load(&numbers[i].classes[class]);
        if (count &&
            !bytes_print(to, why, "landscaped_requests_total{%s,status=\"%dxx\"} %" PRId64 "\n",
                         row_label(i, label), class + 1, count))
            return false;
    }
    return true;
}

static bool row_durations(struct bytes *to, size_t i, struct fault *why)
{
    const struct row_numbers *of = &numbers[i];
    int64_t sum = 0, count = row_count(of);
    char label[160];

    row_label(i, label);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        sum += atomic_load(&of->buckets[bucket]);
        if (!bytes_print(to, why, "landscaped_request_seconds_bucket{%s,le=\"%g\"} %" PRId64 "\n",
                         label, bucket_ends[bucket], sum))
            return false;
    }
    return bytes_print(to, why,
                       "landscaped_request_seconds_bucket{%s,le=\"+Inf\"} %" PRId64 "\n"
                       "landscaped_request_seconds_sum{%s} %.9f\n"
                       "landscaped_request_seconds_count{%s} %" PRId64 "\n",
                       label, count, label, (double)atomic_load(&of->nanoseconds) * 1e-9, label,
                       count);
}

static bool row_bytes(struct bytes *to, size_t i, struct fault *why)
{
    char label[160];

    return bytes_print(to, why, "landscaped_response_bytes_total{%s} %" PRId64 "\n",
                       row_label(i, label), atomic_load(&numbers[i].bytes));
}

static bool each_row(struct bytes *to, bool (*print)(struct bytes *to, size_t i, struct fault *why),
                     struct fault *why)
{
    for (size_t i = 0; i <= endpoint_count && i < ROWS_MOST; i++)
        if (row_count(&numbers[i]) && !print(to, i, why))
            return false;
    return true;
}

static bool print_requests(struct bytes *to, struct fault *why)
{
    return header(to, "landscaped_requests_total", "counter", "Requests answered", why) &&
           each_row(to, row_requests, why) &&
           header(to, "landscaped_request_seconds", "histogram",
                  "From a request's head to its last byte sent", why) &&
           each_row(to, row_durations, why) &&
           header(to, "landscaped_response_bytes_total", "counter", "Bytes of bodies sent", why) &&
           each_row(to, row_bytes, why);
}

static bool print_cache(const struct service *service, struct bytes *to, struct fault *why)
{
    struct cache_numbers cache;

    if (!service->cache)
        return true;
    cache_numbers(service->cache, &cache);
    return one(to, "landscaped_cache_answers", "gauge", "Answers kept", (double)cache.answers,
               why) &&
           one(to, "landscaped_cache_bytes", "gauge", "Bytes kept", (double)cache.bytes, why) &&
           one(to, "landscaped_cache_hits_total", "counter", "Answers found", (double)cache.hits,
               why) &&
           one(to, "landscaped_cache_misses_total", "counter", "Answers not found",
               (double)cache.misses, why) &&
           one(to, "landscaped_cache_evictions_total", "counter", "Answers that made room",
               (double)cache.evictions, why);
}

static bool print_derived(const struct service *service, struct bytes *to, struct fault *why)
{
    struct derived_numbers derived;

    if (!service->derived)
        return true;
    derived_numbers(service->derived, &derived);
    return one(to, "landscaped_derived_things", "gauge", "Error maps, bounds and samples kept",
               (double)derived.things, why) &&
           one(to, "landscaped_derived_bytes", "gauge", "Bytes that they take",
               (double)derived.bytes, why) &&
           one(to, "landscaped_derived_hits_total", "counter", "Such found", (double)derived.hits,
               why) &&
           one(to, "landscaped_derived_misses_total", "counter", "Such made",
               (double)derived.misses, why) &&
           one(to, "landscaped_derived_evictions_total", "counter", "Such that made room",
               (double)derived.evictions, why);
}

static bool print_flushes(const struct landscapes_numbers *all, struct bytes *to, struct fault *why)
{
    static const char name[] = "landscaped_flush_seconds";
    int64_t count = 0;
    bool done = header(to, name, "histogram", "Durable commits of groups of changes", why);

    for (int i = 0; done && i <= FLUSH_BOUNDS; i++) {
        count += all->flushes[i];
        done = i < FLUSH_BOUNDS
                   ? bytes_print(to, why, "%s_bucket{le=\"%g\"} %" PRId64 "\n", name,
                                 flush_bounds[i], count)
                   : bytes_print(to, why, "%s_bucket{le=\"+Inf\"} %" PRId64 "\n", name, count);
    }
    return done && bytes_print(to, why, "%s_sum %.9g\n%s_count %" PRId64 "\n", name,
                               all->flush_seconds, name, count);
}

static bool print_landscapes(const struct service *service, struct bytes *to, struct fault *why)
{
    struct landscapes_numbers all = { 0 };
    int32_t loaded = 0, count = 0;

    if (!service->landscapes)
        return true;
    landscapes_numbers(service->landscapes, &all);
    landscapes_progress(service->landscapes, &loaded, &count);
    return one(to, "landscaped_landscapes", "gauge", "Landscapes in the store", (double)all.count,
               why) &&
           one(to, "landscaped_landscapes_loaded", "gauge", "Landscapes in memory", loaded, why) &&
           one(to, "landscaped_landscape_memory_bytes", "gauge", "Memory of landscapes",
               (double)all.memory_bytes, why) &&
           one(to, "landscaped_store_bytes", "gauge", "Bytes on disk", (double)all.store_bytes,
               why) &&
           one(to, "landscaped_commits_total", "counter", "Durable transactions",
               (double)all.commits, why) &&
           one(to, "landscaped_changes_total", "counter", "Changes committed", (double)all.changes,
               why) &&
           one(to, "landscaped_write_backs_total", "counter", "Slices of blocks written back",
               (double)all.write_backs, why) &&
           one(to, "landscaped_evictions_total", "counter", "Landscapes put away for memory",
               (double)all.evictions, why) &&
           one(to, "landscaped_store_troubles_total", "counter",
               "Failures of the disk found in the background", (double)all.troubles, why) &&
           print_flushes(&all, to, why);
}

static bool print_renderer(const struct service *service, struct bytes *to, struct fault *why)
{
    struct renderer_numbers drawn = { 0 };

    if (!service->renderer)
        return true;
    renderer_numbers(service->renderer, &drawn);
    return one(to, "landscaped_pictures_total", "counter", "Pictures drawn", (double)drawn.pictures,
               why) &&
           one(to, "landscaped_picture_failures_total", "counter", "Pictures that failed",
               (double)drawn.failures, why) &&
           one(to, "landscaped_renderer_starts_total", "counter", "Renderer processes started",
               (double)drawn.starts, why) &&
           one(to, "landscaped_renderer_renewals_total", "counter",
               "Renderer processes replaced after many pictures or for their memory",
               (double)drawn.renewals, why) &&
           one(to, "landscaped_poisonous_pictures_total", "counter",
               "Pictures that killed two renderers", (double)drawn.poisonous, why) &&
           one(to, "landscaped_pictures_behind", "gauge",
               "Pictures of jobs that let others go first", drawn.behind, why) &&
           one(to, "landscaped_pictures_waiting", "gauge", "Pictures that wait", drawn.waiting,
               why);
}

static bool print_decoders(const struct service *service, struct bytes *to, struct fault *why)
{
    struct worker_numbers pool = { 0 };

    if (!service->decoders)
        return true;
    worker_pool_numbers(service->decoders, &pool);
    return one(to, "landscaped_decodes_total", "counter", "Uploads decoded", (double)pool.jobs,
               why) &&
           one(to, "landscaped_decode_failures_total", "counter", "Decoders that died or hung",
               (double)pool.failures, why) &&
           one(to, "landscaped_decoder_starts_total", "counter", "Decoder processes started",
               (double)pool.starts, why) &&
           one(to, "landscaped_decodes_waiting", "gauge", "Uploads that wait for a decoder",
               pool.waiting, why);
}

static bool print_jobs(const struct service *service, struct bytes *to, struct fault *why)
{
    static const char name[] = "landscaped_jobs";
    struct jobs_numbers jobs = { 0 };
    bool done;

    if (!service->jobs)
        return true;
    jobs_numbers(service->jobs, &jobs);
    done = header(to, name, "gauge", "Jobs by their state", why);
    for (int i = 0; done && i < JOB_STATES; i++)
        done = bytes_print(to, why, "%s{state=\"%s\"} %" PRId64 "\n", name, job_state_words[i],
                           jobs.states[i]);
    return done &&
           one(to, "landscaped_job_bytes", "gauge", "Bytes of the files of jobs",
               (double)jobs.bytes, why) &&
           one(to, "landscaped_job_units_total", "counter", "Tiles and pieces done by jobs",
               (double)jobs.units, why) &&
           one(to, "landscaped_job_seconds_total", "counter", "Time spent on jobs", jobs.seconds,
               why) &&
           one(to, "landscaped_jobs_refused_total", "counter", "Jobs refused as too many",
               (double)jobs.refused, why);
}

static bool print_workers(struct bytes *to, struct fault *why)
{
    struct workers_numbers pool = { 0 };

    if (!from_workers)
        return true;
    workers_numbers(from_workers, &pool);
    return one(to, "landscaped_workers", "gauge", "Worker threads", pool.threads, why) &&
           one(to, "landscaped_workers_running", "gauge", "Requests in work", pool.running, why) &&
           one(to, "landscaped_workers_waiting", "gauge", "Requests that wait for a worker",
               pool.waiting, why) &&
           one(to, "landscaped_workers_refused_total", "counter", "Requests refused as too many",
               (double)pool.refused, why) &&
           one(to, "landscaped_workers_late_total", "counter", "Requests that waited too long",
               (double)pool.late, why);
}

static bool print_events(struct bytes *to, struct fault *why)
{
    struct events_numbers events = { 0 };

    if (!from_events)
        return true;
    events_numbers(from_events, &events);
    return one(to, "landscaped_event_streams", "gauge", "Open event streams",
               (double)events.streams, why) &&
           one(to, "landscaped_events_sent_total", "counter", "Events sent, for each stream",
               (double)events.sent, why) &&
           one(to, "landscaped_event_streams_dropped_total", "counter",
               "Event streams ended because their readers were slow", (double)events.dropped,
               why) &&
           one(to, "landscaped_event_streams_refused_total", "counter",
               "Event streams refused as too many", (double)events.refused, why);
}

static double resident_bytes(void)
{
    FILE *from = fopen("/proc/self/statm", "re");
    long long pages = 0;

    if (!from)
        return 0;
    if (fscanf(from, "%*d %lld", &pages) != 1)
        pages = 0;
    fclose(from);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static bool print_process(struct bytes *to, struct fault *why)
{
    struct rusage usage = { 0 };
    double cpu;

    getrusage(RUSAGE_SELF, &usage);
    cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
          (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    return one(to, "process_cpu_seconds_total", "counter", "CPU time", cpu, why) &&
           one(to, "process_resident_memory_bytes", "gauge", "Resident memory", resident_bytes(),
               why) &&
           one(to, "landscaped_upload_bytes", "gauge", "Bodies that are arriving or in work",
               (double)upload_bytes(), why) &&
           (!from_reaper ||
            (one(to, "landscaped_connections", "gauge", "Open connections",
                 (double)reaper_lines(from_reaper), why) &&
             one(to, "landscaped_connections_cut_total", "counter", "Connections cut at a deadline",
                 (double)reaper_cut(from_reaper), why)));
}

bool metrics_print(const struct service *service, struct bytes *to, struct fault *why)
{
    return header(to, "landscaped_build_info", "gauge", "The build", why) &&
           bytes_print(to, why, "landscaped_build_info{version=\"%s\"} 1\n", service->version) &&
           print_requests(to, why) && print_workers(to, why) && print_jobs(service, to, why) &&
           print_events(to, why) && print_cache(service, to, why) &&
           print_derived(service, to, why) && print_landscapes(service, to, why) &&
           print_renderer(service, to, why) && print_decoders(service, to, why) &&
           print_process(to, why);
}
