/* Landscapes for pictures. Each call makes one of an incarnation of its own; NULL when memory is
 * out. */
#ifndef TESTS_RENDER_SCENERY_H
#define TESTS_RENDER_SCENERY_H

#include "terrain/core/view.h"

/* The smallest layout that holds columns x rows of these codes; what is left over is pad: the last
 * row and column repeated, and holes. */
struct view *scenery_of(int32_t columns, int32_t rows, const uint16_t *codes,
                        const double scale[3]);

/* Ridges and valleys, about a tenth as high as wide. */
struct view *scenery_mountains(int32_t side, double scale);

/* All of one height. */
struct view *scenery_plain(int32_t side, double scale, uint16_t code);

/* The next version of a view, with this change. */
struct view *scenery_change(const struct view *view, struct rect where, uint16_t code);
struct view *scenery_holes(const struct view *view, struct rect quads);
struct view *scenery_ground(const struct view *view, struct rect quads);

/* The next version, with one more paint layer of that name; with a rectangle painted with a weight
 * of a layer that there is. */
struct view *scenery_paint_layer(const struct view *view, const char *name);
struct view *scenery_paint(const struct view *view, const char *name, struct rect where,
                           uint8_t weight);

/* The next version, with each vertex moved aside as `aside` says of its column and row: quads east
 * and south. */
struct view *scenery_moved(const struct view *view,
                           void (*aside)(int32_t x, int32_t y, double quads[2]));

/* As aside: by less than half a quad, at random. */
void scenery_tremble(int32_t x, int32_t y, double quads[2]);

#endif
