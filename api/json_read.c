#include "api/json_read.h"

#include <math.h>
#include <string.h>

#include "api/echo.h"
#include "api/json_items.h"
#include "api/json_scan.h"
#include "api/member.h"

static bool object_read(struct scan *scan, const struct shape *shape, const char *tag, void *value,
                        struct fault *why);
static bool field_read(struct scan *scan, const struct field *field, void *to, struct fault *why);

static bool starts_number(struct scan *scan)
{
    char c = scan_peek(scan);

    return c == '-' || (c >= '0' && c <= '9') || c == 'N' || c == 'I' || c == '+' || c == '.';
}

/* NULL for what begins no value. */
static const char *found_kind(struct scan *scan)
{
    switch (scan_peek(scan)) {
    case '{':
        return "an object";
    case '[':
        return "a list";
    case '"':
        return "a text";
    case 't':
    case 'f':
        return "a bool";
    case 'n':
        return "null";
    case '\0':
        return "nothing";
    default:
        return starts_number(scan) ? "a number" : NULL;
    }
}

static bool wrong_kind(struct scan *scan, const struct field *field, const char *wanted,
                       struct fault *why)
{
    const char *kind = found_kind(scan);

    if (!kind)
        return scan_skip(scan, why) && false;
    return fault_set(why, FAULT_INPUT, "%s must be %s, not %s", field->name, wanted, kind);
}

static bool number_field(struct scan *scan, const struct field *field, void *to, struct fault *why)
{
    double number;

    if (!starts_number(scan))
        return wrong_kind(scan, field, "a number", why);
    return scan_number(scan, &number, why) && member_number(field, number, to, why);
}

static bool text_field(struct scan *scan, const struct field *field, void *to, struct fault *why)
{
    struct slice text;

    if (scan_peek(scan) != '"')
        return wrong_kind(scan, field, "a text", why);
    return scan_text(scan, &text, why) &&
           member_text(field, text.text, text.length, scan->arena, to, why);
}

static bool bool_field(struct scan *scan, const struct field *field, bool *to, struct fault *why)
{
    if (scan_word(scan, "true"))
        *to = true;
    else if (scan_word(scan, "false"))
        *to = false;
    else
        return wrong_kind(scan, field, "true or false", why);
    return true;
}

/* Exactly `count` numbers in brackets. to is int32_t for INTS, double for the rest. */
static bool numbers_field(struct scan *scan, const struct field *field, int count, void *to,
                          struct fault *why)
{
    bool first = true, more;
    int have = 0;

    if (scan_peek(scan) != '[')
        return wrong_kind(scan, field, "a list of numbers", why);
    if (!scan_open(scan, '[', why))
        return false;
    for (;;) {
        void *at = field->kind == FIELD_INTS ? (void *)((int32_t *)to + have)
                                             : (void *)((double *)to + have);
        if (!scan_more(scan, ']', &first, &more, why))
            return false;
        if (!more)
            break;
        if (have == count)
            return fault_set(why, FAULT_INPUT, "%s must have exactly %d numbers, not more",
                             field->name, count);
        if (!number_field(scan, field, at, why))
            return fault_within(why, "/%d", have);
        have++;
    }
    return have == count || fault_set(why, FAULT_INPUT, "%s must have exactly %d numbers, not %d",
                                      field->name, count, have);
}

/* A text that stands for the plain variant, or for an item: its first own member. */
static bool plain_read(struct scan *scan, const struct field *field, const struct shape *shape,
                       void *members, struct fault *why)
{
    const struct field *first = &shape->fields[0];

    return shape_defaults(shape, members, scan->arena, why) &&
           text_field(scan, &(struct field){ .name = field->name, .kind = first->kind },
                      field_in(first, members), why);
}

/* One item of whatever list the field is. */
static bool item_read(struct scan *scan, const struct field *field, void *to, struct fault *why)
{
    struct field one = { .name = field->name, .kind = FIELD_TEXT };
    double number;

    switch (field->kind) {
    case FIELD_POINTS:
        one.kind = FIELD_POINT;
        return numbers_field(scan, &one, field_point_numbers(field), to, why);
    case FIELD_NUMBERS:
        if (!starts_number(scan))
            return wrong_kind(scan, field, "a list of numbers", why);
        if (!scan_number(scan, &number, why))
            return false;
        *(double *)to = number;
        return true;
    case FIELD_TEXTS:
        return text_field(scan, &one, to, why);
    case FIELD_VARIANTS:
        one = *field;
        one.kind = FIELD_VARIANT;
        return field_read(scan, &one, to, why);
    default:
        if (field->plain && scan_peek(scan) == '"')
            return plain_read(scan, field, field->shape, to, why);
        if (scan_peek(scan) != '{')
            return wrong_kind(scan, field,
                              field->plain ? "a list of objects or texts" : "a list of objects",
                              why);
        return object_read(scan, field->shape, NULL, to, why);
    }
}

static bool list_field(struct scan *scan, const struct field *field, struct list *to,
                       struct fault *why)
{
    struct items items;
    bool first = true, more;

    if (scan_peek(scan) != '[')
        return wrong_kind(scan, field, "a list", why);
    if (!scan_open(scan, '[', why) || !items_begin(&items, scan, field, why))
        return false;
    for (;;) {
        void *item;
        if (!scan_more(scan, ']', &first, &more, why))
            return false;
        if (!more)
            break;
        if (!items_next(&items, scan, &item, why))
            return false;
        if (item && !item_read(scan, field, item, why))
            return fault_within(why, "/%zu", items.count - 1);
    }
    *to = (struct list){ items.count, items.items };
    return member_count(field, items.count, why);
}

static bool rect_field(struct scan *scan, void *to, struct fault *why)
{
    static const struct field rows[] = {
        FIELD(struct rect, x, "vertices", -2147483647, 2147483647, "West column", .required = true),
        FIELD(struct rect, y, "vertices", -2147483647, 2147483647, "North row", .required = true),
        FIELD(struct rect, width, "vertices", 1, 2147483647, "Columns", .required = true),
        FIELD(struct rect, height, "vertices", 1, 2147483647, "Rows", .required = true),
        { .kind = FIELD_END }
    };

    return object_read(scan, SHAPE(struct rect, rows), NULL, to, why);
}

static bool tag_missing(const struct variant_set *set, int *chosen, struct fault *why)
{
    char room[WORD_LIST_ROOM];
    size_t count = 0;

    if (set->plain) {
        *chosen = word_choose(set->words, set->plain, strlen(set->plain), why);
        return *chosen >= 0;
    }
    while (set->words[count])
        count++;
    fault_set(why, FAULT_INPUT, "The member \"%s\" is missing: one of %s", set->tag,
              word_list(set->words, count, room));
    return fault_at(why, "/%s", set->tag);
}

/* The tag may come behind other members: look for it first, then read the object by its shape. */
static bool tag_find(struct scan *scan, const struct variant_set *set, int *chosen,
                     struct fault *why)
{
    struct scan ahead = *scan;
    bool first = true, more;
    struct slice name, word;

    if (!scan_open(&ahead, '{', why))
        return false;
    for (;;) {
        if (!scan_more(&ahead, '}', &first, &more, why))
            return false;
        if (!more)
            return tag_missing(set, chosen, why);
        if (!scan_text(&ahead, &name, why) || !scan_expect(&ahead, ':', why))
            return false;
        if (name.length == strlen(set->tag) && !memcmp(name.text, set->tag, name.length))
            break;
        if (!scan_skip(&ahead, why))
            return false;
    }
    if (scan_peek(&ahead) != '"') {
        fault_set(why, FAULT_INPUT, "%s must be a text, not %s", set->tag, found_kind(&ahead));
        return fault_at(why, "/%s", set->tag);
    }
    if (!scan_text(&ahead, &word, why))
        return false;
    *chosen = word_choose(set->words, word.text, word.length, why);
    return *chosen >= 0 || fault_at(why, "/%s", set->tag);
}

static bool variant_field(struct scan *scan, const struct field *field, struct variant *to,
                          struct fault *why)
{
    const struct variant_set *set = field->variants;
    bool plain = set->plain && scan_peek(scan) == '"';
    const struct shape *shape;

    if (scan_peek(scan) != '{' && !plain)
        return wrong_kind(scan, field, set->plain ? "an object or a text" : "an object", why);
    if (plain ? !tag_missing(set, &to->chosen, why) : !tag_find(scan, set, &to->chosen, why))
        return false;
    shape = set->shapes[to->chosen];
    to->members = arena_new(scan->arena, shape->size);
    if (!to->members)
        return fault_set(why, FAULT_MEMORY, "No memory for %s", field->name);
    return plain ? plain_read(scan, field, shape, to->members, why)
                 : object_read(scan, shape, set->tag, to->members, why);
}

static bool field_read(struct scan *scan, const struct field *field, void *to, struct fault *why)
{
    if (field->nullable && scan_word(scan, "null"))
        return true; /* the default is there already */
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_INT64:
    case FIELD_REAL:
        return number_field(scan, field, to, why);
    case FIELD_PICK:
        return scan_peek(scan) == '"' ? text_field(scan, field, to, why)
                                      : number_field(scan, field, to, why);
    case FIELD_BOOL:
        return bool_field(scan, field, to, why);
    case FIELD_TEXT:
    case FIELD_NAME:
    case FIELD_CHOICE:
        return text_field(scan, field, to, why);
    case FIELD_REALS:
    case FIELD_INTS:
        return numbers_field(scan, field, field->count, to, why);
    case FIELD_POINT:
        return numbers_field(scan, field, 2, to, why);
    case FIELD_POINT3:
        return numbers_field(scan, field, 3, to, why);
    case FIELD_OBJECT:
        if (scan_peek(scan) != '{')
            return wrong_kind(scan, field, "an object", why);
        return object_read(scan, field->shape, NULL, to, why);
    case FIELD_RECT:
        if (scan_peek(scan) != '{')
            return wrong_kind(scan, field, "an object of x, y, width and height", why);
        return rect_field(scan, to, why);
    case FIELD_VARIANT:
        return variant_field(scan, field, to, why);
    case FIELD_LIST:
    case FIELD_POINTS:
    case FIELD_VARIANTS:
    case FIELD_NUMBERS:
    case FIELD_TEXTS:
        return list_field(scan, field, to, why);
    case FIELD_JSON:
    case FIELD_END:
        break;
    }
    return fault_set(why, FAULT_INTERNAL, "%s cannot be read", field->name);
}

/* '~' and '/' in a member's name are ~0 and ~1 in a pointer; our own names have neither. */
static bool unknown_member(const struct shape *shape, struct slice name, struct fault *why)
{
    const char *words[SHAPE_FIELDS_MOST];
    struct member member = { 0 };
    char room[ECHO_ROOM];
    size_t count = 0;

    while (member_next(shape, &member))
        words[count++] = member.field->name;
    member_unknown("member", words, count, name.text, name.length, why);
    echo_text(name.text, name.length, room);
    if (!strpbrk(room, "~/") && name.length <= 40)
        return fault_at(why, "/%.*s", (int)name.length, name.text);
    return false;
}

static bool object_read(struct scan *scan, const struct shape *shape, const char *tag, void *value,
                        struct fault *why)
{
    struct given given = { 0 };
    const struct field *missing;
    bool first = true, more, tagged = false;

    if (!shape_defaults(shape, value, scan->arena, why) || !scan_open(scan, '{', why))
        return false;
    for (;;) {
        struct member member;
        struct slice name;
        if (!scan_more(scan, '}', &first, &more, why))
            return false;
        if (!more)
            break;
        if (!scan_text(scan, &name, why) || !scan_expect(scan, ':', why))
            return false;
        if (tag && name.length == strlen(tag) && !memcmp(name.text, tag, name.length)) {
            if (tagged)
                return fault_set(why, FAULT_INPUT, "The member \"%s\" is given twice", tag) ||
                       fault_at(why, "/%s", tag);
            tagged = true;
            if (!scan_skip(scan, why))
                return false;
            continue;
        }
        if (!member_find(shape, name.text, name.length, &member))
            return unknown_member(shape, name, why);
        if (!member_give(&member, value, &given))
            return fault_set(why, FAULT_INPUT, "The member \"%s\" is given twice",
                             member.field->name) ||
                   fault_at(why, "/%s", member.field->name);
        if (!field_read(scan, member.field, field_in(member.field, value), why))
            return fault_within(why, "/%s", member.field->name);
    }
    missing = shape_missing(shape, &given);
    if (!missing)
        return true;
    fault_set(why, FAULT_INPUT, "The member \"%s\" is missing: %s", missing->name, missing->help);
    return fault_at(why, "/%s", missing->name);
}

bool json_read_large(const struct shape *shape, const char *text, size_t length,
                     const struct executor *executor, const struct limits *limits,
                     struct arena *arena, void *value, struct fault *why)
{
    struct scan scan;

    if (!scan_begin(&scan, text, length, arena, why))
        return false;
    scan.executor = executor;
    scan.limits = limits;
    if (scan_peek(&scan) != '{') {
        const char *kind = found_kind(&scan);

        return fault_set(why, FAULT_INPUT, "The body must be a JSON object, not %s",
                         kind ? kind : "something else");
    }
    if (shape_choice(shape))
        return variant_field(&scan, shape->fields, value, why) && scan_end(&scan, why);
    return object_read(&scan, shape, NULL, value, why) && scan_end(&scan, why);
}

bool json_read(const struct shape *shape, const char *text, size_t length, struct arena *arena,
               void *value, struct fault *why)
{
    return json_read_large(shape, text, length, NULL, NULL, arena, value, why);
}
