/* Colour ramps: numbers of the ground as colours, rows of ramps.def.
 *
 * A ramp is laid over a span of values and comes to a table of RAMP_TEXELS colours, sRGB, of which
 * a value takes the one that lies next. C and the shaders look up the same table, a texture of one
 * row there, by the same rule (see ramp_texel), so that they agree:
 *
 *   share = value < middle ? (value - low) / (middle - low) / 2
 *                          : (value - middle) / (high - middle) / 2 + 1/2, within 0 .. 1
 *   texel = floor(share * 255 + 1/2)
 *
 * What is below the middle of a span never takes a texel of the upper half, so a ramp may break
 * there: at sea level. Any thread.
 */
#ifndef RENDER_RAMP_H
#define RENDER_RAMP_H

#include <stdint.h>

enum { RAMP_TEXELS = 256 };

/* What the places of a ramp's stops are. */
enum ramp_measure {
    RAMP_SHARE,  /* of the span, 0 .. 1 */
    RAMP_SIGNED, /* the same, and 1/2 is the value 0, from which both sides go equally far */
    RAMP_METRES  /* values; the span breaks at 0 */
};

/* What is promised of the lightness (CIE L*) along a ramp. */
enum ramp_lightness {
    RAMP_FREE,
    RAMP_RISES, /* from the first stop to the last */
    RAMP_PEAKS  /* up to the middle, and down again */
};

struct ramp_stop {
    double at;    /* rising; two stops at one place are a break, of which the second begins there */
    uint32_t rgb; /* 0xRRGGBB */
};

struct ramp {
    const char *name, *summary;
    enum ramp_measure measure;
    enum ramp_lightness lightness;
    const struct ramp_stop *stops;
    int count;
};

enum {
#define RAMP(name, measure, lightness, summary, ...) RAMP_##name,
#include "render/ramps.def"
#undef RAMP
    RAMPS
};

extern const struct ramp ramps[RAMPS];
extern const char *const ramp_choices[]; /* "auto", then ramp_names */
extern const char *const ramp_names[];   /* in the same order; ends with NULL */

/* What a ramp is laid over. */
struct ramp_span {
    double low, middle, high; /* rising, never equal */
};

/* The span of a ramp for values from low to high: wider where the ramp needs it, and where both are
 * the same, so that level ground lies in the middle. */
struct ramp_span ramp_span_of(const struct ramp *ramp, double low, double high);

/* RAMP_TEXELS colours of red, green, blue and 255: the first that of span->low, the last of high.
 */
void ramp_table(const struct ramp *ramp, const struct ramp_span *span,
                uint8_t texels[RAMP_TEXELS][4]);

/* Which texel is a value's. NaN is the first. */
static inline int ramp_texel(const struct ramp_span *span, double value)
{
    double share = value < span->middle
                       ? (value - span->low) / (span->middle - span->low) / 2
                       : (value - span->middle) / (span->high - span->middle) / 2 + 0.5;

    return share > 0 ? (int)((share < 1 ? share : 1) * (RAMP_TEXELS - 1) + 0.5) : 0;
}

/* The colour of one value, as the table has it. */
void ramp_colour(const struct ramp *ramp, const struct ramp_span *span, double value,
                 uint8_t rgb[3]);

#endif
