/* Beds that weather into ledges, with few cracks across them and lichen on what is old. */
#include "render/surface_canvas.h"

enum { SEED = 200, BEDS = 6, ALONG = 2 };

/* Ledges, every other one as high: rising slowly, breaking off at once. Both counts are even, so
 * that they meet across the border. */
static float ledge(float turns)
{
    float whole = floorf(turns), part = turns - whole;

    return canvas_mix(0.35f, 1, canvas_number((uint32_t)((int)whole & 1), SEED + 40)) * part *
           canvas_step(1, 0.90f, part);
}

/* Cracks between slabs twice as long as broad, bent by the rock's own roughness. */
static void crack(struct surface_canvas *canvas, float *cracks)
{
    const float *by = canvas->roughness;

    canvas_cells(canvas->spare[0], canvas->spare[1], canvas->spare[2], 4, SEED + 10);
    for (int y = 0; y < SURFACE_SIDE; y++)
        for (int x = 0; x < SURFACE_SIDE; x++) {
            int at = canvas_at(x, y);
            int from = canvas_at(x + (int)(46 * by[at]),
                                 2 * y + (int)(46 * by[canvas_at(x + 200, y + 90)]));

            cracks[at] = canvas->spare[1][from] - canvas->spare[0][from];
        }
}

static void make(struct surface_canvas *canvas)
{
    static const float dark[3] = { 0.125f, 0.115f, 0.103f }, light[3] = { 0.330f, 0.308f, 0.278f };
    static const float rust[3] = { 0.250f, 0.188f, 0.132f }, lichen[3] = { 0.31f, 0.32f, 0.235f };
    float *rough = canvas->roughness, *cracks = canvas->colour[0];

    canvas_octaves(rough, 4, 7, SEED, 0.62f, 0.56f);
    crack(canvas, cracks);
    for (int y = 0; y < SURFACE_SIDE; y++)
        for (int x = 0; x < SURFACE_SIDE; x++) {
            int at = canvas_at(x, y), other = canvas_at(x + 131, y + 57);
            float bed = (float)(BEDS * y + ALONG * x) / SURFACE_SIDE + 0.95f * rough[other];
            float ridge = 1 - fabsf(rough[at]), split = canvas_step(0.16f, 0.0f, cracks[at]);
            float deep = split * canvas_step(-0.25f, 0.35f, rough[canvas_at(x + 300, y + 411)]);
            float high = 0.34f * ledge(bed) + 0.36f * ridge + 0.30f * rough[at] - 0.34f * deep;
            float shade = 0.18f + 0.62f * high + 0.28f * rough[other];
            float old = canvas_step(0.28f, 0.5f, rough[canvas_at(x + 77, y + 250)]);

            canvas->height[at] = high;
            for (int c = 0; c < 3; c++) {
                float stone = canvas_mix(dark[c], light[c], fminf(fmaxf(shade, 0), 1));

                stone = canvas_mix(stone, rust[c], 0.5f * canvas_step(0.05f, 0.6f, rough[other]));
                canvas->spare[c][at] =
                    canvas_mix(stone, lichen[c], 0.4f * old) * (1 - 0.55f * deep);
            }
        }
    for (int at = 0; at < SURFACE_AREA; at++) {
        for (int c = 0; c < 3; c++)
            canvas->colour[c][at] = canvas->spare[c][at];
        rough[at] = 0.74f + 0.12f * rough[at];
    }
}

const struct surface surface_rock = {
    .name = "rock",
    .summary = "Ledges with cracks and lichen",
    .tiling = 10,
    .relief = 1.1,
    .make = make,
};
