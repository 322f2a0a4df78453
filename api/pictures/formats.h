/* How pictures are handed over: files that people see, and plain rows of pixels. Any thread. */
#ifndef API_PICTURES_FORMATS_H
#define API_PICTURES_FORMATS_H

#include "render/renderer.h"
#include "terrain/base/bytes.h"

enum picture_format_at {
#define PICTURE_FORMAT(name) PICTURE_##name,
#include "api/pictures/formats.def"
#undef PICTURE_FORMAT
    PICTURE_FORMATS
};

struct picture_format {
    const char *name, *media;
    bool any_output;   /* not colours alone: the four bytes of each pixel as they are */
    bool keeps_alpha;  /* shows what is transparent */
    int32_t side_most; /* pixels; 0: as many as a picture may have */
    /* Appends the picture, RGBA8 rows from the top. It may change the pixels. NULL: what the
     * picture is drawn from instead, by renderer_scene. */
    bool (*write)(const struct picture *picture, uint8_t *rgba, int quality, struct bytes *to,
                  struct fault *why);
};

extern const struct picture_format picture_formats[PICTURE_FORMATS];
extern const char *const picture_format_names[]; /* ends with NULL */
extern const char *const picture_format_media[]; /* ends with NULL */

#define PICTURE_QUALITY 85 /* of lossy formats, unless told otherwise */

/* Whether the format can hold the picture. Fails with INPUT, and LIMIT for its size. */
bool picture_format_fits(const struct picture_format *format, const struct picture *picture,
                         struct fault *why);

#endif
