#include "tests/server/harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 64 };

double served_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void become_daemon(const struct served *served, const char *const *options, int out)
{
    const char *words[ARGUMENTS_MOST] = { "./landscaped", "--listen", "127.0.0.1:0", "--data" };
    char data[80], log[80];
    int count = 4, file;

    snprintf(data, sizeof data, "%s/data", served->folder);
    snprintf(log, sizeof log, "%s/log", served->folder);
    words[count++] = data;
    for (int i = 0; options && options[i] && count < ARGUMENTS_MOST - 1; i++)
        words[count++] = options[i];
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves none behind */
    file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execv(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

/* The one line that the daemon prints when it serves. */
static bool line_read(struct served *served, int from)
{
    char line[128];
    size_t used = 0;
    double end = served_seconds() + 60;

    while (used < sizeof line - 1 && served_seconds() < end) {
        struct pollfd wait = { .fd = from, .events = POLLIN };
        ssize_t got;
        if (poll(&wait, 1, 200) < 1)
            continue;
        got = read(from, line + used, sizeof line - 1 - used);
        if (got <= 0)
            return false;
        used += (size_t)got;
        line[used] = '\0';
        if (strchr(line, '\n'))
            return sscanf(line, "landscaped listening on %63s", served->url) == 1 &&
                   sscanf(served->url, "http://127.0.0.1:%d", &served->port) == 1;
    }
    return false;
}

void served_show_log(const struct served *served)
{
    char command[128];

    snprintf(command, sizeof command, "tail -n 20 %s/log >&2", served->folder);
    if (system(command))
        fprintf(stderr, "there is no log in %s\n", served->folder);
}

bool served_again(struct served *served, const char *const *options)
{
    int out[2];
    bool started;

    if (pipe(out) < 0)
        return false;
    served->process = fork();
    if (!served->process) {
        close(out[0]);
        become_daemon(served, options, out[1]);
    }
    close(out[1]);
    started = served->process > 0 && line_read(served, out[0]);
    close(out[0]);
    if (!started)
        served_show_log(served);
    return started;
}

struct served *served_start(const char *const *options)
{
    struct served *served = calloc(1, sizeof *served);

    signal(SIGPIPE, SIG_IGN);
    if (!served)
        return NULL;
    snprintf(served->folder, sizeof served->folder, "/tmp/landscaped-test-XXXXXX");
    if (!mkdtemp(served->folder)) {
        free(served);
        return NULL;
    }
    if (served_again(served, options))
        return served;
    served_free(served);
    return NULL;
}

int served_stop(struct served *served)
{
    double end = served_seconds() + 40;
    int status = 0;

    kill(served->process, SIGTERM);
    while (served_seconds() < end) {
        if (waitpid(served->process, &status, WNOHANG) == served->process) {
            served->process = 0;
            if (status != 0)
                served_show_log(served);
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        }
        usleep(10000);
    }
    return -1;
}

void served_kill(struct served *served)
{
    if (served->process <= 0)
        return;
    kill(served->process, SIGKILL);
    waitpid(served->process, NULL, 0);
    served->process = 0;
}

void served_free(struct served *served)
{
    char command[128];

    if (!served)
        return;
    served_kill(served);
    snprintf(command, sizeof command, "rm -rf %s", served->folder);
    if (system(command))
        fprintf(stderr, "%s could not be removed\n", served->folder);
    free(served);
}

int served_helpers(const struct served *served, const char *name, pid_t *found, int most)
{
    char path[64], line[64], comm[64];
    int count = 0;
    FILE *children;

    snprintf(line, sizeof line, "cat /proc/%d/task/*/children 2>/dev/null", (int)served->process);
    children = popen(line, "r");
    for (int child; children && count < most && fscanf(children, "%d", &child) == 1;) {
        FILE *said;

        snprintf(path, sizeof path, "/proc/%d/comm", child);
        said = fopen(path, "r");
        if (said && fgets(comm, sizeof comm, said) && !strncmp(comm, name, strlen(name)))
            found[count++] = child;
        if (said)
            fclose(said);
    }
    if (children)
        pclose(children);
    return count;
}

/* Gone, or only waiting to be buried. */
static bool has_ended(pid_t process)
{
    char path[64], state = 'X';
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    if (file)
        fclose(file);
    return state == 'Z' || state == 'X';
}

bool served_end_helper(pid_t helper, int signal)
{
    if (has_ended(helper) || kill(helper, signal) < 0)
        return false;
    while (!has_ended(helper))
        usleep(1000);
    return true;
}

int served_connect(const struct served *served)
{
    const struct sockaddr_in address = { .sin_family = AF_INET,
                                         .sin_port = htons((uint16_t)served->port),
                                         .sin_addr = { htonl(INADDR_LOOPBACK) } };
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (made >= 0 && connect(made, (const struct sockaddr *)&address, sizeof address) < 0) {
        close(made);
        return -1;
    }
    return made;
}

bool served_send(int socket, const void *data, size_t length)
{
    const char *at = data;

    while (length) {
        ssize_t sent = send(socket, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

/* Reads once, waiting until `end`; 0 at the end of the connection, -1 when time is up. */
static ssize_t read_until(int socket, void *to, size_t room, double end)
{
    struct pollfd wait = { .fd = socket, .events = POLLIN };
    double left = end - served_seconds();
    ssize_t got;

    if (left <= 0 || poll(&wait, 1, (int)(left * 1000) + 1) < 1)
        return -1;
    got = recv(socket, to, room, 0);
    return got < 0 ? 0 : got;
}

static bool head_receive(int socket, double end, struct answer *answer)
{
    size_t used = 0;

    /* One byte at a time: what follows the head stays in the socket. */
    while (used < sizeof answer->head - 1) {
        ssize_t got = read_until(socket, answer->head + used, 1, end);
        if (got <= 0) {
            answer->closed = got == 0;
            return false;
        }
        answer->head[++used] = '\0';
        if (used >= 4 && !memcmp(answer->head + used - 4, "\r\n\r\n", 4))
            return sscanf(answer->head, "HTTP/1.%*d %d", &answer->status) == 1;
    }
    return false;
}

static void body_receive(int socket, double end, struct answer *answer)
{
    const char *length = answer_header(answer, "Content-Length");
    size_t expected = length ? strtoull(length, NULL, 10) : 0;

    answer->body = malloc(expected + 1);
    while (answer->length < expected) {
        ssize_t got =
            read_until(socket, answer->body + answer->length, expected - answer->length, end);
        if (got <= 0) {
            answer->closed = got == 0;
            break;
        }
        answer->length += (size_t)got;
    }
    answer->body[answer->length] = '\0';
}

void served_receive(int socket, double seconds, struct answer *answer)
{
    double began = served_seconds();
    const char *connection;

    *answer = (struct answer){ 0 };
    do { /* past interim answers */
        answer->status = 0;
        if (!head_receive(socket, began + seconds, answer)) {
            answer->status = 0;
            answer->seconds = served_seconds() - began;
            return;
        }
    } while (answer->status == 100);
    if (answer->status != 204 && answer->status != 304)
        body_receive(socket, began + seconds, answer);
    connection = answer_header(answer, "Connection");
    if (connection && !strcasecmp(connection, "close"))
        answer->closed = true;
    answer->seconds = served_seconds() - began;
}

bool served_offer(int socket, const char *method, const char *target, const char *headers,
                  size_t length)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    double end = served_seconds() + 60;
    char said[sizeof go_on] = "";
    char *head = NULL;
    size_t used = 0;
    int made = asprintf(&head,
                        "%s %s HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n%s"
                        "Content-Length: %zu\r\n\r\n",
                        method, target, headers ? headers : "", length);
    bool sent = made > 0 && served_send(socket, head, (size_t)made);

    free(made > 0 ? head : NULL);
    while (sent && used < sizeof go_on - 1) {
        ssize_t got = read_until(socket, said + used, sizeof go_on - 1 - used, end);

        if (got <= 0)
            return false;
        used += (size_t)got;
    }
    return sent && !strcmp(said, go_on);
}

const char *answer_header(const struct answer *answer, const char *name)
{
    static _Thread_local char value[1024];
    size_t length = strlen(name);

    for (const char *line = strstr(answer->head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, length) || line[2 + length] != ':')
            continue;
        line += 3 + length;
        line += strspn(line, " ");
        snprintf(value, sizeof value, "%.*s", (int)strcspn(line, "\r\n"), line);
        return value;
    }
    return NULL;
}

void answer_free(struct answer *answer)
{
    free(answer->body);
    answer->body = NULL;
}

void served_raw(const struct served *served, const void *request, size_t length,
                struct answer *answer)
{
    int socket = served_connect(served);

    *answer = (struct answer){ 0 };
    if (socket < 0)
        return;
    served_send(socket, request, length);
    served_receive(socket, 30, answer);
    close(socket);
}

void served_ask(const struct served *served, const char *method, const char *target,
                const char *headers, const void *body, size_t length, struct answer *answer)
{
    int socket = served_connect(served);
    char *head = NULL;
    int used;

    *answer = (struct answer){ 0 };
    if (socket < 0)
        return;
    used = asprintf(&head, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s", method, target,
                    served->port, headers ? headers : "");
    if (used > 0) {
        served_send(socket, head, (size_t)used);
        free(head);
        used = asprintf(&head, "Content-Length: %zu\r\n\r\n", length);
        served_send(socket, body ? head : "\r\n", body ? (size_t)used : 2);
        if (body)
            served_send(socket, body, length);
        if (!strcmp(method, "HEAD"))
            head_receive(socket, served_seconds() + 30, answer);
        else
            served_receive(socket, 30, answer);
    }
    free(head);
    close(socket);
}

void served_demand(const struct served *served, const char *method, const char *target,
                   const char *body, int status, struct answer *answer)
{
    served_ask(served, method, target, body ? "Content-Type: application/json\r\n" : NULL, body,
               body ? strlen(body) : 0, answer);
    if (answer->status != status)
        fail_msg("%s %s %s: %d %.300s", method, target, body ? body : "", answer->status,
                 (const char *)answer->body);
}

void served_expect(const struct served *served, const char *method, const char *target,
                   const char *body, int status)
{
    struct answer answer;

    served_demand(served, method, target, body, status, &answer);
    answer_free(&answer);
}

double served_metric(const struct served *served, const char *name)
{
    struct answer answer;
    char line[256];
    const char *at;
    double value = -1;

    snprintf(line, sizeof line, "\n%s ", name);
    served_ask(served, "GET", "/metrics", NULL, NULL, 0, &answer);
    at = answer.status == 200 ? strstr((char *)answer.body, line) : NULL;
    if (at)
        value = atof(at + strlen(line));
    answer_free(&answer);
    return value;
}

bool served_metric_becomes(const struct served *served, const char *name, double wanted)
{
    double end = served_seconds() + 60, value;

    while ((value = served_metric(served, name)) != wanted) {
        if (served_seconds() > end) {
            fprintf(stderr, "%s is %g, not %g\n", name, value, wanted);
            return false;
        }
        usleep(10000);
    }
    return true;
}
