/* Erosion by water: droplets run downhill, take soil up where they are fast and drop it where they
 * slow down.
 *
 * In each iteration droplets fall at places thrown by the seed, run over the ground as it was
 * before the iteration, and what they dig and lay is summed up, spread over neighbouring
 * vertices, and added; no vertex leaves the range of the nine around it, so pits and spikes cannot
 * come up. Slopes and amounts are counted in quads, so the same shape erodes alike at any scale.
 * After the droplets of H. T. Beyer, Implementation of a method for hydraulic erosion, 2015. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <string.h>

#include "terrain/base/wide.h"
#include "terrain/edit/lattice.h"
#include "terrain/edit/simulate.h"

enum {
    ITERATIONS_MOST = 64,
    RUN_MOST = 64,
    SPREAD = 2, /* quads that what a droplet digs is spread over */
    MARGIN = 3  /* beside a run and the spread: the vertices of a quad, and the nine around */
};
#define STILL    1e-9 /* a direction shorter than this is none */
#define FLATTEST 0.01 /* water moves soil on level ground as on this slope */
#define FRICTION 0.7  /* of the speed's square, what is left after a quad */
#define SOIL     0.4  /* carried by a droplet of capacity 1 at slope and speed 1, in quads */

struct hydro {
    struct where where;
    double rain, capacity;
    int32_t iterations;
    int64_t seed;
    int32_t run;
    double evaporation, dissolving, deposition, inertia, strength;
};

static const struct field rows[] = {
    FIELD(struct hydro, rain, "", 0, 4, "Droplets that fall on a vertex in an iteration",
          .has_value = true, .value = 0.3, .above_least = true),
    FIELD(struct hydro, capacity, "", 0, 100, "How much soil a droplet can carry: more digs deeper",
          .has_value = true, .value = 1),
    FIELD(struct hydro, iterations, "", 1, ITERATIONS_MOST,
          "How often it rains; valleys that have been dug gather the next rain", .has_value = true,
          .value = 8),
    FIELD(struct hydro, seed, "", 0, 4294967295, "Another seed is other rain", .has_value = true),
    FIELD(struct hydro, run, "quads", 1, RUN_MOST,
          "How far a droplet runs at most; iterations times run and 5 may not be above 1024",
          .has_value = true, .value = 24),
    FIELD(struct hydro, evaporation, "", 0, 1, "Share of its water that a droplet loses a quad",
          .has_value = true, .value = 0.02),
    FIELD(struct hydro, dissolving, "", 0, 1,
          "Share of what a droplet could still carry that it takes up a quad", .has_value = true,
          .value = 0.1),
    FIELD(struct hydro, deposition, "", 0, 1,
          "Share of what a droplet can no longer carry that it drops a quad", .has_value = true,
          .value = 0.1),
    FIELD(struct hydro, inertia, "", 0, 0.99,
          "Share of its direction that a droplet keeps a quad; the slope decides the rest",
          .has_value = true, .value = 0.4),
    FIELD(struct hydro, strength, "", 0, 1, "Share of the way that a full force goes",
          .has_value = true, .value = 1),
    { .kind = FIELD_END }
};

struct raining {
    struct simulation simulation;
    const struct hydro *takes;
    double quads; /* a plot's unit of height, in quads */
};

/* Droplets run side by side, as many as keep the processor busy; none knows of the others. */
enum { FLOCK = 8 };

/* The quads under them: their corners in quads of height, where in it each is, and how high. */
struct under {
    int64_t first[FLOCK]; /* the north-west corner's place in the plot */
    double nw[FLOCK], ne[FLOCK], sw[FLOCK], se[FLOCK], across[FLOCK], down[FLOCK], height[FLOCK];
};

struct flock {
    int count;
    bool running[FLOCK];
    double x[FLOCK], y[FLOCK], east[FLOCK], south[FLOCK]; /* grid coordinates, direction */
    double square[FLOCK];                                 /* of the speed */
    double soil[FLOCK]; /* carried, in quads of height at one vertex */
    double water;       /* of each */
};

/* Where a droplet is; false off what is known: over the landscape's border, or too far off to come
 * back. */
static inline bool look(const struct raining *raining, const struct plot *plot, double x, double y,
                        struct under *under, int i)
{
    struct rect known = plot->known, around = plot->around;
    const int32_t *at;
    int32_t column, row;

    if (!(x >= known.x && y >= known.y && x < known.x + known.width - 1 &&
          y < known.y + known.height - 1))
        return false;
    column = (int32_t)x;
    row = (int32_t)y;
    under->first[i] = (int64_t)(row - around.y) * around.width + (column - around.x);
    under->across[i] = x - column;
    under->down[i] = y - row;
    at = plot->heights + under->first[i];
    under->nw[i] = at[0] * raining->quads;
    under->ne[i] = at[1] * raining->quads;
    under->sw[i] = at[around.width] * raining->quads;
    under->se[i] = at[around.width + 1] * raining->quads;
    return true;
}

static inline void measure(struct under *under)
{
    for (int i = 0; i < FLOCK; i++) {
        double top = under->nw[i] + (under->ne[i] - under->nw[i]) * under->across[i];
        double bottom = under->sw[i] + (under->se[i] - under->sw[i]) * under->across[i];

        under->height[i] = top + (bottom - top) * under->down[i];
    }
}

/* Lays so many quads of soil on the corners of a droplet's quad, or digs them. */
static inline void lay(const struct raining *raining, const struct plot *plot,
                       const struct under *under, int i, double soil)
{
    int64_t *at = plot->room + under->first[i], width = plot->around.width;
    double units = soil / raining->quads, south = units * under->down[i], north = units - south;

    at[0] += (int64_t)(north * (1 - under->across[i]));
    at[1] += (int64_t)(north * under->across[i]);
    at[width] += (int64_t)(south * (1 - under->across[i]));
    at[width + 1] += (int64_t)(south * under->across[i]);
}

/* Turns towards the slope; a droplet that nothing drives any more stops, its direction NaN. */
static inline void turn(struct flock *flock, const struct under *under, double inertia)
{
    for (int i = 0; i < FLOCK; i++) {
        double twist = under->se[i] - under->sw[i] - under->ne[i] + under->nw[i];
        double east = under->nw[i] - under->ne[i] - twist * under->down[i];
        double south = under->nw[i] - under->sw[i] - twist * under->across[i];
        double steep = sqrt(east * east + south * south);
        double share = steep > 0 ? (1 - inertia) / steep : 0, keep = steep > 0 ? inertia : 1;
        double length;

        east = flock->east[i] * keep + east * share;
        south = flock->south[i] * keep + south * share;
        length = sqrt(east * east + south * south);
        length = length > STILL ? 1 / length : NAN;
        flock->east[i] = east * length;
        flock->south[i] = south * length;
    }
}

/* What each droplet lays on the quad that it leaves for one ahead. */
static inline void exchange(const struct hydro *takes, struct flock *flock,
                            const struct under *under, const struct under *ahead, double *laid)
{
    double most = SOIL * takes->capacity * flock->water;

    for (int i = 0; i < FLOCK; i++) {
        double fall = under->height[i] - ahead->height[i], soil = flock->soil[i];
        double slope = fall > FLATTEST ? fall : FLATTEST, falls = fall > 0 ? fall : 0;
        double square = FRICTION * flock->square[i] + falls, room = most * slope * sqrt(square);
        double over = soil - room, share = over > 0 ? takes->deposition : takes->dissolving;
        double drops = over * share, fills = soil < -fall ? soil : -fall;

        drops = drops > -falls ? drops : -falls; /* never dug deeper than where it goes */
        flock->square[i] = square;
        laid[i] = fall > 0 ? drops : fills; /* a rise is filled up first */
    }
}

/* One quad on, for those that still run. */
static inline void run_on(const struct raining *raining, const struct plot *plot,
                          struct flock *flock, const struct under *under, struct under *ahead)
{
    double laid[FLOCK];

    turn(flock, under, raining->takes->inertia);
    *ahead = *under;
    for (int i = 0; i < flock->count; i++) {
        bool still = flock->east[i] != flock->east[i];

        flock->x[i] += flock->east[i];
        flock->y[i] += flock->south[i];
        if (!flock->running[i] || look(raining, plot, flock->x[i], flock->y[i], ahead, i))
            continue;
        flock->running[i] = false; /* over the border it takes along what it carries */
        if (still)
            lay(raining, plot, under, i, flock->soil[i]);
    }
    measure(ahead);
    exchange(raining->takes, flock, under, ahead, laid);
    for (int i = 0; i < flock->count; i++) {
        if (!flock->running[i])
            continue;
        lay(raining, plot, under, i, laid[i]);
        flock->soil[i] -= laid[i];
    }
    flock->water *= 1 - raining->takes->evaporation;
}

WIDE static void run_down(const struct raining *raining, const struct plot *plot,
                          struct flock *flock)
{
    struct under under[2] = { { { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } } };
    int32_t run = raining->takes->run;

    for (int i = 0; i < FLOCK; i++) {
        flock->running[i] =
            i < flock->count && look(raining, plot, flock->x[i], flock->y[i], &under[0], i);
        flock->east[i] = flock->south[i] = flock->square[i] = flock->soil[i] = 0;
    }
    measure(&under[0]);
    flock->water = 1;
    for (int32_t quad = 0; quad < run; quad++)
        run_on(raining, plot, flock, &under[quad & 1], &under[~quad & 1]);
    for (int i = 0; i < flock->count; i++) {
        if (flock->running[i])
            lay(raining, plot, &under[run & 1], i, flock->soil[i]);
    }
    flock->count = 0;
}

/* The droplets of an iteration that fall on `from`. */
static void rain_on(const struct raining *raining, const struct plot *plot, int32_t iteration,
                    struct rect from)
{
    uint32_t seed = (uint32_t)raining->takes->seed;
    double rain = raining->takes->rain;
    struct flock flock = { .count = 0 };

    for (int32_t drop = 0; drop < rain; drop++) {
        uint32_t key = lattice_hash((uint32_t)iteration, (uint32_t)drop, seed);

        for (int32_t y = from.y; y < from.y + from.height; y++) {
            for (int32_t x = from.x; x < from.x + from.width; x++) {
                uint32_t place = lattice_hash((uint32_t)x, (uint32_t)y, ~key);

                if (lattice_hash((uint32_t)x, (uint32_t)y, key) / 4294967296.0 >= rain - drop)
                    continue;
                flock.x[flock.count] = x + (place >> 16) / 65536.0;
                flock.y[flock.count++] = y + (place & 0xffff) / 65536.0;
                if (flock.count == FLOCK)
                    run_down(raining, plot, &flock);
            }
        }
    }
    if (flock.count)
        run_down(raining, plot, &flock);
}

static int32_t kept_within(int32_t i, int32_t count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* Spreads the soil by weights of 1, 4, 6, 4, 1 each way; beyond the landscape lies what lies on its
 * border. First along the rows, into the second half of the room. */
static void spread_across(const struct plot *plot, struct rect to)
{
    int32_t width = plot->around.width, west = to.x - plot->around.x;

    for (int32_t y = to.y - plot->around.y; y < to.y - plot->around.y + to.height; y++) {
        const int64_t *soil = plot->room + (int64_t)y * width;
        int64_t *spread = plot->room + (int64_t)(plot->around.height + y) * width;

        for (int32_t x = west; x < west + to.width; x++)
            spread[x] = soil[kept_within(x - 2, width)] + 4 * soil[kept_within(x - 1, width)] +
                        6 * soil[x] + 4 * soil[kept_within(x + 1, width)] +
                        soil[kept_within(x + 2, width)];
    }
}

/* Then down the columns; a row of the sums, in parts of 256. */
WIDE static void spread_down(const struct plot *plot, int32_t y, int32_t first, int32_t end,
                             int64_t *sums)
{
    static const int64_t weights[] = { 1, 4, 6, 4, 1 };
    int32_t height = plot->around.height, width = plot->around.width;

    for (int32_t x = first; x < end; x++)
        sums[x] = 0;
    for (int32_t k = 0; k < 5; k++) {
        const int64_t *row =
            plot->room + (int64_t)(height + kept_within(y + k - 2, height)) * width;

        for (int32_t x = first; x < end; x++)
            sums[x] += weights[k] * row[x];
    }
}

static int32_t least_of(const int32_t *at, int32_t west, int32_t east)
{
    int32_t least = at[west] < at[0] ? at[west] : at[0];

    return at[east] < least ? at[east] : least;
}

static int32_t most_of(const int32_t *at, int32_t west, int32_t east)
{
    int32_t most = at[west] > at[0] ? at[west] : at[0];

    return at[east] > most ? at[east] : most;
}

/* Adds the soil of a row to its heights, within the range of the nine vertices around each. */
static void settle_row(const struct plot *plot, int32_t y, int32_t first, int32_t end,
                       const int64_t *soil)
{
    int32_t width = plot->around.width, height = plot->around.height;
    const int32_t *row = plot->heights + (int64_t)y * width;
    const int32_t *north = plot->heights + (int64_t)kept_within(y - 1, height) * width;
    const int32_t *south = plot->heights + (int64_t)kept_within(y + 1, height) * width;
    int32_t *to = plot->spare + (int64_t)y * width;

    for (int32_t x = first; x < end; x++) {
        int32_t west = x > 0 ? -1 : 0, east = x < width - 1 ? 1 : 0;
        int32_t least = least_of(row + x, west, east), most = most_of(row + x, west, east);
        int32_t least_north = least_of(north + x, west, east);
        int32_t least_south = least_of(south + x, west, east);
        int32_t most_north = most_of(north + x, west, east);
        int32_t most_south = most_of(south + x, west, east);
        int64_t now = row[x] + ((soil[x] + 128) >> 8);

        least = least_north < least ? least_north : least;
        least = least_south < least ? least_south : least;
        most = most_north > most ? most_north : most;
        most = most_south > most ? most_south : most;
        to[x] = now < least ? least : now > most ? most : (int32_t)now;
    }
}

/* One iteration, right within `reach` of what is wanted. */
static void rain_once(const struct raining *raining, struct plot *plot, int32_t iteration,
                      int32_t reach)
{
    struct rect right = plot_grown(plot, reach);
    int32_t west = right.x - plot->around.x, north = right.y - plot->around.y;
    int64_t *sums = plot->room; /* once the soil has been spread across, its place is free */
    int32_t *heights = plot->heights;

    memset(plot->room, 0, (size_t)rect_area(plot->around) * sizeof *plot->room);
    rain_on(raining, plot, iteration, plot_grown(plot, reach + raining->takes->run + SPREAD + 2));
    spread_across(plot, plot_grown(plot, reach + SPREAD));
    for (int32_t y = north; y < north + right.height; y++) {
        spread_down(plot, y, west, west + right.width, sums);
        settle_row(plot, y, west, west + right.width, sums);
    }
    plot->heights = plot->spare;
    plot->spare = heights;
    plot->known = right;
}

static void rain(const struct simulation *simulation, struct plot *plot)
{
    const struct raining *raining = (const struct raining *)simulation;
    int32_t iterations = raining->takes->iterations, each = simulation->reach / iterations;

    for (int32_t i = 0; i < iterations; i++)
        rain_once(raining, plot, i, (iterations - 1 - i) * each);
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct hydro *hydro = takes;
    const struct grid *grid = view_grid(draft_view(draft));
    int32_t each = hydro->run + SPREAD + MARGIN;
    double work = hydro->iterations * (hydro->rain * hydro->run + 2);
    struct raining raining = { .simulation = { .reach = hydro->iterations * each,
                                               .cost = (int64_t)work + 1,
                                               .roomy = true,
                                               .strength = hydro->strength,
                                               .run = rain },
                               .takes = hydro,
                               .quads = grid->scale[2] / (128.0 * PLOT_ONE) /
                                        sqrt(grid->scale[0] * grid->scale[1]) };

    if (raining.simulation.reach > PLOT_REACH_MOST) {
        fault_set(why, FAULT_INPUT,
                  "%d iterations of %d quads reach too far; at this run give at most %d",
                  hydro->iterations, hydro->run, PLOT_REACH_MOST / each);
        return fault_at(why, "/iterations");
    }
    return simulation_apply(&raining.simulation, draft, &hydro->where, why);
}

BRUSH_SHAPE(hydro_erosion, struct hydro, rows, -1);

const struct brush brush_hydro_erosion = {
    .name = "hydro_erosion",
    .summary = "Lets it rain: water digs gullies and lays down what it has dug",
    .example = "{\"tool\":\"hydro_erosion\",\"path\":[[32,32]],\"radius\":25,\"iterations\":4,"
               "\"seed\":2}",
    .takes = &brush_hydro_erosion_takes,
    .apply = apply,
};
