/* How bright ground is in sunlight, from the way it rises: what hillshades are made of.
 *
 * Ground is given by its rises, metres up for each metre east and south; light is 0 where the sun
 * does not reach, and 1 where it falls straight on. From several sides, after Mark: four suns 45
 * degrees apart, each weighted by how the way the ground falls lies to its azimuth, so that no side
 * of a ridge goes without light. Mark writes the weight as a squared sine; like gdaldem's
 * -multidirectional, which this equals but for rounding, it is the squared cosine of the angle
 * between both, which leaves ground more contrast. Source: R. K. Mark, "A multidirectional,
 * oblique-weighted, shaded-relief image of the Island of Hawaii", USGS Open-File Report 92-422,
 * 1992. Any thread.
 */
#ifndef TERRAIN_QUERY_SHADING_H
#define TERRAIN_QUERY_SHADING_H

#include <math.h>

/* Unit vector towards the sun. */
struct shading {
    double east, north, up;
};

/* Degrees: from north clockwise, above the horizon. */
static inline struct shading shading_of(double azimuth, double elevation)
{
    const double a = azimuth * 3.14159265358979323846 / 180;
    const double e = elevation * 3.14159265358979323846 / 180;

    return (struct shading){ sin(a) * cos(e), cos(a) * cos(e), sin(e) };
}

/* The same in double and in single precision. */
#define SHADING_LIGHT(name, real, root)                                                            \
    static inline real name(const struct shading *sun, real east, real south)                      \
    {                                                                                              \
        const real facing = ((real)sun->up - east * (real)sun->east + (real)sun->north * south) /  \
                            root(1 + east * east + south * south);                                 \
                                                                                                   \
        return facing > 0 ? facing : 0;                                                            \
    }
SHADING_LIGHT(shading_light, double, sqrt)
SHADING_LIGHT(shading_light_single, float, sqrtf)
#undef SHADING_LIGHT

enum { SHADING_SUNS = 4 };

/* Four suns: 90 and 45 degrees before the azimuth, at it and 45 beyond (about the usual 315: 225,
 * 270, 315 and 360). */
struct shading_many {
    struct shading suns[SHADING_SUNS];
    double azimuths[SHADING_SUNS][2]; /* sine and cosine */
};

static inline struct shading_many shading_many_of(double azimuth, double elevation)
{
    struct shading_many many;

    for (int i = 0; i < SHADING_SUNS; i++) {
        const double a = azimuth - 90 + 45 * i;

        many.suns[i] = shading_of(a, elevation);
        many.azimuths[i][0] = sin(a * 3.14159265358979323846 / 180);
        many.azimuths[i][1] = cos(a * 3.14159265358979323846 / 180);
    }
    return many;
}

/* The four weights add up to 2. Level ground falls no way, and all weigh the same. */
static inline double shading_many_light(const struct shading_many *many, double east, double south)
{
    const double steep = east * east + south * south, least = 1e-12;
    double light = 0;

    for (int i = 0; i < SHADING_SUNS; i++) {
        const struct shading *sun = &many->suns[i];
        const double facing = sun->up - east * sun->east + sun->north * south;
        const double along = east * many->azimuths[i][0] - south * many->azimuths[i][1];

        light += (along * along + least / 2) * (facing > 0 ? facing : 0);
    }
    return light / (2 * (steep + least) * sqrt(1 + steep));
}

#endif
