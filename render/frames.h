/* Room for pictures that the daemon shares with its render workers, kept from one to the next: to
 * have so many fresh pages cleared and faulted in, twice, costs a small picture a good part of what
 * drawing it costs on a GPU. For any number of threads. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct frames;
struct worker;

/* A descriptor of memory, of at least as many bytes as wanted, and where it is mapped. */
struct frame {
    const struct worker *place; /* whose it is, and */
    uint64_t worker;            /* which of those that were there one after another */
    int descriptor;
    unsigned char *mapped;
    size_t bytes;
};

struct frames *frames_new(void); /* NULL: no memory */
void frames_free(struct frames *frames);

bool frames_take(struct frames *frames, const struct worker *worker, size_t bytes,
                 struct frame *frame, struct fault *why);

/* Gives it back, to be kept; those that were not taken for longest give way. */
void frames_give(struct frames *frames, const struct frame *frame);

/* Gives it back when its worker has failed, with all that was kept for that one. */
void frames_drop(struct frames *frames, const struct frame *frame);
