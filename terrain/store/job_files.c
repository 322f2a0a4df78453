#include "terrain/store/job_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terrain/base/field.h"
#include "terrain/store/checksum.h"

enum { DEPTH_MOST = 8, PATH_MOST = 256, CHUNK = 64 << 10, RECORD_MOST = 16 << 20, SUM = 4 };

static const char magic[8] = "LANDJOB1";

/* ---- folders ---- */

static int folder_open_in(int parent, const char *name, struct fault *why)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

    if (folder < 0)
        fault_errno(why, errno == ENOENT ? FAULT_MISSING : FAULT_STORAGE,
                    "opening the folder %s of jobs", name);
    return folder;
}

static DIR *listing_of(int folder)
{
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again < 0 ? NULL : fdopendir(again);

    if (!listing && again >= 0)
        close(again);
    return listing;
}

/* Everything in the folder; false when something stays. */
static bool empty(int folder, int depth)
{
    DIR *listing = listing_of(folder);
    const struct dirent *entry;
    bool emptied = listing != NULL && depth < DEPTH_MOST;

    while (emptied && (entry = readdir(listing))) {
        int below;

        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        if (unlinkat(folder, entry->d_name, 0) == 0 || errno == ENOENT)
            continue;
        below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        emptied = below >= 0 && empty(below, depth + 1);
        if (below >= 0)
            close(below);
        emptied = emptied && unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0;
    }
    if (listing)
        closedir(listing);
    return emptied;
}

static bool remove_all(int parent, const char *name, struct fault *why)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    bool gone;

    if (folder < 0)
        return errno == ENOENT || fault_errno(why, FAULT_STORAGE, "removing the files of a job");
    gone = empty(folder, 0);
    close(folder);
    return (gone && unlinkat(parent, name, AT_REMOVEDIR) == 0) ||
           fault_errno(why, FAULT_STORAGE, "removing the files of a job");
}

int job_shelf_open(const char *folder, struct fault *why)
{
    int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), shelf = -1;
    const struct dirent *entry;
    DIR *listing;

    if (root >= 0 && (mkdirat(root, "jobs", 0700) < 0 ? errno == EEXIST : fsync(root) == 0))
        shelf = openat(root, "jobs", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (shelf < 0)
        fault_errno(why, FAULT_STORAGE, "opening the folder %s/jobs", folder);
    if (root >= 0)
        close(root);
    listing = shelf < 0 ? NULL : listing_of(shelf);
    while (listing && (entry = readdir(listing)))
        if (entry->d_name[0] == '.' && strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            remove_all(shelf, entry->d_name, &(struct fault){ 0 });
    if (listing)
        closedir(listing);
    return shelf;
}

bool job_shelf_each(int shelf, bool (*visit)(void *context, const char *id), void *context,
                    struct fault *why)
{
    DIR *listing = listing_of(shelf);
    const struct dirent *entry;

    if (!listing)
        return fault_errno(why, FAULT_STORAGE, "reading the folder of jobs");
    while ((entry = readdir(listing)))
        if (name_valid(entry->d_name) && !visit(context, entry->d_name))
            break;
    closedir(listing);
    return true;
}

int job_home_make(int shelf, const char *id, struct fault *why)
{
    int home;

    if (mkdirat(shelf, id, 0700) < 0) {
        fault_errno(why, errno == EEXIST ? FAULT_CONFLICT : FAULT_STORAGE,
                    "making the folder of the job %s", id);
        return -1;
    }
    home = folder_open_in(shelf, id, why);
    if (home >= 0 && mkdirat(home, "files", 0700) == 0 && mkdirat(home, "work", 0700) == 0 &&
        fsync(home) == 0 && fsync(shelf) == 0)
        return home;
    if (home >= 0) {
        fault_errno(why, FAULT_STORAGE, "making the folder of the job %s", id);
        close(home);
    }
    remove_all(shelf, id, &(struct fault){ 0 });
    return -1;
}

int job_home_open(int shelf, const char *id, struct fault *why)
{
    return folder_open_in(shelf, id, why);
}

bool job_home_remove(int shelf, const char *id, struct fault *why)
{
    char gone[PATH_MOST];

    snprintf(gone, sizeof gone, ".%s", id);
    if (renameat(shelf, id, shelf, gone) < 0 && errno != ENOENT)
        return fault_errno(why, FAULT_STORAGE, "removing the job %s", id);
    if (fsync(shelf) < 0)
        return fault_errno(why, FAULT_STORAGE, "flushing the folder of jobs");
    return remove_all(shelf, gone, why);
}

static bool clear(int home, const char *name, struct fault *why)
{
    int folder = folder_open_in(home, name, why);
    bool cleared;

    if (folder < 0)
        return false;
    cleared = empty(folder, 0) || fault_errno(why, FAULT_STORAGE, "removing files of a job");
    close(folder);
    return cleared;
}

bool job_home_clear(int home, bool results, struct fault *why)
{
    return clear(home, "work", why) &&
           (!results || (clear(home, "files", why) &&
                         (unlinkat(home, "list", 0) == 0 || errno == ENOENT ||
                          fault_errno(why, FAULT_STORAGE, "removing the list of results"))));
}

/* ---- writing ---- */

static bool write_all(int file, const void *data, size_t length)
{
    size_t have = 0;

    while (have < length) {
        ssize_t got = write(file, (const char *)data + have, length - have);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

bool job_writer_open(int home, const char *path, int64_t length, uint32_t checksum,
                     struct job_writer *writer, struct fault *why)
{
    int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (length ? 0 : O_CREAT);
    struct stat status;

    *writer = (struct job_writer){ openat(home, path, flags, 0600), length, checksum };
    if (writer->file < 0)
        return fault_errno(why, errno == ENOENT ? FAULT_MISSING : FAULT_STORAGE, "opening %s",
                           path);
    if (fstat(writer->file, &status) == 0 && status.st_size < length) {
        job_writer_close(writer);
        return fault_set(why, FAULT_MISSING, "%s is shorter than it was", path);
    }
    if (ftruncate(writer->file, length) == 0 && lseek(writer->file, length, SEEK_SET) == length)
        return true;
    fault_errno(why, FAULT_STORAGE, "opening %s", path);
    job_writer_close(writer);
    return false;
}

bool job_writer_add(struct job_writer *writer, const void *data, size_t length, struct fault *why)
{
    if (!write_all(writer->file, data, length))
        return fault_errno(why, FAULT_STORAGE, "writing a job's output");
    writer->checksum = checksum_add(writer->checksum, data, length);
    writer->length += (int64_t)length;
    return true;
}

bool job_writer_flush(struct job_writer *writer, struct fault *why)
{
    return fsync(writer->file) == 0 || fault_errno(why, FAULT_STORAGE, "flushing a job's output");
}

void job_writer_close(struct job_writer *writer)
{
    if (writer->file >= 0)
        close(writer->file);
    writer->file = -1;
}

/* The folders on the way to a file. */
static bool way_make(int home, const char *path, struct fault *why)
{
    char part[PATH_MOST];

    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdirat(home, part, 0700) < 0 && errno != EEXIST)
            return fault_errno(why, FAULT_STORAGE, "making the folder %s", part);
    }
    return true;
}

bool job_file_put(int home, const char *path, const void *data, size_t length, struct fault *why)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
    int file = openat(home, path, flags, 0600);
    bool written;

    if (file < 0 && errno == ENOENT && !way_make(home, path, why))
        return false;
    if (file < 0)
        file = openat(home, path, flags, 0600);
    if (file < 0)
        return fault_errno(why, FAULT_STORAGE, "making %s", path);
    written = write_all(file, data, length);
    if (!written) {
        fault_errno(why, FAULT_STORAGE, "writing %s", path);
        unlinkat(home, path, 0);
    }
    close(file);
    return written;
}

bool job_file_place(int home, const char *from, const char *to, struct fault *why)
{
    if (renameat(home, from, home, to) == 0)
        return true;
    if (errno == ENOENT && !way_make(home, to, why))
        return false;
    return renameat(home, from, home, to) == 0 ||
           fault_errno(why, FAULT_STORAGE, "putting %s in its place", to);
}

bool job_file_move(int home, const char *from, const char *to, struct fault *why)
{
    int file = openat(home, from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int folder = folder_open_in(home, "files", why);
    bool moved = file >= 0 && folder >= 0 && fsync(file) == 0 &&
                 renameat(home, from, home, to) == 0 && fsync(folder) == 0;

    if (!moved)
        fault_errno(why, FAULT_STORAGE, "putting %s in its place", to);
    if (file >= 0)
        close(file);
    if (folder >= 0)
        close(folder);
    return moved;
}

bool job_home_flush(int home, struct fault *why)
{
    return syncfs(home) == 0 || fault_errno(why, FAULT_STORAGE, "flushing a job's files");
}

/* ---- reading ---- */

int job_file_open(int home, const char *path, int64_t *length, struct fault *why)
{
    int file = openat(home, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;

    if (file < 0) {
        fault_errno(why, errno == ENOENT ? FAULT_MISSING : FAULT_STORAGE, "opening %s", path);
        return -1;
    }
    if (fstat(file, &status) < 0 || !S_ISREG(status.st_mode)) {
        fault_errno(why, FAULT_STORAGE, "opening %s", path);
        close(file);
        return -1;
    }
    *length = status.st_size;
    return file;
}

bool job_file_sum(int home, const char *path, int64_t *length, uint32_t *checksum,
                  struct fault *why)
{
    static _Thread_local unsigned char chunk[CHUNK];
    int file = job_file_open(home, path, length, why);
    ssize_t got;

    if (file < 0)
        return false;
    *checksum = 0;
    while ((got = read(file, chunk, sizeof chunk)) > 0)
        *checksum = checksum_add(*checksum, chunk, (size_t)got);
    close(file);
    return got == 0 || fault_errno(why, FAULT_STORAGE, "reading %s", path);
}

/* ---- the record ---- */

static void sum_write(uint32_t sum, unsigned char to[SUM])
{
    for (int i = 0; i < SUM; i++)
        to[i] = (unsigned char)(sum >> (8 * i));
}

static uint32_t record_sum(const void *data, size_t length)
{
    return checksum_add(checksum_add(0, magic, sizeof magic), data, length);
}

bool job_record_write(int home, const struct bytes *record, struct fault *why)
{
    int file =
        openat(home, "record.new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    unsigned char sum[SUM];
    bool written;

    if (file < 0)
        return fault_errno(why, FAULT_STORAGE, "making the record of a job");
    sum_write(record_sum(record->data, record->length), sum);
    written = write_all(file, magic, sizeof magic) && write_all(file, sum, sizeof sum) &&
              write_all(file, record->data, record->length) && fsync(file) == 0;
    if (!written)
        fault_errno(why, FAULT_STORAGE, "writing the record of a job");
    close(file);
    if (written && (renameat(home, "record.new", home, "record") < 0 || fsync(home) < 0))
        written = fault_errno(why, FAULT_STORAGE, "naming the record of a job");
    return written;
}

bool job_record_read(int home, struct bytes *record, struct fault *why)
{
    unsigned char head[sizeof magic + SUM], sum[SUM];
    int64_t length = 0;
    int file = job_file_open(home, "record", &length, why);
    ssize_t got = 0;
    bool whole;

    if (file < 0)
        return false;
    length -= (int64_t)sizeof head;
    whole = length >= 0 && length <= RECORD_MOST && read(file, head, sizeof head) == sizeof head &&
            memcmp(head, magic, sizeof magic) == 0 &&
            bytes_reserve(record, (size_t)length + 1, why);
    if (whole)
        got = read(file, record->data, (size_t)length);
    close(file);
    if (whole && got == length) {
        record->length = (size_t)length;
        sum_write(record_sum(record->data, record->length), sum);
        if (memcmp(sum, head + sizeof magic, SUM) == 0)
            return true;
    }
    return fault_set(why, FAULT_STORAGE, "the record of a job is damaged");
}
