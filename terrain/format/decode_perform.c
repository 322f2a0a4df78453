/* The decoder's work, whichever process it runs in. */
#include <string.h>

#include "terrain/format/decode_job.h"
#include "terrain/format/gdal_read.h"
#include "terrain/format/gdal_warp.h"
#include "terrain/format/png_read.h"

void decode_prepare(void)
{
    gdal_prepare();
}

static bool read_any(const struct decode_options *options, const void *data, size_t length,
                     struct raster_room *room, struct raster *raster, struct fault *why)
{
    if (decode_is_png(data, length))
        return png_read(data, length, options, room, raster, why);
    if (length == 0)
        return fault_set(why, FAULT_FORMAT, "the file is empty");
    return gdal_read(data, length, options, room, raster, why);
}

void decode_perform(const struct decode_job *job, const void *data, struct raster_room *room,
                    struct decode_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    if (job->task == DECODE_TO_TIFF) {
        struct raster raster = job->raster;

        raster.samples = data;
        if (gdal_tiff(&raster, job->nodata, room, &answer->length, &answer->why))
            answer->stage = DECODE_DONE;
        return;
    }
    if (read_any(&job->options, data, (size_t)job->length, room, &answer->raster, &answer->why))
        answer->stage = DECODE_DONE;
    answer->length = (uint64_t)answer->raster.width * (uint64_t)answer->raster.height *
                     raster_sample_bytes(answer->raster.kind);
}
