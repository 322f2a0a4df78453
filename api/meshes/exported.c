#include "api/meshes/exported.h"

#include "api/service.h"
#include "terrain/lod/extent.h"
#include "terrain/lod/window_mesh.h"

bool exported_no_mesh(struct request *rq, const struct export_asked *asked)
{
    static const char *const names[] = { "lod", "holes", "normals" };
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

bool exported_window(struct request *rq, const struct export_asked *asked, struct rect whole,
                     struct rect *window)
{
    struct window_grid grid;

    if (asked->steps.step != 1) {
        REFUSE(rq, FAULT_INPUT, "step is of rasters; a mesh takes lod, for every 2^lod-th vertex");
        return fault_at(&rq->fault, "step");
    }
    if (!window_rect(&asked->steps.window, whole, rq->view, window, &rq->fault))
        return false;
    if (window->width < 2 || window->height < 2) {
        REFUSE(rq, FAULT_IMPOSSIBLE, "a mesh has 2 x 2 vertices at least, not %d x %d",
               window->width, window->height);
        return fault_at(&rq->fault, window->width < 2 ? "width" : "height");
    }
    grid = grid_of(asked, *window);
    return meshes_within_limit(rq, window_grid_triangles(&grid));
}

struct rect exported_reach(const struct view *view, struct rect window)
{
    return rect_meet(
        (struct rect){ window.x - 1, window.y - 1, window.width + 2, window.height + 2 },
        view_rect(view));
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

    if (is_plain(rq, &grid, format)) {
        struct mesh_note note = meshes_note(rq, 0);

        meshes_say_error(rq, 0);
        return glb_write_window(rq->view, window, asked->normals, &note, &rq->bytes, &rq->fault);
    }
    mesh_init(&mesh, asked->normals);
    made = window_mesh(rq->view, &grid, &mesh, &rq->fault) && meshes_answer(rq, &mesh, format);
    mesh_free(&mesh);
    return made;
}
