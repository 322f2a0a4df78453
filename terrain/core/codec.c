#include "terrain/core/codec.h"

#include <math.h>

uint8_t codec_normal(double n)
{
    /* The 1e-6 makes numerical zeros land on 128. */
    double code = floor(127.5 * (n + 1) + 0.5 + 1e-6);

    return code <= 0 ? 0 : code >= 255 ? 255 : (uint8_t)code;
}

void codec_decode(double b, double a, double normal[3])
{
    double up;

    normal[0] = b / 255.0 * 2 - 1;
    normal[1] = a / 255.0 * 2 - 1;
    up = 1 - normal[0] * normal[0] - normal[1] * normal[1];
    normal[2] = up > 0 ? sqrt(up) : 0;
}

/* Adds the upward unit normal of a plane that rises by these amounts a quad. */
static void add_triangle(double normal[3], double rise_x, double rise_y, const double scale[3])
{
    double x = -rise_x * scale[2] / 128 / scale[0], y = -rise_y * scale[2] / 128 / scale[1];
    double length = sqrt(x * x + y * y + 1);

    normal[0] += x / length;
    normal[1] += y / length;
    normal[2] += 1 / length;
}

void codec_vertex_normal(const uint16_t window[9], const double scale[3], unsigned present,
                         double normal[3])
{
    /* A quad's rises, for its north-east triangle (along the north, then down the east side) and
     * for its south-west one (along the south, down the west side). */
    const uint16_t *w = window;
    double sum[3] = { 0, 0, 0 }, length;

    if (present & 1) { /* the middle is the south-east corner: in both triangles */
        add_triangle(sum, w[1] - w[0], w[4] - w[1], scale);
        add_triangle(sum, w[4] - w[3], w[3] - w[0], scale);
    }
    if (present & 2) /* south-west corner */
        add_triangle(sum, w[5] - w[4], w[4] - w[1], scale);
    if (present & 4) /* north-east corner */
        add_triangle(sum, w[4] - w[3], w[7] - w[4], scale);
    if (present & 8) { /* north-west corner */
        add_triangle(sum, w[5] - w[4], w[8] - w[5], scale);
        add_triangle(sum, w[8] - w[7], w[7] - w[4], scale);
    }
    length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int i = 0; i < 3; i++)
        normal[i] = length > 0 ? sum[i] / length : i == 2;
}
