/* The views of a job of pictures: given one by one, as a turntable, or as a camera's path. Each is
 * the body of a picture's request (api/pictures/drawing.h). Any thread. */
#ifndef API_JOBS_SHOTS_H
#define API_JOBS_SHOTS_H

#include "api/jobs/job_kind.h"
#include "api/pictures/drawing.h"
#include "terrain/lod/flight.h"

/* Once around what stands in the middle, or a part of it. */
struct turntable {
    uint64_t given;
    int32_t frames;
    double target[3], elevation, distance, from, to;
};

struct shot_key {
    double position[3], target[3], time;
};

/* A camera that passes its keys at their times. */
struct shot_path {
    struct list keys; /* of struct shot_key */
    double frames_per_second;
};

struct shots_asked {
    struct job_asked base;
    uint64_t given;
    struct list views;        /* of struct drawing_body */
    struct drawing_body view; /* what they share */
    struct turntable turntable;
    struct shot_path path;
};
extern const struct shape shots_shape;

/* Of the plan's version. */
struct shots {
    const struct view *view;
    struct shots_asked *asked;
    int64_t count;
    struct flight_key *eye, *target; /* of a path */
};

/* Of what has been asked for, whose positions are grid coordinates by now; views take on what they
 * share. Fails with INPUT and LIMIT, at a JSON pointer. */
bool shots_plan(struct job_plan *plan, struct shots_asked *asked, struct shots *shots,
                struct fault *why);

/* The view of that number. */
void shots_at(const struct shots *shots, int64_t number, struct drawing_body *body);
/* Where it stands in the body that was posted, to put in front of a fault's place. */
bool shots_fault(const struct shots *shots, int64_t number, struct fault *why);

#endif
