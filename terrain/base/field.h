/* Rows that describe the members of a struct.
 *
 * A shape lists fields; each field says where its value lies in the struct,
 * which kind it is, what it may be, and a sentence about it. Requests are
 * decoded by shapes, answers encoded by them, and OpenAPI printed from them, so
 * the three cannot disagree. Shapes are constant. Any thread.
 *
 * Kinds and the C type of the member:
 *   INT        int32_t                  INT64   int64_t (or uint64_t below 2^63)
 *   REAL       double, finite           BOOL    bool
 *   TEXT       const char *             NAME    const char *, [A-Za-z0-9._-]{1,64}, no leading dot
 *   CHOICE     int, an index into words
 *   REALS      double[count], exactly   INTS    int32_t[count], exactly
 *   POINT      double[2], a position    POINT3  double[3], a position and metres
 *   POINTS     struct list of double[2], positions; of double[3], with metres, where count is 3
 *   OBJECT     the nested struct itself, described by shape
 *   LIST       struct list of structs described by shape
 *   VARIANT    struct variant: an object whose members depend on its first, `tag`
 *   VARIANTS   struct list of struct variant
 *   RECT       struct rect, as an object of x, y, width and height
 *   PICK       double, or the word words[0], which is kept as NaN
 *   JSON       struct json_text: any JSON value, kept as its text (answers only)
 *   NUMBERS    struct list of double; in an answer NaN prints null
 *   TEXTS      struct list of const char *
 *
 * Positions are in the request's frame as they arrive, and in grid coordinates
 * (quads from the north-west vertex) by the time that a handler sees them.
 * An absent TEXT, NAME or list is NULL or empty unless it has a default; an absent POINT or
 * POINT3 is NaN, other numbers are 0. In a query or path REALS, INTS, NUMBERS, TEXTS and POINT are
 * joined by commas, and a RECT is the four parameters x, y, width and height, each 0 when absent.
 *
 * null: where a row is nullable, a request's null stores what absence would and counts as given.
 * In an answer REAL and PICK print null for NaN, TEXT and NAME for NULL; nullable rows also print
 * null for POINT, POINT3 and REALS whose first number is NaN, for an empty RECT, for a list whose
 * items are NULL, and for an OBJECT or an item of a LIST whose first member would be null.
 * What is left_out is left out of an answer instead.
 * A position of a request that its frame cannot place on the grid is refused, but NaN where the row
 * says anywhere (of a POINT3 the metres stay).
 */
#ifndef TERRAIN_BASE_FIELD_H
#define TERRAIN_BASE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/rect.h"

enum field_kind {
    FIELD_END,
    FIELD_INT,
    FIELD_INT64,
    FIELD_REAL,
    FIELD_BOOL,
    FIELD_TEXT,
    FIELD_NAME,
    FIELD_CHOICE,
    FIELD_REALS,
    FIELD_INTS,
    FIELD_POINT,
    FIELD_POINT3,
    FIELD_POINTS,
    FIELD_OBJECT,
    FIELD_LIST,
    FIELD_VARIANT,
    FIELD_VARIANTS,
    FIELD_RECT,
    FIELD_PICK,
    FIELD_JSON,
    FIELD_NUMBERS,
    FIELD_TEXTS
};

struct list {
    size_t count;
    void *items;
};

struct json_text {
    const char *text; /* NULL prints null */
};

struct shape;

/* The choice of a variant: its tag's index, and the members that go with it. */
struct variant {
    int chosen;
    void *members;
};

/* Which shape goes with which tag. The table's owner fills it (brushes.def). */
struct variant_set {
    const char *tag; /* the discriminating member, "tool" */
    const char *const *words;
    const struct shape *const *shapes;
    int count;
    const char *name;  /* of its schemas, where another set has the same tag; NULL is the tag */
    const char *plain; /* the word to which a text alone (its first member) and an object without
                          the tag belong; NULL takes neither */
};

struct field {
    const char *name;
    enum field_kind kind;
    bool required;  /* a request must give it */
    bool nullable;  /* null is allowed: in a request like absence, in an answer see null_at */
    bool left_out;  /* an answer leaves the member out where it would print null */
    bool anywhere;  /* a position without a place is one of many, and not refused */
    bool in_path;   /* comes from the path's {name} */
    bool has_value; /* value (or text) stands in for an absent member */
    size_t at;      /* offset in the struct */
    const char *unit;
    double least, greatest;   /* of numbers; of the length for texts and lists */
    bool above_least;         /* the least itself is excluded */
    double value;             /* default of a number, bool or choice */
    const char *text;         /* default of a text or name */
    const char *const *words; /* of a CHOICE or PICK, ends with NULL */
    int count;                /* of REALS and INTS */
    bool plain; /* of a LIST: in a request a text alone is an item's first field, a TEXT or NAME */
    const struct shape *shape;
    const struct variant_set *variants;
    const char *limit; /* of a list: the server's limit on its length, by its name; or NULL */
    const char *help;  /* one sentence for people */
};

/* base, when there is one, is the shape of the struct that is this struct's
 * first member: its fields come first, as if written here.
 * given is the offset of a uint64_t whose bit i tells whether the request gave
 * field i (base fields not counted); -1 when nobody asks.
 * A body that is one of a set's as a whole has one field, a VARIANT without a name. */
struct shape {
    const char *name;
    size_t size;
    const struct field *fields; /* ends with FIELD_END */
    const struct shape *base;
    ptrdiff_t given;
};

/* The set of which the whole value is one; or NULL. */
static inline const struct variant_set *shape_choice(const struct shape *shape)
{
    return shape->fields->kind == FIELD_VARIANT && !*shape->fields->name ? shape->fields->variants
                                                                         : NULL;
}

#define SHAPE(type, rows)                                                                          \
    (&(const struct shape){ .name = #type, .size = sizeof(type), .fields = (rows), .given = -1 })

/* The kind that a member's C type stands for, so that a row cannot disagree with its struct. */
#define FIELD_KIND(type, member)                                                                   \
    _Generic(((type *)0)->member,                                                                  \
        int32_t: FIELD_INT, int64_t: FIELD_INT64, uint64_t: FIELD_INT64, double: FIELD_REAL,       \
        bool: FIELD_BOOL, const char *: FIELD_TEXT, struct rect: FIELD_RECT,                       \
        struct json_text: FIELD_JSON)

/* A number, bool, text or rect; add designated members behind for the rest:
 *   FIELD(struct point, x, "m", -1e6, 1e6, "Metres east", .required = true) */
#define FIELD(type, member, unit_, least_, greatest_, help_, ...)                                  \
    {                                                                                              \
        .name = #member, .kind = FIELD_KIND(type, member), .at = offsetof(type, member),           \
        .unit = (unit_), .least = (least_), .greatest = (greatest_), .help = (help_), __VA_ARGS__  \
    }

/* Any other kind, named. */
#define FIELD_AS(kind_, type, member, help_, ...)                                                  \
    {                                                                                              \
        .name = #member, .kind = (kind_), .at = offsetof(type, member), .help = (help_),           \
        __VA_ARGS__                                                                                \
    }

static inline void *field_in(const struct field *field, const void *owner)
{
    return (char *)(uintptr_t)owner + field->at;
}

/* Numbers of one item of a POINTS field. */
static inline int field_point_numbers(const struct field *field)
{
    return field->count == 3 ? 3 : 2;
}

/* Calls visit for each field of the shape, base fields first; index counts as `given` does
 * and is -1 for base fields. Stops and returns false when visit does. */
bool shape_each(const struct shape *shape,
                bool (*visit)(const struct field *field, int index, void *context), void *context);

/* [A-Za-z0-9._-]{1,64}, not beginning with a dot. */
bool name_valid(const char *name);

/* The word of `words` nearest to the wrong one by edit distance, for error sentences;
 * NULL when none is near. */
const char *word_nearest(const char *wrong, const char *const *words, size_t count);

#endif
