/* What the endpoints of weights as rasters share. Any thread. */
#ifndef API_RASTERS_WEIGHTS_H
#define API_RASTERS_WEIGHTS_H

#include "api/rasters/eight_bit.h"
#include "terrain/core/stack.h"

/* Positions of paint layers in a stack. */
struct weights_layers {
    int count;
    int paints[PAINT_LAYERS_MOST];
};

/* Those of these names (const char *), in their order. Fails with MISSING and the nearest name,
 * with INPUT for one twice, placed at `parameter`. */
bool weights_find(const struct stack *stack, const struct list *names, const char *parameter,
                  struct weights_layers *layers, struct fault *why);

/* Fills rq->bytes with the layers' planes. Fails as eight_bit_write does. */
bool weights_answer(struct request *rq, enum eight_bit_form form,
                    const struct weights_layers *layers, struct rect window);

/* A change of weights on its way: the layers named, what came, and where it goes. */
struct weights_writing {
    struct list names;
    const char *parameter; /* that names them, for faults; "" is the path */
    const char *edit_layer;
    struct eight_bit raster;
    struct rect to;
    bool strict;
};
bool weights_write(void *context, struct draft *draft, struct fault *why);

#endif
