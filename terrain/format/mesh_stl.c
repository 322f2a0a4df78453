/* Binary STL: triangles with a normal each, as printers read them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "terrain/format/mesh_format.h"

enum { HEAD_BYTES = 80, TRIANGLE_BYTES = 50 };

static unsigned char *store_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

static unsigned char *store_three(unsigned char *to, const double numbers[3])
{
    for (int i = 0; i < 3; i++) {
        float number = (float)numbers[i];
        uint32_t bits;

        memcpy(&bits, &number, sizeof bits);
        to = store_u32(to, bits);
    }
    return to;
}

static void place(const struct grid *grid, const double at[3], double placed[3])
{
    grid_to_local(grid, at, placed);
    placed[1] = -placed[1];
    placed[2] = grid_metres(grid, at[2]);
}

/* Anticlockwise from outside, so that it follows from the corners. */
static void normal_of(const double corners[3][3], double normal[3])
{
    double a[3], b[3], length;

    for (int i = 0; i < 3; i++) {
        a[i] = corners[1][i] - corners[0][i];
        b[i] = corners[2][i] - corners[0][i];
    }
    for (int i = 0; i < 3; i++)
        normal[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0 ? normal[i] / length : 0;
}

static bool write_stl(const struct view *view, const struct mesh *mesh,
                      const struct mesh_note *note, struct bytes *to, struct fault *why)
{
    size_t count = mesh->index_count / 3;
    unsigned char *at;
    char head[HEAD_BYTES + 1] = "";

    if (count > UINT32_MAX)
        return fault_set(why, FAULT_LIMIT, "an STL has at most %u triangles", UINT32_MAX);
    if (!bytes_reserve(to, HEAD_BYTES + 4 + count * TRIANGLE_BYTES, why))
        return false;
    /* Never "solid" at the beginning: that is how text ones begin. */
    if (isfinite(note->bound))
        snprintf(head, sizeof head, "landscaped, metres, y north, z up, within %.9g m, %s",
                 note->bound, note->name);
    else
        snprintf(head, sizeof head, "landscaped, metres, y north, z up, %s", note->name);
    memcpy(to->data, head, HEAD_BYTES);
    at = store_u32(to->data + HEAD_BYTES, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        double corners[3][3], normal[3];

        for (int corner = 0; corner < 3; corner++)
            place(view_grid(view), mesh->at[mesh->indices[i * 3 + (size_t)corner]],
                  corners[corner]);
        normal_of((const double(*)[3])corners, normal);
        at = store_three(at, normal);
        for (int corner = 0; corner < 3; corner++)
            at = store_three(at, corners[corner]);
        *at++ = 0;
        *at++ = 0;
    }
    to->length = (size_t)(at - to->data);
    return true;
}

const struct mesh_format mesh_format_stl = { .write = write_stl };
