#include "terrain/edit/simulate.h"

#include <stdlib.h>

#include "terrain/base/wide.h"
#include "terrain/edit/dab.h"

enum { TILE_LEAST = 2 * BLOCK_SIDE, TILE_MOST = 8 * BLOCK_SIDE };

struct simulator {
    struct tool tool;
    const struct simulation *simulation;
    struct tree before; /* the heights as they were before the dab */
    struct rect box;    /* of the dab */
    int32_t side;       /* of a tile; whole blocks */
    struct rect band;   /* a row of tiles, whose results are there */
    int32_t *results;   /* of a band */
    struct plot plot;
    uint16_t *codes; /* a row of the plot */
};

static void rooms_free(struct simulator *simulator)
{
    free(simulator->results);
    free(simulator->plot.heights);
    free(simulator->plot.spare);
    free(simulator->plot.room);
    free(simulator->codes);
    simulator->results = simulator->plot.heights = simulator->plot.spare = NULL;
    simulator->plot.room = NULL;
    simulator->codes = NULL;
}

/* Tiles begin at the box's west and at the first row of its first block, so that small dabs are
 * one tile. Those of row `band` and column `tile`. */
static struct rect tile_at(const struct simulator *simulator, int32_t band, int32_t tile)
{
    int32_t north = simulator->box.y & ~BLOCK_MASK, side = simulator->side;

    return rect_meet(simulator->box, (struct rect){ simulator->box.x + tile * side,
                                                    north + band * side, side, side });
}

static void plot_at(struct plot *plot, struct rect wanted, int32_t reach)
{
    plot->wanted = wanted;
    plot->around = plot->known = plot_grown(plot, reach);
}

/* The largest plot's vertices; their sum is the work. */
static int64_t survey(struct simulator *simulator, int64_t *work)
{
    int64_t most = 0;

    *work = 0;
    for (int32_t band = 0; !rect_empty(tile_at(simulator, band, 0)); band++) {
        for (int32_t tile = 0; !rect_empty(tile_at(simulator, band, tile)); tile++) {
            int64_t area;

            plot_at(&simulator->plot, tile_at(simulator, band, tile), simulator->simulation->reach);
            area = rect_area(simulator->plot.around);
            most = area > most ? area : most;
            *work += area;
        }
    }
    return most;
}

static bool rooms_make(struct simulator *simulator, int64_t plot, struct fault *why)
{
    size_t most = (size_t)plot, across = (size_t)simulator->box.width;
    size_t band = across * (size_t)simulator->side;

    rooms_free(simulator);
    simulator->results = malloc(band * sizeof *simulator->results);
    simulator->plot.heights = malloc(most * sizeof *simulator->plot.heights);
    simulator->plot.spare = malloc(most * sizeof *simulator->plot.spare);
    simulator->codes = malloc((size_t)simulator->plot.all.width * sizeof *simulator->codes);
    if (simulator->simulation->roomy)
        simulator->plot.room = malloc(2 * most * sizeof *simulator->plot.room);
    if (simulator->results && simulator->plot.heights && simulator->plot.spare &&
        simulator->codes && (simulator->plot.room || !simulator->simulation->roomy))
        return true;
    return fault_set(why, FAULT_MEMORY, "no memory to simulate %d x %d vertices",
                     simulator->box.width, simulator->box.height);
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct simulator *simulator = (struct simulator *)tool;
    int32_t side = 4 * simulator->simulation->reach & ~BLOCK_MASK;
    const struct tree *surface;
    int64_t work, most;

    simulator->box = box;
    simulator->band = (struct rect){ 0 };
    simulator->side = side < TILE_LEAST ? TILE_LEAST : side > TILE_MOST ? TILE_MOST : side;
    most = survey(simulator, &work);
    work *= simulator->simulation->cost;
    if (!draft_spend(draft, work, why))
        return fault_set(
            why, FAULT_LIMIT,
            "the simulation costs as much as touching %lld vertices, more than is left "
            "to this edit; use fewer iterations or a smaller area",
            (long long)work);
    if (!rooms_make(simulator, most, why))
        return false;
    plot_at(&simulator->plot, box, simulator->simulation->reach);
    surface = draft_surface(draft, simulator->plot.around, why);
    if (!surface)
        return false;
    tree_drop(&simulator->before);
    simulator->before = tree_hold(surface);
    return true;
}

static void read_plot(struct simulator *simulator)
{
    struct rect around = simulator->plot.around;
    int32_t *to = simulator->plot.heights;

    for (int32_t y = around.y; y < around.y + around.height; y++) {
        tree_read(&simulator->before, (struct rect){ around.x, y, around.width, 1 },
                  simulator->codes, around.width);
        for (int32_t x = 0; x < around.width; x++)
            *to++ = simulator->codes[x] * PLOT_ONE;
    }
}

static void keep_results(struct simulator *simulator)
{
    const struct plot *plot = &simulator->plot;
    struct rect wanted = plot->wanted, band = simulator->band;

    for (int32_t y = 0; y < wanted.height; y++) {
        const int32_t *from = plot->heights +
                              (int64_t)(wanted.y - plot->around.y + y) * plot->around.width +
                              (wanted.x - plot->around.x);
        int32_t *to = simulator->results + (int64_t)(wanted.y - band.y + y) * band.width +
                      (wanted.x - band.x);

        for (int32_t x = 0; x < wanted.width; x++)
            to[x] = from[x];
    }
}

/* Bands are simulated as the first of their blocks is come to. */
static bool block(struct tool *tool, struct rect part, struct fault *why)
{
    struct simulator *simulator = (struct simulator *)tool;
    int32_t north = simulator->box.y & ~BLOCK_MASK, band = (part.y - north) / simulator->side;
    struct rect first = tile_at(simulator, band, 0);

    (void)why;
    if (first.y == simulator->band.y && !rect_empty(simulator->band))
        return true;
    simulator->band =
        (struct rect){ simulator->box.x, first.y, simulator->box.width, first.height };
    for (int32_t tile = 0; !rect_empty(tile_at(simulator, band, tile)); tile++) {
        plot_at(&simulator->plot, tile_at(simulator, band, tile), simulator->simulation->reach);
        read_plot(simulator);
        simulator->simulation->run(simulator->simulation, &simulator->plot);
        keep_results(simulator);
    }
    return true;
}

WIDE static void simulated_row(struct tool *tool, int32_t x, int32_t y, int32_t count,
                               const double *force, uint16_t *heights)
{
    const struct simulator *simulator = (const struct simulator *)tool;
    const struct rect *band = &simulator->band;
    const int32_t *results =
        simulator->results + (int64_t)(y - band->y) * band->width + (x - band->x);
    double strength = simulator->simulation->strength;

    for (int32_t i = 0; i < count; i++) {
        double way = results[i] / (double)PLOT_ONE - heights[i];

        heights[i] = dab_round(heights[i] + way * (force[i] * strength));
    }
}

bool simulation_apply(const struct simulation *simulation, struct draft *draft,
                      const struct where *where, struct fault *why)
{
    struct simulator simulator = {
        .tool = { .begin = begin, .block = block, .row = simulated_row },
        .simulation = simulation,
        .plot = { .all = view_rect(draft_view(draft)) },
    };
    bool applied = where_check(where, draft_view(draft), why) &&
                   where_apply(draft, where, &simulator.tool, why);

    tree_drop(&simulator.before);
    rooms_free(&simulator);
    return applied;
}
