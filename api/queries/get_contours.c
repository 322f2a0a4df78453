/* Contour lines as GeoJSON (RFC 7946). */
#include <math.h>

#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/query/contour.h"

struct asked {
    struct window_asked window;
    double interval, base, simplify;
};

static const struct field asks[] = {
    FIELD(struct asked, interval, "m", 0, 1e6, "Between two levels", .required = true,
          .above_least = true),
    FIELD(struct asked, base, "m", -1e6, 1e6, "The height of one of them"),
    FIELD(struct asked, simplify, "m", 0, 1e5,
          "Points nearer than that to the line without them are left out; lines may then cross"),
    { .kind = FIELD_END }
};
static const struct shape asks_shape = { "contours_asked", sizeof(struct asked), asks,
                                         &window_shape, -1 };

struct geometry {
    const char *type;
    struct list coordinates; /* of double[2] */
};
static const struct field geometry_rows[] = {
    FIELD(struct geometry, type, NULL, 0, 16, "LineString"),
    FIELD_AS(FIELD_POINTS, struct geometry, coordinates,
             "The line, with the higher ground on its left; rings end where they begin"),
    { .kind = FIELD_END }
};

struct properties {
    double elevation;
    bool closed;
};
static const struct field properties_rows[] = {
    FIELD(struct properties, elevation, "m", 0, 0, "The height of the line"),
    FIELD(struct properties, closed, NULL, 0, 0, "Whether it is a ring"),
    { .kind = FIELD_END }
};

struct feature {
    const char *type;
    struct geometry geometry;
    struct properties properties;
};
static const struct field feature_rows[] = {
    FIELD(struct feature, type, NULL, 0, 16, "Feature"),
    FIELD_AS(FIELD_OBJECT, struct feature, geometry, "Where the line runs",
             .shape = SHAPE(struct geometry, geometry_rows)),
    FIELD_AS(FIELD_OBJECT, struct feature, properties, "What it is",
             .shape = SHAPE(struct properties, properties_rows)),
    { .kind = FIELD_END }
};

struct collection {
    const char *type;
    struct list features;
};
static const struct field collection_rows[] = {
    FIELD(struct collection, type, NULL, 0, 20, "FeatureCollection"),
    FIELD_AS(FIELD_LIST, struct collection, features, "A line each",
             .shape = SHAPE(struct feature, feature_rows)),
    { .kind = FIELD_END }
};

/* A ring's first point once more at its end, as GeoJSON wants it. */
static bool feature_make(struct request *rq, const struct contours *contours,
                         const struct contour_line *line, struct feature *feature)
{
    const size_t count = line->count + line->closed;
    double(*points)[2] = arena_new(rq->arena, count * sizeof *points);

    if (!points)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu points of contours", count);
    memcpy(points, contours->points + line->first, line->count * sizeof *points);
    if (line->closed)
        memcpy(points + line->count, points, sizeof *points);
    *feature = (struct feature){ .type = "Feature",
                                 .geometry = { "LineString", { count, points } },
                                 .properties = { line->elevation, line->closed } };
    return true;
}

static bool features_make(struct request *rq, const struct contours *contours, struct list *list)
{
    struct feature *features = arena_new(rq->arena, contours->line_count * sizeof *features + 1);

    if (!features)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu lines", contours->line_count);
    for (size_t i = 0; i < contours->line_count; i++)
        if (!feature_make(rq, contours, &contours->lines[i], &features[i]))
            return false;
    *list = (struct list){ contours->line_count, features };
    return true;
}

static bool run(struct request *rq, const void *data, void *into)
{
    const struct asked *asked = data;
    struct collection *answer = into;
    struct contours contours;
    struct rect over;
    bool done;

    if (!window_rect(&asked->window, view_rect(rq->view), rq->view, &over, &rq->fault) ||
        !contour_trace(rq->view, over, asked->interval, asked->base,
                       rq->service->limits.contour_points, &contours, &rq->fault))
        return false;
    answer->type = "FeatureCollection";
    done = contour_simplify(view_grid(rq->view), asked->simplify, &contours, &rq->fault) &&
           features_make(rq, &contours, &answer->features);
    contour_free(&contours);
    return done;
}

static const char *const media[] = { "application/geo+json", NULL };

const struct endpoint endpoint_get_contours = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/contours",
    .summary = "Contour lines as GeoJSON: in degrees where the landscape has a CRS, in local "
               "metres elsewhere, unless ?frame= says otherwise",
    .example = "interval=10&width=64&height=64",
    .example_path = "/v1/landscapes/demo/contours",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .framed = true,
    .frame_of_place = true,
    .asks = &asks_shape,
    .answers = SHAPE(struct collection, collection_rows),
    .media_out = media,
    .run = run,
};
