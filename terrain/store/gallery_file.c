#include "terrain/store/gallery_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "terrain/base/bytes.h"
#include "terrain/store/checksum.h"

enum { HEAD_BYTES = 64, HEAD_SUMMED = 60, FORMAT = 1, PACK_LEVEL = 1 };

static const char magic[8] = "LANDPICT";
static const char half_made[] = ".new"; /* no name begins with a dot */

int64_t picture_bytes(int32_t width, int32_t height, int32_t channels)
{
    return (int64_t)width * height * (channels <= 2 ? 2 * channels : channels);
}

static void put_number(unsigned char *to, uint64_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t take_number(const unsigned char *from, int bytes)
{
    uint64_t number = 0;

    for (int i = 0; i < bytes; i++)
        number |= (uint64_t)from[i] << (8 * i);
    return number;
}

static void write_head(const struct picture_about *about, unsigned char head[HEAD_BYTES])
{
    memset(head, 0, HEAD_BYTES);
    memcpy(head, magic, sizeof magic);
    put_number(head + 8, FORMAT, 4);
    put_number(head + 12, (uint64_t)about->width, 4);
    put_number(head + 16, (uint64_t)about->height, 4);
    put_number(head + 20, (uint64_t)about->channels, 4);
    put_number(head + 24, about->checksum, 4);
    put_number(head + 32, about->revision, 8);
    put_number(head + 40, (uint64_t)about->disk_bytes - HEAD_BYTES, 8);
    put_number(head + HEAD_SUMMED, checksum_add(0, head, HEAD_SUMMED), 4);
}

static bool read_head(const unsigned char head[HEAD_BYTES], struct picture_about *about)
{
    uint64_t width = take_number(head + 12, 4), height = take_number(head + 16, 4);
    uint64_t channels = take_number(head + 20, 4), packed = take_number(head + 40, 8);

    if (memcmp(head, magic, sizeof magic) != 0 || take_number(head + 8, 4) != FORMAT ||
        take_number(head + HEAD_SUMMED, 4) != checksum_add(0, head, HEAD_SUMMED) || width < 1 ||
        width > PICTURE_SIDE_MOST || height < 1 || height > PICTURE_SIDE_MOST || channels < 1 ||
        channels > 4 || packed > INT64_MAX / 2)
        return false;
    about->width = (int32_t)width;
    about->height = (int32_t)height;
    about->channels = (int32_t)channels;
    about->checksum = (uint32_t)take_number(head + 24, 4);
    about->revision = take_number(head + 32, 8);
    about->bytes = picture_bytes(about->width, about->height, about->channels);
    about->disk_bytes = (int64_t)packed + HEAD_BYTES;
    return true;
}

/* All of them, at once or in pieces. */
static bool read_all(int file, void *to, size_t length, off_t at)
{
    size_t have = 0;

    while (have < length) {
        ssize_t got = pread(file, (char *)to + have, length - have, at + (off_t)have);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

static bool damaged(const char *name, const char *what, struct fault *why)
{
    return fault_set(why, FAULT_STORAGE, "the raster %s %s; put it again", name, what);
}

bool gallery_file_about(int folder, const char *name, struct picture_about *about,
                        struct fault *why)
{
    unsigned char head[HEAD_BYTES];
    struct stat status;
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool read;

    if (file < 0)
        return fault_errno(why, FAULT_STORAGE, "opening the raster %s", name);
    read = fstat(file, &status) == 0 && read_all(file, head, sizeof head, 0) &&
           read_head(head, about) && status.st_size == about->disk_bytes;
    close(file);
    return read || damaged(name, "is damaged", why);
}

/* What the packed bytes come to, checked. */
static bool unpack(const void *packed, size_t length, const struct picture_about *about,
                   void *samples, struct fault *why)
{
    size_t got = ZSTD_decompress(samples, (size_t)about->bytes, packed, length);

    if (ZSTD_isError(got) || got != (size_t)about->bytes)
        return damaged(about->name, "cannot be unpacked", why);
    if (checksum_add(0, samples, got) != about->checksum)
        return damaged(about->name, "has a wrong checksum", why);
    return true;
}

bool gallery_file_read(int folder, const char *name, const struct picture_about *about,
                       void **samples, struct fault *why)
{
    size_t length = (size_t)about->disk_bytes - HEAD_BYTES;
    unsigned char *packed = malloc(length + 1);
    void *room = malloc((size_t)about->bytes);
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool done = false;

    if (!packed || !room)
        fault_set(why, FAULT_MEMORY, "no memory for the raster %s", name);
    else if (file < 0)
        fault_errno(why, FAULT_STORAGE, "opening the raster %s", name);
    else if (!read_all(file, packed, length, HEAD_BYTES))
        damaged(name, "cannot be read to its end", why);
    else
        done = unpack(packed, length, about, room, why);
    if (file >= 0)
        close(file);
    free(packed);
    if (done)
        *samples = room;
    else
        free(room);
    return done;
}

bool gallery_file_make(const void *samples, struct picture_about *about, struct bytes *file,
                       struct fault *why)
{
    size_t length = (size_t)about->bytes, got;

    if (!bytes_reserve(file, HEAD_BYTES + ZSTD_compressBound(length), why))
        return false;
    got = ZSTD_compress(file->data + HEAD_BYTES, file->room - HEAD_BYTES, samples, length,
                        PACK_LEVEL);
    if (ZSTD_isError(got))
        return fault_set(why, FAULT_MEMORY, "no memory to pack a raster: %s",
                         ZSTD_getErrorName(got));
    about->checksum = checksum_add(0, samples, length);
    about->disk_bytes = (int64_t)got + HEAD_BYTES;
    write_head(about, file->data);
    file->length = got + HEAD_BYTES;
    return true;
}

static bool write_all(int file, const struct bytes *bytes)
{
    size_t have = 0;

    while (have < bytes->length) {
        ssize_t got = write(file, bytes->data + have, bytes->length - have);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

bool gallery_file_write(int folder, const char *name, const struct bytes *bytes, struct fault *why)
{
    int file =
        openat(folder, half_made, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool written;

    if (file < 0)
        return fault_errno(why, FAULT_STORAGE, "making the raster %s", name);
    written = write_all(file, bytes) && fsync(file) == 0;
    if (!written)
        fault_errno(why, FAULT_STORAGE, "writing the raster %s", name);
    close(file);
    if (written && renameat(folder, half_made, folder, name) < 0)
        written = fault_errno(why, FAULT_STORAGE, "naming the raster %s", name);
    if (!written) {
        unlinkat(folder, half_made, 0);
        return false;
    }
    return fsync(folder) == 0 || fault_errno(why, FAULT_STORAGE, "flushing the folder of rasters");
}

bool gallery_file_remove(int folder, const char *name, struct fault *why)
{
    if (unlinkat(folder, name, 0) < 0 && errno != ENOENT)
        return fault_errno(why, FAULT_STORAGE, "removing the raster %s", name);
    return fsync(folder) == 0 || fault_errno(why, FAULT_STORAGE, "flushing the folder of rasters");
}

bool gallery_file_tidy(int folder, struct fault *why)
{
    if (unlinkat(folder, half_made, 0) < 0 && errno != ENOENT)
        return fault_errno(why, FAULT_STORAGE, "removing half a raster");
    return true;
}
