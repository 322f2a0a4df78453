/* Heights of a view as raster files.
 *
 * Code formats (png16, r16) hold the stored codes, so that what is exported comes back bit for bit.
 * Metric formats hold metres: f32 the heights beneath holes too, asc and tiff a no-data value where
 * a vertex belongs to a hole, which makes the same hole when it is imported. Any thread.
 */
#ifndef TERRAIN_FORMAT_EXPORT_H
#define TERRAIN_FORMAT_EXPORT_H

#include "terrain/base/bytes.h"
#include "terrain/core/view.h"

struct worker_pool;

enum export_format { EXPORT_PNG16, EXPORT_R16, EXPORT_F32, EXPORT_TIFF, EXPORT_ASC };

/* Every step-th vertex of a rectangle on the landscape, from its north-west one on. */
struct export_window {
    struct rect rect;
    int32_t step;
};

int32_t export_columns(const struct export_window *window);
int32_t export_rows(const struct export_window *window);

/* The part of a landscape that is no pad: what came in by an import. */
struct rect export_data_rect(const struct settings *settings);

/* Row j of the window as stored, export_columns numbers; scratch has room for rect.width. */
void export_codes(const struct view *view, const struct export_window *window, int32_t j,
                  uint16_t *codes, uint16_t *scratch);

/* Appends one file. tiff needs the decoders, the others take NULL. Fails with MEMORY, and tiff as
 * decode_tiff does. */
bool export_write(const struct view *view, const struct export_window *window,
                  enum export_format format, struct worker_pool *decoders, struct bytes *to,
                  struct fault *why);

#endif
