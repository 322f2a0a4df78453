/* Which way the ground falls at a rectangle of vertices. */
#include "api/rasters/landform.h"

static double shade(void *context, double degrees)
{
    (void)context;
    return 1 + 254 * degrees / 360;
}

static bool run(struct request *rq, const void *asked, void *into)
{
    static const struct landform_answer answer = { LANDFORM_ASPECT, NULL, shade, 360,
                                                   "\"unit\":\"degrees\"," };

    (void)into;
    return landform_write(rq, asked, &answer);
}

const struct endpoint endpoint_get_aspects = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/aspect",
    .summary = "Which way the ground falls at a rectangle of vertices (Horn), in degrees clockwise "
               "from north: floats, JSON rows, or grays from 1 at 0 to 255 at 360; NaN, null or 0 "
               "in holes and where it is level",
    .example = "x=0&y=0&width=4&height=2&format=json",
    .example_path = "/v1/landscapes/demo/aspect",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &landform_shape,
    .media_out = landform_media,
    .formats = landform_formats,
    .newest = landform_newest,
    .run = run,
};
