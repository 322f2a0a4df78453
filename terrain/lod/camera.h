/* Cameras: the ways to look at a landscape, and what each comes to. Any thread.
 *
 * Local coordinates are metres in local axes (x east, y south, z up); angles are
 * degrees, azimuth from north clockwise, elevation above the horizon.
 */
#ifndef TERRAIN_LOD_CAMERA_H
#define TERRAIN_LOD_CAMERA_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"
#include "terrain/lod/extent.h"

enum camera_kind { CAMERA_FIT, CAMERA_PERSPECTIVE, CAMERA_ORTHO, CAMERA_ORBIT, CAMERA_PANORAMA };

/* azimuth and elevation say the side from which FIT, ORBIT and ORTHO look: azimuth 180 stands in
 * the south and looks north. Straight above there is no side: then azimuth is the direction that
 * points up in the picture, 0 being a map with north up; and FIT is orthographic there, so that it
 * is a map. */
struct camera {
    enum camera_kind kind;
    double position[3], target[3]; /* PERSPECTIVE (position of PANORAMA too); target also of ORBIT,
                                      and (x, y) of ORTHO */
    double azimuth, elevation;
    double distance;    /* ORBIT, metres; 0 fits the landscape */
    double ortho_width; /* metres across the picture */
    double fov;         /* vertical, degrees; not of what is orthographic */
};

/* How FIT looks unless told otherwise. */
#define CAMERA_AZIMUTH   202.5
#define CAMERA_ELEVATION 32.0
#define CAMERA_FOV       30.0

/* The azimuth of FIT and ORBIT unless told otherwise: straight above, north is up. */
static inline double camera_azimuth(double elevation)
{
    return elevation == 90 ? 0 : CAMERA_AZIMUTH;
}

/* A camera made ready. Directions are unit vectors in local axes. */
struct look {
    bool ortho;
    double eye[3]; /* ORTHO: outside of all that there is to see */
    double right[3], up[3], forward[3];
    double half[2]; /* across and up from the middle to the edge: tangents, or metres if ortho */
};

/* Fails with INPUT for a camera that looks nowhere (eye and target in one place), and for a
 * PANORAMA, which looks everywhere and is six pictures. */
bool camera_look(const struct camera *camera, const struct extent *extent, int32_t width,
                 int32_t height, struct look *look, struct fault *why);

/* How far a point lies to the right, up and ahead of the eye, metres. */
void look_at(const struct look *look, const double point[3], double seen[3]);

/* Unit vector towards something at that azimuth and elevation. */
void camera_direction(double azimuth, double elevation, double direction[3]);

#endif
