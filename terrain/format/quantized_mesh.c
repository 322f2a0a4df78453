#include "terrain/format/quantized_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terrain/format/earth.h"

/* WGS84's half axes. */
static const double half_axes[3] = { 6378137.0, 6378137.0, 6356752.3142451793 };

enum { NONE = -1, WIDE_FROM = 65536 /* more vertices than these have indices of 32 bits */ };

/* A tile on its way out: vertices in the order in which triangles first use them. */
struct writing {
    const struct quantized_mesh *tile;
    uint8_t *at;                    /* where the next byte goes; there is room for all */
    int32_t *fresh;                 /* new number of each vertex of the mesh, or NONE */
    uint32_t *old, count;           /* and back */
    uint16_t (*numbers)[3];         /* u, v, height; of new vertices */
    double (*places)[3], middle[3]; /* Earth-fixed */
    struct line *columns, *rows;    /* side + 1 of each, as far as vertices lie on them */
};

/* Vertices lie on few meridians and parallels: what is the same along one is worked out once. */
struct line {
    bool known;
    uint16_t number; /* u or v */
    double earth[4]; /* of earth_meridian or earth_parallel */
};

double quantized_mesh_step(double least, double greatest)
{
    const double far = fmax(fabs(least), fabs(greatest));
    double step = ldexp(1, -20);

    /* A tile's maximum lies up to one span above its minimum. */
    while (step * QUANTIZED_MOST < greatest - least + step ||
           step * (1 << 24) < far + step * (QUANTIZED_MOST + 1))
        step *= 2;
    return step;
}

double quantized_mesh_floor(double height, double step)
{
    return floor(height / step) * step;
}

/* Of numbers; fmin and fmax are calls, for the sake of what is none. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline void add_bytes(struct writing *writing, const void *data, size_t length)
{
    memcpy(writing->at, data, length);
    writing->at += length;
}

static inline void add_number(struct writing *writing, uint64_t number, int size)
{
    for (int i = 0; i < size; i++)
        writing->at[i] = (uint8_t)(number >> 8 * i);
    writing->at += size;
}

/* An index, of two bytes or of four. */
static inline void add_index(struct writing *writing, uint32_t index, int size)
{
    if (size == 2)
        add_number(writing, (uint16_t)index, 2);
    else
        add_number(writing, index, 4);
}

static void add_double(struct writing *writing, double number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    add_number(writing, bits, 8);
}

static void add_float(struct writing *writing, double number)
{
    const float single = (float)number;
    uint32_t bits;

    memcpy(&bits, &single, sizeof bits);
    add_number(writing, bits, 4);
}

static uint16_t quantized(double share)
{
    return (uint16_t)fmin(fmax(floor(share * QUANTIZED_MOST + 0.5), 0), QUANTIZED_MOST);
}

static const struct line *column_of(struct writing *writing, double i)
{
    const struct quantized_mesh *tile = writing->tile;
    struct line *column = &writing->columns[(int32_t)i];

    if (!column->known) {
        column->known = true;
        column->number = quantized(i / tile->side);
        earth_meridian(tile->bounds[0] + (double)column->number / QUANTIZED_MOST *
                                             (tile->bounds[2] - tile->bounds[0]),
                       column->earth);
    }
    return column;
}

static const struct line *row_of(struct writing *writing, double j)
{
    const struct quantized_mesh *tile = writing->tile;
    struct line *row = &writing->rows[(int32_t)j];

    if (!row->known) {
        row->known = true;
        row->number = quantized(1 - j / tile->side);
        earth_parallel(tile->bounds[1] + (double)row->number / QUANTIZED_MOST *
                                             (tile->bounds[3] - tile->bounds[1]),
                       row->earth);
    }
    return row;
}

/* Numbers of a vertex, and where on Earth these put it. */
static void place_vertex(struct writing *writing, uint32_t vertex)
{
    const struct quantized_mesh *tile = writing->tile;
    const double *at = tile->mesh->at[writing->old[vertex]];
    const struct line *column = column_of(writing, at[0]), *row = row_of(writing, at[1]);
    uint16_t *numbers = writing->numbers[vertex];
    double height;

    numbers[0] = column->number;
    numbers[1] = row->number;
    /* Rounded on the lattice of the level and not of the tile: borders have one height. */
    height = floor(at[2] / tile->step + 0.5) - tile->minimum / tile->step;
    numbers[2] = (uint16_t)lesser(greater(height, 0), QUANTIZED_MOST);
    earth_at(column->earth, row->earth, tile->minimum + numbers[2] * tile->step,
             writing->places[vertex]);
}

/* The high-water mark counts up by one at each new vertex. */
static void number_vertices(struct writing *writing)
{
    const struct mesh *mesh = writing->tile->mesh;

    for (size_t i = 0; i < mesh->vertex_count; i++)
        writing->fresh[i] = NONE;
    for (size_t i = 0; i < mesh->index_count; i++) {
        int32_t *fresh = &writing->fresh[mesh->indices[i]];

        if (*fresh != NONE)
            continue;
        *fresh = (int32_t)writing->count;
        writing->old[writing->count++] = mesh->indices[i];
    }
    for (uint32_t i = 0; i < writing->count; i++)
        place_vertex(writing, i);
}

/* The middle of the box around all vertices, and how far they lie from it. */
static double sphere_of(struct writing *writing)
{
    double low[3], high[3], most = 0;

    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (uint32_t i = 0; i < writing->count; i++) {
            low[k] = lesser(low[k], writing->places[i][k]);
            high[k] = greater(high[k], writing->places[i][k]);
        }
        writing->middle[k] = (low[k] + high[k]) / 2;
    }
    for (uint32_t i = 0; i < writing->count; i++) {
        const double *at = writing->places[i], *middle = writing->middle;

        most = greater(most, (at[0] - middle[0]) * (at[0] - middle[0]) +
                                 (at[1] - middle[1]) * (at[1] - middle[1]) +
                                 (at[2] - middle[2]) * (at[2] - middle[2]));
    }
    return sqrt(most);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* One over how far out along the direction a point has to lie to be hidden by the horizon only when
 * this vertex is: cos a cos b - sin a sin b, a being the angle between both and b that of the
 * horizon as the vertex sees it, in space scaled to a unit sphere; see FORMATS of the
 * specification, "horizon occlusion point". With p the vertex along the direction and q its length
 * squared, that is (p - sqrt((q - p p) (q - 1))) / q; below the sphere, p / sqrt(q). */
static double occluding_share(const double direction[3], const double place[3])
{
    double along = 0, squared = 0;

    for (int k = 0; k < 3; k++) {
        const double scaled = place[k] * (1 / half_axes[k]);

        along += scaled * direction[k];
        squared += scaled * scaled;
    }
    if (squared <= 1)
        return along / sqrt(squared);
    return (along - sqrt(greater(squared - along * along, 0) * (squared - 1))) / squared;
}

/* Tiles that go round too much of the Earth have no such point: a far one does then. */
static double occluding_length(const struct writing *writing, const double direction[3])
{
    static const double farthest = 1e3;
    double least = 1;

    for (uint32_t i = 0; i < writing->count; i++)
        least = lesser(least, occluding_share(direction, writing->places[i]));
    return least > 1 / farthest ? 1 / least : farthest;
}

static void add_header(struct writing *writing)
{
    const struct quantized_mesh *tile = writing->tile;
    const double radius = sphere_of(writing);
    double direction[3], length, most;

    for (int k = 0; k < 3; k++)
        add_double(writing, writing->middle[k]);
    add_float(writing, tile->minimum);
    add_float(writing, tile->minimum + tile->step * QUANTIZED_MOST);
    for (int k = 0; k < 3; k++)
        add_double(writing, writing->middle[k]);
    add_double(writing, radius);
    for (int k = 0; k < 3; k++)
        direction[k] = writing->middle[k] / half_axes[k];
    length = sqrt(dot(direction, direction));
    for (int k = 0; k < 3; k++)
        direction[k] /= length;
    most = occluding_length(writing, direction);
    for (int k = 0; k < 3; k++)
        add_double(writing, direction[k] * most);
}

static void add_vertices(struct writing *writing)
{
    add_number(writing, writing->count, 4);
    for (int k = 0; k < 3; k++) {
        int32_t before = 0;

        for (uint32_t i = 0; i < writing->count; i++) {
            const int32_t now = writing->numbers[i][k], more = now - before;

            add_number(writing, (uint16_t)((uint32_t)more << 1 ^ (uint32_t)(more >> 31)), 2);
            before = now;
        }
    }
}

static void add_triangles(struct writing *writing, int size)
{
    const struct mesh *mesh = writing->tile->mesh;
    uint32_t highest = 0;

    if (size == 4 && writing->count % 2)
        add_number(writing, 0, 2);
    add_number(writing, mesh->index_count / 3, 4);
    for (size_t i = 0; i < mesh->index_count; i++) {
        const uint32_t index = (uint32_t)writing->fresh[mesh->indices[i]];

        add_index(writing, highest - index, size);
        highest += highest == index;
    }
}

struct border {
    uint32_t vertex;
    double along;
};

static int border_order(const void *a, const void *b)
{
    const double one = ((const struct border *)a)->along, other = ((const struct border *)b)->along;

    return (one > other) - (one < other);
}

/* All vertices of the surface on an edge, from the south or from the west. */
static void add_edge(struct writing *writing, int axis, double where, int size,
                     struct border *border)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < writing->count; i++) {
        const double *at = writing->tile->mesh->at[writing->old[i]];

        if (at[axis] == where && writing->old[i] < writing->tile->surface_vertices)
            border[count++] = (struct border){ i, axis ? at[0] : -at[1] };
    }
    qsort(border, count, sizeof *border, border_order);
    add_number(writing, count, 4);
    for (uint32_t i = 0; i < count; i++)
        add_index(writing, border[i].vertex, size);
}

static void add_edges(struct writing *writing, int size, struct border *border)
{
    const double side = writing->tile->side;

    add_edge(writing, 0, 0, size, border);
    add_edge(writing, 1, side, size, border);
    add_edge(writing, 0, side, size, border);
    add_edge(writing, 1, 0, size, border);
}

/* A direction in two bytes: on the octahedron, its lower half folded over the upper one's corners
 * (Cigolle et al., "A survey of efficient representations for independent unit vectors", 2014). */
static void oct_encode(const float normal[3], uint8_t bytes[2])
{
    const double sum = fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2]);
    double x = normal[0] / sum, y = normal[1] / sum;

    if (normal[2] < 0) {
        const double folded = (1 - fabs(y)) * (x < 0 ? -1 : 1);

        y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
        x = folded;
    }
    bytes[0] = (uint8_t)floor((x * 0.5 + 0.5) * 255 + 0.5);
    bytes[1] = (uint8_t)floor((y * 0.5 + 0.5) * 255 + 0.5);
}

static void add_extensions(struct writing *writing)
{
    const struct quantized_mesh *tile = writing->tile;

    if (tile->normals) {
        add_number(writing, 1, 1);
        add_number(writing, 2 * (uint64_t)writing->count, 4);
        for (uint32_t i = 0; i < writing->count; i++) {
            uint8_t bytes[2];

            oct_encode(tile->normals[writing->old[i]], bytes);
            add_bytes(writing, bytes, sizeof bytes);
        }
    }
    if (tile->water) {
        add_number(writing, 2, 1);
        add_number(writing, tile->water_bytes, 4);
        add_bytes(writing, tile->water, tile->water_bytes);
    }
    if (tile->metadata) {
        const size_t length = strlen(tile->metadata);

        add_number(writing, 4, 1);
        add_number(writing, length + 4, 4);
        add_number(writing, length, 4);
        add_bytes(writing, tile->metadata, length);
    }
}

/* Bytes that a tile takes at most. */
static size_t room_for(const struct quantized_mesh *tile)
{
    const size_t vertices = tile->mesh->vertex_count, indices = tile->mesh->index_count;

    return 88 + 4 + 6 * vertices + 2 + 4 + 4 * indices + 4 * (4 + 4 * vertices) + 5 + 2 * vertices +
           5 + tile->water_bytes + 9 + (tile->metadata ? strlen(tile->metadata) : 0);
}

static void write_all(struct writing *writing, struct border *border)
{
    int size;

    number_vertices(writing);
    size = writing->count > WIDE_FROM ? 4 : 2;
    add_header(writing);
    add_vertices(writing);
    add_triangles(writing, size);
    add_edges(writing, size, border);
    add_extensions(writing);
}

bool quantized_mesh_write(const struct quantized_mesh *tile, struct bytes *to, struct fault *why)
{
    const size_t most = tile->mesh->vertex_count, lines = (size_t)tile->side + 1;
    struct writing writing = { .tile = tile };
    struct border *border = malloc((most + 1) * sizeof *border);
    bool written;

    writing.fresh = malloc((most + 1) * sizeof *writing.fresh);
    writing.old = malloc((most + 1) * sizeof *writing.old);
    writing.numbers = malloc((most + 1) * sizeof *writing.numbers);
    writing.places = malloc((most + 1) * sizeof *writing.places);
    writing.columns = calloc(lines, sizeof *writing.columns);
    writing.rows = calloc(lines, sizeof *writing.rows);
    written = border && writing.fresh && writing.old && writing.numbers && writing.places &&
              writing.columns && writing.rows;
    if (!written)
        fault_set(why, FAULT_MEMORY, "no memory for a tile of %zu vertices", most);
    written = written && bytes_reserve(to, room_for(tile), why);
    if (written) {
        writing.at = to->data + to->length;
        write_all(&writing, border);
        to->length = (size_t)(writing.at - to->data);
    }
    free(writing.rows);
    free(writing.columns);
    free(writing.places);
    free(writing.numbers);
    free(writing.old);
    free(writing.fresh);
    free(border);
    return written;
}
