/* What a formula is inside: steps for a stack of rows. Private to formula.c and formula_parse.c. */
#ifndef TERRAIN_EDIT_FORMULA_INSIDE_H
#define TERRAIN_EDIT_FORMULA_INSIDE_H

#include "terrain/edit/formula.h"

enum { FORMULA_STACK_MOST = 40, FORMULA_NAME_ROOM = 65 };

/* Each takes its operands off the stack and puts its result there. */
enum step_code {
    STEP_NUMBER,
    STEP_VARIABLE,
    STEP_WEIGHT,
    STEP_ADD,
    STEP_SUBTRACT,
    STEP_MULTIPLY,
    STEP_DIVIDE,
    STEP_REMAINDER,
    STEP_POWER,
    STEP_LESS,
    STEP_AT_MOST,
    STEP_EQUAL,
    STEP_UNEQUAL,
    STEP_AND,
    STEP_OR,
    STEP_NEGATE,
    STEP_NOT,
    STEP_CHOOSE,
#define VARIABLE(name, help)
#define FUNCTION(name, least, most, help) STEP_##name,
#include "terrain/edit/formula.def"
#undef VARIABLE
#undef FUNCTION
    STEP_COUNT
};

struct step {
    enum step_code code;
    int index;     /* of a variable or a weight */
    double number; /* of STEP_NUMBER */
};

struct formula {
    struct step steps[FORMULA_STEPS_MOST];
    int32_t count;
    uint32_t variables; /* bits of those that are read */
    int layers;
    char layer_names[FORMULA_LAYERS_MOST][FORMULA_NAME_ROOM];
};

/* How many operands a step takes. */
int step_operands(enum step_code code);

#endif
