/* A camera in a request's body: the one description of it. Any thread. */
#ifndef API_VIEWING_H
#define API_VIEWING_H

#include "api/endpoint.h"
#include "terrain/lod/camera.h"

struct ortho {
    double center[2], width;
};

struct orbit {
    uint64_t given;
    double target[3], azimuth, elevation, distance;
};

struct viewing {
    uint64_t given;
    double position[3], target[3], panorama[3];
    struct ortho ortho;
    struct orbit orbit;
    bool fit;
    double azimuth, elevation, fov;
};

extern const struct shape viewing_shape;
#define VIEWING_HELP "One of position with target, ortho, orbit, fit and, of pictures, panorama"

/* Whether it is one camera and not several. Fails with INPUT, placed at /camera. */
bool viewing_check(struct request *rq, const struct viewing *from);

/* Positions have come as grid coordinates. */
void viewing_camera(const struct view *view, const struct viewing *from, struct camera *camera);

/* Whether it says anything but a field of view. */
bool viewing_placed(const struct viewing *viewing);
/* Puts the camera there and keeps its field of view: around a target (NULL is the landscape's
 * middle), and at a position; places are grid coordinates with metres. */
void viewing_orbit(struct viewing *viewing, const double *target, double azimuth, double elevation,
                   double distance);
void viewing_look(struct viewing *viewing, const double position[3], const double target[3]);

/* The middle of the landscape, on its surface, local metres. */
void viewing_middle(const struct view *view, double middle[3]);

#endif
