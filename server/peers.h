/* How many event streams each address has: the HTTP library counts its connections alone. Any
 * thread. */
#ifndef SERVER_PEERS_H
#define SERVER_PEERS_H

#include <stdbool.h>
#include <stdint.h>

struct sockaddr;
struct peers;
struct peer;

/* most: streams of one address; 0 is no limit. NULL when memory is out. */
struct peers *peers_new(int64_t most);
void peers_free(struct peers *peers);

/* One stream more of that address; false when it has as many as it may, or memory is out. *peer is
 * for peers_leave, and NULL where nothing is counted. */
bool peers_enter(struct peers *peers, const struct sockaddr *address, struct peer **peer);
void peers_leave(struct peers *peers, struct peer *peer);

#endif
