#include "terrain/format/tar.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* 1980-01-01: readers warn of the beginning of time. */
#define TAR_TIME INT64_C(315532800)

/* Fields of a head, by their places: the table in pax(1) of POSIX.1, "ustar interchange format". */
enum {
    AT_MODE = 100,
    AT_OWNER = 108,
    AT_GROUP = 116,
    AT_SIZE = 124,
    AT_TIME = 136,
    AT_SUM = 148,
    AT_TYPE = 156,
    AT_MAGIC = 257,
    AT_VERSION = 263
};

static void octal(unsigned char *to, int digits, uint64_t number)
{
    for (int i = digits - 1; i >= 0; i--, number >>= 3)
        to[i] = (unsigned char)('0' + (number & 7));
}

void tar_head(const char *name, int64_t length, unsigned char head[TAR_BLOCK])
{
    size_t letters = strlen(name);
    uint64_t sum = 0;

    assert(letters <= TAR_NAME_MOST && length < INT64_C(1) << 33);
    memset(head, 0, TAR_BLOCK);
    memcpy(head, name, letters);
    octal(head + AT_MODE, 7, 0644);
    octal(head + AT_OWNER, 7, 0);
    octal(head + AT_GROUP, 7, 0);
    octal(head + AT_SIZE, 11, (uint64_t)length);
    octal(head + AT_TIME, 11, TAR_TIME);
    head[AT_TYPE] = '0';
    memcpy(head + AT_MAGIC, "ustar", 6);
    memcpy(head + AT_VERSION, "00", 2);
    memset(head + AT_SUM, ' ', 8); /* counts as spaces in its own sum */
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += head[i];
    octal(head + AT_SUM, 6, sum);
    head[AT_SUM + 6] = '\0';
}

int tar_padding(int64_t length)
{
    return (int)(-length & (TAR_BLOCK - 1));
}

bool tar_add(struct bytes *to, const char *name, const void *data, size_t length, struct fault *why)
{
    static const unsigned char zeros[TAR_BLOCK];
    unsigned char head[TAR_BLOCK];
    size_t padding = (size_t)tar_padding((int64_t)length);

    tar_head(name, (int64_t)length, head);
    return bytes_reserve(to, TAR_BLOCK + length + padding, why) &&
           bytes_add(to, head, sizeof head, why) && bytes_add(to, data, length, why) &&
           bytes_add(to, zeros, padding, why);
}
