/* The collision heightfield at a mip: what it is, or itself in the layout that an engine takes. */
#include <math.h>
#include <stdio.h>

#include "api/meshes/meshes.h"
#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/format/collision_format.h"

#define COLLISION_FORMAT(name, media) media,
static const char *const media_out[] = { "application/json",
#include "terrain/format/collision_formats.def"
                                         NULL };
#undef COLLISION_FORMAT

#define COLLISION_FORMAT(name, media) #name,
static const char *const formats[] = { "json",
#include "terrain/format/collision_formats.def"
                                       NULL };
#undef COLLISION_FORMAT

enum { AS_JSON, FIRST_FORMAT }; /* in media_out */
enum { BLOCK_LEAST = 2, BLOCK_MOST = 8 };

struct asked {
    struct window_asked window;
    int32_t mip, block;
    int holes;
    bool ignore_holes, errors;
};

static const struct field asks[] = {
    FIELD(struct asked, mip, NULL, 0, LAYOUT_LODS_MOST - 1,
          "Coarser by so many halvings of each section; x, y, width and height count its samples"),
    FIELD_AS(FIELD_CHOICE, struct asked, holes,
             "Of f32 and jolt, where samples make holes: one is left out when all quads around it "
             "are holes, or when any is",
             .words = hole_words, .has_value = true, .value = HOLES_ANY),
    FIELD(struct asked, ignore_holes, NULL, 0, 0,
          "Whether holes are solid, with the heights beneath"),
    FIELD(struct asked, block, "samples", BLOCK_LEAST, BLOCK_MOST,
          "Of jolt: the side is a multiple of it", .has_value = true, .value = BLOCK_MOST),
    FIELD(struct asked, errors, NULL, 0, 0, "Of json: also the error of each component"),
    { .kind = FIELD_END }
};

static const struct shape asks_shape = { .name = "collision_asked",
                                         .size = sizeof(struct asked),
                                         .fields = asks,
                                         .base = &window_shape,
                                         .given = -1 };

/* The document */

struct format_document {
    const char *name, *engine, *media, *href, *refused;
    const char *axes, *layout, *holes;
    struct list counts; /* of double */
    double scale[3], position[3], rotation[4], range[2];
    int64_t bytes;
};

static const struct field format_rows[] = {
    FIELD(struct format_document, name, NULL, 0, 0, "The word for ?format="),
    FIELD(struct format_document, engine, NULL, 0, 0, "What takes it"),
    FIELD(struct format_document, media, NULL, 0, 0, "Its media type"),
    FIELD(struct format_document, href, NULL, 0, 0, "Where it is, of this version and window"),
    FIELD(struct format_document, refused, NULL, 0, 0, "Why this window cannot be had so, or null",
          .nullable = true),
    FIELD(struct format_document, axes, NULL, 0, 0,
          "xyz: the landscape's, z up and y south; xzy: y up and z south"),
    FIELD(struct format_document, layout, NULL, 0, 0, "What the bytes are; little-endian"),
    FIELD(struct format_document, holes, NULL, 0, 0, "How a hole is told"),
    FIELD_AS(FIELD_NUMBERS, struct format_document, counts,
             "Samples along the first and second index; of lists vertices and triangles"),
    FIELD_AS(
        FIELD_REALS, struct format_document, scale,
        "In the axes: a value at (a, b) is at position + rotation * (scale * (a, value, b)); "
        "with axes xyz at position + scale * (a, b, value); Bullet's and Rapier's are centred, as "
        "their layouts say",
        .count = 3),
    FIELD_AS(FIELD_REALS, struct format_document, position, "Of the shape, metres", .count = 3),
    FIELD_AS(FIELD_REALS, struct format_document, rotation, "Of the shape: x, y, z, w", .count = 4),
    FIELD_AS(FIELD_REALS, struct format_document, range, "The least and the greatest value",
             .count = 2),
    FIELD(struct format_document, bytes, "bytes", 0, 0, "How long it is"),
    { .kind = FIELD_END }
};

struct document {
    uint64_t version;
    int32_t mip, mips, columns, rows, x, y, width, height;
    double spacing, step[2], origin[3], height_scale, height_range[2];
    int64_t holes;
    double error;
    struct rect components;
    struct list errors; /* of double */
    struct list formats;
};

static const struct field document_rows[] = {
    FIELD(struct document, version, NULL, 0, 0, "The version that was asked"),
    FIELD(struct document, mip, NULL, 0, 0, "The mip"),
    FIELD(struct document, mips, NULL, 0, 0, "Mips there are"),
    FIELD(struct document, columns, "samples", 0, 0, "Of the whole landscape at this mip"),
    FIELD(struct document, rows, "samples", 0, 0, "Of the whole landscape at this mip"),
    FIELD(struct document, x, "samples", 0, 0, "The window's westernmost column"),
    FIELD(struct document, y, "samples", 0, 0, "The window's northernmost row"),
    FIELD(struct document, width, "samples", 0, 0, "Columns of the window"),
    FIELD(struct document, height, "samples", 0, 0, "Rows of the window"),
    FIELD(struct document, spacing, "quads", 0, 0, "Quads of the landscape between two samples"),
    FIELD_AS(FIELD_REALS, struct document, step, "Metres between two samples, east and south",
             .count = 2, .unit = "m"),
    FIELD_AS(FIELD_REALS, struct document, origin,
             "Local metres of the window's north-west sample, at code 32768", .count = 3,
             .unit = "m"),
    FIELD(struct document, height_scale, "m", 0, 0, "Metres a code"),
    FIELD_AS(FIELD_REALS, struct document, height_range,
             "The least and the greatest height, beneath holes too", .count = 2, .unit = "m"),
    FIELD(struct document, holes, "quads", 0, 0,
          "Quads that are holes: where the base quad that holds the centre is one"),
    FIELD(struct document, error, "m", 0, 0,
          "The greatest vertical distance from the surface at LOD 0, where both are solid, in the "
          "components that the window meets"),
    FIELD(struct document, components, NULL, 0, 0, "Those components"),
    FIELD_AS(FIELD_NUMBERS, struct document, errors,
             "With errors=true the error of each of them, row by row", .unit = "m",
             .nullable = true),
    FIELD_AS(FIELD_LIST, struct document, formats, "What the window can be had as",
             .shape = SHAPE(struct format_document, format_rows)),
    { .kind = FIELD_END }
};

/* What is asked, checked */

struct work {
    struct collision grid;
    struct rect samples;
};

static bool small_enough(struct request *rq, struct rect samples)
{
    const int64_t most = rq->service->limits.collision_samples;

    return rect_area(samples) <= most ||
           REFUSE(rq, FAULT_LIMIT,
                  "the window has %lld samples; at most %lld go into one answer "
                  "(collision_samples), a higher mip makes them fewer",
                  (long long)rect_area(samples), (long long)most);
}

static const struct collision_format *format_of(const struct request *rq)
{
    return rq->media_out >= FIRST_FORMAT ? collision_formats[rq->media_out - FIRST_FORMAT] : NULL;
}

static int64_t triangles_most(struct rect samples)
{
    return 2 * (int64_t)(samples.width - 1) * (samples.height - 1);
}

static bool work_init(struct request *rq, const struct asked *asked, struct work *work)
{
    const struct collision_format *format = format_of(rq);

    if (!collision_init(&work->grid, rq->view, asked->mip, rq->service->derived,
                        rq->service->executor, &rq->fault))
        return fault_at(&rq->fault, "mip");
    if (!window_samples(&asked->window, work->grid.columns, work->grid.rows, &work->samples,
                        &rq->fault))
        return false;
    if (work->samples.width < 2 || work->samples.height < 2) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "a heightfield has 2 x 2 samples at least, not %d x %d",
               work->samples.width, work->samples.height);
        return fault_at(&rq->fault, work->samples.width < 2 ? "width" : "height");
    }
    return small_enough(rq, work->samples) &&
           (!format || !format->triangles ||
            meshes_within_limit(rq, triangles_most(work->samples)));
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct work work;

    if (!work_init(rq, asked, &work))
        return false;
    *version = format_of(rq) ? view_newest(rq->view, collision_reach(&work.grid, work.samples))
                             : rq->view->version; /* which the document tells */
    return true;
}

/* Why the format cannot be had, or NULL. */
static const char *refusal(struct request *rq, const struct collision_window *window,
                           const struct collision_format *format)
{
    struct fault why;

    if (format->check && !format->check(window, &why))
        return arena_text(rq->arena, why.detail);
    if (format->triangles && triangles_most(window->samples) > rq->service->limits.mesh_triangles)
        return "more triangles than go into one mesh (mesh_triangles)";
    return NULL;
}

static bool format_describe(struct request *rq, const struct asked *asked,
                            const struct collision_window *window, int which,
                            struct format_document *document)
{
    const struct collision_format *format = collision_formats[which];
    const struct rect *samples = &window->samples;
    struct collision_place place;
    double *counts = arena_new(rq->arena, 2 * sizeof *counts);

    format->place(window, &place);
    *document = (struct format_document){
        .name = formats[FIRST_FORMAT + which],
        .engine = format->engine,
        .media = media_out[FIRST_FORMAT + which],
        .href = arena_print(rq->arena,
                            "/v1/landscapes/%s/"
                            "collision?format=%s&mip=%d&x=%d&y=%d&width=%d&height=%d&holes=%s&"
                            "ignore_holes=%s&block=%d&version=%llu",
                            rq->landscape_name, formats[FIRST_FORMAT + which], asked->mip,
                            samples->x, samples->y, samples->width, samples->height,
                            hole_words[asked->holes], asked->ignore_holes ? "true" : "false",
                            asked->block, (unsigned long long)rq->view->version),
        .refused = refusal(rq, window, format),
        .axes = format->axes == AXES_Y_UP ? "xzy" : "xyz",
        .layout = format->layout,
        .holes = format->holes,
        .counts = { 2, counts },
        .bytes = place.bytes,
    };
    memcpy(document->scale, place.scale, sizeof place.scale);
    memcpy(document->position, place.position, sizeof place.position);
    memcpy(document->rotation, place.rotation, sizeof place.rotation);
    memcpy(document->range, place.range, sizeof place.range);
    if (!counts || !document->href)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the formats");
    counts[0] = (double)place.counts[0];
    counts[1] = (double)place.counts[1];
    return true;
}

static bool describe(struct request *rq, const struct asked *asked,
                     const struct collision_window *window, struct document *document)
{
    const struct collision *grid = window->grid;
    const struct grid *metres = view_grid(rq->view);
    const struct rect *samples = &window->samples;
    struct format_document *all = arena_new(rq->arena, COLLISION_FORMATS * sizeof *all);

    *document = (struct document){
        .version = rq->view->version,
        .mip = asked->mip,
        .mips = collision_mips(rq->view),
        .columns = grid->columns,
        .rows = grid->rows,
        .x = samples->x,
        .y = samples->y,
        .width = samples->width,
        .height = samples->height,
        .spacing = grid->spacing,
        .step = { grid->spacing * metres->scale[0], grid->spacing * metres->scale[1] },
        .origin = { metres->origin[0] + samples->x * grid->spacing * metres->scale[0],
                    metres->origin[1] + samples->y * grid->spacing * metres->scale[1],
                    metres->origin[2] },
        .height_scale = metres->scale[2] / 128,
        .height_range = { grid_metres(metres, window->least),
                          grid_metres(metres, window->greatest) },
        .holes = window->hole_count,
        .components = collision_components(grid, *samples),
        .formats = { COLLISION_FORMATS, all },
    };
    if (!all)
        return REFUSE(rq, FAULT_MEMORY, "no memory for the formats");
    for (int which = 0; which < COLLISION_FORMATS; which++)
        if (!format_describe(rq, asked, window, which, &all[which]))
            return false;
    return true;
}

static bool errors_take(struct request *rq, const struct collision *grid, struct document *document)
{
    const size_t count = (size_t)rect_area(document->components);
    double *errors = arena_new(rq->arena, count * sizeof *errors);

    if (!errors)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu errors", count);
    document->errors = (struct list){ count, errors };
    return collision_errors(grid, document->components, errors, &rq->fault);
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct asked *asked = data;
    const struct collision_format *format = format_of(rq);
    struct collision_window window = { .rule = (enum hole_rule)asked->holes,
                                       .block = asked->block };
    struct work work;
    double error;
    bool done;

    if (!work_init(rq, asked, &work))
        return false;
    window.grid = &work.grid;
    window.samples = work.samples;
    if (!collision_window_read(&window, asked->ignore_holes, &rq->fault))
        return false;
    done = collision_error(&work.grid, collision_components(&work.grid, work.samples), &error,
                           &rq->fault);
    if (done && format)
        done = (!format->check || format->check(&window, &rq->fault)) &&
               format->write(&window, &rq->bytes, &rq->fault);
    else if (done)
        done = describe(rq, asked, &window, answer) &&
               (!asked->errors || errors_take(rq, &work.grid, answer));
    collision_window_free(&window);
    if (!done)
        return false;
    meshes_say_error(rq, error);
    if (!format)
        ((struct document *)answer)->error = error;
    return true;
}

const struct endpoint endpoint_get_collision = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/collision",
    .summary = "The collision heightfield at a mip: what it is and how it is placed, or itself in "
               "the layout of a physics engine",
    .example = "mip=1&width=8&height=8",
    .example_path = "/v1/landscapes/demo/collision",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &asks_shape,
    .media_out = media_out,
    .formats = formats,
    .answers = SHAPE(struct document, document_rows),
    .kept = true,
    .newest = newest,
    .run = run,
};
