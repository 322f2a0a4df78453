/* A layout of the collision heightfield: one file that ends in one constant struct, and a row in
 * collision_formats.def.
 *
 * Numbers are little-endian. Axes are the landscape's (x east, y south, z up), which is
 * left-handed, or (x east, y up, z south), which is right-handed, as engines with y up want it. A
 * value at indices (a, b) stands for the place position + rotation * (scale * (a, value, b)), in
 * y-up axes, and position + scale * (a, b, value) in the landscape's. Metres. Any thread. */
#ifndef TERRAIN_FORMAT_COLLISION_FORMAT_H
#define TERRAIN_FORMAT_COLLISION_FORMAT_H

#include "terrain/base/bytes.h"
#include "terrain/lod/pick.h"
#include "terrain/query/collision.h"

/* What is written: a rectangle of samples, 2 x 2 at least, as it is in memory. */
struct collision_window {
    const struct collision *grid; /* lent */
    struct rect samples;
    enum hole_rule rule; /* of formats where a sample, not a quad, is left out: when any of the
                            window's quads around it is a hole, or when all are */
    int32_t block;       /* Jolt's block size */
    uint16_t *codes;     /* row by row */
    uint8_t *holes;      /* of its quads, row by row: 0 solid, 255 a hole */
    int64_t hole_count;
    uint16_t least, greatest; /* codes, beneath holes too */
};

/* Reads what grid, samples, rule and block say; ignore_holes makes all of it solid. Fails with
 * MEMORY. collision_window_free of a zeroed one does nothing. */
bool collision_window_read(struct collision_window *window, bool ignore_holes, struct fault *why);
void collision_window_free(struct collision_window *window);

enum collision_axes { AXES_LANDSCAPE, AXES_Y_UP };

/* How it is put into a world. */
struct collision_place {
    int64_t counts[2]; /* samples along the first and second index; vertices and triangles of lists
                        */
    double scale[3], position[3]; /* in the format's axes */
    double rotation[4];           /* a unit quaternion: x, y, z, w */
    double range[2];              /* the least and the greatest value */
    int64_t bytes;
};

struct collision_format {
    const char *engine, *layout, *holes; /* a few words for people each */
    enum collision_axes axes;
    bool triangles; /* a list of them: bounded like meshes */
    /* Whether the engine can hold it at all; NULL is always. Fails with IMPOSSIBLE. */
    bool (*check)(const struct collision_window *window, struct fault *why);
    void (*place)(const struct collision_window *window, struct collision_place *place);
    /* Appends place's bytes. Fails with MEMORY. */
    bool (*write)(const struct collision_window *window, struct bytes *to, struct fault *why);
};

enum collision_format_name {
#define COLLISION_FORMAT(name, media) COLLISION_##name,
#include "terrain/format/collision_formats.def"
#undef COLLISION_FORMAT
    COLLISION_FORMATS
};

extern const struct collision_format *const collision_formats[];

#endif
