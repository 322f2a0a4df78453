/* Whether boxes and spheres touch the surface. */
#include <inttypes.h>
#include <math.h>

#include "api/json_write.h"
#include "api/queries/floats.h"
#include "api/queries/items.h"
#include "api/queries/shapes.h"
#include "api/service.h"
#include "terrain/query/overlap.h"

struct box_asked {
    double min[3], max[3], center[3]; /* what is not given is NaN, up to its last number */
    double half[3], rotation[4];
};
static const struct field box_rows[] = {
    FIELD_AS(FIELD_POINT3, struct box_asked, min, "A corner of a box along the landscape's axes",
             .anywhere = true),
    FIELD_AS(FIELD_POINT3, struct box_asked, max, "The corner across from it", .anywhere = true),
    FIELD_AS(FIELD_POINT3, struct box_asked, center, "Instead of corners: its middle",
             .anywhere = true),
    FIELD_AS(FIELD_REALS, struct box_asked, half,
             "Half its sizes: metres along its x, y and z; with one below 0 the box is wrong",
             .unit = "m", .count = 3, .has_value = true, .value = NAN),
    FIELD_AS(
        FIELD_REALS, struct box_asked, rotation,
        "How it is turned about its middle: a quaternion x, y, z, w of any length; "
        "[0, 0, 1, 1] turns x (east) to y (south), [0, 0, 0, 0] is wrong. Without it, it is not",
        .count = 4, .has_value = true, .value = NAN),
    { .kind = FIELD_END }
};

static const struct field sphere_rows[] = {
    FIELD_AS(FIELD_POINT3, struct overlap_sphere, center, "Its middle", .required = true,
             .anywhere = true),
    FIELD(struct overlap_sphere, radius, "m", 0, 0,
          "Its radius; 0 is a point, below 0 the sphere is wrong", .required = true),
    { .kind = FIELD_END }
};

struct shapes {
    struct list boxes, spheres;
    uint64_t given;
};
static const struct field shapes_rows[] = {
    FIELD_AS(FIELD_LIST, struct shapes, boxes, "Boxes: of two corners, or of a middle and sizes",
             .unit = "boxes", .least = 0, .greatest = 16777216,
             .shape = SHAPE(struct box_asked, box_rows), .limit = "query_shapes"),
    FIELD_AS(FIELD_LIST, struct shapes, spheres, "Spheres", .unit = "spheres", .least = 0,
             .greatest = 16777216, .shape = SHAPE(struct overlap_sphere, sphere_rows),
             .limit = "query_shapes"),
    { .kind = FIELD_END }
};

struct overlap_asked {
    bool ignore_holes, solid, statuses;
};
static const struct field asks[] = {
    FIELD(struct overlap_asked, ignore_holes, NULL, 0, 0,
          "Whether the ground beneath holes is there"),
    FIELD(struct overlap_asked, solid, NULL, 0, 0,
          "Whether all that lies below the surface is ground too; otherwise it is a thin sheet"),
    FIELD(struct overlap_asked, statuses, NULL, 0, 0,
          "Also tell what became of each, boxes first: hit, miss, hole, outside or wrong"),
    { .kind = FIELD_END }
};

struct told {
    bool overlaps;
    double triangle;
};
static const struct field told_rows[] = {
    FIELD(struct told, overlaps, NULL, 0, 0, "Whether it touches the surface"),
    FIELD(struct told, triangle, NULL, 0, 0,
          "One that it touches or, with solid, that is above some of it", .nullable = true),
    { .kind = FIELD_END }
};
static const struct shape told_shape = {
    .name = "overlap", .size = sizeof(struct told), .fields = told_rows, .given = -1
};

struct answer {
    uint64_t version;
    struct list boxes, spheres, statuses;
};
static const struct field answers[] = {
    FIELD(struct answer, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(FIELD_LIST, struct answer, boxes, "In the boxes' order; null for one that is wrong",
             .shape = &told_shape, .nullable = true),
    FIELD_AS(FIELD_LIST, struct answer, spheres,
             "In the spheres' order; null for one that is wrong", .shape = &told_shape,
             .nullable = true),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses,
             "Where asked for: what became of each, boxes first", .left_out = true),
    { .kind = FIELD_END }
};

static bool box_between(const struct request *rq, const struct box_asked *asked,
                        struct overlap_box *box, struct fault *why)
{
    if (isnan(asked->max[2])) {
        fault_set(why, FAULT_INPUT, "the box has no max; give min and max, or center and half");
        return fault_at(why, "/max");
    }
    if (!isnan(asked->half[0]) || !isnan(asked->rotation[0])) {
        fault_set(why, FAULT_INPUT,
                  "a box of min and max has no half or rotation; give its center "
                  "instead");
        return fault_at(why, "/min");
    }
    overlap_box_between(rq->view, asked->min, asked->max, box);
    return true;
}

static bool box_turned(const struct box_asked *asked, struct overlap_box *box, struct fault *why)
{
    static const double straight[4] = { 0, 0, 0, 1 };
    const bool turned = !isnan(asked->rotation[0]);

    if (!isnan(asked->max[2])) {
        fault_set(why, FAULT_INPUT, "the box has no min; give min and max, or center and half");
        return fault_at(why, "/min");
    }
    if (isnan(asked->center[2]) || isnan(asked->half[0])) {
        fault_set(why, FAULT_INPUT, "a box has min and max, or center and half");
        return fault_at(why, isnan(asked->center[2]) ? "/center" : "/half");
    }
    if (!overlap_box_turned(asked->center, asked->half, turned ? asked->rotation : straight, box))
        *box = (struct overlap_box){ .half = { -1 } }; /* wrong */
    return true;
}

static bool box_make(const struct request *rq, const struct box_asked *asked,
                     struct overlap_box *box, struct fault *why)
{
    if (!isnan(asked->min[2]) && !isnan(asked->center[2])) {
        fault_set(why, FAULT_INPUT, "a box has min and max, or center and half, not both");
        return fault_at(why, "/center");
    }
    return isnan(asked->min[2]) ? box_turned(asked, box, why) : box_between(rq, asked, box, why);
}

static bool overlaps_print(void *work, size_t first, size_t count, struct bytes *to,
                           struct fault *why)
{
    const struct overlap *overlaps = work;

    for (size_t i = first; i < first + count; i++) {
        const bool hit = overlaps[i].status == RAY_HIT;
        const struct told told = { hit, hit ? (double)overlaps[i].triangle : NAN };

        if ((i > 0 && !bytes_add(to, ",", 1, why)) ||
            !(overlaps[i].status == RAY_WRONG ? bytes_add(to, "null", 4, why)
                                              : json_write(&told_shape, &told, to, why)))
            return false;
    }
    return true;
}

/* The boxes' overlaps, then the spheres'. */
static bool find(struct request *rq, const struct overlap_asked *asked, const struct shapes *shapes,
                 struct overlap *overlaps)
{
    const struct hits_asked hits = { .ignore_holes = asked->ignore_holes };
    const struct box_asked *from = shapes->boxes.items;
    const size_t count = shapes->boxes.count;
    struct overlap_box *boxes = arena_new(rq->arena, count * sizeof *boxes + 1);
    _Atomic int64_t left;
    struct shape_ways ways = shapes_ways(rq, &hits, &left);

    ways.solid = asked->solid;
    if (!boxes)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu boxes", count);
    for (size_t i = 0; i < count; i++)
        if (!box_make(rq, &from[i], &boxes[i], &rq->fault))
            return fault_within(&rq->fault, "/boxes/%zu", i);
    return (overlap_boxes(rq->view, boxes, count, &ways, overlaps, rq->service->executor,
                          &rq->fault) &&
            overlap_spheres(rq->view, shapes->spheres.items, shapes->spheres.count, &ways,
                            overlaps + count, rq->service->executor, &rq->fault)) ||
           shapes_refused(rq);
}

static bool tell(struct request *rq, const struct shapes *shapes, struct overlap *overlaps,
                 const uint8_t *statuses)
{
    const size_t boxes = shapes->boxes.count, spheres = shapes->spheres.count;

    return bytes_print(&rq->bytes, &rq->fault,
                       "{\"version\":%" PRIu64 ",\"boxes\":", rq->view->version) &&
           items_write(rq, boxes, overlaps_print, overlaps) &&
           bytes_print(&rq->bytes, &rq->fault, ",\"spheres\":") &&
           items_write(rq, spheres, overlaps_print, overlaps + boxes) &&
           (!statuses || items_statuses(rq, statuses, boxes + spheres)) &&
           bytes_add(&rq->bytes, "}", 1, &rq->fault);
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct overlap_asked *asked = data;
    const struct shapes *shapes = rq->body;
    const size_t count = shapes->boxes.count + shapes->spheres.count;
    struct overlap *overlaps;
    uint8_t *statuses;

    (void)answer;
    if (!shapes->given) {
        REFUSE(rq, FAULT_INPUT, "The member \"boxes\" is missing: give boxes, or spheres, or both");
        return fault_at(&rq->fault, "/boxes");
    }
    if (!floats_count(rq, "shapes", "query_shapes", count))
        return fault_at(&rq->fault, shapes->boxes.count ? "/boxes" : "/spheres");
    overlaps = arena_new(rq->arena, count * sizeof *overlaps + 1);
    statuses = arena_new(rq->arena, count + 1);
    if (!overlaps || !statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu shapes", count);
    if (!find(rq, asked, shapes, overlaps))
        return false;
    for (size_t i = 0; i < count; i++)
        statuses[i] = (uint8_t)overlaps[i].status;
    return tell(rq, shapes, overlaps, asked->statuses ? statuses : NULL);
}

const struct endpoint endpoint_post_overlap = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/overlap",
    .summary = "Whether boxes and spheres touch the surface",
    .example_path = "/v1/landscapes/demo/query/overlap",
    .example_body = "{\"boxes\":[{\"min\":[10,10,-100],\"max\":[20,20,100]},"
                    "{\"center\":[15,15,0],\"half\":[4,1,1],\"rotation\":[0,0,1,1]}],"
                    "\"spheres\":[{\"center\":[30,30,50],\"radius\":5}]}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct overlap_asked, asks),
    .takes = &(const struct shape){ .name = "shapes",
                                    .size = sizeof(struct shapes),
                                    .fields = shapes_rows,
                                    .given = offsetof(struct shapes, given) },
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct answer, answers),
    .run = run,
};
