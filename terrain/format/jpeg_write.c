#include "terrain/format/jpeg_write.h"

#include <turbojpeg.h>

enum { SIDE_MOST = 65500, FULL_COLOUR = 90 };

bool jpeg_write(int32_t width, int32_t height, const uint8_t *rgba, int quality, struct bytes *to,
                struct fault *why)
{
    const int sampling = quality < FULL_COLOUR ? TJSAMP_420 : TJSAMP_444;
    unsigned char *made = NULL;
    unsigned long length = 0;
    tjhandle handle;
    bool written;

    if (width > SIDE_MOST || height > SIDE_MOST)
        return fault_set(why, FAULT_LIMIT,
                         "A JPEG picture has at most %d pixels a side, not %d x %d", SIDE_MOST,
                         width, height);
    handle = tjInitCompress();
    written = handle && tjCompress2(handle, rgba, width, 0, height, TJPF_RGBX, &made, &length,
                                    sampling, quality, TJFLAG_FASTDCT) == 0;
    if (!written)
        fault_set(why, FAULT_MEMORY, "A JPEG picture could not be made: %.200s",
                  tjGetErrorStr2(handle));
    written = written && bytes_add(to, made, length, why);
    tjFree(made);
    if (handle)
        tjDestroy(handle);
    return written;
}
