#include "terrain/query/interpolate.h"

#include <stddef.h>

#include "terrain/core/view.h"

const char *const interpolation_words[] = {
#define INTERPOLATION(name, word, reach) #word,
#include "terrain/query/interpolations.def"
#undef INTERPOLATION
    NULL
};

static const int reaches[] = {
#define INTERPOLATION(name, word, reach) reach,
#include "terrain/query/interpolations.def"
#undef INTERPOLATION
};

int interpolation_reach(enum interpolation interpolation)
{
    return reaches[interpolation];
}

static double triangle(const uint16_t *nw, int64_t stride, double across, double down)
{
    return view_quad_code(nw[0], nw[1], nw[stride], nw[stride + 1], across, down);
}

static double bilinear(const uint16_t *nw, int64_t stride, double across, double down)
{
    const double north = nw[0] + across * (nw[1] - nw[0]);
    const double south = nw[stride] + across * (nw[stride + 1] - nw[stride]);

    return north + down * (south - north);
}

/* What the four vertices along an axis count, `at` lying between the middle two. */
static void cubic_weights(double at, double weights[4])
{
    weights[0] = ((2 - at) * at - 1) * at / 2;
    weights[1] = ((3 * at - 5) * at * at + 2) / 2;
    weights[2] = ((4 - 3 * at) * at + 1) * at / 2;
    weights[3] = (at - 1) * at * at / 2;
}

static double bicubic(const uint16_t *nw, int64_t stride, double across, double down)
{
    double x[4], y[4], sum = 0;

    cubic_weights(across, x);
    cubic_weights(down, y);
    for (int k = 0; k < 4; k++) {
        const uint16_t *row = nw + (k - 1) * stride;

        sum += y[k] * (x[0] * row[-1] + x[1] * row[0] + x[2] * row[1] + x[3] * row[2]);
    }
    return sum;
}

static double nearest(const uint16_t *nw, int64_t stride, double across, double down)
{
    return nw[(down >= 0.5 ? stride : 0) + (across >= 0.5)];
}

double interpolate(enum interpolation interpolation, const uint16_t *nw, int64_t stride,
                   double across, double down)
{
    static double (*const ways[])(const uint16_t *, int64_t, double, double) = {
#define INTERPOLATION(name, word, reach) word,
#include "terrain/query/interpolations.def"
#undef INTERPOLATION
    };

    return ways[interpolation](nw, stride, across, down);
}
