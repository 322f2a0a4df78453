/* One helper process, seen from the daemon: started, spoken to, ended.
 * One thread at a time. */
#ifndef TERRAIN_WORKER_PROCESS_H
#define TERRAIN_WORKER_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "terrain/base/fault.h"
#include "terrain/worker/worker.h"

struct process {
    pid_t pid; /* 0 once it is known to have ended */
    int socket;
};

/* The program's path: a name with a slash as it is, else beside this executable, else in
 * libexecdir. On the heap. Fails with WORKER. */
char *process_find(const char *program, struct fault *why);

/* Starts the program with the other end of a socket as descriptor 3. memory_bytes limits its
 * address space; 0 does not. Fails with WORKER. */
bool process_start(struct process *process, const char *program, const char *const *arguments,
                   int64_t memory_bytes, struct fault *why);

/* Waits for its hello, for half a minute at most. Fails with WORKER; it has then been ended. */
bool process_greet(struct process *process, const char *program, char *hello, size_t room,
                   struct fault *why);

/* Kills it, if it is there, and says how it ended when there is room for it. */
void process_end(struct process *process, char *how, size_t room);

/* Alive, and with nothing said unasked. */
bool process_quiet(const struct process *process);

/* Bytes of memory that it holds; 0 when that cannot be told. */
int64_t process_resident(const struct process *process);

/* Lets it use the processor for so many seconds more; the kernel kills it beyond. */
void process_limit_time(const struct process *process, double seconds);

/* Under a deadline of the monotonic clock. Fail with WORKER (naming how the process ended)
 * or DEADLINE; the process is then of no use. */
bool process_send(struct process *process, const struct worker_message *message, double until,
                  struct fault *why);
bool process_receive(struct process *process, struct worker_message *message, double until,
                     struct fault *why);

/* One message on a socket, both sides: true when it went or came whole; errno is 0 when the
 * other side is gone or sent what is no message. Nothing is left to free after a failure. */
bool message_write(int socket, const struct worker_message *message);
bool message_read(int socket, struct worker_message *message);

#endif
