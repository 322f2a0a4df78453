/* Shared index buffers, by the key of layout_buffer_key, for the endpoints that serve them. What a
 * key stands for never changes. Any thread. */
#ifndef API_RASTERS_INDEX_BUFFER_H
#define API_RASTERS_INDEX_BUFFER_H

#include "api/endpoint.h"

struct index_buffer_asked {
    const char *key;
    int32_t lod;
    int order; /* of the vertices, enum mobile_order */
};
extern const struct shape index_buffer_asked_shape;

/* Words of enum mobile_order (terrain/core/mobile.h), ends with NULL. */
extern const char *const vertex_order_words[];

/* Fills rq->bytes. The key is one of that landscape's, or of any where it is NULL. Fails with INPUT
 * for a text that is no number, with MISSING for a key or a level that there is not, and with
 * IMPOSSIBLE for PC vertices in another order than the grid's. */
bool index_buffer_answer(struct request *rq, const struct index_buffer_asked *asked,
                         const struct layout *landscape);

#endif
