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

void daylight_of(double azimuth, double elevation, double exposure, struct daylight *light)
{
    static const double red[3] = { 1.0, 0.46, 0.18 }, white[3] = { 1.0, 0.92, 0.77 };
    static const double above[3] = { 0.26, 0.40, 0.70 }, below[3] = { 0.24, 0.20, 0.15 };
    static const double above_night[3] = { 0.200, 0.280, 0.460 };
    static const double below_night[3] = { 0.070, 0.090, 0.130 };
    static const double zenith[3] = { 0.055, 0.17, 0.50 }, horizon[3] = { 0.64, 0.82, 1.05 };
    static const double zenith_night[3] = { 0.010, 0.016, 0.036 };
    static const double horizon_night[3] = { 0.030, 0.042, 0.074 };
    static const double floor_day[3] = { 0.105, 0.150, 0.205 };
    static const double floor_night[3] = { 0.022, 0.028, 0.042 };
    static const double afterglow[3] = { 1.0, 0.36, 0.16 }, black[3] = { 0 };
    const double film = 0.80; /* what its curve makes a sunny day of */
    double day = ramp(-9, 16, elevation), low = ramp(-9, 0, elevation) * ramp(20, 3, elevation);
    double direction[3];

    exposure *= film;
    camera_direction(azimuth, elevation, direction);
    for (int i = 0; i < 3; i++)
        light->sun[i] = (float)direction[i];
    blend(light->sunlight, red, white, ramp(0, 28, elevation),
          3.6 * exposure * ramp(-1.5, 14, elevation));
    blend(light->above, above_night, above, 0.85 * day, exposure);
    blend(light->below, below_night, below, 0.70 * day, exposure);
    blend(light->zenith, zenith_night, zenith, day, exposure);
    blend(light->horizon, horizon_night, horizon, day, exposure);
    blend(light->floor, floor_night, floor_day, day, exposure);
    blend(light->glow, red, white, ramp(2, 28, elevation),
          exposure * (0.03 + 0.97 * day) * ramp(-8, 2, elevation));
    blend(light->dusk, black, afterglow, low, 0.75 * exposure);
    light->stars = (float)ramp(-4, -14, elevation);
    blend(light->disc, red, white, ramp(-1, 12, elevation), elevation > -1 ? 30 * exposure : 0);
}
