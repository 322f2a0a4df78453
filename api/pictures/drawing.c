#include "api/pictures/drawing.h"

#include "api/service.h"
#include "terrain/format/png_write.h"

static const struct field drawing_rows[] = {
    FIELD(struct drawing, width, "pixels", 1, DRAWING_SIDE_MOST, "Across", .has_value = true,
          .value = 960),
    FIELD(struct drawing, height, "pixels", 1, DRAWING_SIDE_MOST, "Down", .has_value = true,
          .value = 600),
    FIELD_AS(FIELD_CHOICE, struct drawing, mode, "What the picture shows",
             .words = render_mode_names, .has_value = true, .value = RENDER_MODE_lit),
    FIELD_AS(FIELD_CHOICE, struct drawing, geometry, "How the ground is cut into triangles",
             .words = render_geometries, .has_value = true, .value = RENDER_GEOMETRY_auto),
    { .kind = FIELD_END }
};

const struct shape drawing_shape = {
    .name = "struct drawing", .size = sizeof(struct drawing), .fields = drawing_rows, .given = -1
};

static const struct field sun_rows[] = {
    FIELD(struct drawing_sun, azimuth, "degrees", -360, 360,
          "Where the sun stands, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct drawing_sun, elevation, "degrees", -90, 90, "How high it stands",
          .has_value = true, .value = 45),
    { .kind = FIELD_END }
};

static const char *const formats[] = { "png", "raw", NULL };

static const struct field body_rows[] = {
    FIELD_AS(FIELD_OBJECT, struct drawing_body, camera, VIEWING_HELP, .shape = &viewing_shape),
    FIELD_AS(FIELD_OBJECT, struct drawing_body, sun, "Where the light comes from",
             .shape = SHAPE(struct drawing_sun, sun_rows)),
    FIELD_AS(FIELD_CHOICE, struct drawing_body, format, "A PNG, or RGBA rows from the top",
             .words = formats, .has_value = true, .value = DRAWING_PNG),
    { .kind = FIELD_END }
};

const struct shape drawing_body_shape = { .name = "struct drawing_body",
                                          .size = sizeof(struct drawing_body),
                                          .fields = body_rows,
                                          .base = &drawing_shape,
                                          .given = -1 };

const char *const drawing_media[] = { "image/png", "application/octet-stream", NULL };

void drawing_options(const struct drawing *drawing, struct picture *picture)
{
    picture->width = drawing->width;
    picture->height = drawing->height;
    picture->mode = drawing->mode;
    picture->geometry = drawing->geometry;
}

bool drawing_picture(struct request *rq, const struct view *view, const struct drawing_body *body,
                     struct picture *picture)
{
    *picture = (struct picture){ .light = { .sun_azimuth = body->sun.azimuth,
                                            .sun_elevation = body->sun.elevation } };
    drawing_options(&body->common, picture);
    if (!viewing_check(rq, &body->camera))
        return false;
    viewing_camera(view, &body->camera, &picture->camera);
    return true;
}

/* RGBA to RGB in place: pictures are opaque. */
static void drop_alpha(struct bytes *pixels)
{
    size_t count = pixels->length / 4;

    for (size_t i = 1; i < count; i++)
        for (int channel = 0; channel < 3; channel++)
            pixels->data[3 * i + channel] = pixels->data[4 * i + channel];
    pixels->length = 3 * count;
}

bool drawing_answer(struct request *rq, const struct picture *picture, enum drawing_format format)
{
    struct bytes pixels = { 0 };
    bool made;

    if (!rq->service->renderer)
        return REFUSE(rq, FAULT_WORKER, "This server was started without a renderer");
    if (format == DRAWING_RAW)
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
