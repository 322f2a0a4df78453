/* Pictures of a landscape, each as a request for it answers it: a result a view, in their order. A
 * view that comes to nothing has a problem for its result, and the others go on. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/frame.h"
#include "api/jobs/package.h"
#include "api/jobs/shots.h"
#include "api/status.h"
#include "terrain/store/checksum.h"

enum { TOGETHER_BYTES = 1 << 28, TOGETHER_LEAST = 4, TOGETHER_MOST = 64, DIGITS_LEAST = 4 };

static const char *const packages_of_pictures[] = { "folder", "tar", NULL };
enum { FOLDER, TAR };

struct render {
    struct shots_asked shots;
    int frame, package;
};

static const struct field rows[] = {
    FIELD_AS(FIELD_CHOICE, struct render, frame, "What positions are measured in",
             .words = frame_words, .has_value = true, .value = FRAME_LOCAL),
    FIELD_AS(FIELD_CHOICE, struct render, package,
             "What the pictures are put into: each is a result, or all are one",
             .words = packages_of_pictures, .has_value = true, .value = FOLDER),
    { .kind = FIELD_END }
};

const struct shape job_render_shape = { .name = "render",
                                        .size = sizeof(struct render),
                                        .fields = rows,
                                        .base = &shots_shape,
                                        .given = -1 };

static const struct render *asked_of(const struct job_plan *plan)
{
    return (const struct render *)plan->asked;
}

/* ---- the plan ---- */

static bool size_fits(const struct job_plan *plan, const struct picture *picture, struct fault *why)
{
    int64_t pixels = (int64_t)picture->width * picture->height;
    int64_t most = plan->service->limits.render_pixels;

    if (pixels <= most)
        return true;
    fault_set(why, FAULT_LIMIT,
              "A picture of %d x %d has %" PRId64 " pixels; %" PRId64
              " is the most (render_pixels)",
              (int)picture->width, (int)picture->height, pixels, most);
    return fault_at(why, "/width");
}

/* As somebody would ask who does not wait. */
static struct request request_of(const struct job_plan *plan, struct arena *arena)
{
    return (struct request){ .service = plan->service,
                             .arena = arena,
                             .landscape = plan->landscape,
                             .landscape_name = plan->asked->landscape,
                             .view = plan->view,
                             .behind = true };
}

/* The version that a view is compared with is the job's from now on. */
static bool hold_before(struct job_plan *plan, struct picture *picture, struct fault *why)
{
    if (!picture->show.against)
        return true;
    if (!job_plan_hold(plan, picture->show.against, why))
        return fault_at(why, "/against");
    picture->show.before = job_plan_version(plan, picture->show.against);
    return true;
}

/* What can be known of a view before it is drawn. */
static bool view_check(struct job_plan *plan, int64_t unit, int64_t *pixels, struct fault *why)
{
    struct request rq = request_of(plan, &plan->arena);
    struct drawing_body body;
    struct picture picture;

    shots_at(plan->own, unit, &body);
    if (!drawing_picture(&rq, plan->view, &body, &picture)) {
        *why = rq.fault;
        return false;
    }
    if (!picture_format_fits(&picture_formats[body.format], &picture, why))
        return fault_at(why, "/format");
    if (!hold_before(plan, &picture, why) || !picture_mode_fits(plan->view, &picture, why))
        return false;
    if (body.format != PICTURE_scene &&
        !renderer_can_draw(plan->service->renderer, plan->view, &picture, why))
        return false;
    if ((int64_t)picture.width * picture.height > *pixels)
        *pixels = (int64_t)picture.width * picture.height;
    return size_fits(plan, &picture, why);
}

static bool plan(struct job_plan *plan, struct fault *why)
{
    struct shots *shots = arena_new(&plan->arena, sizeof *shots);
    /* Its own memory, which nobody else uses yet. */
    struct render *asked = (struct render *)(uintptr_t)plan->asked;
    int64_t pixels = 1, together;

    if (!shots)
        return fault_set(why, FAULT_MEMORY, "No memory for a job");
    plan->own = shots;
    if (!plan->service->renderer)
        return fault_set(why, FAULT_WORKER, "This server was started without a renderer");
    if (!frame_to_grid(&job_render_shape, asked, (enum frame)asked->frame, plan->view->settings,
                       why))
        return why->place[0] ? false : fault_at(why, "/frame");
    if (!shots_plan(plan, &asked->shots, shots, why))
        return false;
    plan->units = shots->count;
    for (int64_t i = 0; i < shots->count; i++)
        if (!view_check(plan, i, &pixels, why))
            return shots_fault(shots, i, why);
    together = TOGETHER_BYTES / (4 * pixels);
    plan->together = (size_t)(together < TOGETHER_LEAST  ? TOGETHER_LEAST
                              : together > TOGETHER_MOST ? TOGETHER_MOST
                                                         : together);
    return true;
}

/* ---- drawing ---- */

static bool draw(const struct job_plan *plan, struct request *rq, const struct drawing_body *body)
{
    struct picture picture;

    rq->bytes.length = 0;
    rq->fault = (struct fault){ 0 };
    if (!drawing_picture(rq, rq->view, body, &picture))
        return false;
    picture.show.before = job_plan_version(plan, picture.show.against);
    return drawing_answer(rq, &picture, &picture_formats[body->format], body->common.quality);
}

/* Others' pictures go first, however long that takes. */
static bool make(const struct job_plan *plan, int64_t unit, struct job_piece *piece,
                 struct fault *why)
{
    const struct timespec moment = { 0, 20000000 };
    struct arena arena = { .limit = (size_t)plan->service->limits.request_memory_bytes };
    struct request rq = request_of(plan, &arena);
    struct drawing_body body;
    bool drawn;

    shots_at(plan->own, unit, &body);
    while (!(drawn = draw(plan, &rq, &body)) && rq.fault.code == FAULT_BUSY &&
           job_plan_wanted(plan))
        nanosleep(&moment, NULL);
    arena_free(&arena);
    if (drawn) {
        piece->is = PIECE_MADE;
        snprintf(piece->warning, sizeof piece->warning, "%s", rq.warning);
        piece->media = picture_formats[body.format].media;
        snprintf(piece->ending, sizeof piece->ending, "%s", picture_formats[body.format].name);
        piece->bytes = rq.bytes;
        return true;
    }
    bytes_free(&rq.bytes);
    if (rq.fault.code == FAULT_INPUT && !rq.fault.place[0])
        fault_at(&rq.fault, "/camera");
    if (rq.fault.place[0] == '/')
        shots_fault(plan->own, unit, &rq.fault);
    *why = piece->fault = rq.fault;
    piece->is = PIECE_FAILED;
    return job_plan_wanted(plan);
}

/* ---- the output ---- */

static void shot_name(const struct job_plan *plan, int64_t unit, const char *ending,
                      char name[JOB_NAME_ROOM])
{
    int digits = snprintf(NULL, 0, "%" PRId64, plan->units - 1);

    snprintf(name, JOB_NAME_ROOM, "%0*" PRId64 ".%s", digits < DIGITS_LEAST ? DIGITS_LEAST : digits,
             unit, ending);
}

static bool begin(struct job_work *work, struct fault *why)
{
    const struct job_plan *plan = work->plan;
    char line[200];
    int length = snprintf(line, sizeof line,
                          "# pictures of %s, version %" PRIu64 "\n# picture bytes crc32c\n",
                          plan->asked->landscape, plan->view->version);

    return asked_of(plan)->package != TAR ||
           job_writer_add(&work->writers[PACKAGE_MANIFEST], line, (size_t)length, why);
}

static bool tar_take(struct job_work *work, int64_t unit, const char *name,
                     const struct job_piece *piece, struct fault *why)
{
    char line[JOB_NAME_ROOM + 40];
    int length = snprintf(line, sizeof line, "%s %zu %08" PRIx32 "\n", name, piece->bytes.length,
                          checksum_add(0, piece->bytes.data, piece->bytes.length));

    return packages[0].add(work, name, (const int32_t[3]){ 0, 0, (int32_t)unit }, piece, why) &&
           job_writer_add(&work->writers[PACKAGE_MANIFEST], line, (size_t)length, why);
}

static bool take(struct job_work *work, int64_t unit, const struct job_piece *piece,
                 struct fault *why)
{
    bool failed = piece->is == PIECE_FAILED;
    struct job_piece problem = { .is = PIECE_FAILED };
    char name[JOB_NAME_ROOM];
    bool taken;

    shot_name(work->plan, unit, failed ? "json" : piece->ending, name);
    if (asked_of(work->plan)->package == FOLDER)
        return failed ? job_result_problem(work, name, &piece->fault, why)
                      : job_result_put(work, name, piece->media, piece->bytes.data,
                                       piece->bytes.length, why);
    if (!failed)
        return tar_take(work, unit, name, piece, why);
    taken = problem_write(&piece->fault, &problem.bytes, why) &&
            tar_take(work, unit, name, &problem, why);
    bytes_free(&problem.bytes);
    return taken;
}

/* A job without a picture fails as its views did, if they agree. */
static bool nothing_drawn(const struct job_work *work, struct fault *why)
{
    const struct fault *common = &work->common;
    const int64_t units = work->plan->units;

    if (!common->code)
        return fault_set(why, FAULT_WORKER,
                         "None of the %" PRId64 " views could be drawn, for several reasons; each "
                         "has its problem in place of a picture",
                         units);
    if (units == 1)
        *why = *common;
    else
        fault_set(why, common->code,
                  "None of the %" PRId64 " views could be drawn; each has its problem in place of "
                  "a picture, the first: %s",
                  units, common->detail);
    return fault_at(why, "%s", common->place);
}

static bool finish(struct job_work *work, struct fault *why)
{
    /* Its own memory, which nothing else uses any more. */
    struct job_plan *plan = (struct job_plan *)(uintptr_t)work->plan;
    struct package_about about = { .name = NULL };

    if (asked_of(plan)->package == TAR) {
        about.name = arena_print(&plan->arena, "%.64s-pictures", plan->asked->landscape);
        if (!packages[0].finish(work, &about, why))
            return false;
    }
    return work->made || nothing_drawn(work, why);
}

const struct job_kind job_kind_render = {
    .name = "render",
    .plan = plan,
    .begin = begin,
    .make = make,
    .take = take,
    .finish = finish,
    .writers = { PACKAGE_OUT_PATH, PACKAGE_MANIFEST_PATH, NULL },
    .listed = true,
};
