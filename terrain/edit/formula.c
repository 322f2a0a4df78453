/* Formulas at work: each step goes over a row. */
#include "terrain/edit/formula_inside.h"

#include <math.h>
#include <string.h>

#include "terrain/base/angle.h"
#include "terrain/base/power.h"
#include "terrain/base/wide.h"
#include "terrain/edit/lattice.h"

enum { PIECE = 32 }; /* vertices at a time, so that the stack of rows is small */
typedef double row[PIECE];

int step_operands(enum step_code code)
{
    switch (code) {
    case STEP_NUMBER:
    case STEP_VARIABLE:
    case STEP_WEIGHT:
        return 0;
    case STEP_NEGATE:
    case STEP_NOT:
    case STEP_abs:
    case STEP_sign:
    case STEP_floor:
    case STEP_ceil:
    case STEP_round:
    case STEP_sqrt:
    case STEP_exp:
    case STEP_log:
    case STEP_sin:
    case STEP_cos:
        return 1;
    case STEP_CHOOSE:
    case STEP_clamp:
    case STEP_lerp:
    case STEP_smoothstep:
    case STEP_noise:
        return 3;
    default:
        return 2;
    }
}

bool formula_reads(const struct formula *formula, enum formula_variable variable)
{
    return formula->variables >> variable & 1;
}

int32_t formula_steps(const struct formula *formula)
{
    return formula->count;
}

int formula_layers(const struct formula *formula)
{
    return formula->layers;
}

const char *formula_layer(const struct formula *formula, int i)
{
    return formula->layer_names[i];
}

/* The rows of results: a, and the operands b and c after it. */

#define EACH(result)                                                                               \
    for (int32_t i = 0; i < count; i++)                                                            \
        a[i] = (result);                                                                           \
    break

static void leaf_step(const struct step *step, const struct formula_rows *rows, int32_t from,
                      int32_t count, double *a)
{
    switch (step->code) {
    case STEP_NUMBER:
        EACH(step->number);
    case STEP_VARIABLE:
        EACH(rows->variables[step->index][from + i]);
    default:
        EACH(rows->weights[step->index][from + i]);
    }
}

static double signed_one(double v)
{
    return v > 0 ? 1 : v < 0 ? -1 : v; /* NaN stays */
}

static void single_step(enum step_code code, int32_t count, double *a)
{
    switch (code) {
    case STEP_NEGATE:
        EACH(-a[i]);
    case STEP_NOT:
        EACH(a[i] == 0);
    case STEP_abs:
        EACH(fabs(a[i]));
    case STEP_sign:
        EACH(signed_one(a[i]));
    case STEP_floor:
        EACH(floor(a[i]));
    case STEP_ceil:
        EACH(ceil(a[i]));
    case STEP_round:
        EACH(floor(a[i] + 0.5));
    case STEP_sqrt:
        EACH(sqrt(a[i]));
    case STEP_exp:
        EACH(power_exp(a[i]));
    case STEP_log:
        EACH(power_log(a[i]));
    case STEP_sin:
        EACH(circle_sin(a[i]));
    default:
        EACH(circle_cos(a[i]));
    }
}

/* With a NaN on either side the result is NaN, whichever side it is on. */
static inline double least_of(double a, double b)
{
    return a < b ? a : b < a ? b : a == b ? a : a + b;
}

static inline double greatest_of(double a, double b)
{
    return a > b ? a : b > a ? b : a == b ? a : a + b;
}

WIDE static void double_step(const struct step *step, int32_t count, double *restrict a,
                             const double *restrict b)
{
    bool turned = step->index;

    switch (step->code) {
    case STEP_ADD:
        EACH(a[i] + b[i]);
    case STEP_SUBTRACT:
        EACH(a[i] - b[i]);
    case STEP_MULTIPLY:
        EACH(a[i] * b[i]);
    case STEP_DIVIDE:
        EACH(a[i] / b[i]);
    case STEP_REMAINDER:
        EACH(a[i] - b[i] * floor(a[i] / b[i]));
    case STEP_POWER:
        EACH(power_of(a[i], b[i]));
    case STEP_LESS:
        EACH(turned ? b[i] < a[i] : a[i] < b[i]);
    case STEP_AT_MOST:
        EACH(turned ? b[i] <= a[i] : a[i] <= b[i]);
    case STEP_EQUAL:
        EACH(a[i] == b[i]);
    case STEP_UNEQUAL:
        EACH(a[i] != b[i]);
    case STEP_AND:
        EACH(a[i] != 0 && b[i] != 0);
    case STEP_OR:
        EACH(a[i] != 0 || b[i] != 0);
    case STEP_min:
        EACH(least_of(a[i], b[i]));
    case STEP_max:
        EACH(greatest_of(a[i], b[i]));
    default: /* step(edge, v) */
        EACH(b[i] >= a[i]);
    }
}

/* From here to here is a step. */
static double smooth(double from, double to, double v)
{
    double t = from == to ? v >= to : (v - from) / (to - from);

    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

static double noise_at(double u, double v, double seed)
{
    return fabs(seed) <= 4294967295.0 ? lattice_at((uint32_t)(int64_t)seed, u, v) : NAN;
}

static void triple_step(enum step_code code, int32_t count, double *a, const double *b,
                        const double *c)
{
    switch (code) {
    case STEP_CHOOSE:
        EACH(a[i] != 0 ? b[i] : c[i]);
    case STEP_clamp:
        EACH(least_of(greatest_of(a[i], b[i]), c[i]));
    case STEP_lerp:
        EACH(a[i] + (b[i] - a[i]) * c[i]);
    case STEP_smoothstep:
        EACH(smooth(a[i], b[i], c[i]));
    default:
        EACH(noise_at(a[i], b[i], c[i]));
    }
}

static void piece_work_out(const struct formula *formula, const struct formula_rows *rows,
                           int32_t from, int32_t count, double *values)
{
    row stack[FORMULA_STACK_MOST];
    int top = 0;

    for (int32_t i = 0; i < formula->count; i++) {
        const struct step *step = &formula->steps[i];
        int operands = step_operands(step->code);

        top -= operands;
        if (operands == 0)
            leaf_step(step, rows, from, count, stack[top]);
        else if (operands == 1)
            single_step(step->code, count, stack[top]);
        else if (operands == 2)
            double_step(step, count, stack[top], stack[top + 1]);
        else
            triple_step(step->code, count, stack[top], stack[top + 1], stack[top + 2]);
        top++;
    }
    memcpy(values, stack[0], (size_t)count * sizeof *values);
}

void formula_row(const struct formula *formula, const struct formula_rows *rows, int32_t count,
                 double *values)
{
    for (int32_t from = 0; from < count; from += PIECE)
        piece_work_out(formula, rows, from, count - from < PIECE ? count - from : PIECE,
                       values + from);
}
