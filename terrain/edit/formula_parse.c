/* Formulas from text: a recursive descent that puts down steps as it goes. */
#include "terrain/edit/formula_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/base/field.h"

enum { NUMBER_ROOM = 64, WORD_ROOM = 32 };

struct parsing {
    const char *text, *at;
    struct formula *formula;
    int depth; /* of calls */
    int stack; /* rows on it after the steps so far */
    struct fault *why;
};

static const char *const words[] = {
#define VARIABLE(name, help)              #name,
#define FUNCTION(name, least, most, help) #name,
#include "terrain/edit/formula.def"
#undef VARIABLE
#undef FUNCTION
    "pi", "e", "w"
};
enum { WORDS = sizeof words / sizeof *words };

static const struct function {
    enum step_code code;
    int least, most;
} functions[] = {
#define VARIABLE(name, help)
#define FUNCTION(name, least, most, help) { STEP_##name, least, most },
#include "terrain/edit/formula.def"
#undef VARIABLE
#undef FUNCTION
};

static bool ternary(struct parsing *parsing);

/* What is wrong, and where: characters are counted from 1. */
#define WRONG(parsing, place, sentence, ...)                                                       \
    fault_set((parsing)->why, FAULT_INPUT, "at character %zu: " sentence,                          \
              (size_t)((place) - (parsing)->text) + 1, __VA_ARGS__)

/* Steps */

static bool put(struct parsing *parsing, struct step step)
{
    struct formula *formula = parsing->formula;

    if (formula->count == FORMULA_STEPS_MOST)
        return fault_set(parsing->why, FAULT_LIMIT, "a formula may have at most %d steps",
                         FORMULA_STEPS_MOST);
    parsing->stack += 1 - step_operands(step.code);
    if (parsing->stack > FORMULA_STACK_MOST)
        return fault_set(parsing->why, FAULT_LIMIT, "a formula may hold at most %d values at once",
                         FORMULA_STACK_MOST);
    formula->steps[formula->count++] = step;
    return true;
}

static bool put_code(struct parsing *parsing, enum step_code code)
{
    return put(parsing, (struct step){ .code = code });
}

static bool put_number(struct parsing *parsing, double number)
{
    return put(parsing, (struct step){ .code = STEP_NUMBER, .number = number });
}

/* Text */

static void skip_spaces(struct parsing *parsing)
{
    parsing->at += strspn(parsing->at, " \t\r\n");
}

/* A sign that stands there is taken; longer ones are asked for first. */
static bool take(struct parsing *parsing, const char *sign)
{
    size_t length = strlen(sign);

    skip_spaces(parsing);
    if (strncmp(parsing->at, sign, length) != 0)
        return false;
    parsing->at += length;
    return true;
}

/* What stands there, for a sentence: printable and short. */
static const char *shown(const char *at, char room[8])
{
    if (!*at)
        return "the end";
    room[0] = '"';
    room[1] = *at > ' ' && *at < 127 ? *at : '?';
    room[2] = '"';
    room[3] = '\0';
    return room;
}

static bool need(struct parsing *parsing, const char *sign)
{
    char room[8];

    return take(parsing, sign) || WRONG(parsing, parsing->at, "\"%s\" is missing; %s stands there",
                                        sign, shown(parsing->at, room));
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Digits, a fraction, an exponent; "1e" is no number. */
static bool number(struct parsing *parsing)
{
    const char *from = parsing->at, *at = from;
    char room[NUMBER_ROOM];
    bool digits = false;
    double value;

    for (; is_digit(*at); at++)
        digits = true;
    if (*at == '.')
        for (at++; is_digit(*at); at++)
            digits = true;
    if (digits && (*at == 'e' || *at == 'E')) {
        at += at[1] == '+' || at[1] == '-' ? 2 : 1;
        digits = is_digit(*at);
        while (is_digit(*at))
            at++;
    }
    if (!digits || at - from >= NUMBER_ROOM || is_letter(*at) || *at == '.')
        return WRONG(parsing, from, "this is no number%s",
                     at - from >= NUMBER_ROOM ? ": it is too long" : "");
    memcpy(room, from, (size_t)(at - from));
    room[at - from] = '\0';
    value = strtod(room, NULL);
    if (!(value <= 1e300))
        return WRONG(parsing, from, "the number %s is too large", room);
    parsing->at = at;
    return put_number(parsing, value);
}

/* Names */

static bool word_is(const char *word, size_t length, const char *name)
{
    return strncmp(word, name, length) == 0 && name[length] == '\0';
}

static bool unknown(struct parsing *parsing, const char *from, size_t length)
{
    char copy[WORD_ROOM];
    const char *near;

    if (length >= sizeof copy)
        return WRONG(parsing, from, "a name of %zu letters is not known", length);
    memcpy(copy, from, length);
    copy[length] = '\0';
    near = word_nearest(copy, words, WORDS);
    if (near)
        return WRONG(parsing, from, "there is no %s; did you mean %s?", copy, near);
    return WRONG(parsing, from, "there is no %s; x, y, c, r, h and slope are there", copy);
}

/* min and max take two at a time; noise without a seed has 0. */
static bool put_call(struct parsing *parsing, const struct function *function, int given)
{
    if (function->code == STEP_noise && given == 2 && !put_number(parsing, 0))
        return false;
    if (function->most <= 3)
        return put_code(parsing, function->code);
    for (int i = 1; i < given; i++)
        if (!put_code(parsing, function->code))
            return false;
    return true;
}

static bool call(struct parsing *parsing, const char *from, const char *name,
                 const struct function *function)
{
    int given = 0;

    if (!need(parsing, "("))
        return false;
    do {
        if (given == function->most)
            return WRONG(parsing, from, "%s takes at most %d values", name, function->most);
        if (!ternary(parsing))
            return false;
        given++;
    } while (take(parsing, ","));
    if (!need(parsing, ")"))
        return false;
    if (given < function->least)
        return WRONG(parsing, from, "%s takes at least %d values, not %d", name, function->least,
                     given);
    return put_call(parsing, function, given);
}

/* The place of a layer's name among those that are read. */
static int layer_place(struct formula *formula, const char *name, size_t length)
{
    int i = 0;

    while (i < formula->layers && !word_is(name, length, formula->layer_names[i]))
        i++;
    if (i == formula->layers && i < FORMULA_LAYERS_MOST) {
        memcpy(formula->layer_names[i], name, length);
        formula->layer_names[i][length] = '\0';
        formula->layers++;
    }
    return i;
}

/* w("rock"), or with the other quotes, which JSON does not need to escape. */
static bool weight(struct parsing *parsing)
{
    const char *from;
    size_t length;
    char quote;
    int place;

    if (!need(parsing, "("))
        return false;
    skip_spaces(parsing);
    from = parsing->at + 1;
    quote = *parsing->at;
    if (quote != '"' && quote != '\'')
        return WRONG(parsing, parsing->at, "w takes a paint layer's name in quotes%s", "");
    length = strcspn(from, quote == '"' ? "\"" : "'");
    if (from[length] != quote || length == 0 || length >= FORMULA_NAME_ROOM)
        return WRONG(parsing, from, "a layer's name has 1 to 64 letters and ends with %c", quote);
    place = layer_place(parsing->formula, from, length);
    if (place == FORMULA_LAYERS_MOST)
        return fault_set(parsing->why, FAULT_LIMIT, "a formula may read at most %d layers",
                         FORMULA_LAYERS_MOST);
    parsing->at = from + length + 1;
    return need(parsing, ")") && put(parsing, (struct step){ .code = STEP_WEIGHT, .index = place });
}

static bool name(struct parsing *parsing)
{
    const char *from = parsing->at;
    size_t length = 0;
    int found = 0;

    while (is_letter(from[length]) || is_digit(from[length]))
        length++;
    while (found < WORDS && !word_is(from, length, words[found]))
        found++;
    if (found == WORDS)
        return unknown(parsing, from, length);
    parsing->at = from + length;
    if (found < FORMULA_VARIABLES) {
        parsing->formula->variables |= (uint32_t)1 << found;
        return put(parsing, (struct step){ .code = STEP_VARIABLE, .index = found });
    }
    if (found < WORDS - 3)
        return call(parsing, from, words[found], &functions[found - FORMULA_VARIABLES]);
    return found == WORDS - 1   ? weight(parsing)
           : found == WORDS - 2 ? put_number(parsing, 2.71828182845904523536)
                                : put_number(parsing, 3.14159265358979323846);
}

/* Operators, the tightest first */

static bool unary(struct parsing *parsing);

/* Every way deeper leads through unary and ternary, a bracket through both. */
static bool deeper(struct parsing *parsing)
{
    return ++parsing->depth <= 2 * FORMULA_DEPTH_MOST ||
           fault_set(parsing->why, FAULT_LIMIT,
                     "a formula may have at most %d brackets within each other",
                     FORMULA_DEPTH_MOST);
}

static bool primary(struct parsing *parsing)
{
    char room[8];

    if (take(parsing, "("))
        return ternary(parsing) && need(parsing, ")");
    if (is_digit(*parsing->at) || *parsing->at == '.')
        return number(parsing);
    if (is_letter(*parsing->at))
        return name(parsing);
    return WRONG(parsing, parsing->at, "a value is missing; %s stands there",
                 shown(parsing->at, room));
}

static bool power(struct parsing *parsing)
{
    if (!primary(parsing))
        return false;
    return !take(parsing, "^") || (unary(parsing) && put_code(parsing, STEP_POWER));
}

static bool unary(struct parsing *parsing)
{
    bool done;

    if (!deeper(parsing))
        return false;
    skip_spaces(parsing);
    if (take(parsing, "-"))
        done = unary(parsing) && put_code(parsing, STEP_NEGATE);
    else if (parsing->at[0] == '!' && parsing->at[1] != '=' && take(parsing, "!"))
        done = unary(parsing) && put_code(parsing, STEP_NOT);
    else
        done = take(parsing, "+") ? unary(parsing) : power(parsing);
    parsing->depth--;
    return done;
}

static bool product(struct parsing *parsing)
{
    enum step_code code;

    if (!unary(parsing))
        return false;
    for (;;) {
        if (take(parsing, "*"))
            code = STEP_MULTIPLY;
        else if (take(parsing, "/"))
            code = STEP_DIVIDE;
        else if (take(parsing, "%"))
            code = STEP_REMAINDER;
        else
            return true;
        if (!unary(parsing) || !put_code(parsing, code))
            return false;
    }
}

static bool sum(struct parsing *parsing)
{
    enum step_code code;

    if (!product(parsing))
        return false;
    for (;;) {
        if (take(parsing, "+"))
            code = STEP_ADD;
        else if (take(parsing, "-"))
            code = STEP_SUBTRACT;
        else
            return true;
        if (!product(parsing) || !put_code(parsing, code))
            return false;
    }
}

/* Those that look the other way are put down as their opposites with the operands turned. */
static const struct comparison {
    const char *sign;
    enum step_code code;
    bool turned;
} comparisons[] = {
    { "<=", STEP_AT_MOST, false }, { ">=", STEP_AT_MOST, true }, { "==", STEP_EQUAL, false },
    { "!=", STEP_UNEQUAL, false }, { "<", STEP_LESS, false },    { ">", STEP_LESS, true },
};

static bool comparison(struct parsing *parsing)
{
    size_t i = 0;

    if (!sum(parsing))
        return false;
    while (i < sizeof comparisons / sizeof *comparisons && !take(parsing, comparisons[i].sign))
        i++;
    if (i == sizeof comparisons / sizeof *comparisons)
        return true;
    return sum(parsing) && put(parsing, (struct step){ .code = comparisons[i].code,
                                                       .index = comparisons[i].turned });
}

static bool conjunction(struct parsing *parsing)
{
    if (!comparison(parsing))
        return false;
    while (take(parsing, "&&"))
        if (!comparison(parsing) || !put_code(parsing, STEP_AND))
            return false;
    return true;
}

static bool disjunction(struct parsing *parsing)
{
    if (!conjunction(parsing))
        return false;
    while (take(parsing, "||"))
        if (!conjunction(parsing) || !put_code(parsing, STEP_OR))
            return false;
    return true;
}

static bool ternary(struct parsing *parsing)
{
    bool done;

    if (!deeper(parsing))
        return false;
    done = disjunction(parsing) &&
           (!take(parsing, "?") || (ternary(parsing) && need(parsing, ":") && ternary(parsing) &&
                                    put_code(parsing, STEP_CHOOSE)));
    parsing->depth--;
    return done;
}

struct formula *formula_new(const char *text, struct fault *why)
{
    struct formula *formula;
    struct parsing parsing = { .text = text, .at = text, .why = why };
    char room[8];

    if (strlen(text) > FORMULA_TEXT_MOST) {
        fault_set(why, FAULT_LIMIT, "a formula has at most %d characters, not %zu",
                  FORMULA_TEXT_MOST, strlen(text));
        return NULL;
    }
    parsing.formula = formula = calloc(1, sizeof *formula);
    if (!formula) {
        fault_set(why, FAULT_MEMORY, "no memory for a formula");
        return NULL;
    }
    if (ternary(&parsing)) {
        skip_spaces(&parsing);
        if (!*parsing.at)
            return formula;
        WRONG(&parsing, parsing.at, "the formula has ended, but %s follows",
              shown(parsing.at, room));
    }
    free(formula);
    return NULL;
}

void formula_free(struct formula *formula)
{
    free(formula);
}
