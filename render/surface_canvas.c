#include "render/surface_canvas.h"

#include "terrain/base/hash.h"

float canvas_number(uint32_t which, uint32_t seed)
{
    return (float)(hash32(which, 77, seed) >> 8) / (float)(1 << 24);
}

static float eased(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

struct slope {
    float x, y;
};

static struct slope slope_at(uint32_t x, uint32_t y, uint32_t seed)
{
    float turn = (float)(hash32(x, y, seed) >> 8) * (6.2831853f / (float)(1 << 24));

    return (struct slope){ 1.4142136f * cosf(turn), 1.4142136f * sinf(turn) };
}

/* The part of a row that lies in one cell. */
static void noise_in_cell(float *row, int count, float part, float down, const struct slope s[4],
                          float amplitude)
{
    float share_down = eased(down);

    for (int i = 0; i < count; i++) {
        float x = ((float)i + 0.5f) * part, share = eased(x);
        float top = canvas_mix(s[0].x * x + s[0].y * down, s[1].x * (x - 1) + s[1].y * down, share);
        float bottom = canvas_mix(s[2].x * x + s[2].y * (down - 1),
                                  s[3].x * (x - 1) + s[3].y * (down - 1), share);

        row[i] += amplitude * canvas_mix(top, bottom, share_down);
    }
}

/* Cells are whole texels, so that the noise repeats with the square. */
void canvas_noise(float *field, int across, int down, uint32_t seed, float amplitude)
{
    int width = SURFACE_SIDE / across, height = SURFACE_SIDE / down;

    for (int j = 0; j < down; j++)
        for (int i = 0; i < across; i++) {
            struct slope s[4];

            for (int c = 0; c < 4; c++)
                s[c] = slope_at((uint32_t)((i + (c & 1)) % across),
                                (uint32_t)((j + (c >> 1)) % down), seed);
            for (int y = 0; y < height; y++)
                noise_in_cell(field + (j * height + y) * SURFACE_SIDE + i * width, width,
                              1 / (float)width, ((float)y + 0.5f) / (float)height, s, amplitude);
        }
}

void canvas_octaves(float *field, int cells, int octaves, uint32_t seed, float amplitude,
                    float rest)
{
    for (int i = 0; i < octaves && cells <= SURFACE_SIDE / 2; i++) {
        canvas_noise(field, cells, cells, seed + (uint32_t)i, amplitude);
        cells *= 2;
        amplitude *= rest;
    }
}

struct point {
    float x, y, which;
};

static struct point point_in(int column, int row, int cells, uint32_t seed)
{
    uint32_t i = (uint32_t)((column + cells) % cells), j = (uint32_t)((row + cells) % cells);
    uint32_t bits = hash32(i, j, seed);

    return (struct point){ (float)column + 0.1f + 0.8f * (float)(bits & 0xffff) / 65536,
                           (float)row + 0.1f + 0.8f * (float)(bits >> 16) / 65536,
                           (float)(hash32(i, j, seed + 1) >> 8) / (float)(1 << 24) };
}

void canvas_cells(float *nearest, float *next, float *which, int cells, uint32_t seed)
{
    int width = SURFACE_SIDE / cells;

    for (int row = 0; row < cells; row++)
        for (int column = 0; column < cells; column++) {
            struct point points[9];

            for (int i = 0; i < 9; i++)
                points[i] = point_in(column + i % 3 - 1, row + i / 3 - 1, cells, seed);
            for (int y = row * width; y < (row + 1) * width; y++)
                for (int x = column * width; x < (column + 1) * width; x++) {
                    float first = 9, second = 9, found = 0;

                    for (int i = 0; i < 9; i++) {
                        float dx = points[i].x - ((float)x + 0.5f) / (float)width;
                        float dy = points[i].y - ((float)y + 0.5f) / (float)width;
                        float far = dx * dx + dy * dy;

                        found = far < first ? points[i].which : found;
                        second = fminf(second, fmaxf(first, far));
                        first = fminf(first, far);
                    }
                    nearest[canvas_at(x, y)] = sqrtf(first);
                    next[canvas_at(x, y)] = sqrtf(second);
                    which[canvas_at(x, y)] = found;
                }
        }
}
