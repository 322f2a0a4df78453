#include "server/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

static bool address_split(const char *address, char host[64], const char **port)
{
    const char *colon = strrchr(address, ':');
    size_t length;

    if (!colon || !colon[1])
        return false;
    length = (size_t)(colon - address);
    if (*address == '[') {
        if (length < 2 || address[length - 1] != ']')
            return false;
        address++;
        length -= 2;
    }
    if (!length || length >= 64)
        return false;
    memcpy(host, address, length);
    host[length] = '\0';
    *port = colon + 1;
    return strspn(*port, "0123456789") == strlen(*port) && strlen(*port) <= 5 &&
           atoi(*port) <= 65535;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 ==
               127;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

static void url_print(int socket, struct listening *listening)
{
    struct sockaddr_storage address = { 0 };
    socklen_t length = sizeof address;
    char host[64], port[16];

    getsockname(socket, (struct sockaddr *)&address, &length);
    if (getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV))
        return;
    snprintf(listening->url, sizeof listening->url,
             address.ss_family == AF_INET6 ? "http://[%s]:%s" : "http://%s:%s", host, port);
}

static int socket_open(const struct addrinfo *at)
{
    int socket_ = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;

    if (socket_ < 0)
        return -1;
    setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(socket_, at->ai_addr, at->ai_addrlen) < 0 || listen(socket_, BACKLOG) < 0) {
        int error = errno;
        close(socket_);
        errno = error;
        return -1;
    }
    return socket_;
}

/* Before the socket: what is refused was never open. */
static bool address_guarded(const char *address, const struct addrinfo *found, bool guarded,
                            struct fault *why)
{
    if (guarded || is_loopback(found->ai_addr))
        return true;
    return fault_set(why, FAULT_INPUT,
                     "%.60s is reachable by others and no --tokens are configured: anybody could "
                     "change everything. Name a tokens file (see --new-token) or listen on "
                     "127.0.0.1",
                     address);
}

bool listen_open(const char *address, bool guarded, struct listening *listening, struct fault *why)
{
    const struct addrinfo wanted = { .ai_socktype = SOCK_STREAM,
                                     .ai_flags = AI_PASSIVE | AI_NUMERICSERV };
    struct addrinfo *found = NULL;
    const char *port;
    char host[64];
    int error;

    if (!address_split(address, host, &port))
        return fault_set(why, FAULT_INPUT,
                         "listen must be ADDR:PORT with a port up to 65535, such as "
                         "127.0.0.1:8080, not \"%.60s\"",
                         address);
    error = getaddrinfo(host, port, &wanted, &found);
    if (error)
        return fault_set(why, FAULT_INPUT, "\"%.60s\" is no address to listen on: %s", address,
                         gai_strerror(error));
    if (!address_guarded(address, found, guarded, why)) {
        freeaddrinfo(found);
        return false;
    }
    listening->socket = socket_open(found);
    error = errno;
    freeaddrinfo(found);
    errno = error;
    if (listening->socket < 0)
        return fault_errno(why, FAULT_CONFLICT, "listening on %s", address);
    url_print(listening->socket, listening);
    return true;
}
