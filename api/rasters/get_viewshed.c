/* Which vertices are seen from a place. */
#include <math.h>
#include <stdio.h>

#include "api/rasters/plain_raster.h"
#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/query/collide.h"
#include "terrain/query/viewshed.h"

static const char *const kind_words[] = { "seen", "height", NULL };
enum { KIND_SEEN, KIND_HEIGHT };

#define EARTH_RADIUS 6371008.8 /* m, the mean: IUGG */

struct asked {
    double at[2], z, eye_height, target_height, radius, refraction;
    bool curvature, ignore_holes;
    int kind;
    int32_t window[4];
    uint64_t given;
};
enum { FIELD_AT, FIELD_Z, FIELD_EYE_HEIGHT, FIELD_RADIUS, FIELD_WINDOW };

static const struct field rows[] = {
    FIELD_PLACE(struct asked, at, "Where the eye is, in the request's frame", .required = true),
    FIELD(struct asked, z, "m", -1e6, 1e6, "The eye's height, instead of eye_height"),
    FIELD(struct asked, eye_height, "m", 0, 1e5, "The eye's height above the ground",
          .has_value = true, .value = 1.7),
    FIELD(struct asked, radius, "m", 0, 1e7,
          "Across the ground; nothing beyond it counts, and without a window the answer is the "
          "smallest window around it",
          .above_least = true),
    FIELD_AS(FIELD_INTS, struct asked, window,
             "The answer's vertices: x, y, width, height; width or height 0 is all that there are "
             "from there on",
             .count = 4),
    FIELD(struct asked, target_height, "m", 0, 1e5, "How far above a vertex it must be seen"),
    FIELD_AS(FIELD_CHOICE, struct asked, kind,
             "seen: 255 where a target is seen, 0 elsewhere; height: by how many metres it would "
             "have to be higher to be seen, 0 where it is",
             .words = kind_words, .has_value = true, .value = KIND_SEEN),
    FIELD(struct asked, curvature, NULL, 0, 0, "The Earth is round: far ground lies lower"),
    FIELD(struct asked, refraction, "", 0, 1, "Of the curvature, the share that light follows",
          .has_value = true, .value = 0.13),
    FIELD(struct asked, ignore_holes, NULL, 0, 0, "The ground beneath holes hides, and is seen"),
    { .kind = FIELD_END }
};
static const struct shape shape = { .name = "viewshed",
                                    .size = sizeof(struct asked),
                                    .fields = rows,
                                    .given = offsetof(struct asked, given) };

static bool is_given(const struct asked *asked, int field)
{
    return asked->given >> field & 1;
}

/* The eye with its height in metres. */
static bool eye_of(struct request *rq, const struct asked *asked, double eye[3])
{
    double z;

    eye[0] = asked->at[0];
    eye[1] = asked->at[1];
    eye[2] = asked->z;
    if (is_given(asked, FIELD_Z) && is_given(asked, FIELD_EYE_HEIGHT)) {
        REFUSE(rq, FAULT_INPUT, "the eye has z or an eye_height, not both");
        return fault_at(&rq->fault, "eye_height");
    }
    if (is_given(asked, FIELD_Z))
        return true;
    if (!collide_height(rq->view, eye[0], eye[1], &z, NULL)) {
        REFUSE(rq, FAULT_IMPOSSIBLE,
               "the eye is outside the landscape, where there is no ground for an eye_height; "
               "give z");
        return fault_at(&rq->fault, "z");
    }
    eye[2] = z + asked->eye_height;
    return true;
}

/* The smallest window around the radius, on the landscape. */
static bool around(struct request *rq, const struct asked *asked, struct rect *over)
{
    const struct grid *grid = view_grid(rq->view);
    double first[2], last[2];

    for (int k = 0; k < 2; k++) {
        const double reach = asked->radius / grid->scale[k];
        const int32_t end = (k == 0 ? grid->columns : grid->rows) - 1;

        first[k] = fmax(ceil(asked->at[k] - reach), 0);
        last[k] = fmin(floor(asked->at[k] + reach), end);
        if (!(first[k] <= last[k])) {
            REFUSE(rq, FAULT_IMPOSSIBLE, "no vertex of the landscape is within %.9g m of the eye",
                   asked->radius);
            return fault_at(&rq->fault, "radius");
        }
    }
    *over = (struct rect){ (int32_t)first[0], (int32_t)first[1], (int32_t)(last[0] - first[0]) + 1,
                           (int32_t)(last[1] - first[1]) + 1 };
    return true;
}

static bool window_of(struct request *rq, const struct asked *asked, struct rect *over)
{
    const int32_t *numbers = asked->window;
    const struct window_asked window = { numbers[0], numbers[1], numbers[2], numbers[3] };

    if (!is_given(asked, FIELD_WINDOW) && is_given(asked, FIELD_RADIUS))
        return around(rq, asked, over);
    for (int k = 0; k < 4; k++)
        if (numbers[k] < 0) {
            REFUSE(rq, FAULT_INPUT, "the window has %d; its numbers are not below 0", numbers[k]);
            return fault_at(&rq->fault, "window");
        }
    return window_rect(&window, view_rect(rq->view), rq->view, over, &rq->fault) ||
           fault_at(&rq->fault, "window");
}

/* The eye, the window, and what lies between them. */
static bool prepare(struct request *rq, const struct asked *asked, double eye[3], struct rect *over,
                    struct rect *reach)
{
    const int64_t most = rq->service->limits.viewshed_vertices;

    if (!window_of(rq, asked, over) || !eye_of(rq, asked, eye))
        return false;
    *reach = viewshed_reach(rq->view, eye, *over);
    return rect_area(*reach) <= most ||
           REFUSE(rq, FAULT_LIMIT,
                  "the window and what lies between it and the eye have %lld vertices; at most "
                  "%lld are looked over (viewshed_vertices), a smaller radius makes them fewer",
                  (long long)rect_area(*reach), (long long)most);
}

/* Quads beside them tell whether their border is there. */
static bool newest(struct request *rq, const void *data, uint64_t *version)
{
    struct rect over, reach;
    double eye[3];

    if (!prepare(rq, data, eye, &over, &reach))
        return false;
    reach = (struct rect){ reach.x - 1, reach.y - 1, reach.width + 2, reach.height + 2 };
    *version = view_newest(rq->view, rect_meet(reach, view_rect(rq->view)));
    return true;
}

static bool seen_row(void *context, int32_t j, double *values, struct fault *why)
{
    const struct viewshed *viewshed = context;

    (void)why;
    for (int32_t i = 0; i < viewshed->over.width; i++)
        values[i] = viewshed->seen[(int64_t)j * viewshed->over.width + i];
    return true;
}

static bool lacks_row(void *context, int32_t j, double *values, struct fault *why)
{
    const struct viewshed *viewshed = context;

    (void)why;
    for (int32_t i = 0; i < viewshed->over.width; i++)
        values[i] = (double)viewshed->lacks[(int64_t)j * viewshed->over.width + i];
    return true;
}

static bool write(struct request *rq, enum plain_form form, const struct viewshed *viewshed)
{
    const double *scale = view_grid(rq->view)->scale;
    char members[80];
    const struct plain_raster raster = { { viewshed->over, 1 },
                                         .row = viewshed->lacks ? lacks_row : seen_row,
                                         .context = (void *)(uintptr_t)viewshed,
                                         .members = members };

    snprintf(members, sizeof members, "\"seen\":%lld,\"area\":%.17g,", (long long)viewshed->count,
             (double)viewshed->count * scale[0] * scale[1]);
    return plain_raster_write(rq, form, &raster);
}

static bool run(struct request *rq, const void *data, void *answer)
{
    static const enum plain_form forms[] = { PLAIN_PNG, PLAIN_R8, PLAIN_F32, PLAIN_JSON };
    const struct asked *asked = data;
    const struct viewshed_options options = {
        asked->target_height,
        is_given(asked, FIELD_RADIUS) ? asked->radius : INFINITY,
        asked->curvature ? (1 - asked->refraction) / (2 * EARTH_RADIUS) : 0,
        asked->ignore_holes,
        asked->kind == KIND_HEIGHT,
        rq->service->limits.viewshed_crossings
    };
    struct viewshed viewshed;
    struct rect over, reach;
    double eye[3];
    bool done;

    (void)answer;
    if (!prepare(rq, asked, eye, &over, &reach) ||
        !viewshed_see(rq->view, eye, over, &options, rq->service->executor, &viewshed, &rq->fault))
        return false;
    done = write(rq, forms[rq->media_out], &viewshed);
    viewshed_free(&viewshed);
    return done;
}

static const char *const media[] = { "image/png", "application/x-r8", "application/x-f32",
                                     "application/json", NULL };
static const char *const formats[] = { "png", "r8", "f32", "json", NULL };

const struct endpoint endpoint_get_viewshed = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/viewshed",
    .summary = "Which vertices of a rectangle are seen from a place: those to which the line from "
               "the eye passes nowhere below the surface. JSON counts them and their square "
               "metres; bytes and pictures hold heights as whole metres up to 255",
    .example = "x=20&y=20&frame=grid&radius=30&format=json",
    .example_path = "/v1/landscapes/demo/viewshed",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .framed = true,
    .asks = &shape,
    .media_out = media,
    .formats = formats,
    .newest = newest,
    .run = run,
};
