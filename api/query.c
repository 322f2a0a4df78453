#include "api/query.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/echo.h"
#include "api/json_scan.h"
#include "api/member.h"
#include "api/number.h"

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The byte of an escape at text[0], which is '%'; -1 when it is none. */
static int percent_byte(const char *text, size_t room)
{
    int high = room > 2 ? hex(text[1]) : -1, low = room > 2 ? hex(text[2]) : -1;

    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

char *percent_decode(const char *text, size_t length, bool plus, struct arena *arena,
                     struct fault *why)
{
    char *made = arena_new(arena, length + 1), *to = made;
    char room[ECHO_ROOM];
    size_t bad;

    if (!made) {
        fault_set(why, FAULT_MEMORY, "No memory for the request's target");
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        int byte = text[i] == '%' ? percent_byte(text + i, length - i) : 256;
        if (byte < 0) {
            fault_set(why, FAULT_INPUT, "In %s a %% is not followed by two hexadecimal digits",
                      echo_text(text, length, room));
            return NULL;
        }
        if (byte == 0) {
            fault_set(why, FAULT_INPUT, "%s contains NUL (%%00), which no name or value may",
                      echo_text(text, length, room));
            return NULL;
        }
        if (byte < 256)
            i += 2;
        *to++ = byte < 256 ? (char)byte : plus && text[i] == '+' ? ' ' : text[i];
    }
    if (!utf8_valid(made, (size_t)(to - made), &bad)) {
        fault_set(why, FAULT_INPUT, "%s is not UTF-8", echo_text(text, length, room));
        return NULL;
    }
    return made;
}

/* What is known of one request's parameters while they are read. */
struct reading {
    const struct query_target *targets;
    size_t count;
    bool loose;
    struct arena *arena;
    struct given given[4];
    uint8_t parts[4][SHAPE_FIELDS_MOST]; /* of RECT and "x,y": which of their parameters came */
};

static const char *const rect_parts[] = { "x", "y", "width", "height", NULL };
static const char *const place_parts[] = { "x", "y", NULL };

/* The parameters that a field takes apart; NULL for the usual one. */
static const char *const *field_parts(const struct field *field)
{
    if (field->kind == FIELD_RECT)
        return rect_parts;
    if (field->kind == FIELD_POINT && strchr(field->name, ','))
        return place_parts;
    return NULL;
}

/* Where a parameter goes: its member, and for apart ones which part. */
struct slot {
    size_t target;
    struct member member;
    int part; /* -1 */
};

static bool slot_find(const struct reading *reading, const char *name, bool in_path,
                      struct slot *slot)
{
    for (slot->target = 0; slot->target < reading->count; slot->target++) {
        const struct shape *shape = reading->targets[slot->target].shape;
        slot->member = (struct member){ 0 };
        while (shape && member_next(shape, &slot->member)) {
            const struct field *field = slot->member.field;
            const char *const *parts = field_parts(field);
            if (field->in_path != in_path)
                continue;
            slot->part = -1;
            if (!parts && !strcmp(field->name, name))
                return true;
            for (int i = 0; parts && parts[i]; i++) {
                slot->part = i;
                if (!strcmp(parts[i], name))
                    return true;
            }
        }
    }
    return false;
}

static bool not_a_number(const struct field *field, const char *name, const char *text,
                         size_t length, struct fault *why)
{
    char room[ECHO_ROOM];

    return fault_set(why, FAULT_INPUT, "%s must be a %s, not %s", name,
                     member_is_whole(field) ? "whole number such as 12"
                                            : "finite number such as 12.5",
                     echo_text(text, length, room));
}

static bool number_value(const struct field *field, const char *name, const char *text,
                         size_t length, void *to, struct fault *why)
{
    struct field named = *field;
    double number;

    if (!number_read(text, length, &number))
        return not_a_number(field, name, text, length, why);
    named.name = name;
    return member_number(&named, number, to, why);
}

/* Items between commas; an empty text has none. */
static size_t items_count(const char *text)
{
    size_t count = *text != '\0';

    for (; *text; text++)
        count += *text == ',';
    return count;
}

static bool item_value(const struct field *field, const char *text, size_t length, size_t i,
                       void *to, struct arena *arena, struct fault *why)
{
    static const struct field plain = { .kind = FIELD_REAL };

    switch (field->kind) {
    case FIELD_INTS:
        return number_value(field, field->name, text, length, (int32_t *)to + i, why);
    case FIELD_TEXTS:
        return member_text(&(struct field){ .kind = FIELD_TEXT, .name = field->name }, text, length,
                           arena, (const char **)to + i, why);
    case FIELD_REALS:
        return number_value(field, field->name, text, length, (double *)to + i, why);
    default:
        return number_value(&plain, field->name, text, length, (double *)to + i, why);
    }
}

static bool items_value(const struct field *field, const char *text, void *to, struct arena *arena,
                        struct fault *why)
{
    for (size_t i = 0;; i++) {
        size_t length = strcspn(text, ",");
        if (!item_value(field, text, length, i, to, arena, why))
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

static bool fixed_value(const struct field *field, int count, const char *text, void *to,
                        struct arena *arena, struct fault *why)
{
    size_t have = items_count(text);

    if (have != (size_t)count)
        return fault_set(why, FAULT_INPUT, "%s must be %d numbers joined by commas, not %zu",
                         field->name, count, have);
    return items_value(field, text, to, arena, why);
}

static bool list_value(const struct field *field, const char *text, struct list *to,
                       struct arena *arena, struct fault *why)
{
    size_t have = items_count(text), each = field->kind == FIELD_POINTS ? 2 : 1;
    size_t size = field->kind == FIELD_TEXTS ? sizeof(char *) : sizeof(double);

    if (have % each)
        return fault_set(why, FAULT_INPUT, "%s must be pairs of numbers joined by commas",
                         field->name);
    if (!member_count(field, have / each, why))
        return false;
    to->count = have / each;
    to->items = arena_new(arena, (have + 1) * size);
    if (!to->items)
        return fault_set(why, FAULT_MEMORY, "No memory for %s", field->name);
    return !have || items_value(field, text, to->items, arena, why);
}

static bool bool_value(const struct field *field, const char *text, bool *to, struct fault *why)
{
    char room[ECHO_ROOM];

    *to = !strcmp(text, "true");
    if (*to || !strcmp(text, "false"))
        return true;
    return fault_set(why, FAULT_INPUT, "%s must be true or false, not %s", field->name,
                     echo_text(text, strlen(text), room));
}

static bool part_value(const struct field *field, int part, const char *text, void *to,
                       struct fault *why)
{
    static const struct field corner = {
        .kind = FIELD_INT, .least = -2147483647.0, .greatest = 2147483647.0, .unit = "vertices"
    };
    static const struct field side = {
        .kind = FIELD_INT, .least = 1, .greatest = 2147483647.0, .unit = "vertices"
    };
    static const struct field real = { .kind = FIELD_REAL };
    size_t length = strlen(text);

    if (field->kind == FIELD_RECT)
        return number_value(part < 2 ? &corner : &side, rect_parts[part], text, length,
                            (int32_t *)to + part, why);
    return number_value(&real, place_parts[part], text, length, (double *)to + part, why);
}

static bool field_value(const struct field *field, const char *text, void *to, struct arena *arena,
                        struct fault *why)
{
    switch (field->kind) {
    case FIELD_BOOL:
        return bool_value(field, text, to, why);
    case FIELD_INT:
    case FIELD_INT64:
    case FIELD_REAL:
        return number_value(field, field->name, text, strlen(text), to, why);
    case FIELD_PICK:
        if (!strcmp(text, field->words[0]))
            return member_text(field, text, strlen(text), arena, to, why);
        return number_value(field, field->name, text, strlen(text), to, why);
    case FIELD_TEXT:
    case FIELD_NAME:
    case FIELD_CHOICE:
        return member_text(field, text, strlen(text), arena, to, why);
    case FIELD_REALS:
    case FIELD_INTS:
        return fixed_value(field, field->count, text, to, arena, why);
    case FIELD_POINT:
        return fixed_value(field, 2, text, to, arena, why);
    case FIELD_POINT3:
        return fixed_value(field, 3, text, to, arena, why);
    case FIELD_NUMBERS:
    case FIELD_TEXTS:
    case FIELD_POINTS:
        return list_value(field, text, to, arena, why);
    default:
        return fault_set(why, FAULT_INTERNAL, "%s cannot come in a query", field->name);
    }
}

static bool unknown_parameter(const struct reading *reading, const char *name, struct fault *why)
{
    const char *words[SHAPE_FIELDS_MOST];
    size_t count = 0;

    for (size_t i = 0; i < reading->count; i++) {
        struct member member = { 0 };
        while (reading->targets[i].shape && member_next(reading->targets[i].shape, &member)) {
            const char *const *parts = field_parts(member.field);
            if (member.field->in_path)
                continue;
            if (!parts && count < SHAPE_FIELDS_MOST)
                words[count++] = member.field->name;
            for (; parts && *parts && count < SHAPE_FIELDS_MOST; parts++)
                words[count++] = *parts;
        }
    }
    member_unknown("query parameter", words, count, name, strlen(name), why);
    return fault_at(why, "%.60s", name);
}

static bool parameter_read(struct reading *reading, const char *name, const char *text,
                           bool in_path, struct fault *why)
{
    const struct query_target *target;
    bool fresh;
    struct slot slot;
    void *to;

    if (!slot_find(reading, name, in_path, &slot))
        return in_path || reading->loose || unknown_parameter(reading, name, why);
    target = &reading->targets[slot.target];
    fresh = member_give(&slot.member, target->value, &reading->given[slot.target]);
    to = field_in(slot.member.field, target->value);
    if (slot.part >= 0) {
        uint8_t *parts = &reading->parts[slot.target][slot.member.place];
        fresh = !(*parts & 1 << slot.part);
        *parts |= (uint8_t)(1 << slot.part);
    }
    if (!fresh) {
        fault_set(why, FAULT_INPUT, "The query parameter \"%s\" is given twice", name);
        return fault_at(why, "%s", name);
    }
    if (slot.part >= 0 ? part_value(slot.member.field, slot.part, text, to, why)
                       : field_value(slot.member.field, text, to, reading->arena, why))
        return true;
    return fault_at(why, "%s", name);
}

static bool pairs_read(struct reading *reading, const char *query, struct fault *why)
{
    int count = 0;

    while (*query) {
        size_t length = strcspn(query, "&"), key = strcspn(query, "=&");
        char *name, *text;
        if (length) {
            if (++count > QUERY_MOST)
                return fault_set(why, FAULT_INPUT, "A query may have at most %d parameters",
                                 QUERY_MOST);
            name = percent_decode(query, key, true, reading->arena, why);
            text = key < length ? percent_decode(query + key + 1, length - key - 1, true,
                                                 reading->arena, why)
                                : "";
            if (!name)
                return false;
            if (!text)
                return fault_at(why, "%.60s", name);
            if (!parameter_read(reading, name, text, false, why))
                return false;
        }
        query += length + (query[length] == '&');
    }
    return true;
}

/* Required members, and both halves of a place. */
static bool nothing_missing(const struct reading *reading, size_t target, struct fault *why)
{
    const struct shape *shape = reading->targets[target].shape;
    const struct given *given = &reading->given[target];
    struct member member = { 0 };

    while (shape && member_next(shape, &member)) {
        const char *const *parts = field_parts(member.field);
        bool came = given->bits[member.place / 64] >> member.place % 64 & 1;
        const char *name = member.field->name;
        if (parts == place_parts && (came || member.field->required)) {
            int missing = !(reading->parts[target][member.place] & 1)   ? 0
                          : !(reading->parts[target][member.place] & 2) ? 1
                                                                        : -1;
            if (missing < 0)
                continue;
            name = parts[missing];
        } else if (came || !member.field->required) {
            continue;
        }
        fault_set(why, FAULT_INPUT, "The query parameter \"%s\" is missing: %s", name,
                  member.field->help);
        return fault_at(why, "%s", name);
    }
    return true;
}

bool query_read(const struct query_target *targets, size_t count, const struct path_value *path,
                size_t path_count, const char *query, bool loose, struct arena *arena,
                struct fault *why)
{
    struct reading reading = { .targets = targets, .count = count, .loose = loose, .arena = arena };

    for (size_t i = 0; i < count; i++)
        if (targets[i].shape && !shape_defaults(targets[i].shape, targets[i].value, arena, why))
            return false;
    for (size_t i = 0; i < path_count; i++)
        if (!parameter_read(&reading, path[i].name, path[i].text, true, why))
            return false;
    if (query && !pairs_read(&reading, query, why))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!nothing_missing(&reading, i, why))
            return false;
    return true;
}
