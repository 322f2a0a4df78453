/* Drifts with a crust. */
#include "render/surface_canvas.h"

enum { SEED = 400 };

static void make(struct surface_canvas *canvas)
{
    static const float hollow[3] = { 0.330f, 0.410f, 0.530f },
                       crest[3] = { 0.590f, 0.620f, 0.660f };
    float *drift = canvas->spare[0], *crust = canvas->spare[1], *grain = canvas->spare[2];

    canvas_octaves(drift, 2, 4, SEED, 0.8f, 0.45f);
    canvas_noise(crust, 8, 32, SEED + 10, 0.5f);
    canvas_noise(crust, 16, 64, SEED + 11, 0.3f);
    canvas_octaves(grain, 64, 3, SEED + 20, 0.5f, 0.8f);
    for (int at = 0; at < SURFACE_AREA; at++) {
        float edge = canvas_step(-0.35f, 0.5f, crust[at] + 0.4f * drift[at]);
        float high = 0.62f * drift[at] + 0.15f * edge + 0.020f * grain[at];

        canvas->height[at] = high;
        canvas_colour(canvas, at, hollow, crest,
                      fminf(fmaxf(0.55f + 0.7f * high + 0.14f * grain[at], 0), 1));
        canvas->roughness[at] = 0.52f + 0.18f * edge + 0.18f * grain[at];
    }
}

const struct surface surface_snow = {
    .name = "snow",
    .summary = "Drifts with a crust",
    .tiling = 12,
    .relief = 0.35,
    .make = make,
};
