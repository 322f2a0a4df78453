#include "terrain/query/viewshed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"
#include "terrain/query/viewshed_inside.h"

enum { FARTHEST = 1 << 17, HIGHEST = 1 << 24 };

static int64_t units(double value)
{
    return (int64_t)floor(value * SIGHT_UNIT + 0.5);
}

struct rect viewshed_reach(const struct view *view, const double eye[3], struct rect over)
{
    const struct grid *grid = view_grid(view);
    struct rect at = { 0, 0, 2, 2 };

    at.x = (int32_t)fmax(fmin(floor(eye[0]), grid->columns - 2), 0);
    at.y = (int32_t)fmax(fmin(floor(eye[1]), grid->rows - 2), 0);
    return rect_meet(rect_join(over, at), view_rect(view));
}

/* How much lower the Earth's curve lets the ground lie, in units of height. */
static double drop(const struct seeing *seeing, int32_t i, int32_t j)
{
    const double *scale = view_grid(seeing->view)->scale;
    const double x = (i - (double)seeing->eye[0] / SIGHT_UNIT) * scale[0];
    const double y = (j - (double)seeing->eye[1] / SIGHT_UNIT) * scale[1];

    return seeing->options->bend * (x * x + y * y) / scale[2] * 128;
}

/* The ground */

static void heights_row(struct seeing *seeing, int32_t j, const uint16_t *codes)
{
    double *heights = seeing->heights + (int64_t)j * seeing->reach.width;

    if (seeing->options->bend == 0)
        for (int32_t i = 0; i < seeing->reach.width; i++)
            heights[i] = codes[i] * SIGHT_UNIT;
    else
        for (int32_t i = 0; i < seeing->reach.width; i++)
            heights[i] = codes[i] * SIGHT_UNIT - floor(drop(seeing, i, j) * SIGHT_UNIT + 0.5);
}

/* Rows of quads north and south of a row of vertices, one more than those; none beyond the
 * landscape. */
static void sides_row(struct seeing *seeing, int32_t j, uint8_t *holes)
{
    const struct rect reach = seeing->reach;
    const struct grid *grid = view_grid(seeing->view);
    const struct rect there = { 0, 0, grid->columns - 1, grid->rows - 1 };
    const struct rect wanted = { reach.x - 1, reach.y + j - 1, reach.width + 1, 2 };
    const struct rect part = rect_meet(wanted, there);
    const int64_t stride = wanted.width;
    uint8_t *sides = seeing->sides + (int64_t)j * reach.width;

    memset(holes, 255, (size_t)stride * 2);
    if (!rect_empty(part))
        view_read_holes(seeing->view, part,
                        holes + (part.y - wanted.y) * stride + part.x - wanted.x, stride);
    for (int32_t i = 0; i < reach.width; i++) {
        const bool north_west = holes[i] == 0, north_east = holes[i + 1] == 0;
        const bool south_west = holes[stride + i] == 0, south_east = holes[stride + i + 1] == 0;

        sides[i] =
            (uint8_t)((north_east || south_east ? SIGHT_EAST : 0) |
                      (south_west || south_east ? SIGHT_SOUTH : 0) |
                      (south_east ? SIGHT_DIAGONAL : 0) |
                      (north_west || north_east || south_west || south_east ? SIGHT_GROUND : 0));
    }
}

static bool has_ground(const struct seeing *seeing, int64_t at)
{
    return !seeing->sides || (seeing->sides[at] & SIGHT_GROUND);
}

static bool ground_read(struct seeing *seeing, struct fault *why)
{
    const struct rect reach = seeing->reach;
    uint8_t *holes = malloc(2 * ((size_t)reach.width + 1));
    uint16_t *codes = malloc((size_t)reach.width * sizeof *codes);

    for (int32_t j = 0; holes && codes && j < reach.height; j++) {
        view_read_heights(seeing->view, (struct rect){ reach.x, reach.y + j, reach.width, 1 },
                          codes, reach.width);
        heights_row(seeing, j, codes);
        if (seeing->sides)
            sides_row(seeing, j, holes);
    }
    free(codes);
    free(holes);
    if (!holes || !codes)
        return fault_set(why, FAULT_MEMORY, "no memory for a row of %d vertices", reach.width);
    seeing->ground = (struct sight_ground){ reach.width, reach.height,  seeing->heights,
                                            0,           seeing->sides, &seeing->planar };
    seeing->ground.steepest =
        65536 * SIGHT_UNIT +
        SIGHT_UNIT * fmax(fmax(drop(seeing, 0, 0), drop(seeing, reach.width - 1, 0)),
                          fmax(drop(seeing, 0, reach.height - 1),
                               drop(seeing, reach.width - 1, reach.height - 1)));
    return planar_find(&seeing->planar, reach.width, reach.height, seeing->heights, seeing->sides,
                       SIGHT_DIAGONAL) ||
           fault_set(why, FAULT_MEMORY, "no memory for the planes of %d x %d vertices", reach.width,
                     reach.height);
}

/* Targets */

static bool in_radius(const struct seeing *seeing, int32_t i, int32_t j)
{
    const double *scale = view_grid(seeing->view)->scale;
    const double x = (i - (double)seeing->eye[0] / SIGHT_UNIT) * scale[0];
    const double y = (j - (double)seeing->eye[1] / SIGHT_UNIT) * scale[1];

    return seeing->options->radius == INFINITY || hypot(x, y) <= seeing->options->radius;
}

bool viewshed_counts(const struct seeing *seeing, int32_t i, int32_t j)
{
    const struct rect over = seeing->viewshed->over, reach = seeing->reach;
    const int32_t x = i + reach.x - over.x, y = j + reach.y - over.y;

    return x >= 0 && y >= 0 && x < over.width && y < over.height &&
           has_ground(seeing, (int64_t)j * reach.width + i) && in_radius(seeing, i, j);
}

void viewshed_put(const struct seeing *seeing, int32_t i, int32_t j, bool seen, double lack)
{
    const struct rect over = seeing->viewshed->over, reach = seeing->reach;
    const int64_t at = (int64_t)(j + reach.y - over.y) * over.width + i + reach.x - over.x;
    const double metre = view_grid(seeing->view)->scale[2] / 128 / SIGHT_UNIT;

    seeing->viewshed->seen[at] = seen ? 255 : 0;
    if (seeing->viewshed->lacks)
        seeing->viewshed->lacks[at] = seen ? 0 : (float)(fmax(lack, 1) * metre);
}

bool viewshed_look(const struct seeing *seeing, int32_t i, int32_t j, int64_t *crossings)
{
    const double height = seeing->heights[(int64_t)j * seeing->reach.width + i];
    const int64_t target[3] = { (int64_t)i * SIGHT_ONE, (int64_t)j * SIGHT_ONE,
                                (int64_t)height + seeing->raised };
    const bool seen = sight_free(&seeing->ground, seeing->eye, target, crossings);
    double lack = 0;

    if (!seen && seeing->viewshed->lacks)
        lack = sight_height(&seeing->ground, seeing->eye, target, crossings) - (double)target[2];
    viewshed_put(seeing, i, j, seen, lack);
    return seen;
}

/* The eye */

/* In whole numbers, from the reach's north-west vertex. */
static bool eye_place(struct seeing *seeing, const double eye[3], struct fault *why)
{
    const struct grid *grid = view_grid(seeing->view);
    const double code = grid_code(grid, eye[2]);
    const double raised = grid_codes(grid, seeing->options->target_height);

    if (!(fabs(eye[0]) < FARTHEST && fabs(eye[1]) < FARTHEST))
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "the eye at column %.9g, row %.9g is too far away: columns and rows are "
                         "within %d",
                         eye[0], eye[1], FARTHEST);
    if (!(fabs(code) < HIGHEST))
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "the eye at %.9g m is too high or too deep: this landscape sees from "
                         "%.9g m to %.9g m",
                         eye[2], grid_metres(grid, -HIGHEST), grid_metres(grid, HIGHEST));
    if (!(raised < HIGHEST))
        return fault_set(why, FAULT_IMPOSSIBLE, "targets of %.9g m are too high: at most %.9g m",
                         seeing->options->target_height, HIGHEST / grid_codes(grid, 1));
    seeing->eye[0] = units(eye[0] - seeing->reach.x);
    seeing->eye[1] = units(eye[1] - seeing->reach.y);
    seeing->eye[2] = units(code);
    seeing->raised = units(raised);
    for (int k = 0; k < 4; k++)
        if (!(drop(seeing, k & 1 ? seeing->reach.width - 1 : 0,
                   k & 2 ? seeing->reach.height - 1 : 0) < HIGHEST))
            return fault_set(why, FAULT_IMPOSSIBLE,
                             "the window is too large for the Earth's curve at this scale");
    return true;
}

/* On the ground counts as above it, whatever the last bits of the eye's height are. */
static bool eye_open(const struct view *view, const double eye[3], bool ignore_holes,
                     struct fault *why)
{
    const struct grid *grid = view_grid(view);
    bool hole = false;
    double z;

    if (!collide_height(view, eye[0], eye[1], &z, &hole) || (hole && !ignore_holes) ||
        units(grid_code(grid, eye[2])) >= units(grid_code(grid, z)))
        return true;
    return fault_set(why, FAULT_IMPOSSIBLE,
                     "the eye at %.9g m is below the ground, which is at %.9g m there", eye[2], z);
}

static void clear(const struct viewshed *viewshed)
{
    const int64_t count = rect_area(viewshed->over);

    memset(viewshed->seen, 0, (size_t)count);
    for (int64_t at = 0; viewshed->lacks && at < count; at++)
        viewshed->lacks[at] = NAN;
}

/* The vertex right below the eye, if there is one. */
static int64_t look_down(const struct seeing *seeing, int64_t *crossings)
{
    const int64_t *eye = seeing->eye;
    const int64_t i = eye[0] >> SIGHT_BITS, j = eye[1] >> SIGHT_BITS;

    return i * SIGHT_ONE == eye[0] && j * SIGHT_ONE == eye[1] && i >= 0 && j >= 0 &&
           i < seeing->reach.width && j < seeing->reach.height &&
           viewshed_counts(seeing, (int32_t)i, (int32_t)j) &&
           viewshed_look(seeing, (int32_t)i, (int32_t)j, crossings);
}

int64_t viewshed_pieces(const struct seeing *seeing)
{
    return 65536 + rect_area(seeing->reach) / 8;
}

static bool sum(const struct seeing *seeing, const struct viewshed_sectors *sectors,
                struct viewshed *viewshed, struct fault *why)
{
    const int64_t most = seeing->options->most_crossings, pieces = viewshed_pieces(seeing);

    viewshed->crossings += sectors->crossings;
    for (int k = 0; k < SECTORS; k++) {
        viewshed->count += sectors->count[k];
        if (viewshed->pieces < sectors->pieces[k])
            viewshed->pieces = sectors->pieces[k];
    }
    if (most > 0 && viewshed->crossings > most)
        return fault_set(
            why, FAULT_LIMIT,
            "too much of the ground is exactly in line with the eye: to tell what is seen "
            "more than %lld sides would be tried (viewshed_crossings); an eye a "
            "little higher or a smaller radius needs fewer",
            (long long)most);
    if (viewshed->pieces > pieces)
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "the horizon of so spiky a ground has more than %lld pieces",
                         (long long)pieces);
    for (int k = 0; k < SECTORS; k++)
        if (sectors->failed[k])
            return fault_set(why, FAULT_MEMORY, "no memory for the horizon");
    return true;
}

static bool see(struct seeing *seeing, const double eye[3], const struct executor *executor,
                struct viewshed *viewshed, struct fault *why)
{
    struct viewshed_sectors sectors = { .seeing = seeing };

    if (!eye_place(seeing, eye, why) ||
        !eye_open(seeing->view, eye, seeing->options->ignore_holes, why) ||
        !ground_read(seeing, why))
        return false;
    clear(viewshed);
    executor_run(executor, SECTORS, viewshed_sector, &sectors);
    viewshed->count = look_down(seeing, &viewshed->crossings);
    return sum(seeing, &sectors, viewshed, why);
}

bool viewshed_see(const struct view *view, const double eye[3], struct rect over,
                  const struct viewshed_options *options, const struct executor *executor,
                  struct viewshed *viewshed, struct fault *why)
{
    const size_t count = (size_t)rect_area(over);
    const bool holes =
        !options->ignore_holes && view->planes[PLANE_HOLES].root.summary.greatest > 0;
    struct seeing seeing = { .view = view,
                             .options = options,
                             .viewshed = viewshed,
                             .reach = viewshed_reach(view, eye, over) };
    const size_t reached = (size_t)rect_area(seeing.reach);
    bool done = false;

    *viewshed = (struct viewshed){ over, malloc(count), NULL, 0, 0, 0 };
    viewshed->lacks = options->heights ? malloc(count * sizeof *viewshed->lacks) : NULL;
    seeing.heights = malloc(reached * sizeof *seeing.heights);
    seeing.sides = holes ? malloc(reached) : NULL;
    if (viewshed->seen && (viewshed->lacks || !options->heights) && seeing.heights &&
        (seeing.sides || !holes))
        done = see(&seeing, eye, executor, viewshed, why);
    else
        fault_set(why, FAULT_MEMORY, "no memory for what is seen of %zu vertices", reached);
    planar_free(&seeing.planar);
    free(seeing.heights);
    free(seeing.sides);
    if (!done)
        viewshed_free(viewshed);
    return done;
}

void viewshed_free(struct viewshed *viewshed)
{
    free(viewshed->seen);
    free(viewshed->lacks);
    *viewshed = (struct viewshed){ 0 };
}
