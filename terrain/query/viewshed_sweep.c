/* A viewshed by lines of vertices away from the eye, a quarter at a time.
 *
 * Behind each line the horizon rises by the sides of triangles that have come in between, so a
 * vertex is looked up instead of walked to. After the sweeps of van Kreveld (Variations on sweep
 * algorithms, 1996) and the envelopes of Katz, Overmars and Sharir (Efficient hidden surface
 * removal for objects with small union size, 1992), on the triangles themselves. What is nearer to
 * the horizon than rounding can tell is decided by a walk of its own, so that the answer is exact.
 *
 * In a quarter, u counts quads ahead of the eye and w beside it, turned or mirrored such that
 * diagonals run from (u, w) to (u + 1, w + 1). */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "terrain/query/horizon.h"
#include "terrain/query/viewshed_inside.h"

/* A quarter is 1 to each side; a little more, so that what only touches its border is there. */
#define WIDEST (1 + 1.0 / 1024)

struct line {
    const struct seeing *seeing;
    bool swapped;                /* ahead is along y */
    int32_t turn;                /* 1, or -1: ahead is where numbers fall */
    double eye[2], level;        /* ahead and beside, in quads; in units of height */
    int32_t ahead[2], beside[2]; /* first and last vertex of the ground, turned */
    int64_t step[2];             /* through the ground's arrays */
    struct horizon horizon, lines[5];
    int64_t count;             /* of what is seen */
    int64_t crossings, pieces; /* those since the last line; the most */
};

static int64_t index_of(const struct line *line, int32_t m, int32_t l)
{
    return m * line->step[0] + l * line->step[1];
}

static void place_of(const struct line *line, int32_t m, int32_t l, int32_t at[2])
{
    at[line->swapped] = line->turn * m;
    at[!line->swapped] = line->turn * l;
}

static double height_of(const struct line *line, int32_t m, int32_t l)
{
    return line->seeing->heights[index_of(line, m, l)] - line->level;
}

/* Whether the side from (m, l) in that direction is there; its first vertex is where both numbers
 * are least before turning. */
static bool side_there(const struct line *line, int32_t m, int32_t l, int ahead, int beside)
{
    const uint8_t *sides = line->seeing->sides;
    const int side = ahead && beside                 ? SIGHT_DIAGONAL
                     : (ahead != 0) == line->swapped ? SIGHT_SOUTH
                                                     : SIGHT_EAST;

    if (!sides)
        return true;
    return line->turn > 0 ? sides[index_of(line, m, l)] & side
                          : sides[index_of(line, m + ahead, l + beside)] & side;
}

/* The direction of a vertex; one that is not ahead is where its side leads to on the way back. */
static double direction(double u, double w, double far)
{
    return u > 0 ? w / u : far;
}

/* How far to a side two directions go. */
static double most_of(double from, double to)
{
    return -from > to ? -from : to;
}

/* The side from (m, l) as a piece of horizon; false when it is not there, or is seen end on. */
static bool piece_of(const struct line *line, int32_t m, int32_t l, int ahead, int beside,
                     struct horizon_piece *piece)
{
    const double u = m - line->eye[0], w = l - line->eye[1];
    const double across = u * beside - w * ahead; /* exact, as u and w are */
    double h, rise, first, last;

    if (across == 0 || (ahead && beside && across < 0) || !side_there(line, m, l, ahead, beside))
        return false;
    h = height_of(line, m, l);
    rise = height_of(line, m + ahead, l + beside) - h;
    first = direction(u, w, across > 0 ? -INFINITY : INFINITY);
    last = direction(u + ahead, w + beside, INFINITY);
    piece->from = first < last ? first : last;
    piece->to = first < last ? last : first;
    if (!(piece->from < WIDEST && piece->to > -WIDEST))
        return false;
    piece->from = piece->from < -WIDEST ? -WIDEST : piece->from;
    piece->to = piece->to > WIDEST ? WIDEST : piece->to;
    piece->level = (h * beside - rise * w) / across;
    piece->slope = (u * rise - h * ahead) / across;
    piece->error = 0x1p-49 * WIDEST *
                   (fabs(h * beside) + fabs(rise * w) +
                    (fabs(u * rise) + fabs(h * ahead)) * most_of(piece->from, piece->to)) /
                   fabs(across);
    piece->owed = 0;
    return piece->from < piece->to;
}

/* Vertices of line m that may matter: those of the quarter, and one more to each side. */
static void span(const struct line *line, int32_t m, int32_t *first, int32_t *last)
{
    const double reach = fmax(m - line->eye[0], 0) * WIDEST + 2;

    *first = (int32_t)fmax(line->beside[0], floor(line->eye[1] - reach));
    *last = (int32_t)fmin(line->beside[1], ceil(line->eye[1] + reach));
}

/* Sides from line m on in one direction, every `every`-th from `first` on: those overlap in no
 * direction of the quarter. */
static bool gather(struct line *line, int32_t m, int ahead, int beside, int32_t skip, int32_t every,
                   struct horizon *into)
{
    int32_t first, last;
    double behind = -INFINITY;

    into->count = 0;
    span(line, m + ahead, &first, &last);
    for (int32_t l = first + skip; l + beside <= last; l += every) {
        struct horizon_piece piece;

        if (!piece_of(line, m, l, ahead, beside, &piece))
            continue;
        if (piece.from < behind)
            piece.from = behind;
        if (!horizon_add(into, &piece))
            return false;
        if (piece.to > behind)
            behind = piece.to;
    }
    return true;
}

/* The horizon rises by line m and, where there is one, what lies between it and the line before. */
static bool rise(struct line *line, int32_t m)
{
    struct horizon *lines = line->lines, swap;

    lines[0].count = lines[1].count = lines[2].count = 0;
    if (m > line->ahead[0] &&
        !(gather(line, m - 1, 1, 0, 0, 1, &lines[0]) &&
          gather(line, m - 1, 1, 1, 0, 2, &lines[1]) && gather(line, m - 1, 1, 1, 1, 2, &lines[2])))
        return false;
    if (!horizon_join(&lines[0], &lines[1], &lines[3]) ||
        !horizon_join(&lines[3], &lines[2], &lines[4]) || !gather(line, m, 0, 1, 0, 1, &lines[0]) ||
        !horizon_join(&lines[4], &lines[0], &lines[3]) ||
        !horizon_join(&line->horizon, &lines[3], &lines[4]))
        return false;
    swap = line->horizon;
    line->horizon = lines[4];
    lines[4] = swap;
    if (line->pieces < (int64_t)line->horizon.count)
        line->pieces = (int64_t)line->horizon.count;
    return true;
}

/* Between the line before and a target to the left there is one side that does not end at it. */
static void read_between(const struct line *line, int32_t m, int32_t l, double at,
                         struct horizon_reading *reading)
{
    struct horizon_piece piece;

    if (at >= 0 || m == line->ahead[0] || l == line->beside[1] ||
        !piece_of(line, m - 1, l, 1, 1, &piece))
        return;
    reading->high = fmax(reading->high, piece.level + piece.slope * at);
    reading->low = fmax(reading->low, piece.level + piece.slope * at);
    reading->doubt = fmax(reading->doubt, piece.error);
}

static bool look(struct line *line, int32_t m, int32_t l, size_t *piece)
{
    const struct seeing *seeing = line->seeing;
    const double u = m - line->eye[0], w = l - line->eye[1];
    const double h = height_of(line, m, l) + (double)seeing->raised;
    struct horizon_reading reading = horizon_read(&line->horizon, w / u, piece);
    double above, doubt;
    int32_t at[2];
    bool seen, hidden;

    place_of(line, m, l, at);
    read_between(line, m, l, w / u, &reading);
    doubt = reading.doubt + 0x1p-51 * fabs(h / u);
    above = h / u - reading.high;
    seen = above > doubt || (above == 0 && doubt == 0);
    hidden = h / u < reading.low - doubt &&
             (!seeing->viewshed->lacks || reading.high - reading.low <= doubt);
    if (u <= 1 || !(seen || hidden))
        return viewshed_look(seeing, at[0], at[1], &line->crossings);
    viewshed_put(seeing, at[0], at[1], seen, -above * u);
    return seen;
}

/* Those of line m that are in the quarter: its left and right borders belong to the ones ahead
 * along x. */
static void look_along(struct line *line, int32_t m)
{
    const double u = m - line->eye[0];
    size_t piece = 0;
    int32_t first, last;

    span(line, m, &first, &last);
    for (int32_t l = first; l <= last; l++) {
        const double w = fabs(l - line->eye[1]);
        int32_t at[2];

        place_of(line, m, l, at);
        if ((line->swapped ? w < u : w <= u) && viewshed_counts(line->seeing, at[0], at[1]))
            line->count += look(line, m, l, &piece);
    }
}

static void line_begin(struct line *line, const struct seeing *seeing, size_t sector)
{
    const int32_t sizes[2] = { seeing->reach.width, seeing->reach.height };
    const int64_t steps[2] = { 1, seeing->reach.width };

    *line = (struct line){ .seeing = seeing, .swapped = sector & 1, .turn = sector < 2 ? 1 : -1 };
    line->level = (double)seeing->eye[2];
    for (int k = 0; k < 2; k++) {
        const int axis = line->swapped ? !k : k, far = sizes[axis] - 1;
        int32_t *ends = k ? line->beside : line->ahead;

        line->eye[k] = line->turn * ((double)seeing->eye[axis] / SIGHT_UNIT);
        line->step[k] = line->turn * steps[axis];
        ends[0] = line->turn > 0 ? 0 : -far;
        ends[1] = line->turn > 0 ? far : 0;
    }
}

/* Where a quarter stops depends on how far the others are; that they are beyond the limit together
 * does not. */
static bool beyond_limits(struct line *line, struct viewshed_sectors *sectors)
{
    const int64_t most = line->seeing->options->most_crossings;
    const int64_t crossings =
        atomic_fetch_add(&sectors->crossings, line->crossings) + line->crossings;

    line->crossings = 0;
    return (most > 0 && crossings > most) || line->pieces > viewshed_pieces(line->seeing);
}

void viewshed_sector(void *work, size_t sector)
{
    struct viewshed_sectors *sectors = work;
    struct line line;
    int32_t m;

    line_begin(&line, sectors->seeing, sector);
    m = (int32_t)fmax(line.ahead[0], floor(line.eye[0]) + 1);
    for (; m <= line.ahead[1] && !sectors->failed[sector] && !beyond_limits(&line, sectors); m++) {
        look_along(&line, m);
        sectors->failed[sector] = m < line.ahead[1] && !rise(&line, m);
    }
    sectors->count[sector] = line.count;
    sectors->crossings += line.crossings;
    sectors->pieces[sector] = line.pieces;
    horizon_free(&line.horizon);
    for (int i = 0; i < 5; i++)
        horizon_free(&line.lines[i]);
}
