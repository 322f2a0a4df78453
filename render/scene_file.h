/* A scene in a file, with all the tiles that it needs: drawn by landscaped-render alone, on a
 * machine that has neither the landscape nor the daemon. Any thread.
 *
 * A struct scene_file, the scene (wire.h), its tiles in the order of their keys. They are the plain
 * structs of one build: another build, whose structs or rows differ, refuses the file.
 */
#ifndef RENDER_SCENE_FILE_H
#define RENDER_SCENE_FILE_H

#include "render/picture.h"
#include "render/scene_read.h"
#include "terrain/base/bytes.h"

#define SCENE_FILE_MAGIC "LSSCENE" /* and the zero behind it */
enum { SCENE_FILE_VERSION = 1 };

struct scene_file {
    char magic[8];
    uint32_t version, endian; /* endian: 1 as its writer stores it */
    uint64_t build;           /* scene_file_build */
    uint64_t scene_bytes, tile_bytes;
};

/* A number that changes with the structs and rows of a scene. */
uint64_t scene_file_build(void);

/* The whole of a file; the parts and tiles point into it. Every length and index fits afterwards.
 * Fails with FORMAT. */
bool scene_file_read(const void *data, size_t length, struct scene_parts *parts,
                     const unsigned char **tiles, struct fault *why);

/* The daemon's side: appends the file of a picture. Fails as scene_make and the planes' makers do.
 */
bool scene_file_write(const struct view *view, const struct picture *picture, struct bytes *to,
                      struct fault *why);

#endif
