/* A library to preload: files below one folder fail as disks do.
 *
 * FAULT_IO_FOLDER   the folder, absolute and without links
 * FAULT_IO_CONTROL  a file of one line that is read again before every call:
 *     OK                 nothing fails
 *     EIO W S            of 1000 writes W and of 1000 flushes S fail with EIO
 *     ENOSPC W S         the same with ENOSPC
 *     CUT W S            power is cut at W of 1000 writes and S of 1000 flushes
 * FAULT_IO_TRACK=1  remembers what has not been flushed, which CUT takes back before it ends
 *                   the process. What a failed flush had to write is lost for good unless it
 *                   is written again: the kernel drops it from its list, and so does this.
 *
 * A failing write may have written a part. Creating and removing files is taken to be durable at
 * once.
 */
#include "tests/server/fault_io.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

enum verdict { FINE, FAILS, CUTS };

/* What a file held before a call that has not been flushed. */
struct undo {
    struct undo *older;
    char *path;
    dev_t device;
    ino_t inode;
    off_t size, at;
    size_t length; /* of the old bytes: what reached beyond the end had none */
    size_t span;   /* of what was written over them */
    bool lost;
    unsigned char old[];
};

static int until_fault, nth_error;

void fault_io_nth(int nth, int error)
{
    until_fault = nth;
    nth_error = error;
}

bool fault_io_happened(void)
{
    return until_fault <= 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct undo *newest;
static unsigned seed;

static uint32_t roll(uint32_t of)
{
    if (!seed)
        seed = (unsigned)getpid() * 2654435761u ^ (unsigned)time(NULL);
    return (uint32_t)rand_r(&seed) % of;
}

static bool is_ours(int file, char path[PATH_ROOM])
{
    const char *folder = getenv("FAULT_IO_FOLDER");
    char link[64];
    ssize_t length;

    if (!folder)
        return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, PATH_ROOM - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* What becomes of a call that writes, or flushes; sets errno when it fails. */
static enum verdict judge(bool flushes)
{
    const char *control = getenv("FAULT_IO_CONTROL");
    char line[64] = { 0 }, word[16] = "OK";
    unsigned writes = 0, flushes_too = 0;
    int file;

    if (until_fault > 0 && --until_fault == 0) {
        errno = nth_error;
        return FAILS;
    }
    file = control ? open(control, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        if (read(file, line, sizeof line - 1) < 0)
            line[0] = '\0';
        close(file);
    }
    if (sscanf(line, "%15s %u %u", word, &writes, &flushes_too) < 1 ||
        roll(1000) >= (flushes ? flushes_too : writes) || strcmp(word, "OK") == 0)
        return FINE;
    errno = strcmp(word, "ENOSPC") == 0 ? ENOSPC : EIO;
    return strcmp(word, "CUT") == 0 ? CUTS : FAILS;
}

static bool tracks(void)
{
    return getenv("FAULT_IO_TRACK") != NULL;
}

static void remember(int file, const char *path, off_t at, size_t length)
{
    struct stat about;
    struct undo *undo;
    size_t there;

    if (!tracks() || fstat(file, &about) < 0)
        return;
    for (undo = newest; undo; undo = undo->older) /* written again, it is no longer lost */
        if (undo->lost && undo->inode == about.st_ino && undo->device == about.st_dev &&
            undo->at < at + (off_t)length && at < undo->at + (off_t)undo->span)
            undo->inode = 0;
    there = at >= about.st_size                  ? 0
            : at + (off_t)length > about.st_size ? (size_t)(about.st_size - at)
                                                 : length;
    undo = malloc(sizeof *undo + there);
    *undo = (struct undo){ newest, strdup(path), about.st_dev, about.st_ino, about.st_size,
                           at,     there,        length,       false };
    if (there && pread(file, undo->old, there, at) != (ssize_t)there)
        abort();
    newest = undo;
}

/* A flush: what it covers is safe, or lost. */
static void flushed(int file, bool worked)
{
    struct stat about;

    if (!tracks() || fstat(file, &about) < 0)
        return;
    for (struct undo **at = &newest; *at;) {
        struct undo *undo = *at;
        bool meant = undo->inode == about.st_ino && undo->device == about.st_dev && !undo->lost;

        if (meant && !worked)
            undo->lost = true;
        if (undo->inode == 0 || (meant && worked)) {
            *at = undo->older;
            free(undo->path);
            free(undo);
        } else {
            at = &undo->older;
        }
    }
}

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fsync)(int), (*real_fdatasync)(int), (*real_ftruncate)(int, off_t);
static int (*real_fallocate)(int, int, off_t, off_t);

/* The old bytes again. What was lost by a failed flush leaves the file as long as later, good ones
 * have made it. */
static void take_back(const struct undo *undo)
{
    int file = open(undo->path, O_RDWR | O_CLOEXEC);
    off_t end = undo->at + (off_t)undo->span;
    struct stat about;
    bool done;

    if (file < 0) /* removed */
        return;
    done = real_pwrite(file, undo->old, undo->length, undo->at) >= 0 && fstat(file, &about) == 0;
    if (!undo->lost)
        done = done && real_ftruncate(file, undo->size) == 0;
    for (off_t at = undo->at + (off_t)undo->length; done && undo->lost && at < end; at++)
        done = at >= about.st_size || real_pwrite(file, "", 1, at) == 1;
    close(file);
    if (!done)
        abort();
}

/* Power goes: some of what was not flushed had reached the disk by itself, the rest had not. */
static void cut(void)
{
    uint32_t kept = roll(3) * 50; /* of 100: none, half or all */

    for (const struct undo *undo = newest; undo; undo = undo->older)
        if (undo->inode && (undo->lost || roll(100) >= kept))
            take_back(undo);
    _exit(9);
}

__attribute__((constructor)) static void find_real(void)
{
    *(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    *(void **)&real_write = dlsym(RTLD_NEXT, "write");
    *(void **)&real_fsync = dlsym(RTLD_NEXT, "fsync");
    *(void **)&real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    *(void **)&real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    *(void **)&real_fallocate = dlsym(RTLD_NEXT, "fallocate64");
}

ssize_t pwrite64(int file, const void *data, size_t length, off_t at)
{
    char path[PATH_ROOM];
    ssize_t wrote;

    if (!is_ours(file, path))
        return real_pwrite(file, data, length, at);
    pthread_mutex_lock(&lock);
    switch (judge(false)) {
    case CUTS:
        cut();
        break;
    case FAILS:
        if (roll(2)) { /* torn */
            int error = errno;

            remember(file, path, at, length / 2);
            wrote = real_pwrite(file, data, length / 2, at);
            errno = error;
        }
        pthread_mutex_unlock(&lock);
        return -1;
    case FINE:
        break;
    }
    remember(file, path, at, length);
    wrote = real_pwrite(file, data, length, at);
    pthread_mutex_unlock(&lock);
    return wrote;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t at)
{
    return pwrite64(file, data, length, at);
}

ssize_t write(int file, const void *data, size_t length)
{
    char path[PATH_ROOM];

    return is_ours(file, path)
               ? pwrite64(file, data, length, lseek(file, (off_t)length, SEEK_CUR) - (off_t)length)
               : real_write(file, data, length);
}

static int flush(int file, int (*real)(int))
{
    char path[PATH_ROOM];
    enum verdict verdict;
    int done = -1, error;

    if (!is_ours(file, path))
        return real(file);
    pthread_mutex_lock(&lock);
    verdict = judge(true);
    error = errno;
    if (verdict == CUTS)
        cut();
    if (verdict == FINE)
        done = real(file);
    flushed(file, done == 0);
    errno = error;
    pthread_mutex_unlock(&lock);
    return done;
}

int fsync(int file)
{
    return flush(file, real_fsync);
}

int fdatasync(int file)
{
    return flush(file, real_fdatasync);
}

int ftruncate64(int file, off_t size)
{
    char path[PATH_ROOM];
    struct stat about;
    int done = -1;

    if (!is_ours(file, path) || fstat(file, &about) < 0)
        return real_ftruncate(file, size);
    pthread_mutex_lock(&lock);
    if (judge(false) == FINE) {
        if (size < about.st_size)
            remember(file, path, size, (size_t)(about.st_size - size));
        done = real_ftruncate(file, size);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate(int file, off_t size)
{
    return ftruncate64(file, size);
}

int fallocate64(int file, int mode, off_t at, off_t length)
{
    char path[PATH_ROOM];

    if (is_ours(file, path) && judge(false) != FINE)
        return -1;
    return real_fallocate(file, mode, at, length);
}

int fallocate(int file, int mode, off_t at, off_t length)
{
    return fallocate64(file, mode, at, length);
}
