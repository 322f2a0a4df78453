#include "api/viewing.h"

#include <string.h>

#include "terrain/query/collide.h"

enum {
    POSITION = 1 << 0,
    TARGET = 1 << 1,
    ORTHO = 1 << 2,
    ORBIT = 1 << 3,
    FIT = 1 << 4,
    AZIMUTH = 1 << 5,
    ELEVATION = 1 << 6,
    FOV = 1 << 7,
    PANORAMA = 1 << 8
};
enum { ORBIT_TARGET = 1 << 0, ORBIT_AZIMUTH = 1 << 1 };
static const struct field ortho_rows[] = {
    FIELD_AS(FIELD_POINT, struct ortho, center, "In the middle of the picture", .required = true),
    FIELD(struct ortho, width, "m", 0, 1e8, "Across the picture", .above_least = true,
          .required = true),
    { .kind = FIELD_END }
};

static const struct field orbit_rows[] = {
    FIELD_AS(FIELD_POINT3, struct orbit, target, "Looked at; the landscape's middle by default"),
    FIELD(struct orbit, azimuth, "degrees", -360, 360,
          "The side from which to look, from north clockwise; 202.5 unless given, and straight "
          "above, where it is what points up, 0"),
    FIELD(struct orbit, elevation, "degrees", -90, 90, "How high above the horizon to stand",
          .has_value = true, .value = CAMERA_ELEVATION),
    FIELD(struct orbit, distance, "m", 0, 1e8,
          "From the target; without it the landscape's extent is seen", .above_least = true),
    { .kind = FIELD_END }
};

static const struct shape orbit_shape = { .name = "struct orbit",
                                          .size = sizeof(struct orbit),
                                          .fields = orbit_rows,
                                          .given = offsetof(struct orbit, given) };

static const struct field viewing_rows[] = {
    FIELD_AS(FIELD_POINT3, struct viewing, position, "Where the eye is"),
    FIELD_AS(FIELD_POINT3, struct viewing, target, "Where it looks, with position"),
    FIELD_AS(FIELD_OBJECT, struct viewing, ortho, "A parallel projection",
             .shape = SHAPE(struct ortho, ortho_rows)),
    FIELD_AS(FIELD_OBJECT, struct viewing, orbit, "An eye around a target", .shape = &orbit_shape),
    FIELD(struct viewing, fit, NULL, 0, 0, "The whole landscape"),
    FIELD(
        struct viewing, azimuth, "degrees", -360, 360,
        "Of ortho and fit: the side from which to look, from north clockwise, 202.5 of fit unless "
        "given; straight above, what points up, 0 unless given"),
    FIELD(struct viewing, elevation, "degrees", -90, 90,
          "Of ortho (90) and fit: how high above the horizon to stand"),
    FIELD(struct viewing, fov, "degrees", 1, 150, "The vertical field of view; not of ortho",
          .has_value = true, .value = CAMERA_FOV),
    FIELD_AS(FIELD_POINT3, struct viewing, panorama,
             "An eye that looks all round: 360 degrees across, north in the middle, and 180 down"),
    { .kind = FIELD_END }
};

const struct shape viewing_shape = { .name = "struct viewing",
                                     .size = sizeof(struct viewing),
                                     .fields = viewing_rows,
                                     .given = offsetof(struct viewing, given) };

void viewing_middle(const struct view *view, double middle[3])
{
    const struct grid *grid = view_grid(view);
    struct extent extent;
    double at[2];

    extent_of(view, &extent);
    for (int i = 0; i < 3; i++)
        middle[i] = (extent.low[i] + extent.high[i]) / 2;
    grid_from_local(grid, middle, at);
    collide_height(view, at[0], at[1], &middle[2], NULL);
}

bool viewing_check(struct request *rq, const struct viewing *from)
{
    uint64_t ways = from->given & (POSITION | ORTHO | ORBIT | FIT | PANORAMA);

    if (ways & (ways - 1))
        REFUSE(rq, FAULT_INPUT,
               "A camera has one of position, ortho, orbit, fit and panorama, not several");
    else if (!(from->given & POSITION) != !(from->given & TARGET))
        REFUSE(rq, FAULT_INPUT, "A camera's position and its target go together");
    else if (from->given & FIT && !from->fit)
        REFUSE(rq, FAULT_INPUT, "A camera's fit is true or left out");
    else
        return true;
    return fault_at(&rq->fault, "/camera");
}

/* From grid coordinates, as positions arrive, to metres. */
static void to_local(const struct view *view, const double at[3], double local[3])
{
    grid_to_local(view_grid(view), at, local);
    local[2] = at[2];
}

static void set_ortho(struct camera *camera, const struct view *view, const struct viewing *from)
{
    camera->kind = CAMERA_ORTHO;
    grid_to_local(view_grid(view), from->ortho.center, camera->target);
    camera->ortho_width = from->ortho.width;
    camera->azimuth = from->azimuth;
    camera->elevation = from->given & ELEVATION ? from->elevation : 90;
}

static void set_orbit(struct camera *camera, const struct view *view, const struct orbit *from)
{
    camera->kind = CAMERA_ORBIT;
    if (from->given & ORBIT_TARGET)
        to_local(view, from->target, camera->target);
    else
        viewing_middle(view, camera->target);
    camera->azimuth = from->given & ORBIT_AZIMUTH ? from->azimuth : camera_azimuth(from->elevation);
    camera->elevation = from->elevation;
    camera->distance = from->distance;
}

void viewing_camera(const struct view *view, const struct viewing *from, struct camera *camera)
{
    *camera = (struct camera){ .kind = CAMERA_FIT,
                               .azimuth = CAMERA_AZIMUTH,
                               .elevation = CAMERA_ELEVATION,
                               .fov = from->fov > 0 ? from->fov : CAMERA_FOV };
    if (from->given & POSITION) {
        camera->kind = CAMERA_PERSPECTIVE;
        to_local(view, from->position, camera->position);
        to_local(view, from->target, camera->target);
    } else if (from->given & PANORAMA) {
        camera->kind = CAMERA_PANORAMA;
        to_local(view, from->panorama, camera->position);
    } else if (from->given & ORTHO) {
        set_ortho(camera, view, from);
    } else if (from->given & ORBIT) {
        set_orbit(camera, view, &from->orbit);
    } else {
        if (from->given & ELEVATION)
            camera->elevation = from->elevation;
        camera->azimuth = from->given & AZIMUTH ? from->azimuth : camera_azimuth(camera->elevation);
    }
}

bool viewing_placed(const struct viewing *viewing)
{
    return viewing->given & ~(uint64_t)FOV;
}

void viewing_orbit(struct viewing *viewing, const double *target, double azimuth, double elevation,
                   double distance)
{
    viewing->given = (viewing->given & FOV) | ORBIT;
    viewing->orbit = (struct orbit){ .given = ORBIT_AZIMUTH | (target ? ORBIT_TARGET : 0),
                                     .azimuth = azimuth,
                                     .elevation = elevation,
                                     .distance = distance };
    if (target)
        memcpy(viewing->orbit.target, target, sizeof viewing->orbit.target);
}

void viewing_look(struct viewing *viewing, const double position[3], const double target[3])
{
    viewing->given = (viewing->given & FOV) | POSITION | TARGET;
    memcpy(viewing->position, position, sizeof viewing->position);
    memcpy(viewing->target, target, sizeof viewing->target);
}
