/* What the endpoints of pictures share. */
#ifndef API_PICTURES_DRAWING_H
#define API_PICTURES_DRAWING_H

#include "api/endpoint.h"
#include "render/renderer.h"

enum { DRAWING_SIDE_MOST = 32768 };

/* Members of a picture that both endpoints have. */
struct sizing {
    int32_t width, height;
    int mode;
};
extern const struct shape sizing_shape;

/* Draws the picture into rq->bytes, as a PNG or as RGBA8 rows from the top. */
bool drawing_answer(struct request *rq, const struct picture *picture, bool png);

#endif
