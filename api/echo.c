#include "api/echo.h"

#include <stdio.h>

#include "api/json_scan.h"

enum { ECHO_MOST = 40 };

const char *echo_text(const char *text, size_t length, char room[ECHO_ROOM])
{
    size_t used = 0, shown = length < ECHO_MOST ? length : ECHO_MOST, bad;

    room[used++] = '"';
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)text[i];
        room[used++] = c < 0x20 || c == 0x7F || c == '"' ? '?' : (char)c;
    }
    room[used] = '\0';
    /* A cut may fall inside a character; a client may also send none at all. */
    while (!utf8_valid(room, used, &bad))
        room[bad] = '?';
    snprintf(room + used, ECHO_ROOM - used, "\"%s", shown < length ? "..." : "");
    return room;
}
