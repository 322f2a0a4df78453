/* Binary bodies: items of a fixed number of little-endian floats in, and of a fixed number out.
 *
 * A row that takes them lists floats_media as media_in and media_out, is in_kind, names a
 * body_limit, and tells both layouts in its summary. Its handler answers JSON itself and calls
 * floats_run otherwise:
 *
 *     static bool piece(void *work, const struct floats_piece *p, struct fault *why)
 *     {
 *         const struct ray *rays = (const struct ray *)p->in;    // doubles only, seven each
 *         struct list list = { p->count, p->in };                // for frame_to_grid, in place
 *         ...                                                    // fill p->out, p->statuses
 *     }
 *
 *     static const struct floats layout = { .items = "rays", .limit = "query_rays",
 *                                           .in = 7, .out = 5, .piece = piece };
 *
 *     static bool run(struct request *rq, const void *asked, void *answer)
 *     {
 *         return rq->media_in == FLOATS_JSON
 *                    ? json_run(rq, asked, answer)
 *                    : floats_run(rq, &layout, asked->statuses, &work);
 *     }
 *
 * Items are read into doubles, a piece that stays in the cache at a time, and the pieces are split
 * over the executor: a piece is told nothing about the others, and runs on any thread. NaN is what
 * JSON prints as null. With statuses, one byte an item follows behind all the floats.
 */
#ifndef API_QUERIES_FLOATS_H
#define API_QUERIES_FLOATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/endpoint.h"

/* JSON, x-f32, x-f64: for media_in and media_out, indexed by the enum. */
extern const char *const floats_media[];
enum { FLOATS_JSON, FLOATS_F32, FLOATS_F64 };

/* Numbers of one item, and of all items of a piece, in and out together, at most: a piece has
 * FLOATS_PIECE_MOST / (in + out) items or less. */
enum { FLOATS_ITEM_MOST = 64, FLOATS_PIECE_MOST = 12288 };

struct floats_piece {
    size_t first, count; /* which items of the body */
    double *in;          /* count items, one behind the other; may be written over */
    double *out;         /* count items, NaN as they come */
    uint8_t *statuses;   /* count of them, 0 as they come; there even when nobody asked */
};

struct floats {
    const char *items; /* what they are called, as the JSON body's list is: "points" */
    const char *limit; /* the row of limits.def that bounds how many */
    size_t in, out;    /* numbers of one item; out may be 0 when there are statuses */
    /* Answers one piece. Its fault's place may be a pointer to an item of the piece
     * ("/points/3"): it is moved to that of the body. */
    bool (*piece)(void *work, const struct floats_piece *piece, struct fault *why);
};

/* Refuses more items than the row's limit with LIMIT: for JSON's lists and binary alike. */
bool floats_count(struct request *rq, const char *items, const char *limit, size_t count);

/* Refuses ?fields= with INPUT: floats leave no room for them. */
bool floats_alone(struct request *rq, const struct list *fields);

/* Answers the body into rq->bytes. Fails with INPUT when the body is no whole number of items, with
 * LIMIT, with MEMORY, and as the first piece that fails. */
bool floats_run(struct request *rq, const struct floats *layout, bool statuses, void *work);

#endif
