#include "terrain/query/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/query/collide.h"

void profile_free(struct profile *profile)
{
    free(profile->places);
    *profile = (struct profile){ 0 };
}

/* From position i of the path to the next. */
static double step_length(const struct view *view, const struct profile_path *path, size_t i)
{
    const struct grid *grid = view_grid(view);
    const double *a = path->at[i], *b = path->at[i + 1];

    return hypot((b[0] - a[0]) * grid->scale[0], (b[1] - a[1]) * grid->scale[1]);
}

double profile_length(const struct view *view, const struct profile_path *path)
{
    double length = 0;

    for (size_t i = 0; i + 1 < path->count; i++)
        length += step_length(view, path, i);
    return length;
}

static void between(const double a[2], const double b[2], double t, double at[2])
{
    for (int axis = 0; axis < 2; axis++)
        at[axis] = t < 1 ? a[axis] + t * (b[axis] - a[axis]) : b[axis];
}

/* Evenly */

/* Goes along the path with distances that only grow. */
struct walker {
    const struct view *view;
    const struct profile_path *path;
    size_t step;
    double before, length; /* metres up to the step, and its own */
};

static void walk_to(struct walker *walker, double distance, double at[2])
{
    const struct profile_path *path = walker->path;
    double t;

    while (distance > walker->before + walker->length && walker->step + 2 < path->count) {
        walker->before += walker->length;
        walker->length = step_length(walker->view, path, ++walker->step);
    }
    t = walker->length > 0 ? (distance - walker->before) / walker->length : 0;
    between(path->at[walker->step], path->at[walker->step + 1], fmin(t, 1), at);
}

static void heights_fill(const struct view *view, bool ignore_holes, struct profile *profile)
{
    enum { SOME = 1024 };
    const struct collide_ways ways = { .ignore_holes = ignore_holes };
    double at[SOME][2], z[SOME];

    for (size_t first = 0; first < profile->count; first += SOME) {
        struct profile_place *places = profile->places + first;
        size_t some = profile->count - first < SOME ? profile->count - first : SOME;

        for (size_t i = 0; i < some; i++)
            memcpy(at[i], places[i].at, sizeof *at);
        collide_heights(view, at[0], some, &ways, z, NULL, NULL);
        for (size_t i = 0; i < some; i++)
            places[i].z = z[i];
    }
}

bool profile_even(const struct view *view, const struct profile_path *path, bool ignore_holes,
                  size_t count, struct profile *profile, struct fault *why)
{
    struct walker walker = { view, path, 0, 0, step_length(view, path, 0) };
    double length = profile_length(view, path);

    *profile = (struct profile){ malloc(count * sizeof *profile->places), count };
    if (!profile->places)
        return fault_set(why, FAULT_MEMORY, "no memory for %zu places of a profile", count);
    for (size_t i = 0; i < count; i++) {
        struct profile_place *place = &profile->places[i];

        place->distance = length * ((double)i / (double)(count - 1));
        walk_to(&walker, place->distance, place->at);
    }
    memcpy(profile->places[count - 1].at, path->at[path->count - 1], sizeof path->at[0]);
    heights_fill(view, ignore_holes, profile);
    return true;
}

/* Exactly */

struct tracing {
    const struct view *view;
    bool ignore_holes;
    size_t most, room;
    struct profile *profile;
    bool ground; /* whether there is any between the last two places */
    struct fault *why;
};

/* The height at a place, NaN outside; with holes only where they count as ground. */
static double height(const struct tracing *tracing, const double at[2], bool holes)
{
    bool hole = false;
    double z;

    if (!collide_height(tracing->view, at[0], at[1], &z, &hole))
        return NAN;
    return hole && !holes ? NAN : z;
}

static bool append(struct tracing *tracing, const struct profile_place *place)
{
    struct profile *profile = tracing->profile;

    if (profile->count == tracing->most)
        return fault_set(tracing->why, FAULT_LIMIT,
                         "the path crosses more edges than the %zu places that are answered",
                         tracing->most);
    if (profile->count == tracing->room) {
        size_t room = tracing->room ? 2 * tracing->room : 256;
        struct profile_place *places = realloc(profile->places, room * sizeof *places);

        if (!places)
            return fault_set(tracing->why, FAULT_MEMORY, "no memory for %zu places of a profile",
                             room);
        profile->places = places;
        tracing->room = room;
    }
    profile->places[profile->count++] = *place;
    return true;
}

static struct profile_place middle(const struct profile_place *a, const struct profile_place *b)
{
    struct profile_place middle = { (a->distance + b->distance) / 2, { 0, 0 }, NAN };

    between(a->at, b->at, 0.5, middle.at);
    return middle;
}

/* Where there is no ground between the last two places, but at both: one without between them. */
static bool gap_mark(struct tracing *tracing)
{
    struct profile *profile = tracing->profile;
    struct profile_place *last = profile->places + profile->count - 1, gap, end;

    if (profile->count < 2 || tracing->ground || isnan(last[0].z) || isnan(last[-1].z))
        return true;
    gap = middle(&last[-1], &last[0]);
    end = last[0];
    last[0] = gap;
    return append(tracing, &end);
}

/* The next place of the line, to which it runs within one triangle or over none. */
static bool place_add(struct tracing *tracing, double distance, const double at[2])
{
    struct profile *profile = tracing->profile;
    struct profile_place place = { distance, { at[0], at[1] }, 0 };
    struct profile_place *last = profile->count ? profile->places + profile->count - 1 : NULL;
    bool ground;

    place.z = height(tracing, at, tracing->ignore_holes);
    if (!last)
        return append(tracing, &place);
    if (fabs(last->at[0] - at[0]) < 1e-9 && fabs(last->at[1] - at[1]) < 1e-9)
        return true;
    ground = !isnan(height(tracing, middle(last, &place).at, tracing->ignore_holes));
    if (ground && isnan(last->z)) {
        last->z = height(tracing, last->at, true);
        if (!gap_mark(tracing))
            return false;
    }
    if (ground && isnan(place.z))
        place.z = height(tracing, at, true);
    tracing->ground = ground;
    return append(tracing, &place) && gap_mark(tracing);
}

/* The part of the line from a to b that lies on the landscape, as parameters. */
static bool clip(const struct grid *grid, const double a[2], const double b[2], double part[2])
{
    const double most[2] = { grid->columns - 1, grid->rows - 1 };

    part[0] = 0;
    part[1] = 1;
    for (int axis = 0; axis < 2; axis++) {
        double along = b[axis] - a[axis], in = -a[axis] / along,
               out = (most[axis] - a[axis]) / along;

        if (along == 0 && !(a[axis] >= 0 && a[axis] <= most[axis]))
            return false;
        if (along == 0)
            continue;
        part[0] = fmax(part[0], fmin(in, out));
        part[1] = fmin(part[1], fmax(in, out));
    }
    return part[0] <= part[1];
}

/* Lines of one kind: columns, rows or diagonals, each a whole number of u, which goes from `from`
 * by `along` over the step. */
struct family {
    double from, along;
    double next; /* the number of the one that is crossed next */
};

static struct family family_begin(double from, double to)
{
    return (struct family){ from, to - from, to > from ? floor(from) + 1 : ceil(from) - 1 };
}

/* When it is crossed, 0..1 within the step. */
static double family_when(const struct family *family)
{
    return family->along == 0 ? INFINITY : (family->next - family->from) / family->along;
}

static void family_pass(struct family *family)
{
    family->next += family->along > 0 ? 1 : -1;
}

static void keep_on(const struct grid *grid, double at[2])
{
    at[0] = fmin(fmax(at[0], 0), grid->columns - 1);
    at[1] = fmin(fmax(at[1], 0), grid->rows - 1);
}

/* A line on the landscape, whose ends are there already or come next. */
struct part {
    double a[2], b[2];
    double before, length; /* of the path up to it, and its own */
};

static bool part_trace(struct tracing *tracing, const struct part *part)
{
    struct family families[3] = { family_begin(part->a[0], part->b[0]),
                                  family_begin(part->a[1], part->b[1]),
                                  family_begin(part->a[0] - part->a[1], part->b[0] - part->b[1]) };

    for (;;) {
        int which = 0;
        double t, at[2];

        for (int i = 1; i < 3; i++)
            if (family_when(&families[i]) < family_when(&families[which]))
                which = i;
        t = family_when(&families[which]);
        if (!(t < 1))
            return true;
        between(part->a, part->b, t, at);
        /* Rounding takes no place off the line that it is on. */
        if (which < 2)
            at[which] = families[which].next;
        else
            at[1] = at[0] - families[which].next;
        keep_on(view_grid(tracing->view), at);
        if (!place_add(tracing, part->before + t * part->length, at))
            return false;
        family_pass(&families[which]);
    }
}

static bool step_trace(struct tracing *tracing, const double a[2], const double b[2], double before,
                       double length)
{
    const struct grid *grid = view_grid(tracing->view);
    double on[2];
    struct part part;

    if (clip(grid, a, b, on)) {
        part.before = before + on[0] * length;
        part.length = (on[1] - on[0]) * length;
        between(a, b, on[0], part.a);
        between(a, b, on[1], part.b);
        keep_on(grid, part.a);
        keep_on(grid, part.b);
        if (!place_add(tracing, part.before, part.a) || !part_trace(tracing, &part) ||
            !place_add(tracing, part.before + part.length, part.b))
            return false;
    }
    return place_add(tracing, before + length, b);
}

bool profile_exact(const struct view *view, const struct profile_path *path, bool ignore_holes,
                   size_t most, struct profile *profile, struct fault *why)
{
    struct tracing tracing = { view, ignore_holes, most, 0, profile, false, why };
    double before = 0;
    bool done;

    *profile = (struct profile){ 0 };
    done = place_add(&tracing, 0, path->at[0]);
    for (size_t i = 0; done && i + 1 < path->count; i++) {
        double length = step_length(view, path, i);

        done = step_trace(&tracing, path->at[i], path->at[i + 1], before, length);
        before += length;
    }
    if (!done)
        profile_free(profile);
    return done;
}

struct profile_totals profile_total(const struct profile *profile)
{
    struct profile_totals totals = { .least = NAN, .greatest = NAN };

    for (size_t i = 0; i < profile->count; i++) {
        const struct profile_place *place = &profile->places[i];
        double rise = i ? place->z - place[-1].z : NAN;

        totals.least = fmin(totals.least, place->z);
        totals.greatest = fmax(totals.greatest, place->z);
        totals.length = place->distance;
        if (isnan(rise))
            continue;
        totals.surface_length += hypot(place->distance - place[-1].distance, rise);
        totals.ascent += fmax(rise, 0);
        totals.descent += fmax(-rise, 0);
    }
    return totals;
}
