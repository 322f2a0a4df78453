#include "terrain/lod/morph.h"

#include <math.h>

#include "terrain/core/codec.h"
#include "terrain/core/offset.h"

enum { NORTH, WEST, EAST, SOUTH };

void morph_around(struct morph_levels *levels, double own, const double neighbours[4], int32_t last)
{
    levels->own = own;
    levels->last = last;
    for (int i = 0; i < 4; i++)
        levels->neighbours[i] = neighbours[i] > own ? neighbours[i] : own;
}

/* The side that a point belongs to, and how far it is on its way from there to the middle. */
static int side_of(int32_t x, int32_t y, int32_t steps, double *inward)
{
    double across = (double)x / steps, down = (double)y / steps;

    if (x + y > steps) {
        *inward = x < y ? 2 * (1 - down) : 2 * (1 - across);
        return x < y ? SOUTH : EAST;
    }
    *inward = x < y ? 2 * across : 2 * down;
    return x < y ? WEST : NORTH;
}

double morph_lod(const struct morph_levels *levels, int32_t x, int32_t y, int32_t steps)
{
    double inward, neighbour, lod;

    neighbour = levels->neighbours[side_of(x, y, steps, &inward)];
    /* From the border inwards: exact there, and wherever both are equal. */
    lod = neighbour + (levels->own - neighbour) * inward;
    lod = lod < levels->own ? levels->own : lod;
    return lod < levels->last ? lod : levels->last;
}

/* One axis: the place at the level, and where it goes on the way to the next. */
struct axis {
    int32_t at, next;     /* vertex of the level's grid, of the next level's */
    double place, target; /* quads of the section */
};

/* Vertex c of the grid of level `draw`, looked at in level `level`. */
static struct axis axis_of(int32_t quads, int32_t draw, int32_t level, int32_t c)
{
    int32_t vertices = (quads + 1) >> level, halved = vertices / 2 > 2 ? vertices / 2 : 2;
    struct axis axis = { .at = c >> (level - draw) };

    axis.next = axis.at / 2;
    axis.place = (double)axis.at * quads / (vertices - 1);
    axis.target = (double)axis.next * quads / (halved - 1);
    return axis;
}

/* Both axes, and the share of the way. */
struct step {
    struct axis axes[2];
    int32_t level, next;
    double morph;
};

static struct step step_of(int32_t quads, int32_t last, const struct morph_from *from, double lod)
{
    struct step step = { .level = (int32_t)floor(lod) };

    step.level = step.level < last ? step.level : last;
    step.next = step.level < last ? step.level + 1 : last;
    step.morph = lod - step.level;
    step.axes[0] = axis_of(quads, from->draw, step.level, from->x);
    step.axes[1] = axis_of(quads, from->draw, step.level, from->y);
    return step;
}

static double lerp(double a, double b, double t)
{
    return a + (b - a) * t;
}

/* The XY offset of a texel, in quads. */
static double offset_at(const struct chain *chain, int32_t mip, const struct morph_from *from,
                        int32_t x, int32_t y, int axis)
{
    if (!chain->with_offsets)
        return 0;
    return offset_decode(chain->offsets[mip][chain_at(chain, mip, from->sx, from->sy, x, y)][axis]);
}

/* What is added up before the lerp is exact on borders, so that both sides round alike. */
static void move(const struct chain *chain, const struct morph_from *from, const struct step *step,
                 struct morphed *to)
{
    for (int axis = 0; axis < 2; axis++) {
        const struct axis *along = &step->axes[axis];
        double here = offset_at(chain, step->level, from, step->axes[0].at, step->axes[1].at, axis);
        double there =
            offset_at(chain, step->next, from, step->axes[0].next, step->axes[1].next, axis);

        to->at[axis] = lerp(from->origin[axis] + along->place + here,
                            from->origin[axis] + along->target + there, step->morph);
    }
}

/* A texel's code and the bytes of its normal. */
struct sample {
    double code, b, a;
};

static struct sample sample_of(const struct chain_texel *texel)
{
    return (struct sample){ texel->height, texel->b, texel->a };
}

static struct sample mix(struct sample one, struct sample other, double t)
{
    return (struct sample){ lerp(one.code, other.code, t), lerp(one.b, other.b, t),
                            lerp(one.a, other.a, t) };
}

static int32_t clamped(int32_t at, int32_t side)
{
    return at < 0 ? 0 : at < side ? at : side - 1;
}

/* A linear filter over a level of the whole component's texture, at a place of a section. */
static struct sample filtered(const struct chain *chain, int32_t mip, const struct morph_from *from,
                              double x, double y)
{
    int32_t vertices = chain->section_quads + 1, side = chain_side(chain, mip);
    double shrink = 1.0 / (1 << mip);
    double u = (x + 0.5 + from->sx * vertices) * shrink - 0.5;
    double v = (y + 0.5 + from->sy * vertices) * shrink - 0.5;
    int32_t i = (int32_t)floor(u), j = (int32_t)floor(v);
    struct sample rows[2];

    for (int k = 0; k < 2; k++) {
        const struct chain_texel *row = chain->texels[mip] + (ptrdiff_t)clamped(j + k, side) * side;

        rows[k] =
            mix(sample_of(&row[clamped(i, side)]), sample_of(&row[clamped(i + 1, side)]), u - i);
    }
    return mix(rows[0], rows[1], v - j);
}

static struct sample texel_at(const struct chain *chain, int32_t mip, const struct morph_from *from,
                              int32_t x, int32_t y)
{
    return sample_of(&chain->texels[mip][chain_at(chain, mip, from->sx, from->sy, x, y)]);
}

void morph_vertex(const struct chain *chain, enum morph_filter filter,
                  const struct morph_from *from, double lod, struct morphed *to)
{
    struct step step =
        step_of(chain->section_quads, layout_lods(chain->section_quads) - 1, from, lod);
    const struct axis *x = &step.axes[0], *y = &step.axes[1];
    struct sample here, there;

    if (filter == MORPH_POINT)
        here = texel_at(chain, step.level, from, x->at, y->at);
    else
        here = filtered(chain, step.level, from, x->place, y->place);
    if (step.morph > 0 && filter == MORPH_POINT)
        here = mix(here, texel_at(chain, step.next, from, x->next, y->next), step.morph);
    else if (step.morph > 0) {
        there = filtered(chain, step.next, from, x->target, y->target);
        here = mix(here, there, step.morph);
    }
    move(chain, from, &step, to);
    to->code = here.code;
    codec_decode(here.b, here.a, to->normal);
}

void morph_mobile_vertex(const struct chain *chain, const double codes[MOBILE_LODS],
                         const struct morph_from *from, double lod, struct morphed *to)
{
    int32_t last = layout_lods(chain->section_quads) - 1;
    struct step step;

    last = last < MOBILE_LODS - 1 ? last : MOBILE_LODS - 1;
    step = step_of(chain->section_quads, last, from, lod);
    move(chain, from, &step, to);
    to->code = lerp(codes[step.level], codes[step.next], step.morph);
    to->normal[0] = to->normal[1] = 0;
    to->normal[2] = 1;
}
