/* How high is the surface at one point, and which way does it face? */
#include <math.h>
#include <string.h>

#include "api/edit_layers/edit_layer.h"
#include "api/json_write.h"
#include "api/queries/about.h"
#include "api/queries/hits.h"
#include "terrain/edit/contribute.h"
#include "terrain/query/collide.h"
#include "terrain/query/cover.h"

struct height_asked {
    double at[2];
    double least_weight;
    bool contributions;
    int interpolation;
    struct list fields; /* const char * */
};

static const struct field asks[] = {
    FIELD_PLACE(struct height_asked, at, "The position, in the request's frame", .required = true),
    FIELD(struct height_asked, least_weight, "", 0, 255,
          "Paint layers with less weight there are left out", .has_value = true, .value = 0),
    FIELD(struct height_asked, contributions, NULL, 0, 0,
          "Tell what each edit layer has to do with the height"),
    ABOUT_INTERPOLATION(struct height_asked),
    FIELD_AS(FIELD_TEXTS, struct height_asked, fields, "More about the place: " ABOUT_WORDS),
    { .kind = FIELD_END }
};

struct layer_share {
    const char *name, *blend;
    double alpha;
    bool visible;
    double metres, mask, sum;
};

static const struct field layer_share_rows[] = {
    FIELD_AS(FIELD_NAME, struct layer_share, name, "The edit layer"),
    FIELD(struct layer_share, blend, NULL, 0, 0, "additive or alpha"),
    FIELD(struct layer_share, alpha, NULL, -1, 1, "How much it counts"),
    FIELD(struct layer_share, visible, NULL, 0, 0, "Whether it counts at all"),
    FIELD(struct layer_share, metres, "m", 0, 0, "What it adds here, or takes away"),
    FIELD(struct layer_share, mask, NULL, 0, 255, "How far an alpha layer is let; null of others",
          .nullable = true),
    FIELD(struct layer_share, sum, "m", 0, 0, "The height up to and including it"),
    { .kind = FIELD_END }
};

struct shares {
    double level;
    struct list layers;
    double rounding;
};

static const struct field shares_rows[] = {
    FIELD(struct shares, level, "m", 0, 0, "Where they begin: the height of a stored 32768"),
    FIELD_AS(FIELD_LIST, struct shares, layers, "The edit layers, the lowest first",
             .shape = SHAPE(struct layer_share, layer_share_rows)),
    FIELD(struct shares, rounding, "m", 0, 0,
          "z less the last sum: vertices are rounded to whole units, within what they can be"),
    { .kind = FIELD_END }
};

struct height {
    struct about about;
    double z;
    double normal[3];
    const char *layer, *physical_material;
    double weight;
    const char *runner_up;
    double runner_up_weight;
    bool hole;
    struct shares contributions; /* level NaN: not asked for */
};

static const struct field rows[] = {
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
    FIELD_AS(FIELD_OBJECT, struct height, contributions,
             "Where the height comes from, if asked for: z is level, what the layers add, and "
             "rounding",
             .shape = SHAPE(struct shares, shares_rows), .nullable = true),
    { .kind = FIELD_END }
};

static const struct shape height_shape = {
    .name = "height", .size = sizeof(struct height), .fields = rows, .given = -1
};

/* As it is told in OpenAPI; of about's, those that were asked for are printed. */
static const struct shape told_shape = { .name = "height",
                                         .size = sizeof(struct height),
                                         .fields = rows,
                                         .base = &about_rest_shape,
                                         .given = -1 };

/* In the words of the request's frame, as far as it has any. */
static bool refuse_outside(struct request *rq, const double at[2])
{
    const struct grid *grid = view_grid(rq->view);
    double asked[2], first[2], last[2];

    memcpy(asked, at, sizeof asked);
    if (rq->frame == FRAME_LONLAT && hits_from_grid(rq, asked, 2, 1, &rq->fault))
        return REFUSE(rq, FAULT_RANGE, "longitude %.10g, latitude %.10g is outside the landscape",
                      asked[0], asked[1]);
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
    const struct rect around = { (int32_t)at[0] - 1, (int32_t)at[1] - 1, 4, 4 };
    struct surface surface;

    if (!collide_surface(rq->view, at, &surface, &rq->fault))
        return refuse_outside(rq, at);
    /* what layers hold need not show in the surface */
    *version = ((const struct height_asked *)asked)->contributions
                   ? rq->view->version
                   : cover_stamp_named(rq->view, rect_meet(around, view_rect(rq->view)));
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

static bool fill_contributions(struct request *rq, const struct height_asked *asked,
                               struct height *height)
{
    const struct grid *grid = view_grid(rq->view);
    const struct stack *stack = rq->view->settings->stack;
    struct contribution contributions[EDIT_LAYERS_MOST];
    struct layer_share *shares = arena_new(rq->arena, (size_t)stack->edit_count * sizeof *shares);
    double sum = grid_metres(grid, 32768);

    if (!shares)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the layers' shares");
    contribute_at(rq->view, asked->at, contributions);
    height->contributions = (struct shares){ sum, { (size_t)stack->edit_count, shares }, 0 };
    for (int i = 0; i < stack->edit_count; i++) {
        const struct edit_layer *edit = &stack->edits[i];
        double below = sum;

        sum = grid_metres(grid, contributions[i].sum);
        shares[i] = (struct layer_share){ edit->name,  edit_layer_blends[edit->blend],
                                          edit->alpha, edit->visible,
                                          sum - below, contributions[i].mask,
                                          sum };
    }
    height->contributions.rounding = height->z - sum;
    return true;
}

static bool height_fill(struct request *rq, const struct height_asked *asked, struct height *height)
{
    struct surface surface;

    if (!collide_surface(rq->view, asked->at, &surface, &rq->fault))
        return false;
    collide_between(rq->view, (enum interpolation)asked->interpolation, asked->at, &height->z,
                    &height->hole);
    memcpy(height->normal, surface.normal, sizeof height->normal);
    fill_cover(rq, asked, height);
    height->contributions.level = NAN;
    return !asked->contributions || fill_contributions(rq, asked, height);
}

static bool run(struct request *rq, const void *query, void *answer)
{
    const struct height_asked *asked = query;
    struct height *height = answer;
    struct about_choice choice;

    if (asked->contributions && asked->interpolation != INTERPOLATION_TRIANGLE) {
        REFUSE(rq, FAULT_INPUT, "contributions are those to the triangle's height, not to a %s one",
               interpolation_words[asked->interpolation]);
        return fault_at(&rq->fault, "interpolation");
    }
    return about_choose(rq, &asked->fields, &height_shape, offsetof(struct height, about),
                        &choice) &&
           height_fill(rq, asked, height) &&
           about_fill(rq, -1, asked->at, choice.words, &height->about, &rq->fault) &&
           json_write(&choice.shape, height, &rq->bytes, &rq->fault);
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
    .answers = &told_shape,
    .newest = newest,
    .run = run,
};
