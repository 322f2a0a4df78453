/* Crumbs, and stones among them. */
#include "render/surface_canvas.h"

enum { SEED = 500, STONES = 850 };

static void throw_stone(struct surface_canvas *canvas, uint32_t which)
{
    static const float dark[3] = { 0.130f, 0.110f, 0.090f }, pale[3] = { 0.300f, 0.268f, 0.225f };
    float x = SURFACE_SIDE * canvas_number(which, SEED), size = canvas_number(which, SEED + 1);
    float y = SURFACE_SIDE * canvas_number(which, SEED + 2), tone = canvas_number(which, SEED + 3);
    float half = 1.6f + 10 * size * size * size,
          flat = 0.6f + 0.4f * canvas_number(which, SEED + 4);
    float turn = 3.1415927f * canvas_number(which, SEED + 5), c = cosf(turn), s = sinf(turn);

    for (int down = (int)-half - 1; down <= (int)half + 1; down++)
        for (int across = (int)-half - 1; across <= (int)half + 1; across++) {
            float along = (c * (float)across + s * (float)down) / half;
            float aside = (c * (float)down - s * (float)across) / half / flat;
            float a = along * along, b = aside * aside,
                  far = 0.6f * (a + b) + 0.4f * (a * a + b * b);
            int at = canvas_at((int)x + across, (int)y + down);
            float stands = 0.12f + 0.045f * half * sqrtf(fmaxf(1 - far, 0));

            if (far >= 1 || canvas->height[at] >= stands)
                continue;
            canvas->height[at] = stands;
            canvas_colour(canvas, at, dark, pale,
                          tone * (0.75f + 0.25f * (1 - far)) + 0.12f * canvas->spare[1][at]);
            canvas->roughness[at] = 0.68f;
        }
}

static void make(struct surface_canvas *canvas)
{
    static const float damp[3] = { 0.062f, 0.043f, 0.029f }, dry[3] = { 0.190f, 0.140f, 0.096f };

    canvas_octaves(canvas->spare[0], 8, 5, SEED + 10, 0.6f, 0.68f);
    canvas_octaves(canvas->spare[1], 64, 2, SEED + 20, 0.6f, 0.8f);
    canvas_octaves(canvas->spare[2], 2, 3, SEED + 30, 0.6f, 0.5f);
    for (int at = 0; at < SURFACE_AREA; at++) {
        float crumb = 0.5f - fabsf(canvas->spare[0][at]) + 0.4f * canvas->spare[1][at];

        canvas->height[at] = 0.34f * crumb + 0.1f * canvas->spare[2][at];
        canvas_colour(canvas, at, damp, dry,
                      fminf(fmaxf(0.30f + 0.75f * crumb + 0.25f * canvas->spare[2][at], 0), 1));
        canvas->roughness[at] = 0.92f;
    }
    for (uint32_t i = 0; i < STONES; i++)
        throw_stone(canvas, i);
}

const struct surface surface_soil = {
    .name = "soil",
    .summary = "Crumbs and stones",
    .tiling = 4,
    .relief = 0.22,
    .make = make,
};
