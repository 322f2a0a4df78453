#include "terrain/lod/camera.h"

#include <math.h>

static const double radian = 3.14159265358979323846 / 180;

/* From here on a camera looks straight down, or up. */
static const double upright = 89.999;

/* A fitted picture keeps this share of its half sides free. */
static const double margin = 0.05;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double normalise(double a[3])
{
    double length = sqrt(dot(a, a));

    for (int i = 0; i < 3 && length > 0; i++)
        a[i] /= length;
    return length;
}

void camera_direction(double azimuth, double elevation, double direction[3])
{
    double level = cos(elevation * radian);

    direction[0] = sin(azimuth * radian) * level;
    direction[1] = -cos(azimuth * radian) * level;
    direction[2] = sin(elevation * radian);
}

void look_at(const struct look *look, const double point[3], double seen[3])
{
    double from[3] = { point[0] - look->eye[0], point[1] - look->eye[1], point[2] - look->eye[2] };

    seen[0] = dot(from, look->right);
    seen[1] = dot(from, look->up);
    seen[2] = dot(from, look->forward);
}

/* Local axes are left-handed (y is south), so the products run the other way round. */
static void turn(struct look *look, const double forward[3], double azimuth)
{
    double up[3] = { 0, 0, 1 };

    for (int i = 0; i < 3; i++)
        look->forward[i] = forward[i];
    if (forward[0] * forward[0] + forward[1] * forward[1] < 1e-12)
        camera_direction(azimuth, 0, up);
    cross(up, look->forward, look->right);
    normalise(look->right);
    cross(look->forward, look->right, look->up);
}

static void turn_from(struct look *look, const struct camera *camera)
{
    double side[3];

    camera_direction(camera->azimuth, camera->elevation, side);
    for (int i = 0; i < 3; i++)
        side[i] = -side[i];
    if (fabs(camera->elevation) > upright)
        side[0] = side[1] = 0;
    turn(look, side, camera->azimuth);
}

static void corner_of(const struct extent *extent, int i, double corner[3])
{
    corner[0] = i & 1 ? extent->high[0] : extent->low[0];
    corner[1] = i & 2 ? extent->high[1] : extent->low[1];
    corner[2] = i & 4 ? extent->high[2] : extent->base;
}

static void middle_of(const struct extent *extent, double middle[3])
{
    for (int i = 0; i < 3; i++)
        middle[i] = (extent->low[i] + extent->high[i]) / 2;
}

/* Every corner of the extent, seen from the eye. */
static void see_corners(const struct look *look, const struct extent *extent, double seen[8][3])
{
    for (int i = 0; i < 8; i++) {
        double corner[3];

        corner_of(extent, i, corner);
        look_at(look, corner, seen[i]);
    }
}

/* How far the eye must stand back from the middle to have every corner between a pair of opposite
 * edges: the edges' planes, pushed against the corners, meet in a line in front of which it may
 * not come. */
static double distance_for(double seen[8][3], int axis, double tangent)
{
    double plus = -HUGE_VAL, minus = -HUGE_VAL;

    for (int i = 0; i < 8; i++) {
        plus = fmax(plus, seen[i][axis] - tangent * seen[i][2]);
        minus = fmax(minus, -seen[i][axis] - tangent * seen[i][2]);
    }
    return (plus + minus) / 2 / tangent;
}

/* How far to the side the eye must stand for the corners to be in the middle between the edges. */
static double shift_for(double seen[8][3], int axis, double back)
{
    double low = HUGE_VAL, high = -HUGE_VAL;

    for (int i = 0; i < 8; i++) {
        low = fmin(low, seen[i][axis]);
        high = fmax(high, seen[i][axis]);
    }
    for (int round = 0; round < 60; round++) {
        double shift = (low + high) / 2, left = HUGE_VAL, right = -HUGE_VAL;

        for (int i = 0; i < 8; i++) {
            double at = (seen[i][axis] - shift) / (seen[i][2] + back);

            left = fmin(left, at);
            right = fmax(right, at);
        }
        if (left + right > 0)
            low = shift;
        else
            high = shift;
    }
    return (low + high) / 2;
}

static void step_back(struct look *look, const struct extent *extent)
{
    double seen[8][3], back, shift[2];

    middle_of(extent, look->eye);
    see_corners(look, extent, seen);
    back = fmax(distance_for(seen, 0, look->half[0] * (1 - margin)),
                distance_for(seen, 1, look->half[1] * (1 - margin)));
    for (int axis = 0; axis < 2; axis++)
        shift[axis] = shift_for(seen, axis, back);
    for (int i = 0; i < 3; i++)
        look->eye[i] +=
            shift[0] * look->right[i] + shift[1] * look->up[i] - back * look->forward[i];
}

static void stand_off(struct look *look, const double target[3], double distance)
{
    for (int i = 0; i < 3; i++)
        look->eye[i] = target[i] - distance * look->forward[i];
}

/* An orbit at no given distance stands where the whole landscape would fit around its middle. */
static double whole_distance(const struct look *look, const struct extent *extent)
{
    double size[3] = { extent->high[0] - extent->low[0], extent->high[1] - extent->low[1],
                       extent->high[2] - extent->base };
    double tangent = fmin(look->half[0], look->half[1]);

    return sqrt(dot(size, size)) / 2 * sqrt(1 + 1 / (tangent * tangent));
}

/* Far enough away from a place that the box around the extent lies ahead. */
static void stand_outside(struct look *look, const double at[2], const struct extent *extent)
{
    double least = HUGE_VAL;

    look->eye[0] = at[0];
    look->eye[1] = at[1];
    look->eye[2] = (extent->low[2] + extent->high[2]) / 2;
    for (int i = 0; i < 8; i++) {
        double corner[3], seen[3];

        corner_of(extent, i, corner);
        look_at(look, corner, seen);
        least = fmin(least, seen[2]);
    }
    stand_off(look, (const double[3]){ look->eye[0], look->eye[1], look->eye[2] },
              1 - fmin(least, 0));
}

static bool from_right_above(const struct camera *camera)
{
    return camera->elevation > upright;
}

/* The whole landscape as a map. */
static void spread_out(struct look *look, const struct extent *extent, double aspect)
{
    double middle[3], seen[8][3];

    middle_of(extent, middle);
    stand_outside(look, middle, extent);
    look->ortho = true;
    look->half[1] = 0;
    see_corners(look, extent, seen);
    for (int i = 0; i < 8; i++)
        look->half[1] =
            fmax(look->half[1], fmax(fabs(seen[i][0]) / aspect, fabs(seen[i][1])) / (1 - margin));
    look->half[0] = look->half[1] * aspect;
}

static bool look_perspective(const struct camera *camera, struct look *look, struct fault *why)
{
    double forward[3], length;

    for (int i = 0; i < 3; i++)
        forward[i] = camera->target[i] - camera->position[i];
    length = normalise(forward);
    if (!(length > 1e-6) || !isfinite(length))
        return fault_set(why, FAULT_INPUT,
                         "The camera's target lies %g m from its position and gives no direction "
                         "to look in; move it at least 0.001 m away",
                         length);
    for (int i = 0; i < 3; i++)
        look->eye[i] = camera->position[i];
    turn(look, forward, 0);
    return true;
}

bool camera_look(const struct camera *camera, const struct extent *extent, int32_t width,
                 int32_t height, struct look *look, struct fault *why)
{
    double aspect = (double)width / height;

    if (camera->kind == CAMERA_PANORAMA)
        return fault_set(why, FAULT_INPUT,
                         "A panorama looks everywhere: it is a camera of pictures alone");
    look->ortho = camera->kind == CAMERA_ORTHO;
    look->half[1] = look->ortho ? camera->ortho_width / aspect / 2 : tan(camera->fov * radian / 2);
    look->half[0] = look->half[1] * aspect;
    if (camera->kind == CAMERA_PERSPECTIVE)
        return look_perspective(camera, look, why);
    turn_from(look, camera);
    if (camera->kind == CAMERA_FIT && from_right_above(camera))
        spread_out(look, extent, aspect);
    else if (camera->kind == CAMERA_FIT)
        step_back(look, extent);
    else if (camera->kind == CAMERA_ORTHO)
        stand_outside(look, camera->target, extent);
    else
        stand_off(look, camera->target,
                  camera->distance > 0 ? camera->distance : whole_distance(look, extent));
    return true;
}
