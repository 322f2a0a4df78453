/* A component's heights and normals as the RGBA texture that engines read. */
#include "api/rasters/component.h"
#include "terrain/core/component.h"
#include "terrain/format/png_write.h"

struct heightmap_asked {
    struct component_asked at;
    int32_t mip;
};

static const struct field asks[] = { FIELD(struct heightmap_asked, mip, NULL, 0,
                                           LAYOUT_LODS_MOST - 1, "Coarser by so many halvings",
                                           .has_value = true),
                                     { .kind = FIELD_END } };

static const struct shape asks_shape = { .name = "component_heightmap",
                                         .size = sizeof(struct heightmap_asked),
                                         .fields = asks,
                                         .base = &component_asked_shape,
                                         .given = -1 };

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct heightmap_asked *heightmap = asked;
    int32_t last = layout_lods(rq->view->settings->layout.section_quads) - 1;

    if (!component_there(rq, &heightmap->at))
        return false;
    if (heightmap->mip > last) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "this landscape's components have mips 0 to %d, not %d", last,
               heightmap->mip);
        return fault_at(&rq->fault, "mip");
    }
    *version = view_newest(rq->view, component_reach(rq->view, heightmap->at.cx, heightmap->at.cy));
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct heightmap_asked *heightmap = asked;
    int32_t side = component_texels(&rq->view->settings->layout, heightmap->mip);
    uint8_t *rgba = arena_new(rq->arena, (size_t)side * (size_t)side * 4);

    (void)answer;
    if (!rgba)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a texture of %d x %d", side, side);
    return component_texture(rq->view, heightmap->at.cx, heightmap->at.cy, heightmap->mip, rgba,
                             &rq->fault) &&
           png_write(PNG_RGBA8, side, side, rgba, PNG_SMALL, &rq->bytes, &rq->fault);
}

static const char *const media_out[] = { "image/png", NULL };

const struct endpoint endpoint_get_component_heightmap = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/components/{cx}/{cy}/heightmap.png",
    .summary = "A component's texture: red and green the height, blue and alpha the normal",
    .example = "mip=1",
    .example_path = "/v1/landscapes/demo/components/0/0/heightmap.png",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &asks_shape,
    .media_out = media_out,
    .kept = true,
    .newest = newest,
    .run = run,
};
