/* archive_read on any bytes, their checksums set right first: what it takes is sound, and
 * its archive is read back to the same one. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/store/archive.h"
#include "terrain/store/checksum.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MARK = 8, HEAD = 5, TAIL = 4 };

static void set_number(uint8_t *to, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

/* A fuzzer does not guess checksums, so each record's, and the end mark's, are made to fit. */
static void mend(uint8_t *data, size_t size)
{
    size_t at = MARK, length;

    while (at + HEAD + TAIL <= size) {
        length = data[at + 1] | (size_t)data[at + 2] << 8 | (size_t)data[at + 3] << 16 |
                 (size_t)data[at + 4] << 24;
        if (length > size - at - HEAD - TAIL)
            return;
        if (data[at] == 'E' && length == 12)
            set_number(data + at + HEAD + 8, checksum_add(0, data, at));
        set_number(data + at + HEAD + length, checksum_add(0, data + at, HEAD + length));
        at += HEAD + length + TAIL;
    }
}

static void must_come_back(const struct view *view)
{
    struct bytes first = { 0 }, second = { 0 };
    struct fault why = { 0 };
    struct view *again;

    if (!archive_write(view, &first, &why))
        abort();
    again = archive_read(first.data, first.length, 1 << 20, &why);
    if (!again || !archive_write(again, &second, &why) || first.length != second.length ||
        memcmp(first.data, second.data, first.length) != 0)
        abort();
    view_drop(again);
    bytes_free(&first);
    bytes_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    struct fault why = { 0 };
    struct view *view;

    memcpy(copy, data, size);
    if (size >= MARK)
        mend(copy, size);
    view = archive_read(copy, size, 1 << 20, &why);
    if (view)
        must_come_back(view);
    else if (why.code != FAULT_INPUT && why.code != FAULT_IMPOSSIBLE)
        abort();
    view_drop(view);
    free(copy);
    return 0;
}
