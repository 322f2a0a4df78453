#include "terrain/query/contour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 1 << 16, NONE = -1 };

/* Sides of triangles are known by the vertex at their north-west end and whether they go east,
 * south, or along the diagonal to the south-east. */
enum side { EAST, SOUTH, DIAGONAL, SIDES };
static const int32_t steps[SIDES][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 } };

/* Crossings of a side with levels stand together, the lowest level first; those of a vertex's
 * three sides behind each other. */
struct tracing {
    const struct grid *grid;
    struct rect over;
    double interval, base;
    int32_t *levels;  /* for each code, the number of levels at or below it, less a constant */
    double lowest;    /* which level number 0 is */
    uint16_t *codes;  /* of the window, row by row */
    uint8_t *holes;   /* of its quads */
    uint32_t *firsts; /* for each vertex, its first crossing */
    double (*places)[2];
    int32_t *next;  /* the crossing to which the line goes on, or NONE */
    uint8_t *state; /* of STATE_ */
    size_t crossings;
};

enum { STATE_ENTERED = 1, STATE_TOLD = 2 };

static size_t vertex_of(const struct tracing *tracing, int32_t x, int32_t y)
{
    return (size_t)y * (size_t)tracing->over.width + (size_t)x;
}

static bool side_inside(const struct tracing *tracing, int32_t x, int32_t y, enum side side)
{
    return x + steps[side][0] < tracing->over.width && y + steps[side][1] < tracing->over.height;
}

static double level_metres(const struct tracing *tracing, int32_t level)
{
    return tracing->base + (tracing->lowest + level) * tracing->interval;
}

/* How many levels cross a side, and the number of the lowest. */
static int32_t side_levels(const struct tracing *tracing, int32_t x, int32_t y, enum side side,
                           int32_t *lowest)
{
    const int32_t from = tracing->levels[tracing->codes[vertex_of(tracing, x, y)]];
    const int32_t to =
        tracing->levels[tracing->codes[vertex_of(tracing, x + steps[side][0], y + steps[side][1])]];

    *lowest = from < to ? from : to;
    return from < to ? to - from : from - to;
}

/* The number of the greatest level at or below the height. */
static double level_below(const struct tracing *tracing, double metres)
{
    double n = floor((metres - tracing->base) / tracing->interval);

    while (tracing->base + (n + 1) * tracing->interval <= metres)
        n++;
    while (tracing->base + n * tracing->interval > metres)
        n--;
    return n;
}

/* Levels are counted from the one that lies next above the window's lowest vertex. */
static bool levels_count(struct tracing *tracing, struct fault *why)
{
    const size_t count = (size_t)rect_area(tracing->over);
    uint16_t least = UINT16_MAX, greatest = 0;
    double first, last;

    for (size_t i = 0; i < count; i++) {
        least = tracing->codes[i] < least ? tracing->codes[i] : least;
        greatest = tracing->codes[i] > greatest ? tracing->codes[i] : greatest;
    }
    first = (grid_metres(tracing->grid, least) - tracing->base) / tracing->interval;
    last = (grid_metres(tracing->grid, greatest) - tracing->base) / tracing->interval;
    if (!(fabs(first) < 1e12 && fabs(last) < 1e12 && last - first < INT32_MAX / 2)) {
        fault_set(why, FAULT_IMPOSSIBLE, "an interval of %g m is too small for the heights here",
                  tracing->interval);
        return fault_at(why, "interval");
    }
    tracing->lowest = level_below(tracing, grid_metres(tracing->grid, least)) + 1;
    for (int32_t code = least; code <= greatest; code++)
        tracing->levels[code] =
            (int32_t)(level_below(tracing, grid_metres(tracing->grid, code)) + 1 - tracing->lowest);
    return true;
}

/* Numbers the crossings; the first beyond them is behind the last vertex. */
static bool crossings_count(struct tracing *tracing, int64_t most, struct fault *why)
{
    const struct rect over = tracing->over;
    int64_t count = 0;
    int32_t lowest;

    for (int32_t y = 0; y < over.height; y++)
        for (int32_t x = 0; x < over.width; x++) {
            tracing->firsts[vertex_of(tracing, x, y)] = (uint32_t)count;
            for (enum side side = 0; side < SIDES; side++)
                if (side_inside(tracing, x, y, side))
                    count += side_levels(tracing, x, y, side, &lowest);
            if (count > most) {
                fault_set(why, FAULT_LIMIT,
                          "contours every %g m have more than %lld points here; ask for a greater "
                          "interval or a smaller window",
                          tracing->interval, (long long)most);
                return fault_at(why, "interval");
            }
        }
    tracing->crossings = (size_t)count;
    return true;
}

/* From each end the lower one, so that a side has one place whichever triangle asks. */
static void place_find(const struct tracing *tracing, int32_t x, int32_t y, enum side side,
                       double level, double place[2])
{
    const int32_t x2 = x + steps[side][0], y2 = y + steps[side][1];
    const double from = grid_metres(tracing->grid, tracing->codes[vertex_of(tracing, x, y)]);
    const double to = grid_metres(tracing->grid, tracing->codes[vertex_of(tracing, x2, y2)]);
    const double share = (level - from) / (to - from);

    place[0] = tracing->over.x + x + steps[side][0] * share;
    place[1] = tracing->over.y + y + steps[side][1] * share;
}

static void places_find(struct tracing *tracing)
{
    size_t at = 0;
    int32_t lowest;

    for (int32_t y = 0; y < tracing->over.height; y++)
        for (int32_t x = 0; x < tracing->over.width; x++)
            for (enum side side = 0; side < SIDES; side++) {
                const int32_t count = side_inside(tracing, x, y, side)
                                          ? side_levels(tracing, x, y, side, &lowest)
                                          : 0;

                for (int32_t i = 0; i < count; i++, at++)
                    place_find(tracing, x, y, side, level_metres(tracing, lowest + i),
                               tracing->places[at]);
            }
}

/* The crossing of a side with a level, which must cross it. */
static int32_t crossing_of(const struct tracing *tracing, int32_t x, int32_t y, enum side side,
                           int32_t level)
{
    int32_t at = (int32_t)tracing->firsts[vertex_of(tracing, x, y)], lowest;

    for (enum side before = 0; before < side; before++)
        if (side_inside(tracing, x, y, before))
            at += side_levels(tracing, x, y, before, &lowest);
    side_levels(tracing, x, y, side, &lowest);
    return at + level - lowest;
}

/* Of a triangle, counter-clockwise with north up: its corners from the quad's north-west vertex,
 * and the side from each to the next. */
static const struct triangle {
    int32_t corners[3][2];
    struct {
        int32_t at[2];
        enum side side;
    } sides[3];
} triangles[2] = {
    { { { 0, 0 }, { 1, 1 }, { 1, 0 } },
      { { { 0, 0 }, DIAGONAL }, { { 1, 0 }, SOUTH }, { { 0, 0 }, EAST } } },
    { { { 0, 0 }, { 0, 1 }, { 1, 1 } },
      { { { 0, 0 }, SOUTH }, { { 0, 1 }, EAST }, { { 0, 0 }, DIAGONAL } } },
};

/* With the higher ground on the left a line comes in where the triangle's rim goes down across the
 * level, and leaves where it comes up again. */
static void triangle_link(struct tracing *tracing, int32_t x, int32_t y,
                          const struct triangle *triangle)
{
    int32_t numbers[3], least = INT32_MAX, greatest = INT32_MIN;

    for (int k = 0; k < 3; k++) {
        numbers[k] = tracing->levels[tracing->codes[vertex_of(tracing, x + triangle->corners[k][0],
                                                              y + triangle->corners[k][1])]];
        least = numbers[k] < least ? numbers[k] : least;
        greatest = numbers[k] > greatest ? numbers[k] : greatest;
    }
    for (int32_t level = least; level < greatest; level++) {
        int32_t in = NONE, out = NONE;

        for (int k = 0; k < 3; k++) {
            const bool from = numbers[k] > level, to = numbers[(k + 1) % 3] > level;
            int32_t *end = from ? &in : &out;

            if (from != to)
                *end = crossing_of(tracing, x + triangle->sides[k].at[0],
                                   y + triangle->sides[k].at[1], triangle->sides[k].side, level);
        }
        tracing->next[in] = out;
        tracing->state[out] |= STATE_ENTERED;
    }
}

static void all_link(struct tracing *tracing)
{
    const int32_t across = tracing->over.width - 1, down = tracing->over.height - 1;

    for (size_t i = 0; i < tracing->crossings; i++)
        tracing->next[i] = NONE;
    for (int32_t y = 0; y < down; y++)
        for (int32_t x = 0; x < across; x++)
            for (int k = 0; k < 2 && !tracing->holes[(size_t)y * (size_t)across + (size_t)x]; k++)
                triangle_link(tracing, x, y, &triangles[k]);
}

static void line_tell(struct tracing *tracing, size_t start, double elevation,
                      struct contours *contours)
{
    struct contour_line *line = &contours->lines[contours->line_count++];
    int32_t at = (int32_t)start;

    *line = (struct contour_line){ .elevation = elevation, .first = contours->point_count };
    while (at != NONE && !(tracing->state[at] & STATE_TOLD)) {
        tracing->state[at] |= STATE_TOLD;
        memcpy(contours->points[contours->point_count++], tracing->places[at],
               sizeof *contours->points);
        at = tracing->next[at];
    }
    line->count = contours->point_count - line->first;
    line->closed = at != NONE;
}

/* Lines that begin somewhere, then the rings that are left. Crossings between two holes belong to
 * neither. */
static void lines_tell(struct tracing *tracing, bool rings, struct contours *contours)
{
    size_t at = 0;
    int32_t lowest;

    for (int32_t y = 0; y < tracing->over.height; y++)
        for (int32_t x = 0; x < tracing->over.width; x++)
            for (enum side side = 0; side < SIDES; side++) {
                const int32_t count = side_inside(tracing, x, y, side)
                                          ? side_levels(tracing, x, y, side, &lowest)
                                          : 0;

                for (int32_t i = 0; i < count; i++, at++)
                    if (tracing->next[at] != NONE && !(tracing->state[at] & STATE_TOLD) &&
                        (rings || !(tracing->state[at] & STATE_ENTERED)))
                        line_tell(tracing, at, level_metres(tracing, lowest + i), contours);
            }
}

/* Every line has two crossings at least. */
static bool tell(struct tracing *tracing, struct contours *contours, struct fault *why)
{
    const size_t count = tracing->crossings;

    contours->points = malloc((count + 1) * sizeof *contours->points);
    contours->lines = malloc((count / 2 + 1) * sizeof *contours->lines);
    if (!contours->points || !contours->lines)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu points of contours", count);
    lines_tell(tracing, false, contours);
    lines_tell(tracing, true, contours);
    return true;
}

static bool window_read(struct tracing *tracing, const struct view *view, struct fault *why)
{
    const struct rect over = tracing->over;
    const size_t count = (size_t)rect_area(over);
    struct rect quads = over;

    quads.width--;
    quads.height--;
    tracing->levels = malloc(CODES * sizeof *tracing->levels);
    tracing->codes = malloc((count + 1) * sizeof *tracing->codes);
    tracing->holes = malloc(count + 1);
    tracing->firsts = malloc((count + 1) * sizeof *tracing->firsts);
    if (!tracing->levels || !tracing->codes || !tracing->holes || !tracing->firsts)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu vertices", count);
    view_read_heights(view, over, tracing->codes, over.width);
    if (!rect_empty(quads))
        view_read_holes(view, quads, tracing->holes, quads.width);
    return true;
}

static bool crossings_make(struct tracing *tracing, struct fault *why)
{
    const size_t count = tracing->crossings + 1;

    tracing->places = malloc(count * sizeof *tracing->places);
    tracing->next = malloc(count * sizeof *tracing->next);
    tracing->state = calloc(count, 1);
    return (tracing->places && tracing->next && tracing->state) ||
           fault_set(why, FAULT_MEMORY, "no memory for %zu points of contours", count);
}

static void tracing_fini(struct tracing *tracing)
{
    free(tracing->levels);
    free(tracing->codes);
    free(tracing->holes);
    free(tracing->firsts);
    free(tracing->places);
    free(tracing->next);
    free(tracing->state);
}

bool contour_trace(const struct view *view, struct rect over, double interval, double base,
                   int64_t most, struct contours *contours, struct fault *why)
{
    struct tracing tracing = {
        .grid = view_grid(view), .over = over, .interval = interval, .base = base
    };
    bool traced = false;

    *contours = (struct contours){ 0 };
    most = most < INT32_MAX ? most : INT32_MAX;
    if (rect_area(over) > CONTOUR_VERTICES_MOST) {
        fault_set(why, FAULT_LIMIT,
                  "%d x %d vertices are too many for one answer; %d are the most: give a smaller "
                  "width and height",
                  over.width, over.height, CONTOUR_VERTICES_MOST);
        return fault_at(why, "width");
    }
    if (window_read(&tracing, view, why) && levels_count(&tracing, why) &&
        crossings_count(&tracing, most, why) && crossings_make(&tracing, why)) {
        places_find(&tracing);
        all_link(&tracing);
        traced = tell(&tracing, contours, why);
    }
    tracing_fini(&tracing);
    if (!traced)
        contour_free(contours);
    return traced;
}

void contour_free(struct contours *contours)
{
    free(contours->points);
    free(contours->lines);
    *contours = (struct contours){ 0 };
}
