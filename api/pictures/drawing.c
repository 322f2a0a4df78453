#include "api/pictures/drawing.h"

#include "api/service.h"
#include "terrain/format/png_write.h"

static const struct field sizing_rows[] = {
    FIELD(struct sizing, width, "pixels", 1, DRAWING_SIDE_MOST, "Across", .has_value = true,
          .value = 960),
    FIELD(struct sizing, height, "pixels", 1, DRAWING_SIDE_MOST, "Down", .has_value = true,
          .value = 600),
    FIELD_AS(FIELD_CHOICE, struct sizing, mode, "What the picture shows", .words = render_modes,
             .has_value = true, .value = RENDER_MODE_lit),
    { .kind = FIELD_END }
};

const struct shape sizing_shape = {
    .name = "struct sizing", .size = sizeof(struct sizing), .fields = sizing_rows, .given = -1
};

/* RGBA to RGB in place: pictures are opaque. */
static void drop_alpha(struct bytes *pixels)
{
    size_t count = pixels->length / 4;

    for (size_t i = 1; i < count; i++)
        for (int channel = 0; channel < 3; channel++)
            pixels->data[3 * i + channel] = pixels->data[4 * i + channel];
    pixels->length = 3 * count;
}

bool drawing_answer(struct request *rq, const struct picture *picture, bool png)
{
    struct bytes pixels = { 0 };
    bool made;

    if (!rq->service->renderer)
        return REFUSE(rq, FAULT_WORKER, "This server was started without a renderer");
    if (!png)
        return renderer_draw(rq->service->renderer, rq->view, picture, &rq->bytes, &rq->fault);
    made = renderer_draw(rq->service->renderer, rq->view, picture, &pixels, &rq->fault);
    if (made) {
        drop_alpha(&pixels);
        made = png_write(PNG_RGB8, picture->width, picture->height, pixels.data, PNG_FAST,
                         &rq->bytes, &rq->fault);
    }
    bytes_free(&pixels);
    return made;
}
