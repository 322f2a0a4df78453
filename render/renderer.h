/* Pictures of a view. Maps are drawn here (see flat.h); all else happens in worker processes, so
 * that a driver's crash costs one picture and never a landscape. Any thread; a picture blocks. */
#ifndef RENDER_RENDERER_H
#define RENDER_RENDERER_H

#include <stdbool.h>
#include <stdint.h>

#include "render/picture.h"
#include "terrain/base/bytes.h"
#include "terrain/base/derived.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

struct renderer;

struct renderer_options {
    int workers;             /* processes */
    double deadline;         /* seconds for a picture */
    int waiting_most;        /* pictures that may wait */
    int64_t pixels_most;     /* of one picture */
    const char *backend;     /* "auto" (or NULL), or one of the context rows' names */
    int64_t texture_bytes;   /* kept in each worker, least recently used out */
    int jobs_before_renewal; /* pictures that one worker draws; 0 is no bound */
    int64_t resident_most;   /* bytes; a worker that has grown beyond is replaced; 0 is no bound */
    double poison_seconds;   /* a picture that killed two workers is refused for so long */
    const char *program;     /* the worker; NULL is "landscaped-render" */
    struct derived_cache *derived; /* keeps bounds between pictures; may be NULL */
};

/* Without workers, or where they cannot even be started, it draws maps alone. Fails with MEMORY. */
bool renderer_start(const struct renderer_options *options, struct renderer **renderer,
                    struct fault *why);
void renderer_stop(struct renderer *renderer);

/* Which context was found, and why not those before it. Starts a worker when none has been. Fails
 * with WORKER and the reason of each when no context can be had. */
struct renderer_about {
    char backend[32], api[96], vendor[128], renderer[128], passed_over[640];
};
bool renderer_about(struct renderer *renderer, struct renderer_about *about, struct fault *why);

/* What can be judged of a picture once its camera is known: that it can have its overlays, and be
 * drawn without a worker if that is wanted; a grid whose lines are NaN apart gets some that suit
 * it. Fails with INPUT and *member, by the name that requests have for it. */
bool picture_settle(const struct view *view, struct picture *picture, bool without_worker,
                    const char **member, struct fault *why);

/* Whether the view has what the mode shows: fails as mode_check does (mode_scale.h). */
bool picture_mode_fits(const struct view *view, const struct picture *picture, struct fault *why);

/* The modes whose maps need no worker, with commas; once for all. */
enum { MAP_MODES_ROOM = 160 };
const char *renderer_map_modes(char names[MAP_MODES_ROOM]);

/* Whether the picture can be drawn, as far as can be known before: fails with WORKER, as drawing it
 * would, where it is no map and only maps can be drawn. */
bool renderer_can_draw(struct renderer *renderer, const struct view *view,
                       const struct picture *picture, struct fault *why);

/* How a picture came about. */
struct drawn {
    char by[32]; /* the name of the context's row, or "flat" */
    uint64_t triangles;
    uint32_t draws, tiles_loaded;
};

/* width * height pixels of four bytes from the top row down, appended: RGBA8, alpha straight, or
 * what the output says. Fails with INPUT for a camera that looks nowhere, LIMIT, BUSY, WORKER,
 * DEADLINE, MEMORY. */
bool renderer_paint(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, struct bytes *pixels, struct drawn *drawn,
                    struct fault *why);

/* The same, for who does not ask how. */
bool renderer_draw(struct renderer *renderer, const struct view *view,
                   const struct picture *picture, struct bytes *pixels, struct fault *why);

/* What the picture is drawn from, whole, as `landscaped-render --scene` reads it; appended. Nothing
 * is drawn, and no worker is needed. Fails as renderer_draw. */
bool renderer_scene(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, struct bytes *file, struct fault *why);

struct renderer_numbers {
    int64_t pictures, failures, starts, renewals, poisonous;
    int64_t tiles_loaded, draws, triangles; /* of all pictures */
    int64_t patches, ground;                /* ground: triangles without the models' sides */
    double drawing_seconds;                 /* of the workers, without hand-over */
    int running, waiting, behind;
};
void renderer_numbers(struct renderer *renderer, struct renderer_numbers *numbers);

#endif
