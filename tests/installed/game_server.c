/* What a game server does with libterrain, from heights in a file to who sees whom.
 *
 *   cc game_server.c $(pkg-config --cflags --libs terrain) -o game_server
 *   curl "$url/v1/landscapes/demo/heights?format=r16" | ./game_server 1009 1009
 *
 * Reads little-endian 16-bit heights, row by row, from standard input, or without arguments makes
 * hills of its own; digs a crater, and plays a frame before and one after: where players stand, on
 * what stones fall, who is seen, where a ball comes to rest. It checks what it is told, and ends
 * with 1 if anything is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <terrain/collide.h>
#include <terrain/edit/draft.h>

enum { PLAYERS = 1000 };

static int failed(const char *doing, const struct fault *why)
{
    fprintf(stderr, "%s: %s\n", doing, why->detail);
    return 1;
}

static bool heights_read(FILE *file, uint16_t *heights, int64_t count, struct fault *why)
{
    for (int64_t i = 0; i < count; i++) {
        const int low = getc(file), high = getc(file);

        if (high == EOF)
            return fault_set(why, FAULT_INPUT, "the input ends at height %lld of %lld",
                             (long long)i, (long long)count);
        heights[i] = (uint16_t)(low | high << 8);
    }
    return true;
}

static void hills_make(uint16_t *heights, int32_t columns, int32_t rows)
{
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            heights[(int64_t)y * columns + x] = grid_round(
                33000 + 2500 * sin(x / 9.0) * cos(y / 7.0) + 1500 * sin((x + 2 * y) / 31.0));
}

/* One quad a metre; heights as they are stored. The landscape is as large as its sections make it;
 * what the heights do not cover lies at 0 m. */
static struct view *view_make(const uint16_t *heights, int32_t columns, int32_t rows,
                              struct fault *why)
{
    const struct rect all = { 0, 0, columns, rows };
    struct layout layout;
    struct settings *settings;
    struct view *empty, *view = NULL;
    struct draft *draft = NULL;
    struct change change;

    if (!layout_for(columns, rows, 63, 1, &layout, why))
        return NULL;
    settings = settings_new(&layout);
    empty = settings ? view_new(&settings, 1, 1, 32768) : NULL;
    if (!empty) {
        settings_drop(settings);
        fault_set(why, FAULT_MEMORY, "no memory for the landscape");
        return NULL;
    }
    draft = draft_new(empty, why);
    if (draft && draft_write_heights(draft, all, heights, columns, why))
        view = draft_finish(draft, &change, why);
    draft_free(draft);
    view_drop(empty);
    return view;
}

static struct view *load(int32_t columns, int32_t rows, bool made_up, struct fault *why)
{
    uint16_t *heights = NULL;
    struct view *view = NULL;

    if (columns < 2 || rows < 2 || columns > 32768 || rows > 32768)
        fault_set(why, FAULT_INPUT, "there are landscapes of 2 to 32768 heights a side, not %d, %d",
                  columns, rows);
    else if (!(heights = malloc((size_t)columns * (size_t)rows * sizeof *heights)))
        fault_set(why, FAULT_MEMORY, "no memory for %d x %d heights", columns, rows);
    else if (made_up)
        hills_make(heights, columns, rows);
    if (heights && (made_up || heights_read(stdin, heights, (int64_t)columns * rows, why)))
        view = view_make(heights, columns, rows, why);
    free(heights);
    return view;
}

/* The next version, with a bowl in it; the old one stays what it was. */
static struct view *crater(const struct view *view, int32_t x, int32_t y, int32_t radius,
                           struct fault *why)
{
    const int32_t side = 2 * radius + 1;
    const struct rect bowl = { x - radius, y - radius, side, side };
    uint16_t *heights = malloc((size_t)side * (size_t)side * sizeof *heights);
    struct draft *draft = draft_new(view, why);
    struct view *dug = NULL;
    struct change change;

    if (!heights || !draft)
        goto done;
    view_read_heights(view, bowl, heights, side);
    for (int32_t j = 0; j < side; j++)
        for (int32_t i = 0; i < side; i++) {
            const double away = hypot(i - radius, j - radius) / radius;
            const double depth = away < 1 ? 128.0 * radius * (1 - away * away) : 0;

            heights[j * side + i] = grid_round(heights[j * side + i] - depth);
        }
    if (draft_write_heights(draft, bowl, heights, side, why))
        dug = draft_finish(draft, &change, why);

done:
    draft_free(draft);
    free(heights);
    return dug;
}

/* A number in 0..1, always the same ones. */
static double dice(void)
{
    static uint32_t state = 12345;

    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

static void players_place(const struct view *view, double (*players)[2])
{
    const struct grid *grid = view_grid(view);

    for (int i = 0; i < PLAYERS; i++) {
        players[i][0] = dice() * (grid->columns - 1);
        players[i][1] = dice() * (grid->rows - 1);
    }
}

/* Every player drops a stone: it falls on the ground under him, as the height says. */
static int stones_fall(const struct view *view, struct derived_cache *cache, double (*players)[2],
                       const double *ground, struct fault *why)
{
    static struct ray rays[PLAYERS];
    static struct ray_hit hits[PLAYERS];

    for (int i = 0; i < PLAYERS; i++)
        rays[i] = (struct ray){ { players[i][0], players[i][1], 10000 }, { 0, 0, -1 }, INFINITY };
    if (!ray_cast(view, cache, rays, PLAYERS, &(struct ray_ways){ 0 }, hits, NULL, why))
        return failed("dropping stones", why);
    for (int i = 0; i < PLAYERS; i++)
        if (hits[i].status != RAY_HIT || fabs(hits[i].at[2] - ground[i]) > 1e-9) {
            fprintf(stderr, "the stone of player %d fell through\n", i);
            return 1;
        }
    return 0;
}

/* How many of the others the first player sees, eye to eye. */
static int sees(const struct view *view, struct derived_cache *cache, double (*players)[2],
                const double *ground, int *seen, struct fault *why)
{
    static struct ray rays[PLAYERS];
    static struct ray_hit hits[PLAYERS];
    const double eye = 1.7;

    for (int i = 0; i < PLAYERS; i++)
        rays[i] = (struct ray){ { players[0][0], players[0][1], ground[0] + eye },
                                { players[i][0] - players[0][0], players[i][1] - players[0][1],
                                  ground[i] - ground[0] },
                                1 };
    rays[0].along[2] = 1; /* himself: up into the air */
    if (!ray_cast(view, cache, rays, PLAYERS, &(struct ray_ways){ .any = true }, hits, NULL, why))
        return failed("looking around", why);
    *seen = 0;
    for (int i = 1; i < PLAYERS; i++)
        *seen += hits[i].status != RAY_HIT;
    return 0;
}

/* A ball of half a metre that is let go above the first player stops half a metre from the ground.
 */
static int ball_rests(const struct view *view, const double at[2], struct fault *why)
{
    const struct sweep sweep = { { at[0], at[1], 1000 }, { at[0], at[1], -1000 }, 0.5 };
    struct touch touch;
    struct nearest nearest;

    if (!sweep_spheres(view, &sweep, 1, &(struct shape_ways){ 0 }, &touch, NULL, why))
        return failed("dropping the ball", why);
    if (touch.status != RAY_HIT ||
        !nearest_places(view, (const double(*)[3])touch.center, 1, INFINITY,
                        &(struct shape_ways){ 0 }, &nearest, NULL, why))
        return failed("finding the ground below the ball", why);
    if (nearest.status != RAY_HIT || fabs(nearest.distance - 0.5) > 1e-9) {
        fprintf(stderr, "the ball rests %.12g m from the ground\n", nearest.distance);
        return 1;
    }
    printf("the ball rests at %.6f m\n", touch.center[2]);
    return 0;
}

static int frame(const struct view *view, struct derived_cache *cache, double (*players)[2])
{
    static double ground[PLAYERS];
    struct fault why = { 0 };
    double sum = 0;
    int seen = 0;

    collide_heights(view, players[0], PLAYERS, &(struct collide_ways){ 0 }, ground, NULL, NULL);
    for (int i = 0; i < PLAYERS; i++)
        sum += ground[i];
    if (stones_fall(view, cache, players, ground, &why) ||
        sees(view, cache, players, ground, &seen, &why))
        return 1;
    printf("version %llu: players stand at %.6f m on average, the first sees %d of them\n",
           (unsigned long long)view->version, sum / PLAYERS, seen);
    return ball_rests(view, players[0], &why);
}

int main(int count, char **words)
{
    static double players[PLAYERS][2];
    struct derived_cache *cache = derived_cache_new(64 << 20);
    struct fault why = { 0 };
    struct view *view, *dug;
    int status;

    if (count != 1 && count != 3) {
        fprintf(stderr, "usage: game_server [COLUMNS ROWS <HEIGHTS]\n");
        return 2;
    }
    view =
        count == 1 ? load(300, 200, true, &why) : load(atoi(words[1]), atoi(words[2]), false, &why);
    if (!view)
        return failed("loading", &why);
    players_place(view, players);
    players[0][0] = view_grid(view)->columns / 2;
    players[0][1] = view_grid(view)->rows / 2;
    dug = crater(view, (int32_t)players[0][0], (int32_t)players[0][1], 20, &why);
    if (!dug)
        return failed("digging", &why);
    status = frame(view, cache, players) | frame(dug, cache, players);
    view_drop(dug);
    view_drop(view);
    derived_cache_free(cache);
    return status;
}
