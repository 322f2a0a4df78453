/* Shapes on the map: rectangle, polygon, ellipse. */
#include "terrain/edit/mask.h"

#include <math.h>
#include <string.h>

#include "terrain/base/angle.h"

static double least(double a, double b)
{
    return a < b ? a : b;
}

#define FEATHER_HELP "Metres over which it fades from the outline inwards; 0 is a sharp edge"

static double faded(double inside, double feather)
{
    if (!(inside >= 0)) /* NaN too: so far away that distances are lost */
        return 0;
    return inside < feather ? inside / feather : 1;
}

/* Rectangle */

struct rectangle {
    struct mask_base base;
    struct rect rect; /* vertices */
    double feather;   /* m */
};

static const struct field rectangle_rows[] = { { .name = "x",
                                                 .kind = FIELD_INT,
                                                 .at = offsetof(struct rectangle, rect.x),
                                                 .unit = "vertices",
                                                 .least = -1e9,
                                                 .greatest = 1e9,
                                                 .required = true,
                                                 .help = "West column" },
                                               { .name = "y",
                                                 .kind = FIELD_INT,
                                                 .at = offsetof(struct rectangle, rect.y),
                                                 .unit = "vertices",
                                                 .least = -1e9,
                                                 .greatest = 1e9,
                                                 .required = true,
                                                 .help = "North row" },
                                               { .name = "width",
                                                 .kind = FIELD_INT,
                                                 .at = offsetof(struct rectangle, rect.width),
                                                 .unit = "vertices",
                                                 .least = 1,
                                                 .greatest = 1e9,
                                                 .required = true,
                                                 .help = "Columns" },
                                               { .name = "height",
                                                 .kind = FIELD_INT,
                                                 .at = offsetof(struct rectangle, rect.height),
                                                 .unit = "vertices",
                                                 .least = 1,
                                                 .greatest = 1e9,
                                                 .required = true,
                                                 .help = "Rows" },
                                               FIELD(struct rectangle, feather, "m", 0, 1e9,
                                                     FEATHER_HELP, .has_value = true),
                                               { .kind = FIELD_END } };

static void rectangle_row(const struct masker *masker, const struct scene *scene, int32_t x,
                          int32_t y, int32_t count, double *shares)
{
    const struct rectangle *takes = masker->takes;
    const double *scale = scene->grid->scale;
    double west = takes->rect.x, east = west + (takes->rect.width - 1);
    double north = takes->rect.y, south = north + (takes->rect.height - 1);
    double down = least(y - north, south - y) * scale[1];

    for (int32_t i = 0; i < count; i++) {
        double at = x + i, across = least(at - west, east - at) * scale[0];

        shares[i] = faded(least(across, down), takes->feather);
    }
}

MASK_SHAPE(rectangle, struct rectangle, rectangle_rows);

const struct mask mask_rectangle = {
    .name = "rectangle",
    .summary = "Inside a rectangle of vertices",
    .example = "{\"type\":\"rectangle\",\"x\":8,\"y\":8,\"width\":40,\"height\":32,\"feather\":4}",
    .takes = &mask_rectangle_takes,
    .row = rectangle_row,
};

/* Polygon */

enum { POINTS_MOST = 4096, EDGES_PER_VERTEX = 2 };

struct polygon {
    struct mask_base base;
    struct list points; /* double[2], grid coordinates */
    double feather;     /* m */
};

static const struct field polygon_rows[] = {
    FIELD_AS(FIELD_POINTS, struct polygon, points,
             "Its corners in order; where the outline crosses itself, what it goes round twice is "
             "outside",
             .unit = "positions", .least = 3, .greatest = POINTS_MOST, .required = true),
    FIELD(struct polygon, feather, "m", 0, 1e9, FEATHER_HELP, .has_value = true),
    { .kind = FIELD_END }
};

static bool polygon_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    const struct polygon *takes = masker->takes;
    int64_t edges = (int64_t)takes->points.count;

    (void)draft;
    (void)why;
    masker->cost += edges / (takes->feather > 0 ? EDGES_PER_VERTEX : 64);
    return true;
}

/* Counts for each vertex the edges that cross its row east of it: an odd count is inside. Each
 * crossing counts at its vertex and all to the west, so one sum from the east makes the counts. */
static void crossings(const struct polygon *polygon, int32_t x, int32_t y, int32_t count,
                      int32_t *odd)
{
    const double(*points)[2] = polygon->points.items;
    size_t corners = polygon->points.count;

    memset(odd, 0, (size_t)count * sizeof *odd);
    for (size_t i = 0; i < corners; i++) {
        const double *a = points[i], *b = points[i + 1 < corners ? i + 1 : 0];
        double at;

        if ((a[1] > y) == (b[1] > y))
            continue;
        at = ceil(a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])) - 1; /* the last one west */
        if (at >= x)
            odd[at < x + count - 1 ? (int32_t)at - x : count - 1] ^= 1;
    }
    for (int32_t i = count - 1; i > 0; i--)
        odd[i - 1] ^= odd[i];
}

static double to_edge(const double *a, const double *b, const double *scale, double x, double y)
{
    double along[2] = { (b[0] - a[0]) * scale[0], (b[1] - a[1]) * scale[1] };
    double from[2] = { (x - a[0]) * scale[0], (y - a[1]) * scale[1] };
    double square = along[0] * along[0] + along[1] * along[1];
    double way = square > 0 ? (from[0] * along[0] + from[1] * along[1]) / square : 0;

    way = way < 0 ? 0 : way > 1 ? 1 : way;
    from[0] -= way * along[0];
    from[1] -= way * along[1];
    return from[0] * from[0] + from[1] * from[1];
}

static double to_outline(const struct polygon *polygon, const double *scale, double x, double y)
{
    const double(*points)[2] = polygon->points.items;
    size_t corners = polygon->points.count;
    double nearest = INFINITY;

    for (size_t i = 0; i < corners; i++)
        nearest =
            least(nearest, to_edge(points[i], points[i + 1 < corners ? i + 1 : 0], scale, x, y));
    return sqrt(nearest);
}

static void polygon_row(const struct masker *masker, const struct scene *scene, int32_t x,
                        int32_t y, int32_t count, double *shares)
{
    const struct polygon *takes = masker->takes;
    int32_t odd[BLOCK_SIDE];

    crossings(takes, x, y, count, odd);
    for (int32_t i = 0; i < count; i++) {
        shares[i] = odd[i];
        if (odd[i] && takes->feather > 0)
            shares[i] = faded(to_outline(takes, scene->grid->scale, x + i, y), takes->feather);
    }
}

MASK_SHAPE(polygon, struct polygon, polygon_rows);

const struct mask mask_polygon = {
    .name = "polygon",
    .summary = "Inside a polygon, by the even-odd rule",
    .example = "{\"type\":\"polygon\",\"points\":[[4,6],[58,10],[40,60],[12,44]],\"feather\":3}",
    .takes = &mask_polygon_takes,
    .ready = polygon_ready,
    .row = polygon_row,
};

/* Ellipse */

struct ellipse {
    struct mask_base base;
    double center[2]; /* grid coordinates */
    double radii[2];  /* m */
    double rotation;  /* degrees */
    double feather;   /* m */
};

static const struct field ellipse_rows[] = {
    FIELD_AS(FIELD_POINT, struct ellipse, center, "Its middle", .required = true),
    FIELD_AS(FIELD_REALS, struct ellipse, radii,
             "Half its size, east and south before it is turned", .unit = "m", .least = 0,
             .greatest = 1e9, .above_least = true, .count = 2, .required = true),
    FIELD(struct ellipse, rotation, "degrees", -36000, 36000, "Turned clockwise",
          .has_value = true),
    FIELD(struct ellipse, feather, "m", 0, 1e9,
          FEATHER_HELP "; measured where the outline is nearest to the middle", .has_value = true),
    { .kind = FIELD_END }
};

enum { COSINE, SINE };

static bool ellipse_ready(struct masker *masker, struct draft *draft, struct fault *why)
{
    const struct ellipse *takes = masker->takes;

    (void)draft;
    (void)why;
    masker->numbers[COSINE] = angle_cos(takes->rotation);
    masker->numbers[SINE] = angle_sin(takes->rotation);
    return true;
}

static void ellipse_row(const struct masker *masker, const struct scene *scene, int32_t x,
                        int32_t y, int32_t count, double *shares)
{
    const struct ellipse *takes = masker->takes;
    double cosine = masker->numbers[COSINE], sine = masker->numbers[SINE];
    double nearest = least(takes->radii[0], takes->radii[1]);
    double down = (y - takes->center[1]) * scene->grid->scale[1];

    for (int32_t i = 0; i < count; i++) {
        double across = (x + i - takes->center[0]) * scene->grid->scale[0];
        double u = (across * cosine + down * sine) / takes->radii[0];
        double v = (down * cosine - across * sine) / takes->radii[1];

        shares[i] = faded((1 - sqrt(u * u + v * v)) * nearest, takes->feather);
    }
}

MASK_SHAPE(ellipse, struct ellipse, ellipse_rows);

const struct mask mask_ellipse = {
    .name = "ellipse",
    .summary = "Inside an ellipse",
    .example = "{\"type\":\"ellipse\",\"center\":[32,32],\"radii\":[28,14],\"rotation\":30,"
               "\"feather\":4}",
    .takes = &mask_ellipse_takes,
    .ready = ellipse_ready,
    .row = ellipse_row,
};
