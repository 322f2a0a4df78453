#include "api/pictures/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/member.h"
#include "api/pictures/drawing_rasters.h"
#include "api/pictures/showing.h"
#include "api/service.h"

static const char *const auto_words[] = { "auto", NULL };
static const char *const draw_by_words[] = { "auto", "gl", "c", NULL };

static const struct field drawing_rows[] = {
    FIELD(struct drawing, width, "pixels", 1, DRAWING_SIDE_MOST, "Across", .has_value = true,
          .value = 960),
    FIELD(struct drawing, height, "pixels", 1, DRAWING_SIDE_MOST, "Down", .has_value = true,
          .value = 600),
    FIELD_AS(FIELD_CHOICE, struct drawing, mode, "What the picture shows",
             .words = render_mode_names, .has_value = true, .value = RENDER_MODE_lit),
    FIELD_AS(FIELD_CHOICE, struct drawing, geometry, "How the ground is cut into triangles",
             .words = render_geometries, .has_value = true, .value = RENDER_GEOMETRY_auto),
    FIELD(struct drawing, transparent, NULL, 0, 0,
          "Nothing where there is no ground, instead of sky or a plain colour"),
    FIELD(struct drawing, height_blend, NULL, 0, 1,
          "How far below the highest material others still show where several are painted; 0: by "
          "their weights alone",
          .has_value = true, .value = DRAWING_HEIGHT_BLEND),
#define OVERLAY_METRES(name, where, summary)
#define OVERLAY(name, where, summary) FIELD(struct drawing, name, NULL, 0, 0, summary),
#include "render/overlays.def"
#undef OVERLAY
    FIELD(struct drawing, quality, NULL, 1, 100, "Of formats that lose some of it: jpeg, webp",
          .has_value = true, .value = PICTURE_QUALITY),
    SHOWING_ROWS(struct drawing),
#define OVERLAY(name, where, summary)
#define OVERLAY_METRES(name, where, summary)                                                       \
    FIELD_AS(FIELD_PICK, struct drawing, name,                                                     \
             summary ": metres between them, or auto; 0 is none", .words = auto_words,             \
             .unit = "m", .least = 0, .greatest = 1e7),
#include "render/overlays.def"
#undef OVERLAY
    FIELD_AS(FIELD_TEXTS, struct drawing, overlays,
             "What is drawn onto the picture, by name, each as the member of that name",
             .unit = "names", .least = 0, .greatest = 4 * PICTURE_OVERLAYS),
    FIELD_AS(FIELD_CHOICE, struct drawing, draw_by,
             "Who draws: gl; or c, which needs no renderer, of maps in the modes that it has; auto "
             "is c where that can be",
             .words = draw_by_words, .has_value = true, .value = DRAWING_BY_AUTO),
    { .kind = FIELD_END }
};

const struct shape drawing_shape = { .name = "struct drawing",
                                     .size = sizeof(struct drawing),
                                     .fields = drawing_rows,
                                     .base = &lighting_shape,
                                     .given = -1 };

static const struct field sun_rows[] = {
    FIELD(struct drawing_sun, azimuth, "degrees", -360, 360,
          "Where the sun stands, from north clockwise", .has_value = true, .value = 315),
    FIELD(struct drawing_sun, elevation, "degrees", -90, 90, "How high it stands",
          .has_value = true, .value = 45),
    { .kind = FIELD_END }
};

static const struct field body_rows[] = {
    FIELD_AS(FIELD_OBJECT, struct drawing_body, camera, VIEWING_HELP, .shape = &viewing_shape),
    FIELD_AS(FIELD_OBJECT, struct drawing_body, sun, "Where the light comes from",
             .shape = SHAPE(struct drawing_sun, sun_rows)),
    FIELD_AS(FIELD_OBJECT, struct drawing_body, lod,
             "How the geometries component and quadtree select detail, as lod takes it",
             .shape = &selection_detail_shape),
    FIELD_AS(
        FIELD_CHOICE, struct drawing_body, output,
        "What is told of each pixel; other than colours, in the format raw: depth (metres ahead "
        "of the eye) and height as f32, normal as signed bytes, id as u32 one more than the "
        "triangle's number",
        .words = render_outputs, .has_value = true, .value = RENDER_OUTPUT_colour),
    FIELD_AS(
        FIELD_CHOICE, struct drawing_body, format,
        "A file; or raw: four bytes a pixel, rows from the top; or scene: what landscaped-render "
        "--scene draws the picture from, alone, on another machine",
        .words = picture_format_names, .has_value = true, .value = PICTURE_png),
    { .kind = FIELD_END }
};

const struct shape drawing_body_shape = { .name = "struct drawing_body",
                                          .size = sizeof(struct drawing_body),
                                          .fields = body_rows,
                                          .base = &drawing_shape,
                                          .given = -1 };

/* The list says no more than that each is there: a number that its own member has stays. */
static bool take_overlays(const struct drawing *drawing, struct picture_overlays *overlays,
                          const char *root, struct fault *why)
{
    bool listed[PICTURE_OVERLAYS] = { false };

    for (size_t i = 0; i < drawing->overlays.count; i++) {
        const char *name = ((const char *const *)drawing->overlays.items)[i];
        const int overlay = word_choose(picture_overlay_names, name, strlen(name), why);

        if (overlay < 0)
            return *root ? fault_at(why, "%soverlays/%zu", root, i) : fault_at(why, "overlays");
        listed[overlay] = true;
    }
#define OVERLAY(name, where, summary)                                                              \
    overlays->name = drawing->name || listed[PICTURE_OVERLAY_##name];
#define OVERLAY_METRES(name, where, summary)                                                       \
    overlays->name = listed[PICTURE_OVERLAY_##name] && drawing->name == 0 ? NAN : drawing->name;
#include "render/overlays.def"
#undef OVERLAY
    return true;
}

bool drawing_settle(const struct view *view, const struct drawing *drawing, struct picture *picture,
                    const char *root, struct fault *why)
{
    const char *member = "";

    if (picture_settle(view, picture, drawing->draw_by == DRAWING_BY_C, &member, why))
        return true;
    for (size_t i = 0; i < drawing->overlays.count; i++)
        if (!strcmp(((const char *const *)drawing->overlays.items)[i], member))
            return *root ? fault_at(why, "%soverlays/%zu", root, i) : fault_at(why, "overlays");
    return fault_at(why, "%s%s", root, member);
}

bool drawing_options(const struct drawing *drawing, struct picture *picture, const char *root,
                     struct fault *why)
{
    picture->width = drawing->width;
    picture->height = drawing->height;
    picture->mode = drawing->mode;
    picture->geometry = drawing->geometry;
    picture->transparent = drawing->transparent;
    picture->cover.depth = drawing->height_blend;
    picture->by_gl = drawing->draw_by == DRAWING_BY_GL;
    return take_overlays(drawing, &picture->overlays, root, why) &&
           lighting_options(&drawing->light, picture, root, why);
}

/* How detail is selected, for geometries that do. */
static bool take_lod(struct request *rq, const struct selection *lod, struct picture *picture)
{
    bool components = picture->geometry == RENDER_GEOMETRY_component;

    if (components || picture->geometry == RENDER_GEOMETRY_quadtree) {
        picture->lod_said = true;
        return selection_detail(rq, lod, components ? SELECTION_COMPONENT : SELECTION_QUADTREE,
                                &picture->lod) ||
               fault_within(&rq->fault, "/lod");
    }
    if (!lod->given)
        return true;
    REFUSE(rq, FAULT_INPUT, "lod is of the geometries component and quadtree, and this is %s",
           render_geometries[picture->geometry]);
    return fault_at(&rq->fault, "/lod");
}

bool drawing_picture(struct request *rq, const struct view *view, const struct drawing_body *body,
                     struct picture *picture)
{
    *picture = (struct picture){ .light = { .sun_azimuth = body->sun.azimuth,
                                            .sun_elevation = body->sun.elevation } };
    if (!drawing_options(&body->common, picture, "/", &rq->fault))
        return false;
    picture->output = body->output;
    picture->behind = rq->behind;
    if (!take_lod(rq, &body->lod, picture) || !showing_take(rq, view, &body->common, picture))
        return false;
    if (!viewing_check(rq, &body->camera))
        return false;
    viewing_camera(view, &body->camera, &picture->camera);
    return drawing_settle(view, &body->common, picture, "/", &rq->fault);
}

bool drawing_answer(struct request *rq, const struct picture *picture,
                    const struct picture_format *format, int quality)
{
    struct picture opened = *picture;
    struct bytes pixels = { 0 };
    const struct picture_rasters rasters = drawing_rasters(rq->service->gallery);
    struct view *before;
    struct drawn drawn;
    bool made;

    opened.cover.rasters = &rasters;
    if (!rq->service->renderer)
        return REFUSE(rq, FAULT_WORKER, "This server was started without a renderer");
    if (!picture_format_fits(format, picture, &rq->fault))
        return fault_at(&rq->fault, "/format");
    if (!showing_open(rq, &opened, &before))
        return false;
    if (format->write)
        made =
            renderer_paint(rq->service->renderer, rq->view, &opened, &pixels, &drawn, &rq->fault) &&
            format->write(picture, pixels.data, quality, &rq->bytes, &rq->fault);
    else
        made = renderer_scene(rq->service->renderer, rq->view, &opened, &rq->bytes, &rq->fault);
    if (made && format->write)
        snprintf(rq->drawn_by, sizeof rq->drawn_by, "%s", drawn.by);
    if (made)
        drawing_warn(rq, picture);
    bytes_free(&pixels);
    view_drop(before);
    return made;
}
