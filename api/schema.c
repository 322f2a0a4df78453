#include "api/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/member.h"

const char *schema_description(const struct field *field, char room[DESCRIPTION_ROOM])
{
    const char *help = field->help ? field->help : "";

    if (field->unit && *field->unit)
        snprintf(room, DESCRIPTION_ROOM, "%s (%s)", help, field->unit);
    else
        snprintf(room, DESCRIPTION_ROOM, "%s", help);
    return room;
}

static void type(struct outline *outline, const char *word, const struct field *field, bool answer)
{
    /* The rule of field.h: these print null without being told so. */
    bool null =
        field->nullable || (answer && (field->kind == FIELD_REAL || field->kind == FIELD_TEXT ||
                                       field->kind == FIELD_NAME));

    if (!null) {
        outline_text(outline, "type", word);
        return;
    }
    outline_open(outline, "type", '[');
    outline_text(outline, NULL, word);
    outline_text(outline, NULL, "null");
    outline_close(outline);
}

static void bounds(struct outline *outline, const struct field *field, const char *least,
                   const char *greatest)
{
    if (field->least == 0 && field->greatest == 0)
        return;
    outline_number(outline, field->above_least ? "exclusiveMinimum" : least, field->least);
    outline_number(outline, greatest, field->greatest);
}

static void words(struct outline *outline, const char *const *list)
{
    outline_open(outline, "enum", '[');
    for (; *list; list++)
        outline_text(outline, NULL, *list);
    outline_close(outline);
}

static void numbers(struct outline *outline, const struct field *field, const char *word, int count)
{
    outline_open(outline, "items", '{');
    outline_text(outline, "type", word);
    if (field->kind == FIELD_REALS || field->kind == FIELD_INTS)
        bounds(outline, field, "minimum", "maximum");
    outline_close(outline);
    outline_number(outline, "minItems", count);
    outline_number(outline, "maxItems", count);
}

static void rect_members(struct outline *outline)
{
    static const char *const sides[] = { "x", "y", "width", "height" };

    outline_open(outline, "properties", '{');
    for (int i = 0; i < 4; i++) {
        outline_open(outline, sides[i], '{');
        outline_text(outline, "type", "integer");
        if (i >= 2)
            outline_number(outline, "minimum", 1);
        outline_close(outline);
    }
    outline_close(outline);
    outline_json(outline, "required", "[\"x\", \"y\", \"width\", \"height\"]");
    outline_bool(outline, "additionalProperties", false);
}

const char *schema_set_name(const struct variant_set *set)
{
    return set->name ? set->name : set->tag;
}

static void choices(struct outline *outline, const struct variant_set *set)
{
    char ref[160];

    outline_open(outline, "oneOf", '[');
    for (int i = 0; i < set->count; i++) {
        snprintf(ref, sizeof ref, "#/components/schemas/%s_%s", schema_set_name(set),
                 set->words[i]);
        outline_open(outline, NULL, '{');
        outline_text(outline, "$ref", ref);
        outline_close(outline);
    }
    if (set->plain) {
        outline_open(outline, NULL, '{');
        outline_text(outline, "type", "string");
        outline_close(outline);
    }
    outline_close(outline);
    outline_open(outline, "discriminator", '{');
    outline_text(outline, "propertyName", set->tag);
    outline_open(outline, "mapping", '{');
    for (int i = 0; i < set->count; i++) {
        snprintf(ref, sizeof ref, "#/components/schemas/%s_%s", schema_set_name(set),
                 set->words[i]);
        outline_text(outline, set->words[i], ref);
    }
    outline_close(outline);
    outline_close(outline);
}

static void shape_members(struct outline *outline, const struct shape *shape, const char *tag,
                          const char *word, bool answer)
{
    struct member member = { 0 };
    bool any = tag || answer;

    outline_open(outline, "properties", '{');
    if (tag) {
        outline_open(outline, tag, '{');
        outline_text(outline, "const", word);
        outline_close(outline);
    }
    while (member_next(shape, &member)) {
        schema_field(outline, member.field->name, member.field, answer);
        any = any || member.field->required;
    }
    outline_close(outline);
    if (any) {
        outline_open(outline, "required", '[');
        if (tag)
            outline_text(outline, NULL, tag);
        member = (struct member){ 0 };
        while (member_next(shape, &member))
            if (answer ? !member.field->left_out : member.field->required)
                outline_text(outline, NULL, member.field->name);
        outline_close(outline);
    }
    if (!answer)
        outline_bool(outline, "additionalProperties", false);
}

static void list_of(struct outline *outline, const struct field *field, bool answer)
{
    static const struct field pair = { .kind = FIELD_POINT };

    outline_open(outline, "items", '{');
    if (field->kind == FIELD_VARIANTS) {
        choices(outline, field->variants);
    } else if (field->kind == FIELD_POINTS) {
        outline_text(outline, "type", "array");
        numbers(outline, &pair, "number", field_point_numbers(field));
    } else if (field->kind == FIELD_LIST) {
        if (field->plain && !answer)
            outline_json(outline, "type", "[\"object\", \"string\"]");
        else
            type(outline, "object", field, answer);
        shape_members(outline, field->shape, NULL, NULL, answer);
    } else if (field->kind == FIELD_NUMBERS && answer) {
        outline_json(outline, "type", "[\"number\", \"null\"]");
    } else {
        outline_text(outline, "type", field->kind == FIELD_NUMBERS ? "number" : "string");
    }
    outline_close(outline);
    bounds(outline, field, "minItems", "maxItems");
}

/* Defaults that no client could send (-1 of a choice, NaN) are the handler's own way to say
 * "absent". */
static void default_value(struct outline *outline, const struct field *field)
{
    if (!field->has_value)
        return;
    switch (field->kind) {
    case FIELD_CHOICE:
        if (field->value >= 0)
            outline_text(outline, "default", field->words[(int)field->value]);
        break;
    case FIELD_BOOL:
        outline_bool(outline, "default", field->value != 0);
        break;
    case FIELD_TEXT:
    case FIELD_NAME:
        if (field->text)
            outline_text(outline, "default", field->text);
        break;
    case FIELD_PICK:
        if (isnan(field->value)) {
            outline_text(outline, "default", field->words[0]);
            break;
        }
        /* fall through */
    case FIELD_INT:
    case FIELD_INT64:
    case FIELD_REAL:
        if (isfinite(field->value))
            outline_number(outline, "default", field->value);
        break;
    default:
        break;
    }
}

static void kind_members(struct outline *outline, const struct field *field, bool answer)
{
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_INT64:
        type(outline, "integer", field, answer);
        bounds(outline, field, "minimum", "maximum");
        break;
    case FIELD_REAL:
        type(outline, "number", field, answer);
        bounds(outline, field, "minimum", "maximum");
        break;
    case FIELD_BOOL:
        type(outline, "boolean", field, answer);
        break;
    case FIELD_TEXT:
        type(outline, "string", field, answer);
        bounds(outline, field, "minLength", "maxLength");
        break;
    case FIELD_NAME:
        type(outline, "string", field, answer);
        outline_text(outline, "pattern", "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$");
        break;
    case FIELD_CHOICE:
        type(outline, "string", field, answer);
        words(outline, field->words);
        break;
    case FIELD_REALS:
    case FIELD_INTS:
        type(outline, "array", field, answer);
        numbers(outline, field, field->kind == FIELD_INTS ? "integer" : "number", field->count);
        break;
    case FIELD_POINT:
    case FIELD_POINT3:
        type(outline, "array", field, answer);
        numbers(outline, field, "number", field->kind == FIELD_POINT ? 2 : 3);
        break;
    case FIELD_OBJECT:
        type(outline, "object", field, answer);
        shape_members(outline, field->shape, NULL, NULL, answer);
        break;
    case FIELD_RECT:
        type(outline, "object", field, answer);
        rect_members(outline);
        break;
    case FIELD_PICK:
        outline_json(outline, "type", "[\"number\", \"string\"]");
        break;
    case FIELD_VARIANT:
        choices(outline, field->variants);
        break;
    case FIELD_JSON:
    case FIELD_END:
        break;
    default:
        outline_text(outline, "type", "array");
        list_of(outline, field, answer);
    }
}

void schema_field(struct outline *outline, const char *key, const struct field *field, bool answer)
{
    char room[DESCRIPTION_ROOM];

    outline_open(outline, key, '{');
    if (*schema_description(field, room))
        outline_text(outline, "description", room);
    kind_members(outline, field, answer);
    if (!answer)
        default_value(outline, field);
    outline_close(outline);
}

void schema_shape(struct outline *outline, const char *key, const struct shape *shape, bool answer)
{
    outline_open(outline, key, '{');
    if (shape_choice(shape)) {
        choices(outline, shape_choice(shape));
    } else {
        outline_text(outline, "type", "object");
        shape_members(outline, shape, NULL, NULL, answer);
    }
    outline_close(outline);
}

void schema_choice(struct outline *outline, const char *key, const struct variant_set *set, int i,
                   bool answer)
{
    outline_open(outline, key, '{');
    outline_text(outline, "type", "object");
    shape_members(outline, set->shapes[i], set->tag, set->words[i], answer);
    outline_close(outline);
}
