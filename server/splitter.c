#include "server/splitter.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* One call of the executor, on its caller's stack. */
struct task {
    struct task *next;
    void (*piece)(void *work, size_t i);
    void *work;
    size_t count, taken;
    int helpers; /* inside right now */
};

struct splitter {
    struct executor executor; /* first: the executor's self is the splitter */
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    struct task *tasks; /* that still have pieces to take */
    bool stopping;
    int threads, niceness;
    pthread_t thread[];
};

/* With the lock; takes the task off the list with its last piece. */
static size_t piece_take(struct splitter *splitter, struct task *task)
{
    size_t i = task->taken++;

    if (task->taken == task->count) {
        struct task **at = &splitter->tasks;
        while (*at != task)
            at = &(*at)->next;
        *at = task->next;
    }
    return i;
}

/* With the lock, which is let go during each piece. */
static void task_work(struct splitter *splitter, struct task *task)
{
    while (task->taken < task->count) {
        size_t i = piece_take(splitter, task);

        pthread_mutex_unlock(&splitter->lock);
        task->piece(task->work, i);
        pthread_mutex_lock(&splitter->lock);
    }
}

static void *help(void *context)
{
    struct splitter *splitter = context;

    if (splitter->niceness)
        setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), splitter->niceness);
    pthread_mutex_lock(&splitter->lock);
    for (;;) {
        struct task *task = splitter->tasks;
        if (task) {
            task->helpers++;
            task_work(splitter, task);
            if (!--task->helpers)
                pthread_cond_broadcast(&splitter->less);
        } else if (splitter->stopping) {
            break;
        } else {
            pthread_cond_wait(&splitter->more, &splitter->lock);
        }
    }
    pthread_mutex_unlock(&splitter->lock);
    return NULL;
}

static void split(const struct executor *self, size_t count, void (*piece)(void *work, size_t i),
                  void *work)
{
    struct splitter *splitter = (struct splitter *)(uintptr_t)self;
    struct task task = { .piece = piece, .work = work, .count = count };

    if (!count)
        return;
    pthread_mutex_lock(&splitter->lock);
    task.next = splitter->tasks;
    splitter->tasks = &task;
    if (count > 1)
        pthread_cond_broadcast(&splitter->more);
    task_work(splitter, &task);
    while (task.helpers)
        pthread_cond_wait(&splitter->less, &splitter->lock);
    pthread_mutex_unlock(&splitter->lock);
}

bool splitter_start(int threads, int niceness, struct splitter **made, struct fault *why)
{
    struct splitter *splitter = calloc(1, sizeof *splitter + (size_t)threads * sizeof(pthread_t));

    if (!splitter)
        return fault_set(why, FAULT_MEMORY, "No memory for %d threads", threads);
    splitter->executor.run = split;
    splitter->niceness = niceness;
    pthread_mutex_init(&splitter->lock, NULL);
    pthread_cond_init(&splitter->more, NULL);
    pthread_cond_init(&splitter->less, NULL);
    while (splitter->threads < threads &&
           !pthread_create(&splitter->thread[splitter->threads], NULL, help, splitter))
        splitter->threads++;
    *made = splitter;
    return true;
}

void splitter_stop(struct splitter *splitter)
{
    if (!splitter)
        return;
    pthread_mutex_lock(&splitter->lock);
    splitter->stopping = true;
    pthread_cond_broadcast(&splitter->more);
    pthread_mutex_unlock(&splitter->lock);
    for (int i = 0; i < splitter->threads; i++)
        pthread_join(splitter->thread[i], NULL);
    pthread_cond_destroy(&splitter->more);
    pthread_cond_destroy(&splitter->less);
    pthread_mutex_destroy(&splitter->lock);
    free(splitter);
}

const struct executor *splitter_executor(const struct splitter *splitter)
{
    return &splitter->executor;
}
