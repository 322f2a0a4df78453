#include "terrain/format/squeeze.h"

#include <libdeflate.h>

/* libdeflate's two wrappings of one stream. */
struct wrapping {
    size_t (*bound)(struct libdeflate_compressor *compressor, size_t length);
    size_t (*compress)(struct libdeflate_compressor *compressor, const void *data, size_t length,
                       void *to, size_t room);
};

static bool squeeze(const struct wrapping *as, const void *data, size_t length, int level,
                    struct bytes *to, struct fault *why)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    size_t bound, made = 0;

    if (!compressor)
        return fault_set(why, FAULT_MEMORY, "no memory to compress %zu bytes", length);
    bound = as->bound(compressor, length);
    if (bytes_reserve(to, bound, why)) {
        made = as->compress(compressor, data, length, to->data + to->length, bound);
        to->length += made;
    }
    libdeflate_free_compressor(compressor);
    return made > 0;
}

bool squeeze_small(const void *data, size_t length, int level, struct bytes *to, struct fault *why)
{
    const struct wrapping zlib = { libdeflate_zlib_compress_bound, libdeflate_zlib_compress };

    return squeeze(&zlib, data, length, level, to, why);
}

bool squeeze_gzip(const void *data, size_t length, int level, struct bytes *to, struct fault *why)
{
    const struct wrapping gzip = { libdeflate_gzip_compress_bound, libdeflate_gzip_compress };

    return squeeze(&gzip, data, length, level, to, why);
}
