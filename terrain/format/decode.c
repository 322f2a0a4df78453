#include "terrain/format/decode.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "terrain/format/decode_job.h"
#include "terrain/worker/worker.h"

const char *const decode_drivers[] = { "GTiff", "SRTMHGT", "AAIGrid", "GRASSASCIIGrid",
                                       "DTED",  "USGSDEM", "HFA",     "BT",
                                       NULL };

bool decode_is_png(const void *data, size_t length)
{
    static const unsigned char signature[8] = { 137, 'P', 'N', 'G', 13, 10, 26, 10 };

    return length >= sizeof signature && memcmp(data, signature, sizeof signature) == 0;
}

/* Sealed memory with a copy of the data. */
static int memory_of(const void *data, size_t length, struct fault *why)
{
    void *mapped;
    int file = worker_memory(length, &mapped, why);

    if (file < 0)
        return -1;
    if (length > 0)
        memcpy(mapped, data, length);
    if (worker_memory_seal(file, mapped, length, why))
        return file;
    close(file);
    return -1;
}

static bool nonsense(struct fault *why)
{
    return fault_set(why, FAULT_WORKER, "the decoder's answer makes no sense");
}

static bool terminated(const char *text, size_t room)
{
    return memchr(text, 0, room) != NULL;
}

/* A decoder that a file has taken over may say anything; these are the numbers that
 * memory depends on, and the texts. */
static bool raster_sane(const struct raster *raster, uint64_t length)
{
    uint64_t samples = (uint64_t)raster->width * (uint64_t)raster->height;

    if (raster->width < 1 || raster->height < 1 || raster->warning_count < 0 ||
        raster->warning_count > RASTER_WARNINGS_MOST)
        return false;
    if (raster->kind != RASTER_U16 && raster->kind != RASTER_FLOATS &&
        raster->kind != RASTER_DOUBLES)
        return false;
    for (int32_t i = 0; i < raster->warning_count; i++)
        if (!terminated(raster->warnings[i], sizeof raster->warnings[i]))
            return false;
    return samples * raster_sample_bytes(raster->kind) == length && raster->voids >= 0 &&
           (uint64_t)raster->voids <= samples && isfinite(raster->least) &&
           isfinite(raster->greatest) && terminated(raster->type, sizeof raster->type) &&
           terminated(raster->driver, sizeof raster->driver) &&
           terminated(raster->crs, sizeof raster->crs) &&
           terminated(raster->source_crs, sizeof raster->source_crs) && isfinite(raster->west) &&
           isfinite(raster->north) && isfinite(raster->step_x) && isfinite(raster->step_y);
}

static bool fault_sane(const struct fault *fault)
{
    return fault->code > FAULT_NONE && fault->code < FAULT_COUNT &&
           terminated(fault->detail, sizeof fault->detail) &&
           terminated(fault->place, sizeof fault->place);
}

/* The answer's memory, when the job was done; else its fault. */
static const void *result_of(const struct worker_message *message, struct decode_answer *answer,
                             struct fault *why)
{
    int seals;

    if (message->length != sizeof *answer) {
        nonsense(why);
        return NULL;
    }
    memcpy(answer, message->data, sizeof *answer);
    if (!answer->done) {
        if (fault_sane(&answer->why))
            *why = answer->why;
        else
            nonsense(why);
        return NULL;
    }
    seals = message->count == 1 ? fcntl(message->descriptors[0], F_GET_SEALS) : -1;
    if (seals < 0 || !(seals & F_SEAL_WRITE)) {
        nonsense(why);
        return NULL;
    }
    return worker_memory_map(message->descriptors[0], (size_t)answer->length, why);
}

/* One job: *result is mapped memory of answer->length bytes. */
static bool exchange(struct worker_pool *decoders, struct decode_job *job, const void *data,
                     size_t length, struct decode_answer *answer, const void **result,
                     struct fault *why)
{
    struct worker_message question = { .data = (unsigned char *)job,
                                       .length = sizeof *job,
                                       .count = 1 };
    struct worker_message message;
    struct worker *worker = NULL;
    bool sound = false;

    *result = NULL;
    job->length = length;
    question.descriptors[0] = memory_of(data, length, why);
    if (question.descriptors[0] < 0)
        return false;
    worker = worker_begin(decoders, why);
    if (worker && worker_send(worker, &question, why) && worker_receive(worker, &message, why)) {
        *result = result_of(&message, answer, why);
        sound = *result || why->code != FAULT_WORKER;
        worker_message_fini(&message);
    }
    worker_end(worker, sound);
    close(question.descriptors[0]);
    return *result != NULL;
}

bool decode_raster(struct worker_pool *decoders, const struct decode_options *options,
                   const void *data, size_t length, struct raster *raster, struct fault *why)
{
    struct decode_job job = { .task = DECODE_TO_RASTER, .options = *options };
    struct decode_answer answer;
    const void *samples;

    memset(raster, 0, sizeof *raster);
    if (!exchange(decoders, &job, data, length, &answer, &samples, why))
        return false;
    if (!raster_sane(&answer.raster, answer.length) ||
        !raster_fits(&options->limits, answer.raster.width, answer.raster.height, why)) {
        worker_memory_unmap(samples, (size_t)answer.length);
        return nonsense(why);
    }
    *raster = answer.raster;
    raster->samples = samples;
    raster->memory = RASTER_SHARED;
    return true;
}

bool decode_tiff(struct worker_pool *decoders, const struct raster *raster, double nodata,
                 struct bytes *file, struct fault *why)
{
    struct decode_job job = { .task = DECODE_TO_TIFF, .raster = *raster, .nodata = nodata };
    struct decode_answer answer;
    const void *data;
    bool added;

    job.raster.samples = NULL;
    if (!exchange(decoders, &job, raster->samples,
                  (size_t)raster->width * (size_t)raster->height *
                      raster_sample_bytes(raster->kind),
                  &answer, &data, why))
        return false;
    added = bytes_add(file, data, (size_t)answer.length, why);
    worker_memory_unmap(data, (size_t)answer.length);
    return added;
}
