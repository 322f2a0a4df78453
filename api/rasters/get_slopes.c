/* How steep the ground is at a rectangle of vertices. */
#include <math.h>

#include "api/rasters/landform.h"

struct slopes_asked {
    struct landform_asked landform;
    int unit;
    double steepest;
};

static const char *const unit_words[] = { "degrees", "percent", NULL };
enum { DEGREES, PERCENT };

static const struct field asks[] = {
    FIELD_AS(FIELD_CHOICE, struct slopes_asked, unit,
             "Degrees from the horizontal, or metres of rise in 100 m", .words = unit_words),
    FIELD(struct slopes_asked, steepest, NULL, 0.001, 1e6,
          "Of a PNG: the slope, in that unit, of gray 255; level ground is 1, and 0 is none",
          .has_value = true, .value = 60),
    { .kind = FIELD_END }
};

static double percent(double degrees)
{
    return 100 * tan(degrees * (3.14159265358979323846 / 180));
}

static double shade(void *context, double slope)
{
    return 1 + 254 * fmin(slope / ((const struct landform_answer *)context)->end, 1);
}

static bool run(struct request *rq, const void *data, void *into)
{
    const struct slopes_asked *asked = data;
    const bool degrees = asked->unit == DEGREES;
    const struct landform_answer answer = { LANDFORM_SLOPE, degrees ? NULL : percent, shade,
                                            asked->steepest,
                                            degrees ? "\"unit\":\"degrees\","
                                                    : "\"unit\":\"percent\"," };

    (void)into;
    return landform_write(rq, &asked->landform, &answer);
}

const struct endpoint endpoint_get_slopes = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/slope",
    .summary = "How steep the ground is at a rectangle of vertices (Horn): floats, JSON rows or "
               "grays; NaN, null or 0 in holes",
    .example = "x=0&y=0&width=4&height=2&format=json&unit=percent",
    .example_path = "/v1/landscapes/demo/slope",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "slopes",
                                   .size = sizeof(struct slopes_asked),
                                   .fields = asks,
                                   .base = &landform_shape,
                                   .given = -1 },
    .media_out = landform_media,
    .formats = landform_formats,
    .newest = landform_newest,
    .run = run,
};
