#include "terrain/format/squeeze.h"

#include <libdeflate.h>

bool squeeze_small(const void *data, size_t length, int level, struct bytes *to, struct fault *why)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    size_t bound, made = 0;

    if (!compressor)
        return fault_set(why, FAULT_MEMORY, "no memory to compress %zu bytes", length);
    bound = libdeflate_zlib_compress_bound(compressor, length);
    if (bytes_reserve(to, bound, why)) {
        made = libdeflate_zlib_compress(compressor, data, length, to->data + to->length, bound);
        to->length += made;
    }
    libdeflate_free_compressor(compressor);
    return made > 0;
}
