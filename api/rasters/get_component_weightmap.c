/* Four paint layers of a component as the RGBA texture that engines read. */
#include "api/rasters/component.h"
#include "terrain/core/component_weights.h"
#include "terrain/format/png_write.h"
#include "terrain/query/cover.h"

struct weightmap_asked {
    struct component_asked at;
    int32_t n;
};

static const struct field asks[] = { FIELD(struct weightmap_asked, n, NULL, 0, WEIGHTS_LAYERS,
                                           "The texture, of those that weightmap_allocations names",
                                           .required = true, .in_path = true),
                                     { .kind = FIELD_END } };

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct weightmap_asked *weightmap = asked;
    const struct view *view = rq->view;
    uint16_t slots[WEIGHTS_LAYERS];
    int textures;

    if (!component_there(rq, &weightmap->at))
        return false;
    component_slots(view, weightmap->at.cx, weightmap->at.cy, slots);
    textures = slots_textures(slots, view->settings->stack->paint_count);
    if (weightmap->n >= textures)
        return REFUSE(rq, FAULT_MISSING, "the component has %d weight textures, counted from 0",
                      textures);
    *version = cover_stamp_all(view, component_rect(view, weightmap->at.cx, weightmap->at.cy));
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct weightmap_asked *weightmap = asked;
    int32_t side = component_texels(&rq->view->settings->layout, 0);
    uint8_t *rgba = arena_new(rq->arena, (size_t)side * (size_t)side * 4);

    (void)answer;
    if (!rgba)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a texture of %d x %d", side, side);
    component_weightmap(rq->view, weightmap->at.cx, weightmap->at.cy, weightmap->n, rgba);
    return png_write(PNG_RGBA8, side, side, rgba, PNG_SMALL, &rq->bytes, &rq->fault);
}

static const char *const media_out[] = { "image/png", NULL };

const struct endpoint endpoint_get_component_weightmap = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/components/{cx}/{cy}/weightmap/{n}.png",
    .summary = "A component's weights: four paint layers, by the slots of weightmap_allocations",
    .example_path = "/v1/landscapes/demo/components/0/0/weightmap/0.png",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "component_weightmap",
                                   .size = sizeof(struct weightmap_asked),
                                   .fields = asks,
                                   .base = &component_asked_shape,
                                   .given = -1 },
    .media_out = media_out,
    .kept = true,
    .newest = newest,
    .run = run,
};
