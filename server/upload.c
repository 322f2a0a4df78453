#include "server/upload.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAPPED_LEAST = 1 << 18, PAGE = 4096 };

static int64_t all_most = INT64_MAX;
static _Atomic int64_t all_bytes;

void upload_setup(int64_t bytes_most)
{
    all_most = bytes_most;
}

int64_t upload_bytes(void)
{
    return atomic_load(&all_bytes);
}

/* What is promised to a body counts, whether it has come or not. */
static bool room_charge(size_t more, struct fault *why)
{
    if (atomic_fetch_add(&all_bytes, (int64_t)more) + (int64_t)more <= all_most)
        return true;
    atomic_fetch_sub(&all_bytes, (int64_t)more);
    return fault_set(why, FAULT_BUSY,
                     "Bodies of %" PRId64 " bytes are arriving already; try again later", all_most);
}

static void *room_map(struct upload *upload, size_t room)
{
    void *data;

    if (upload->mapped)
        return mremap(upload->data, upload->room, room, MREMAP_MAYMOVE);
    data = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED)
        return data;
    madvise(data, room, MADV_HUGEPAGE); /* fewer first touches; without it all works as well */
    if (upload->length)
        memcpy(data, upload->data, upload->length);
    free(upload->data);
    upload->mapped = true;
    return data;
}

static bool room_grow(struct upload *upload, size_t room, struct fault *why)
{
    bool map = room >= MAPPED_LEAST;
    void *data;

    if (map)
        room = (room + PAGE - 1) / PAGE * PAGE;
    if (!room_charge(room - upload->room, why))
        return false;
    data = map ? room_map(upload, room) : realloc(upload->data, room);
    if (!data || data == MAP_FAILED) {
        atomic_fetch_sub(&all_bytes, (int64_t)(room - upload->room));
        return fault_set(why, FAULT_MEMORY, "No memory for a body of %zu bytes", room);
    }
    upload->data = data;
    upload->room = room;
    return true;
}

bool upload_begin(struct upload *upload, uint64_t expected, int64_t most, struct fault *why)
{
    *upload = (struct upload){ .most = most };
    return !expected || room_grow(upload, (size_t)expected, why);
}

bool upload_add(struct upload *upload, const void *data, size_t length, struct fault *why)
{
    if ((int64_t)(upload->length + length) > upload->most)
        return fault_set(why, FAULT_LIMIT,
                         "The body has more than the %" PRId64 " bytes that are taken here",
                         upload->most);
    if (length > upload->room - upload->length) {
        size_t room = upload->room ? upload->room * 2 : 4096;
        while (room - upload->length < length)
            room *= 2;
        if (!room_grow(upload, room, why))
            return false;
    }
    memcpy(upload->data + upload->length, data, length);
    upload->length += length;
    return true;
}

void upload_fini(struct upload *upload)
{
    atomic_fetch_sub(&all_bytes, (int64_t)upload->room);
    if (upload->mapped)
        munmap(upload->data, upload->room);
    else
        free(upload->data);
    *upload = (struct upload){ 0 };
}
