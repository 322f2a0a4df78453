/* Statistics of a region as answers: what may be asked, and what is told. Any thread. */
#ifndef API_QUERIES_STATISTICS_H
#define API_QUERIES_STATISTICS_H

#include "api/endpoint.h"
#include "terrain/query/region.h"

struct measures {
    double plane;
    struct list percentiles; /* double */
    int32_t bins;
    double bin_width;
    bool surface, ignore_holes;
};

/* Rows of a struct whose member `measures` they fill; the plane's comes first, so that bit 0 of
 * `given` tells whether it was asked for. */
#define MEASURE(kind_, type, member, help_, ...)                                                   \
    {                                                                                              \
        .name = #member, .kind = (kind_), .at = offsetof(type, measures.member), .help = (help_),  \
        __VA_ARGS__                                                                                \
    }
#define MEASURES(type)                                                                             \
    MEASURE(FIELD_REAL, type, plane, "The height of a plane: volumes above and below it are told", \
            .unit = "m", .least = -1e6, .greatest = 1e6),                                          \
        MEASURE(FIELD_NUMBERS, type, percentiles,                                                  \
                "Of the vertices' heights, each 0 to 100: 50 is the median",                       \
                .greatest = MEASURES_PERCENTILES),                                                 \
        MEASURE(FIELD_INT, type, bins,                                                             \
                "A histogram of so many bins from the least to the "                               \
                "greatest height",                                                                 \
                .least = 1, .greatest = MEASURES_BINS),                                            \
        MEASURE(FIELD_REAL, type, bin_width,                                                       \
                "Instead of bins: a histogram of bins so wide, which begin at its multiples",      \
                .unit = "m", .least = 0, .greatest = 1e6, .above_least = true),                    \
        MEASURE(FIELD_BOOL, type, surface,                                                         \
                "Whether to work out the area along the slopes, which costs the most",             \
                .has_value = true, .value = true),                                                 \
        MEASURE(FIELD_BOOL, type, ignore_holes, "Whether the ground beneath holes counts")
enum { MEASURES_PERCENTILES = 101, MEASURES_BINS = 65536, MEASURES_PLANE = 1 };

/* Of an answer, with its shape. */
struct measured;
extern const struct shape measured_shape;

/* The plane is z = [0] + [1] x + [2] y in grid coordinates, or NULL. Takes the region. Fails with
 * LIMIT for more than region_vertices, with INPUT for measures that contradict each other, and as
 * statistics_of does. */
bool measures_take(struct request *rq, const struct measures *measures, const double *plane,
                   struct region *region, struct measured *measured);

/* A region's polygon, with region_points and its own fault at the body's member; and whether a
 * region has more than region_vertices. */
bool measures_polygon(struct request *rq, const struct view *view, const struct list *points,
                      struct region *region);
bool measures_fit(struct request *rq, const struct region *region);

#endif
