#include "api/queries/statistics.h"

#include <math.h>

#include "api/service.h"
#include "terrain/query/statistics.h"

struct histogram {
    double from, bin_width;
    struct list counts; /* double */
};

static const struct field histogram_rows[] = {
    FIELD(struct histogram, from, "m", 0, 0, "Where the first bin begins"),
    FIELD(struct histogram, bin_width, "m", 0, 0,
          "How far each reaches, its end not included but "
          "in the last one"),
    FIELD_AS(FIELD_NUMBERS, struct histogram, counts, "Vertices in each bin"),
    { .kind = FIELD_END }
};

struct volumes {
    double above, below, area_above, area_below;
};

static const struct field volumes_rows[] = {
    FIELD(struct volumes, above, "m3", 0, 0, "Of the ground above the plane"),
    FIELD(struct volumes, below, "m3", 0, 0, "Of what is missing below it"),
    FIELD(struct volumes, area_above, "m2", 0, 0, "Where the ground is higher, seen from above"),
    FIELD(struct volumes, area_below, "m2", 0, 0, "Where it is lower"),
    { .kind = FIELD_END }
};

struct measured {
    uint64_t version;
    int64_t vertices;
    double least, least_at[2], greatest, greatest_at[2], mean, deviation;
    struct list percentiles; /* double */
    struct histogram histogram;
    double plan_area, surface_area;
    struct volumes volumes;
};

static const struct field rows[] = {
    FIELD(struct measured, version, NULL, 0, 0, "The version that was asked"),
    FIELD(struct measured, vertices, "vertices", 0, 0,
          "How many vertices have ground; their heights are what is told of heights"),
    FIELD(struct measured, least, "m", 0, 0, "The least height", .nullable = true),
    FIELD_AS(FIELD_POINT, struct measured, least_at, "Where, in the request's frame",
             .nullable = true),
    FIELD(struct measured, greatest, "m", 0, 0, "The greatest height", .nullable = true),
    FIELD_AS(FIELD_POINT, struct measured, greatest_at, "Where, in the request's frame",
             .nullable = true),
    FIELD(struct measured, mean, "m", 0, 0, "The mean height", .nullable = true),
    FIELD(struct measured, deviation, "m", 0, 0, "The standard deviation of all of the heights",
          .nullable = true),
    FIELD_AS(FIELD_NUMBERS, struct measured, percentiles, "As asked for, linear between heights",
             .unit = "m", .nullable = true),
    FIELD_AS(FIELD_OBJECT, struct measured, histogram, "If asked for",
             .shape = SHAPE(struct histogram, histogram_rows), .nullable = true),
    FIELD(struct measured, plan_area, "m2", 0, 0,
          "Of the ground between the vertices, holes cut out unless they are ignored, seen from "
          "above"),
    FIELD(struct measured, surface_area, "m2", 0, 0, "The same along the slopes, if asked for",
          .nullable = true),
    FIELD_AS(FIELD_OBJECT, struct measured, volumes,
             "Between the ground and the plane, if asked for",
             .shape = SHAPE(struct volumes, volumes_rows), .nullable = true),
    { .kind = FIELD_END }
};

const struct shape measured_shape = {
    .name = "statistics", .size = sizeof(struct measured), .fields = rows, .given = -1
};

bool measures_polygon(struct request *rq, const struct view *view, const struct list *points,
                      struct region *region)
{
    const int64_t most = rq->service->limits.region_points;

    if ((int64_t)points->count > most)
        REFUSE(rq, FAULT_LIMIT, "the polygon has %zu points; it may have %lld (region_points)",
               points->count, (long long)most);
    else if (region_polygon(view, points->items, points->count, region, &rq->fault))
        return true;
    return fault_at(&rq->fault, "/polygon");
}

bool measures_fit(struct request *rq, const struct region *region)
{
    const int64_t most = rq->service->limits.region_vertices;

    return rect_area(region->over) <= most ||
           REFUSE(rq, FAULT_LIMIT,
                  "the region, or the rectangle around it, has %lld vertices; it may have %lld "
                  "(region_vertices)",
                  (long long)rect_area(region->over), (long long)most);
}

static bool percentiles_check(struct request *rq, const struct list *percentiles)
{
    const double *percent = percentiles->items;

    for (size_t i = 0; i < percentiles->count; i++)
        if (!(percent[i] >= 0 && percent[i] <= 100)) {
            REFUSE(rq, FAULT_INPUT, "a percentile is between 0 and 100, unlike %g", percent[i]);
            return fault_at(&rq->fault, rq->body ? "/percentiles" : "percentiles");
        }
    return true;
}

static bool measures_check(struct request *rq, const struct measures *measures)
{
    if (measures->bins > 0 && measures->bin_width > 0) {
        REFUSE(rq, FAULT_INPUT, "a histogram has bins or a bin_width, not both");
        return fault_at(&rq->fault, rq->body ? "/bin_width" : "bin_width");
    }
    return percentiles_check(rq, &measures->percentiles);
}

static bool percentiles_fill(struct request *rq, const struct measures *measures,
                             const struct statistics *statistics, struct measured *measured)
{
    const size_t count = measures->percentiles.count;
    const double *percents = measures->percentiles.items;
    double *heights = arena_new(rq->arena, count * sizeof *heights + 1);

    if (!heights)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu percentiles", count);
    for (size_t i = 0; i < count; i++)
        heights[i] = statistics_percentile(statistics, view_grid(rq->view), percents[i]);
    measured->percentiles = (struct list){ count, count ? heights : NULL };
    return true;
}

/* From where to where, in how many bins. */
static bool bins_choose(struct request *rq, const struct measures *measures,
                        const struct statistics *statistics, double ends[2], size_t *count)
{
    const double width = measures->bin_width;
    double first, bins;

    ends[0] = statistics->least;
    ends[1] = statistics->greatest;
    *count = (size_t)measures->bins;
    if (!(width > 0))
        return true;
    first = floor(ends[0] / width);
    bins = floor(ends[1] / width) - first + 1;
    if (!(bins <= MEASURES_BINS)) {
        REFUSE(rq, FAULT_LIMIT, "bins of %g m would be %.0f; there may be %d", width, bins,
               MEASURES_BINS);
        return fault_at(&rq->fault, rq->body ? "/bin_width" : "bin_width");
    }
    ends[0] = first * width;
    ends[1] = (first + bins) * width;
    *count = (size_t)bins;
    return true;
}

static bool histogram_fill(struct request *rq, const struct measures *measures,
                           const struct statistics *statistics, struct histogram *histogram)
{
    double ends[2], *counts;
    uint64_t *bins;
    size_t count;

    histogram->from = NAN;
    if (statistics->vertices == 0 || !(measures->bins > 0 || measures->bin_width > 0))
        return true;
    if (!bins_choose(rq, measures, statistics, ends, &count))
        return false;
    counts = arena_new(rq->arena, count * sizeof *counts);
    bins = arena_new(rq->arena, count * sizeof *bins);
    if (!counts || !bins)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu bins", count);
    statistics_bins(statistics, view_grid(rq->view), ends[0], ends[1], count, bins);
    for (size_t i = 0; i < count; i++)
        counts[i] = (double)bins[i];
    *histogram = (struct histogram){ ends[0],
                                     measures->bin_width > 0 ? measures->bin_width
                                                             : (ends[1] - ends[0]) / (double)count,
                                     { count, counts } };
    return true;
}

static void fill(const struct measures *measures, bool volumes, const struct statistics *from,
                 struct measured *to)
{
    const bool any = from->vertices > 0;

    to->vertices = from->vertices;
    to->least = from->least;
    to->greatest = from->greatest;
    for (int k = 0; k < 2; k++) {
        to->least_at[k] = any ? from->least_at[k] : NAN;
        to->greatest_at[k] = any ? from->greatest_at[k] : NAN;
    }
    to->mean = from->mean;
    to->deviation = from->deviation;
    to->plan_area = from->plan_area;
    to->surface_area = measures->surface ? from->surface_area : NAN;
    to->volumes = (struct volumes){ volumes ? from->above : NAN, from->below, from->area_above,
                                    from->area_below };
}

static bool take(struct request *rq, const struct measures *measures, const double *plane,
                 const struct region *region, struct measured *measured)
{
    struct statistics_asked asked = { .deviation = true,
                                      .ignore_holes = measures->ignore_holes,
                                      .surface_area = measures->surface,
                                      .codes = measures->percentiles.count > 0 ||
                                               measures->bins > 0 || measures->bin_width > 0,
                                      .volumes = plane != NULL };
    struct statistics statistics;
    bool done;

    for (int k = 0; plane && k < 3; k++)
        asked.plane[k] = plane[k];
    if (!measures_fit(rq, region) || !measures_check(rq, measures) ||
        !statistics_of(rq->view, region, &asked, rq->service->executor, &statistics, &rq->fault))
        return false;
    *measured = (struct measured){ .version = rq->view->version };
    fill(measures, plane != NULL, &statistics, measured);
    done = percentiles_fill(rq, measures, &statistics, measured) &&
           histogram_fill(rq, measures, &statistics, &measured->histogram);
    statistics_free(&statistics);
    return done;
}

bool measures_take(struct request *rq, const struct measures *measures, const double *plane,
                   struct region *region, struct measured *measured)
{
    const bool taken = take(rq, measures, plane, region, measured);

    region_fini(region);
    return taken;
}
