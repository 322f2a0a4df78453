#include "terrain/format/datum.h"

#include <math.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t mix_real(uint64_t hash, double real)
{
    uint64_t word;

    memcpy(&word, &real, sizeof word);
    return mix(hash, word);
}

struct datum datum_of(const struct settings *settings, double further, const uint16_t *geoid,
                      int32_t width, int32_t height, uint64_t revision)
{
    struct datum datum = { .offset = settings->ellipsoid_offset + further,
                           .geoid = geoid,
                           .width = width,
                           .height = height,
                           .metres = { settings->geoid_metres[0], settings->geoid_metres[1] } };

    if (datum.offset == 0 && !settings->geoid[0])
        return datum;
    datum.key = mix_real(1, datum.offset);
    if (settings->geoid[0]) {
        datum.key = mix_real(mix_real(datum.key, datum.metres[0]), datum.metres[1]);
        datum.key = mix(datum.key, revision);
    }
    datum.key |= 1;
    return datum;
}

/* The sample before a place, and how far behind it the place lies. */
static double place(double at, int32_t vertices, int32_t samples, int32_t *before)
{
    const double share = fmin(fmax(at / (vertices - 1), 0), 1) * (samples - 1);

    *before = (int32_t)share;
    if (*before > samples - 2)
        *before = samples > 1 ? samples - 2 : 0;
    return share - *before;
}

double datum_raise(const struct datum *datum, const struct grid *grid, double column, double row)
{
    const double step = (datum->metres[1] - datum->metres[0]) / 65535;
    int32_t x, y;
    double across, down, north, south;
    const uint16_t *first, *second;

    if (!datum->geoid)
        return datum->offset;
    across = place(column, grid->columns, datum->width, &x);
    down = place(row, grid->rows, datum->height, &y);
    first = datum->geoid + (int64_t)y * datum->width + x;
    second = datum->height > 1 ? first + datum->width : first;
    x = datum->width > 1;
    north = first[0] + across * (first[x] - first[0]);
    south = second[0] + across * (second[x] - second[0]);
    return datum->offset + datum->metres[0] + (north + down * (south - north)) * step;
}
