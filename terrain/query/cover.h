/* Paint on the ground: which layer dominates at a point, how much of the landscape one covers.
 *
 * Paint layers are named by their position in the stack, -1 is none. Weights are 0..255. Between
 * vertices they are those of the triangle, as heights are. Any thread.
 */
#ifndef TERRAIN_QUERY_COVER_H
#define TERRAIN_QUERY_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/core/view.h"

/* The heaviest paint layer and the one behind it, the lower position on a tie. */
struct cover {
    int first, second;
    double first_weight, second_weight;
};

/* At a grid position; weights of 0 or below `least` do not count. False outside the landscape (NaN
 * is outside). */
bool cover_at(const struct view *view, const double at[2], double least, struct cover *cover);

/* The weights of the layer at that position over a rectangle on the landscape, rows `stride`
 * apart. */
void cover_read(const struct view *view, int paint, struct rect from, uint8_t *weights,
                int64_t stride);

/* Whether the layer has any weight in the rectangle's blocks. */
bool cover_any(const struct view *view, int paint, struct rect over);

/* A number that is another one whenever any of these layers' weights have changed in the rectangle,
 * or another layer has come in the place of one: for the keys of what is made of them. */
uint64_t cover_stamp(const struct view *view, const int *paints, int count, struct rect over);
/* The same of all layers. */
uint64_t cover_stamp_all(const struct view *view, struct rect over);
/* The same of all layers, of the surface (view_newest), and of the layers' names and physical
 * materials: for what names them at a place. */
uint64_t cover_stamp_named(const struct view *view, struct rect over);

/* Over all vertices. Costs a pass over the blocks in which the layer varies. */
struct coverage {
    double share; /* of the vertices that have any of its weight, 0..1 */
    double mean;  /* weight */
    uint8_t least, greatest;
};
struct coverage cover_statistics(const struct view *view, int paint);

#endif
