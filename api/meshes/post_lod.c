/* Which detail a camera needs: the patches that a client draws, and what they come to. */
#include <math.h>
#include <string.h>

#include "api/meshes/selection.h"
#include "api/service.h"

enum { LIST_ALL, LIST_VISIBLE, LIST_NONE };
static const char *const lists[] = { "all", "visible", "none", NULL };

struct lod_asked {
    struct selection selection;
    int patches;
};

static const struct field takes_rows[] = {
    FIELD_AS(FIELD_CHOICE, struct lod_asked, patches, "Which of the patches are listed",
             .words = lists, .has_value = true, .value = LIST_ALL),
    { .kind = FIELD_END }
};

static const struct shape takes = { .name = "lod_asked",
                                    .size = sizeof(struct lod_asked),
                                    .fields = takes_rows,
                                    .base = &selection_shape,
                                    .given = -1 };

struct shown {
    int32_t index[3], x, y, size;
    double distance, least, greatest, lod;
    int32_t draw;
    struct list neighbours, sections; /* double */
    bool visible;
    int32_t triangles, draws;
};

static const struct field shown_rows[] = {
    FIELD_AS(FIELD_INTS, struct shown, index,
             "Of a node its level (0 is the root), column and row; of a component 0, cx, cy",
             .count = 3),
    FIELD(struct shown, x, "quads", 0, 0, "Its north-west corner"),
    FIELD(struct shown, y, "quads", 0, 0, "Its north-west corner"),
    FIELD(struct shown, size, "quads", 0, 0, "Its side"),
    FIELD(struct shown, least, "m", 0, 0, "The lowest of its vertices"),
    FIELD(struct shown, greatest, "m", 0, 0, "The highest of its vertices"),
    FIELD(struct shown, distance, "m", 0, 0, "From the eye to its box"),
    FIELD(struct shown, lod, NULL, 0, 0,
          "Component: the continuous level; node: the level that it is at, morph included"),
    FIELD(struct shown, draw, NULL, 0, 0,
          "Component: its index buffer; node: 1 is the mesh of half a step"),
    FIELD_AS(FIELD_NUMBERS, struct shown, neighbours,
             "North, west, east, south. Component: levels, at least its own, null where there is "
             "none; node: by how many levels the neighbour is coarser"),
    FIELD_AS(FIELD_NUMBERS, struct shown, sections,
             "Index buffers of a component's sections, row by row; with per_section"),
    FIELD(struct shown, visible, NULL, 0, 0, "Whether it is in the picture"),
    FIELD(struct shown, triangles, NULL, 0, 0, "That it draws"),
    FIELD(struct shown, draws, NULL, 0, 0, "Draw calls that it takes"),
    { .kind = FIELD_END }
};

struct lods {
    uint64_t version;
    int mode;
    int32_t levels;
    int64_t visible, culled, draws, triangles;
    struct list patches;
};

static const struct field answers[] = {
    FIELD(struct lods, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(FIELD_CHOICE, struct lods, mode, "As it was asked", .words = selection_modes),
    FIELD(struct lods, levels, NULL, 0, 0, "Levels of the quadtree; of components' detail"),
    FIELD(struct lods, visible, NULL, 0, 0, "Patches in the picture"),
    FIELD(struct lods, culled, NULL, 0, 0, "Patches out of the picture"),
    FIELD(struct lods, draws, NULL, 0, 0, "Draw calls of all that is visible"),
    FIELD(struct lods, triangles, NULL, 0, 0, "Triangles of all that is visible"),
    FIELD_AS(FIELD_LIST, struct lods, patches, "Components row by row; nodes by x, y and size",
             .shape = SHAPE(struct shown, shown_rows), .nullable = true),
    { .kind = FIELD_END }
};

static void index_of(const struct request *rq, const struct pick_options *options,
                     const struct patch *patch, int32_t index[3])
{
    index[0] =
        options->components ? 0 : selection_level(rq->view, options->quadtree.leaf, patch->size);
    index[1] = patch->x / patch->size;
    index[2] = patch->y / patch->size;
}

static void show(const struct request *rq, const struct pick_options *options,
                 const struct patch *patch, double *sections, struct shown *shown)
{
    const struct grid *grid = view_grid(rq->view);
    size_t count = options->components && options->component.per_section
                       ? (size_t)rq->view->settings->layout.sections
                       : 0;

    *shown = (struct shown){ .x = patch->x,
                             .y = patch->y,
                             .size = patch->size,
                             .distance = patch->distance,
                             .least = grid_metres(grid, patch->least),
                             .greatest = grid_metres(grid, patch->greatest),
                             .lod = patch->lod,
                             .draw = patch->draw,
                             .neighbours = { 4, (void *)(uintptr_t)patch->neighbours },
                             .sections = { count * count, sections },
                             .visible = patch->visible,
                             .triangles = patch->triangles,
                             .draws = patch->draws };
    index_of(rq, options, patch, shown->index);
    for (size_t i = 0; i < count * count; i++)
        sections[i] = patch->sections[i];
}

static bool is_listed(const struct lod_asked *asked, const struct patch *patch)
{
    return asked->patches == LIST_ALL || (asked->patches == LIST_VISIBLE && patch->visible);
}

/* The picks' own patches go on into the answer, which is printed before they are let go. */
static bool answer_json(struct request *rq, const struct lod_asked *asked,
                        const struct pick_options *options, const struct picks *picks,
                        struct lods *lods)
{
    struct patch *kept;
    struct shown *shown;
    double *sections;
    size_t count = 0;

    if (asked->patches == LIST_NONE) {
        lods->patches.items = NULL;
        return true;
    }
    kept = arena_new(rq->arena, picks->count * sizeof *kept + 1);
    shown = arena_new(rq->arena, picks->count * sizeof *shown + 1);
    sections = arena_new(
        rq->arena, options->component.per_section ? picks->count * 4 * sizeof *sections + 1 : 1);
    if (!kept || !shown || !sections)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu patches", picks->count);
    for (size_t i = 0; i < picks->count; i++) {
        if (!is_listed(asked, &picks->patches[i]))
            continue;
        kept[count] = picks->patches[i];
        show(rq, options, &kept[count],
             options->component.per_section ? sections + count * 4 : sections, &shown[count]);
        count++;
    }
    lods->patches = (struct list){ count, shown };
    return true;
}

enum { F32_NUMBERS = 22 };

static void store_floats(const double *numbers, size_t count, unsigned char *to)
{
    for (size_t i = 0; i < count; i++, to += 4) {
        float number = (float)numbers[i];
        uint32_t bits;

        memcpy(&bits, &number, sizeof bits);
        for (int k = 0; k < 4; k++)
            to[k] = (unsigned char)(bits >> (8 * k));
    }
}

/* Each listed patch as floats, in the order of the JSON's members. */
static bool answer_floats(struct request *rq, const struct lod_asked *asked,
                          const struct pick_options *options, const struct picks *picks)
{
    const struct grid *grid = view_grid(rq->view);

    if (!bytes_reserve(&rq->bytes, picks->count * F32_NUMBERS * 4 + 1, &rq->fault))
        return false;
    for (size_t i = 0; i < picks->count; i++) {
        const struct patch *patch = &picks->patches[i];
        int32_t index[3];

        if (!is_listed(asked, patch))
            continue;
        index_of(rq, options, patch, index);
        store_floats((const double[F32_NUMBERS]){ index[0],
                                                  index[1],
                                                  index[2],
                                                  patch->x,
                                                  patch->y,
                                                  patch->size,
                                                  grid_metres(grid, patch->least),
                                                  grid_metres(grid, patch->greatest),
                                                  patch->distance,
                                                  patch->lod,
                                                  patch->draw,
                                                  patch->neighbours[0],
                                                  patch->neighbours[1],
                                                  patch->neighbours[2],
                                                  patch->neighbours[3],
                                                  patch->visible,
                                                  patch->triangles,
                                                  patch->draws,
                                                  patch->sections[0],
                                                  patch->sections[1],
                                                  patch->sections[2],
                                                  patch->sections[3] },
                     F32_NUMBERS, rq->bytes.data + rq->bytes.length);
        rq->bytes.length += F32_NUMBERS * 4;
    }
    return true;
}

static bool run(struct request *rq, const void *ignored, void *answer)
{
    const struct lod_asked *asked = rq->body;
    struct lods *lods = answer;
    struct pick_options options;
    struct frustum frustum;
    struct picks picks = { 0 };
    bool done;

    (void)ignored;
    if (!selection_ready(rq, &asked->selection, &frustum, &options) ||
        !pick(rq->view, rq->service->derived, &frustum, &options, &picks, &rq->fault))
        return false;
    lods->version = rq->view->version;
    lods->mode = asked->selection.mode;
    lods->levels = options.components ? layout_lods(rq->view->settings->layout.section_quads)
                                      : selection_levels(rq->view, options.quadtree.leaf);
    lods->visible = picks.visible;
    lods->culled = picks.culled;
    lods->draws = picks.draws;
    lods->triangles = picks.triangles;
    done = rq->media_out ? answer_floats(rq, asked, &options, &picks)
                         : answer_json(rq, asked, &options, &picks, lods);
    picks_free(&picks);
    return done;
}

static const char *const media_out[] = { "application/json", "application/x-f32", NULL };
static const char *const formats[] = { "json", "f32", NULL };

const struct endpoint endpoint_post_lod = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/lod",
    .summary = "The detail that a camera needs: patches with their levels, and what they cost; as "
               "floats 22 a patch, in the order of the members",
    .example_path = "/v1/landscapes/demo/lod",
    .example_body = "{\"mode\":\"quadtree\",\"camera\":{\"fit\":true},\"width\":640,"
                    "\"height\":360,\"patches\":\"visible\"}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .takes = &takes,
    .media_out = media_out,
    .formats = formats,
    .answers = SHAPE(struct lods, answers),
    .framed = true,
    .run = run,
};
