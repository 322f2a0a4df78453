#include "render/renderer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/exchange.h"
#include "render/flat.h"
#include "render/frames.h"
#include "render/overlay.h"
#include "render/panorama.h"
#include "render/plane_make.h"
#include "render/scene.h"
#include "render/scene_file.h"
#include "terrain/worker/worker.h"

/* A driver that kills the worker before it can say hello is given up after this many starts, and
 * the next way to draw is tried. */
enum { STARTS_IN_VAIN = 3, WAYS_MOST = 3 };

/* Each goes through the rows from its first on by itself (easel.h), as long as none of them kills
 * it. */
static const char *const ways[WAYS_MOST] = { "auto", "egl-surfaceless+", "osmesa" };

struct renderer {
    struct renderer_options options;
    struct frames *frames;
    char bytes[24];
    const char *arguments[WAYS_MOST][3];
    pthread_mutex_t lock;
    struct worker_pool *pools[WAYS_MOST];
    _Atomic int way;         /* the pool in use; it only counts up */
    int way_count;           /* 0: nothing but maps, */
    struct fault maps_alone; /* and why */
    struct fault
        given_up[WAYS_MOST]; /* why each way before that was; written once, under the lock */
    _Atomic int64_t pictures, failures, tiles_loaded, draws, triangles, ground, patches, drawing_ns;
};

/* One that has found no way to draw says the reasons, and is of no use. */
static bool can_draw(const char *hello, struct fault *why)
{
    static const char none[] = "none\t";

    return strncmp(hello, none, sizeof none - 1) != 0 ||
           fault_set(why, FAULT_WORKER, "%.319s", hello + sizeof none - 1);
}

static bool start_pool(struct renderer *renderer, int way, const char *backend, struct fault *why)
{
    struct worker_options options = { .program = renderer->options.program
                                                     ? renderer->options.program
                                                     : "landscaped-render",
                                      .arguments = renderer->arguments[way],
                                      .count = renderer->options.workers,
                                      .deadline = renderer->options.deadline,
                                      .jobs_before_renewal = renderer->options.jobs_before_renewal,
                                      .resident_most = renderer->options.resident_most,
                                      .poison_seconds = renderer->options.poison_seconds,
                                      .waiting_most = renderer->options.waiting_most,
                                      .accepts = can_draw };

    renderer->arguments[way][0] = backend;
    renderer->arguments[way][1] = renderer->bytes;
    return worker_pool_start(&options, &renderer->pools[way], why);
}

bool renderer_start(const struct renderer_options *options, struct renderer **result,
                    struct fault *why)
{
    struct renderer *renderer = calloc(1, sizeof *renderer);
    const char *backend = options->backend ? options->backend : "auto";

    if (!renderer)
        return fault_set(why, FAULT_MEMORY, "no memory for a renderer");
    renderer->frames = frames_new();
    if (!renderer->frames) {
        free(renderer);
        return fault_set(why, FAULT_MEMORY, "no memory for a renderer");
    }
    renderer->options = *options;
    pthread_mutex_init(&renderer->lock, NULL);
    snprintf(renderer->bytes, sizeof renderer->bytes, "%lld", (long long)options->texture_bytes);
    *result = renderer;
    if (strcmp(backend, "none") == 0 || options->workers < 1)
        fault_set(&renderer->maps_alone, FAULT_WORKER,
                  "This server was started without a renderer");
    else if (start_pool(renderer, 0, backend, &renderer->maps_alone))
        renderer->way_count = strcmp(backend, "auto") == 0 ? WAYS_MOST : 1;
    return true;
}

void renderer_stop(struct renderer *renderer)
{
    if (!renderer)
        return;
    for (int way = 0; way < WAYS_MOST; way++)
        worker_pool_stop(renderer->pools[way]);
    frames_free(renderer->frames);
    pthread_mutex_destroy(&renderer->lock);
    free(renderer);
}

/* Goes on to the next way when this one's workers have never come to say hello. */
static void give_up(struct renderer *renderer, int way, const struct fault *reason)
{
    struct worker_numbers numbers;
    struct fault why;
    char hello[2];

    worker_pool_numbers(renderer->pools[way], &numbers);
    worker_pool_hello(renderer->pools[way], hello, sizeof hello);
    if (hello[0] || numbers.starts < STARTS_IN_VAIN || way + 1 == renderer->way_count)
        return;
    pthread_mutex_lock(&renderer->lock);
    if (atomic_load(&renderer->way) == way && start_pool(renderer, way + 1, ways[way + 1], &why)) {
        renderer->given_up[way] = *reason;
        atomic_store(&renderer->way, way + 1);
    }
    pthread_mutex_unlock(&renderer->lock);
}

static struct worker *begin(struct renderer *renderer, bool behind, struct fault *why)
{
    int way = atomic_load(&renderer->way);
    struct worker *worker = behind ? worker_begin_behind(renderer->pools[way], why)
                                   : worker_begin(renderer->pools[way], why);

    if (!worker && why->code == FAULT_WORKER)
        give_up(renderer, way, why);
    return worker;
}

/* The next of the words between tabs; empty when there is none. */
static void next_word(const char **at, char *word, size_t room)
{
    size_t length = strcspn(*at, "\t");

    snprintf(word, room, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == '\t');
}

/* The ways that were given up, then what the worker itself went past. */
static void tell_passed_over(const struct renderer *renderer, int way, const char *itself,
                             struct renderer_about *about)
{
    char *to = about->passed_over;
    size_t room = sizeof about->passed_over, said = 0;

    to[0] = 0;
    for (int i = 0; i < way && said < room; i++)
        said += (size_t)snprintf(to + said, room - said, "%s%s: %.120s", said ? "; " : "", ways[i],
                                 renderer->given_up[i].detail);
    if (itself[0] && said < room)
        snprintf(to + said, room - said, "%s%s", said ? "; " : "", itself);
}

/* What the workers said when they started, empty if none has yet. */
static void read_hello(struct renderer *renderer, struct renderer_about *about)
{
    char hello[1024];
    const char *at = hello;
    int way = atomic_load(&renderer->way);

    worker_pool_hello(renderer->pools[way], hello, sizeof hello);
    next_word(&at, about->backend, sizeof about->backend);
    next_word(&at, about->api, sizeof about->api);
    next_word(&at, about->vendor, sizeof about->vendor);
    next_word(&at, about->renderer, sizeof about->renderer);
    tell_passed_over(renderer, way, at, about);
}

/* Until a worker has said hello. */
static bool await_hello(struct renderer *renderer, struct renderer_about *about, struct fault *why)
{
    struct worker *worker;

    *about = (struct renderer_about){ 0 };
    if (!renderer->way_count) {
        *why = renderer->maps_alone;
        return false;
    }
    read_hello(renderer, about);
    if (about->backend[0])
        return true;
    worker = begin(renderer, false, why);
    if (!worker)
        return false;
    worker_end(worker, true);
    read_hello(renderer, about);
    return true;
}

bool renderer_about(struct renderer *renderer, struct renderer_about *about, struct fault *why)
{
    char hello[1024];

    if (!await_hello(renderer, about, why))
        return false;
    worker_pool_hello(renderer->pools[atomic_load(&renderer->way)], hello, sizeof hello);
    return can_draw(hello, why);
}

static void count(struct renderer *renderer, const struct wire_done *told, struct drawn *drawn)
{
    drawn->triangles = told->triangles;
    drawn->draws = told->draws;
    drawn->tiles_loaded = told->tiles_loaded;
    atomic_fetch_add(&renderer->tiles_loaded, told->tiles_loaded);
    atomic_fetch_add(&renderer->draws, told->draws);
    atomic_fetch_add(&renderer->triangles, (int64_t)told->triangles);
    atomic_fetch_add(&renderer->ground, (int64_t)told->ground);
    atomic_fetch_add(&renderer->patches, told->patches);
    if (told->seconds >= 0 && told->seconds < 1e6)
        atomic_fetch_add(&renderer->drawing_ns, (int64_t)(told->seconds * 1e9));
}

/* A worker that lacks memory ends after it has said so: nobody else is to be sent to it. */
static bool draw_with(struct renderer *renderer, struct worker *worker,
                      const struct plane_source *source, const struct scene *scene,
                      struct bytes *rgba, struct drawn *how, bool *died, struct fault *why)
{
    size_t bytes = (size_t)scene_head(scene)->width * scene_head(scene)->height * 4;
    struct frame frame;
    struct wire_done told;
    bool sound, drawn;

    if (!frames_take(renderer->frames, worker, bytes, &frame, why)) {
        worker_end(worker, true);
        return false;
    }
    drawn = exchange(worker, source, scene, frame.descriptor, bytes, &sound, &told, why);
    if (drawn)
        count(renderer, &told, how);
    *died = worker_died(worker);
    worker_end(worker, sound && (drawn || why->code != FAULT_MEMORY));
    drawn = drawn && bytes_add(rgba, frame.mapped, bytes, why);
    if (drawn)
        frames_give(renderer->frames, &frame);
    else
        frames_drop(renderer->frames, &frame);
    return drawn;
}

static bool check_size(const struct renderer *renderer, const struct picture *picture,
                       struct fault *why)
{
    int64_t pixels = (int64_t)picture->width * picture->height;

    if (picture->width < 1 || picture->height < 1 || picture->width > WIRE_SIDE_MOST ||
        picture->height > WIRE_SIDE_MOST)
        return fault_set(why, FAULT_INPUT,
                         "A picture of %d x %d pixels cannot be; each side is 1 "
                         "to %d",
                         picture->width, picture->height, WIRE_SIDE_MOST);
    return pixels <= renderer->options.pixels_most ||
           fault_set(why, FAULT_LIMIT, "A picture of %d x %d has %lld pixels; %lld is the most",
                     picture->width, picture->height, (long long)pixels,
                     (long long)renderer->options.pixels_most);
}

/* A picture changes nothing, so that one that dies with its worker is tried once more; and so is
 * one for which a worker had no memory left: another one may have some. */
static bool try_scene(struct renderer *renderer, const struct plane_source *source,
                      const struct scene *scene, struct bytes *rgba, struct drawn *how,
                      struct fault *why)
{
    struct worker_trial trial = { .pool = renderer->pools[atomic_load(&renderer->way)],
                                  .name = scene->wire.data,
                                  .length = scene->wire.length };
    int without_memory = 0;
    bool drawn, died;

    if (!worker_trial(&trial, why))
        return false;
    do {
        struct worker *worker = begin(renderer, source->picture->behind, why);

        died = false;
        drawn = worker && draw_with(renderer, worker, source, scene, rgba, how, &died, why);
        without_memory += worker && !drawn && !died && why->code == FAULT_MEMORY;
    } while ((died && worker_trial_again(&trial, why)) ||
             (!drawn && !died && why->code == FAULT_MEMORY && without_memory == 1));
    if (!drawn && why->code == FAULT_DEADLINE)
        fault_set(why, FAULT_DEADLINE,
                  "The picture of %d x %d was not drawn within %g s, which is what one may take "
                  "here: a smaller one may be",
                  source->picture->width, source->picture->height, renderer->options.deadline);
    return drawn;
}

static bool paint_with_gl(struct renderer *renderer, const struct plane_source *source,
                          struct bytes *pixels, struct drawn *how, struct fault *why)
{
    struct scene scene = { 0 };
    struct renderer_about about;
    bool drawn;

    if (!await_hello(renderer, &about, why)) /* a worker that cannot draw says so itself */
        return why->code == FAULT_WORKER ? flat_instead(source->picture, why) : false;
    drawn =
        scene_make(source, &scene, why) && try_scene(renderer, source, &scene, pixels, how, why);
    read_hello(renderer, &about);
    snprintf(how->by, sizeof how->by, "%s", about.backend);
    scene_fini(&scene);
    return drawn;
}

bool renderer_can_draw(struct renderer *renderer, const struct view *view,
                       const struct picture *picture, struct fault *why)
{
    if (renderer->way_count || flat_draws(view, picture))
        return true;
    *why = renderer->maps_alone;
    return flat_instead(picture, why);
}

bool renderer_paint(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, struct bytes *pixels, struct drawn *how,
                    struct fault *why)
{
    const struct plane_source source = { .view = view,
                                         .picture = picture,
                                         .derived = renderer->options.derived };
    const size_t length = pixels->length;
    bool drawn;

    *how = (struct drawn){ 0 };
    if (!check_size(renderer, picture, why))
        return false;
    if (picture->camera.kind == CAMERA_PANORAMA) {
        drawn =
            panorama_paint(renderer, view, picture, renderer->options.deadline, pixels, how, why);
    } else if (flat_draws(view, picture)) {
        snprintf(how->by, sizeof how->by, "flat");
        drawn = flat_draw(view, picture, renderer->options.derived, pixels, why);
    } else
        drawn = paint_with_gl(renderer, &source, pixels, how, why);
    drawn = drawn && overlay_draw(view, picture, pixels->data + length, why);
    if (!drawn)
        pixels->length = length;
    atomic_fetch_add(drawn ? &renderer->pictures : &renderer->failures, 1);
    return drawn;
}

bool renderer_draw(struct renderer *renderer, const struct view *view,
                   const struct picture *picture, struct bytes *pixels, struct fault *why)
{
    struct drawn how;

    return renderer_paint(renderer, view, picture, pixels, &how, why);
}

bool renderer_scene(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, struct bytes *file, struct fault *why)
{
    return check_size(renderer, picture, why) && scene_file_write(view, picture, file, why);
}

void renderer_numbers(struct renderer *renderer, struct renderer_numbers *numbers)
{
    *numbers = (struct renderer_numbers){ .pictures = atomic_load(&renderer->pictures),
                                          .failures = atomic_load(&renderer->failures),
                                          .tiles_loaded = atomic_load(&renderer->tiles_loaded),
                                          .draws = atomic_load(&renderer->draws),
                                          .triangles = atomic_load(&renderer->triangles),
                                          .ground = atomic_load(&renderer->ground),
                                          .patches = atomic_load(&renderer->patches),
                                          .drawing_seconds =
                                              (double)atomic_load(&renderer->drawing_ns) * 1e-9 };
    for (int way = 0; renderer->way_count && way <= atomic_load(&renderer->way); way++) {
        struct worker_numbers pool;

        worker_pool_numbers(renderer->pools[way], &pool);
        numbers->starts += pool.starts;
        numbers->renewals += pool.renewals;
        numbers->poisonous += pool.poisonous;
        numbers->running += pool.running;
        numbers->waiting += pool.waiting;
        numbers->behind += pool.behind;
    }
}
