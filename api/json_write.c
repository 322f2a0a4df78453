#include "api/json_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/json_scan.h"
#include "api/member.h"
#include "api/number.h"

static bool object_write(const struct shape *shape, const char *tag, const char *word,
                         const void *value, struct bytes *to, struct fault *why);

static bool put(struct bytes *to, const char *text, size_t length, struct fault *why)
{
    return bytes_add(to, text, length, why);
}

static bool put_char(struct bytes *to, char c, struct fault *why)
{
    return bytes_add(to, &c, 1, why);
}

static bool put_null(struct bytes *to, struct fault *why)
{
    return put(to, "null", 4, why);
}

static bool put_number(struct bytes *to, double value, struct fault *why)
{
    char text[NUMBER_ROOM];

    return put(to, text, number_print(value, text), why);
}

/* One byte that cannot stand as it is. */
static bool put_escaped(struct bytes *to, unsigned char c, struct fault *why)
{
    static const char from[] = "\"\\\b\f\n\r\t", into[] = "\"\\bfnrt";
    const char *which = c ? strchr(from, c) : NULL;
    char text[8];

    if (which)
        return put(to, (char[]){ '\\', into[which - from] }, 2, why);
    snprintf(text, sizeof text, "\\u%04x", c);
    return put(to, text, 6, why);
}

static bool text_write(const char *text, size_t length, struct bytes *to, struct fault *why)
{
    size_t i = 0;

    if (!put_char(to, '"', why))
        return false;
    while (i < length) {
        size_t begin = i, bad = length;
        while (i < length && (unsigned char)text[i] >= 0x20 && text[i] != '"' && text[i] != '\\' &&
               text[i] != 0x7F)
            i++;
        if (!utf8_valid(text + begin, i - begin, &bad)) {
            i = begin + bad + 1;
            if (!put(to, text + begin, bad, why) || !put(to, "\xEF\xBF\xBD", 3, why))
                return false;
            continue;
        }
        if (!put(to, text + begin, i - begin, why))
            return false;
        if (i < length && !put_escaped(to, (unsigned char)text[i++], why))
            return false;
    }
    return put_char(to, '"', why);
}

bool json_write_text(const char *text, struct bytes *to, struct fault *why)
{
    return text_write(text, strlen(text), to, why);
}

/* The rule of field.h: what prints null. */
static bool prints_null(const struct field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_NAME:
        return !*(const char *const *)at;
    case FIELD_REAL:
        return !isfinite(*(const double *)at);
    case FIELD_CHOICE: /* -1 is how a row says that there is none */
        return *(const int *)at < 0;
    case FIELD_POINT:
    case FIELD_POINT3:
    case FIELD_REALS:
        return isnan(*(const double *)at);
    case FIELD_RECT:
        return rect_empty(*(const struct rect *)at);
    case FIELD_VARIANT:
        return !((const struct variant *)at)->members;
    case FIELD_LIST:
    case FIELD_POINTS:
    case FIELD_VARIANTS:
    case FIELD_NUMBERS:
    case FIELD_TEXTS:
        return !((const struct list *)at)->items;
    case FIELD_OBJECT: {
        struct member first = { 0 };
        return member_next(field->shape, &first) &&
               prints_null(first.field, field_in(first.field, at));
    }
    case FIELD_JSON:
        return !((const struct json_text *)at)->text;
    default:
        return false;
    }
}

static bool numbers_write(const struct field *field, const void *at, int count, struct bytes *to,
                          struct fault *why)
{
    if (!put_char(to, '[', why))
        return false;
    for (int i = 0; i < count; i++) {
        double number =
            field->kind == FIELD_INTS ? ((const int32_t *)at)[i] : ((const double *)at)[i];
        if ((i && !put_char(to, ',', why)) || !put_number(to, number, why))
            return false;
    }
    return put_char(to, ']', why);
}

static bool variant_write(const struct field *field, const struct variant *variant,
                          struct bytes *to, struct fault *why)
{
    const struct variant_set *set = field->variants;

    if (!variant->members)
        return put_null(to, why);
    return object_write(set->shapes[variant->chosen], set->tag, set->words[variant->chosen],
                        variant->members, to, why);
}

static bool item_write(const struct field *field, const char *items, size_t i, struct bytes *to,
                       struct fault *why)
{
    struct field one = { .kind = FIELD_OBJECT, .shape = field->shape };
    const void *item;

    switch (field->kind) {
    case FIELD_POINTS:
        return numbers_write(field, items + i * (size_t)field_point_numbers(field) * sizeof(double),
                             field_point_numbers(field), to, why);
    case FIELD_TEXTS:
        return json_write_text(((const char *const *)items)[i], to, why);
    case FIELD_VARIANTS:
        return variant_write(field, (const struct variant *)items + i, to, why);
    default:
        item = items + i * field->shape->size;
        if (field->nullable && prints_null(&one, item))
            return put_null(to, why);
        return object_write(field->shape, NULL, NULL, item, to, why);
    }
}

/* Numbers go straight into their place. */
static bool numbers_print(const double *numbers, size_t first, size_t end, struct bytes *to,
                          struct fault *why)
{
    for (size_t i = first; i < end; i++) {
        if (to->room - to->length <= NUMBER_ROOM && !bytes_reserve(to, NUMBER_ROOM + 1, why))
            return false;
        if (i)
            to->data[to->length++] = ',';
        to->length += number_print(numbers[i], (char *)to->data + to->length);
    }
    return true;
}

/* Some of the items, each but the list's first behind its comma. */
static bool items_write(const struct field *field, const struct list *list, size_t first,
                        size_t end, struct bytes *to, struct fault *why)
{
    if (field->kind == FIELD_NUMBERS)
        return numbers_print(list->items, first, end, to, why);
    for (size_t i = first; i < end; i++)
        if ((i && !put_char(to, ',', why)) || !item_write(field, list->items, i, to, why))
            return false;
    return true;
}

/* As many pieces of a long list as are printed at once, before they are joined. */
enum { PIECES = 16, PIECE_NUMBERS = 8192, PIECE_ITEMS = 1024 };

struct wave {
    const struct field *field;
    const struct list *list;
    size_t first, step;
    struct bytes texts[PIECES];
    struct fault whys[PIECES];
};

static void piece_write(void *work, size_t i)
{
    struct wave *wave = work;
    size_t first = wave->first + i * wave->step, left = wave->list->count - first;

    wave->texts[i].length = 0;
    wave->whys[i].code = FAULT_NONE;
    items_write(wave->field, wave->list, first, first + (left < wave->step ? left : wave->step),
                &wave->texts[i], &wave->whys[i]);
}

static bool wave_join(const struct wave *wave, size_t pieces, struct bytes *to, struct fault *why)
{
    for (size_t i = 0; i < pieces; i++) {
        if (wave->whys[i].code != FAULT_NONE) {
            *why = wave->whys[i];
            return false;
        }
        if (!bytes_add(to, wave->texts[i].data, wave->texts[i].length, why))
            return false;
    }
    return true;
}

static bool items_split(const struct field *field, const struct list *list, size_t step,
                        const struct executor *executor, struct bytes *to, struct fault *why)
{
    struct wave wave = { .field = field, .list = list, .step = step };
    bool done = true;

    for (; done && wave.first < list->count; wave.first += PIECES * step) {
        size_t left = (list->count - wave.first + step - 1) / step;
        size_t pieces = left < PIECES ? left : PIECES;

        executor_run(executor, pieces, piece_write, &wave);
        done = wave_join(&wave, pieces, to, why);
    }
    for (size_t i = 0; i < PIECES; i++)
        bytes_free(&wave.texts[i]);
    return done;
}

static bool list_write(const struct field *field, const struct list *list,
                       const struct executor *executor, struct bytes *to, struct fault *why)
{
    size_t step = field->kind == FIELD_NUMBERS ? PIECE_NUMBERS : PIECE_ITEMS;

    return put_char(to, '[', why) &&
           (executor && list->count > 2 * step
                ? items_split(field, list, step, executor, to, why)
                : items_write(field, list, 0, list->count, to, why)) &&
           put_char(to, ']', why);
}

static bool field_write(const struct field *field, const void *at, const struct executor *executor,
                        struct bytes *to, struct fault *why)
{
    bool always = field->kind == FIELD_TEXT || field->kind == FIELD_NAME ||
                  field->kind == FIELD_REAL || field->kind == FIELD_JSON ||
                  field->kind == FIELD_CHOICE;

    if ((field->nullable || always) && prints_null(field, at))
        return put_null(to, why);
    switch (field->kind) {
    case FIELD_INT:
        return bytes_print(to, why, "%" PRId32, *(const int32_t *)at);
    case FIELD_INT64:
        return bytes_print(to, why, "%" PRId64, *(const int64_t *)at);
    case FIELD_REAL:
        return put_number(to, *(const double *)at, why);
    case FIELD_PICK:
        return isnan(*(const double *)at) ? json_write_text(field->words[0], to, why)
                                          : put_number(to, *(const double *)at, why);
    case FIELD_BOOL:
        return *(const bool *)at ? put(to, "true", 4, why) : put(to, "false", 5, why);
    case FIELD_TEXT:
    case FIELD_NAME:
        return json_write_text(*(const char *const *)at, to, why);
    case FIELD_CHOICE:
        return json_write_text(field->words[*(const int *)at], to, why);
    case FIELD_REALS:
    case FIELD_INTS:
        return numbers_write(field, at, field->count, to, why);
    case FIELD_POINT:
        return numbers_write(field, at, 2, to, why);
    case FIELD_POINT3:
        return numbers_write(field, at, 3, to, why);
    case FIELD_OBJECT:
        return object_write(field->shape, NULL, NULL, at, to, why);
    case FIELD_VARIANT:
        return variant_write(field, at, to, why);
    case FIELD_RECT: {
        const struct rect *r = at;
        return bytes_print(to, why, "{\"x\":%d,\"y\":%d,\"width\":%d,\"height\":%d}", r->x, r->y,
                           r->width, r->height);
    }
    case FIELD_JSON: {
        const char *text = ((const struct json_text *)at)->text;
        return put(to, text, strlen(text), why);
    }
    default:
        return list_write(field, at, executor, to, why);
    }
}

static bool members_write(const struct shape *shape, const char *tag, const char *word,
                          const void *value, const struct executor *executor, struct bytes *to,
                          struct fault *why)
{
    struct member member = { 0 };
    bool first = !tag;

    if (!put_char(to, '{', why))
        return false;
    if (tag && !bytes_print(to, why, "\"%s\":\"%s\"", tag, word))
        return false;
    while (member_next(shape, &member)) {
        if (member.field->left_out && prints_null(member.field, field_in(member.field, value)))
            continue;
        if ((!first && !put_char(to, ',', why)) || !json_write_text(member.field->name, to, why) ||
            !put_char(to, ':', why) ||
            !field_write(member.field, field_in(member.field, value), executor, to, why))
            return false;
        first = false;
    }
    return put_char(to, '}', why);
}

static bool object_write(const struct shape *shape, const char *tag, const char *word,
                         const void *value, struct bytes *to, struct fault *why)
{
    return members_write(shape, tag, word, value, NULL, to, why);
}

bool json_write_large(const struct shape *shape, const void *value, const struct executor *executor,
                      struct bytes *to, struct fault *why)
{
    return members_write(shape, NULL, NULL, value, executor, to, why);
}

bool json_write(const struct shape *shape, const void *value, struct bytes *to, struct fault *why)
{
    return json_write_large(shape, value, NULL, to, why);
}
