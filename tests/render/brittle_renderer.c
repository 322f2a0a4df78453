/* A renderer that answers every picture with nothing drawn, and dies of those 64 pixels high. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "render/wire.h"
#include "terrain/worker/worker.h"

static void perform(const struct worker_message *message)
{
    struct wire_done done = { .kind = WIRE_DONE };
    struct worker_message answer = { .data = (unsigned char *)&done, .length = sizeof done };
    struct fault why = { 0 };
    const struct wire_scene *scene;
    struct wire_draw order;

    memcpy(&order, message->data, sizeof order);
    scene = worker_memory_map(message->descriptors[0], order.scene_bytes, &why);
    if (!scene)
        exit(1);
    if (scene->height == 64) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    worker_memory_unmap(scene, order.scene_bytes);
    worker_answer(&answer);
}

int main(void)
{
    struct worker_message message;

    worker_hello("brittle\tapi\tvendor\trenderer\t");
    while (worker_next(&message)) {
        perform(&message);
        worker_message_fini(&message);
    }
    return 0;
}
