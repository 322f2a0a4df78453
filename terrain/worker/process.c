#include "terrain/worker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILD_SOCKET = 3, FILES_MOST = 128 };
#define OOM_SCORE "800"                 /* of 1000 */
static const double start_seconds = 30; /* generous: a sanitized build on a busy machine */

extern char **environ;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

char *process_find(const char *program, struct fault *why)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash, *path = NULL;

    if (strchr(program, '/'))
        return strdup(program);
    self[length > 0 ? length : 0] = 0;
    slash = strrchr(self, '/');
    if (slash) {
        *slash = 0;
        if (asprintf(&path, "%s/%s", self, program) >= 0 && access(path, X_OK) == 0)
            return path;
        free(path);
    }
    if (asprintf(&path, "%s/%s", LIBEXECDIR, program) >= 0 && access(path, X_OK) == 0)
        return path;
    free(path);
    fault_set(why, FAULT_WORKER, "%s is neither in %s nor in %s", program, self, LIBEXECDIR);
    return NULL;
}

/* The child gets descriptor 3, the daemon's stderr for both outputs, and nothing else. */
static int spawn(pid_t *pid, const char *program, const char *const *arguments, int theirs)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, all;
    const char *argv[18] = { program };
    int failed;

    for (int i = 0; arguments && arguments[i] && i < 16; i++)
        argv[i + 1] = arguments[i];
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                       POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setpgroup(&how, 0); /* a terminal's interrupt is the daemon's business */
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", 0, 0);
    posix_spawn_file_actions_adddup2(&files, 2, 1);
    posix_spawn_file_actions_adddup2(&files, theirs, CHILD_SOCKET);
    posix_spawn_file_actions_addclosefrom_np(&files, CHILD_SOCKET + 1);
    failed = posix_spawn(pid, program, &files, &how, (char **)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return failed;
}

/* When the machine runs out of memory the kernel is to take helpers first. */
static void offer_to_the_oom_killer(pid_t pid)
{
    char path[64];
    int file;

    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", (int)pid);
    file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, OOM_SCORE, sizeof OOM_SCORE - 1) < 0)
        errno = 0; /* a kernel without it does as it likes */
    close(file);
}

static void limit(pid_t pid, int64_t memory_bytes)
{
    struct rlimit none = { 0, 0 }, files = { FILES_MOST, FILES_MOST };
    struct rlimit memory = { (rlim_t)memory_bytes, (rlim_t)memory_bytes };

    offer_to_the_oom_killer(pid);
    prlimit(pid, RLIMIT_CORE, &none, NULL);
    prlimit(pid, RLIMIT_NOFILE, &files, NULL);
    if (memory_bytes > 0)
        prlimit(pid, RLIMIT_AS, &memory, NULL);
}

bool process_start(struct process *process, const char *program, const char *const *arguments,
                   int64_t memory_bytes, struct fault *why)
{
    int pair[2], failed;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    memory_bytes = 0; /* the sanitizer's shadow alone is terabytes of address space */
#endif
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return fault_errno(why, FAULT_WORKER, "making a socket for %s", program);
    failed = spawn(&process->pid, program, arguments, pair[1]);
    close(pair[1]);
    process->socket = pair[0];
    if (failed) {
        close(pair[0]);
        errno = failed;
        return fault_errno(why, FAULT_WORKER, "starting %s", program);
    }
    limit(process->pid, memory_bytes);
    return true;
}

bool process_greet(struct process *process, const char *program, char *hello, size_t room,
                   struct fault *why)
{
    struct worker_message message;
    struct fault reason = { 0 };

    if (!process_receive(process, &message, now() + start_seconds, &reason)) {
        process_end(process, NULL, 0);
        return fault_set(why, FAULT_WORKER, "%.120s did not say hello when it was started: %.120s",
                         program, reason.detail);
    }
    snprintf(hello, room, "%.*s", (int)message.length, (const char *)message.data);
    worker_message_fini(&message);
    return true;
}

void process_end(struct process *process, char *how, size_t room)
{
    int status = 0;

    if (process->pid > 0) {
        kill(process->pid, SIGKILL);
        while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
            ;
        close(process->socket);
        process->pid = 0;
    }
    if (room > 0 && WIFSIGNALED(status))
        snprintf(how, room, "died of signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (room > 0)
        snprintf(how, room, "ended with status %d", WEXITSTATUS(status));
}

int64_t process_resident(const struct process *process)
{
    long long size = 0, resident = 0;
    char path[64];
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)process->pid);
    file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%lld %lld", &size, &resident) != 2)
        resident = 0;
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

bool process_quiet(const struct process *process)
{
    struct pollfd one = { .fd = process->socket, .events = POLLIN };

    return poll(&one, 1, 0) == 0;
}

void process_limit_time(const struct process *process, double seconds)
{
    clockid_t clock;
    struct timespec used = { 0 };
    struct rlimit time;

    if (clock_getcpuclockid(process->pid, &clock) != 0 || clock_gettime(clock, &used) < 0)
        return;
    time.rlim_cur = (rlim_t)(used.tv_sec + 2 + 4 * ceil(seconds)); /* it may have threads */
    time.rlim_max = RLIM_INFINITY;
    prlimit(process->pid, RLIMIT_CPU, &time, NULL);
}

static bool ready(struct process *process, short events, double until, struct fault *why)
{
    struct pollfd one = { .fd = process->socket, .events = events };
    double left;
    int found = 0;

    /* One that always has something to say is late all the same. */
    while ((left = until - now()) > 0) {
        found = poll(&one, 1, (int)ceil(left * 1e3));
        if (found >= 0 || errno != EINTR)
            break;
    }
    if (found > 0)
        return true;
    process_end(process, NULL, 0);
    return fault_set(why, FAULT_DEADLINE, "the helper process did not answer in time");
}

static bool gone(struct process *process, struct fault *why)
{
    char how[80];

    process_end(process, how, sizeof how);
    return fault_set(why, FAULT_WORKER, "the helper process %s", how);
}

bool process_send(struct process *process, const struct worker_message *message, double until,
                  struct fault *why)
{
    if (process->pid == 0)
        return fault_set(why, FAULT_WORKER, "the helper process has ended");
    return ready(process, POLLOUT, until, why) &&
           (message_write(process->socket, message) || gone(process, why));
}

bool process_receive(struct process *process, struct worker_message *message, double until,
                     struct fault *why)
{
    if (process->pid == 0)
        return fault_set(why, FAULT_WORKER, "the helper process has ended");
    return ready(process, POLLIN, until, why) &&
           (message_read(process->socket, message) || gone(process, why));
}
