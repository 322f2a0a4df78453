/* The heights along a path: evenly spaced, or wherever the ground bends. */
#include <inttypes.h>
#include <math.h>

#include "api/json_write.h"
#include "api/queries/about.h"
#include "api/queries/floats.h"
#include "api/queries/hits.h"
#include "api/queries/items.h"
#include "api/service.h"
#include "terrain/query/collide.h"
#include "terrain/query/profile.h"

struct profile_asked {
    struct list fields;
    bool ignore_holes, statuses;
};
static const struct field asks[] = {
    FIELD_AS(FIELD_TEXTS, struct profile_asked, fields,
             "More about each sample that has a height: " ABOUT_WORDS),
    FIELD(struct profile_asked, ignore_holes, NULL, 0, 0,
          "Whether holes have the height of the ground beneath"),
    FIELD(struct profile_asked, statuses, NULL, 0, 0,
          "Also tell what became of each sample: hit, hole or outside"),
    { .kind = FIELD_END }
};

struct path {
    struct list path;
    double samples; /* NaN: exact */
};
static const char *const exact[] = { "exact", NULL };
static const struct field path_rows[] = {
    FIELD_AS(FIELD_POINTS, struct path, path,
             "Positions; the line between them is straight on the grid, and so in the landscape's "
             "CRS, whatever the frame",
             .unit = "positions", .least = 2, .greatest = 65536, .required = true),
    FIELD_AS(FIELD_PICK, struct path, samples,
             "How many, a like distance apart along the path with both ends; or \"exact\": one at "
             "each position and wherever the path crosses an edge of a triangle, between which "
             "the ground is straight",
             .least = 2, .greatest = 16777216, .words = exact, .required = true),
    { .kind = FIELD_END }
};

struct sample {
    struct about about;
    double distance, at[2], z;
};
/* x and y are words of ?fields= too, and are told in any case. */
static const struct field own_rows[] = {
    FIELD(struct sample, distance, "m", 0, 0, "Along the path, on the plane"),
    { .name = "x",
      .kind = FIELD_REAL,
      .at = offsetof(struct sample, at[0]),
      .help = "The position, in the request's frame" },
    { .name = "y",
      .kind = FIELD_REAL,
      .at = offsetof(struct sample, at[1]),
      .help = "The position, in the request's frame" },
    FIELD(struct sample, z, "m", 0, 0, "The height; null outside the landscape and in holes"),
    { .kind = FIELD_END }
};
static const struct shape own_shape = {
    .name = "sample", .size = sizeof(struct sample), .fields = own_rows, .given = -1
};

static const struct field totals_rows[] = {
    FIELD(struct profile_totals, length, "m", 0, 0, "Of the path, on the plane"),
    FIELD(struct profile_totals, surface_length, "m", 0, 0,
          "From sample to sample, with the heights"),
    FIELD(struct profile_totals, ascent, "m", 0, 0, "The sum of what it climbs"),
    FIELD(struct profile_totals, descent, "m", 0, 0, "The sum of what it falls"),
    FIELD(struct profile_totals, least, "m", 0, 0, "The least height; null where there is none"),
    FIELD(struct profile_totals, greatest, "m", 0, 0,
          "The greatest height; null where there is none"),
    { .kind = FIELD_END }
};
static const struct shape totals_shape = {
    .name = "totals", .size = sizeof(struct profile_totals), .fields = totals_rows, .given = -1
};

struct answer {
    uint64_t version;
    struct list samples;
    struct profile_totals totals;
    struct list statuses;
};
static const struct field answers[] = {
    FIELD(struct answer, version, NULL, 0, 0, "The version that was asked"),
    FIELD_AS(FIELD_LIST, struct answer, samples, "Along the path", .shape = &own_shape),
    FIELD_AS(FIELD_OBJECT, struct answer, totals,
             "Of the line from sample to sample: of the ground itself, if they are exact",
             .shape = &totals_shape),
    FIELD_AS(FIELD_TEXTS, struct answer, statuses, "Where asked for: hit, hole or outside",
             .left_out = true),
    { .kind = FIELD_END }
};

struct telling {
    const struct request *rq;
    const struct profile *profile;
    struct about_choice choice;
};

static bool sample_tell(const struct telling *telling, size_t i, struct sample *sample,
                        struct fault *why)
{
    const struct profile_place *place = &telling->profile->places[i];

    *sample = (struct sample){ .distance = place->distance, .z = place->z };
    memcpy(sample->at, place->at, sizeof sample->at);
    return isnan(place->z) ||
           about_fill(telling->rq, -1, place->at, telling->choice.words, &sample->about, why);
}

/* Those without a height are told nothing more about. */
static bool samples_print(void *work, size_t first, size_t count, struct bytes *to,
                          struct fault *why)
{
    const struct telling *telling = work;
    struct sample samples[ITEMS_PIECE];

    for (size_t i = 0; i < count; i++)
        if (!sample_tell(telling, first + i, &samples[i], why))
            return false;
    if (!hits_from_grid(telling->rq, samples[0].at, sizeof *samples / sizeof(double), count, why))
        return false;
    for (size_t i = 0; i < count; i++)
        if ((first + i > 0 && !bytes_add(to, ",", 1, why)) ||
            !json_write(isnan(samples[i].z) ? &own_shape : &telling->choice.shape, &samples[i], to,
                        why))
            return false;
    return true;
}

static enum ray_status status_of(const struct view *view, const struct profile_place *place)
{
    double beneath;

    if (!isnan(place->z))
        return RAY_HIT;
    return collide_height(view, place->at[0], place->at[1], &beneath, NULL) ? RAY_HOLE
                                                                            : RAY_OUTSIDE;
}

static bool statuses_write(struct request *rq, const struct profile *profile)
{
    uint8_t *statuses = arena_new(rq->arena, profile->count + 1);

    if (!statuses)
        return REFUSE(rq, FAULT_MEMORY, "no memory for %zu statuses", profile->count);
    for (size_t i = 0; i < profile->count; i++)
        statuses[i] = (uint8_t)status_of(rq->view, &profile->places[i]);
    return items_statuses(rq, statuses, profile->count);
}

static bool profile_write(struct request *rq, const struct profile_asked *asked,
                          const struct profile *profile)
{
    const struct profile_totals totals = profile_total(profile);
    struct telling telling = { .rq = rq, .profile = profile };

    return about_choose(rq, &asked->fields, &own_shape, offsetof(struct sample, about),
                        &telling.choice) &&
           about_count(rq, &telling.choice, profile->count) &&
           bytes_print(&rq->bytes, &rq->fault,
                       "{\"version\":%" PRIu64 ",\"samples\":", rq->view->version) &&
           items_write(rq, profile->count, samples_print, &telling) &&
           bytes_print(&rq->bytes, &rq->fault, ",\"totals\":") &&
           json_write(&totals_shape, &totals, &rq->bytes, &rq->fault) &&
           (!asked->statuses || statuses_write(rq, profile)) &&
           bytes_add(&rq->bytes, "}", 1, &rq->fault);
}

static bool path_check(struct request *rq, const struct path *path, const struct profile_path *line)
{
    const double samples = path->samples;

    if (!isfinite(profile_length(rq->view, line))) {
        REFUSE(rq, FAULT_INPUT, "the path is longer than can be told");
        return fault_at(&rq->fault, "/path");
    }
    if (isnan(samples))
        return true;
    if (samples != floor(samples)) {
        REFUSE(rq, FAULT_INPUT, "samples must be a whole number, such as %.0f, or \"exact\"",
               fmax(floor(samples + 0.5), 2));
        return fault_at(&rq->fault, "/samples");
    }
    return floats_count(rq, "samples", "query_points", (size_t)samples) ||
           fault_at(&rq->fault, "/samples");
}

static bool profile_make(struct request *rq, const struct profile_asked *asked,
                         const struct path *path, const struct profile_path *line,
                         struct profile *profile)
{
    const int64_t most = rq->service->limits.query_points;

    if (!isnan(path->samples))
        return profile_even(rq->view, line, asked->ignore_holes, (size_t)path->samples, profile,
                            &rq->fault);
    if (profile_exact(rq->view, line, asked->ignore_holes, (size_t)most, profile, &rq->fault))
        return true;
    if (rq->fault.code != FAULT_LIMIT)
        return false;
    REFUSE(rq, FAULT_LIMIT,
           "the path crosses more edges than the %" PRId64 " that are answered "
           "(query_points); make it shorter, or ask for that many samples",
           most);
    return fault_at(&rq->fault, "/path");
}

static bool run(struct request *rq, const void *data, void *answer)
{
    const struct profile_asked *asked = data;
    const struct path *path = rq->body;
    const struct profile_path line = { path->path.items, path->path.count };
    struct profile profile;
    bool done;

    (void)answer;
    if (!path_check(rq, path, &line) || !profile_make(rq, asked, path, &line, &profile))
        return false;
    done = profile_write(rq, asked, &profile);
    profile_free(&profile);
    return done;
}

const struct endpoint endpoint_post_profile = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/query/profile",
    .summary =
        "Heights along a path, so many or wherever the ground bends, and what they add up to",
    .example_path = "/v1/landscapes/demo/query/profile",
    .example_body = "{\"path\":[[10,10],[300,200],[300,400]],\"samples\":5}",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_VIEW,
    .asks = SHAPE(struct profile_asked, asks),
    .takes = SHAPE(struct path, path_rows),
    .framed = true,
    .body_limit = "points_body_bytes",
    .answers = SHAPE(struct answer, answers),
    .run = run,
};
