/* What differs between two versions: as numbers, or as a raster of metres. */
#include <string.h>

#include "api/rasters/window.h"
#include "api/service.h"
#include "terrain/query/compare.h"

struct difference_asked {
    struct window_asked window;
    int64_t from, to;
};

static const struct field asks[] = { FIELD(struct difference_asked, from, NULL, 1,
                                           9007199254740992.0, "The earlier version",
                                           .required = true),
                                     FIELD(struct difference_asked, to, NULL, 1, 9007199254740992.0,
                                           "The later version; without it the newest"),
                                     { .kind = FIELD_END } };

struct answer {
    int64_t from, to;
    struct rect window, dirty;
    int64_t changed, heights_changed, weights_changed, holes_opened, holes_closed;
    double least, greatest, mean, raised, lowered;
};

static const struct field answers[] = {
    FIELD(struct answer, from, NULL, 0, 0, "The earlier version"),
    FIELD(struct answer, to, NULL, 0, 0, "The later version"),
    FIELD(struct answer, window, "vertices", 0, 0, "Where they were compared"),
    FIELD(struct answer, dirty, "vertices", 0, 0, "Around all that differs", .nullable = true),
    FIELD(struct answer, changed, "vertices", 0, 0, "How many differ in anything"),
    FIELD(struct answer, heights_changed, "vertices", 0, 0, "How many differ in height"),
    FIELD(struct answer, weights_changed, "vertices", 0, 0, "How many differ in weights"),
    FIELD(struct answer, holes_opened, "quads", 0, 0, "Quads that have become holes"),
    FIELD(struct answer, holes_closed, "quads", 0, 0, "Quads that have become solid"),
    FIELD(struct answer, least, "m", 0, 0, "The least difference of heights in the window"),
    FIELD(struct answer, greatest, "m", 0, 0, "The greatest"),
    FIELD(struct answer, mean, "m", 0, 0, "The mean over all of the window's vertices"),
    FIELD(struct answer, raised, "m3", 0, 0,
          "Volume that has come, each vertex standing for the ground of a quad"),
    FIELD(struct answer, lowered, "m3", 0, 0, "Volume that has gone"),
    { .kind = FIELD_END }
};

static const char *const media_out[] = { "application/json", "application/x-f32", NULL };
static const char *const formats[] = { "json", "f32", NULL };
enum { AS_JSON };

/* What lies between two versions never changes. */
static bool newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct difference_asked *difference = asked;

    *version = difference->to ? (uint64_t)difference->to : rq->view->version;
    return true;
}

static bool limit_check(struct request *rq, struct rect window)
{
    int64_t most = rq->service->limits.window_vertices;

    return rect_area(window) <= most ||
           REFUSE(rq, FAULT_LIMIT,
                  "the window has %lld vertices; at most %lld are compared (window_vertices)",
                  (long long)rect_area(window), (long long)most);
}

static bool write_raster(struct request *rq, const struct view *from, const struct view *to,
                         struct rect window)
{
    double *metres = arena_new(rq->arena, (size_t)window.width * sizeof *metres);
    uint32_t *row = arena_new(rq->arena, (size_t)window.width * sizeof *row);

    if (!metres || !row)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a row of differences");
    for (int32_t y = window.y; y < window.y + window.height; y++) {
        compare_row(from, to, window.x, y, window.width, metres);
        for (int32_t x = 0; x < window.width; x++) {
            float value = (float)metres[x];

            memcpy(&row[x], &value, sizeof value);
            if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
                row[x] = __builtin_bswap32(row[x]);
        }
        if (!bytes_add(&rq->bytes, row, (size_t)window.width * sizeof *row, &rq->fault))
            return false;
    }
    return true;
}

static bool compare(struct request *rq, const struct view *from, const struct view *to,
                    const struct window_asked *asked, struct answer *answer)
{
    struct rect whole = view_rect(to), window;
    struct compared compared;

    if (!window_rect(asked, whole, to, &window, &rq->fault) || !limit_check(rq, window))
        return false;
    /* Of nothing, when only the sizes are to be looked at. */
    if (!compare_views(from, to, rq->media_out == AS_JSON ? window : (struct rect){ 0 }, &compared,
                       &rq->fault))
        return fault_at(&rq->fault, "from");
    if (rq->media_out != AS_JSON)
        return write_raster(rq, from, to, window);
    *answer = (struct answer){ .from = (int64_t)from->version,
                               .to = (int64_t)to->version,
                               .window = window,
                               .dirty = compared.dirty,
                               .changed = compared.changed,
                               .heights_changed = compared.heights,
                               .weights_changed = compared.weights,
                               .holes_opened = compared.opened,
                               .holes_closed = compared.closed,
                               .least = compared.least,
                               .greatest = compared.greatest,
                               .mean = compared.mean,
                               .raised = compared.raised,
                               .lowered = compared.lowered };
    return true;
}

static struct view *version_of(struct request *rq, int64_t version, const char *parameter)
{
    struct view *view = version ? landscape_view_at(rq->landscape, (uint64_t)version, &rq->fault)
                                : view_hold(rq->view);

    if (!view)
        fault_at(&rq->fault, "%s", parameter);
    return view;
}

static bool run(struct request *rq, const void *asked_, void *answer)
{
    const struct difference_asked *asked = asked_;
    struct view *from = version_of(rq, asked->from, "from");
    struct view *to = from ? version_of(rq, asked->to, "to") : NULL;
    bool done = to && compare(rq, from, to, &asked->window, answer);

    if (to)
        rq->version = to->version;
    view_drop(from);
    view_drop(to);
    return done;
}

const struct endpoint endpoint_get_difference = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/difference",
    .summary = "What differs between two versions, as numbers or as a raster of metres",
    .example_path = "/v1/landscapes/demo/difference",
    .example = "from=2&to=3",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = &(const struct shape){ .name = "difference_asked",
                                   .size = sizeof(struct difference_asked),
                                   .fields = asks,
                                   .base = &window_shape,
                                   .given = -1 },
    .media_out = media_out,
    .formats = formats,
    .newest = newest,
    .answers = SHAPE(struct answer, answers),
    .run = run,
};
