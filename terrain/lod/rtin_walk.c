#include "terrain/lod/rtin_inside.h"

#include <math.h>
#include <stdlib.h>

struct numbered {
    uint32_t place;  /* of the grid, + 1; 0 is free */
    uint32_t number; /* in the mesh */
};

enum { ROOM_LEAST = 1 << 11 };

struct walk {
    const struct rtin_map *closed, *own;
    const struct rtin_frame *frame;
    int32_t n;
    int16_t most, left;
    struct mesh *mesh;
    struct numbered *numbered, few[ROOM_LEAST];
    uint32_t mask, count;
    struct fault *why;
};

/* Vertex y << 16 | x of the grid in the high half, its number in the mesh in the low one: a
 * triangle fits in registers. */
typedef uint64_t corner;

static inline uint32_t place_of(corner at)
{
    return (uint32_t)(at >> 32);
}

static inline int32_t column_of(corner at)
{
    return (int32_t)(at >> 32 & 0xffff);
}

static inline int32_t row_of(corner at)
{
    return (int32_t)(at >> 48);
}

static inline corner corner_at(int32_t x, int32_t y)
{
    return (uint64_t)((uint32_t)y << 16 | (uint32_t)x) << 32;
}

/* Of two whose columns and rows add up to even numbers. */
static inline corner middle_of(corner b, corner c)
{
    return (corner)((place_of(b) + place_of(c)) >> 1) << 32;
}

static struct numbered *find(struct numbered *numbered, uint32_t mask, uint32_t place)
{
    uint32_t slot = (place * 0x9e3779b1u >> 13) & mask;

    while (numbered[slot].place && numbered[slot].place != place)
        slot = (slot + 1) & mask;
    return &numbered[slot];
}

static bool grow(struct walk *walk)
{
    const uint32_t mask = walk->mask * 4 + 3;
    struct numbered *larger = calloc((size_t)mask + 1, sizeof *larger);

    if (!larger)
        return fault_set(walk->why, FAULT_MEMORY, "no memory for a mesh of %u vertices",
                         walk->count);
    for (uint32_t i = 0; i <= walk->mask; i++)
        if (walk->numbered[i].place)
            *find(larger, mask, walk->numbered[i].place) = walk->numbered[i];
    if (walk->numbered != walk->few)
        free(walk->numbered);
    walk->numbered = larger;
    walk->mask = mask;
    return true;
}

static uint32_t add_vertex(const struct walk *walk, int32_t x, int32_t y)
{
    const struct rtin_frame *frame = walk->frame;
    const int32_t i = y * (walk->n + 1) + x, *most = frame->most;
    const int32_t east = frame->low[0] + x * frame->stride;
    const int32_t south = frame->low[1] + y * frame->stride;

    return mesh_vertex(walk->mesh, east < most[0] ? east : most[0],
                       south < most[1] ? south : most[1],
                       walk->own->codes ? walk->own->codes[i] : walk->own->metres[i]);
}

/* The corner's number in the mesh, given when it is first met. */
static bool number(struct walk *walk, corner *at)
{
    const uint32_t place = place_of(*at) + 1;
    struct numbered *there;

    if (!walk->mesh)
        return true;
    there = find(walk->numbered, walk->mask, place);
    *at |= there->number;
    if (there->place)
        return true;
    if (walk->mesh->vertex_count == walk->mesh->vertex_room &&
        !mesh_reserve(walk->mesh, 1, 0, walk->why))
        return false;
    *there = (struct numbered){ place, add_vertex(walk, column_of(*at), row_of(*at)) };
    *at |= there->number;
    walk->count++;
    return walk->count * 2 <= walk->mask || grow(walk);
}

/* Where something is left out, vertices are numbered when a triangle that is drawn has them. */
static bool number_drawn(struct walk *walk, corner *at)
{
    return !walk->own->quads || number(walk, at);
}

static bool number_split(struct walk *walk, corner *at)
{
    return walk->own->quads || number(walk, at);
}

static bool emit(struct walk *walk, corner a, corner b, corner c)
{
    struct mesh *mesh = walk->mesh;

    if (!mesh)
        return true;
    if (mesh->index_count + 3 > mesh->index_room && !mesh_reserve(mesh, 0, 3, walk->why))
        return false;
    if (!number_drawn(walk, &a) || !number_drawn(walk, &b) || !number_drawn(walk, &c))
        return false;
    mesh_triangle(mesh, (uint32_t)a, (uint32_t)b, (uint32_t)c);
    return true;
}

static void leave(struct walk *walk, int16_t error)
{
    if (error > walk->left)
        walk->left = error;
}

static bool is_left_out(const struct walk *walk, int32_t x, int32_t y)
{
    return walk->own->quads && walk->own->quads[y * walk->n + x] == RTIN_LEFT_OUT;
}

/* Half a quad, its right angle at a. */
static bool finest(struct walk *walk, corner a, corner b, corner c)
{
    const int32_t x = column_of(b) < column_of(c) ? column_of(b) : column_of(c);
    const int32_t y = row_of(b) < row_of(c) ? row_of(b) : row_of(c);
    const int16_t rest = walk->own->rest[y * walk->n + x];

    if (is_left_out(walk, x, y))
        return true;
    if (walk->own->turns && rest > walk->most) {
        corner opposite = corner_at(2 * x + 1 - column_of(a), 2 * y + 1 - row_of(a));

        return number_split(walk, &opposite) && emit(walk, a, b, opposite);
    }
    leave(walk, rest);
    return emit(walk, a, b, c);
}

/* A quad of which at least half lies in the triangle, its hypotenuse's middle being m. */
static bool all_left_out(const struct walk *walk, corner a, corner b, corner m)
{
    const int32_t mx = column_of(m), my = row_of(m), ax = column_of(a), ay = row_of(a);

    if (!walk->own->quads)
        return false;
    if (ax == mx || ay == my) /* the hypotenuse lies along an axis */
        return is_left_out(walk, ax + column_of(b) < 2 * mx ? mx - 1 : mx,
                           ay + row_of(b) < 2 * my ? my - 1 : my);
    return is_left_out(walk, ax < mx ? ax : ax - 1, ay < my ? ay : ay - 1);
}

/* Right angle at a, turning as mesh.h wants it; so many halvings from the finest. */
static bool triangle(struct walk *walk, corner a, corner b, corner c, int32_t level)
{
    corner m;
    int16_t error;

    if (level == 0)
        return finest(walk, a, b, c);
    m = middle_of(b, c);
    error = walk->closed->errors[row_of(m) * (walk->n + 1) + column_of(m)];
    if (error > walk->most)
        return number_split(walk, &m) && triangle(walk, m, a, b, level - 1) &&
               triangle(walk, m, c, a, level - 1);
    if (all_left_out(walk, a, b, m))
        return true;
    leave(walk, error);
    return emit(walk, a, b, c);
}

bool rtin_walk(const struct rtin_map *closed, const struct rtin_frame *frame, int16_t most,
               struct mesh *mesh, int16_t *left, struct fault *why)
{
    const int32_t n = 1 << closed->log2;
    const int32_t levels = 2 * closed->log2;
    corner nw = corner_at(0, 0), ne = corner_at(n, 0), sw = corner_at(0, n), se = corner_at(n, n);
    struct walk walk;
    bool done;

    walk.closed = closed;
    walk.own = closed->of;
    walk.frame = frame;
    walk.n = n;
    walk.most = most;
    walk.left = 0;
    walk.mesh = mesh;
    walk.numbered = walk.few;
    walk.mask = ROOM_LEAST - 1;
    walk.count = 0;
    walk.why = why;
    if (mesh)
        memset(walk.few, 0, sizeof walk.few);
    done = number_split(&walk, &nw) && number_split(&walk, &ne) && number_split(&walk, &sw) &&
           number_split(&walk, &se) && triangle(&walk, ne, nw, se, levels) &&
           triangle(&walk, sw, se, nw, levels);
    *left = walk.left;
    if (walk.numbered != walk.few)
        free(walk.numbered);
    return done;
}

/* The greatest packed error that is within so many metres. */
static int16_t packed_within(double metres, double unit)
{
    int16_t least = 0, most = RTIN_GREATEST;

    while (least < most) {
        const int16_t middle = (int16_t)((least + most + 1) / 2);

        if (rtin_unpack(middle) * unit <= metres)
            least = middle;
        else
            most = (int16_t)(middle - 1);
    }
    return least;
}

bool rtin_mesh_within(const struct rtin_map *closed, const struct rtin_frame *frame, double unit,
                      double max_error, struct mesh *mesh, struct fault *why)
{
    int16_t left;
    double bound;

    if (!rtin_walk(closed, frame, packed_within(max_error, unit), mesh, &left, why))
        return false;
    bound = fmax(rtin_unpack(left), 2 * closed->slack) * unit;
    if (!(mesh->bound >= bound))
        mesh->bound = bound;
    return true;
}
