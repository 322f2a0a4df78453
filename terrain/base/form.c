#include "terrain/base/form.h"

#include <string.h>

bool form_add_number(struct bytes *to, uint64_t number, int size, struct fault *why)
{
    unsigned char bytes[8];

    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    return bytes_add(to, bytes, (size_t)size, why);
}

bool form_add_real(struct bytes *to, double real, struct fault *why)
{
    uint64_t bits;

    memcpy(&bits, &real, sizeof bits);
    return form_add_number(to, bits, 8, why);
}

bool form_add_text(struct bytes *to, const char *text, struct fault *why)
{
    return bytes_add(to, text, strlen(text) + 1, why);
}

uint64_t form_take_number(struct form_reader *from, int size)
{
    uint64_t number = 0;

    from->whole = from->whole && from->left >= (size_t)size;
    if (!from->whole)
        return 0;
    for (int i = 0; i < size; i++)
        number |= (uint64_t)from->at[i] << (8 * i);
    from->at += size;
    from->left -= (size_t)size;
    return number;
}

double form_take_real(struct form_reader *from)
{
    uint64_t bits = form_take_number(from, 8);
    double real;

    memcpy(&real, &bits, sizeof real);
    return real;
}

void form_take_text(struct form_reader *from, char *text, size_t room)
{
    size_t length = from->whole ? strnlen((const char *)from->at, from->left) : 0;

    from->whole = from->whole && length < from->left && length < room;
    if (!from->whole)
        return;
    memcpy(text, from->at, length + 1);
    from->at += length + 1;
    from->left -= length + 1;
}
