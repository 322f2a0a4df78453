/* landscaped-decode: turns hostile files into samples, without rights of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terrain/format/decode_job.h"
#include "terrain/worker/worker.h"

enum { ROWS_AT_ONCE = 128, EARLY_SAMPLES = 1 << 22 };

/* Samples go straight into the memory that is handed back, early if they are many. */
struct shared_room {
    struct raster_room room;
    int descriptor;
    void *mapped;
    size_t size;
    bool early, handed_over;
};

static void *shared_take(struct raster_room *room, size_t bytes, struct fault *why)
{
    struct shared_room *shared = (struct shared_room *)room;

    shared->descriptor = worker_memory(bytes, &shared->mapped, why);
    shared->size = bytes;
    return shared->mapped;
}

static void send_answer(struct shared_room *shared, struct decode_answer *answer)
{
    struct worker_message message = { .data = (unsigned char *)answer, .length = sizeof *answer };

    answer->raster.samples = NULL;
    if (answer->stage != DECODE_FAILED && !shared->handed_over) {
        message.descriptors[0] = shared->descriptor;
        message.count = 1;
        shared->handed_over = true;
    }
    if (!worker_answer(&message))
        _exit(1);
}

static void shared_row_done(struct raster_room *room, const struct raster *raster, int32_t rows)
{
    static struct decode_answer answer;
    struct shared_room *shared = (struct shared_room *)room;

    if (!shared->early || rows % ROWS_AT_ONCE != 0 ||
        (int64_t)raster->width * raster->height < EARLY_SAMPLES)
        return;
    answer = (struct decode_answer){
        .stage = DECODE_ROWS, .rows = rows, .length = shared->size, .raster = *raster
    };
    answer.raster.least = answer.raster.greatest = 0; /* not known before the end */
    send_answer(shared, &answer);
}

static void answer_job(const struct decode_job *job, const void *data)
{
    static struct decode_answer answer;
    struct shared_room room = { .room = { shared_take, RASTER_SHARED, shared_row_done },
                                .descriptor = -1,
                                .early = job->options.early };

    decode_perform(job, data, &room.room, &answer);
    if (room.handed_over)
        worker_memory_unmap(room.mapped, room.size);
    else if (room.descriptor >= 0 &&
             !worker_memory_seal(room.descriptor, room.mapped, room.size, &answer.why))
        answer.stage = DECODE_FAILED;
    send_answer(&room, &answer);
    if (room.descriptor >= 0)
        close(room.descriptor);
}

/* The daemon's messages are not doubted, but memory that cannot be mapped is a failed job. */
static void perform(const struct worker_message *message)
{
    static struct decode_job job;
    struct fault why = { 0 };
    const void *data = NULL;

    if (message->length != sizeof job || message->count != 1)
        exit(1);
    memcpy(&job, message->data, sizeof job);
    if (job.length > 0 && !(data = worker_memory_map(message->descriptors[0], job.length, &why)))
        exit(1);
    answer_job(&job, data);
    worker_memory_unmap(data, job.length);
}

int main(void)
{
    struct worker_message message;

    decode_prepare();
    if (!worker_sandbox(WORKER_DECODES)) {
        fputs("landscaped-decode: the kernel refuses the sandbox\n", stderr);
        return 1;
    }
    if (!worker_hello("decoder"))
        return 1;
    while (worker_next(&message)) {
        perform(&message);
        worker_message_fini(&message);
    }
    _exit(0);
}
