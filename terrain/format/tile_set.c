#include "terrain/format/tile_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct tile_set *const tile_sets[] = {
#define TILE_SET(name) &tile_set_##name,
#include "terrain/format/tile_sets.def"
#undef TILE_SET
    NULL
};

const struct tile_look tile_look_usual = { .fill = NAN,
                                           .sun_azimuth = 315,
                                           .sun_elevation = 45,
                                           .exaggeration = 1,
                                           .style = TILE_RAMP,
                                           .unit = TILE_DEGREES,
                                           .steepest = 60 };

enum { RUN = 256, GREATEST = (1 << 24) - 1 };

const struct tile_set *tile_set_find(const char *name)
{
    for (size_t i = 0; tile_sets[i]; i++)
        if (strcmp(tile_sets[i]->name, name) == 0)
            return tile_sets[i];
    return NULL;
}

const struct tile_kind *tile_set_kind(const struct tile_set *set, const char *extension)
{
    for (size_t i = 0; set->kinds[i]; i++)
        if (strcmp(set->kinds[i]->extension, extension) == 0)
            return set->kinds[i];
    return NULL;
}

struct tile tile_set_tile(const struct tile_set *set, const struct tile *tile)
{
    struct tile sampled = *tile;

    if (set->borders)
        sampled.samples = TILE_BORDERS;
    return sampled;
}

bool tile_set_write(const struct tile_set *set, const struct tile_kind *kind,
                    const struct view *view, const struct tile *tile, const struct tile_look *look,
                    struct bytes *to, struct fault *why)
{
    const struct tile sampled = tile_set_tile(set, tile);
    const struct grid *grid = view_grid(view);
    const int32_t across = tile_samples_across(&sampled);
    void *pixels = malloc((size_t)across * (size_t)across * png_pixel_bytes(set->samples));
    const struct tile_picture picture = {
        .samples = set->samples,
        .width = across,
        .height = across,
        .pixels = pixels,
        .step = grid->scale[2] / 128,
        .base = grid_metres(grid, 0),
        .first =
            (sampled.samples == TILE_CENTRES || !view->settings->placed ? 0.5 : 0) - sampled.margin,
    };
    bool written;

    if (!pixels)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", across);
    if (!kind)
        kind = set->kinds[0];
    written = set->paint(view, &sampled, look, pixels, why) && kind->write(&picture, to, why);
    free(pixels);
    return written;
}

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
                            double base, double steps, uint8_t *rgb, struct fault *why)
{
    const int64_t across = tile_samples_across(tile), count = across * across;
    double *metres = malloc((size_t)count * sizeof *metres);
    bool painted;

    if (!metres)
        return fault_set(why, FAULT_MEMORY, "no memory for a tile of %d pixels a side", tile->side);
    painted = tile_heights(view, tile, isnan(fill) ? 0 : fill, metres, why);
    if (painted)
        tile_set_pack(metres, count, base, steps, rgb);
    free(metres);
    return painted;
}
