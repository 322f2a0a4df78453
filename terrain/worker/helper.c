/* The helper's own side: descriptor 3 leads to the daemon. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "terrain/worker/process.h"

enum { DAEMON_SOCKET = 3 };

bool worker_hello(const char *text)
{
    struct worker_message message = { .data = (unsigned char *)(uintptr_t)text,
                                      .length = strlen(text) };

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (message.length == 0) { /* an empty packet would read as the end */
        message.data = (unsigned char *)(uintptr_t) "\n";
        message.length = 1;
    }
    return message_write(DAEMON_SOCKET, &message);
}

bool worker_next(struct worker_message *message)
{
    return message_read(DAEMON_SOCKET, message);
}

bool worker_answer(const struct worker_message *message)
{
    return message_write(DAEMON_SOCKET, message);
}
