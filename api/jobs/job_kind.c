#include "api/jobs/job_kind.h"

#include <stdio.h>
#include <string.h>

#include "api/dispatch.h"
#include "terrain/store/checksum.h"

const struct job_kind *const job_kinds[] = {
#define JOB(name) &job_kind_##name,
#include "api/jobs/jobs.def"
#undef JOB
};

static const char *const words[] = {
#define JOB(name) #name,
#include "api/jobs/jobs.def"
#undef JOB
    NULL
};

#define JOB(name) extern const struct shape job_##name##_shape;
#include "api/jobs/jobs.def"
#undef JOB

static const struct shape *const shapes[] = {
#define JOB(name) &job_##name##_shape,
#include "api/jobs/jobs.def"
#undef JOB
};

const struct variant_set job_variants = {
    .tag = "kind",
    .words = words,
    .shapes = shapes,
    .count = sizeof shapes / sizeof *shapes,
    .name = "job",
};

static const struct field body_rows[] = { { .name = "",
                                            .kind = FIELD_VARIANT,
                                            .variants = &job_variants,
                                            .help = "A job of one of the kinds" },
                                          { .kind = FIELD_END } };

const struct shape job_body_shape = {
    .name = "job_body",
    .size = sizeof(struct variant),
    .fields = body_rows,
    .given = -1,
};

static const char *const priorities[] = { "low", "normal", "high", NULL };

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct job_asked, id,
             "The job's id; one is made up when left out. The same body under the same id again is "
             "the same job"),
    FIELD_AS(FIELD_NAME, struct job_asked, landscape, "The landscape's id", .required = true),
    FIELD(struct job_asked, version, NULL, 1, 9007199254740992.0,
          "The version that all of it is made of; the newest when left out"),
    FIELD(struct job_asked, deadline_seconds, "s", 1, 31536000,
          "It fails when it has not ended so long after it was posted; job_seconds when left out"),
    FIELD_AS(FIELD_CHOICE, struct job_asked, priority,
             "Of two jobs that wait, the more urgent begins", .words = priorities,
             .has_value = true, .value = PRIORITY_NORMAL),
    { .kind = FIELD_END }
};

const struct shape job_asked_shape = {
    .name = "job", .size = sizeof(struct job_asked), .fields = rows, .given = -1
};

/* Where a file is until the list tells of it. */
#define NEXT_PATH "work/next"

bool job_result_add(struct job_work *work, const struct job_result *result, struct fault *why)
{
    work->bytes += result->length;
    if (!job_writer_add(&work->list, result, sizeof *result, why))
        return false;
    work->results++;
    return true;
}

bool job_result_put(struct job_work *work, const char *name, const char *media, const void *data,
                    size_t length, struct fault *why)
{
    struct job_result result = { .length = (int64_t)length,
                                 .checksum = checksum_add(0, data, length) };
    char path[JOB_NAME_ROOM + 8];

    snprintf(result.name, sizeof result.name, "%s", name);
    snprintf(result.media, sizeof result.media, "%s", media);
    snprintf(path, sizeof path, "files/%s", result.name);
    if (!job_file_put(work->home, NEXT_PATH, data, length, why) ||
        !job_result_add(work, &result, why))
        return false;
    if (job_file_place(work->home, NEXT_PATH, path, why))
        return true;
    work->results--;
    work->bytes -= result.length;
    return false;
}

bool job_result_move(struct job_work *work, const char *from, const char *name, const char *media,
                     struct fault *why)
{
    struct job_result result = { .length = 0 };
    char path[JOB_NAME_ROOM + 8];

    snprintf(result.name, sizeof result.name, "%s", name);
    snprintf(result.media, sizeof result.media, "%s", media);
    snprintf(path, sizeof path, "files/%s", result.name);
    return job_file_sum(work->home, from, &result.length, &result.checksum, why) &&
           job_file_move(work->home, from, path, why) && job_result_add(work, &result, why);
}

/* A parameter of the route is a member of the body, or one of its options. */
static void place_turn(const char *const *members, struct fault *why)
{
    char place[sizeof why->place];

    snprintf(place, sizeof place, "%s", why->place);
    for (; place[0] && *members; members++)
        if (!strcmp(*members, place)) {
            fault_at(why, "/%s", place);
            return;
        }
    if (place[0])
        fault_at(why, "/options");
}

static void piece_name(const struct request *rq, struct job_piece *piece)
{
    const struct endpoint *row = rq->endpoint;
    const char *dot = rq->filename ? strrchr(rq->filename, '.') : NULL;

    piece->media = row->media_out ? row->media_out[rq->media_out] : "application/json";
    snprintf(piece->ending, sizeof piece->ending, "%s", dot ? dot + 1 : "bin");
}

bool job_read(const struct job_plan *plan, const struct view *view, const char *target,
              const char *const *members, struct job_piece *piece, uint64_t *stamp,
              struct fault *why)
{
    struct dispatch dispatch;
    bool read;

    dispatch_init(&dispatch, plan->service);
    read = dispatch_read(&dispatch, target, members != NULL, plan->landscape, view, piece != NULL,
                         stamp);
    if (read && piece) {
        piece_name(&dispatch.rq, piece);
        bytes_free(&piece->bytes);
        piece->bytes = dispatch.rq.bytes;
        dispatch.rq.bytes = (struct bytes){ 0 };
    }
    if (!read) {
        *why = dispatch.rq.fault;
        if (members)
            place_turn(members, why);
    }
    dispatch_fini(&dispatch);
    return read;
}
