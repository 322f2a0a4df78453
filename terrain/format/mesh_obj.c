/* Wavefront OBJ: text, with a normal for each vertex that has one. */
#include <math.h>
#include <string.h>

#include "terrain/format/mesh_format.h"

enum {
    NUMBER_ROOM = 32,
    LINE_ROOM = 4 + 3 * NUMBER_ROOM,
    LINES_AT_ONCE = 1024,
    DECIMALS_MOST = 9,
    NORMAL_DECIMALS = 6
};

static const double powers[DECIMALS_MOST + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };

static char *print_whole(char *to, uint64_t value)
{
    char digits[24];
    int count = 0;

    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *to++ = digits[--count];
    return to;
}

/* A space and the number with so many decimals, without those that are 0 at its end. */
static char *print_number(char *to, double value, int decimals)
{
    uint64_t scaled = (uint64_t)(fabs(value) * powers[decimals] + 0.5);
    uint64_t one = (uint64_t)powers[decimals], rest = scaled % one;

    *to++ = ' ';
    if (value < 0 && scaled)
        *to++ = '-';
    to = print_whole(to, scaled / one);
    if (rest)
        *to++ = '.';
    while (rest) {
        one /= 10;
        *to++ = (char)('0' + rest / one);
        rest %= one;
    }
    return to;
}

/* Enough for steps of 1/128 of a unit to come out exact, or as near as a double is. */
static int decimals_for(double unit, double greatest)
{
    int decimals = 0;

    while (decimals < DECIMALS_MOST && powers[decimals] * unit < 1e7 &&
           powers[decimals] * greatest < 1e15)
        decimals++;
    return decimals;
}

static bool print_head(const struct mesh_note *note, struct bytes *to, struct fault *why)
{
    return bytes_print(
               to, why,
               "# landscaped: %s\n# metres: x east, y north (the negative of local y), z up\n",
               note->name) &&
           (!note->version ||
            bytes_print(to, why, "# version %llu\n", (unsigned long long)note->version)) &&
           (!isfinite(note->bound) ||
            bytes_print(to, why, "# no point of the surface lies more than %.9g m above or below\n",
                        note->bound)) &&
           bytes_print(to, why, "o %s\n", note->name);
}

static bool print_vertices(const struct view *view, const struct mesh *mesh, struct bytes *to,
                           struct fault *why)
{
    const struct grid *grid = view_grid(view);
    int decimals[3];

    for (int axis = 0; axis < 3; axis++) {
        double steps = axis == 0 ? grid->columns : axis == 1 ? grid->rows : 65536.0 / 128;

        decimals[axis] =
            decimals_for(grid->scale[axis], fabs(grid->origin[axis]) + steps * grid->scale[axis]);
    }
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double local[2];
        char *line;

        if (i % LINES_AT_ONCE == 0 && !bytes_reserve(to, (size_t)LINES_AT_ONCE * LINE_ROOM, why))
            return false;
        line = (char *)to->data + to->length;
        grid_to_local(grid, mesh->at[i], local);
        *line++ = 'v';
        line = print_number(line, local[0], decimals[0]);
        line = print_number(line, -local[1], decimals[1]);
        line = print_number(line, grid_metres(grid, mesh->at[i][2]), decimals[2]);
        *line++ = '\n';
        to->length = (size_t)(line - (char *)to->data);
    }
    return true;
}

static bool print_normals(const struct mesh *mesh, struct bytes *to, struct fault *why)
{
    for (size_t i = 0; mesh->with_normals && i < mesh->vertex_count; i++) {
        const float *normal = mesh->normals[i];
        char *line;

        if (i % LINES_AT_ONCE == 0 && !bytes_reserve(to, (size_t)LINES_AT_ONCE * LINE_ROOM, why))
            return false;
        line = (char *)to->data + to->length;
        *line++ = 'v';
        *line++ = 'n';
        line = print_number(line, normal[0], NORMAL_DECIMALS);
        line = print_number(line, -(double)normal[1], NORMAL_DECIMALS);
        line = print_number(line, normal[2], NORMAL_DECIMALS);
        *line++ = '\n';
        to->length = (size_t)(line - (char *)to->data);
    }
    return true;
}

static bool print_faces(const struct mesh *mesh, struct bytes *to, struct fault *why)
{
    for (size_t i = 0; i < mesh->index_count; i += 3) {
        char *line;

        if (i / 3 % LINES_AT_ONCE == 0 &&
            !bytes_reserve(to, (size_t)LINES_AT_ONCE * LINE_ROOM, why))
            return false;
        line = (char *)to->data + to->length;
        *line++ = 'f';
        for (int corner = 0; corner < 3; corner++) {
            uint64_t number = (uint64_t)mesh->indices[i + (size_t)corner] + 1; /* from 1 on */

            *line++ = ' ';
            line = print_whole(line, number);
            if (mesh->with_normals) {
                *line++ = '/';
                *line++ = '/';
                line = print_whole(line, number);
            }
        }
        *line++ = '\n';
        to->length = (size_t)(line - (char *)to->data);
    }
    return true;
}

static bool write_obj(const struct view *view, const struct mesh *mesh,
                      const struct mesh_note *note, struct bytes *to, struct fault *why)
{
    return print_head(note, to, why) && print_vertices(view, mesh, to, why) &&
           print_normals(mesh, to, why) && print_faces(mesh, to, why);
}

const struct mesh_format mesh_format_obj = { .write = write_obj };
