#include "render/legend.h"

#include <stdio.h>

#include "render/mode_scale.h"

/* What the numbers of a mode are, with their unit. */
static const char *const titles[] = {
    [MODE_NO_VALUES] = "",
    [MODE_HEIGHT] = "Height, m",
    [MODE_SLOPE] = "Slope, \u00b0",
    [MODE_ASPECT] = "Down, \u00b0",
    [MODE_CURVATURE] = "Curvature, 1/m",
    [MODE_WEIGHT] = "Weight",
    [MODE_RISE] = "Change, m",
    [MODE_ERROR] = "Error, m",
};

bool legend_of(const struct view *view, const struct picture *picture, struct legend *legend,
               struct fault *why)
{
    const struct render_mode *mode = render_modes[picture->mode];
    const struct stack *stack = view->settings->stack;
    struct mode_scale scale;

    *legend = (struct legend){ 0 };
    if (!mode_scale(view, picture, NULL, &scale, why))
        return false;
    if (mode->legend) {
        mode->legend(view, picture, legend);
        return true;
    }
    legend->ramp = scale.ramp;
    legend->span = scale.span;
    snprintf(legend->title, sizeof legend->title, "%s", titles[mode->values]);
    if (mode->values == MODE_WEIGHT)
        snprintf(legend->title, sizeof legend->title, "%s",
                 stack->paints[picture->show.layer].name);
    return true;
}
