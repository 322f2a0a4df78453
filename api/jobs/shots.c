#include "api/jobs/shots.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "api/jobs/shots_share.h"

enum { GIVEN_VIEWS = 1 << 0, GIVEN_TURNTABLE = 1 << 2, GIVEN_PATH = 1 << 3 };
enum { TURN_TARGET = 1 << 1, TURN_TO = 1 << 5 };
enum { KEYS_MOST = 10000 };

static const struct field turntable_rows[] = {
    FIELD(struct turntable, frames, "views", 1, 1000000, "How many", .required = true),
    FIELD_AS(FIELD_POINT3, struct turntable, target,
             "Looked at; the landscape's middle by default"),
    FIELD(struct turntable, elevation, "degrees", -90, 90, "How high above the horizon to stand",
          .has_value = true, .value = CAMERA_ELEVATION),
    FIELD(struct turntable, distance, "m", 0, 1e8,
          "From the target; without it the landscape's extent is seen", .above_least = true),
    FIELD(struct turntable, from, "degrees", -3600, 3600,
          "The side from which the first looks, from north clockwise"),
    FIELD(struct turntable, to, "degrees", -3600, 3600,
          "And the last; once around when left out. Of whole turns the last view is one step short "
          "of the first one again"),
    { .kind = FIELD_END }
};

static const struct shape turntable_shape = { .name = "struct turntable",
                                              .size = sizeof(struct turntable),
                                              .fields = turntable_rows,
                                              .given = offsetof(struct turntable, given) };

static const struct field key_rows[] = {
    FIELD_AS(FIELD_POINT3, struct shot_key, position, "Where the eye is", .required = true),
    FIELD_AS(FIELD_POINT3, struct shot_key, target, "Where it looks", .required = true),
    FIELD(struct shot_key, time, "s", -1e6, 1e6, "When; each later than the one before",
          .required = true),
    { .kind = FIELD_END }
};

static const struct field path_rows[] = {
    FIELD_AS(FIELD_LIST, struct shot_path, keys,
             "The places that eye and target pass, smoothly (a centripetal Catmull-Rom spline)",
             .shape = SHAPE(struct shot_key, key_rows), .least = 1, .greatest = KEYS_MOST,
             .required = true),
    FIELD(struct shot_path, frames_per_second, "1/s", 0, 1000,
          "Views from the first key's time to the last one's", .above_least = true,
          .has_value = true, .value = 25),
    { .kind = FIELD_END }
};

static const struct field rows[] = {
    FIELD_AS(FIELD_LIST, struct shots_asked, views,
             "The views, each as the body of a landscape's render", .shape = &drawing_body_shape,
             .least = 1, .greatest = 1e6, .limit = "job_views"),
    FIELD_AS(FIELD_OBJECT, struct shots_asked, view,
             "What all views have that do not say otherwise; a camera counts as a whole",
             .shape = &drawing_body_shape),
    FIELD_AS(FIELD_OBJECT, struct shots_asked, turntable, "Views around a target instead",
             .shape = &turntable_shape),
    FIELD_AS(FIELD_OBJECT, struct shots_asked, path, "Views along a way instead",
             .shape = SHAPE(struct shot_path, path_rows)),
    { .kind = FIELD_END }
};

const struct shape shots_shape = { .name = "struct shots",
                                   .size = sizeof(struct shots_asked),
                                   .fields = rows,
                                   .base = &job_asked_shape,
                                   .given = offsetof(struct shots_asked, given) };

static bool one_way(const struct shots_asked *asked, struct fault *why)
{
    uint64_t ways = asked->given & (GIVEN_VIEWS | GIVEN_TURNTABLE | GIVEN_PATH);

    if (ways && !(ways & (ways - 1)))
        return true;
    fault_set(why, FAULT_INPUT, "Pictures are one of views, a turntable and a path%s",
              ways ? ", not several" : "");
    return fault_at(why, ways & GIVEN_PATH        ? "/path"
                         : ways & GIVEN_TURNTABLE ? "/turntable"
                                                  : "/views");
}

static bool count_fits(double count, const struct job_plan *plan, const char *place,
                       struct fault *why)
{
    int64_t most = plan->service->limits.job_views;

    if (count <= (double)most)
        return true;
    fault_set(why, FAULT_LIMIT,
              "These are %.0f views; at most %" PRId64 " are drawn by one job (job_views)", count,
              most);
    return fault_at(why, "%s", place);
}

/* ---- paths ---- */

static void key_local(const struct view *view, const double from[3], double time,
                      struct flight_key *key)
{
    grid_to_local(view_grid(view), from, key->at);
    key->at[2] = from[2];
    key->time = time;
}

static bool path_plan(struct job_plan *plan, const struct shot_path *path, struct shots *shots,
                      struct fault *why)
{
    const struct shot_key *keys = path->keys.items;
    size_t count = path->keys.count;
    double frames = floor((keys[count - 1].time - keys[0].time) * path->frames_per_second + 1e-9);

    for (size_t i = 1; i < count; i++)
        if (!(keys[i].time > keys[i - 1].time)) {
            fault_set(why, FAULT_INPUT, "time must be later than the key before it, which is at %g",
                      keys[i - 1].time);
            return fault_at(why, "/path/keys/%zu/time", i);
        }
    if (!count_fits(frames + 1, plan, "/path/frames_per_second", why))
        return false;
    shots->count = (int64_t)frames + 1;
    shots->eye = arena_new(&plan->arena, 2 * count * sizeof *shots->eye);
    if (!shots->eye)
        return fault_set(why, FAULT_MEMORY, "No memory for a path of %zu keys", count);
    shots->target = shots->eye + count;
    for (size_t i = 0; i < count; i++) {
        key_local(plan->view, keys[i].position, keys[i].time, &shots->eye[i]);
        key_local(plan->view, keys[i].target, keys[i].time, &shots->target[i]);
    }
    flight_plan(shots->eye, count);
    flight_plan(shots->target, count);
    return true;
}

static void path_place(const struct shots *shots, int64_t number, struct viewing *camera)
{
    const struct shot_path *path = &shots->asked->path;
    double time = shots->eye[0].time + (double)number / path->frames_per_second;
    double local[3], eye[3], target[3];

    flight_at(shots->eye, path->keys.count, time, local);
    grid_from_local(view_grid(shots->view), local, eye);
    eye[2] = local[2];
    flight_at(shots->target, path->keys.count, time, local);
    grid_from_local(view_grid(shots->view), local, target);
    target[2] = local[2];
    viewing_look(camera, eye, target);
}

/* ---- turntables ---- */

static void turntable_place(const struct shots *shots, int64_t number, struct viewing *camera)
{
    const struct turntable *turn = &shots->asked->turntable;
    double angle = turn->given & TURN_TO ? turn->to - turn->from : 360;
    bool whole = angle != 0 && fmod(angle, 360) == 0;
    double steps = whole ? turn->frames : turn->frames - 1;
    double azimuth = turn->from + (steps > 0 ? angle * (double)number / steps : 0);

    viewing_orbit(camera, turn->given & TURN_TARGET ? turn->target : NULL, fmod(azimuth, 360),
                  turn->elevation, turn->distance);
}

bool shots_plan(struct job_plan *plan, struct shots_asked *asked, struct shots *shots,
                struct fault *why)
{
    *shots = (struct shots){ .view = plan->view, .asked = asked };
    if (!one_way(asked, why))
        return false;
    if (asked->given & GIVEN_VIEWS) {
        shots->count = (int64_t)asked->views.count;
        return shots_share(plan, asked, why);
    }
    if (viewing_placed(&asked->view.camera)) {
        fault_set(why, FAULT_INPUT, "The camera of a turntable or a path has a fov alone");
        return fault_at(why, "/view/camera");
    }
    if (asked->given & GIVEN_PATH)
        return path_plan(plan, &asked->path, shots, why);
    shots->count = asked->turntable.frames;
    return count_fits((double)shots->count, plan, "/turntable/frames", why);
}

void shots_at(const struct shots *shots, int64_t number, struct drawing_body *body)
{
    const struct shots_asked *asked = shots->asked;

    if (asked->given & GIVEN_VIEWS) {
        *body = ((const struct drawing_body *)asked->views.items)[number];
        return;
    }
    *body = asked->view;
    if (asked->given & GIVEN_PATH)
        path_place(shots, number, &body->camera);
    else
        turntable_place(shots, number, &body->camera);
}

bool shots_fault(const struct shots *shots, int64_t number, struct fault *why)
{
    return shots->asked->given & GIVEN_VIEWS ? fault_within(why, "/views/%" PRId64, number)
                                             : fault_within(why, "/view");
}
