#include "api/colour.h"

#include <string.h>

bool colour_read(const char *text, uint8_t colour[3], const char *place, struct fault *why)
{
    static const char digits[] = "0123456789abcdef";
    int digit[6], count = 0;

    for (; text && text[0] == '#' && count < 6; count++) {
        char c = text[1 + count];
        const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

        if (!at)
            break;
        digit[count] = (int)(at - digits);
    }
    if (count < 6 || text[7]) {
        fault_set(why, FAULT_INPUT, "\"%.32s\" is no colour; one is #rrggbb, as #4f7a3b",
                  text ? text : "null");
        return place ? fault_at(why, "%s", place) : false;
    }
    for (int i = 0; i < 3; i++)
        colour[i] = (uint8_t)(digit[2 * i] * 16 + digit[2 * i + 1]);
    return true;
}
