#include "render/supersample.h"

#include <stddef.h>

void supersample_grid(int samples, int32_t *across, int32_t *down)
{
    *across = *down = 1;
    while (*across * *down < samples)
        *(*down < *across ? down : across) *= 2;
}

void supersample_mean(const uint8_t *rgba, int32_t across, int32_t down, int32_t width,
                      int32_t height, int32_t stride, uint8_t *to)
{
    const uint32_t count = (uint32_t)(across * down);
    const size_t row = 4 * (size_t)width * (size_t)across;

    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < 4 * width; x++) {
            const uint8_t *at = rgba + (size_t)y * (size_t)down * row +
                                (size_t)(x / 4) * 4 * (size_t)across + (size_t)(x % 4);
            uint32_t sum = count / 2;

            for (int32_t j = 0; j < down; j++)
                for (int32_t i = 0; i < across; i++)
                    sum += at[(size_t)j * row + 4 * (size_t)i];
            to[4 * (size_t)y * (size_t)stride + (size_t)x] = (uint8_t)(sum / count);
        }
}
