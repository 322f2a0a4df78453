/* How the ground bends at a rectangle of vertices. */
#include <math.h>

#include "api/rasters/landform.h"

struct curvatures_asked {
    struct landform_asked landform;
    int kind; /* index into kinds */
    double strongest;
};

static const char *const kinds[] = { "mean", "plan", "profile", NULL };
static const enum landform of_kind[] = { LANDFORM_MEAN, LANDFORM_PLAN, LANDFORM_PROFILE };
static const char *const members[] = { "\"kind\":\"mean\",\"unit\":\"1/m\",",
                                       "\"kind\":\"plan\",\"unit\":\"1/m\",",
                                       "\"kind\":\"profile\",\"unit\":\"1/m\"," };

static const struct field asks[] = {
    FIELD_AS(FIELD_CHOICE, struct curvatures_asked, kind,
             "Of the surface, of the contour line, or of the section down the slope; above 0 is "
             "convex",
             .words = kinds),
    FIELD(struct curvatures_asked, strongest, "1/m", 0, 1e6,
          "Of a PNG: the curvature of gray 255, its negative being 1 and none 128; 0 is no number",
          .above_least = true, .has_value = true, .value = 0.1),
    { .kind = FIELD_END }
};

static double shade(void *context, double curvature)
{
    const double end = ((const struct landform_answer *)context)->end;

    return 128 + 127 * fmin(fmax(curvature / end, -1), 1);
}

static bool run(struct request *rq, const void *data, void *into)
{
    const struct curvatures_asked *asked = data;
    const struct landform_answer answer = { of_kind[asked->kind], NULL, shade, asked->strongest,
                                            members[asked->kind] };

    (void)into;
    return landform_write(rq, &asked->landform, &answer);
}

const struct endpoint endpoint_get_curvatures = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/curvature",
    .summary = "How the ground bends at a rectangle of vertices (Evans): floats, JSON rows or "
               "grays; NaN, null or 0 in holes, and of plan and profile where it is level",
    .example = "x=0&y=0&width=4&height=2&format=json&kind=profile",
    .example_path = "/v1/landscapes/demo/curvature",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "curvatures",
                                   .size = sizeof(struct curvatures_asked),
                                   .fields = asks,
                                   .base = &landform_shape,
                                   .given = -1 },
    .media_out = landform_media,
    .formats = landform_formats,
    .newest = landform_newest,
    .run = run,
};
