#include "render/exchange.h"

#include <string.h>
#include <unistd.h>

static void close_all(int *descriptors, int count)
{
    for (int i = 0; i < count; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
}

static bool send_draw(struct worker *worker, const struct scene *scene, int frame,
                      size_t frame_bytes, struct fault *why)
{
    struct wire_draw order = { .kind = WIRE_DRAW,
                               .scene_bytes = scene->wire.length,
                               .frame_bytes = frame_bytes };
    struct worker_message message = { .data = (unsigned char *)&order,
                                      .length = sizeof order,
                                      .descriptors = { -1, frame },
                                      .count = 2 };
    void *mapped;
    bool sent;

    message.descriptors[0] = worker_memory(scene->wire.length, &mapped, why);
    if (message.descriptors[0] < 0)
        return false;
    memcpy(mapped, scene->wire.data, scene->wire.length);
    sent = worker_memory_seal(message.descriptors[0], mapped, scene->wire.length, why) &&
           worker_send(worker, &message, why);
    close_all(message.descriptors, 1);
    return sent;
}

static size_t wanted_bytes(const struct scene *scene, const struct wire_want *want)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < want->count; i++)
        bytes += plane_bytes(scene_keys(scene)[want->places[i]].plane);
    return bytes;
}

static bool make_tiles(const struct plane_source *source, const struct scene *scene,
                       const struct wire_want *want, unsigned char *texels, struct fault *why)
{
    for (uint32_t i = 0; i < want->count; i++) {
        const struct tile_key *key = &scene_keys(scene)[want->places[i]];

        if (!plane_makers[key->plane]->make(source, key, texels, why))
            return false;
        texels += plane_bytes(key->plane);
    }
    return true;
}

static bool send_tiles(struct worker *worker, const struct plane_source *source,
                       const struct scene *scene, const struct wire_want *want, struct fault *why)
{
    struct wire_tiles tiles = { .kind = WIRE_TILES, .count = want->count };
    struct worker_message message = { .data = (unsigned char *)&tiles,
                                      .length = sizeof tiles,
                                      .count = 1 };
    size_t bytes = wanted_bytes(scene, want);
    void *mapped;
    bool sent;

    message.descriptors[0] = worker_memory(bytes, &mapped, why);
    if (message.descriptors[0] < 0)
        return false;
    sent = make_tiles(source, scene, want, mapped, why);
    sent = worker_memory_seal(message.descriptors[0], mapped, bytes, why) && sent &&
           worker_send(worker, &message, why);
    close_all(message.descriptors, 1);
    return sent;
}

static bool nonsense(struct fault *why)
{
    return fault_set(why, FAULT_WORKER, "The render worker's answer makes no sense");
}

static bool read_want(const struct worker_message *message, const struct scene *scene,
                      struct wire_want *want, struct fault *why)
{
    if (message->length != sizeof *want)
        return nonsense(why);
    memcpy(want, message->data, sizeof *want);
    if (want->count < 1 || want->count > WIRE_TILES_MOST)
        return nonsense(why);
    for (uint32_t i = 0; i < want->count; i++)
        if (want->places[i] >= scene_head(scene)->tile_count)
            return nonsense(why);
    return true;
}

static bool read_done(const struct worker_message *message, struct wire_done *done,
                      struct fault *why)
{
    if (message->length != sizeof *done)
        return nonsense(why);
    memcpy(done, message->data, sizeof *done);
    return true;
}

static bool read_failed(const struct worker_message *message, struct fault *why)
{
    struct wire_failed failed;

    if (message->length != sizeof failed)
        return nonsense(why);
    memcpy(&failed, message->data, sizeof failed);
    failed.detail[sizeof failed.detail - 1] = 0;
    if (failed.code != FAULT_MEMORY && failed.code != FAULT_LIMIT)
        failed.code = FAULT_WORKER;
    return fault_set(why, (enum fault_code)failed.code, "%s", failed.detail);
}

/* Tiles may be wanted again and again, until the deadline. */
static bool converse(struct worker *worker, const struct plane_source *source,
                     const struct scene *scene, bool *sound, struct wire_done *told,
                     struct fault *why)
{
    for (;;) {
        struct worker_message message = { 0 };
        struct wire_want want;
        uint32_t kind = UINT32_MAX;

        *sound = false;
        if (!worker_receive(worker, &message, why))
            return false;
        if (message.length >= sizeof kind)
            memcpy(&kind, message.data, sizeof kind);
        if (kind == WIRE_WANT) {
            *sound = read_want(&message, scene, &want, why) &&
                     send_tiles(worker, source, scene, &want, why);
        } else {
            bool done = kind == WIRE_DONE && read_done(&message, told, why);

            *sound = done || kind == WIRE_FAILED;
            if (kind == WIRE_FAILED)
                read_failed(&message, why);
            else if (!done)
                nonsense(why);
            worker_message_fini(&message);
            return done;
        }
        worker_message_fini(&message);
        if (!*sound)
            return false;
    }
}

bool exchange(struct worker *worker, const struct plane_source *source, const struct scene *scene,
              int frame, size_t frame_bytes, bool *sound, struct wire_done *told, struct fault *why)
{
    *sound = true;
    return send_draw(worker, scene, frame, frame_bytes, why) &&
           converse(worker, source, scene, sound, told, why);
}
