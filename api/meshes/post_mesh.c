/* What a camera sees, as one mesh without a crack. */
#include <math.h>

#include "api/meshes/meshes.h"
#include "api/meshes/selection.h"
#include "api/service.h"
#include "terrain/lod/rtin.h"

struct mesh_asked {
    struct selection selection;
    uint64_t given;
    double max_error;
    bool normals;
    struct mesh_frame_asked frame;
};
enum { MAX_ERROR = 1 << 0 };

static const struct field takes_rows[] = {
    FIELD(struct mesh_asked, max_error, "m", 0, 1e6,
          "Instead of what the mode says: no point of the surface that is seen lies further above "
          "or below the mesh"),
    FIELD(struct mesh_asked, normals, NULL, 0, 0, "A normal for each vertex", .has_value = true,
          .value = true),
    { .name = "frame_out",
      .kind = FIELD_CHOICE,
      .at = offsetof(struct mesh_asked, frame.frame_out),
      .help = "The mesh's axes: (x, z, y) of the landscape, or Earth-fixed (x, z, -y)",
      .words = mesh_frame_words,
      .has_value = true,
      .value = MESH_LOCAL },
    { .name = "height_offset",
      .kind = FIELD_REAL,
      .at = offsetof(struct mesh_asked, frame.height_offset),
      .unit = "m",
      .least = -1e4,
      .greatest = 1e4,
      .help = "Of ecef: heights are so much higher still than the landscape's datum says" },
    { .kind = FIELD_END }
};

static const struct shape takes = { .name = "mesh_asked",
                                    .size = sizeof(struct mesh_asked),
                                    .fields = takes_rows,
                                    .base = &selection_shape,
                                    .given = offsetof(struct mesh_asked, given) };

enum { PATCH = 1 << RTIN_LOG2_MOST };

/* Patches of one size at the landscape's own step meet without a crack at one threshold. */
static bool patch_seen(const struct view *view, const struct frustum *frustum,
                       const struct rtin_node *node)
{
    const struct grid *grid = view_grid(view);
    struct rect reach =
        rect_meet((struct rect){ node->x, node->y, PATCH + 1, PATCH + 1 }, view_rect(view));
    struct summary bounds = tree_bounds(&view->planes[PLANE_HEIGHTS], reach);
    double low[3], high[3];

    grid_to_local(grid, (const double[2]){ reach.x, reach.y }, low);
    grid_to_local(grid, (const double[2]){ reach.x + reach.width - 1, reach.y + reach.height - 1 },
                  high);
    low[2] = grid_metres(grid, bounds.least);
    high[2] = grid_metres(grid, bounds.greatest);
    return frustum_sees(frustum, low, high);
}

static bool mesh_within(struct request *rq, const struct mesh_asked *asked,
                        const struct frustum *frustum, struct mesh *mesh)
{
    const struct grid *grid = view_grid(rq->view);

    for (int32_t y = 0; y < grid->rows - 1; y += PATCH) {
        for (int32_t x = 0; x < grid->columns - 1; x += PATCH) {
            struct rtin_node node = { x, y, PATCH, PATCH };

            if (!asked->selection.everything && !patch_seen(rq->view, frustum, &node))
                continue;
            if (!rtin_node_mesh(rq->view, rq->service->derived, &node,
                                (enum hole_rule)asked->selection.holes, asked->max_error, mesh,
                                &rq->fault) ||
                !meshes_within_limit(rq, (int64_t)(mesh->index_count / 3)))
                return false;
        }
    }
    return mesh_weld(mesh, &rq->fault);
}

static bool mesh_picked(struct request *rq, const struct frustum *frustum,
                        const struct pick_options *options, struct mesh *mesh)
{
    struct picks picks = { 0 };
    bool made = pick(rq->view, rq->service->derived, frustum, options, &picks, &rq->fault) &&
                picks_mesh(rq->view, rq->service->derived, options, &picks,
                           rq->service->limits.mesh_triangles, mesh, &rq->fault);

    picks_free(&picks);
    return made && meshes_measure(rq, mesh);
}

static bool run(struct request *rq, const void *ignored, void *answer)
{
    const struct mesh_asked *asked = rq->body;
    struct pick_options options;
    struct frustum frustum;
    struct mesh_note note;
    struct mesh mesh;
    bool made;

    (void)ignored;
    (void)answer;
    if (!selection_ready(rq, &asked->selection, &frustum, &options))
        return false;
    mesh_init(&mesh, asked->normals);
    made = asked->given & MAX_ERROR ? mesh_within(rq, asked, &frustum, &mesh)
                                    : mesh_picked(rq, &frustum, &options, &mesh);
    note = meshes_note(rq, mesh.bound);
    note.version = rq->view->version;
    made = made && meshes_answer_glb(rq, &mesh, &asked->frame, &note);
    mesh_free(&mesh);
    return made;
}

const struct endpoint endpoint_post_mesh = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/mesh",
    .summary = "What a camera sees, as one mesh without a crack",
    .example_path = "/v1/landscapes/demo/mesh",
    .example_body = "{\"mode\":\"component\",\"camera\":{\"fit\":true},\"width\":640,"
                    "\"height\":360}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .takes = &takes,
    .media_out = meshes_glb_media,
    .framed = true,
    .run = run,
};
