#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "terrain/worker/process.h"

union control {
    struct cmsghdr align;
    char room[CMSG_SPACE(sizeof(int) * WORKER_DESCRIPTORS_MOST)];
};

void worker_message_fini(struct worker_message *message)
{
    for (int i = 0; i < message->count; i++)
        if (message->descriptors[i] >= 0)
            close(message->descriptors[i]);
    free(message->data);
    memset(message, 0, sizeof *message);
}

bool message_write(int socket, const struct worker_message *message)
{
    struct iovec data = { message->data, message->length };
    struct msghdr head = { .msg_iov = &data, .msg_iovlen = 1 };
    union control control;
    ssize_t sent;

    if (message->count > 0) {
        size_t bytes = sizeof(int) * (size_t)message->count;
        struct cmsghdr *part;

        memset(&control, 0, sizeof control);
        head.msg_control = &control;
        head.msg_controllen = CMSG_SPACE(bytes);
        part = CMSG_FIRSTHDR(&head);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(bytes);
        memcpy(CMSG_DATA(part), message->descriptors, bytes);
    }
    do
        sent = sendmsg(socket, &head, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent >= 0)
        errno = 0;
    return sent == (ssize_t)message->length;
}

static void take_descriptors(struct msghdr *head, struct worker_message *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(head); part; part = CMSG_NXTHDR(head, part)) {
        size_t bytes = part->cmsg_len - CMSG_LEN(0);

        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        memcpy(message->descriptors, CMSG_DATA(part), bytes);
        message->count = (int)(bytes / sizeof(int));
    }
}

bool message_read(int socket, struct worker_message *message)
{
    union control control;
    struct iovec data = { malloc(WORKER_MESSAGE_MOST), WORKER_MESSAGE_MOST };
    struct msghdr head = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    ssize_t got;

    memset(message, 0, sizeof *message);
    if (!data.iov_base)
        return false;
    do
        got = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    message->data = data.iov_base;
    if (got < 0)
        goto fail;
    errno = 0;
    take_descriptors(&head, message);
    if (got == 0 || (head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
        goto fail;
    message->length = (size_t)got;
    return true;

fail:
    worker_message_fini(message);
    return false;
}
