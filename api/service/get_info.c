/* What this server is: version, limits, store, renderer. */
#include "api/endpoint.h"
#include "api/json_write.h"
#include "api/service.h"
#include "render/renderer.h"

#include <string.h>

struct drawing {
    const char *backend, *api, *vendor, *renderer, *passed_over, *reason, *draws;
    const char *map_modes;
};

struct storing {
    const char *engine;
    int64_t landscapes, memory_bytes, store_bytes;
};

struct info {
    const char *name, *version;
    struct storing store;
    struct drawing renderer;
    struct json_text limits;
};

static const struct field drawing_rows[] = {
    FIELD(struct drawing, backend, NULL, 0, 0,
          "egl-device, egl-surfaceless, osmesa, …; null when only maps can be drawn"),
    FIELD(struct drawing, api, NULL, 0, 0, "The version of OpenGL"),
    FIELD(struct drawing, vendor, NULL, 0, 0, "Whose driver it is"),
    FIELD(struct drawing, renderer, NULL, 0, 0, "What draws"),
    FIELD(struct drawing, passed_over, NULL, 0, 0,
          "The ways to draw that were tried before, and why each failed"),
    FIELD(struct drawing, draws, NULL, 0, 0,
          "all; or maps: pictures without perspective from right above, in those modes alone"),
    FIELD(struct drawing, map_modes, NULL, 0, 0, "The modes whose maps need no renderer"),
    FIELD(struct drawing, reason, NULL, 0, 0, "Why nothing but maps can be drawn"),
    { .kind = FIELD_END }
};

static const struct field storing_rows[] = {
    FIELD(struct storing, engine, NULL, 0, 0, "What keeps the landscapes"),
    FIELD(struct storing, landscapes, NULL, 0, 0, "How many there are"),
    FIELD(struct storing, memory_bytes, "bytes", 0, 0, "What they take in memory"),
    FIELD(struct storing, store_bytes, "bytes", 0, 0, "What they take on disk"),
    { .kind = FIELD_END }
};

static const struct field answers[] = {
    FIELD(struct info, name, NULL, 0, 0, "The program"),
    FIELD(struct info, version, NULL, 0, 0, "Of this build"),
    FIELD_AS(FIELD_OBJECT, struct info, store, "The store",
             .shape = SHAPE(struct storing, storing_rows)),
    FIELD_AS(FIELD_OBJECT, struct info, renderer, "The renderer",
             .shape = SHAPE(struct drawing, drawing_rows)),
    FIELD(struct info, limits, NULL, 0, 0,
          "What clients can make this server allocate or wait for"),
    { .kind = FIELD_END }
};

static bool limits_print(struct request *rq, struct json_text *limits)
{
    struct bytes text = { 0 };
    bool printed = bytes_print(&text, &rq->fault, "{");

    for (const struct limit_row *row = limit_rows; printed && row->name; row++)
        printed = bytes_print(&text, &rq->fault, "%s\"%s\":%lld", row == limit_rows ? "" : ",",
                              row->name, (long long)*limits_at(&rq->service->limits, row->name));
    printed = printed && bytes_add(&text, "}", 2, &rq->fault);
    limits->text = printed ? arena_copy(rq->arena, text.data, text.length) : NULL;
    bytes_free(&text);
    return limits->text || !printed || REFUSE(rq, FAULT_MEMORY, "No memory for the limits");
}

/* No picture is a state to tell, not a failure of this answer. */
static bool renderer_tell(struct request *rq, struct drawing *drawing)
{
    struct renderer_about *about = arena_new(rq->arena, sizeof *about);
    char modes[MAP_MODES_ROOM];
    struct fault why;

    if (!about)
        return REFUSE(rq, FAULT_MEMORY, "No memory for the renderer");
    if (!rq->service->renderer) {
        drawing->reason = "This server was started without a renderer";
        return true;
    }
    if (!renderer_about(rq->service->renderer, about, &why)) {
        drawing->reason = arena_text(rq->arena, why.detail);
    } else {
        *drawing =
            (struct drawing){ .backend = about->backend,
                              .api = about->api,
                              .vendor = about->vendor,
                              .renderer = about->renderer,
                              .passed_over = about->passed_over[0] ? about->passed_over : NULL };
    }
    drawing->draws = drawing->backend ? "all" : "maps";
    drawing->map_modes = arena_text(rq->arena, renderer_map_modes(modes));
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct info *info = answer;
    struct landscapes_numbers numbers = { 0 };

    (void)asked;
    info->name = "landscaped";
    info->version = rq->service->version;
    landscapes_numbers(rq->service->landscapes, &numbers);
    info->store =
        (struct storing){ "sqlite", numbers.count, numbers.memory_bytes, numbers.store_bytes };
    return renderer_tell(rq, &info->renderer) && limits_print(rq, &info->limits);
}

const struct endpoint endpoint_get_info = {
    .method = "GET",
    .path = "/v1/info",
    .summary = "Build version, limits, store and renderer",
    .example_path = "/v1/info",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .unversioned = true,
    .answers = SHAPE(struct info, answers),
    .run = run,
};
