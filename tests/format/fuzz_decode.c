/* Any bytes as a file to decode, and what comes of it as a landscape. */
#include <stdlib.h>
#include <string.h>

#include "terrain/format/decode_job.h"
#include "terrain/format/import.h"
#include "tests/format/replay.h"

const char *const replay_folders[] = { "inputs/png",     "inputs/geo",    "inputs/encoded",
                                       "inputs/surface", "corpus/decode", NULL };

static const struct raster_limits limits = { 512, 1 << 18 };

static void import_any(struct raster *raster, uint8_t choice)
{
    struct import_options options = { .fit = (enum import_fit)(choice % 3), .limits = limits };
    struct import_plan plan;
    struct fault why = { 0 };
    struct settings *settings;
    struct view *view;

    if (!import_plan(raster, &options, &plan, &why))
        return;
    settings = import_settings(raster, &plan, NULL, &why);
    view = settings ? import_view(raster, &plan, &settings, NULL, &why) : NULL;
    settings_drop(settings);
    view_drop(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct decode_job job;
    static struct decode_answer answer;
    static bool prepared;
    uint8_t choice = size > 0 ? data[size - 1] : 0;

    if (!prepared)
        decode_prepare();
    prepared = true;
    memset(&job, 0, sizeof job);
    job.length = size;
    job.options.limits = limits;
    job.options.driver = -1;
    job.options.encoding = (enum decode_encoding)(choice % 7 % 3);
    job.options.band = choice % 5 == 0;
    decode_perform(&job, data, &raster_heap, &answer);
    if (answer.stage == DECODE_DONE)
        import_any(&answer.raster, choice);
    else if (answer.why.code == FAULT_NONE)
        abort(); /* a refusal without a reason */
    raster_free(&answer.raster);
    return 0;
}
