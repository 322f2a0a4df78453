#include "terrain/base/bytes.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){ 0 };
}

bool bytes_reserve(struct bytes *bytes, size_t more, struct fault *why)
{
    size_t room = bytes->room ? bytes->room : 64;
    unsigned char *data;

    if (more <= bytes->room - bytes->length)
        return true;
    if (more > SIZE_MAX / 4 - bytes->length)
        return fault_set(why, FAULT_MEMORY, "%zu bytes are more than memory holds", more);
    while (room - bytes->length < more)
        room += room / 2;
    data = realloc(bytes->data, room);
    if (!data)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu bytes", room);
    bytes->data = data;
    bytes->room = room;
    return true;
}

bool bytes_add(struct bytes *bytes, const void *data, size_t length, struct fault *why)
{
    if (!bytes_reserve(bytes, length, why))
        return false;
    if (length)
        memcpy(bytes->data + bytes->length, data, length);
    bytes->length += length;
    return true;
}

bool bytes_print(struct bytes *bytes, struct fault *why, const char *format, ...)
{
    size_t room = bytes->room - bytes->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(room ? (char *)bytes->data + bytes->length : NULL, room, format, arguments);
    va_end(arguments);
    if (length < 0)
        return fault_set(why, FAULT_MEMORY, "no memory to print %s", format);
    if ((size_t)length >= room) {
        if (!bytes_reserve(bytes, (size_t)length + 1, why))
            return false;
        va_start(arguments, format);
        vsnprintf((char *)bytes->data + bytes->length, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    bytes->length += (size_t)length;
    return true;
}
