/* PNG made by hand for the hot path: the Up filter, ISA-L or libdeflate, hardware CRC.
 *
 * A file is IHDR, IDAT and IEND and nothing else: no colour chunk, palette or interlacing that
 * could make a client change a sample. Source: PNG specification, second edition. Any thread;
 * a stream, one at a time.
 */
#ifndef TERRAIN_FORMAT_PNG_WRITE_H
#define TERRAIN_FORMAT_PNG_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"

enum png_samples { PNG_GRAY8, PNG_GRAY16, PNG_GRAY_ALPHA16, PNG_RGB8, PNG_RGBA8 };
enum png_effort {
    PNG_FAST,    /* ISA-L: a cold answer */
    PNG_SMALL,   /* libdeflate 2: what will be sent often */
    PNG_SMALLEST /* libdeflate 9: exports */
};

size_t png_pixel_bytes(enum png_samples samples);

/* Rows from the top without gaps; samples of 16 bits are uint16_t of this machine. Appends one
 * whole file. A picture of more than 16 MiB is streamed through ISA-L whatever the effort, so that
 * no second copy of it is made. Fails with INPUT for an empty picture, MEMORY; nothing is then
 * appended. */
bool png_write(enum png_samples samples, int32_t width, int32_t height, const void *pixels,
               enum png_effort effort, struct bytes *to, struct fault *why);

/* The same in bands of rows, for pictures that are never whole in memory. png_open writes the
 * head; png_rows takes the next count rows; after the last row the file is whole and png_close
 * only frees. Each fails as png_write does, but leaves what was appended. */
struct png_stream;
struct png_stream *png_open(enum png_samples samples, int32_t width, int32_t height,
                            struct bytes *to, struct fault *why);
bool png_rows(struct png_stream *stream, const void *pixels, int32_t count, struct fault *why);
void png_close(struct png_stream *stream);

#endif
