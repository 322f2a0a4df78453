#include "terrain/query/prism.h"

#include "terrain/base/wide.h"

/* Quads beside each other whose corners mostly lie on one side. */
enum { SPAN = 16 };

struct span {
    double least, greatest, sum; /* six times what is under the triangles */
};

WIDE static struct span span_of(const double *north, const double *south, int count)
{
    double low[2] = { north[0], south[0] }, high[2] = { north[0], south[0] }, sums[SPAN];
    struct span span;

    for (int i = 0; i <= count; i++) {
        low[0] = north[i] < low[0] ? north[i] : low[0];
        low[1] = south[i] < low[1] ? south[i] : low[1];
        high[0] = north[i] > high[0] ? north[i] : high[0];
        high[1] = south[i] > high[1] ? south[i] : high[1];
    }
    for (int i = 0; i < count; i++)
        sums[i] = 2 * (north[i] + south[i + 1]) + (north[i + 1] + south[i]);
    span.least = low[0] < low[1] ? low[0] : low[1];
    span.greatest = high[0] > high[1] ? high[0] : high[1];
    span.sum = 0;
    for (int i = 0; i < count; i++)
        span.sum += sums[i];
    return span;
}

static void span_add(const double *north, const double *south, int count, struct prism *prism)
{
    const struct span span = span_of(north, south, count);

    if (span.least == 0 && span.greatest == 0)
        return;
    if (span.least > 0) {
        prism->above += span.sum / 6;
        prism->area_above += count;
    } else if (span.greatest < 0) {
        prism->below -= span.sum / 6;
        prism->area_below += count;
    } else {
        for (int i = 0; i < count; i++) {
            prism_add(0.5, north[i], north[i + 1], south[i + 1], prism);
            prism_add(0.5, north[i], south[i], south[i + 1], prism);
        }
    }
}

void prism_row(const double *north, const double *south, int32_t count, struct prism *prism)
{
    for (int32_t i = 0; i < count; i += SPAN)
        span_add(north + i, south + i, count - i < SPAN ? count - i : SPAN, prism);
}
