/* Rasters of one byte a sample, as bodies and as answers: weights and holes. Any thread. */
#ifndef API_RASTERS_EIGHT_BIT_H
#define API_RASTERS_EIGHT_BIT_H

#include "api/endpoint.h"
#include "api/rasters/window.h"

/* What endpoints of one plane take and give, and ?format='s words for it. */
extern const char *const eight_bit_media[], *const eight_bit_formats[];
enum eight_bit_form { EIGHT_BIT_PNG, EIGHT_BIT_R8 };

/* Samples row by row without gaps, one plane after the other; the request's arena or body has
 * them. */
struct eight_bit {
    int32_t width, height;
    int planes;
    const uint8_t *samples;
};

/* The body: a PNG of at most 8 bits, whose channels are the planes (its alpha only where there are
 * as many planes as channels), or r8, which needs width and height. Fails as decoding does, with
 * COLOUR for deeper samples or other channels, and with SIZE where the window asked for is another.
 */
bool eight_bit_read(struct request *rq, enum eight_bit_form form, const struct window_asked *asked,
                    int planes, struct eight_bit *raster);

/* Fills rq->bytes: `read` gives rows of a plane without gaps. Fails with LIMIT beyond
 * window_vertices. PNG is for one plane. */
typedef void eight_bit_rows(void *context, int plane, struct rect rows, uint8_t *samples);
bool eight_bit_write(struct request *rq, enum eight_bit_form form, struct rect window, int planes,
                     eight_bit_rows *read, void *context);

#endif
