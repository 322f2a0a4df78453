/* Means of the ground around each vertex, by a box or a Gaussian, as it was before a dab.
 *
 * At the landscape's border only what lies on it counts. A tool makes them ready before each
 * dab, then for each block. One thread at a time.
 */
#ifndef TERRAIN_EDIT_MEANS_H
#define TERRAIN_EDIT_MEANS_H

#include "terrain/edit/brush.h"

enum { MEANS_BOX, MEANS_GAUSS };
enum { MEANS_RADIUS_MOST = 64 };
extern const char *const means_kernels[];

/* The members of a tool that say which means: an int and an int32_t, by these names. */
#define MEANS_FIELDS(type)                                                                         \
    FIELD_AS(FIELD_CHOICE, type, kernel, "How neighbours weigh", .words = means_kernels,           \
             .has_value = true, .value = MEANS_BOX),                                               \
        FIELD(type, kernel_radius, "quads", 1, MEANS_RADIUS_MOST,                                  \
              "How far neighbours count; a Gaussian's sigma is half of it", .has_value = true,     \
              .value = 2)

struct means;

/* Fails with MEMORY. means_free(NULL) does nothing. */
struct means *means_new(int kernel, int32_t radius, struct fault *why);
void means_free(struct means *means);

/* The heights as they are now, of which the next means are; fails as draft_surface and
 * draft_spend do. */
bool means_begin(struct means *means, struct draft *draft, struct rect box, struct fault *why);
/* The same of a paint layer's weights: those at that position of the stack. */
bool means_begin_weights(struct means *means, struct draft *draft, int paint, struct rect box,
                         struct fault *why);
/* Those of a rectangle within one block, and then from (x, y) in it to its row's end; codes. */
void means_make(struct means *means, struct rect part);
const double *means_row(const struct means *means, int32_t x, int32_t y);

#endif
