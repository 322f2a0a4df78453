/* The socket that clients connect to. */
#ifndef SERVER_LISTEN_H
#define SERVER_LISTEN_H

#include <stdbool.h>

#include "terrain/base/fault.h"

enum { LISTEN_URL_ROOM = 96 };
struct listening {
    int socket;
    char url[LISTEN_URL_ROOM]; /* "http://127.0.0.1:8080", with the port that was picked */
};

/* address: "ADDR:PORT", "[IPv6]:PORT" or "localhost:PORT". Others may only reach it when the server
 * is guarded by tokens. Fails with INPUT and CONFLICT. */
bool listen_open(const char *address, bool guarded, struct listening *listening, struct fault *why);

#endif
