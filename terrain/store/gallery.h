/* The gallery: pictures by name, for stamps, masks and materials, beside the landscapes.
 *
 * DIR/rasters/NAME holds one picture: a head with its size and checksums, then its samples,
 * packed. A picture is written under another name, flushed and renamed, so that a name has all of
 * the old one or all of the new, also after kill -9 and power loss. What gallery_put and
 * gallery_remove returned true for is on the disk. Whoever opens the gallery has taken the data
 * folder (store_open). Any thread.
 */
#ifndef TERRAIN_STORE_GALLERY_H
#define TERRAIN_STORE_GALLERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct gallery;

struct gallery_limits {
    int64_t pictures;     /* at most so many */
    int64_t disk_bytes;   /* of all of them, packed */
    int64_t memory_bytes; /* of samples that are kept in case */
};

/* Channels: 1 gray, 2 gray and alpha, both of 16 bits; 3 red, green and blue, 4 with alpha, of 8
 * bits. */
struct picture_about {
    char name[65];
    uint64_t revision; /* random for each that is put: names this content */
    int32_t width, height, channels;
    int64_t bytes;      /* of the samples */
    int64_t disk_bytes; /* of its file */
    uint32_t checksum;  /* CRC-32C of the samples */
    bool damaged;       /* its head cannot be read, and nothing above but the name is known */
};

/* One picture in memory, counted. */
struct picture_held {
    struct picture_about about;
    const void *samples; /* row by row: uint16_t, or bytes where there are colours */
};

int64_t picture_bytes(int32_t width, int32_t height, int32_t channels);

/* Makes the folder when it is missing, and removes what an interrupted writing left. */
bool gallery_open(const char *folder, const struct gallery_limits *limits, struct gallery **gallery,
                  struct fault *why);
/* Nobody may hold a picture any more. */
void gallery_close(struct gallery *gallery);

/* Up to `most` after `after` ("" begins), in byte order of their names. */
size_t gallery_list(struct gallery *gallery, const char *after, size_t most,
                    struct picture_about *abouts);

/* Fails with MISSING, naming the nearest name there is. */
bool gallery_find(struct gallery *gallery, const char *name, struct picture_about *about,
                  struct fault *why);

/* The samples, read from the disk if they are not in memory. Fails with MISSING, with STORAGE where
 * a checksum is wrong, or with MEMORY. */
const struct picture_held *gallery_hold(struct gallery *gallery, const char *name,
                                        struct fault *why);
void gallery_drop(struct gallery *gallery, const struct picture_held *held);

/* Whether what is there now (NULL when nothing is) may be changed; nothing else happens to the
 * gallery before it has changed. */
struct gallery_condition {
    bool (*holds)(void *context, const struct picture_about *now, struct fault *why);
    void *context;
};

/* Puts a picture under a name, in place of what was there (*replaced). Fails as the condition does,
 * with LIMIT when there are too many, FULL when there is no room, STORAGE or MEMORY; nothing has
 * then changed. */
bool gallery_put(struct gallery *gallery, const char *name, int32_t width, int32_t height,
                 int32_t channels, const void *samples, const struct gallery_condition *condition,
                 struct picture_about *about, bool *replaced, struct fault *why);

/* Fails with MISSING, or as the condition does. Works on a full disk. */
bool gallery_remove(struct gallery *gallery, const char *name,
                    const struct gallery_condition *condition, struct fault *why);

#endif
