#include "terrain/format/squeeze.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

/* Levels 0 to 2 of 2.30 write one slot of their table by a hash of where the stream lies, so that
 * about one picture in 17,000 came out otherwise at another address; level 3 goes another way, and
 * 57,000 pictures came out the same wherever it was. It takes 0.9 to 1.6 times as long. */
enum {
    LEVEL = 3,
    WORK = ISAL_DEF_LVL3_DEFAULT,
    STEP = 1 << 16 /* bytes of output asked for at a time */
};

struct squeeze {
    struct isal_zstream stream;
    uint8_t work[WORK];
};

struct squeeze *squeeze_new(void)
{
    /* The library leaves its tables and buffers as it finds them; the same data is to become the
     * same bytes whatever was in that memory. */
    struct squeeze *squeeze = calloc(1, sizeof *squeeze);

    if (!squeeze)
        return NULL;
    isal_deflate_init(&squeeze->stream);
    squeeze->stream.level = LEVEL;
    squeeze->stream.level_buf = squeeze->work;
    squeeze->stream.level_buf_size = WORK;
    squeeze->stream.gzip_flag = IGZIP_ZLIB;
    return squeeze;
}

void squeeze_free(struct squeeze *squeeze)
{
    free(squeeze);
}

bool squeeze_feed(struct squeeze *squeeze, const void *piece, size_t length, bool last,
                  struct bytes *to, struct fault *why)
{
    struct isal_zstream *stream = &squeeze->stream;
    const size_t before = to->length;

    stream->next_in = (uint8_t *)(uintptr_t)piece;
    stream->avail_in = (uint32_t)length;
    stream->end_of_stream = last;
    do {
        if (!bytes_reserve(to, STEP, why)) {
            to->length = before;
            return false;
        }
        stream->next_out = to->data + to->length;
        stream->avail_out = STEP;
        if (isal_deflate(stream) != COMP_OK) {
            to->length = before;
            return fault_set(why, FAULT_INTERNAL, "compressing %zu bytes failed", length);
        }
        to->length += STEP - stream->avail_out;
    } while (stream->avail_out == 0 || stream->avail_in > 0);
    return true;
}

bool squeeze_fast(const void *data, size_t length, struct bytes *to, struct fault *why)
{
    struct squeeze *squeeze = squeeze_new();
    bool made = false;

    if (!squeeze)
        return fault_set(why, FAULT_MEMORY, "no memory to compress %zu bytes", length);
    made = squeeze_feed(squeeze, data, length, true, to, why);
    squeeze_free(squeeze);
    return made;
}

uint32_t squeeze_crc(uint32_t crc, const void *data, size_t length)
{
    return crc32_gzip_refl(crc, data, length);
}
