/* landscaped-render: draws what the daemon hands it, and may die of it; or what a file holds.
 *
 * usage: landscaped-render BACKEND TEXTURE_BYTES, with the daemon's socket as descriptor 3.
 *        landscaped-render --scene FILE [OPTION]..., by hand; see alone.h.
 *
 * Says hello with "backend\tapi\tvendor\trenderer\tpassed over", or with "none\t" and the
 * reasons, and ends: another one may be luckier. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "render/alone.h"
#include "render/easel.h"
#include "render/scene_read.h"
#include "terrain/worker/worker.h"

struct studio {
    const char *backend;
    int64_t texture_bytes;
    struct easel easel;
    struct fault reason;
    bool open, spoilt; /* spoilt: GL failed in a way after which nothing is certain */
};

/* One picture while it is made. */
struct job {
    struct studio *studio;
    bool alive;      /* the daemon is still there to be answered */
    double fetching; /* seconds */
    struct wire_draw order;
    const unsigned char *scene;
    unsigned char *frame;
    struct scene_parts parts;
    struct wire_done done;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool studio_open(struct studio *studio)
{
    struct fault *why = &studio->reason;

    if (!easel_open(&studio->easel, studio->backend, studio->texture_bytes, why))
        return false;
    if (!worker_sandbox(studio->easel.kind->software ? WORKER_PAINTS : WORKER_RENDERS))
        return fault_set(why, FAULT_WORKER, "The render worker could not give up its rights");
    studio->open = true;
    return true;
}

static bool say_hello(const struct studio *studio)
{
    const struct easel *easel = &studio->easel;
    char text[1024];

    if (studio->open)
        snprintf(text, sizeof text, "%s\t%.80s\t%.120s\t%.120s\t%s", easel->kind->name,
                 easel->gl.version, easel->gl.vendor, easel->gl.renderer, easel->passed_over);
    else
        snprintf(text, sizeof text, "none\t%s", studio->reason.detail);
    return worker_hello(text);
}

static bool answer(const void *data, size_t length)
{
    struct worker_message message = { .data = (unsigned char *)(uintptr_t)data, .length = length };

    return worker_answer(&message);
}

static bool answer_failed(const struct fault *why)
{
    struct wire_failed failed = { .kind = WIRE_FAILED, .code = why->code };

    snprintf(failed.detail, sizeof failed.detail, "%.311s", why->detail);
    return answer(&failed, sizeof failed);
}

static bool nonsense(struct fault *why)
{
    return fault_set(why, FAULT_WORKER, "The render worker was sent a scene that is none");
}

static bool job_open(struct job *job, const struct worker_message *message, struct fault *why)
{
    struct stat frame;

    if (message->length != sizeof job->order || message->count != 2)
        return nonsense(why);
    memcpy(&job->order, message->data, sizeof job->order);
    if (job->order.kind != WIRE_DRAW)
        return nonsense(why);
    job->scene = worker_memory_map(message->descriptors[0], job->order.scene_bytes, why);
    if (!job->scene || !scene_read(job->scene, job->order.scene_bytes, &job->parts, why))
        return false;
    if (job->order.frame_bytes != (uint64_t)job->parts.head->width * job->parts.head->height * 4)
        return nonsense(why);
    if (fstat(message->descriptors[1], &frame) < 0 ||
        (uint64_t)frame.st_size < job->order.frame_bytes)
        return nonsense(why);
    job->frame = mmap(NULL, job->order.frame_bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_POPULATE, message->descriptors[1], 0);
    if (job->frame == MAP_FAILED) {
        job->frame = NULL;
        return fault_errno(why, FAULT_MEMORY, "looking at the room for a picture");
    }
    return true;
}

static void job_close(struct job *job)
{
    if (job->frame)
        munmap(job->frame, job->order.frame_bytes);
    worker_memory_unmap(job->scene, job->order.scene_bytes);
}

/* Tiles that are drawn together. */
struct fetching {
    struct job *job;
    const uint32_t *places;
    uint32_t count, at; /* at: the next to be looked at */
    int32_t *layers;
};

/* The next that lack. */
static void list_wanted(struct fetching *fetching, struct wire_want *want)
{
    *want = (struct wire_want){ .kind = WIRE_WANT };
    for (; fetching->at < fetching->count && want->count < WIRE_TILES_MOST; fetching->at++)
        if (fetching->layers[fetching->places[fetching->at]] < 0)
            want->places[want->count++] = fetching->places[fetching->at];
}

static bool put_tiles(struct fetching *fetching, const struct wire_want *want,
                      const struct worker_message *message, struct fault *why)
{
    struct job *job = fetching->job;
    struct easel *easel = &job->studio->easel;
    size_t bytes = 0, at = 0;
    struct wire_tiles tiles;
    const unsigned char *texels;

    if (message->length != sizeof tiles || message->count != 1)
        return nonsense(why);
    memcpy(&tiles, message->data, sizeof tiles);
    if (tiles.kind != WIRE_TILES || tiles.count != want->count)
        return nonsense(why);
    for (uint32_t i = 0; i < want->count; i++)
        bytes += plane_bytes(job->parts.keys[want->places[i]].plane);
    texels = worker_memory_map(message->descriptors[0], bytes, why);
    if (!texels)
        return false;
    for (uint32_t i = 0; i < want->count; i++) {
        const struct tile_key *key = &job->parts.keys[want->places[i]];

        fetching->layers[want->places[i]] = shelf_put(easel->shelf, key, texels + at);
        at += plane_bytes(key->plane);
    }
    worker_memory_unmap(texels, bytes);
    job->done.tiles_loaded += want->count;
    return gl_sound(&easel->gl, "loading tiles", why);
}

static bool fetch_wanted(struct fetching *fetching, struct fault *why)
{
    struct job *job = fetching->job;

    for (;;) {
        struct worker_message message = { 0 };
        struct wire_want want;
        bool put;

        list_wanted(fetching, &want);
        if (want.count == 0)
            return true;
        job->alive = answer(&want, sizeof want) && worker_next(&message);
        if (!job->alive)
            return fault_set(why, FAULT_WORKER, "The daemon is gone");
        put = put_tiles(fetching, &want, &message, why);
        worker_message_fini(&message);
        if (!put)
            return false;
    }
}

static bool fetch_tiles(void *context, const uint32_t *places, uint32_t count, int32_t *layers,
                        struct fault *why)
{
    struct job *job = context;
    struct fetching fetching = { .job = job, .places = places, .count = count, .layers = layers };
    double began = now();
    bool fetched =
        shelf_find(job->studio->easel.shelf, job->parts.keys, places, count, layers, why) &&
        fetch_wanted(&fetching, why);

    job->fetching += now() - began;
    return fetched;
}

static bool draw(struct job *job, struct fault *why)
{
    const struct tile_loader loader = { .load = fetch_tiles, .context = job };
    struct studio *studio = job->studio;
    struct painted painted;
    double began = now();

    studio->spoilt = !painter_draw(studio->easel.painter, studio->easel.shelf, &job->parts, &loader,
                                   job->frame, &painted, why);
    job->done.draws = painted.draws;
    job->done.triangles = painted.triangles;
    job->done.ground = painted.ground;
    job->done.patches = job->parts.head->patch_count;
    job->done.seconds = now() - began - job->fetching;
    return !studio->spoilt;
}

/* Answers one picture; false when there is nobody to answer. */
static bool serve(struct studio *studio, const struct worker_message *message)
{
    struct job job = { .studio = studio, .alive = true, .done.kind = WIRE_DONE };
    struct fault why = { 0 };
    bool answered;

    if (job_open(&job, message, &why) && draw(&job, &why))
        answered = answer(&job.done, sizeof job.done);
    else
        answered = job.alive && answer_failed(&why);
    job_close(&job);
    /* What is out of memory once is so again: a fresh process has some. */
    return answered && !studio->spoilt && why.code != FAULT_MEMORY;
}

int main(int argc, char **argv)
{
    struct studio studio = { .backend = argc > 1 ? argv[1] : "auto",
                             .texture_bytes = argc > 2 ? strtoll(argv[2], NULL, 10) : 0 };
    struct worker_message message = { 0 };
    bool going;

    /* Must be set before the driver's library is opened. */
    setenv("LP_NUM_THREADS", "1", 1);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
    if (argc > 1 && strncmp(argv[1], "--", 2) == 0)
        return alone(argc, argv);
    studio_open(&studio);
    going = say_hello(&studio) && studio.open;
    while (going && worker_next(&message)) {
        going = serve(&studio, &message);
        worker_message_fini(&message);
        message = (struct worker_message){ 0 };
    }
    return 0;
}
