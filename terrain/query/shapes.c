#include "terrain/query/shapes.h"

enum { PIECE = 64 };

struct batch {
    size_t count;
    shape_one *one;
    void *work;
    _Atomic int64_t own, *left;
    _Atomic bool spent;
};

static void piece_run(void *context, size_t piece)
{
    struct batch *batch = context;
    const size_t first = piece * PIECE;

    for (size_t i = first; i < batch->count && i < first + PIECE; i++) {
        if (atomic_load_explicit(&batch->spent, memory_order_relaxed))
            return;
        if (!batch->one(batch->work, i, batch->left))
            atomic_store_explicit(&batch->spent, true, memory_order_relaxed);
    }
}

bool shapes_run(size_t count, const struct shape_ways *ways, shape_one *one, void *work,
                const struct executor *executor, struct fault *why)
{
    const size_t pieces = (count + PIECE - 1) / PIECE;
    struct batch batch = { .count = count, .one = one, .work = work };

    atomic_init(&batch.own, ways->quads_most > 0 ? ways->quads_most : INT64_MAX);
    batch.left = ways->left ? ways->left : &batch.own;
    atomic_init(&batch.spent, false);
    executor_run(pieces > 1 ? executor : NULL, pieces, piece_run, &batch);
    if (batch.spent)
        return fault_set(why, FAULT_LIMIT,
                         "these shapes come near more than %lld quads; send fewer or smaller ones",
                         (long long)ways->quads_most);
    return true;
}
