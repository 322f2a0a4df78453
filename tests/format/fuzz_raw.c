/* Any bytes as headerless samples of any size, and what comes of them as a landscape. */
#include <stdlib.h>
#include <string.h>

#include "terrain/format/import.h"
#include "terrain/format/raw.h"
#include "tests/format/replay.h"

const char *const replay_folders[] = { "inputs/raw", "corpus/raw", NULL };

static const struct raster_limits limits = { 300, 1 << 16 };

/* The first eight bytes choose. */
static struct raw_options options_of(const uint8_t *data, size_t size)
{
    struct raw_options options = { .type = (enum raw_type)(data[0] % 3),
                                   .width = data[1],
                                   .height = data[2],
                                   .big_endian = data[3] & 1,
                                   .offset = data[4] };
    int64_t row = raw_bytes(options.type, options.width, 1);

    /* Mostly a height that fits, or hardly anything would be read. */
    if ((data[3] & 2) && row > 0 && (size_t)options.offset < size) {
        options.height = (int32_t)(((int64_t)size - options.offset) / row);
        options.offset = (int64_t)size - options.height * row;
    }
    return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct import_options how = { .limits = limits };
    struct raw_options options;
    struct import_plan plan;
    struct raster raster;
    struct fault why = { 0 };

    if (size < 8)
        return 0;
    options = options_of(data, size - 8);
    how.fit = (enum import_fit)(data[5] % 3);
    how.has_origin = data[6] & 1;
    how.has_range = data[6] & 2;
    how.z_min = data[6];
    how.z_max = data[7];
    if (raw_read(data + 8, size - 8, &options, &limits, &raster, &why) &&
        import_plan(&raster, &how, &plan, &why)) {
        struct settings *settings = import_settings(&raster, &plan, NULL, &why);
        struct view *view = settings ? import_view(&raster, &plan, &settings, NULL, &why) : NULL;

        settings_drop(settings);
        view_drop(view);
    } else if (why.code == FAULT_NONE)
        abort(); /* a refusal without a reason */
    raster_free(&raster);
    return 0;
}
