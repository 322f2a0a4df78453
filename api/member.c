#include "api/member.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/echo.h"
#include "api/number.h"

bool member_next(const struct shape *shape, struct member *member)
{
    const struct shape *owner = member->owner;

    if (!owner) {
        for (owner = shape; owner->base; owner = owner->base)
            ;
        *member = (struct member){ owner->fields, owner, 0, 0 };
    } else {
        member->field++;
        member->index++;
        member->place++;
    }
    while (member->field->kind == FIELD_END) {
        if (member->owner == shape)
            return false;
        for (owner = shape; owner->base != member->owner; owner = owner->base)
            ;
        member->owner = owner;
        member->field = owner->fields;
        member->index = 0;
    }
    return true;
}

bool member_find(const struct shape *shape, const char *name, size_t length, struct member *member)
{
    *member = (struct member){ 0 };
    while (member_next(shape, member))
        if (!strncmp(member->field->name, name, length) && !member->field->name[length])
            return true;
    return false;
}

bool member_give(const struct member *member, void *value, struct given *given)
{
    uint64_t *word = &given->bits[member->place / 64], bit = (uint64_t)1 << member->place % 64;
    bool fresh = !(*word & bit);

    *word |= bit;
    if (member->owner->given >= 0)
        *(uint64_t *)((char *)value + member->owner->given) |= (uint64_t)1 << member->index;
    return fresh;
}

const char *word_list(const char *const *words, size_t count, char room[WORD_LIST_ROOM])
{
    size_t used = 0;

    room[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const char *comma = i ? ", " : "";

        if (used + strlen(comma) + strlen(words[i]) + sizeof ", \u2026" > WORD_LIST_ROOM) {
            snprintf(room + used, WORD_LIST_ROOM - used, ", \u2026");
            break;
        }
        used += (size_t)snprintf(room + used, WORD_LIST_ROOM - used, "%s%s", comma, words[i]);
    }
    return room;
}

bool member_unknown(const char *what, const char *const *words, size_t count, const char *name,
                    size_t length, struct fault *why)
{
    char room[ECHO_ROOM], copy[ECHO_ROOM], all[WORD_LIST_ROOM];
    const char *near;

    snprintf(copy, sizeof copy, "%.*s", (int)(length < 50 ? length : 50), name);
    echo_text(name, length, room);
    if (!count)
        return fault_set(why, FAULT_INPUT, "There is no %s %s here; none is known", what, room);
    near = word_nearest(copy, words, count);
    if (near)
        return fault_set(why, FAULT_INPUT, "There is no %s %s here; did you mean \"%s\"?", what,
                         room, near);
    return fault_set(why, FAULT_INPUT, "There is no %s %s here, only %s", what, room,
                     word_list(words, count, all));
}

static void numbers_absent(const struct field *field, double *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = field->has_value ? field->value : NAN;
}

static bool member_default(const struct field *field, void *to, struct arena *arena,
                           struct fault *why)
{
    switch (field->kind) {
    case FIELD_POINT:
        numbers_absent(field, to, 2);
        return true;
    case FIELD_POINT3:
        numbers_absent(field, to, 3);
        return true;
    case FIELD_OBJECT:
        return shape_defaults(field->shape, to, arena, why);
    case FIELD_VARIANT:
        ((struct variant *)to)->chosen = -1;
        return true;
    default:
        break;
    }
    if (!field->has_value)
        return true;
    switch (field->kind) {
    case FIELD_INT:
        *(int32_t *)to = (int32_t)field->value;
        break;
    case FIELD_CHOICE:
        *(int *)to = (int)field->value;
        break;
    case FIELD_INT64:
        *(int64_t *)to = (int64_t)field->value;
        break;
    case FIELD_REAL:
    case FIELD_PICK:
        *(double *)to = field->value;
        break;
    case FIELD_BOOL:
        *(bool *)to = field->value != 0;
        break;
    case FIELD_REALS:
        numbers_absent(field, to, field->count);
        break;
    case FIELD_INTS:
        for (int i = 0; i < field->count; i++)
            ((int32_t *)to)[i] = (int32_t)field->value;
        break;
    case FIELD_TEXT:
    case FIELD_NAME:
        *(const char **)to = field->text;
        break;
    default:
        break;
    }
    return true;
}

size_t member_size(const struct field *field)
{
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_CHOICE:
        return sizeof(int32_t);
    case FIELD_INT64:
    case FIELD_REAL:
    case FIELD_PICK:
        return sizeof(double);
    case FIELD_BOOL:
        return sizeof(bool);
    case FIELD_TEXT:
    case FIELD_NAME:
        return sizeof(const char *);
    case FIELD_REALS:
        return (size_t)field->count * sizeof(double);
    case FIELD_INTS:
        return (size_t)field->count * sizeof(int32_t);
    case FIELD_POINT:
        return 2 * sizeof(double);
    case FIELD_POINT3:
        return 3 * sizeof(double);
    case FIELD_OBJECT:
        return field->shape->size;
    case FIELD_VARIANT:
        return sizeof(struct variant);
    case FIELD_RECT:
        return sizeof(struct rect);
    case FIELD_JSON:
        return sizeof(struct json_text);
    default:
        return sizeof(struct list);
    }
}

bool shape_defaults(const struct shape *shape, void *value, struct arena *arena, struct fault *why)
{
    struct member member = { 0 };

    while (member_next(shape, &member))
        if (!member_default(member.field, field_in(member.field, value), arena, why))
            return false;
    return true;
}

const struct field *shape_missing(const struct shape *shape, const struct given *given)
{
    struct member member = { 0 };

    while (member_next(shape, &member))
        if (member.field->required && !(given->bits[member.place / 64] >> member.place % 64 & 1))
            return member.field;
    return NULL;
}

bool member_bounds(const struct field *field, double number, struct fault *why)
{
    char least[NUMBER_ROOM], greatest[NUMBER_ROOM], shown[NUMBER_ROOM];
    const char *unit = field->unit ? field->unit : "";

    if (field->least == 0 && field->greatest == 0)
        return true;
    if (number <= field->greatest &&
        (field->above_least ? number > field->least : number >= field->least))
        return true;
    number_print(field->least, least);
    number_print(field->greatest, greatest);
    number_print(number, shown);
    return fault_set(why, FAULT_INPUT, "%s must be %s %s and at most %s%s%s, not %s", field->name,
                     field->above_least ? "above" : "at least", least, greatest, *unit ? " " : "",
                     unit, shown);
}

static bool member_whole(const struct field *field, double number, struct fault *why)
{
    char shown[NUMBER_ROOM], near[NUMBER_ROOM];

    if (number == floor(number) && fabs(number) <= 9007199254740992.0)
        return true;
    number_print(number, shown);
    number_print(floor(number + 0.5), near);
    return fault_set(why, FAULT_INPUT, "%s must be a whole number, such as %s, not %s", field->name,
                     fabs(number) <= 9007199254740992.0 ? near : "0", shown);
}

bool member_is_whole(const struct field *field)
{
    return field->kind == FIELD_INT || field->kind == FIELD_INT64 || field->kind == FIELD_INTS;
}

bool member_number(const struct field *field, double number, void *to, struct fault *why)
{
    const bool whole = member_is_whole(field);

    if (!member_bounds(field, number, why) || (whole && !member_whole(field, number, why)))
        return false;
    if (field->kind == FIELD_INT64) {
        *(int64_t *)to = (int64_t)number;
    } else if (whole) {
        if (number < INT32_MIN || number > INT32_MAX)
            return fault_set(why, FAULT_INPUT, "%s must lie between -2147483648 and 2147483647",
                             field->name);
        *(int32_t *)to = (int32_t)number;
    } else {
        *(double *)to = number;
    }
    return true;
}

int word_choose(const char *const *words, const char *text, size_t length, struct fault *why)
{
    char room[ECHO_ROOM], copy[ECHO_ROOM], all[WORD_LIST_ROOM];
    size_t count = 0;
    const char *near;

    for (; words[count]; count++)
        if (!strncmp(words[count], text, length) && !words[count][length])
            return (int)count;
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 50 ? length : 50), text);
    near = word_nearest(copy, words, count);
    word_list(words, count, all);
    echo_text(text, length, room);
    if (near)
        fault_set(why, FAULT_INPUT, "%s is none of %s; did you mean \"%s\"?", room, all, near);
    else
        fault_set(why, FAULT_INPUT, "%s is none of %s", room, all);
    return -1;
}

static bool member_length(const struct field *field, size_t length, struct fault *why)
{
    if (field->least == 0 && field->greatest == 0)
        return true;
    if ((double)length >= field->least && (double)length <= field->greatest)
        return true;
    return fault_set(why, FAULT_INPUT, "%s must have %.0f to %.0f bytes, not %zu", field->name,
                     field->least, field->greatest, length);
}

static bool member_string(const struct field *field, const char *text, size_t length,
                          struct arena *arena, void *to, struct fault *why)
{
    char *copy;

    if (field->kind == FIELD_TEXT && !member_length(field, length, why))
        return false;
    copy = arena_new(arena, length + 1);
    if (!copy)
        return fault_set(why, FAULT_MEMORY, "No memory for %s", field->name);
    memcpy(copy, text, length);
    if (field->kind == FIELD_NAME && !name_valid(copy)) {
        char room[ECHO_ROOM];
        return fault_set(why, FAULT_INPUT,
                         "%s must be 1 to 64 of the characters A-Z a-z 0-9 . _ - and not begin "
                         "with a dot, not %s",
                         field->name, echo_text(text, length, room));
    }
    *(const char **)to = copy;
    return true;
}

bool member_text(const struct field *field, const char *text, size_t length, struct arena *arena,
                 void *to, struct fault *why)
{
    int chosen;

    switch (field->kind) {
    case FIELD_CHOICE:
        chosen = word_choose(field->words, text, length, why);
        if (chosen < 0)
            return false;
        *(int *)to = chosen;
        return true;
    case FIELD_PICK:
        if (strncmp(field->words[0], text, length) || field->words[0][length]) {
            char room[ECHO_ROOM];
            return fault_set(why, FAULT_INPUT, "%s must be a number or \"%s\", not %s", field->name,
                             field->words[0], echo_text(text, length, room));
        }
        *(double *)to = NAN;
        return true;
    default:
        return member_string(field, text, length, arena, to, why);
    }
}

bool member_count(const struct field *field, size_t count, struct fault *why)
{
    const char *unit = field->unit ? field->unit : "items";

    if (field->least == 0 && field->greatest == 0)
        return true;
    if ((double)count >= field->least && (double)count <= field->greatest)
        return true;
    return fault_set(why, FAULT_INPUT, "%s must have %.0f to %.0f %s, not %zu", field->name,
                     field->least, field->greatest, unit, count);
}
