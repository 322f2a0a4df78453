/* Rays on their way from a request's frame to the surface, and what is told of where they meet it.
 * Any thread. */
#ifndef API_QUERIES_HITS_H
#define API_QUERIES_HITS_H

#include "api/endpoint.h"
#include "terrain/query/ray.h"

/* What rows of rays have in the query. */
struct hits_asked {
    struct list fields; /* const char * */
    bool ignore_holes, statuses;
};
extern const struct shape hits_asks_shape;

/* What every hit tells: an item of a nullable list. */
extern const struct shape hit_shape;

/* Scales a direction by a power of two to a length near 1, so that none is too short or too long,
 * and answers which one: what it was is 2^answer of what it is. */
int hits_scale(double along[3]);
/* A direction along the frame's axes (metres; quads and metres in the grid) as a ray's step, scaled
 * like that. */
void hits_along(const struct request *rq, const double direction[3], double along[3]);

/* Count positions, `stride` doubles apart, in place; those that have no place become NaN. Fails as
 * frame_to_grid does. */
bool hits_to_grid(const struct request *rq, double *positions, size_t stride, size_t count,
                  struct fault *why);
bool hits_from_grid(const struct request *rq, double *positions, size_t stride, size_t count,
                    struct fault *why);

/* Answers the rays' hits into rq->bytes as JSON, with the members that were asked for. */
bool hits_answer(struct request *rq, const struct hits_asked *asked, const struct ray *rays,
                 const struct ray_hit *hits, size_t count);

#endif
