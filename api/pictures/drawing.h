/* A picture as requests describe it: the one description that both endpoints and jobs' views share.
 *
 * What every request may say stands flat in `drawing_rows` (a query has no nested members); a body
 * says the camera and the sun as objects besides. An option of a picture is a row there, a member
 * of struct picture (render/picture.h), and a line in drawing_options. */
#ifndef API_PICTURES_DRAWING_H
#define API_PICTURES_DRAWING_H

#include "api/endpoint.h"
#include "api/pictures/formats.h"
#include "api/pictures/lighting.h"
#include "api/meshes/selection.h"
#include "api/viewing.h"
#include "render/renderer.h"

#define DRAWING_HEIGHT_BLEND 0.2 /* of materials, unless told otherwise */

enum { DRAWING_SIDE_MOST = 32768 };

/* Who is to draw. */
enum drawing_by { DRAWING_BY_AUTO, DRAWING_BY_GL, DRAWING_BY_C };

/* What both a query and a body say. */
struct drawing {
    struct lighting light; /* the base */
    int32_t width, height;
    int mode, geometry;
    int draw_by; /* enum drawing_by */
    double height_blend;
    bool transparent;
    int32_t quality;
    int ramp; /* of ramp_choices */
    double range[2], interval;
    const char *layer;
    int64_t against;
    int32_t mip;
    bool multidirectional;
#define OVERLAY_METRES(name, where, summary) double name; /* NaN: to be chosen */
#define OVERLAY(name, where, summary)        bool name;
#include "render/overlays.def"
#undef OVERLAY
    struct list overlays; /* const char *: the same by name */
};
extern const struct shape drawing_shape;

/* What a body says. */
struct drawing_sun {
    double azimuth, elevation;
};
struct drawing_body {
    struct drawing common;
    struct viewing camera;
    struct drawing_sun sun;
    struct selection lod; /* selection_detail_shape */
    int output;           /* enum render_output */
    int format;           /* enum picture_format_at */
};
extern const struct shape drawing_body_shape;

/* The options of a picture that both say; camera and sun are left. Fails with INPUT, placed at the
 * member below `root`: "/" in a body, "" in a query. */
bool drawing_options(const struct drawing *drawing, struct picture *picture, const char *root,
                     struct fault *why);

/* The picture of a body, whose positions have come as grid coordinates. Fails with INPUT, placed at
 * the member within the body. */
bool drawing_picture(struct request *rq, const struct view *view, const struct drawing_body *body,
                     struct picture *picture);

/* What can be judged only when the picture has its camera: who is to draw it, and its overlays; a
 * grid gets its lines. Fails with INPUT, placed at the member below `root`. */
bool drawing_settle(const struct view *view, const struct drawing *drawing, struct picture *picture,
                    const char *root, struct fault *why);

/* Draws the picture of rq->view into rq->bytes, in the format. Fails with INPUT, placed at the
 * member "format", when they do not go together. */
bool drawing_answer(struct request *rq, const struct picture *picture,
                    const struct picture_format *format, int quality);

#endif
