/* A raster's file from any bytes: as they are, or, where the first is odd, with the checksum of the
 * head made right, so that what lies behind it is reached. What is read is of the size that the
 * head tells; all else is a failure of the store. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terrain/store/checksum.h"
#include "terrain/store/gallery_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD_BYTES = 64, HEAD_SUMMED = 60, SAMPLES_MOST = 1 << 22 };

static int folder = -1;
static char path[] = "/tmp/fuzz_gallery_XXXXXX";

static void folder_end(void)
{
    unlinkat(folder, "a", 0);
    rmdir(path);
}

static void folder_begin(void)
{
    if (folder >= 0)
        return;
    if (!mkdtemp(path))
        abort();
    folder = open(path, O_RDONLY | O_DIRECTORY);
    atexit(folder_end);
}

/* Length and checksum of the head as they ought to be. */
static void mend(uint8_t *file, size_t size)
{
    uint64_t packed = size - HEAD_BYTES;
    uint32_t sum;

    for (int i = 0; i < 8; i++)
        file[40 + i] = (uint8_t)(packed >> (8 * i));
    sum = checksum_add(0, file, HEAD_SUMMED);
    for (int i = 0; i < 4; i++)
        file[HEAD_SUMMED + i] = (uint8_t)(sum >> (8 * i));
}

static void file_put(const uint8_t *data, size_t size, bool mended)
{
    uint8_t *copy = malloc(size + 1);
    int file = openat(folder, "a", O_WRONLY | O_CREAT | O_TRUNC, 0600);

    memcpy(copy, data, size);
    if (mended && size >= HEAD_BYTES)
        mend(copy, size);
    if (file < 0 || write(file, copy, size) != (ssize_t)size)
        abort();
    close(file);
    free(copy);
}

static void file_read(void)
{
    struct picture_about about = { .name = "a" };
    struct fault why = { 0 };
    void *samples;

    if (!gallery_file_about(folder, "a", &about, &why)) {
        if (why.code != FAULT_STORAGE)
            abort();
        return;
    }
    if (about.bytes != picture_bytes(about.width, about.height, about.channels))
        abort();
    if (about.bytes > SAMPLES_MOST)
        return;
    if (!gallery_file_read(folder, "a", &about, &samples, &why)) {
        if (why.code != FAULT_STORAGE)
            abort();
        return;
    }
    if (checksum_add(0, samples, (size_t)about.bytes) != about.checksum)
        abort();
    free(samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    folder_begin();
    if (!size)
        return 0;
    file_put(data + 1, size - 1, data[0] & 1);
    file_read();
    return 0;
}
