#include "server/peers.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Few addresses, or nobody would limit them: a list. */
struct peer {
    struct peer *next, **at;
    struct in6_addr address;
    int64_t count;
};

struct peers {
    pthread_mutex_t lock;
    int64_t most;
    struct peer *list;
};

struct peers *peers_new(int64_t most)
{
    struct peers *peers = calloc(1, sizeof *peers);

    if (!peers)
        return NULL;
    peers->most = most;
    pthread_mutex_init(&peers->lock, NULL);
    return peers;
}

void peers_free(struct peers *peers)
{
    if (!peers)
        return;
    pthread_mutex_destroy(&peers->lock);
    free(peers);
}

/* IPv4 as IPv6 has it. */
static bool address_read(const struct sockaddr *address, struct in6_addr *to)
{
    if (address->sa_family == AF_INET6) {
        *to = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        return true;
    }
    memset(to, 0, sizeof *to);
    to->s6_addr[10] = to->s6_addr[11] = 0xff;
    memcpy(&to->s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    return address->sa_family == AF_INET;
}

/* With the lock: there afterwards, unless memory is out. */
static struct peer *peer_find(struct peers *peers, const struct in6_addr *address)
{
    struct peer *peer = peers->list;

    while (peer && memcmp(&peer->address, address, sizeof *address))
        peer = peer->next;
    if (peer)
        return peer;
    peer = calloc(1, sizeof *peer);
    if (!peer)
        return NULL;
    peer->address = *address;
    peer->next = peers->list;
    peer->at = &peers->list;
    if (peer->next)
        peer->next->at = &peer->next;
    peers->list = peer;
    return peer;
}

bool peers_enter(struct peers *peers, const struct sockaddr *address, struct peer **peer)
{
    struct in6_addr plain;
    bool room;

    *peer = NULL;
    if (!peers->most || !address || !address_read(address, &plain))
        return true;
    pthread_mutex_lock(&peers->lock);
    *peer = peer_find(peers, &plain);
    room = *peer && (*peer)->count < peers->most;
    if (room)
        (*peer)->count++;
    pthread_mutex_unlock(&peers->lock);
    return room;
}

void peers_leave(struct peers *peers, struct peer *peer)
{
    if (!peer)
        return;
    pthread_mutex_lock(&peers->lock);
    if (--peer->count == 0) {
        *peer->at = peer->next;
        if (peer->next)
            peer->next->at = peer->at;
        free(peer);
    }
    pthread_mutex_unlock(&peers->lock);
}
