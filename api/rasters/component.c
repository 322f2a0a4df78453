#include "api/rasters/component.h"

static const struct field rows[] = {
    FIELD(struct component_asked, cx, NULL, 0, LAYOUT_SIDE_MOST, "The component, from the west",
          .required = true, .in_path = true),
    FIELD(struct component_asked, cy, NULL, 0, LAYOUT_SIDE_MOST, "The component, from the north",
          .required = true, .in_path = true),
    { .kind = FIELD_END }
};

const struct shape component_asked_shape = {
    .name = "component", .size = sizeof(struct component_asked), .fields = rows, .given = -1
};

bool component_there(struct request *rq, const struct component_asked *asked)
{
    const int32_t *components = rq->view->settings->layout.components;

    if (asked->cx < components[0] && asked->cy < components[1])
        return true;
    return REFUSE(rq, FAULT_MISSING, "there is no component (%d, %d); the last is (%d, %d)",
                  asked->cx, asked->cy, components[0] - 1, components[1] - 1);
}
