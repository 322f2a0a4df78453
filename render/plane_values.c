/* Values of the ground in metres, for modes that colour by them: how much it has risen since
 * another version, and how far a coarser collision heightfield lies off it.
 *
 * Rises are those of the samples' means. Of an error a sample has the greatest among the vertices
 * that it stands for, of up to 8 x 8 spread over them. Where all values are 0 the tile is the same
 * wherever it lies, and is kept once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/mode_scale.h"
#include "render/plane_make.h"
#include "render/samples.h"
#include "terrain/query/collision.h"

enum { TEXELS = TILE_SIDE * TILE_SIDE, NOWHERE_LEVEL = -1, SPREAD_LOG2 = 3 };

/* What one mode's values are. */
struct values {
    /* Whether any may be other than 0; if so, what they were made from. */
    bool (*stamp)(const struct plane_source *source, struct rect over, struct tile_key *key);
    bool (*make)(const struct plane_source *source, int32_t level, struct rect samples,
                 float *metres, struct fault *why);
};

static struct rect samples_of(int32_t x, int32_t y)
{
    return (struct rect){ x * 128 - TILE_MARGIN, y * 128 - TILE_MARGIN, TILE_SIDE, TILE_SIDE };
}

/* FNV-1a, a number at a time. */
static uint64_t stamp(uint64_t sum, uint64_t number)
{
    return (sum ^ number) * 0x100000001b3u;
}

static uint64_t stamp_real(uint64_t sum, double real)
{
    uint64_t bits;

    memcpy(&bits, &real, sizeof bits);
    return stamp(sum, bits);
}

/* Rises */

static bool same_heights(const struct view *a, const struct view *b)
{
    return view_grid(a)->scale[2] == view_grid(b)->scale[2] &&
           view_grid(a)->origin[2] == view_grid(b)->origin[2];
}

/* Whether both versions share all blocks there. */
static bool same_blocks(const struct tree *a, const struct tree *b, struct rect over)
{
    for (int32_t by = over.y >> BLOCK_LOG2; by <= (over.y + over.height - 1) >> BLOCK_LOG2; by++)
        for (int32_t bx = over.x >> BLOCK_LOG2; bx <= (over.x + over.width - 1) >> BLOCK_LOG2;
             bx++) {
            const struct child *left = tree_leaf(a, bx, by), *right = tree_leaf(b, bx, by);

            if (left->below != right->below ||
                (!left->below && left->summary.least != right->summary.least))
                return false;
        }
    return true;
}

static bool rise_stamp(const struct plane_source *source, struct rect over, struct tile_key *key)
{
    const struct view *view = source->view, *before = source->picture->show.before;
    const struct tree *now = &view->planes[PLANE_HEIGHTS], *then = &before->planes[PLANE_HEIGHTS];
    const struct view *const both[2] = { view, before };

    if (same_heights(view, before) && same_blocks(now, then, over))
        return false;
    key->newest = tree_newest(now, over);
    key->detail = stamp(stamp(stamp(1, tree_newest(then, over)), before->again), view->again);
    for (int i = 0; i < 2; i++) {
        key->detail = stamp_real(key->detail, view_grid(both[i])->scale[2]);
        key->detail = stamp_real(key->detail, view_grid(both[i])->origin[2]);
    }
    return true;
}

static bool rise_make(const struct plane_source *source, int32_t level, struct rect samples,
                      float *metres, struct fault *why)
{
    const struct view *view = source->view, *before = source->picture->show.before;
    uint16_t *now = malloc(sizeof *now * 2 * TEXELS), *then = now + TEXELS;
    bool made = now && samples_heights(view, level, samples, now, TILE_SIDE) &&
                samples_heights(before, level, samples, then, TILE_SIDE);

    for (int32_t i = 0; made && i < TEXELS; i++)
        metres[i] =
            (float)(grid_metres(view_grid(view), now[i]) - grid_metres(view_grid(before), then[i]));
    free(now);
    return made || fault_set(why, FAULT_MEMORY, "no memory to compare two versions");
}

/* Errors of a collision mip */

/* A part of the collision heightfield. */
struct coarse {
    struct collision collision;
    struct rect samples;
    uint16_t *codes;
};

/* The samples around vertices on the landscape. */
static struct rect coarse_around(const struct collision *collision, struct rect vertices)
{
    int32_t left = (int32_t)(vertices.x / collision->spacing) - 1;
    int32_t top = (int32_t)(vertices.y / collision->spacing) - 1;
    int32_t right = (int32_t)((vertices.x + vertices.width) / collision->spacing) + 2;
    int32_t bottom = (int32_t)((vertices.y + vertices.height) / collision->spacing) + 2;

    return rect_meet((struct rect){ left, top, right - left + 1, bottom - top + 1 },
                     (struct rect){ 0, 0, collision->columns, collision->rows });
}

static bool error_stamp(const struct plane_source *source, struct rect over, struct tile_key *key)
{
    const struct view *view = source->view;
    int32_t mip = mode_mip(view, source->picture);
    struct collision collision;
    struct fault why;

    if (mip == 0 || !collision_init(&collision, view, mip, NULL, NULL, &why))
        return false;
    over = collision_reach(&collision, coarse_around(&collision, over));
    key->newest = view_newest(view, rect_meet(over, view_rect(view)));
    key->detail = stamp(stamp(2, (uint64_t)mip), view->again);
    return true;
}

/* The place between two coarse samples, of `count`: the first, and the share of the way. */
static double coarse_place(const struct collision *collision, int32_t vertex, int32_t count,
                           int32_t *first)
{
    double at = vertex / collision->spacing;

    *first = at < count - 1 ? (int32_t)at : count - 2;
    return at - *first;
}

static double error_at(const struct coarse *coarse, const struct view *view, int32_t x, int32_t y)
{
    const struct collision *collision = &coarse->collision;
    int32_t i, j;
    double across = coarse_place(collision, x, collision->columns, &i);
    double down = coarse_place(collision, y, collision->rows, &j);
    const uint16_t *nw = coarse->codes + (int64_t)(j - coarse->samples.y) * coarse->samples.width +
                         (i - coarse->samples.x);
    const uint16_t *sw = nw + coarse->samples.width;

    return fabs(view_quad_code(nw[0], nw[1], sw[0], sw[1], across, down) - view_height(view, x, y));
}

/* Of the vertices that a sample stands for, the nearest on the landscape. */
static float sample_error(const struct coarse *coarse, const struct view *view, int32_t level,
                          int32_t column, int32_t row)
{
    const struct grid *grid = view_grid(view);
    int32_t spread = level < SPREAD_LOG2 ? level : SPREAD_LOG2, apart = 1 << (level - spread);
    double most = 0;

    for (int32_t k = 0; k < 1 << 2 * spread; k++) {
        int32_t x = column * (1 << level) + (k & ((1 << spread) - 1)) * apart + apart / 2;
        int32_t y = row * (1 << level) + (k >> spread) * apart + apart / 2;

        x = x < 0 ? 0 : x > grid->columns - 1 ? grid->columns - 1 : x;
        y = y < 0 ? 0 : y > grid->rows - 1 ? grid->rows - 1 : y;
        most = fmax(most, error_at(coarse, view, x, y));
    }
    return (float)(most * grid->scale[2] / 128);
}

static bool error_make(const struct plane_source *source, int32_t level, struct rect samples,
                       float *metres, struct fault *why)
{
    const struct view *view = source->view;
    struct coarse coarse = { 0 };
    struct rect over = rect_meet(samples_reach(level, samples), view_rect(view));
    bool made;

    if (!collision_init(&coarse.collision, view, mode_mip(view, source->picture), source->derived,
                        NULL, why))
        return false;
    coarse.samples = coarse_around(&coarse.collision, over);
    coarse.codes = malloc(sizeof *coarse.codes * (size_t)rect_area(coarse.samples));
    made = coarse.codes ? collision_heights(&coarse.collision, coarse.samples, coarse.codes,
                                            coarse.samples.width, why)
                        : fault_set(why, FAULT_MEMORY, "no memory for collision samples");
    for (int32_t i = 0; made && i < TEXELS; i++)
        metres[i] = sample_error(&coarse, view, level, samples.x + i % TILE_SIDE,
                                 samples.y + i / TILE_SIDE);
    free(coarse.codes);
    return made;
}

/* The plane */

static const struct values *values_of(const struct plane_source *source)
{
    static const struct values rises = { rise_stamp, rise_make },
                               errors = { error_stamp, error_make };

    return render_modes[source->picture->mode]->values == MODE_ERROR ? &errors : &rises;
}

static bool values_key(const struct plane_source *source, int32_t level, int32_t x, int32_t y,
                       int slot, struct tile_key *key)
{
    struct rect over = rect_meet(samples_reach(level, samples_of(x, y)), view_rect(source->view));

    (void)slot;
    *key = (struct tile_key){ .level = NOWHERE_LEVEL, .plane = RENDER_PLANE_values };
    if (!values_of(source)->stamp(source, over, key))
        return true;
    key->incarnation = source->view->incarnation;
    key->level = level;
    key->x = x;
    key->y = y;
    return true;
}

/* As half floats: rounded to the nearest, what is too small is 0 and what is too large the largest.
 */
static uint16_t half_of(float number)
{
    union {
        float number;
        uint32_t bits;
    } as = { .number = fminf(fmaxf(number, -65504.0f), 65504.0f) };
    uint32_t magnitude = (as.bits & 0x7fffffff) + 0xfff + (as.bits >> 13 & 1);

    return magnitude < 0x38800000
               ? 0
               : (uint16_t)((as.bits >> 16 & 0x8000) | ((magnitude >> 13) - 0x1c000));
}

static bool values_make(const struct plane_source *source, const struct tile_key *key, void *texels,
                        struct fault *why)
{
    uint16_t *halves = texels;
    float *metres;
    bool made;

    memset(halves, 0, sizeof *halves * TEXELS);
    if (key->level == NOWHERE_LEVEL)
        return true;
    metres = malloc(sizeof *metres * TEXELS);
    if (!metres)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile of values");
    made = values_of(source)->make(source, key->level, samples_of(key->x, key->y), metres, why);
    for (int32_t i = 0; made && i < TEXELS; i++)
        halves[i] = half_of(metres[i]);
    free(metres);
    return made;
}

const struct plane_maker plane_maker_values = { .key = values_key, .make = values_make };
