#include "api/service.h"

#include <string.h>

const struct limit_row limit_rows[] = {
#define LIMIT(name_, value_, least_, greatest_, unit_, help_)                                      \
    { #name_, offsetof(struct limits, name_), value_, least_, greatest_, unit_, help_ },
#include "api/limits.def"
#undef LIMIT
    { 0 }
};

void limits_init(struct limits *limits)
{
    for (const struct limit_row *row = limit_rows; row->name; row++)
        *limits_at(limits, row->name) = row->value;
}

int64_t *limits_at(const struct limits *limits, const char *name)
{
    for (const struct limit_row *row = limit_rows; row->name; row++)
        if (!strcmp(row->name, name))
            return (int64_t *)((char *)(uintptr_t)limits + row->at);
    return NULL;
}
