/* What daemon and decoder tell each other. Both are of one build, so structs go as they are;
 * the daemon checks every number of an answer. */
#ifndef TERRAIN_FORMAT_DECODE_JOB_H
#define TERRAIN_FORMAT_DECODE_JOB_H

#include "terrain/format/decode.h"

enum decode_task { DECODE_TO_RASTER, DECODE_TO_TIFF };

/* With one descriptor: the file, or the samples of `raster`. */
struct decode_job {
    enum decode_task task;
    uint64_t length; /* of the memory that comes along */
    struct decode_options options;
    struct raster raster; /* TO_TIFF: all but the samples */
    double nodata;
};

/* FAILED and DONE end a job; before them any number of ROWS may come. The first answer that is not
 * FAILED has one descriptor: the samples of `raster`, or the file. */
enum decode_stage { DECODE_FAILED, DECODE_ROWS, DECODE_DONE };

struct decode_answer {
    enum decode_stage stage;
    struct fault why;
    uint64_t length;
    int32_t rows;         /* ROWS: how many are there */
    struct raster raster; /* TO_RASTER: all but the samples */
};

/* In the decoder: loads what decoding needs before rights are given up; then one job. */
void decode_prepare(void);
void decode_perform(const struct decode_job *job, const void *data, struct raster_room *room,
                    struct decode_answer *answer);

#endif
