/* Pictures of a view. The drawing happens in worker processes, so that a driver's crash
 * costs one picture and never a landscape. Any thread; a picture blocks. */
#ifndef RENDER_RENDERER_H
#define RENDER_RENDERER_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"
#include "terrain/core/view.h"

struct renderer;

struct renderer_options {
    int workers;         /* processes */
    double deadline;     /* seconds for a picture */
    int waiting_most;    /* pictures that may wait */
    int64_t pixels_most; /* of one picture */
    const char *backend; /* "auto", or one of the context rows' names */
    int64_t texture_bytes; /* kept in each worker, least recently used out */
};

bool renderer_start(const struct renderer_options *options, struct renderer **renderer,
                    struct fault *why);
void renderer_stop(struct renderer *renderer);

/* Which context was found: backend, api, vendor, renderer. Starts a worker when none has been.
 * Fails with WORKER and the reason when no context can be had. */
struct renderer_about { char backend[32], api[64], vendor[128], renderer[128]; };
bool renderer_about(struct renderer *renderer, struct renderer_about *about, struct fault *why);

/* One of four ways to look. Local coordinates are metres in local axes (x east, y south, z up);
 * angles are degrees, azimuth from north clockwise, elevation above the horizon. */
enum camera_kind { CAMERA_FIT, CAMERA_PERSPECTIVE, CAMERA_ORTHO, CAMERA_ORBIT };
struct camera {
    enum camera_kind kind;
    double position[3], target[3];   /* PERSPECTIVE; target also of ORBIT and (x, y) ORTHO */
    double azimuth, elevation;       /* the side from which ORBIT and ORTHO look */
    double distance;                 /* ORBIT, metres; 0 fits the landscape */
    double ortho_width;              /* metres across the picture */
    double fov;                      /* vertical, degrees */
};

struct picture {
    int32_t width, height; /* pixels */
    int mode;              /* index into render_modes */
    struct camera camera;
    double sun_azimuth, sun_elevation;
};

/* The modes, rows of modes.def; ends with NULL. */
extern const char *const render_modes[];

/* width * height RGBA8 pixels from the top row down, appended. Fails with INPUT for a camera that looks
 * nowhere, LIMIT, BUSY, WORKER, DEADLINE. */
bool renderer_draw(struct renderer *renderer, const struct view *view,
                   const struct picture *picture, struct bytes *rgba, struct fault *why);

struct renderer_numbers { int64_t pictures, failures, starts; int running, waiting; };
void renderer_numbers(struct renderer *renderer, struct renderer_numbers *numbers);

#endif
