#include "terrain/lod/frustum.h"

#include <math.h>

enum { ALL_PLANES = 0x3f };

static unsigned planes_beyond(const struct frustum *frustum, const double corner[3])
{
    const struct look *look = &frustum->look;
    double seen[3];
    unsigned out = 0;

    look_at(look, corner, seen);
    for (int axis = 0; axis < 2; axis++) {
        double half = look->ortho ? look->half[axis] : look->half[axis] * seen[2];

        out |= (unsigned)(seen[axis] > half) << (axis * 2);
        out |= (unsigned)(seen[axis] < -half) << (axis * 2 + 1);
    }
    out |= (unsigned)(seen[2] < frustum->nearest) << 4;
    return out | (unsigned)(seen[2] > frustum->farthest) << 5;
}

bool frustum_sees(const struct frustum *frustum, const double low[3], const double high[3])
{
    unsigned beyond = ALL_PLANES;

    for (int i = 0; i < 8 && beyond; i++)
        beyond &= planes_beyond(frustum, (const double[3]){ i & 1 ? high[0] : low[0],
                                                            i & 2 ? high[1] : low[1],
                                                            i & 4 ? high[2] : low[2] });
    return !beyond;
}

double look_distance(const struct look *look, const double low[3], const double high[3])
{
    double sum = 0;

    for (int i = 0; i < 3; i++) {
        double at = look->eye[i];
        double out = fmax(fmax(low[i] - at, at - high[i]), 0);

        sum += out * out;
    }
    return sqrt(sum);
}
