#include "terrain/base/field.h"

#include <string.h>

enum { NAME_MOST = 64, WORD_MOST = 64 };

static bool each_field(const struct shape *shape, bool inherited,
                       bool (*visit)(const struct field *field, int index, void *context),
                       void *context)
{
    if (shape->base && !each_field(shape->base, true, visit, context))
        return false;
    for (int i = 0; shape->fields && shape->fields[i].kind != FIELD_END; i++) {
        if (!visit(&shape->fields[i], inherited ? -1 : i, context))
            return false;
    }
    return true;
}

bool shape_each(const struct shape *shape,
                bool (*visit)(const struct field *field, int index, void *context), void *context)
{
    return each_field(shape, false, visit, context);
}

static bool name_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

bool name_valid(const char *name)
{
    size_t length = 0;

    if (name[0] == '\0' || name[0] == '.')
        return false;
    while (length <= NAME_MOST && name_letter(name[length]))
        length++;
    return name[length] == '\0' && length <= NAME_MOST;
}

/* Levenshtein's distance, one row kept. Both are shorter than WORD_MOST. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD_MOST], length = strlen(b);

    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t corner = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            size_t changed = corner + (a[i] != b[j]);
            size_t least = row[j] < row[j + 1] ? row[j] : row[j + 1];

            corner = row[j + 1];
            row[j + 1] = least + 1 < changed ? least + 1 : changed;
        }
    }
    return row[length];
}

const char *word_nearest(const char *wrong, const char *const *words, size_t count)
{
    size_t length = strlen(wrong), least = length / 3 + 2;
    const char *nearest = NULL;

    if (length >= WORD_MOST)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t far = strlen(words[i]) < WORD_MOST ? distance(wrong, words[i]) : least;

        if (far < least) {
            least = far;
            nearest = words[i];
        }
    }
    return nearest;
}
