#include "api/meshes/exported.h"

#include "api/service.h"
#include "terrain/lod/extent.h"
#include "terrain/lod/rtin.h"
#include "terrain/lod/window_mesh.h"

enum { LOD = 1 << 0, MAX_ERROR = 1 << 1 }; /* in given */

bool exported_no_mesh(struct request *rq, const struct export_asked *asked)
{
    static const char *const names[] = { "lod", "max_error", "holes", "normals" };
    int given = 0;

    if (!asked->given)
        return true;
    while (!(asked->given >> given & 1))
        given++;
    REFUSE(rq, FAULT_INPUT, "%s is of meshes (format=glb, obj or stl), and this is a raster",
           names[given]);
    return fault_at(&rq->fault, "%s", names[given]);
}

static struct window_grid grid_of(const struct export_asked *asked, struct rect window)
{
    return (struct window_grid){ window, 1 << asked->lod, (enum hole_rule)asked->holes };
}

/* The side of the greatest patches that a mesh within an error can be made of: all of one size, so
 * that they meet. 0 when there is none. */
static int32_t patch_side(const struct view *view, struct rect window)
{
    const struct grid *grid = view_grid(view);
    int32_t east = window.x + window.width - 1, south = window.y + window.height - 1;

    for (int32_t side = 1 << RTIN_LOG2_MOST; side >= 1 << RTIN_LOG2_LEAST; side /= 2)
        if (window.x % side == 0 && window.y % side == 0 &&
            (east % side == 0 || east == grid->columns - 1) &&
            (south % side == 0 || south == grid->rows - 1))
            return side;
    return 0;
}

static bool within_edges(struct request *rq, struct rect window)
{
    int32_t least = 1 << RTIN_LOG2_LEAST,
            edges[4] = { window.x, window.y, window.width - 1, window.height - 1 };
    static const char *const names[] = { "x", "y", "width", "height" };
    int which = 0;

    if (patch_side(rq->view, window))
        return true;
    while (which < 3 && edges[which] % least == 0)
        which++;
    REFUSE(rq, FAULT_IMPOSSIBLE,
           "with max_error, x, y, width - 1 and height - 1 are multiples of %d, or the window ends "
           "where the landscape does; the nearest %s below is %d",
           least, names[which], edges[which] / least * least + (which > 1));
    return fault_at(&rq->fault, "%s", names[which]);
}

bool exported_window(struct request *rq, const struct export_asked *asked, struct rect whole,
                     struct rect *window)
{
    struct window_grid grid;

    if (asked->steps.step != 1) {
        REFUSE(rq, FAULT_INPUT, "step is of rasters; a mesh takes lod, for every 2^lod-th vertex");
        return fault_at(&rq->fault, "step");
    }
    if (asked->given & LOD && asked->given & MAX_ERROR) {
        REFUSE(rq, FAULT_INPUT, "a mesh has a lod or a max_error, not both");
        return fault_at(&rq->fault, "max_error");
    }
    /* The pad's quads are holes, and patches end where the landscape does. */
    if (asked->given & MAX_ERROR)
        whole = view_rect(rq->view);
    if (!window_rect(&asked->steps.window, whole, rq->view, window, &rq->fault))
        return false;
    if (window->width < 2 || window->height < 2) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "a mesh has 2 x 2 vertices at least, not %d x %d",
               window->width, window->height);
        return fault_at(&rq->fault, window->width < 2 ? "width" : "height");
    }
    if (asked->given & MAX_ERROR)
        return within_edges(rq, *window);
    grid = grid_of(asked, *window);
    return meshes_within_limit(rq, window_grid_triangles(&grid));
}

struct rect exported_reach(const struct view *view, const struct export_asked *asked,
                           struct rect window)
{
    /* Normals look one vertex further; patches within an error share their borders' errors with
     * their neighbours. */
    int32_t rim = asked->given & MAX_ERROR ? patch_side(view, window) : 1;
    struct rect reach = { window.x - rim, window.y - rim, window.width + 2 * rim,
                          window.height + 2 * rim };

    return rect_meet(reach, view_rect(view));
}

static bool mesh_within(struct request *rq, const struct export_asked *asked, struct rect window,
                        struct mesh *mesh)
{
    int32_t side = patch_side(rq->view, window);

    for (int32_t y = window.y; y < window.y + window.height - 1; y += side) {
        for (int32_t x = window.x; x < window.x + window.width - 1; x += side) {
            struct rtin_node node = { x, y, side, side };

            if (!rtin_node_mesh(rq->view, rq->service->derived, &node, (enum hole_rule)asked->holes,
                                asked->max_error, mesh, &rq->fault) ||
                !meshes_within_limit(rq, (int64_t)(mesh->index_count / 3)))
                return false;
        }
    }
    return mesh_weld(mesh, &rq->fault);
}

/* Whether the bytes can be written straight from the heights. */
static bool is_plain(const struct request *rq, const struct window_grid *grid, int format)
{
    struct rect quads = { grid->window.x, grid->window.y, grid->window.width - 1,
                          grid->window.height - 1 };

    return format == MESH_FORMAT_glb && grid->step == 1 && !view_has_offsets(rq->view) &&
           !extent_holed(rq->view, quads);
}

bool exported_mesh(struct request *rq, const struct export_asked *asked, struct rect window,
                   int format)
{
    struct window_grid grid = grid_of(asked, window);
    struct mesh mesh;
    bool made;

    if (!(asked->given & MAX_ERROR) && is_plain(rq, &grid, format)) {
        struct mesh_note note = meshes_note(rq, 0);

        meshes_say_error(rq, 0);
        return glb_write_window(rq->view, window, asked->normals, &note, &rq->bytes, &rq->fault);
    }
    mesh_init(&mesh, asked->normals);
    made = (asked->given & MAX_ERROR ? mesh_within(rq, asked, window, &mesh)
                                     : window_mesh(rq->view, &grid, &mesh, &rq->fault)) &&
           meshes_answer(rq, &mesh, format);
    mesh_free(&mesh);
    return made;
}
