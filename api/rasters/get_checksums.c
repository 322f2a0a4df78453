/* Checksums of the components: whoever was away for a while fetches only what differs.
 *
 * Each is a CRC-32C (Castagnoli, RFC 3720 B.4) over what the component covers, row by row from the
 * north, borders shared with its neighbours included: heights as 16-bit codes, little-endian; holes
 * as a byte a quad, 0 or 255; weights, layer by layer in the landscape's order, of those that have
 * any here: the layer's name with a zero byte, then a byte a vertex.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/core/component.h"
#include "terrain/store/checksum.h"

struct sums {
    int32_t component[2];
    int64_t version, heights, holes, weights;
};

static const struct field sums_rows[] = {
    FIELD_AS(FIELD_INTS, struct sums, component, "Its place among the components", .count = 2),
    FIELD(struct sums, version, NULL, 0, 0, "Of the last change in it or close by"),
    FIELD(struct sums, heights, NULL, 0, 0,
          "CRC-32C of its vertices' codes, row by row, 16 bits little-endian"),
    FIELD(struct sums, holes, NULL, 0, 0, "CRC-32C of its quads, a byte each: 0 solid, 255 a hole"),
    FIELD(struct sums, weights, NULL, 0, 0,
          "CRC-32C, for each paint layer with weights here, of its name, a zero and its weights; 0 "
          "without any"),
    { .kind = FIELD_END }
};

struct checksums {
    int64_t version, settings;
    int32_t components[2];
    struct list checksums;
};

static const struct field answers[] = {
    FIELD(struct checksums, version, NULL, 0, 0, "The landscape's version"),
    FIELD(struct checksums, settings, NULL, 0, 0, "The version of its settings"),
    FIELD_AS(FIELD_INTS, struct checksums, components, "How many there are across and down",
             .count = 2),
    FIELD_AS(FIELD_LIST, struct checksums, checksums, "Row by row from the north-west",
             .shape = SHAPE(struct sums, sums_rows)),
    { .kind = FIELD_END }
};

struct checksums_asked {
    struct window_asked window;
    int64_t since;
};

static const struct field asks[] = {
    FIELD(struct checksums_asked, since, NULL, 0, 9007199254740992.0,
          "Only components that may have changed after this version"),
    { .kind = FIELD_END }
};

/* Components [from, to) across and down that meet the window. */
struct span {
    int32_t from[2], to[2];
};

static bool span_choose(struct request *rq, const struct checksums_asked *asked, struct span *span)
{
    const struct settings *settings = rq->view->settings;
    int32_t quads = settings->layout.sections * settings->layout.section_quads;
    struct rect rect;

    if (!window_rect(&asked->window, view_rect(rq->view), rq->view, &rect, &rq->fault))
        return false;
    span->from[0] = (rect.x > 0 ? rect.x - 1 : 0) / quads;
    span->from[1] = (rect.y > 0 ? rect.y - 1 : 0) / quads;
    for (int i = 0; i < 2; i++) {
        int32_t last = (i ? rect.y + rect.height : rect.x + rect.width) - 1;
        int32_t most = settings->layout.components[i];

        span->to[i] = last / quads + 1 < most ? last / quads + 1 : most;
    }
    return true;
}

static struct rect quads_of(const struct view *view, int32_t cx, int32_t cy)
{
    struct rect rect = component_rect(view, cx, cy);

    return (struct rect){ rect.x, rect.y, rect.width - 1, rect.height - 1 };
}

static uint64_t component_newest(const struct view *view, int32_t cx, int32_t cy)
{
    struct rect rect = component_rect(view, cx, cy);
    uint64_t heights = tree_newest(&view->planes[PLANE_HEIGHTS], rect);
    uint64_t holes = tree_newest(&view->planes[PLANE_HOLES], quads_of(view, cx, cy));
    uint64_t weights = view_newest_weights(view, rect), newest = heights > holes ? heights : holes;

    return newest > weights ? newest : weights;
}

/* The components of the span that count, into a list of the arena's. */
static bool select_components(struct request *rq, const struct checksums_asked *asked,
                              const struct span *span, struct list *list)
{
    int64_t count = (int64_t)(span->to[0] - span->from[0]) * (span->to[1] - span->from[1]);
    struct sums *sums;

    if (count > rq->service->limits.query_points)
        return REFUSE(rq, FAULT_LIMIT,
                      "the window has %lld components; at most %lld are summed in one answer "
                      "(query_points)",
                      (long long)count, (long long)rq->service->limits.query_points);
    sums = list->items = arena_new(rq->arena, (size_t)count * sizeof *sums);
    if (!sums)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %lld checksums", (long long)count);
    for (int32_t cy = span->from[1]; cy < span->to[1]; cy++) {
        for (int32_t cx = span->from[0]; cx < span->to[0]; cx++) {
            uint64_t version = component_newest(rq->view, cx, cy);

            if (version > (uint64_t)asked->since)
                sums[list->count++] =
                    (struct sums){ .component = { cx, cy }, .version = (int64_t)version };
        }
    }
    return true;
}

struct work {
    const struct view *view;
    struct sums *sums;
    _Atomic bool failed; /* memory */
};

static uint32_t heights_sum(const struct view *view, struct rect rect, unsigned char *room)
{
    uint16_t *codes = (uint16_t *)(void *)room;
    size_t count = (size_t)rect_area(rect);

    view_read_heights(view, rect, codes, rect.width);
    for (size_t i = 0; i < count; i++) {
        uint16_t code = codes[i];

        room[2 * i] = (unsigned char)(code & 255);
        room[2 * i + 1] = (unsigned char)(code >> 8);
    }
    return checksum_add(0, room, 2 * count);
}

static uint32_t weights_sum(const struct view *view, struct rect rect, unsigned char *room)
{
    const struct stack *stack = view->settings->stack;
    uint32_t sum = 0;

    for (int i = 0; i < stack->paint_count; i++) {
        const struct tree *weights = view_weights(view, stack->paints[i].id);

        if (!weights || tree_bounds(weights, rect).greatest == 0)
            continue;
        tree_read(weights, rect, room, rect.width);
        if (!room[0] && !memcmp(room, room + 1, (size_t)rect_area(rect) - 1))
            continue; /* those that there are lie beside it */
        sum = checksum_add(sum, stack->paints[i].name, strlen(stack->paints[i].name) + 1);
        sum = checksum_add(sum, room, (size_t)rect_area(rect));
    }
    return sum;
}

static void sum_one(void *context, size_t i)
{
    struct work *work = context;
    struct sums *sums = &work->sums[i];
    struct rect rect = component_rect(work->view, sums->component[0], sums->component[1]);
    struct rect quads = quads_of(work->view, sums->component[0], sums->component[1]);
    unsigned char *room = malloc((size_t)rect_area(rect) * 2);

    if (!room) {
        atomic_store(&work->failed, true);
        return;
    }
    sums->heights = heights_sum(work->view, rect, room);
    view_read_holes(work->view, quads, room, quads.width);
    sums->holes = checksum_add(0, room, (size_t)rect_area(quads));
    sums->weights = weights_sum(work->view, rect, room);
    free(room);
}

static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    struct span span;

    *version = rq->view->version;
    return span_choose(rq, asked, &span);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct checksums *checksums = answer;
    struct work work = { .view = rq->view };
    struct span span;

    if (!span_choose(rq, asked, &span) ||
        !select_components(rq, asked, &span, &checksums->checksums))
        return false;
    work.sums = checksums->checksums.items;
    executor_run(rq->service->executor, checksums->checksums.count, sum_one, &work);
    if (atomic_load(&work.failed))
        return REFUSE(rq, FAULT_MEMORY, "no memory to sum a component");
    checksums->version = (int64_t)rq->view->version;
    checksums->settings = (int64_t)rq->view->settings_version;
    memcpy(checksums->components, rq->view->settings->layout.components,
           sizeof checksums->components);
    return true;
}

const struct endpoint endpoint_get_checksums = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/checksums",
    .summary = "A checksum and the newest version of each component",
    .example_path = "/v1/landscapes/demo/checksums",
    .example = "since=0",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "checksums",
                                   .size = sizeof(struct checksums_asked),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .answers = SHAPE(struct checksums, answers),
    .kept = true,
    .newest = newest,
    .stamped = true,
    .run = run,
};
