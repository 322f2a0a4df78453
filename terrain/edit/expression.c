/* Expression: heights, or a paint layer's weights, by a formula. */
#include "terrain/edit/painter.h"

#include <math.h>
#include <stddef.h>

#include "terrain/edit/formula.h"
#include "terrain/edit/relief.h"

struct expression {
    struct where where;
    const char *expression, *layer;
};

static const struct field rows[] = {
    FIELD(
        struct expression, expression, "characters", 1, FORMULA_TEXT_MOST,
        "The new height (m), or the weight of layer (0 to 255), of + - * / % ^, comparisons, && || "
        "! ?:, x y (m) c r (vertices) h (m) slope aspect (degrees) curvature w(\"layer\") pi e, "
        "and "
        "abs sign floor ceil round sqrt exp log sin cos min max clamp lerp step smoothstep noise. "
        "Where it is not finite nothing changes",
        .required = true),
    FIELD_AS(FIELD_NAME, struct expression, layer,
             "The paint layer whose weight it becomes, instead of the height"),
    { .kind = FIELD_END }
};

/* What the formula reads, kept as it was before the dab. */
struct reading {
    struct formula *formula;
    struct grid grid;
    struct tree surface, weights[FORMULA_LAYERS_MOST];
    int paints[FORMULA_LAYERS_MOST]; /* positions in the stack */
    bool kept;
};

struct expressor {
    struct painter painter; /* of a layer; its tool is that of heights, too */
    struct reading reading;
};

static bool reads_ground(const struct formula *formula)
{
    return formula_reads(formula, FORMULA_h) || formula_reads(formula, FORMULA_slope) ||
           formula_reads(formula, FORMULA_aspect) || formula_reads(formula, FORMULA_curvature);
}

static void let_go(struct reading *reading)
{
    if (!reading->kept)
        return;
    tree_drop(&reading->surface);
    for (int i = 0; i < formula_layers(reading->formula); i++)
        tree_drop(&reading->weights[i]);
    reading->kept = false;
}

/* What has not been kept is an empty tree. */
static bool keep(struct reading *reading, struct draft *draft, struct rect box, struct fault *why)
{
    struct rect around = { box.x - 1, box.y - 1, box.width + 2, box.height + 2 };
    const struct tree *tree;

    let_go(reading);
    reading->surface = (struct tree){ 0 };
    for (int i = 0; i < FORMULA_LAYERS_MOST; i++)
        reading->weights[i] = (struct tree){ 0 };
    reading->kept = true;
    if (reads_ground(reading->formula)) {
        tree = draft_surface(draft, rect_meet(around, view_rect(draft_view(draft))), why);
        if (!tree)
            return false;
        reading->surface = tree_hold(tree);
    }
    for (int i = 0; i < formula_layers(reading->formula); i++) {
        tree = draft_weights(draft, reading->paints[i], box, why);
        if (!tree)
            return false;
        reading->weights[i] = tree_hold(tree);
    }
    return true;
}

static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct reading *reading = &((struct expressor *)tool)->reading;
    int64_t steps = formula_steps(reading->formula);

    return draft_spend(draft, rect_area(box) * steps / 4, why) && keep(reading, draft, box, why);
}

/* Room for a row of everything that can be read. */
struct row_room {
    double variables[FORMULA_VARIABLES][BLOCK_SIDE];
    uint8_t weights[FORMULA_LAYERS_MOST][BLOCK_SIDE];
};

static void read_places(const struct grid *grid, int32_t x, int32_t y, int32_t count,
                        struct row_room *room)
{
    for (int32_t i = 0; i < count; i++) {
        const double at[2] = { x + i, y };
        double local[2];

        grid_to_local(grid, at, local);
        room->variables[FORMULA_x][i] = local[0];
        room->variables[FORMULA_y][i] = local[1];
        room->variables[FORMULA_c][i] = at[0];
        room->variables[FORMULA_r][i] = at[1];
    }
}

static void read_ground(const struct reading *reading, int32_t x, int32_t y, int32_t count,
                        struct row_room *room)
{
    const struct formula *formula = reading->formula;
    uint16_t heights[BLOCK_SIDE];

    if (formula_reads(formula, FORMULA_h)) {
        tree_read(&reading->surface, (struct rect){ x, y, count, 1 }, heights, count);
        for (int32_t i = 0; i < count; i++)
            room->variables[FORMULA_h][i] = grid_metres(&reading->grid, heights[i]);
    }
    if (formula_reads(formula, FORMULA_slope))
        relief_slopes(&reading->surface, &reading->grid, 1, x, y, count,
                      room->variables[FORMULA_slope]);
    if (formula_reads(formula, FORMULA_aspect))
        relief_aspects(&reading->surface, &reading->grid, 1, x, y, count,
                       room->variables[FORMULA_aspect]);
    if (formula_reads(formula, FORMULA_curvature))
        relief_curvatures(&reading->surface, &reading->grid, 1, x, y, count,
                          room->variables[FORMULA_curvature]);
}

static void work_out(const struct reading *reading, int32_t x, int32_t y, int32_t count,
                     double *values)
{
    struct formula_rows rows;
    struct row_room room;

    read_places(&reading->grid, x, y, count, &room);
    read_ground(reading, x, y, count, &room);
    for (int i = 0; i < FORMULA_VARIABLES; i++)
        rows.variables[i] = room.variables[i];
    for (int i = 0; i < FORMULA_LAYERS_MOST; i++)
        rows.weights[i] = room.weights[i];
    for (int i = 0; i < formula_layers(reading->formula); i++)
        tree_read(&reading->weights[i], (struct rect){ x, y, count, 1 }, room.weights[i], count);
    formula_row(reading->formula, &rows, count, values);
}

static void height_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                       uint16_t *heights)
{
    const struct reading *reading = &((struct expressor *)tool)->reading;
    double values[BLOCK_SIDE];

    work_out(reading, x, y, count, values);
    for (int32_t i = 0; i < count; i++) {
        double to = grid_code(&reading->grid, values[i]);

        if (force[i] > 0 && isfinite(to))
            heights[i] = dab_round(heights[i] + (to - heights[i]) * force[i]);
    }
}

static void ask_weights(struct painter *painter, int32_t x, int32_t y, int32_t count,
                        const double *force, const uint8_t *own, uint8_t *asked)
{
    double values[BLOCK_SIDE];

    work_out(&((struct expressor *)painter)->reading, x, y, count, values);
    for (int32_t i = 0; i < count; i++)
        asked[i] =
            isfinite(values[i]) ? painter_round(own[i] + (values[i] - own[i]) * force[i]) : own[i];
}

static bool find_layers(struct reading *reading, const struct draft *draft, struct fault *why)
{
    const struct stack *stack = draft_view(draft)->settings->stack;

    for (int i = 0; i < formula_layers(reading->formula); i++)
        if (!stack_find_paint(stack, formula_layer(reading->formula, i), &reading->paints[i], why))
            return fault_at(why, "/expression");
    return true;
}

static bool run(struct expressor *expressor, struct draft *draft, const struct expression *takes,
                struct fault *why)
{
    if (!find_layers(&expressor->reading, draft, why) ||
        (takes->layer && !painter_init(&expressor->painter, draft, takes->layer, why)))
        return false;
    return where_apply(draft, &takes->where, &expressor->painter.tool, why);
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct expression *expression = takes;
    struct expressor expressor = { .painter = { .tool = { .begin = begin, .row = height_row },
                                                .ask = ask_weights },
                                   .reading.grid = *view_grid(draft_view(draft)) };
    bool applied;

    if (!where_check(&expression->where, draft_view(draft), why))
        return false;
    expressor.reading.formula = formula_new(expression->expression, why);
    if (!expressor.reading.formula)
        return fault_at(why, "/expression");
    applied = run(&expressor, draft, expression, why);
    let_go(&expressor.reading);
    formula_free(expressor.reading.formula);
    return applied;
}

BRUSH_SHAPE(expression, struct expression, rows, -1);

const struct brush brush_expression = {
    .name = "expression",
    .summary = "Works heights or weights out by a formula",
    .example = "{\"tool\":\"expression\",\"region\":{\"x\":0,\"y\":0,\"width\":64,\"height\":64},"
               "\"expression\":\"h + 4 * sin(x / 5) * smoothstep(2, 30, slope)\"}",
    .takes = &brush_expression_takes,
    .apply = apply,
};
