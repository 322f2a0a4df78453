/* Blades in tufts, thrown one over another. */
#include "render/surface_canvas.h"

enum { BLADES = 15000, SEED = 100 };

/* One blade: from its root, dark and low, to its tip. Its height decides who hides whom. */
static void throw_blade(struct surface_canvas *canvas, uint32_t which, const float *lie)
{
    static const float young[3] = { 0.090f, 0.134f, 0.040f }, old[3] = { 0.028f, 0.056f, 0.018f };
    static const float dry[3] = { 0.260f, 0.212f, 0.105f };
    float x = SURFACE_SIDE * canvas_number(which, SEED);
    float y = SURFACE_SIDE * canvas_number(which, SEED + 1);
    int root = canvas_at((int)x, (int)y);
    float turn = 5 * lie[root] + 2.6f * canvas_number(which, SEED + 2);
    float length = 12 + 18 * canvas_number(which, SEED + 3);
    float age = canvas_number(which, SEED + 4),
          high = 0.45f + 0.55f * canvas_number(which, SEED + 5);
    const float *tip = canvas_number(which, SEED + 6) < 0.09f ? dry : young;
    float side_x = -sinf(turn), side_y = cosf(turn);

    for (float step = 0; step < length; step += 0.7f) {
        float along = step / length, stands = high * (0.25f + 0.75f * along);
        float bend = 3 * along * along * (age - 0.5f), width = 1.3f * (1.15f - along);

        for (float aside = -width; aside <= width; aside += 0.8f) {
            int at = canvas_at((int)floorf(x + step * cosf(turn) + (bend + aside) * side_x),
                               (int)floorf(y + step * sinf(turn) + (bend + aside) * side_y));

            if (canvas->height[at] >= stands)
                continue;
            canvas->height[at] = stands;
            canvas_colour(canvas, at, old, tip, (0.15f + 0.85f * along) * (0.45f + 0.55f * age));
        }
    }
}

static void make(struct surface_canvas *canvas)
{
    static const float earth[3] = { 0.050f, 0.052f, 0.022f }, moss[3] = { 0.045f, 0.07f, 0.02f };

    canvas_octaves(canvas->spare[0], 4, 3, SEED + 10, 0.6f, 0.5f);
    canvas_octaves(canvas->spare[1], 32, 3, SEED + 20, 0.5f, 0.6f);
    for (int at = 0; at < SURFACE_AREA; at++) {
        canvas->height[at] = 0.08f * canvas->spare[1][at];
        canvas_colour(canvas, at, earth, moss, 0.5f + canvas->spare[1][at]);
    }
    for (uint32_t i = 0; i < BLADES; i++)
        throw_blade(canvas, i, canvas->spare[0]);
    for (int at = 0; at < SURFACE_AREA; at++) {
        float lush = 1 + 0.16f * canvas->spare[0][at];

        canvas->roughness[at] = 0.86f - 0.12f * canvas->height[at];
        canvas->colour[0][at] *= 1 - 0.25f * (lush - 1);
        canvas->colour[1][at] *= lush;
    }
}

const struct surface surface_grass = {
    .name = "grass",
    .summary = "Blades in tufts, some of them dry",
    .tiling = 4,
    .relief = 0.16,
    .make = make,
};
