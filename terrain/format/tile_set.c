#include "terrain/format/tile_set.h"

#include <stdlib.h>

#include "terrain/format/png_write.h"

const struct tile_set *const tile_sets[] = {
#define TILE_SET(name) &tile_set_##name,
#include "terrain/format/tile_sets.def"
#undef TILE_SET
    NULL
};

enum { RUN = 256, GREATEST = (1 << 24) - 1 };

static void pack_run(const int32_t *numbers, int32_t count, uint8_t *rgb)
{
    for (int32_t i = 0; i < count; i++, rgb += 3) {
        rgb[0] = (uint8_t)(numbers[i] >> 16);
        rgb[1] = (uint8_t)(numbers[i] >> 8);
        rgb[2] = (uint8_t)numbers[i];
    }
}

void tile_set_pack(const double *metres, int64_t count, double base, double steps, uint8_t *rgb)
{
    int32_t numbers[RUN];

    for (int64_t done = 0; done < count; done += RUN) {
        const int32_t run = count - done < RUN ? (int32_t)(count - done) : RUN;

        for (int32_t i = 0; i < run; i++) {
            double number = (metres[done + i] + base) * steps;

            number = number > 0 ? number : 0;
            number = number < GREATEST ? number : GREATEST;
            numbers[i] = (int32_t)(number + 0.5);
        }
        pack_run(numbers, run, rgb);
        rgb += 3 * (int64_t)run;
    }
}

bool tile_set_paint_heights(const struct view *view, const struct tile *tile, double fill,
                            double base, double steps, struct bytes *png, struct fault *why)
{
    const int64_t count = (int64_t)tile->side * tile->side;
    double *metres = malloc((size_t)count * sizeof *metres);
    uint8_t *rgb = malloc((size_t)count * 3);
    bool painted = false;

    if (!metres || !rgb) {
        fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", tile->side);
        goto done;
    }
    if (!tile_heights(view, tile, 0, fill, metres, why))
        goto done;
    tile_set_pack(metres, count, base, steps, rgb);
    painted = png_write(PNG_RGB8, tile->side, tile->side, rgb, PNG_FAST, png, why);

done:
    free(rgb);
    free(metres);
    return painted;
}
