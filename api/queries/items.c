#include "api/queries/items.h"

#include "api/queries/about.h"
#include "api/service.h"

enum { AT_ONCE = 8 };

struct printing {
    items_print *print;
    void *work;
    size_t first, count;
    struct piece {
        struct bytes text;
        struct fault why;
        bool done;
    } pieces[AT_ONCE];
};

static void piece_print(void *context, size_t i)
{
    struct printing *printing = context;
    struct piece *piece = &printing->pieces[i];
    const size_t first = printing->first + i * ITEMS_PIECE, left = printing->count - first;

    piece->text.length = 0;
    piece->done = printing->print(printing->work, first, left < ITEMS_PIECE ? left : ITEMS_PIECE,
                                  &piece->text, &piece->why);
}

static bool pieces_print(struct request *rq, struct printing *printing)
{
    const size_t left = (printing->count - printing->first + ITEMS_PIECE - 1) / ITEMS_PIECE;
    const size_t pieces = left < AT_ONCE ? left : AT_ONCE;
    bool done = true;

    executor_run(pieces > 1 ? rq->service->executor : NULL, pieces, piece_print, printing);
    for (size_t i = 0; done && i < pieces; i++) {
        const struct piece *piece = &printing->pieces[i];

        if (!piece->done)
            rq->fault = piece->why;
        done =
            piece->done && bytes_add(&rq->bytes, piece->text.data, piece->text.length, &rq->fault);
    }
    return done;
}

bool items_write(struct request *rq, size_t count, items_print *print, void *work)
{
    struct printing printing = { .print = print, .work = work, .count = count };
    bool done = bytes_add(&rq->bytes, "[", 1, &rq->fault);

    for (; done && printing.first < count; printing.first += AT_ONCE * ITEMS_PIECE)
        done = pieces_print(rq, &printing);
    for (size_t i = 0; i < AT_ONCE; i++)
        bytes_free(&printing.pieces[i].text);
    return done && bytes_add(&rq->bytes, "]", 1, &rq->fault);
}

bool items_statuses(struct request *rq, const uint8_t *statuses, size_t count)
{
    if (!bytes_print(&rq->bytes, &rq->fault, ",\"statuses\":["))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!bytes_print(&rq->bytes, &rq->fault, i ? ",\"%s\"" : "\"%s\"",
                         status_words[statuses[i]]))
            return false;
    return bytes_add(&rq->bytes, "]", 1, &rq->fault);
}
