/* Tar archives, POSIX.1-1988 "ustar": the bytes around files. Nothing in them tells when or where
 * they were made: the same files are the same archive. Any thread. */
#ifndef TERRAIN_FORMAT_TAR_H
#define TERRAIN_FORMAT_TAR_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/bytes.h"

enum { TAR_BLOCK = 512, TAR_NAME_MOST = 100, TAR_END = 2 * TAR_BLOCK };

/* The head of a file of so many bytes, below 8 GiB. The name has at most TAR_NAME_MOST bytes. */
void tar_head(const char *name, int64_t length, unsigned char head[TAR_BLOCK]);

/* Zeros behind a file of so many bytes. */
int tar_padding(int64_t length);

/* Appends head, data and padding. Fails with MEMORY. */
bool tar_add(struct bytes *to, const char *name, const void *data, size_t length,
             struct fault *why);

#endif
