/* Heights and normals as texels: R,G the 16-bit height, B,A the normal's x and y.
 * Definitions: height and normal codec of the reference. Any thread. */
#ifndef TERRAIN_CORE_CODEC_H
#define TERRAIN_CORE_CODEC_H

#include <stdint.h>

uint8_t codec_normal(double n);                          /* a component of a unit normal */
void codec_decode(double b, double a, double normal[3]); /* bytes, or what lies between them */

/* The normal of the vertex in the middle of a 3 x 3 window of heights, row by row. present says
 * which of the four quads around it exist: bit 0 north-west, 1 north-east, 2 south-west,
 * 3 south-east. Unit, z up; every triangle counts with its unit normal. */
void codec_vertex_normal(const uint16_t window[9], const double scale[3], unsigned present,
                         double normal[3]);

#endif
