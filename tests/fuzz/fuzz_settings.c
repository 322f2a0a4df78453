/* settings_read on any bytes: what it takes is allowed, and comes back from its bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/core/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fault why = { 0 };
    struct settings *settings = settings_read(data, size, &why), *again;
    struct bytes bytes = { 0 };

    if (!settings) {
        if (why.code != FAULT_STORAGE)
            abort();
        return 0;
    }
    if (!settings_check(settings, &why) || !settings_write(settings, &bytes, &why))
        abort();
    again = settings_read(bytes.data, bytes.length, &why);
    if (!again || strcmp(again->title, settings->title) != 0 ||
        again->grid.columns != settings->grid.columns)
        abort();
    settings_drop(again);
    settings_drop(settings);
    bytes_free(&bytes);
    return 0;
}
