#include "terrain/format/glb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/earth.h"
#include "terrain/format/glb_pack.h"

/* The last thing that happens to a position; -0 would be another text for the same bound. */
static float rest(double value)
{
    return (float)value + 0.0f;
}

static void write_indices(const struct mesh *mesh, struct glb_parts *parts)
{
    if (parts->longs)
        memcpy(parts->longs, mesh->indices, mesh->index_count * sizeof *parts->longs);
    for (size_t i = 0; parts->shorts && i < mesh->index_count; i++)
        parts->shorts[i] = (uint16_t)mesh->indices[i];
}

/* The box of all vertices, in the coordinates that they have. */
static void box_of(const double (*at)[3], size_t count, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++)
        low[axis] = high[axis] = at[0][axis];
    for (size_t i = 1; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = at[i][axis] < low[axis] ? at[i][axis] : low[axis];
            high[axis] = at[i][axis] > high[axis] ? at[i][axis] : high[axis];
        }
    }
}

bool glb_write(const struct view *view, const struct mesh *mesh, const struct mesh_note *note,
               struct bytes *to, struct fault *why)
{
    /* Of glTF's axes, where they come from, and metres a unit there. */
    static const int from[3] = { 0, 2, 1 };
    const struct grid *grid = view_grid(view);
    const double unit[3] = { grid->scale[0], grid->scale[1], grid->scale[2] / 128 };
    const double zero[3] = { grid->origin[0], grid->origin[1], grid_metres(grid, 0) };
    struct glb_room room = { .vertices = mesh->vertex_count,
                             .indices = mesh->index_count,
                             .normals = mesh->with_normals };
    double low[3], high[3], middle[3];
    struct glb_parts parts;

    for (int axis = 0; axis < 3 && room.indices; axis++) {
        if (axis == 0)
            box_of((const double(*)[3])mesh->at, mesh->vertex_count, low, high);
        middle[axis] = (low[from[axis]] + high[from[axis]]) / 2;
        room.middle[axis] = zero[from[axis]] + middle[axis] * unit[from[axis]];
        room.low[axis] = rest((low[from[axis]] - middle[axis]) * unit[from[axis]]);
        room.high[axis] = rest((high[from[axis]] - middle[axis]) * unit[from[axis]]);
    }
    if (!glb_open(&room, note, to, &parts, why))
        return false;
    for (size_t i = 0; room.indices && i < room.vertices; i++) {
        for (int axis = 0; axis < 3; axis++)
            parts.positions[i][axis] =
                rest((mesh->at[i][from[axis]] - middle[axis]) * unit[from[axis]]);
        for (int axis = 0; parts.normals && axis < 3; axis++)
            parts.normals[i][axis] = mesh->normals[i][from[axis]];
    }
    if (room.indices)
        write_indices(mesh, &parts);
    glb_close(&room, &parts, to);
    return true;
}

/* From Earth-fixed axes to those that clients of 3D Tiles turn back. */
static void turn(const double fixed[3], double turned[3])
{
    turned[0] = fixed[0];
    turned[1] = fixed[2];
    turned[2] = -fixed[1];
}

static bool earth_places(const struct view *view, const struct mesh *mesh,
                         const struct datum *datum, double (*places)[3], float (*normals)[3],
                         struct fault *why)
{
    if (!earth_of_mesh(view, mesh, datum, places, normals, why))
        return false;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double turned[3];

        turn(places[i], turned);
        memcpy(places[i], turned, sizeof turned);
        if (normals) {
            turn((const double[3]){ normals[i][0], normals[i][1], normals[i][2] }, turned);
            for (int axis = 0; axis < 3; axis++)
                normals[i][axis] = (float)turned[axis];
        }
    }
    return true;
}

bool glb_write_earth(const struct view *view, const struct mesh *mesh, const struct datum *datum,
                     const struct mesh_note *note, struct bytes *to, struct fault *why)
{
    size_t count = mesh->vertex_count;
    struct glb_room room = { .vertices = count,
                             .indices = mesh->index_count,
                             .normals = mesh->with_normals };
    double(*places)[3] = malloc((count + 1) * sizeof *places);
    float(*normals)[3] = malloc((count + 1) * sizeof *normals);
    double low[3], high[3];
    struct glb_parts parts;
    bool written = false;

    if (!places || !normals) {
        fault_set(why, FAULT_MEMORY, "no memory for %zu vertices", count);
        goto done;
    }
    if (room.indices) {
        if (!earth_places(view, mesh, datum, places, room.normals ? normals : NULL, why))
            goto done;
        box_of((const double(*)[3])places, count, low, high);
        for (int axis = 0; axis < 3; axis++) {
            room.middle[axis] = (low[axis] + high[axis]) / 2;
            room.low[axis] = rest(low[axis] - room.middle[axis]);
            room.high[axis] = rest(high[axis] - room.middle[axis]);
        }
    }
    if (!glb_open(&room, note, to, &parts, why))
        goto done;
    for (size_t i = 0; room.indices && i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            parts.positions[i][axis] = rest(places[i][axis] - room.middle[axis]);
    if (parts.normals)
        memcpy(parts.normals, normals, count * sizeof *normals);
    if (room.indices)
        write_indices(mesh, &parts);
    glb_close(&room, &parts, to);
    written = true;

done:
    free(places);
    free(normals);
    return written;
}
