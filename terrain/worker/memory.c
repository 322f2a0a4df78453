#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terrain/worker/worker.h"

int worker_memory(size_t size, void **mapped, struct fault *why)
{
    int file = memfd_create("landscaped", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    *mapped = NULL;
    if (file < 0)
        goto fail;
    if (ftruncate(file, (off_t)size) < 0 ||
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) < 0)
        goto fail;
    if (size == 0)
        return file;
    *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (*mapped != MAP_FAILED)
        return file;

fail:
    *mapped = NULL;
    fault_errno(why, FAULT_MEMORY, "making %zu bytes of shared memory", size);
    if (file >= 0)
        close(file);
    return -1;
}

bool worker_memory_seal(int descriptor, void *mapped, size_t size, struct fault *why)
{
    if (size > 0)
        munmap(mapped, size);
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) < 0)
        return fault_errno(why, FAULT_WORKER, "sealing shared memory");
    return true;
}

const void *worker_memory_map(int descriptor, size_t size, struct fault *why)
{
    const int wanted = F_SEAL_SHRINK | F_SEAL_GROW;
    int seals = fcntl(descriptor, F_GET_SEALS);
    struct stat about;
    void *mapped;

    /* What can shrink under a mapping kills who reads it. */
    if (seals < 0 || (seals & wanted) != wanted) {
        fault_set(why, FAULT_WORKER, "shared memory came without its seals");
        return NULL;
    }
    if (size == 0 || fstat(descriptor, &about) < 0 || (size_t)about.st_size != size) {
        fault_set(why, FAULT_WORKER, "shared memory is not the %zu bytes announced", size);
        return NULL;
    }
    mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) {
        fault_errno(why, FAULT_MEMORY, "looking at %zu bytes of shared memory", size);
        return NULL;
    }
    return mapped;
}

void worker_memory_unmap(const void *mapped, size_t size)
{
    if (mapped && size > 0)
        munmap((void *)(uintptr_t)mapped, size);
}
