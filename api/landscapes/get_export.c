/* The heights as a file to keep: a raster, what an import of it makes the same landscape of; or a
 * mesh of the surface. */
#include "api/endpoint.h"
#include "api/meshes/exported.h"
#include "api/rasters/window.h"
#include "api/service.h"

#define MESH_FORMAT(name, media, ending) media,
static const char *const media_out[] = { "image/png",  "application/x-r16", "image/tiff",
                                         "text/plain", "application/x-f32",
#include "terrain/format/mesh_formats.def"
                                         NULL };
#undef MESH_FORMAT

#define MESH_FORMAT(name, media, ending) #name,
static const char *const formats[] = { "png16", "r16", "tiff", "asc", "f32",
#include "terrain/format/mesh_formats.def"
                                       NULL };
#undef MESH_FORMAT

static const struct {
    enum export_format format;
    const char *ending;
} kinds[] = {
    { EXPORT_PNG16, "png" }, { EXPORT_R16, "r16" }, { EXPORT_TIFF, "tif" },
    { EXPORT_ASC, "asc" },   { EXPORT_F32, "f32" },
};
enum { RASTER_KINDS = sizeof kinds / sizeof kinds[0] };

#define MESH_FORMAT(name, media, ending) ending,
static const char *const mesh_endings[] = {
#include "terrain/format/mesh_formats.def"
};
#undef MESH_FORMAT

static const struct field asks[] = {
    FIELD(struct export_asked, lod, NULL, 0, EXPORT_LOD_MOST,
          "Of a mesh: every 2^lod-th vertex, and the window's last column and row"),
    FIELD(struct export_asked, max_error, "m", 0, 1e6,
          "Of a mesh, instead of lod: no point of the surface lies further above or below; the "
          "window's edges are then multiples of 8 or the landscape's own"),
    FIELD_AS(FIELD_CHOICE, struct export_asked, holes,
             "Of a mesh: a quad is left out when all quads below it are holes, or when any is",
             .words = hole_words, .has_value = true, .value = HOLES_ALL),
    FIELD(struct export_asked, normals, NULL, 0, 0, "Of a mesh: with a normal for each vertex",
          .has_value = true, .value = true),
    { .kind = FIELD_END }
};

static const struct shape asks_shape = { .name = "export",
                                         .size = sizeof(struct export_asked),
                                         .fields = asks,
                                         .base = &window_steps_shape,
                                         .given = offsetof(struct export_asked, given) };

static bool is_mesh(const struct request *rq)
{
    return rq->media_out >= RASTER_KINDS;
}

/* The pad is no data: it stays out unless a window asks for it. */
static bool window_of(struct request *rq, const struct export_asked *asked,
                      struct export_window *window)
{
    struct rect all = export_data_rect(rq->view->settings);

    return is_mesh(rq) ? exported_window(rq, asked, all, &window->rect)
                       : exported_no_mesh(rq, asked) &&
                             window_steps(rq, &asked->steps, all, window, &rq->fault);
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct export_window window;

    if (!window_of(rq, asked, &window))
        return false;
    *version = is_mesh(rq) ? meshes_newest(rq->view, exported_reach(rq->view, asked, window.rect))
                           : view_newest(rq->view, window.rect);
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const char *ending =
        is_mesh(rq) ? mesh_endings[rq->media_out - RASTER_KINDS] : kinds[rq->media_out].ending;
    struct export_window window;

    (void)answer;
    if (!window_of(rq, asked, &window))
        return false;
    rq->filename = arena_print(rq->arena, "%s.%s", rq->landscape_name, ending);
    if (is_mesh(rq))
        return exported_mesh(rq, asked, window.rect, rq->media_out - RASTER_KINDS);
    return export_write(rq->view, &window, kinds[rq->media_out].format, rq->service->decoders,
                        &rq->bytes, &rq->fault);
}

const struct endpoint endpoint_get_export = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/export",
    .summary = "A file of the heights, a raster or a mesh; without a window all but the pad",
    .example = "format=png16",
    .example_path = "/v1/landscapes/demo/export",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &asks_shape,
    .media_out = media_out,
    .formats = formats,
    .newest = newest,
    .run = run,
};
