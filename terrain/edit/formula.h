/* A formula: a small language of numbers, parsed once and worked out a row at a time.
 *
 *   a ? b : c    a || b    a && b    < <= > >= == !=    + -    * / %    - ! (one operand)    a ^ b
 *
 * bind in this order, the last most tightly; ^ from the right, so that -a^b is -(a^b), the others
 * from the left. Comparisons do not chain. Numbers are decimal; what is not 0 is true, and true is
 * 1. a % b has b's sign. Both arms of ?: and both sides of && and || are worked out, nothing has
 * effects. Beside the variables and functions of formula.def there are pi, e, and w("layer"), the
 * weight of a paint layer, 0 to 255. There is no limit on time but the count of steps: no loops, no
 * memory. Any thread.
 */
#ifndef TERRAIN_EDIT_FORMULA_H
#define TERRAIN_EDIT_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "terrain/base/fault.h"

enum formula_variable {
#define VARIABLE(name, help) FORMULA_##name,
#define FUNCTION(name, least, most, help)
#include "terrain/edit/formula.def"
#undef VARIABLE
#undef FUNCTION
    FORMULA_VARIABLES
};

enum {
    FORMULA_TEXT_MOST = 4096, /* bytes */
    FORMULA_STEPS_MOST = 512,
    FORMULA_DEPTH_MOST = 32, /* of brackets within each other */
    FORMULA_LAYERS_MOST = 16
};

struct formula;

/* Fails with INPUT, saying at which character and what could stand there, with LIMIT when it is
 * too long or too deep, or with MEMORY. */
struct formula *formula_new(const char *text, struct fault *why);
void formula_free(struct formula *formula);

bool formula_reads(const struct formula *formula, enum formula_variable variable);
int32_t formula_steps(const struct formula *formula);
int formula_layers(const struct formula *formula);
/* The name in the i-th different w("…"). */
const char *formula_layer(const struct formula *formula, int i);

/* Values of `count` vertices, at most BLOCK_SIDE, whose variables stand in rows (those that are not
 * read may be NULL) and whose weights in those of layers. A result may be NaN or infinite. */
struct formula_rows {
    const double *variables[FORMULA_VARIABLES];
    const uint8_t *weights[FORMULA_LAYERS_MOST];
};
void formula_row(const struct formula *formula, const struct formula_rows *rows, int32_t count,
                 double *values);

#endif
