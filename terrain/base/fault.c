#include "terrain/base/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *slug, *title;
} rows[FAULT_COUNT] = {
    [FAULT_NONE] = { "none", "Nothing failed" },
#define FAULT(code, status, slug, title) [FAULT_##code] = { slug, title },
#include "terrain/base/faults.def"
#undef FAULT
};

bool fault_set(struct fault *why, enum fault_code code, const char *sentence, ...)
{
    va_list arguments;

    why->code = code;
    why->place[0] = '\0';
    va_start(arguments, sentence);
    vsnprintf(why->detail, sizeof why->detail, sentence, arguments);
    va_end(arguments);
    return false;
}

static enum fault_code code_of(int error, enum fault_code code)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
        return FAULT_FULL;
    case ENOMEM:
        return FAULT_MEMORY;
    default:
        return code;
    }
}

bool fault_errno(struct fault *why, enum fault_code code, const char *doing, ...)
{
    int error = errno;
    va_list arguments;
    size_t used;

    why->code = code_of(error, code);
    why->place[0] = '\0';
    va_start(arguments, doing);
    vsnprintf(why->detail, sizeof why->detail, doing, arguments);
    va_end(arguments);
    used = strlen(why->detail);
    snprintf(why->detail + used, sizeof why->detail - used, ": %s", strerror(error));
    return false;
}

bool fault_at(struct fault *why, const char *place, ...)
{
    va_list arguments;

    va_start(arguments, place);
    vsnprintf(why->place, sizeof why->place, place, arguments);
    va_end(arguments);
    return false;
}

bool fault_within(struct fault *why, const char *step, ...)
{
    char longer[2 * sizeof why->place], *begin = longer + 1;
    va_list arguments;
    size_t used;

    va_start(arguments, step);
    vsnprintf(begin, sizeof why->place, step, arguments);
    va_end(arguments);
    if (*begin != '/') {
        begin = longer;
        *begin = '/';
    }
    used = strlen(begin);
    snprintf(begin + used, sizeof why->place, "%s", why->place);
    begin[sizeof why->place - 1] = '\0';
    memcpy(why->place, begin, strlen(begin) + 1);
    return false;
}

const char *fault_slug(enum fault_code code)
{
    return rows[code].slug;
}

const char *fault_title(enum fault_code code)
{
    return rows[code].title;
}
