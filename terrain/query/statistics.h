/* Statistics of a region of the surface, with holes cut out unless they are ignored: of its
 * vertices, of its triangles as they are drawn, and of the space between them and a plane.
 *
 * A vertex counts unless all quads around it are holes. Counts, the least, the greatest, the mean
 * and what is asked of the counts of codes are exact (but for the last rounding); areas and volumes
 * are sums of exact terms, one for each triangle or part of one, in an order that depends on the
 * region alone, so that they have the same bits whatever the executor. Metres. Any thread.
 */
#ifndef TERRAIN_QUERY_STATISTICS_H
#define TERRAIN_QUERY_STATISTICS_H

#include "terrain/base/executor.h"
#include "terrain/query/region.h"

/* What is worked out beside count, least, greatest, mean and plan area, which whole blocks know by
 * their summaries. */
struct statistics_asked {
    bool deviation, surface_area, codes, volumes;
    double plane[3];   /* of the volumes: z = [0] + [1] x + [2] y, x and y in grid coordinates */
    bool ignore_holes; /* the ground beneath them counts */
};

enum { STATISTICS_CODES = 65536 };

struct statistics {
    int64_t vertices;
    double least, greatest;              /* NaN without vertices, as are mean and deviation */
    int32_t least_at[2], greatest_at[2]; /* the first such vertex from the north-west, by rows */
    double mean, deviation;              /* of the population */
    double plan_area, surface_area;      /* m2: seen from above, and along the slopes */
    double above, below;           /* m3: of the ground above the plane, and missing below it */
    double area_above, area_below; /* m2, seen from above */
    uint64_t *codes;               /* asked for: how many vertices have each code */
};

/* Fails with MEMORY, and as region_walk does; then there is nothing to free. */
bool statistics_of(const struct view *view, const struct region *region,
                   const struct statistics_asked *asked, const struct executor *executor,
                   struct statistics *statistics, struct fault *why);
void statistics_free(struct statistics *statistics);

/* The height below which `percent` of the vertices lie, linear between two neighbours in their
 * order (0 is the least, 50 the median, 100 the greatest); NaN without vertices. */
double statistics_percentile(const struct statistics *statistics, const struct grid *grid,
                             double percent);

/* How many heights lie in each of `count` bins of one width between two heights: what lies on the
 * end of a bin belongs to the next one, but in the last one to it. What lies outside counts
 * nowhere. */
void statistics_bins(const struct statistics *statistics, const struct grid *grid, double from,
                     double to, size_t count, uint64_t *bins);

#endif
