/* Rasters of one number a vertex, worked out for the request, as answers: JSON rows, little-endian
 * floats, bytes, or a picture. Any thread. */
#ifndef API_RASTERS_PLAIN_RASTER_H
#define API_RASTERS_PLAIN_RASTER_H

#include "api/endpoint.h"
#include "terrain/format/export.h"

/* A row lists the forms that it has, in the order of its media_out and formats:
 *   PNG   8-bit gray, the shade of each number
 *   R8    bytes: the numbers themselves, rounded, within 0..255
 *   F32, F64   little-endian floats, row by row from the north-west
 *   JSON  {"version":,"x":,"y":,"width":,"height":,"step":, members, "rows":[[…]]} */
enum plain_form { PLAIN_PNG, PLAIN_R8, PLAIN_F32, PLAIN_F64, PLAIN_JSON };

struct plain_raster {
    struct export_window window;
    /* Row j's numbers, export_columns of them; NaN where there is none: null in JSON, 0 in bytes
     * and pictures. Called once for each row, from the first on. */
    bool (*row)(void *context, int32_t j, double *values, struct fault *why);
    /* What 0..255 a number is in a picture; NULL: as in bytes. */
    double (*shade)(void *context, double value);
    void *context;
    const char *members; /* more of JSON's, each with a comma behind it; or NULL */
};

/* Fills rq->bytes. Fails with MEMORY, and as `row` does. */
bool plain_raster_write(struct request *rq, enum plain_form form,
                        const struct plain_raster *raster);

#endif
