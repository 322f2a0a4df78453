/* A component's vertices as mobile renderers read them, 12 bytes each. */
#include "api/rasters/component.h"
#include "api/rasters/index_buffer.h"
#include "terrain/core/component.h"
#include "terrain/core/mobile.h"

struct mobile_asked {
    struct component_asked at;
    int form, order;
};

static const char *const form_words[] = { "delta", "minmax", NULL };

static const struct field asks[] = {
    FIELD_AS(FIELD_CHOICE, struct mobile_asked, form,
             "How heights are packed: from the least on, or between two bounds of 8 bits",
             .words = form_words, .has_value = true),
    FIELD_AS(FIELD_CHOICE, struct mobile_asked, order,
             "How vertices stand: row by row, or as index buffers first use them, from the "
             "coarsest level on",
             .words = vertex_order_words, .has_value = true),
    { .kind = FIELD_END }
};

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct mobile_asked *mobile = asked;

    if (!component_there(rq, &mobile->at))
        return false;
    *version = view_newest(rq->view, component_rect(rq->view, mobile->at.cx, mobile->at.cy));
    return true;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    const struct mobile_asked *mobile = asked;
    size_t length = (size_t)layout_vertices(&rq->view->settings->layout) * MOBILE_BYTES;

    (void)answer;
    if (!bytes_reserve(&rq->bytes, length, &rq->fault) ||
        !mobile_component(rq->view, mobile->at.cx, mobile->at.cy, (enum mobile_form)mobile->form,
                          (enum mobile_order)mobile->order, rq->bytes.data, &rq->fault))
        return false;
    rq->bytes.length = length;
    return true;
}

static const char *const media_out[] = { "application/octet-stream", NULL };

const struct endpoint endpoint_get_component_mobile = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/components/{cx}/{cy}/mobile.bin",
    .summary = "A component's packed mobile vertices: x, y, section and hole bits, and heights at "
               "six levels of detail in 12 bytes",
    .example = "form=minmax&order=first_use",
    .example_path = "/v1/landscapes/demo/components/0/0/mobile.bin",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "component_mobile",
                                   .size = sizeof(struct mobile_asked),
                                   .fields = asks,
                                   .base = &component_asked_shape,
                                   .given = -1 },
    .media_out = media_out,
    .kept = true,
    .newest = newest,
    .run = run,
};
