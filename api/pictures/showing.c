#include "api/pictures/showing.h"

#include <stdio.h>

#include "terrain/landscape.h"

/* The modes that look at an option, as a list. */
static void list_modes(unsigned hears, char *text, size_t room)
{
    size_t length = 0;

    *text = 0;
    for (int i = 0; i < RENDER_MODES && length < room; i++) {
        const struct render_mode *mode = render_modes[i];

        if (hears ? mode->hears & hears : mode->values != MODE_NO_VALUES)
            length += (size_t)snprintf(text + length, room - length, "%s%s", length ? ", " : "",
                                       mode->name);
    }
}

static bool place(struct request *rq, const char *member)
{
    /* a job's view is a body as well */
    return fault_at(&rq->fault, "%s%s", rq->body || !rq->endpoint ? "/" : "", member);
}

/* An option that was given, and the bit of the modes that look at it; 0: those with values. */
static bool check(struct request *rq, const struct render_mode *mode, bool given, unsigned hears,
                  const char *member)
{
    char modes[160];

    if (!given || (hears ? mode->hears & hears : mode->values != MODE_NO_VALUES))
        return true;
    list_modes(hears, modes, sizeof modes);
    REFUSE(rq, FAULT_INPUT, "The mode %s has no %s; it is of %s", mode->name, member, modes);
    return place(rq, member);
}

static bool check_all(struct request *rq, const struct drawing *drawing)
{
    const struct render_mode *mode = render_modes[drawing->mode];

    return check(rq, mode, drawing->ramp != 0, 0, "ramp") &&
           check(rq, mode, drawing->range[0] != drawing->range[1], 0, "range") &&
           check(rq, mode, drawing->interval > 0, MODE_HEARS_INTERVAL, "interval") &&
           check(rq, mode, drawing->layer != NULL, MODE_HEARS_LAYER, "layer") &&
           check(rq, mode, drawing->against > 0, MODE_HEARS_AGAINST, "against") &&
           check(rq, mode, drawing->mip >= 0, MODE_HEARS_MIP, "mip") &&
           check(rq, mode, drawing->multidirectional, MODE_HEARS_MANY, "multidirectional");
}

static bool check_needed(struct request *rq, const struct drawing *drawing)
{
    const struct render_mode *mode = render_modes[drawing->mode];

    if (mode->hears & MODE_HEARS_LAYER && !drawing->layer) {
        REFUSE(rq, FAULT_INPUT, "The mode %s shows one paint layer: which one?", mode->name);
        return place(rq, "layer");
    }
    if (mode->hears & MODE_HEARS_AGAINST && !drawing->against) {
        REFUSE(rq, FAULT_INPUT, "The mode %s compares with another version: which one?",
               mode->name);
        return place(rq, "against");
    }
    if (drawing->range[0] > drawing->range[1]) {
        REFUSE(rq, FAULT_INPUT, "A range runs up, and %g is more than %g", drawing->range[0],
               drawing->range[1]);
        return place(rq, "range");
    }
    return true;
}

bool showing_take(struct request *rq, const struct view *view, const struct drawing *drawing,
                  struct picture *picture)
{
    struct picture_mode *show = &picture->show;

    *show = (struct picture_mode){ .ramp = drawing->ramp,
                                   .range = { drawing->range[0], drawing->range[1] },
                                   .interval = drawing->interval,
                                   .layer = -1,
                                   .mip = drawing->mip,
                                   .many = drawing->multidirectional,
                                   .against = (uint64_t)drawing->against };
    if (!check_all(rq, drawing) || !check_needed(rq, drawing))
        return false;
    return !drawing->layer ||
           stack_find_paint(view->settings->stack, drawing->layer, &show->layer, &rq->fault) ||
           place(rq, "layer");
}

bool showing_open(struct request *rq, struct picture *picture, struct view **before)
{
    *before = NULL;
    if (!picture->show.against || picture->show.before)
        return true;
    *before = landscape_view_at(rq->landscape, picture->show.against, &rq->fault);
    picture->show.before = *before;
    return *before || place(rq, "against");
}
