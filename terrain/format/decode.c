#include "terrain/format/decode.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
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
static bool raster_sane(const struct raster *raster, bool picture, uint64_t length)
{
    uint64_t samples = (uint64_t)raster->width * (uint64_t)raster->height;

    if (raster->width < 1 || raster->height < 1 || raster->warning_count < 0 ||
        raster->warning_count > RASTER_WARNINGS_MOST)
        return false;
    if (raster->kind != RASTER_U16 && raster->kind != RASTER_FLOATS &&
        raster->kind != RASTER_DOUBLES &&
        !(picture && raster->kind >= RASTER_GRAY_ALPHA && raster->kind <= RASTER_RGBA))
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

/* A job under way: the worker that does it, and what it has handed over. */
struct decoding {
    struct raster_gate gate;
    struct worker *worker;
    struct raster *raster;
    bool picture;       /* was asked for */
    const void *result; /* mapped, of answer.length bytes; NULL before it came */
    bool ended;         /* the job is, one way or the other */
    struct decode_answer answer;
};

static bool begin(struct decoding *decoding, struct worker_pool *decoders, struct decode_job *job,
                  const void *data, size_t length, struct fault *why)
{
    struct worker_message question = { .data = (unsigned char *)job,
                                       .length = sizeof *job,
                                       .count = 1 };
    bool begun;

    job->length = length;
    question.descriptors[0] = memory_of(data, length, why);
    if (question.descriptors[0] < 0)
        return false;
    decoding->worker = worker_begin(decoders, why);
    begun = decoding->worker && worker_send(decoding->worker, &question, why);
    close(question.descriptors[0]);
    return begun;
}

/* The memory that comes with the first answer that has some. What is whole cannot change any more;
 * what comes early is copied once and not looked at again. */
static bool take_result(struct decoding *decoding, const struct worker_message *message,
                        struct fault *why)
{
    const struct decode_answer *answer = &decoding->answer;
    int seals = message->count == 1 ? fcntl(message->descriptors[0], F_GET_SEALS) : -1;

    if (seals < 0 || (answer->stage == DECODE_DONE && !(seals & F_SEAL_WRITE)))
        return nonsense(why);
    decoding->result = worker_memory_map(message->descriptors[0], (size_t)answer->length, why);
    return decoding->result != NULL;
}

/* The answer has been read; what it comes to. A decoder that says why a file cannot be read is
 * sound. */
static bool take_answer(struct decoding *decoding, const struct worker_message *message,
                        uint64_t length, struct fault *why)
{
    const struct decode_answer *answer = &decoding->answer;

    if (answer->stage == DECODE_FAILED) {
        if (!fault_sane(&answer->why))
            return nonsense(why);
        *why = answer->why;
        decoding->ended = true;
        return false;
    }
    if (!decoding->result) {
        if (!take_result(decoding, message, why))
            return false;
    } else if (answer->length != length || message->count != 0)
        return nonsense(why);
    decoding->ended = answer->stage == DECODE_DONE;
    return true;
}

static bool next_answer(struct decoding *decoding, struct fault *why)
{
    struct decode_answer *answer = &decoding->answer;
    struct worker_message message;
    uint64_t length = answer->length;
    bool taken;

    if (!worker_receive(decoding->worker, &message, why))
        return false;
    if (message.length == sizeof *answer) {
        memcpy(answer, message.data, sizeof *answer);
        taken = take_answer(decoding, &message, length, why);
    } else
        taken = nonsense(why);
    worker_message_fini(&message);
    return taken;
}

static void give_back(struct decoding *decoding)
{
    worker_end(decoding->worker, decoding->ended);
    decoding->worker = NULL;
}

/* Decoding changes nothing: a file whose decoder dies before it answers is tried once more, and one
 * that has killed two is refused. */
static bool first_answer(struct decoding *decoding, struct worker_pool *decoders,
                         struct decode_job *job, const void *data, size_t length, struct fault *why)
{
    struct worker_trial trial = { .pool = decoders, .name = data, .length = length };

    if (!worker_trial(&trial, why))
        return false;
    for (;;) {
        bool answered =
            begin(decoding, decoders, job, data, length, why) && next_answer(decoding, why);

        if (answered || !decoding->worker || !worker_died(decoding->worker))
            return answered;
        give_back(decoding);
        if (!worker_trial_again(&trial, why))
            return false;
    }
}

static bool gate_wait(struct raster_gate *gate, int32_t rows, struct fault *why)
{
    struct decoding *decoding = (struct decoding *)gate;
    struct raster *raster = decoding->raster;
    const struct decode_answer *answer = &decoding->answer;

    while (!decoding->ended && (rows >= raster->height || answer->rows < rows))
        if (!next_answer(decoding, why))
            return false;
    if (!decoding->ended)
        return true;
    if (answer->stage != DECODE_DONE ||
        !raster_sane(&answer->raster, decoding->picture, answer->length))
        return nonsense(why);
    raster->voids = answer->raster.voids;
    raster->least = answer->raster.least;
    raster->greatest = answer->raster.greatest;
    return true;
}

static void gate_end(struct raster_gate *gate)
{
    struct decoding *decoding = (struct decoding *)gate;

    give_back(decoding);
    free(decoding);
}

/* The first answer as a raster. What goes on is the raster's from then on. */
static bool take_raster(struct decoding **decoding, const struct decode_options *options,
                        struct raster *raster, struct fault *why)
{
    const struct decode_answer *answer = &(*decoding)->answer;

    if (!raster_sane(&answer->raster, (*decoding)->picture, answer->length))
        return nonsense(why);
    if (!raster_fits(&options->limits, answer->raster.width, answer->raster.height, why))
        return false;
    *raster = answer->raster;
    raster->samples = (*decoding)->result;
    raster->memory = RASTER_SHARED;
    raster->gate = NULL;
    if ((*decoding)->ended) {
        (*decoding)->result = NULL;
        return true;
    }
    (*decoding)->gate = (struct raster_gate){ gate_wait, gate_end };
    (*decoding)->raster = raster;
    raster->gate = &(*decoding)->gate;
    *decoding = NULL;
    return true;
}

static void decoding_free(struct decoding *decoding)
{
    if (!decoding)
        return;
    give_back(decoding);
    worker_memory_unmap(decoding->result, (size_t)decoding->answer.length);
    free(decoding);
}

bool decode_raster(struct worker_pool *decoders, const struct decode_options *options,
                   const void *data, size_t length, struct raster *raster, struct fault *why)
{
    struct decode_job *job = calloc(1, sizeof *job);
    struct decoding *decoding = calloc(1, sizeof *decoding);
    bool done = false;

    memset(raster, 0, sizeof *raster);
    if (job && decoding) {
        job->task = DECODE_TO_RASTER;
        job->options = *options;
        decoding->picture = options->encoding == DECODE_PICTURE;
        done = first_answer(decoding, decoders, job, data, length, why) &&
               take_raster(&decoding, options, raster, why);
    } else
        fault_set(why, FAULT_MEMORY, "no memory to decode a raster");
    decoding_free(decoding);
    free(job);
    return done;
}

bool decode_tiff(struct worker_pool *decoders, const struct raster *raster, double nodata,
                 struct bytes *file, struct fault *why)
{
    size_t length =
        (size_t)raster->width * (size_t)raster->height * raster_sample_bytes(raster->kind);
    struct decode_job *job = calloc(1, sizeof *job);
    struct decoding *decoding = calloc(1, sizeof *decoding);
    bool done = false;

    if (job && decoding) {
        job->task = DECODE_TO_TIFF;
        job->raster = *raster;
        job->raster.samples = NULL;
        job->nodata = nodata;
        done = first_answer(decoding, decoders, job, raster->samples, length, why) &&
               (decoding->ended || nonsense(why)) &&
               bytes_add(file, decoding->result, (size_t)decoding->answer.length, why);
    } else
        fault_set(why, FAULT_MEMORY, "no memory for a GeoTIFF");
    decoding_free(decoding);
    free(job);
    return done;
}
