/* Noise as a mask: patches, or shares that wander. */
#include "terrain/edit/mask.h"

#include <math.h>
#include <stddef.h>

#include "terrain/edit/octaves.h"

struct noise_mask {
    struct mask_base base;
    double cell; /* quads */
    int64_t seed;
    int32_t octaves;
    int kind;
    double threshold, fade; /* of the noise, as 0..1 */
};

static const struct field rows[] = {
    FIELD(struct noise_mask, cell, "quads", 0.125, 1e6, "Size of the coarsest patches",
          .required = true),
    FIELD(struct noise_mask, seed, "", 0, 4294967295, "Another seed is another noise",
          .has_value = true),
    FIELD(struct noise_mask, octaves, "", 1, OCTAVES_MOST,
          "Layers of noise, each of half the cell and half the strength of the one before",
          .has_value = true, .value = 1),
    FIELD_AS(FIELD_CHOICE, struct noise_mask, kind,
             "value: bumps as they are; billow: round hills; ridged: crests",
             .words = octaves_kinds, .has_value = true, .value = OCTAVES_VALUE),
    FIELD(struct noise_mask, threshold, "", 0, 1,
          "From this noise on (0 the lowest, 1 the highest) the share is 1; without it the share "
          "is the noise",
          .has_value = true, .value = NAN),
    FIELD(struct noise_mask, fade, "", 0, 1, "So far below the threshold the share fades to 0",
          .has_value = true),
    { .kind = FIELD_END }
};

static bool noise_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    (void)draft;
    (void)why;
    masker->cost += 16 * ((const struct noise_mask *)masker->takes)->octaves;
    return true;
}

static void noise_row(const struct masker *masker, const struct scene *scene, int32_t x, int32_t y,
                      int32_t count, double *shares)
{
    const struct noise_mask *takes = masker->takes;
    const struct octaves octaves = { takes->cell, (uint32_t)takes->seed, takes->octaves,
                                     (enum octaves_kind)takes->kind };
    const struct range range = { takes->threshold, 2, takes->fade };

    (void)scene;
    octaves_row(&octaves, x, y, count, shares);
    for (int32_t i = 0; i < count; i++) {
        double share = (shares[i] + 1) / 2;

        share = share < 0 ? 0 : share > 1 ? 1 : share;
        shares[i] = !isnan(takes->threshold) ? range_share(&range, share) : share;
    }
}

MASK_SHAPE(noise, struct noise_mask, rows);

const struct mask mask_noise = {
    .name = "noise",
    .summary = "Patches of noise",
    .example = "{\"type\":\"noise\",\"cell\":12,\"seed\":3,\"octaves\":3,\"threshold\":0.4,"
               "\"fade\":0.1}",
    .takes = &mask_noise_takes,
    .ready = noise_ready,
    .row = noise_row,
};
