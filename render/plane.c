#include "render/plane.h"

const struct plane_format plane_formats[RENDER_PLANES] = {
#define PLANE(name, columns, rows, texel, filter, share)                                           \
    { #name, columns, rows, TEXEL_##texel, FILTER_##filter, share },
#include "render/planes.def"
#undef PLANE
};

const int slot_planes[RENDER_SLOTS] = {
#define SLOT(name, plane) RENDER_PLANE_##plane,
#include "render/slots.def"
#undef SLOT
};

size_t plane_bytes(int plane)
{
    static const size_t texels[] = {
        [TEXEL_R16UI] = 2, [TEXEL_RG16UI] = 4, [TEXEL_R16F] = 2, [TEXEL_RG8] = 2, [TEXEL_RGBA8] = 4
    };
    const struct plane_format *format = &plane_formats[plane];

    if (format->filter == FILTER_REPEATED)
        return SURFACE_BYTES;

    return texels[format->texel] * (size_t)format->columns * (size_t)format->rows;
}
