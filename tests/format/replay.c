#include "tests/format/replay.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAMAGES = 60, FILE_MOST = 64 << 10 };

static uint32_t seed = 20;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)seed * below) >> 32);
}

/* What fuzzers do most: flip bits, set bytes, cut, and repeat a part elsewhere. */
static size_t damage(uint8_t *data, size_t size)
{
    for (uint32_t times = 1 + any(6); times > 0 && size > 0; times--) {
        size_t at = any((uint32_t)size), from = any((uint32_t)size), some;

        switch (any(5)) {
        case 0:
            data[at] ^= (uint8_t)(1u << any(8));
            break;
        case 1:
            data[at] = (uint8_t)any(256);
            break;
        case 2:
            data[at] = any(2) ? 0xFF : 0;
            break;
        case 3:
            some = size - (at > from ? at : from);
            memmove(data + at, data + from, some < 16 ? some : 16);
            break;
        default:
            if (any(4) == 0)
                size = at;
        }
    }
    return size;
}

static int replay_file(const char *path)
{
    static uint8_t whole[FILE_MOST], damaged[FILE_MOST];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(whole, 1, sizeof whole, file) : 0;

    if (!file)
        return 0;
    fclose(file);
    LLVMFuzzerTestOneInput(whole, size);
    for (int i = 0; i < DAMAGES; i++) {
        memcpy(damaged, whole, size);
        LLVMFuzzerTestOneInput(damaged, damage(damaged, size));
    }
    return 1;
}

static int replay_folder(const char *name)
{
    const char *source = getenv("srcdir");
    char path[4096];
    struct dirent *entry;
    DIR *folder;
    int files = 0;

    snprintf(path, sizeof path, "%s/tests/%s", source ? source : ".", name);
    folder = opendir(path);
    while (folder && (entry = readdir(folder)) != NULL) {
        char file[4400];

        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            files += replay_file(file);
    }
    if (folder)
        closedir(folder);
    if (files == 0)
        fprintf(stderr, "there is no corpus in %s\n", path);
    return files;
}

int main(void)
{
    int files = 0;

    for (const char *const *folder = replay_folders; *folder; folder++) {
        int some = replay_folder(*folder);

        if (some == 0)
            return 1;
        files += some;
    }
    printf("%d files, each damaged %d times\n", files, DAMAGES);
    return 0;
}
