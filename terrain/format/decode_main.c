/* landscaped-decode: turns hostile files into samples, without rights of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terrain/format/decode_job.h"
#include "terrain/worker/worker.h"

/* Samples go straight into the memory that is handed back. */
struct shared_room {
    struct raster_room room;
    int descriptor;
    void *mapped;
    size_t size;
};

static void *shared_take(struct raster_room *room, size_t bytes, struct fault *why)
{
    struct shared_room *shared = (struct shared_room *)room;

    shared->descriptor = worker_memory(bytes, &shared->mapped, why);
    shared->size = bytes;
    return shared->mapped;
}

static void answer_job(const struct decode_job *job, const void *data)
{
    static struct decode_answer answer;
    struct shared_room room = { .room = { shared_take, RASTER_SHARED }, .descriptor = -1 };
    struct worker_message message = { .data = (unsigned char *)&answer, .length = sizeof answer };

    decode_perform(job, data, &room.room, &answer);
    answer.raster.samples = NULL;
    if (room.descriptor >= 0 &&
        !worker_memory_seal(room.descriptor, room.mapped, room.size, &answer.why))
        answer.done = false;
    if (answer.done) {
        message.descriptors[0] = room.descriptor;
        message.count = 1;
    }
    worker_answer(&message);
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
