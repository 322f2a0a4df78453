/* How high is the surface at one point, and which way does it face? */
#include <math.h>
#include <string.h>

#include "api/endpoint.h"
#include "terrain/query/collide.h"
#include "terrain/query/cover.h"

struct height_asked {
    double at[2];
    double least_weight;
};

static const struct field asks[] = {
    FIELD_PLACE(struct height_asked, at, "The position, in the request's frame", .required = true),
    FIELD(struct height_asked, least_weight, "", 0, 255,
          "Paint layers with less weight there are left out", .has_value = true, .value = 0),
    { .kind = FIELD_END }
};

struct height {
    double z;
    double normal[3];
    const char *layer, *physical_material;
    double weight;
    const char *runner_up;
    double runner_up_weight;
    bool hole;
};

static const struct field answers[] = {
    FIELD(struct height, z, "m", 0, 0, "The height; in a hole, that of the ground beneath"),
    FIELD_AS(FIELD_REALS, struct height, normal, "Unit normal of the triangle: east, south, up",
             .count = 3),
    FIELD(struct height, layer, NULL, 0, 0,
          "The paint layer with the largest weight there, of the triangle's corners by their share",
          .nullable = true),
    FIELD(struct height, physical_material, NULL, 0, 0, "That of the dominant paint layer",
          .nullable = true),
    FIELD(struct height, weight, NULL, 0, 0, "The dominant layer's weight", .nullable = true),
    FIELD(struct height, runner_up, NULL, 0, 0, "The paint layer with the second largest weight",
          .nullable = true),
    FIELD(struct height, runner_up_weight, NULL, 0, 0, "Its weight", .nullable = true),
    FIELD(struct height, hole, NULL, 0, 0, "Whether the quad is a hole"),
    { .kind = FIELD_END }
};

/* In the words of the request's frame, as far as it has any. */
static bool refuse_outside(struct request *rq, const double at[2])
{
    const struct grid *grid = view_grid(rq->view);
    double asked[2], first[2], last[2];

    if (rq->frame != FRAME_LOCAL)
        return false; /* as collide_surface said it */
    grid_to_local(grid, at, asked);
    grid_to_local(grid, (const double[2]){ 0, 0 }, first);
    grid_to_local(grid, (const double[2]){ grid->columns - 1, grid->rows - 1 }, last);
    return REFUSE(rq, FAULT_RANGE,
                  "x %.10g, y %.10g is outside the landscape, which lies from x %.10g, y %.10g to "
                  "x %.10g, y %.10g",
                  asked[0], asked[1], first[0], first[1], last[0], last[1]);
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const double *at = ((const struct height_asked *)asked)->at;
    struct surface surface;
    struct rect around;

    if (!collide_surface(rq->view, at, &surface, &rq->fault))
        return refuse_outside(rq, at);
    around = (struct rect){ (int32_t)at[0], (int32_t)at[1], 2, 2 };
    *version = cover_stamp_named(rq->view, around);
    return true;
}

static void fill_cover(const struct request *rq, const struct height_asked *asked,
                       struct height *height)
{
    const struct paint_layer *paints = rq->view->settings->stack->paints;
    struct cover cover;

    height->weight = height->runner_up_weight = NAN;
    if (!cover_at(rq->view, asked->at, asked->least_weight, &cover))
        return;
    if (cover.first >= 0) {
        const char *material = paints[cover.first].physical_material;

        height->layer = paints[cover.first].name;
        height->physical_material = material[0] ? material : NULL;
        height->weight = cover.first_weight;
    }
    if (cover.second >= 0) {
        height->runner_up = paints[cover.second].name;
        height->runner_up_weight = cover.second_weight;
    }
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const double *at = ((const struct height_asked *)asked)->at;
    struct height *height = answer;
    struct surface surface;

    if (!collide_surface(rq->view, at, &surface, &rq->fault))
        return false;
    height->z = surface.z;
    memcpy(height->normal, surface.normal, sizeof height->normal);
    height->hole = surface.hole;
    fill_cover(rq, asked, height);
    return true;
}

const struct endpoint endpoint_get_height = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/height",
    .summary = "Height of the surface at one point",
    .example = "x=12.5&y=40",
    .example_path = "/v1/landscapes/demo/height",
    .scope = SCOPE_READ,
    .pace = QUICK,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct height_asked, asks),
    .framed = true,
    .answers = SHAPE(struct height, answers),
    .newest = newest,
    .run = run,
};
