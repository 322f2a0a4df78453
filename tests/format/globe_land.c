#include "tests/format/globe_land.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/edit/draft.h"
#include "terrain/format/georef.h"

const struct globe_land globe_lands[GLOBE_LANDS] = {
    { "degrees", "EPSG:4326", { 7.01, 46.02, 7.09, 46.09 } },
    { "transverse Mercator", "EPSG:32633", { 481000, 5300000, 486000, 5304000 } },
    { "across 180 degrees", "EPSG:4326", { 179.97, -17.03, 180.04, -16.98 } },
    { "Mercator, northern", "EPSG:3857", { 2490000, 9500000, 2505000, 9512000 } },
};

struct view *globe_land_write(const struct view *base, struct rect to, globe_land_code *code)
{
    struct fault why = { 0 };
    struct change change;
    struct draft *draft = draft_new(base, &why);
    uint16_t *codes = malloc((size_t)rect_area(to) * sizeof *codes);
    struct view *view;

    for (int y = 0; y < to.height; y++)
        for (int x = 0; x < to.width; x++)
            codes[y * to.width + x] = code(to.x + x, to.y + y);
    assert_true(draft_write_heights(draft, to, codes, to.width, &why));
    view = draft_finish(draft, &change, &why);
    assert_non_null(view);
    draft_free(draft);
    free(codes);
    return view;
}

struct view *globe_land_of(const struct globe_land *place, int across, int down, int quads,
                           globe_land_code *code)
{
    const struct layout layout = { { across, down }, 1, quads };
    struct settings *settings = settings_new(&layout);
    struct grid *grid = &settings->grid;
    struct fault why = { 0 };
    static uint64_t incarnation;
    struct view *flat, *view;

    grid->scale[2] = 4;
    grid->origin[2] = 700;
    settings->placed = true;
    strcpy(settings->crs, place->crs);
    memcpy(settings->bounds, place->bounds, sizeof settings->bounds);
    assert_true(
        georef_scale(place->crs, place->bounds, grid->columns, grid->rows, grid->scale, &why));
    flat = view_new(&settings, ++incarnation, 1, 32767);
    view = globe_land_write(flat, view_rect(flat), code);
    view_drop(flat);
    return view;
}

struct view *globe_land_at(const struct globe_land *place, int across, globe_land_code *code)
{
    return globe_land_of(place, across, across, GLOBE_LAND_QUADS, code);
}

const struct datum globe_land_datum;

struct globe_look globe_land_look(double max_error, unsigned extensions)
{
    return (struct globe_look){ .datum = &globe_land_datum,
                                .max_error = max_error,
                                .extensions = extensions,
                                .water_height = NAN,
                                .water_paint = GLOBE_NO_PAINT };
}

/* All tiles of a zoom. */
int globe_land_tiles(const struct view *view, int32_t z, struct globe_tile tiles[GLOBE_LAND_TILES])
{
    struct rect ranges[2];
    struct fault why = { 0 };
    int32_t count;
    int found = 0;

    assert_true(globe_ranges(view, z, ranges, &count, &why));
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < rect_area(ranges[i]); k++) {
            assert_true(found < GLOBE_LAND_TILES);
            tiles[found++] = (struct globe_tile){ z, ranges[i].x + k % ranges[i].width,
                                                  ranges[i].y + k / ranges[i].width };
        }
    return found;
}

int32_t globe_land_finest(const struct view *view)
{
    struct fault why = { 0 };
    int32_t finest;

    assert_true(globe_finest(view, &finest, &why));
    return finest;
}

struct globe_land_tile globe_land_make(const struct view *view, struct derived_cache *cache,
                                       const struct globe_tile *tile, const struct globe_look *look)
{
    struct fault why = { 0 };
    struct globe_land_tile made = { 0 };

    if (!globe_mesh(view, cache, tile, look, &made.bytes, &made.error, &why))
        fail_msg("%d/%d/%d: %s", tile->z, tile->x, tile->y, why.detail);
    made.tile = quantized_read(made.bytes.data, made.bytes.length);
    return made;
}

void globe_land_free(struct globe_land_tile *made)
{
    quantized_free(&made->tile);
    bytes_free(&made->bytes);
}

void globe_land_degrees(const struct globe_tile *tile, double u, double v, double at[2])
{
    const double size = ldexp(180, -tile->z);

    at[0] = (tile->x + u / 32767) * size - 180;
    at[1] = 90 - (tile->y + 1 - v / 32767) * size;
}
