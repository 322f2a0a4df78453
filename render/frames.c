#include "render/frames.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "terrain/worker/worker.h"

/* What is kept while nobody draws: room of 16 pictures of 1080p, of a few of them if larger. */
enum { KEPT_MOST = 16, STEP = 1 << 16 }; /* sizes are whole steps, so that most small ones fit */
static const size_t kept_bytes_most = (size_t)128 << 20;

struct frames {
    pthread_mutex_t lock;
    struct frame kept[KEPT_MOST];
    int count;
    size_t bytes;
};

struct frames *frames_new(void)
{
    struct frames *frames = calloc(1, sizeof *frames);

    if (frames)
        pthread_mutex_init(&frames->lock, NULL);
    return frames;
}

static void close_frame(const struct frame *frame)
{
    munmap(frame->mapped, frame->bytes);
    close(frame->descriptor);
}

void frames_free(struct frames *frames)
{
    if (!frames)
        return;
    for (int i = 0; i < frames->count; i++)
        close_frame(&frames->kept[i]);
    pthread_mutex_destroy(&frames->lock);
    free(frames);
}

static void take_out(struct frames *frames, int place, struct frame *frame)
{
    *frame = frames->kept[place];
    frames->bytes -= frame->bytes;
    frames->count--;
    memmove(frames->kept + place, frames->kept + place + 1,
            (size_t)(frames->count - place) * sizeof *frames->kept);
}

/* What was kept for the one that was in this one's place before is of no use. */
static void drop_others(struct frames *frames, const struct frame *wanted)
{
    struct frame old;

    for (int i = frames->count - 1; i >= 0; i--)
        if (frames->kept[i].place == wanted->place && frames->kept[i].worker != wanted->worker) {
            take_out(frames, i, &old);
            close_frame(&old);
        }
}

/* The smallest that is large enough, though not one for pictures of quite another size. */
static bool find_kept(struct frames *frames, struct frame *wanted)
{
    int best = -1;

    for (int i = 0; i < frames->count; i++) {
        const struct frame *kept = &frames->kept[i];

        if (kept->place == wanted->place && kept->bytes >= wanted->bytes &&
            kept->bytes / 4 <= wanted->bytes &&
            (best < 0 || kept->bytes < frames->kept[best].bytes))
            best = i;
    }
    if (best >= 0)
        take_out(frames, best, wanted);
    return best >= 0;
}

bool frames_take(struct frames *frames, const struct worker *worker, size_t bytes,
                 struct frame *frame, struct fault *why)
{
    void *mapped;
    bool found;

    bytes = (bytes + STEP - 1) / STEP * STEP;
    *frame = (struct frame){ worker, worker_serial(worker), -1, NULL, bytes };
    pthread_mutex_lock(&frames->lock);
    drop_others(frames, frame);
    found = find_kept(frames, frame);
    pthread_mutex_unlock(&frames->lock);
    if (found)
        return true;
    frame->descriptor = worker_memory(bytes, &mapped, why);
    if (frame->descriptor >= 0)
        frame->mapped = mapped;
    return frame->mapped != NULL;
}

void frames_give(struct frames *frames, const struct frame *frame)
{
    struct frame old;

    if (frame->bytes > kept_bytes_most) {
        close_frame(frame);
        return;
    }
    pthread_mutex_lock(&frames->lock);
    while (frames->count == KEPT_MOST || frames->bytes + frame->bytes > kept_bytes_most) {
        take_out(frames, 0, &old);
        close_frame(&old);
    }
    frames->kept[frames->count++] = *frame;
    frames->bytes += frame->bytes;
    pthread_mutex_unlock(&frames->lock);
}

void frames_drop(struct frames *frames, const struct frame *frame)
{
    struct frame old;

    pthread_mutex_lock(&frames->lock);
    for (int i = frames->count - 1; i >= 0; i--)
        if (frames->kept[i].worker == frame->worker) {
            take_out(frames, i, &old);
            close_frame(&old);
        }
    pthread_mutex_unlock(&frames->lock);
    close_frame(frame);
}
