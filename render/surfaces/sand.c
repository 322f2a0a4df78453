/* Ripples of the wind, and grains. */
#include "render/surface_canvas.h"

enum { SEED = 300, RIPPLES = 14 };

static void make(struct surface_canvas *canvas)
{
    static const float wet[3] = { 0.300f, 0.212f, 0.122f }, dry[3] = { 0.500f, 0.385f, 0.250f };
    float *bend = canvas->spare[0], *grain = canvas->spare[1], *strong = canvas->spare[2];

    canvas_octaves(bend, 2, 4, SEED, 1.0f, 0.5f);
    canvas_octaves(strong, 4, 2, SEED + 10, 1.0f, 0.5f);
    canvas_octaves(grain, 128, 2, SEED + 20, 0.7f, 0.9f);
    for (int y = 0; y < SURFACE_SIDE; y++)
        for (int x = 0; x < SURFACE_SIDE; x++) {
            int at = canvas_at(x, y);
            float turn =
                6.2831853f / SURFACE_SIDE * ((float)(RIPPLES * y) + 3 * (float)x) + 3.4f * bend[at];
            float wave = 0.5f + 0.5f * sinf(turn + 0.5f * sinf(turn));
            float share = 0.55f + 0.45f * strong[at];

            share = fminf(fmaxf(share, 0.15f), 1);
            canvas->height[at] = share * wave + 0.25f * bend[at] + 0.055f * grain[at];
            canvas_colour(canvas, at, wet, dry,
                          0.42f + 0.34f * share * wave + 0.14f * bend[at] + 0.30f * grain[at]);
            canvas->roughness[at] = 0.80f + 0.1f * grain[at];
        }
}

const struct surface surface_sand = {
    .name = "sand",
    .summary = "Ripples of the wind",
    .tiling = 6,
    .relief = 0.16,
    .make = make,
};
