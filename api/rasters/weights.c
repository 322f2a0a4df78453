#include "api/rasters/weights.h"

#include <string.h>

#include "api/changed.h"
#include "terrain/edit/paint_write.h"
#include "terrain/query/cover.h"

bool weights_find(const struct stack *stack, const struct list *names, const char *parameter,
                  struct weights_layers *layers, struct fault *why)
{
    const char *const *name = names->items;

    for (size_t i = 0; i < names->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(name[i], name[k]) != 0)
                continue;
            fault_set(why, FAULT_INPUT, "the paint layer %.64s is named twice", name[i]);
            return fault_at(why, "%s", parameter);
        }
        if (!stack_find_paint(stack, name[i], &layers->paints[i], why))
            return fault_at(why, "%s", parameter);
    }
    layers->count = (int)names->count;
    return true;
}

struct answering {
    const struct view *view;
    const struct weights_layers *layers;
};

static void read_rows(void *context, int plane, struct rect rows, uint8_t *samples)
{
    const struct answering *answering = context;

    cover_read(answering->view, answering->layers->paints[plane], rows, samples, rows.width);
}

bool weights_answer(struct request *rq, enum eight_bit_form form,
                    const struct weights_layers *layers, struct rect window)
{
    struct answering answering = { rq->view, layers };

    return eight_bit_write(rq, form, window, layers->count, read_rows, &answering);
}

bool weights_write(void *context, struct draft *draft, struct fault *why)
{
    const struct weights_writing *writing = context;
    struct weights_layers layers;
    struct paint_planes planes = { layers.paints, 0, writing->to, writing->raster.samples };

    if (!changed_layer(draft, writing->edit_layer, "edit_layer", why))
        return false;
    if (!weights_find(draft_view(draft)->settings->stack, &writing->names, writing->parameter,
                      &layers, why))
        return false;
    planes.count = layers.count;
    return (!writing->strict || paint_check(draft, &planes, why)) &&
           paint_write(draft, &planes, why);
}
