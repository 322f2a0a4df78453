/* Any text as rows of heights. */
#include <stdlib.h>

#include "api/rasters/rows_json.h"
#include "tests/format/replay.h"

const char *const replay_folders[] = { "inputs/bodies", "corpus/rows", NULL };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = { .limit = 1 << 22 };
    struct rows_json rows;
    struct fault why = { 0 };

    if (!rows_json_read((const char *)data, size, &arena, &rows, &why)) {
        if (why.code == FAULT_NONE)
            abort(); /* a refusal without a reason */
    } else if (rows.width < 1 || rows.height < 1 || !rows.metres)
        abort();
    arena_free(&arena);
    return 0;
}
