#include "render/flat_stretch.h"

#include <stdlib.h>
#include <string.h>

/* Gathering by eights is slower than one by one on half of the machines. But where the samples lie
 * about as close as the pixels, four pixels lie between eight samples at most, and one shuffle
 * brings both neighbours of each: three times as fast. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SHUFFLES 1
#else
#define SHUFFLES 0
#endif

enum { FOUR = 4, SPAN = 8 };

struct flat_four {
    int32_t first;    /* of SPAN samples */
    int32_t at[SPAN]; /* among them: four before the pixels, four behind them */
};

bool flat_stretch_init(struct flat_stretch *stretch, int32_t count)
{
    *stretch = (struct flat_stretch){ .count = count };
    stretch->columns = malloc(sizeof *stretch->columns * (size_t)count);
    stretch->shares = malloc(sizeof *stretch->shares * (size_t)count);
    return stretch->columns && stretch->shares;
}

static bool lay_four(const int32_t *columns, struct flat_four *four)
{
    /* They may run either way. */
    four->first = columns[0] < columns[FOUR - 1] ? columns[0] : columns[FOUR - 1];
    for (int k = 0; k < FOUR; k++) {
        four->at[k] = columns[k] - four->first;
        four->at[FOUR + k] = four->at[k] + 1;
        if (four->at[FOUR + k] >= SPAN)
            return false;
    }
    return true;
}

bool flat_stretch_settle(struct flat_stretch *stretch)
{
    const int32_t count = stretch->count / FOUR;

#if SHUFFLES
    if (!__builtin_cpu_supports("avx2"))
        return true;
#else
    return true;
#endif
    stretch->fours = malloc(sizeof *stretch->fours * (size_t)(count + 1));
    if (!stretch->fours)
        return false;
    while (stretch->four_count < count && lay_four(stretch->columns + FOUR * stretch->four_count,
                                                   &stretch->fours[stretch->four_count]))
        stretch->four_count++;
    return true;
}

void flat_stretch_fini(struct flat_stretch *stretch)
{
    free(stretch->columns);
    free(stretch->shares);
    free(stretch->fours);
}

#if SHUFFLES
typedef float float_four __attribute__((vector_size(4 * FOUR)));
typedef float float_span __attribute__((vector_size(4 * SPAN)));
typedef int32_t place_span __attribute__((vector_size(4 * SPAN)));

__attribute__((target("avx2"))) static void stretch_fours(const struct flat_stretch *stretch,
                                                          const float *samples, float *pixels)
{
    for (int32_t i = 0; i < stretch->four_count; i++) {
        const struct flat_four *four = &stretch->fours[i];
        float_four before, behind, share;
        float_span span;
        place_span at;

        memcpy(&span, samples + four->first, sizeof span);
        memcpy(&at, four->at, sizeof at);
        span = __builtin_shuffle(span, at);
        before = (float_four){ span[0], span[1], span[2], span[3] };
        behind = (float_four){ span[4], span[5], span[6], span[7] };
        memcpy(&share, stretch->shares + FOUR * i, sizeof share);
        before += (behind - before) * share;
        memcpy(pixels + FOUR * i, &before, sizeof before);
    }
}
#else
static void stretch_fours(const struct flat_stretch *stretch, const float *samples, float *pixels)
{
    (void)stretch;
    (void)samples;
    (void)pixels;
}
#endif

void flat_stretch(const struct flat_stretch *stretch, const float *samples, float *pixels)
{
    stretch_fours(stretch, samples, pixels);
    for (int32_t i = FOUR * stretch->four_count; i < stretch->count; i++) {
        const float before = samples[stretch->columns[i]],
                    behind = samples[stretch->columns[i] + 1];

        pixels[i] = before + (behind - before) * stretch->shares[i];
    }
}
