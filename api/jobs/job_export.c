/* Files of a landscape, as its export answers them: of all of it, of a window, or of pieces that
 * share their edges, a file each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/jobs/job_kind.h"
#include "terrain/format/export.h"

enum { TARGET_ROOM = 2048, VERTICES_TOGETHER = 1 << 24, TOGETHER_MOST = 16, SIDE_MOST = 65536 };

struct export
{
    struct job_asked base;
    uint64_t given;
    const char *format, *options;
    int32_t x, y, width, height, step;
    int32_t pieces[2], piece[2];
};

enum { GIVEN_PIECES = 1 << 7, GIVEN_PIECE = 1 << 8 };

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct export, format, "As ?format= of the landscape's export",
             .has_value = true, .text = "png16"),
    FIELD(struct export, options, NULL, 0, 1000,
          "What else the address of an export takes behind its question mark"),
    FIELD(struct export, x, "vertices", 0, SIDE_MOST, "The westernmost column"),
    FIELD(struct export, y, "vertices", 0, SIDE_MOST, "The northernmost row"),
    FIELD(struct export, width, "vertices", 1, SIDE_MOST,
          "Columns; all that there are from x on when left out"),
    FIELD(struct export, height, "vertices", 1, SIDE_MOST,
          "Rows; all that there are from y on when left out"),
    FIELD(struct export, step, "vertices", 1, SIDE_MOST,
          "Only every step-th vertex, from the north-west one on", .has_value = true, .value = 1),
    FIELD_AS(FIELD_INTS, struct export, pieces,
             "How many pieces from west to east and from north to south: neighbours share their "
             "edge, and differ by a quad where they do not come out even",
             .unit = "pieces", .least = 1, .greatest = SIDE_MOST, .count = 2),
    FIELD_AS(FIELD_INTS, struct export, piece,
             "Columns and rows of a piece instead: neighbours share their edge, and the last ones "
             "have what is left",
             .unit = "vertices", .least = 2, .greatest = SIDE_MOST, .count = 2),
    { .kind = FIELD_END }
};

const struct shape job_export_shape = { .name = "export",
                                        .size = sizeof(struct export),
                                        .fields = rows,
                                        .base = &job_asked_shape,
                                        .given = offsetof(struct export, given) };

struct own {
    struct export_window window;
    int32_t counts[2]; /* pieces */
};

static const struct export *asked_of(const struct job_plan *plan)
{
    return (const struct export *)plan->asked;
}

static bool window_choose(const struct job_plan *plan, struct export_window *window,
                          struct fault *why)
{
    const struct export *asked = asked_of(plan);
    const struct grid *grid = view_grid(plan->view);
    const struct {
        const char *name;
        int32_t value, room;
    } sides[4] = {
        { "/x", asked->x, grid->columns - 1 },
        { "/y", asked->y, grid->rows - 1 },
        { "/width", asked->width, grid->columns - asked->x },
        { "/height", asked->height, grid->rows - asked->y },
    };

    for (int i = 0; i < 4; i++)
        if (sides[i].value > sides[i].room) {
            fault_set(why, FAULT_IMPOSSIBLE,
                      "%s %d leads outside the landscape of %d x %d vertices", sides[i].name + 1,
                      (int)sides[i].value, (int)grid->columns, (int)grid->rows);
            return fault_at(why, "%s", sides[i].name);
        }
    window->step = asked->step;
    window->rect = export_data_rect(plan->view->settings);
    if (asked->x || asked->y || asked->width || asked->height)
        window->rect = (struct rect){ asked->x, asked->y,
                                      asked->width ? asked->width : grid->columns - asked->x,
                                      asked->height ? asked->height : grid->rows - asked->y };
    return true;
}

/* Vertices that are written from one side to the other. */
static int32_t across(const struct own *own, int axis)
{
    return axis ? export_rows(&own->window) : export_columns(&own->window);
}

static bool pieces_choose(const struct job_plan *plan, struct own *own, struct fault *why)
{
    const struct export *asked = asked_of(plan);
    const char *place = asked->given & GIVEN_PIECES ? "/pieces" : "/piece";

    own->counts[0] = own->counts[1] = 1;
    if (asked->given & GIVEN_PIECES && asked->given & GIVEN_PIECE) {
        fault_set(why, FAULT_INPUT, "Either pieces or the size of a piece, not both");
        return fault_at(why, "/piece");
    }
    for (int axis = 0; axis < 2 && asked->given & (GIVEN_PIECES | GIVEN_PIECE); axis++) {
        int32_t quads = across(own, axis) - 1;

        if (asked->given & GIVEN_PIECES && asked->pieces[axis] > quads) {
            fault_set(why, FAULT_IMPOSSIBLE, "%d quads make at most %d pieces, not %d", (int)quads,
                      (int)(quads > 1 ? quads : 1), (int)asked->pieces[axis]);
            return fault_at(why, "%s/%d", place, axis);
        }
        own->counts[axis] = asked->given & GIVEN_PIECES
                                ? asked->pieces[axis]
                                : (quads + asked->piece[axis] - 2) / (asked->piece[axis] - 1);
        if (own->counts[axis] < 1)
            own->counts[axis] = 1;
    }
    return true;
}

/* The vertex, counted in those that are written, at which a piece begins and the one before ends.
 */
static int32_t border(const struct job_plan *plan, int axis, int32_t piece)
{
    const struct export *asked = asked_of(plan);
    const struct own *own = plan->own;
    int32_t quads = across(own, axis) - 1;

    if (!(asked->given & GIVEN_PIECE))
        return (int32_t)((int64_t)piece * quads / own->counts[axis]);
    return piece < own->counts[axis] ? piece * (asked->piece[axis] - 1) : quads;
}

static struct rect piece_rect(const struct job_plan *plan, int64_t unit)
{
    const struct own *own = plan->own;
    const int32_t place[2] = { (int32_t)(unit % own->counts[0]), (int32_t)(unit / own->counts[0]) };
    const int32_t step = own->window.step;
    struct rect rect = own->window.rect;
    int32_t from[2], to[2];

    for (int axis = 0; axis < 2; axis++) {
        from[axis] = border(plan, axis, place[axis]);
        to[axis] = border(plan, axis, place[axis] + 1);
    }
    return (struct rect){ rect.x + from[0] * step, rect.y + from[1] * step,
                          (to[0] - from[0]) * step + 1, (to[1] - from[1]) * step + 1 };
}

static bool piece_read(const struct job_plan *plan, int64_t unit, struct job_piece *piece,
                       struct fault *why)
{
    static const char *const members[] = { "format", "x", "y", "width", "height", "step", NULL };
    const struct export *asked = asked_of(plan);
    const struct rect rect = piece_rect(plan, unit);
    char target[TARGET_ROOM];
    uint64_t stamp;
    char step[32] = "";
    int length;

    if (asked->step > 1) /* meshes have another way to be coarser */
        snprintf(step, sizeof step, "&step=%d", (int)asked->step);
    length =
        snprintf(target, sizeof target,
                 "/v1/landscapes/%s/export?format=%s&x=%d&y=%d&width=%d&height=%d%s%s%s",
                 asked->base.landscape, asked->format, (int)rect.x, (int)rect.y, (int)rect.width,
                 (int)rect.height, step, asked->options && asked->options[0] ? "&" : "",
                 asked->options ? asked->options : "");
    if (length >= TARGET_ROOM)
        return fault_set(why, FAULT_INPUT, "The options are too long") || fault_at(why, "/options");
    return job_read(plan, plan->view, target, members, piece, &stamp, why);
}

static bool make(const struct job_plan *plan, int64_t unit, struct job_piece *piece,
                 struct fault *why)
{
    piece->is = PIECE_MADE;
    return piece_read(plan, unit, piece, why);
}

static bool plan(struct job_plan *plan, struct fault *why)
{
    struct own *own = arena_new(&plan->arena, sizeof *own);
    int64_t vertices;

    if (!own)
        return fault_set(why, FAULT_MEMORY, "No memory for a job");
    plan->own = own;
    if (!window_choose(plan, &own->window, why) || !pieces_choose(plan, own, why))
        return false;
    plan->units = (int64_t)own->counts[0] * own->counts[1];
    if (plan->units > plan->service->limits.job_units) {
        fault_set(why, FAULT_LIMIT,
                  "These are %" PRId64 " pieces; at most %" PRId64 " are made (job_units)",
                  plan->units, plan->service->limits.job_units);
        return fault_at(why, asked_of(plan)->given & GIVEN_PIECES ? "/pieces" : "/piece");
    }
    vertices = rect_area(piece_rect(plan, 0)) + 1;
    plan->together = (size_t)(VERTICES_TOGETHER / vertices);
    plan->together = plan->together < 1               ? 1
                     : plan->together > TOGETHER_MOST ? TOGETHER_MOST
                                                      : plan->together;
    return piece_read(plan, 0, NULL, why);
}

static void piece_name(const struct job_plan *plan, int64_t unit, const char *ending,
                       char name[JOB_NAME_ROOM])
{
    const struct own *own = plan->own;

    if (plan->units == 1)
        snprintf(name, JOB_NAME_ROOM, "%s.%s", asked_of(plan)->base.landscape, ending);
    else
        snprintf(name, JOB_NAME_ROOM, "%s_x%d_y%d.%s", asked_of(plan)->base.landscape,
                 (int)(unit % own->counts[0]), (int)(unit / own->counts[0]), ending);
}

/* What each file is of, for whoever puts them together: a line of pieces.txt. */
static bool take(struct job_work *work, int64_t unit, const struct job_piece *piece,
                 struct fault *why)
{
    const struct rect rect = piece_rect(work->plan, unit);
    char name[JOB_NAME_ROOM], line[JOB_NAME_ROOM + 80];
    int length;

    piece_name(work->plan, unit, piece->ending, name);
    length = snprintf(line, sizeof line, "%s %d %d %d %d\n", name, (int)rect.x, (int)rect.y,
                      (int)rect.width, (int)rect.height);
    return job_result_put(work, name, piece->media, piece->bytes.data, piece->bytes.length, why) &&
           job_writer_add(&work->writers[0], line, (size_t)length, why);
}

static bool begin(struct job_work *work, struct fault *why)
{
    static const char head[] = "# file x y width height\n";

    return job_writer_add(&work->writers[0], head, sizeof head - 1, why);
}

static bool finish(struct job_work *work, struct fault *why)
{
    return work->plan->units == 1 ||
           job_result_move(work, "work/pieces.txt", "pieces.txt", "text/plain", why);
}

const struct job_kind job_kind_export = {
    .name = "export",
    .plan = plan,
    .begin = begin,
    .make = make,
    .take = take,
    .finish = finish,
    .writers = { "work/pieces.txt", NULL },
};
