/* difference_apply on any bytes: what it takes can be undone without a trace. */
#include <stdint.h>
#include <stdlib.h>

#include "terrain/edit/draft.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 150 x 134 vertices: four blocks, three of them cut; a second edit layer and two paint layers. */
static void add_layers(struct settings *settings)
{
    struct stack *stack = stack_copy(settings->stack);
    struct fault why;

    stack_add_edit(stack, "above", &why);
    stack_add_paint(stack, "grass", &why);
    stack_add_paint(stack, "rock", &why);
    stack_drop(settings->stack);
    settings->stack = stack;
}

static struct view *ground(void)
{
    const struct layout layout = { { 1, 1 }, 1, 7 };
    struct settings *settings = settings_new(&layout);
    uint16_t row[150];
    struct fault why;
    struct change change;
    struct view *flat, *view;
    struct draft *draft;

    settings->grid.columns = 150;
    settings->grid.rows = 134;
    add_layers(settings);
    flat = view_new(&settings, 1, 1, 500);
    draft = draft_new(flat, &why);
    for (int32_t y = 0; y < 130; y++) {
        for (int32_t x = 0; x < 150; x++)
            row[x] = (uint16_t)(x * 7 + y);
        draft_write_heights(draft, (struct rect){ 0, y, 150, 1 }, row, 150, &why);
    }
    view = draft_finish(draft, &change, &why);
    draft_free(draft);
    view_drop(flat);
    return view;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct view *base;
    struct fault why = { 0 };
    struct draft *draft;
    struct view *same;
    struct change change;
    bool undo = size > 0 && data[size - 1] & 1;

    if (!base)
        base = ground();
    draft = draft_new(base, &why);
    if (!difference_apply(draft, data, size, undo, &why)) {
        if (why.code != FAULT_STORAGE)
            abort();
        draft_free(draft);
        return 0;
    }
    if (!difference_apply(draft, data, size, !undo, &why))
        abort();
    same = draft_finish(draft, &change, &why);
    if (same != base || change.vertices != 0)
        abort();
    view_drop(same);
    draft_free(draft);
    return 0;
}
