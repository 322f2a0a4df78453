/* A picture's file: its head and its packed samples, written whole or not at all.
 *
 * The head has 64 bytes, little-endian: "LANDPICT", then uint32 format (1), width, height,
 * channels, CRC-32C of the samples, and 4 bytes of 0; uint64 revision and bytes of what follows; 12
 * bytes of 0 and the CRC-32C of all before. Private to the gallery. Any thread.
 */
#ifndef TERRAIN_STORE_GALLERY_FILE_H
#define TERRAIN_STORE_GALLERY_FILE_H

#include "terrain/store/gallery.h"

enum { PICTURE_SIDE_MOST = 1 << 20 };

/* Fails with STORAGE when it is no such file or its head's checksum is wrong. */
bool gallery_file_about(int folder, const char *name, struct picture_about *about,
                        struct fault *why);

/* Samples for `free`. Fails with STORAGE when it is not what the head says. */
bool gallery_file_read(int folder, const char *name, const struct picture_about *about,
                       void **samples, struct fault *why);

/* Makes the file's bytes small in memory first: *about gets its checksum and disk_bytes. */
struct bytes;
bool gallery_file_make(const void *samples, struct picture_about *about, struct bytes *file,
                       struct fault *why);
/* Flushed under its name when it returns true. */
bool gallery_file_write(int folder, const char *name, const struct bytes *file, struct fault *why);
bool gallery_file_remove(int folder, const char *name, struct fault *why);

/* Removes what a write that was cut short has left. */
bool gallery_file_tidy(int folder, struct fault *why);

#endif
