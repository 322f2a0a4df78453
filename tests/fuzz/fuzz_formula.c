/* Formulas from any text: a refusal has its reason, and what is taken comes to the same twice,
 * alone or in a row. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/block.h"
#include "terrain/edit/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static double variables[FORMULA_VARIABLES][BLOCK_SIDE];
static uint8_t weights[BLOCK_SIDE];

static void rows_fill(void)
{
    for (int v = 0; v < FORMULA_VARIABLES; v++)
        for (int i = 0; i < BLOCK_SIDE; i++)
            variables[v][i] = (i - 20) * (v + 0.5);
    for (int i = 0; i < BLOCK_SIDE; i++)
        weights[i] = (uint8_t)(2 * i);
}

/* The rows from the i-th vertex on. */
static struct formula_rows rows_from(int i)
{
    struct formula_rows rows;

    for (int v = 0; v < FORMULA_VARIABLES; v++)
        rows.variables[v] = variables[v] + i;
    for (int w = 0; w < FORMULA_LAYERS_MOST; w++)
        rows.weights[w] = weights + i;
    return rows;
}

static int same(double a, double b)
{
    return a == b || (a != a && b != b);
}

static void work_out(const struct formula *formula)
{
    struct formula_rows all = rows_from(0);
    double values[BLOCK_SIDE], one;

    if (formula_steps(formula) < 1 || formula_steps(formula) > FORMULA_STEPS_MOST ||
        formula_layers(formula) > FORMULA_LAYERS_MOST)
        abort();
    formula_row(formula, &all, BLOCK_SIDE, values);
    for (int i = 0; i < BLOCK_SIDE; i += 31) {
        struct formula_rows single = rows_from(i);

        formula_row(formula, &single, 1, &one);
        if (!same(one, values[i]))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct fault why = { 0 };
    struct formula *formula;

    rows_fill();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    formula = formula_new(text, &why);
    if (formula)
        work_out(formula);
    else if ((why.code != FAULT_INPUT && why.code != FAULT_LIMIT) || !why.detail[0])
        abort();
    formula_free(formula);
    free(text);
    return 0;
}
