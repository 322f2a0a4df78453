/* An archive: everything of one version of a landscape as one file.
 *
 * "lark", the form's number, then records. A record is its kind (1 byte), the length of
 * its body (4 bytes), the body, and the CRC-32C of all three:
 *   S  the settings, as settings_write makes them
 *   P  a plane (1), and the value that it has where no block says otherwise (2)
 *   B  a block of the last plane (2 and 2), in row order, and its packed form (pack.h)
 *   E  the number of records before (8), and the CRC-32C of every byte before (4)
 * Numbers are little-endian. Nothing stands behind E. Any thread.
 */
#ifndef TERRAIN_STORE_ARCHIVE_H
#define TERRAIN_STORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/core/view.h"

/* Appends the archive of a view. Fails with MEMORY. */
bool archive_write(const struct view *view, struct bytes *to, struct fault *why);

/* The view in an archive, at version 1 of no incarnation. Fails with INPUT on bytes that are no
 * whole and sound archive, saying where, IMPOSSIBLE for one of more vertices than `most`, before it
 * takes memory for them, and MEMORY. */
struct view *archive_read(const void *data, size_t length, int64_t most, struct fault *why);

#endif
