/* A pyramid of tiles: every tile of a set from one zoom to another, as its route answers them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/jobs/job_kind.h"
#include "api/jobs/package.h"
#include "api/jobs/pyramid.h"
#include "api/json_write.h"
#include "api/tiles/tilejson.h"
#include "terrain/landscape.h"
#include "terrain/store/checksum.h"

enum { TOGETHER = 64, TARGET_ROOM = 2048, ZOOMS = TILE_ZOOM_MOST + 1 };

static const char *const sizes[] = { "256", "512", NULL };

struct tiles {
    struct job_asked base;
    uint64_t given;
    const char *set, *format, *options;
    int package, tile_size;
    int32_t minzoom, maxzoom;
    double bounds[4];
    int64_t since;
};

enum { GIVEN_MAXZOOM = 1 << 6, GIVEN_BOUNDS = 1 << 7 };

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct tiles, set, "The set of tiles, such as terrain-rgb",
             .required = true),
    FIELD_AS(FIELD_NAME, struct tiles, format,
             "The kind of file that a map tile is, such as png; the set's usual one when left out"),
    FIELD(struct tiles, options, NULL, 0, 1000,
          "What the address of each tile takes behind its question mark, such as sun_azimuth=300"),
    FIELD_AS(FIELD_CHOICE, struct tiles, package, "What the tiles are put into",
             .words = package_words),
    FIELD_AS(FIELD_CHOICE, struct tiles, tile_size, "Pixels a side of map tiles", .words = sizes),
    FIELD(struct tiles, minzoom, NULL, 0, TILE_ZOOM_MOST, "The coarsest zoom; 0 when left out"),
    FIELD(struct tiles, maxzoom, NULL, 0, TILE_ZOOM_MOST,
          "The finest zoom; that of the data's own step when left out"),
    FIELD_AS(FIELD_REALS, struct tiles, bounds,
             "Only tiles that meet these degrees: west, south, east, north", .least = -180,
             .greatest = 180, .count = 4),
    FIELD(struct tiles, since, NULL, 1, 9007199254740992.0,
          "Only tiles whose bytes are others than they were at this version"),
    { .kind = FIELD_END }
};

const struct shape job_tiles_shape = { .name = "tiles",
                                       .size = sizeof(struct tiles),
                                       .fields = rows,
                                       .base = &job_asked_shape,
                                       .given = offsetof(struct tiles, given) };

/* The tiles that may be there, zoom by zoom. */
struct own {
    struct pyramid pyramid;
    const struct tile_kind *kind; /* of map tiles */
    struct rect ranges[ZOOMS][2];
    int64_t end[ZOOMS]; /* units up to and with this zoom */
    int32_t minzoom, maxzoom;
    double bounds[4];
};

static const struct tiles *asked_of(const struct job_plan *plan)
{
    return (const struct tiles *)plan->asked;
}

/* ---- the plan ---- */

static bool zooms_choose(const struct job_plan *plan, struct own *own, struct fault *why)
{
    const struct tiles *asked = asked_of(plan);
    int32_t native, finest;

    if (!own->pyramid.levels(plan->view, asked->options, &native, &finest, why))
        return false;
    own->minzoom = asked->minzoom;
    own->maxzoom = asked->given & GIVEN_MAXZOOM ? asked->maxzoom : native;
    if (!(asked->given & GIVEN_MAXZOOM) && own->maxzoom < own->minzoom)
        own->maxzoom = own->minzoom;
    if (own->maxzoom > finest) {
        fault_set(why, FAULT_IMPOSSIBLE, "%s of %s end at zoom %d, before %d", own->pyramid.name,
                  asked->base.landscape, (int)finest, (int)own->maxzoom);
        return fault_at(why, own->minzoom > finest ? "/minzoom" : "/maxzoom");
    }
    if (own->minzoom <= own->maxzoom)
        return true;
    fault_set(why, FAULT_INPUT, "minzoom %d is beyond maxzoom %d", (int)own->minzoom,
              (int)own->maxzoom);
    return fault_at(why, "/minzoom");
}

static bool bounds_choose(const struct job_plan *plan, struct own *own, struct fault *why)
{
    const struct tiles *asked = asked_of(plan);
    const double *b = asked->bounds;

    if (own->pyramid.map && !tile_bounds(plan->view, own->bounds, why))
        return false;
    if (!(asked->given & GIVEN_BOUNDS))
        return true;
    if (!own->pyramid.map)
        fault_set(why, FAULT_IMPOSSIBLE, "%s are not chosen by degrees; leave bounds out",
                  own->pyramid.name);
    else if (b[0] >= b[2] || b[1] >= b[3])
        fault_set(why, FAULT_INPUT,
                  "The bounds are west, south, east, north, each before its opposite; for both "
                  "sides of 180 degrees take two jobs");
    else if (b[0] >= own->bounds[2] || b[2] <= own->bounds[0] || b[1] >= own->bounds[3] ||
             b[3] <= own->bounds[1])
        fault_set(
            why, FAULT_IMPOSSIBLE, "The bounds do not meet those of %s: %.6f, %.6f, %.6f, %.6f",
            asked->base.landscape, own->bounds[0], own->bounds[1], own->bounds[2], own->bounds[3]);
    else
        return true;
    return fault_at(why, "/bounds");
}

static bool ranges_fill(struct job_plan *plan, struct own *own, struct fault *why)
{
    const struct tiles *asked = asked_of(plan);
    int64_t most = plan->service->limits.job_units;

    for (int32_t z = own->minzoom; z <= own->maxzoom; z++) {
        struct rect *ranges = own->ranges[z];
        int32_t count = 0;

        if (!own->pyramid.ranges(plan->view, asked->options, z, ranges, &count, why))
            return false;
        for (int32_t i = 0; i < count; i++) {
            if (asked->given & GIVEN_BOUNDS)
                ranges[i] = rect_meet(ranges[i], pyramid_mercator(asked->bounds, z));
            plan->units += rect_area(ranges[i]);
        }
        own->end[z] = plan->units;
        if (plan->units > most) {
            fault_set(why, FAULT_LIMIT,
                      "Down to zoom %d there are more than %" PRId64
                      " tiles (job_units); take a lower maxzoom, or bounds",
                      (int)z, most);
            return fault_at(why, "/maxzoom");
        }
    }
    for (int k = 0; k < 2 && asked->given & GIVEN_BOUNDS; k++) {
        own->bounds[k] = asked->bounds[k] > own->bounds[k] ? asked->bounds[k] : own->bounds[k];
        own->bounds[k + 2] =
            asked->bounds[k + 2] < own->bounds[k + 2] ? asked->bounds[k + 2] : own->bounds[k + 2];
    }
    return true;
}

static bool same_place(const struct settings *a, const struct settings *b)
{
    return a->grid.columns == b->grid.columns && a->grid.rows == b->grid.rows &&
           a->placed == b->placed && !strcmp(a->crs, b->crs) &&
           !memcmp(a->bounds, b->bounds, sizeof a->bounds);
}

static bool since_find(struct job_plan *plan, struct fault *why)
{
    const struct tiles *asked = asked_of(plan);

    if (!asked->since)
        return true;
    plan->since = landscape_view_at(plan->landscape, (uint64_t)asked->since, why);
    if (plan->since && (plan->since->version > plan->view->version ||
                        !same_place(plan->since->settings, plan->view->settings)))
        fault_set(why, FAULT_IMPOSSIBLE,
                  plan->since->version > plan->view->version
                      ? "since is version %" PRIu64 ", later than %" PRIu64
                      : "Between the versions %" PRIu64 " and %" PRIu64
                        " the landscape has another size or place: all tiles are others",
                  plan->since->version, plan->view->version);
    else if (plan->since)
        return true;
    return fault_at(why, "/since");
}

/* ---- one tile ---- */

static void unit_place(const struct own *own, int64_t unit, int32_t at[3])
{
    int32_t z = own->minzoom;
    struct rect range;

    while (unit >= own->end[z])
        z++;
    if (z > own->minzoom)
        unit -= own->end[z - 1];
    range = own->ranges[z][0];
    if (unit >= rect_area(range)) {
        unit -= rect_area(range);
        range = own->ranges[z][1];
    }
    at[0] = z;
    at[1] = range.x + (int32_t)(unit / range.height);
    at[2] = range.y + (int32_t)(unit % range.height);
}

static const char *ending_of(const struct own *own)
{
    return own->kind ? own->kind->extension : own->pyramid.ending;
}

static void tile_name(const struct job_plan *plan, const int32_t at[3], char name[JOB_NAME_ROOM])
{
    const struct own *own = plan->own;
    bool twice = own->pyramid.set && asked_of(plan)->tile_size;

    snprintf(name, JOB_NAME_ROOM, "%d/%d/%d%s.%s", (int)at[0], (int)at[1], (int)at[2],
             twice ? "@2x" : "", ending_of(own));
}

static bool tile_read(const struct job_plan *plan, const struct view *view, const int32_t at[3],
                      struct job_piece *piece, uint64_t *stamp, struct fault *why)
{
    static const char *const members[] = { NULL };
    const struct own *own = plan->own;
    const struct tiles *asked = asked_of(plan);
    char name[JOB_NAME_ROOM], target[TARGET_ROOM];
    int length;

    tile_name(plan, at, name);
    length = snprintf(target, sizeof target, "/v1/landscapes/%s/%s%s/%s%s%s", asked->base.landscape,
                      own->pyramid.set ? "tiles/" : "",
                      own->pyramid.set ? own->pyramid.name : own->pyramid.below, name,
                      asked->options ? "?" : "", asked->options ? asked->options : "");
    if (length >= TARGET_ROOM)
        return fault_set(why, FAULT_INPUT, "The options are too long") || fault_at(why, "/options");
    return job_read(plan, view, target, members, piece, stamp, why);
}

static bool absent(const struct fault *why)
{
    return why->code == FAULT_RANGE || why->code == FAULT_MISSING;
}

/* Whether it is what it was. Stamps that are equal say so at once; */
static bool same_stamp(const struct job_plan *plan, const int32_t at[3])
{
    struct fault why;
    uint64_t now, then;

    return tile_read(plan, plan->view, at, NULL, &now, &why) &&
           tile_read(plan, plan->since, at, NULL, &then, &why) && now == then;
}

/* others may still be of equal bytes, after a restart or where a change was too small to show. */
static bool same_bytes(const struct job_plan *plan, const int32_t at[3],
                       const struct job_piece *piece, bool *same, struct fault *why)
{
    struct job_piece before = { 0 };
    uint64_t stamp;

    if (!tile_read(plan, plan->since, at, &before, &stamp, why))
        return absent(why);
    *same = piece->bytes.length == before.bytes.length &&
            !memcmp(piece->bytes.data, before.bytes.data, before.bytes.length);
    bytes_free(&before.bytes);
    return true;
}

static bool make(const struct job_plan *plan, int64_t unit, struct job_piece *piece,
                 struct fault *why)
{
    bool same = false;
    uint64_t stamp;
    int32_t at[3];

    unit_place(plan->own, unit, at);
    if (plan->since && same_stamp(plan, at)) {
        piece->is = PIECE_UNCHANGED;
        return true;
    }
    if (!tile_read(plan, plan->view, at, piece, &stamp, why)) {
        piece->is = PIECE_ABSENT;
        return absent(why);
    }
    if (plan->since && !same_bytes(plan, at, piece, &same, why))
        return false;
    piece->is = same ? PIECE_UNCHANGED : PIECE_MADE;
    return true;
}

/* Any tile may be asked for what is right of the options. */
static bool options_check(const struct job_plan *plan, struct fault *why)
{
    const struct own *own = plan->own;
    uint64_t stamp;
    int32_t at[3];

    if (!plan->units)
        return fault_set(why, FAULT_IMPOSSIBLE, "There is no tile of %s there", own->pyramid.name);
    unit_place(own, 0, at);
    return tile_read(plan, plan->view, at, NULL, &stamp, why) || why->code == FAULT_RANGE;
}

static bool kind_choose(const struct tiles *asked, struct own *own, struct fault *why)
{
    const struct tile_set *set = own->pyramid.set;

    if (!set)
        return !asked->format ||
               fault_set(why, FAULT_INPUT, "Tiles of %s are %s", asked->set, own->pyramid.ending) ||
               fault_at(why, "/format");
    own->kind = asked->format ? tile_set_kind(set, asked->format) : set->kinds[0];
    if (own->kind)
        return true;
    fault_set(why, FAULT_INPUT, "Tiles of %s are %s%s%s, not %s", asked->set,
              set->kinds[0]->extension, set->kinds[1] ? " or " : "",
              set->kinds[1] ? set->kinds[1]->extension : "", asked->format);
    return fault_at(why, "/format");
}

static bool plan(struct job_plan *plan, struct fault *why)
{
    const struct tiles *asked = asked_of(plan);
    struct own *own = arena_new(&plan->arena, sizeof *own);

    if (!own)
        return fault_set(why, FAULT_MEMORY, "No memory for a job");
    plan->own = own;
    plan->together = TOGETHER;
    if (!pyramid_find(asked->set, &own->pyramid, why))
        return fault_at(why, "/set");
    if (packages[asked->package].map && !own->pyramid.map) {
        fault_set(why, FAULT_IMPOSSIBLE, "%s do not lie on the grid of MBTiles; take tar or folder",
                  own->pyramid.name);
        return fault_at(why, "/package");
    }
    return kind_choose(asked, own, why) && zooms_choose(plan, own, why) &&
           bounds_choose(plan, own, why) && ranges_fill(plan, own, why) && since_find(plan, why) &&
           options_check(plan, why);
}

/* ---- the output ---- */

static bool begin(struct job_work *work, struct fault *why)
{
    const struct job_plan *plan = work->plan;
    const struct tiles *asked = asked_of(plan);
    char line[512];
    int length = snprintf(line, sizeof line, "# %s of %s, version %" PRIu64, asked->set,
                          asked->base.landscape, plan->view->version);

    if (plan->since)
        length += snprintf(line + length, sizeof line - (size_t)length,
                           ", where they differ from version %" PRIu64, plan->since->version);
    length += snprintf(line + length, sizeof line - (size_t)length, "\n# tile bytes crc32c\n");
    return job_writer_add(&work->writers[PACKAGE_MANIFEST], line, (size_t)length, why);
}

static bool take(struct job_work *work, int64_t unit, const struct job_piece *piece,
                 struct fault *why)
{
    const struct tiles *asked = asked_of(work->plan);
    char name[JOB_NAME_ROOM], line[JOB_NAME_ROOM + 40];
    int32_t at[3];
    int length;

    unit_place(work->plan->own, unit, at);
    tile_name(work->plan, at, name);
    length = snprintf(line, sizeof line, "%s %zu %08" PRIx32 "\n", name, piece->bytes.length,
                      checksum_add(0, piece->bytes.data, piece->bytes.length));
    return packages[asked->package].add(work, name, at, piece, why) &&
           job_writer_add(&work->writers[PACKAGE_MANIFEST], line, (size_t)length, why);
}

static bool tilejson_print(struct job_plan *plan, struct tilejson *json, struct bytes *text,
                           struct fault *why)
{
    const struct own *own = plan->own;
    const struct tiles *asked = asked_of(plan);
    const char *address = arena_print(&plan->arena, "{z}/{x}/{y}%s.%s",
                                      asked->tile_size ? "@2x" : "", ending_of(own));

    if (!tilejson_fill(plan->view, asked->base.landscape, own->pyramid.set, own->kind,
                       asked->tile_size ? TILE_SIDE_2X : TILE_SIDE,
                       asked->options && strstr(asked->options, "style=exact"), address,
                       &plan->arena, json, why))
        return false;
    json->minzoom = own->minzoom;
    json->maxzoom = own->maxzoom;
    memcpy(json->bounds, own->bounds, sizeof own->bounds);
    if (asked->given & GIVEN_BOUNDS)
        for (int k = 0; k < 2; k++)
            json->center[k] = (own->bounds[k] + own->bounds[k + 2]) / 2;
    if (json->center[2] > own->maxzoom || json->center[2] < own->minzoom)
        json->center[2] = own->minzoom;
    return json_write(own->pyramid.set->encoding ? &tilejson_shape : &tilejson_picture_shape, json,
                      text, why) &&
           bytes_add(text, "", 1, why);
}

/* The file that describes tiles of no map, as its route answers it; nothing where there is none. */
static bool layer_read(const struct job_plan *plan, struct bytes *text, struct fault *why)
{
    const struct own *own = plan->own;
    const struct tiles *asked = asked_of(plan);
    struct job_piece piece = { 0 };
    char target[TARGET_ROOM];
    uint64_t stamp;

    if (!own->pyramid.about)
        return true;
    snprintf(target, sizeof target, "/v1/landscapes/%s/%s/%s?%s", asked->base.landscape,
             own->pyramid.below, own->pyramid.about, asked->options ? asked->options : "");
    if (!job_read(plan, plan->view, target, NULL, &piece, &stamp, why))
        return false;
    *text = piece.bytes;
    return bytes_add(text, "", 1, why);
}

static bool finish(struct job_work *work, struct fault *why)
{
    /* Its own memory, which nothing else uses any more. */
    struct job_plan *plan = (struct job_plan *)(uintptr_t)work->plan;
    const struct own *own = plan->own;
    const struct tiles *asked = asked_of(plan);
    struct arena *arena = &plan->arena;
    struct tilejson json = { 0 };
    struct bytes text = { 0 };
    struct package_about about = { .name = NULL };
    double bounds[4];
    bool done;

    about.name = arena_print(arena, "%.64s-%.30s", asked->base.landscape, asked->set);
    if (!(own->pyramid.set ? tilejson_print(plan, &json, &text, why)
                           : layer_read(plan, &text, why))) {
        bytes_free(&text);
        return false;
    }
    about.file = own->pyramid.set ? "tilejson.json" : own->pyramid.about;
    about.text = (const char *)text.data;
    pyramid_snap(own->bounds, own->maxzoom, asked->tile_size ? TILE_SIDE_2X : TILE_SIDE, bounds);
    about.metadata = (const char *[][2]){
        { "name", json.name },
        { "format", ending_of(own) },
        { "bounds", arena_print(arena, "%.11f,%.11f,%.11f,%.11f", bounds[0], bounds[1], bounds[2],
                                bounds[3]) },
        { "center",
          arena_print(arena, "%.8f,%.8f,%d", json.center[0], json.center[1], (int)json.center[2]) },
        { "minzoom", arena_print(arena, "%d", (int)own->minzoom) },
        { "maxzoom", arena_print(arena, "%d", (int)own->maxzoom) },
        { "type", "baselayer" },
        { "description", json.description },
        { "attribution", json.attribution },
        { "version", arena_print(arena, "%" PRIu64, plan->view->version) },
        { json.encoding ? "encoding" : NULL, json.encoding },
        { NULL, NULL },
    };
    done = packages[asked->package].finish(work, &about, why);
    bytes_free(&text);
    return done;
}

const struct job_kind job_kind_tiles = {
    .name = "tiles",
    .plan = plan,
    .begin = begin,
    .make = make,
    .take = take,
    .finish = finish,
    .writers = { PACKAGE_OUT_PATH, PACKAGE_MANIFEST_PATH, NULL },
};
