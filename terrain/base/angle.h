/* Angles, the same to the bit on every machine: the C library's functions are not.
 *
 * Degrees, and a circle function for radians. Sine and cosine are within 1e-15 of the right value
 * (circle_sin and circle_cos up to 1e5 radians; beyond that the error grows with the angle, and
 * from 1e15 right angles on they are NaN), angles within 1e-13 degrees. Multiples of 90 degrees and
 * tangents of 0 and 1 come out exactly.
 * Source: the Taylor series of sine and of the arc tangent, arguments brought near 0 first. Any
 * thread.
 */
#ifndef TERRAIN_BASE_ANGLE_H
#define TERRAIN_BASE_ANGLE_H

#include <stdint.h>

double angle_sin(double degrees);
double angle_cos(double degrees);

/* The same of radians. */
double circle_sin(double radians);
double circle_cos(double radians);

/* The angle whose tangent is `tangent`, for tangents from 0 on: 0 to 90 degrees. */
double angle_of_tangent(double tangent);
/* The same of many; degrees may be the tangents' own place. */
void angles_of_tangents(int32_t count, const double *tangents, double *degrees);

/* The direction of (east, south) as on a compass, clockwise from north: at least 0 and below 360.
 * Of (0, 0) it is 0. */
double angle_compass(double east, double south);

#endif
