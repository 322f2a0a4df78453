/* A helper that does as it is told by the first letter of a message. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "terrain/worker/worker.h"

static void answer_text(const char *text)
{
    struct worker_message answer = { .data = (unsigned char *)(uintptr_t)text,
                                     .length = strlen(text) };

    worker_answer(&answer);
}

/* The memory that came, each byte one more, in memory of its own. */
static void answer_memory(const struct worker_message *job)
{
    struct fault why = { 0 };
    size_t size = (size_t)atoi((const char *)job->data + 1);
    const unsigned char *from = worker_memory_map(job->descriptors[0], size, &why);
    void *to = NULL;
    struct worker_message answer = { .data = job->data, .length = job->length, .count = 1 };

    answer.descriptors[0] = worker_memory(size, &to, &why);
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)to)[i] = (unsigned char)(from[i] + 1);
    worker_memory_seal(answer.descriptors[0], to, size, &why);
    worker_answer(&answer);
    close(answer.descriptors[0]);
    worker_memory_unmap(from, size);
}

static void *nothing(void *context)
{
    return context;
}

/* Dies as long as fewer than that many have before it, counted in memory that came along. */
static void die_or_answer(struct worker_message *job)
{
    int *deaths =
        mmap(NULL, sizeof *deaths, PROT_READ | PROT_WRITE, MAP_SHARED, job->descriptors[0], 0);

    if (deaths == MAP_FAILED || (*deaths)++ < atoi((const char *)job->data + 1))
        _exit(9);
    munmap(deaths, sizeof *deaths);
    answer_text("alive");
}

/* Memory that it goes on holding. */
static void grow(size_t bytes)
{
    static void *volatile held;

    held = malloc(bytes);
    memset(held, 1, bytes);
    answer_text("grown");
}

static void answer_oom_score(void)
{
    char text[16] = "none";
    FILE *file = fopen("/proc/self/oom_score_adj", "r");

    if (file && fscanf(file, "%15s", text) == 1)
        fclose(file);
    answer_text(text);
}

/* One letter a temptation: capital when it worked. To execute is no temptation that one comes back
 * from. */
static void answer_temptations(bool executing)
{
    char word[] = "rwsfmetcukloa";
    char *const none[] = { NULL };
    struct rlimit files;
    pthread_t thread;

    if (open("/tmp/landscaped-helper-was-here", O_RDONLY | O_CREAT, 0600) >= 0)
        word[7] = 'C';
    if (kill(getppid(), 0) == 0 || syscall(SYS_tgkill, getppid(), getppid(), 0) == 0)
        word[9] = 'K';
    if (prlimit(getppid(), RLIMIT_NOFILE, NULL, &files) == 0)
        word[10] = 'L';

    if (syscall(SYS_open_tree, AT_FDCWD, "/", 0) >= 0)
        word[11] = 'O';
    if (open("/etc/hostname", O_ACCMODE) >= 0)
        word[12] = 'A';
    if (open("/etc/hostname", O_RDONLY) >= 0)
        word[0] = 'R';
    if (open("/tmp/landscaped-helper-was-here", O_WRONLY | O_CREAT, 0600) >= 0)
        word[1] = 'W';
    if (unlink("/tmp/landscaped-helper-was-here") == 0 || errno != EPERM)
        word[8] = 'U';
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
        word[2] = 'S';
    if (pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0)
        word[6] = 'T';
    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
        MAP_FAILED)
        word[4] = 'M';
    errno = 0;
    if (fork() == 0)
        _exit(0);
    if (errno != EPERM)
        word[3] = 'F';
    errno = 0;
    if (executing)
        execv("/bin/true", none);
    if (executing && errno != EPERM)
        word[5] = 'E';
    answer_text(word);
}

static void obey(struct worker_message *job)
{
    switch (job->data[0]) {
    case 'e':
        worker_answer(job);
        break;
    case 'm':
        answer_memory(job);
        break;
    case 'c':
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    case 'h':
        for (;;)
            pause();
    case 'x':
        _exit(7);
    case 'g':
        answer_text(calloc(1, (size_t)3 << 30) ? "got" : "refused");
        break;
    case 'D':
        answer_text(worker_sandbox(WORKER_DECODES) ? "in" : "out");
        break;
    case 'R':
        answer_text(worker_sandbox(WORKER_RENDERS) ? "in" : "out");
        break;
    case 'P':
        answer_text(worker_sandbox(WORKER_PAINTS) ? "in" : "out");
        break;
    case 'd':
        die_or_answer(job);
        break;
    case 'b':
        grow((size_t)64 << 20);
        break;
    case 'o':
        answer_oom_score();
        break;
    case 't':
    case 'u':
        answer_temptations(job->data[0] == 't');
        break;
    }
}

/* The first to come goes on, the others do not start; who is first is a file's business. */
static void await_turn(void)
{
    char path[64];

    snprintf(path, sizeof path, "/tmp/landscaped-turn-%d", (int)getppid());
    if (open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0)
        return;
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    struct worker_message job;

    if (argc > 1 && strcmp(argv[1], "mute") == 0)
        return 3;
    if (argc > 1 && strcmp(argv[1], "slow") == 0) /* all but the first of them */
        await_turn();
    if (argc > 1 && strcmp(argv[1], "late") == 0)
        usleep(700000);
    worker_hello(argc > 1 ? argv[1] : "");
    while (worker_next(&job)) {
        if (argc > 1 && strcmp(argv[1], "brittle") == 0) /* whatever it is asked */
            _exit(9);
        obey(&job);
        worker_message_fini(&job);
    }
    return 0;
}
