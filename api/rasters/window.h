/* The rectangle of vertices that raster endpoints share: ?x=&y=&width=&height=&step=. Any thread.
 */
#ifndef API_RASTERS_WINDOW_H
#define API_RASTERS_WINDOW_H

#include "api/endpoint.h"
#include "terrain/format/export.h"

/* 0 for width and height is what is left of the whole. */
struct window_asked {
    int32_t x, y, width, height;
};
extern const struct shape window_shape;

/* The same with every step-th vertex. */
struct window_steps_asked {
    struct window_asked window;
    int32_t step;
};
extern const struct shape window_steps_shape;

/* The window within `whole`, which is what is meant when nothing is asked. Fails with IMPOSSIBLE,
 * placed at the parameter, for what lies outside the landscape. */
bool window_rect(const struct window_asked *asked, struct rect whole, const struct view *view,
                 struct rect *rect, struct fault *why);

/* The same in quads, each named by its north-west vertex; all of them when nothing is asked. */
bool window_quads(const struct window_asked *asked, const struct view *view, struct rect *rect,
                  struct fault *why);

/* The same of a grid of so many samples. */
bool window_samples(const struct window_asked *asked, int32_t columns, int32_t rows,
                    struct rect *rect, struct fault *why);

/* As an answer: fails with LIMIT too, for more than window_vertices. */
bool window_steps(const struct request *rq, const struct window_steps_asked *asked,
                  struct rect whole, struct export_window *window, struct fault *why);

#endif
