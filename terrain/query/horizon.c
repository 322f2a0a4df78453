#include "terrain/query/horizon.h"

#include <math.h>
#include <stdlib.h>

/* Directions are rounded quotients not far above 1. */
#define NEXT_TO 0x1p-49

/* Of numbers that are no NaN: half the cost of fmin and fmax. */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

static double steepness(const struct horizon_piece *piece, double direction)
{
    return piece->level + piece->slope * direction;
}

static bool make_room(struct horizon *horizon)
{
    const size_t room = horizon->room ? 2 * horizon->room : 256;
    struct horizon_piece *pieces = realloc(horizon->pieces, room * sizeof *pieces);

    if (!pieces)
        return false;
    horizon->pieces = pieces;
    horizon->room = room;
    return true;
}

bool horizon_add(struct horizon *horizon, const struct horizon_piece *piece)
{
    struct horizon_piece *last = horizon->pieces + horizon->count;

    if (!(piece->from < piece->to))
        return true;
    if (horizon->count > 0 && last[-1].to == piece->from && last[-1].level == piece->level &&
        last[-1].slope == piece->slope) {
        last[-1].to = piece->to;
        last[-1].error = greater(last[-1].error, piece->error);
        last[-1].owed = greater(last[-1].owed, piece->owed);
        return true;
    }
    if (horizon->count == horizon->room && !make_room(horizon))
        return false;
    horizon->pieces[horizon->count++] = *piece;
    return true;
}

static bool add_part(struct horizon *horizon, const struct horizon_piece *piece, double from,
                     double to, double owed)
{
    struct horizon_piece part = *piece;

    part.from = from;
    part.to = to;
    part.owed = greater(piece->owed, owed);
    return horizon_add(horizon, &part);
}

/* Where both are. The higher one stays; if it is not clearly higher, it owes what the other may
 * truly have been above it. */
static bool add_higher(struct horizon *joined, const struct horizon_piece *a,
                       const struct horizon_piece *b, double from, double to)
{
    const double begins = steepness(a, from) - steepness(b, from);
    const double ends = steepness(a, to) - steepness(b, to);
    const double errors = a->error + b->error, doubt = errors + greater(a->owed, b->owed);
    double cross;

    if (begins > doubt && ends > doubt)
        return add_part(joined, a, from, to, 0);
    if (begins < -doubt && ends < -doubt)
        return add_part(joined, b, from, to, 0);
    if (begins >= 0 && ends >= 0)
        return add_part(joined, a, from, to, b->owed + errors);
    if (begins <= 0 && ends <= 0)
        return add_part(joined, b, from, to, a->owed + errors);
    cross = lesser(greater(from + (to - from) * (begins / (begins - ends)), from), to);
    return add_part(joined, begins > 0 ? a : b, from, cross,
                    (begins > 0 ? b->owed : a->owed) + errors) &&
           add_part(joined, begins > 0 ? b : a, cross, to,
                    (begins > 0 ? a->owed : b->owed) + errors);
}

bool horizon_join(const struct horizon *a, const struct horizon *b, struct horizon *joined)
{
    const struct horizon_piece *p = a->pieces, *p_end = a->pieces + a->count;
    const struct horizon_piece *q = b->pieces, *q_end = b->pieces + b->count;
    double at = -INFINITY;
    bool done = true;

    joined->count = 0;
    while (done && (p < p_end || q < q_end)) {
        const double p_from = p < p_end ? p->from : INFINITY;
        const double q_from = q < q_end ? q->from : INFINITY;
        double to;

        at = greater(at, lesser(p_from, q_from));
        to = lesser(p_from > at ? p_from : p->to, q_from > at ? q_from : q->to);
        if (p_from <= at && q_from <= at)
            done = add_higher(joined, p, q, at, to);
        else
            done = add_part(joined, p_from <= at ? p : q, at, to, 0);
        at = to;
        p += p < p_end && p->to <= at;
        q += q < q_end && q->to <= at;
    }
    return done;
}

struct horizon_reading horizon_read(const struct horizon *horizon, double direction, size_t *piece)
{
    struct horizon_reading reading = { INFINITY, -INFINITY, 0 };
    double covered = direction - NEXT_TO;

    while (*piece < horizon->count && horizon->pieces[*piece].to < direction - NEXT_TO)
        ++*piece;
    for (size_t i = *piece; i < horizon->count; i++) {
        const struct horizon_piece *p = &horizon->pieces[i];
        const double value = steepness(p, direction);

        if (p->from > direction + NEXT_TO)
            break;
        if (p->from > covered)
            reading.low = -INFINITY;
        covered = greater(covered, p->to);
        reading.low = lesser(reading.low, value);
        reading.high = greater(reading.high, value);
        reading.doubt = greater(reading.doubt, p->error + p->owed);
    }
    if (covered < direction + NEXT_TO)
        reading.low = -INFINITY;
    return reading;
}

void horizon_free(struct horizon *horizon)
{
    free(horizon->pieces);
    *horizon = (struct horizon){ 0 };
}
