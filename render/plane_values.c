/* Values of the ground in metres, for modes that colour by them: how much it has risen since
 * another version, and how far a coarser collision heightfield lies off it.
 *
 * Rises are those of the samples' means. Where all values are 0 the tile is the same wherever it
 * lies, and is kept once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/errors.h"
#include "render/mode_scale.h"
#include "render/plane_make.h"
#include "render/samples.h"

enum { TEXELS = TILE_SIDE * TILE_SIDE, NOWHERE_LEVEL = -1 };

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

static bool error_stamp(const struct plane_source *source, struct rect over, struct tile_key *key)
{
    const struct view *view = source->view;
    int32_t mip = mode_mip(view, source->picture);
    struct collision collision;
    struct fault why;

    if (mip == 0 || !collision_init(&collision, view, mip, NULL, NULL, &why))
        return false;
    over = collision_reach(&collision, errors_around(&collision, over));
    key->newest = view_newest(view, rect_meet(over, view_rect(view)));
    key->detail = stamp(stamp(2, (uint64_t)mip), view->again);
    return true;
}

static bool error_make(const struct plane_source *source, int32_t level, struct rect samples,
                       float *metres, struct fault *why)
{
    struct errors errors;
    bool made = errors_open(&errors, source->view, mode_mip(source->view, source->picture),
                            source->derived, level, samples, why);

    for (int32_t row = 0; made && row < TILE_SIDE; row++)
        errors_row(&errors, row, metres + row * TILE_SIDE);
    errors_close(&errors);
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
