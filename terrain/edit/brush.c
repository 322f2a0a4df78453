#include "terrain/edit/brush.h"

#define BRUSH(name) extern const struct brush brush_##name;
#include "terrain/edit/brushes.def"
#undef BRUSH

const struct brush *const brushes[] = {
#define BRUSH(name) &brush_##name,
#include "terrain/edit/brushes.def"
#undef BRUSH
};

static const char *const words[] = {
#define BRUSH(name) #name,
#include "terrain/edit/brushes.def"
#undef BRUSH
    NULL
};

#define BRUSH(name) extern const struct shape brush_##name##_takes;
#include "terrain/edit/brushes.def"
#undef BRUSH

static const struct shape *const shapes[] = {
#define BRUSH(name) &brush_##name##_takes,
#include "terrain/edit/brushes.def"
#undef BRUSH
};

const int brush_count = sizeof brushes / sizeof *brushes;

const struct variant_set brush_variants = {
    .tag = "tool", .words = words, .shapes = shapes, .count = sizeof shapes / sizeof *shapes
};

bool brush_apply_all(struct draft *draft, const struct variant *ops, size_t count,
                     struct fault *why)
{
    for (size_t i = 0; i < count; i++) {
        if (!brushes[ops[i].chosen]->apply(draft, ops[i].members, why))
            return fault_within(why, "/%zu", i);
    }
    return true;
}
