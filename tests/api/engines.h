/* The layouts of the collision heightfield as their engines read them, by each engine's own
 * diagonal.
 */
#ifndef TESTS_API_ENGINES_H
#define TESTS_API_ENGINES_H

#include <stddef.h>

/* What the document says of a format, and its bytes, to be freed. */
struct shape_file {
    double counts[2], scale[3], position[3], rotation[4], range[2];
    unsigned char *data;
    size_t length;
};

/* A little-endian float32 at a byte. Fails the test behind the end. */
double engines_float(const struct shape_file *file, size_t at);

/* The height at x east and y south in local metres; NaN where the shape has none. Fails the test
 * for bytes that the engine would not take. */
typedef double engines_read(const struct shape_file *file, double x, double y);
engines_read engines_chaos, engines_jolt, engines_bullet, engines_physx, engines_rapier,
    engines_list, engines_soup, engines_f32;

/* What is to be: samples of r16, and holes, which may be NULL. */
double engines_plain(const struct shape_file *codes, const struct shape_file *holes, double x,
                     double y);

#endif
