#include "render/daylight.h"

#include <math.h>

#include "terrain/lod/camera.h"

static double ramp(double from, double to, double at)
{
    double t = fmin(fmax((at - from) / (to - from), 0), 1);

    return t * t * (3 - 2 * t);
}

/* (a + (b - a) * share) * strength */
static void blend(float to[3], const double a[3], const double b[3], double share, double strength)
{
    for (int i = 0; i < 3; i++)
        to[i] = (float)((a[i] + (b[i] - a[i]) * share) * strength);
}

void daylight_of(double azimuth, double elevation, struct daylight *light)
{
    static const double black[3] = { 0 };
    static const double red[3] = { 1.0, 0.48, 0.22 }, white[3] = { 1.0, 0.94, 0.84 };
    static const double above[3] = { 0.43, 0.51, 0.66 }, below[3] = { 0.36, 0.30, 0.23 };
    static const double zenith[3] = { 0.11, 0.26, 0.60 }, horizon[3] = { 0.80, 0.95, 1.10 };
    static const double floor_day[3] = { 0.62, 0.66, 0.68 };
    double day = 0.03 + 0.97 * ramp(-8, 18, elevation);
    double direction[3];

    camera_direction(azimuth, elevation, direction);
    for (int i = 0; i < 3; i++)
        light->sun[i] = (float)direction[i];
    blend(light->sunlight, red, white, ramp(0, 28, elevation), 3.4 * ramp(-1.5, 14, elevation));
    blend(light->above, black, above, 1, 0.60 * day);
    blend(light->below, black, below, 1, 0.68 * day);
    blend(light->zenith, black, zenith, 1, day);
    blend(light->horizon, black, horizon, 1, day);
    blend(light->floor, black, floor_day, 1, day);
    blend(light->glow, red, white, ramp(2, 28, elevation), day * ramp(-8, 2, elevation));
}
