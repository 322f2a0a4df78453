/* What an edit costs from outside, to the disk and back: with one edit layer and with many, on a
 * small landscape and on a large one. The four take turns, so that a busy machine tells on all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/client.h"

enum { ROUNDS = 150, LAYERS = 32, RADIUS = 64, SMALL = 16, LARGE = 128, QUADS = 63, BAND = 256 };

struct ground {
    const char *name, *layer;
    int components, layers;
    double times[ROUNDS];
};

static void post(struct connection *connection, const char *path, const char *body)
{
    demand(connection, "POST", path, "application/json", body, strlen(body));
}

/* Rough everywhere, so that no block is all one value. */
static void make(struct connection *connection, const struct ground *ground)
{
    int side = ground->components * QUADS + 1;
    char path[128], body[512];

    snprintf(path, sizeof path, "/v1/landscapes/%s", ground->name);
    snprintf(body, sizeof body, "{\"layout\":{\"components\":[%d,%d],\"section_quads\":%d}}",
             ground->components, ground->components, QUADS);
    demand(connection, "PUT", path, "application/json", body, strlen(body));
    snprintf(path, sizeof path, "/v1/landscapes/%s/edits", ground->name);
    for (int y = 0; y < side; y += BAND) {
        snprintf(body, sizeof body,
                 "{\"ops\":[{\"tool\":\"noise\",\"amplitude\":40,\"cell\":37,\"seed\":5,"
                 "\"region\":{\"x\":0,\"y\":%d,\"width\":%d,\"height\":%d}}]}",
                 y, side, side - y < BAND ? side - y : BAND);
        post(connection, path, body);
    }
}

static void raise(struct connection *connection, const struct ground *ground, const char *layer,
                  unsigned number)
{
    unsigned room = (unsigned)(ground->components * QUADS - 2 * RADIUS - 1);
    char path[128], body[512];

    snprintf(path, sizeof path, "/v1/landscapes/%s/edits", ground->name);
    snprintf(body, sizeof body,
             "{\"edit_layer\":\"%s\",\"ops\":[{\"tool\":\"raise\",\"path\":[[%u.25,%u.75]],"
             "\"radius\":%d,\"amount\":%s3}]}",
             layer, RADIUS + number * 2654435761u % room, RADIUS + number * 40503u % room, RADIUS,
             number % 2 ? "-" : "");
    post(connection, path, body);
}

/* Layers above base, each with a hill somewhere. */
static void add_layers(struct connection *connection, const struct ground *ground)
{
    char path[128], body[128], name[32];

    snprintf(path, sizeof path, "/v1/landscapes/%s/edit-layers", ground->name);
    for (int i = 1; i < ground->layers; i++) {
        snprintf(name, sizeof name, "layer-%d", i);
        snprintf(body, sizeof body, "{\"name\":\"%s\"}", name);
        post(connection, path, body);
        raise(connection, ground, name, (unsigned)i);
    }
}

static void take_turns(struct connection *connection, struct ground *grounds, size_t count)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++) {
            double began = seconds();

            raise(connection, &grounds[i], grounds[i].layer, 1000 + round);
            grounds[i].times[round] = seconds() - began;
        }
    }
}

int main(void)
{
    struct ground grounds[] = {
        { .name = "small", .layer = "base", .components = SMALL },
        { .name = "large", .layer = "base", .components = LARGE },
        { .name = "many", .layer = "base", .components = SMALL, .layers = LAYERS },
        { .name = "many", .layer = "layer-31", .components = SMALL, .layers = LAYERS }
    };
    char folder[] = "/tmp/bench_layers_XXXXXX", command[64];
    struct connection connection;
    struct target daemon;
    double one;

    if (!mkdtemp(folder))
        return 1;
    daemon = target_daemon(folder);
    connection_open(&connection, &daemon);
    for (int i = 0; i < 3; i++) {
        make(&connection, &grounds[i]);
        add_layers(&connection, &grounds[i]);
    }
    take_turns(&connection, grounds, sizeof grounds / sizeof *grounds);
    one = median(grounds[0].times, ROUNDS);
    printf("durable raise R=%d: %.0f us on %d^2; on %d^2 %.2f x that; of %d edit layers the lowest "
           "%.2f x, the highest %.2f x\n",
           RADIUS, one * 1e6, SMALL * QUADS + 1, LARGE * QUADS + 1,
           median(grounds[1].times, ROUNDS) / one, LAYERS, median(grounds[2].times, ROUNDS) / one,
           median(grounds[3].times, ROUNDS) / one);
    connection_close(&connection);
    target_end(&daemon);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? 0 : 1;
}
