#include "api/queries/floats.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/service.h"

const char *const floats_media[] = { "application/json", "application/x-f32", "application/x-f64",
                                     NULL };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "floats are read as they lie");

struct batch {
    const struct floats *layout;
    void *work;
    const unsigned char *from;
    unsigned char *to, *statuses; /* statuses may be NULL */
    size_t size;                  /* of a float: 4 or 8 */
    size_t count, step;           /* items, and those of a piece */
    pthread_mutex_t lock;
    size_t failed; /* the first piece that did, SIZE_MAX is none; and why */
    struct fault why;
};

static void floats_read(const unsigned char *from, size_t size, size_t count, double *to)
{
    if (size == sizeof(double)) {
        memcpy(to, from, count * size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        float narrow;

        memcpy(&narrow, from + i * sizeof narrow, sizeof narrow);
        to[i] = (double)narrow;
    }
}

static void floats_write(const double *from, size_t size, size_t count, unsigned char *to)
{
    if (size == sizeof(double)) {
        memcpy(to, from, count * size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        float narrow = (float)from[i];

        memcpy(to + i * sizeof narrow, &narrow, sizeof narrow);
    }
}

/* "/points/3/..." of a piece is "/points/4099/..." of the body. */
static void place_move(const char *items, size_t first, struct fault *why)
{
    size_t length = strlen(items);
    char place[sizeof why->place], *rest;
    unsigned long long index;

    if (why->place[0] != '/' || strncmp(why->place + 1, items, length) ||
        why->place[length + 1] != '/')
        return;
    memcpy(place, why->place, sizeof place);
    index = strtoull(place + length + 2, &rest, 10);
    if (rest > place + length + 2)
        fault_at(why, "/%s/%llu%s", items, index + first, rest);
}

static bool piece_answer(const struct batch *batch, size_t index, struct fault *why)
{
    const struct floats *layout = batch->layout;
    size_t first = index * batch->step, left = batch->count - first;
    size_t count = left < batch->step ? left : batch->step;
    double numbers[FLOATS_PIECE_MOST]; /* they stay in the second cache */
    uint8_t statuses[FLOATS_PIECE_MOST];
    struct floats_piece piece = { .first = first,
                                  .count = count,
                                  .in = numbers,
                                  .out = numbers + count * layout->in,
                                  .statuses = statuses };

    floats_read(batch->from + first * layout->in * batch->size, batch->size, count * layout->in,
                piece.in);
    for (size_t i = 0; i < count * layout->out; i++)
        piece.out[i] = NAN;
    memset(statuses, 0, count);
    if (!layout->piece(batch->work, &piece, why)) {
        place_move(layout->items, first, why);
        return false;
    }
    floats_write(piece.out, batch->size, count * layout->out,
                 batch->to + first * layout->out * batch->size);
    if (batch->statuses)
        memcpy(batch->statuses + first, statuses, count);
    return true;
}

/* Of several that fail the first tells why: the same whichever thread was faster. */
static void piece_run(void *work, size_t index)
{
    struct batch *batch = work;
    struct fault why = { 0 };

    if (piece_answer(batch, index, &why))
        return;
    pthread_mutex_lock(&batch->lock);
    if (index < batch->failed) {
        batch->failed = index;
        batch->why = why;
    }
    pthread_mutex_unlock(&batch->lock);
}

bool floats_count(struct request *rq, const char *items, const char *limit, size_t count)
{
    const int64_t *most = limits_at(&rq->service->limits, limit);

    assert(most);
    if (count <= (uint64_t)*most)
        return true;
    return REFUSE(rq, FAULT_LIMIT, "%zu %s came; at most %lld are answered (%s)", count, items,
                  (long long)*most, limit);
}

bool floats_alone(struct request *rq, const struct list *fields)
{
    if (fields->count == 0)
        return true;
    REFUSE(rq, FAULT_INPUT, "fields are answered in JSON only; send JSON or leave them out");
    return fault_at(&rq->fault, "fields");
}

bool floats_run(struct request *rq, const struct floats *layout, bool statuses, void *work)
{
    struct batch batch = { .layout = layout,
                           .work = work,
                           .from = rq->body_data,
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .failed = SIZE_MAX };
    size_t item, floats, numbers = layout->in + layout->out;

    assert(layout->in > 0 && numbers <= FLOATS_ITEM_MOST);
    batch.size = rq->media_in == FLOATS_F64 ? sizeof(double) : sizeof(float);
    batch.step = FLOATS_PIECE_MOST / numbers;
    item = layout->in * batch.size;
    if (rq->body_length % item != 0)
        return REFUSE(rq, FAULT_INPUT,
                      "%zu bytes are no whole number of %s of %zu bytes (%zu floats of %zu)",
                      rq->body_length, layout->items, item, layout->in, batch.size);
    batch.count = rq->body_length / item;
    floats = batch.count * layout->out * batch.size;
    if (!floats_count(rq, layout->items, layout->limit, batch.count) ||
        !bytes_reserve(&rq->bytes, floats + (statuses ? batch.count : 0) + 1, &rq->fault))
        return false;
    batch.to = rq->bytes.data;
    batch.statuses = statuses ? batch.to + floats : NULL;
    executor_run(batch.count > batch.step ? rq->service->executor : NULL,
                 (batch.count + batch.step - 1) / batch.step, piece_run, &batch);
    if (batch.failed != SIZE_MAX) {
        rq->fault = batch.why;
        return false;
    }
    rq->bytes.length = floats + (statuses ? batch.count : 0);
    return true;
}
