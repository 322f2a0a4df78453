#include "api/meshes/node.h"

#include <math.h>

#include "api/meshes/selection.h"
#include "api/service.h"
#include "terrain/lod/mesh_measure.h"
#include "terrain/lod/quadtree.h"
#include "terrain/lod/rtin.h"

static const char *const skirt_words[] = { "true", NULL };

enum { LEVEL_MOST = 16 };

static const struct field rows[] = {
    FIELD(struct node_asked, level, NULL, 0, LEVEL_MOST, "0 is the root", .required = true,
          .in_path = true),
    FIELD(struct node_asked, x, NULL, 0, (1 << LEVEL_MOST) - 1, "Column, from the west",
          .required = true, .in_path = true),
    FIELD(struct node_asked, y, NULL, 0, (1 << LEVEL_MOST) - 1, "Row, from the north",
          .required = true, .in_path = true),
    FIELD(struct node_asked, leaf, "quads", 8, 1024, "A side of the least node, a power of two",
          .has_value = true, .value = 64),
    FIELD(struct node_asked, grid, "quads", 8, 1024,
          "A side of every node's mesh, a power of two; the leaf's by default"),
    FIELD(struct node_asked, max_error, "m", 0, 1e6,
          "As few triangles as keep within it, or as near as the grid comes; without it all quads"),
    FIELD(struct node_asked, merge_angle, "degrees", -1, 90,
          "Without max_error: quads whose normals differ by no more become one; negative merges "
          "nothing",
          .has_value = true, .value = -1),
    FIELD_AS(
        FIELD_PICK, struct node_asked, skirts,
        "Curtains of so many metres, of the mesh's error at least, that hang from each edge of "
        "the border; true: four times its error and one of its quads; none by default",
        .unit = "m", .least = 0, .greatest = 1e6, .words = skirt_words, .has_value = true),
    FIELD_AS(FIELD_CHOICE, struct node_asked, holes,
             "A quad is left out when all quads below it are holes, or when any is",
             .words = hole_words, .has_value = true, .value = HOLES_ALL),
    FIELD(struct node_asked, normals, NULL, 0, 0, "A normal for each vertex", .has_value = true,
          .value = true),
    { .kind = FIELD_END }
};

const struct shape node_shape = { .name = "node",
                                  .size = sizeof(struct node_asked),
                                  .fields = rows,
                                  .base = &mesh_frame_shape,
                                  .given = offsetof(struct node_asked, given) };

static int32_t grid_of(const struct node_asked *asked)
{
    return asked->given & NODE_GRID ? asked->grid : asked->leaf;
}

static bool power_of_two(struct request *rq, const char *name, int32_t value, int32_t most)
{
    if ((value & (value - 1)) == 0 && value <= most)
        return true;
    REFUSE(rq, FAULT_INPUT, "%s is a power of two from 8 to %d, not %d", name, most, value);
    return fault_at(&rq->fault, "%s", name);
}

bool node_square(struct request *rq, const struct node_asked *asked, struct rect *square)
{
    const struct grid *grid = view_grid(rq->view);
    int32_t last, size;

    if (!power_of_two(rq, "leaf", asked->leaf, 1024) ||
        !power_of_two(rq, "grid", grid_of(asked), asked->leaf))
        return false;
    last = selection_levels(rq->view, asked->leaf) - 1;
    if (asked->given & NODE_MAX_ERROR && grid_of(asked) > 1 << RTIN_LOG2_MOST) {
        REFUSE(rq, FAULT_INPUT, "with max_error a grid has at most %d quads a side, not %d",
               1 << RTIN_LOG2_MOST, grid_of(asked));
        return fault_at(&rq->fault, "grid");
    }
    if (asked->level > last)
        return REFUSE(rq, FAULT_MISSING,
                      "the quadtree of this landscape has levels 0 to %d, not %d", last,
                      asked->level);
    size = asked->leaf << (last - asked->level);
    *square = (struct rect){ 0, 0, size, size };
    if (asked->x > (grid->columns - 2) / size || asked->y > (grid->rows - 2) / size)
        return REFUSE(rq, FAULT_MISSING, "level %d has columns 0 to %d and rows 0 to %d of nodes",
                      asked->level, (grid->columns - 2) / size, (grid->rows - 2) / size);
    square->x = asked->x * size;
    square->y = asked->y * size;
    return true;
}

bool node_newest(struct request *rq, const struct node_asked *asked, uint64_t *version)
{
    struct rect square, reach;
    int32_t rim;

    if (!node_square(rq, asked, &square))
        return false;
    /* What keeps within an error depends on its neighbours, as they share their borders' errors;
     * merging and normals look a quad of the grid further. */
    rim = asked->given & NODE_MAX_ERROR ? square.width : square.width / grid_of(asked);
    reach = (struct rect){ square.x - rim, square.y - rim, square.width + 2 * rim + 1,
                           square.height + 2 * rim + 1 };
    *version = meshes_newest(rq->view, rect_meet(reach, view_rect(rq->view)));
    return asked->frame.frame_out == MESH_LOCAL || meshes_datum_key(rq, version);
}

static bool mesh_in_parts(struct request *rq, const struct node_asked *asked, struct rect square,
                          struct mesh *mesh)
{
    const struct patch_place tile = { square.x, square.y, square.width, grid_of(asked) };
    const struct patch_style style = { .merge_angle = asked->merge_angle,
                                       .hole_rule = (enum hole_rule)asked->holes };
    static const int32_t equals[4];

    return quadtree_node_mesh(rq->view, rq->service->derived, &tile, equals, &style, mesh,
                              &rq->fault) &&
           mesh_measure(rq->view, mesh, 0, &mesh->bound, &rq->fault);
}

static bool mesh_within(struct request *rq, const struct node_asked *asked, struct rect square,
                        struct mesh *mesh)
{
    const struct rtin_node node = { square.x, square.y, square.width, grid_of(asked) };

    return rtin_node_mesh(rq->view, rq->service->derived, &node, (enum hole_rule)asked->holes,
                          asked->max_error, mesh, &rq->fault);
}

/* Neighbours of other levels leave a gap of their error and this one's. */
static bool hang_skirts(struct request *rq, const struct node_asked *asked, struct rect square,
                        struct mesh *mesh)
{
    const struct grid *grid = view_grid(rq->view);
    double quad = square.width / grid_of(asked) * fmax(grid->scale[0], grid->scale[1]);
    double depth =
        isnan(asked->skirts) ? fmax(4 * mesh->bound, quad) : fmax(asked->skirts, mesh->bound);
    const double low[2] = { square.x, square.y };
    const double high[2] = { fmin(square.x + square.width, grid->columns - 1),
                             fmin(square.y + square.height, grid->rows - 1) };

    if (asked->skirts == 0)
        return true;
    return mesh_add_skirts(mesh, low, high, grid_codes(grid, depth), &rq->fault);
}

bool node_answer(struct request *rq, const struct node_asked *asked)
{
    struct mesh_note note;
    struct rect square;
    struct mesh mesh;
    bool made;

    if (!node_square(rq, asked, &square))
        return false;
    mesh_init(&mesh, asked->normals);
    made = asked->given & NODE_MAX_ERROR ? mesh_within(rq, asked, square, &mesh)
                                         : mesh_in_parts(rq, asked, square, &mesh);
    made = made && hang_skirts(rq, asked, square, &mesh);
    note = meshes_note(rq, mesh.bound);
    made = made && meshes_answer_glb(rq, &mesh, &asked->frame, &note);
    mesh_free(&mesh);
    return made;
}
