#include "terrain/store/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { RESERVE_BYTES = 64 << 20, RESERVE_LEAST = 256 << 10, LEDGER_NAME = 24 };

static void ledger_name(uint64_t incarnation, char name[LEDGER_NAME])
{
    snprintf(name, LEDGER_NAME, "%016" PRIx64 ".db", incarnation);
}

/* Kinds from linux/magic.h and the kernel's sources, of which not all are in the header. */
static const char *network_kind(int folder)
{
    static const struct {
        uint32_t kind;
        const char *name;
    } kinds[] = {
        { 0x6969, "NFS" },      { 0xff534d42, "CIFS" },  { 0xfe534d42, "SMB" },
        { 0x517b, "SMB" },      { 0x5346414f, "AFS" },   { 0x00c36400, "Ceph" },
        { 0x01021997, "9P" },   { 0x73757245, "Coda" },  { 0x0bd00bd0, "Lustre" },
        { 0x01161970, "GFS2" }, { 0x7461636f, "OCFS2" },
    };
    struct statfs about;

    if (fstatfs(folder, &about) == 0)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if ((uint32_t)about.f_type == kinds[i].kind)
                return kinds[i].name;
    return NULL;
}

static int open_folder(int parent, const char *path, struct fault *why)
{
    int made = mkdirat(parent, path, 0700);
    int opened;

    if (made < 0 && errno != EEXIST) {
        fault_errno(why, FAULT_STORAGE, "making the folder %s", path);
        return -1;
    }
    opened = openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0 || (made == 0 && (fchmod(opened, 0700) < 0 || fsync(opened) < 0))) {
        fault_errno(why, FAULT_STORAGE, "opening the folder %s", path);
        if (opened >= 0)
            close(opened);
        return -1;
    }
    return opened;
}

/* So that a folder that was just made is still there after the power has gone. */
static bool flush_parent(int folder, struct fault *why)
{
    int parent = openat(folder, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed;

    if (parent < 0) /* not ours to read: whoever made the folder has seen to it */
        return true;
    flushed = fsync(parent) == 0;
    close(parent);
    return flushed || fault_errno(why, FAULT_STORAGE, "flushing the data folder's own folder");
}

/* Another process is known by the lock; the number in it is for the sentence alone. */
static bool take_lock(struct folder *folder, struct fault *why)
{
    char text[32] = { 0 };
    int length;

    folder->lock = openat(folder->root, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (folder->lock < 0)
        return fault_errno(why, FAULT_STORAGE, "taking the folder %s", folder->path);
    if (flock(folder->lock, LOCK_EX | LOCK_NB) < 0) {
        if (errno != EWOULDBLOCK)
            return fault_errno(why, FAULT_STORAGE, "taking the folder %s", folder->path);
        if (pread(folder->lock, text, sizeof text - 1, 0) < 0)
            text[0] = '\0';
        return fault_set(why, FAULT_CONFLICT,
                         "the folder %s is in use by process %ld; stop it, or name another folder",
                         folder->path, strtol(text, NULL, 10));
    }
    length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    /* Even on a full disk the folder is taken: then only the sentence lacks its number. */
    if (ftruncate(folder->lock, 0) < 0 || pwrite(folder->lock, text, (size_t)length, 0) < 0)
        errno = 0;
    return true;
}

bool folder_open(const char *path, struct folder *folder, struct fault *why)
{
    const char *kind;

    *folder = (struct folder){ .root = -1, .landscapes = -1, .lock = -1 };
    folder->root = open_folder(AT_FDCWD, path, why);
    if (folder->root < 0 || !flush_parent(folder->root, why))
        goto failed;
    if (!realpath(path, folder->path)) {
        fault_errno(why, FAULT_STORAGE, "finding the folder %s", path);
        goto failed;
    }
    kind = network_kind(folder->root);
    if (kind) {
        fault_set(why, FAULT_STORAGE,
                  "the folder %s lies on %s; its locks and flushes cannot keep landscapes safe, "
                  "name a folder on a local disk",
                  folder->path, kind);
        goto failed;
    }
    if (!take_lock(folder, why))
        goto failed;
    folder->landscapes = open_folder(folder->root, "landscapes", why);
    if (folder->landscapes < 0)
        goto failed;
    if (fsync(folder->root) < 0) {
        fault_errno(why, FAULT_STORAGE, "flushing the folder %s", folder->path);
        goto failed;
    }
    return true;

failed:
    folder_close(folder);
    return false;
}

void folder_close(struct folder *folder)
{
    if (folder->landscapes >= 0)
        close(folder->landscapes);
    if (folder->lock >= 0)
        close(folder->lock);
    if (folder->root >= 0)
        close(folder->root);
    folder->root = folder->landscapes = folder->lock = -1;
}

void folder_catalogue(const struct folder *folder, char path[FOLDER_PATH])
{
    snprintf(path, FOLDER_PATH, "%s/catalogue.db", folder->path);
}

void folder_ledger(const struct folder *folder, uint64_t incarnation, char path[FOLDER_PATH])
{
    char name[LEDGER_NAME];

    ledger_name(incarnation, name);
    snprintf(path, FOLDER_PATH, "%s/landscapes/%s", folder->path, name);
}

static bool make(int folder, const char *name, int flags, struct fault *why)
{
    int file = openat(folder, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    bool made;

    if (file < 0)
        return fault_errno(why, errno == EEXIST ? FAULT_CONFLICT : FAULT_STORAGE, "making %s",
                           name);
    made = fsync(file) == 0 && fsync(folder) == 0;
    if (!made)
        fault_errno(why, FAULT_STORAGE, "making %s", name);
    close(file);
    return made;
}

bool folder_make_catalogue(const struct folder *folder, struct fault *why)
{
    return make(folder->root, "catalogue.db", 0, why);
}

bool folder_make_ledger(const struct folder *folder, uint64_t incarnation, struct fault *why)
{
    char name[LEDGER_NAME];

    ledger_name(incarnation, name);
    return make(folder->landscapes, name, O_EXCL, why);
}

bool folder_remove_ledger(const struct folder *folder, uint64_t incarnation, struct fault *why)
{
    static const char *const ends[] = { "", "-wal", "-journal" };
    char name[LEDGER_NAME], full[LEDGER_NAME + 16];

    ledger_name(incarnation, name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(full, sizeof full, "%s%s", name, ends[i]);
        if (unlinkat(folder->landscapes, full, 0) < 0 && errno != ENOENT)
            return fault_errno(why, FAULT_STORAGE, "removing %s", full);
    }
    if (fsync(folder->landscapes) < 0)
        return fault_errno(why, FAULT_STORAGE, "flushing the folder of landscapes");
    return true;
}

/* The incarnation that a file is named by, its log included; false for any other file. */
static bool named_by(const char *file, uint64_t *incarnation)
{
    char name[LEDGER_NAME];
    size_t length;

    if (sscanf(file, "%16" SCNx64, incarnation) != 1)
        return false;
    ledger_name(*incarnation, name);
    length = strlen(name);
    return strncmp(file, name, length) == 0 &&
           (!file[length] || !strcmp(file + length, "-wal") || !strcmp(file + length, "-journal"));
}

static DIR *list_landscapes(const struct folder *folder)
{
    int again = openat(folder->landscapes, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = again < 0 ? NULL : fdopendir(again);

    if (!listing && again >= 0)
        close(again);
    return listing;
}

bool folder_each_ledger(const struct folder *folder,
                        bool (*visit)(void *context, uint64_t incarnation, struct fault *why),
                        void *context, struct fault *why)
{
    DIR *listing = list_landscapes(folder);
    const struct dirent *entry;
    uint64_t incarnation;
    bool went = true;

    if (!listing)
        return fault_errno(why, FAULT_STORAGE, "reading the folder of landscapes");
    while (went && (entry = readdir(listing)))
        if (named_by(entry->d_name, &incarnation))
            went = visit(context, incarnation, why);
    closedir(listing);
    return went;
}

int64_t folder_bytes(const struct folder *folder)
{
    DIR *listing = list_landscapes(folder);
    const struct dirent *entry;
    struct stat about;
    int64_t bytes = 0;

    while (listing && (entry = readdir(listing)))
        if (fstatat(folder->landscapes, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            bytes += (int64_t)about.st_blocks * 512;
    if (listing)
        closedir(listing);
    return bytes;
}

void folder_keep_reserve(const struct folder *folder)
{
    int file = openat(folder->root, "reserve", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    off_t bytes = RESERVE_BYTES;

    if (file < 0)
        return;
    /* A small disk gets a small one; without any room it is tried again when there is. */
    while (bytes >= RESERVE_LEAST && fallocate(file, 0, 0, bytes) < 0)
        bytes /= 4;
    if (bytes < RESERVE_LEAST)
        unlinkat(folder->root, "reserve", 0);
    close(file);
}

void folder_spend_reserve(const struct folder *folder)
{
    unlinkat(folder->root, "reserve", 0);
}
