/* Sets of map tiles, and the kinds of file that they come as: each is one file that ends in one
 * constant struct, and a row of tile_sets.def or tile_kinds.def. A set turns the heights of a
 * tile's pixels into samples; a kind writes those as a file. Any thread. */
#ifndef TERRAIN_FORMAT_TILE_SET_H
#define TERRAIN_FORMAT_TILE_SET_H

#include "terrain/base/bytes.h"
#include "terrain/format/png_write.h"
#include "terrain/format/tile.h"

/* How a number is shown where pictures and numbers are both of use. */
enum tile_style { TILE_RAMP, TILE_GRAY, TILE_EXACT };
enum tile_unit { TILE_DEGREES, TILE_PERCENT };

/* What a set may be asked for; each reads what concerns it. */
struct tile_look {
    double fill; /* metres of the ground beyond the landscape; NaN is 0 m where heights are coded,
                    and no ground elsewhere */
    double sun_azimuth, sun_elevation; /* degrees: from north clockwise, above the horizon */
    double exaggeration;               /* of heights, where slopes are shown */
    enum tile_style style;
    enum tile_unit unit; /* of slopes */
    double steepest;     /* in that unit: where gray and ramp end */
    double interval;     /* metres between contours; 0 is by the zoom */
    double base;         /* metres of one of them */
};

/* Samples without gaps, rows from the north, and for those that are codes what they mean. */
struct tile_picture {
    enum png_samples samples;
    int32_t width, height;
    const void *pixels;
    double step, base; /* metres of a code, and of code 0 */
    double first;      /* where the first sample lies: so many samples from the tile's corner */
};

struct tile_kind {
    const char *extension;      /* in paths: "png"; the word for it in TileJSON */
    const char *const media[2]; /* ends with NULL */
    /* Appends one file. Fails with MEMORY. */
    bool (*write)(const struct tile_picture *picture, struct bytes *to, struct fault *why);
};

enum { TILE_KINDS_MOST = 4 };

struct tile_set {
    const char *name;     /* in paths: "terrain-rgb" */
    const char *encoding; /* as TileJSON says it: "mapbox", "terrarium"; NULL of a picture */
    const char *exact;    /* the encoding in the style EXACT, of sets that have it; or NULL */
    enum png_samples samples;
    bool borders;  /* has a sample more each way, so that neighbours share their edges */
    bool flexible; /* can be asked with a margin, and at the corners of pixels */
    const struct tile_kind *kinds[TILE_KINDS_MOST]; /* ends with NULL; the first is the usual one */
    const char *title;
    /* Writes tile_samples_across x the same samples, for tiles that tile_set_tile made. Fails as
     * tile_heights does. */
    bool (*paint)(const struct view *view, const struct tile *tile, const struct tile_look *look,
                  void *pixels, struct fault *why);
};

extern const struct tile_set *const tile_sets[]; /* ends with NULL */

#define TILE_SET(name) extern const struct tile_set tile_set_##name;
#include "terrain/format/tile_sets.def"
#undef TILE_SET

#define TILE_KIND(name) extern const struct tile_kind tile_kind_##name;
#include "terrain/format/tile_kinds.def"
#undef TILE_KIND

/* What a set shows when nothing is asked. */
extern const struct tile_look tile_look_usual;

/* The set, or the set's kind of that name; NULL. */
const struct tile_set *tile_set_find(const char *name);
const struct tile_kind *tile_set_kind(const struct tile_set *set, const char *extension);

/* The tile as the set samples it. */
struct tile tile_set_tile(const struct tile_set *set, const struct tile *tile);

/* Appends the tile as one file of that kind; NULL is the set's usual one. Fails as tile_heights
 * does. */
bool tile_set_write(const struct tile_set *set, const struct tile_kind *kind,
                    const struct view *view, const struct tile *tile, const struct tile_look *look,
                    struct bytes *to, struct fault *why);

/* For sets that encode a height as one number of 24 bits, R x 65536 + G x 256 + B: the nearest
 * whole number to (metres + base) x steps, within 0 .. 2^24 - 1. */
void tile_set_pack(const double *metres, int64_t count, double base, double steps, uint8_t *rgb);
bool tile_set_paint_heights(const struct view *view, const struct tile *tile, double fill,
                            double base, double steps, uint8_t *rgb, struct fault *why);

#endif
