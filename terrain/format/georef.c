#include "terrain/format/georef.h"

#include <ctype.h>
#include <math.h>
#include <proj.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The sphere of EPSG:3857, which is also the greater half axis of WGS84. */
static const double earth = 6378137.0;
static const double wgs84_flattening = 1 / 298.257223563;
static const double degree = M_PI / 180;

enum { KEPT = 16, SIDE_POINTS = 128 };

/* What one thread knows of one CRS. */
struct crs {
    char name[SETTINGS_CRS_MOST];
    PJ *from_lonlat; /* degrees to CRS units; NULL where the formulas are our own */
    bool geographic;
    double unit;             /* metres, or radians, of a CRS unit */
    double turn;             /* after how many units x comes back to the same place; 0 never */
    double axis, flattening; /* of the ellipsoid */
};

struct known {
    PJ_CONTEXT *context;
    struct crs *crs[KEPT];
    int next; /* to be let go when all are taken */
};

static pthread_key_t known_key;
static pthread_once_t known_once = PTHREAD_ONCE_INIT;

static void crs_free(struct crs *crs)
{
    if (!crs)
        return;
    proj_destroy(crs->from_lonlat);
    free(crs);
}

static void known_free(void *data)
{
    struct known *known = data;

    for (int i = 0; i < KEPT; i++)
        crs_free(known->crs[i]);
    proj_context_destroy(known->context);
    free(known);
}

static void known_prepare(void)
{
    if (pthread_key_create(&known_key, known_free) != 0)
        abort();
}

static struct known *known_here(struct fault *why)
{
    struct known *known;

    pthread_once(&known_once, known_prepare);
    known = pthread_getspecific(known_key);
    if (known)
        return known;
    known = calloc(1, sizeof *known);
    if (known)
        known->context = proj_context_create();
    if (!known || !known->context || pthread_setspecific(known_key, known) != 0) {
        fault_set(why, FAULT_MEMORY, "no memory for coordinate systems");
        if (known)
            known_free(known);
        return NULL;
    }
    proj_log_level(known->context, PJ_LOG_NONE);
    proj_context_set_enable_network(known->context, 0);
    return known;
}

/* The digits behind "EPSG:", or NULL. */
static const char *epsg_code(const char *name, struct fault *why)
{
    const char *code = name + 5;
    size_t digits = 0;

    if (strncmp(name, "EPSG:", 5) == 0)
        while (isdigit((unsigned char)code[digits]))
            digits++;
    if (digits < 1 || digits > 9 || code[digits] != '\0') {
        fault_set(why, FAULT_INPUT,
                  "\"%.40s\" is not a coordinate system: write \"EPSG:\" and its code, "
                  "for example \"EPSG:4326\"",
                  name);
        return NULL;
    }
    return code;
}

static const char *kind_name(PJ_TYPE type)
{
    switch (type) {
    case PJ_TYPE_VERTICAL_CRS:
        return "vertical";
    case PJ_TYPE_GEOCENTRIC_CRS:
        return "geocentric";
    case PJ_TYPE_TEMPORAL_CRS:
        return "temporal";
    default:
        return "no horizontal";
    }
}

static bool is_geographic(const PJ *crs)
{
    const PJ_TYPE type = proj_get_type(crs);

    return type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS;
}

/* The part of a CRS that lies on the ground. Takes `crs`, which may be the answer. */
static PJ *horizontal(PJ_CONTEXT *context, PJ *crs, const char *name, struct fault *why)
{
    if (proj_get_type(crs) == PJ_TYPE_COMPOUND_CRS) {
        PJ *part = proj_crs_get_sub_crs(context, crs, 0);

        proj_destroy(crs);
        crs = part;
    }
    if (crs && (is_geographic(crs) || proj_get_type(crs) == PJ_TYPE_PROJECTED_CRS))
        return crs;
    fault_set(why, FAULT_IMPOSSIBLE,
              "%s is a %s coordinate system, and a landscape lies on a "
              "geographic or projected one",
              name, kind_name(crs ? proj_get_type(crs) : PJ_TYPE_UNKNOWN));
    proj_destroy(crs);
    return NULL;
}

/* The WKT that a file brought along because its CRS has no code. */
static PJ *crs_of_wkt(PJ_CONTEXT *context, const char *text, struct fault *why)
{
    PJ *crs = proj_create_from_wkt(context, text, NULL, NULL, NULL);

    if (crs)
        return horizontal(context, crs, text, why);
    fault_set(why, FAULT_IMPOSSIBLE, "PROJ does not understand the coordinate system %.100s", text);
    return NULL;
}

static PJ *crs_find(PJ_CONTEXT *context, const char *name, struct fault *why)
{
    const char *code;
    PJ *crs;

    if (strstr(name, "CRS["))
        return crs_of_wkt(context, name, why);
    code = epsg_code(name, why);
    if (!code)
        return NULL;
    crs = proj_create_from_database(context, "EPSG", code, PJ_CATEGORY_CRS, 0, NULL);
    if (crs)
        return horizontal(context, crs, name, why);
    if (proj_context_get_database_path(context))
        fault_set(why, FAULT_IMPOSSIBLE, "%s is not a coordinate system that PROJ knows", name);
    else
        fault_set(why, FAULT_INTERNAL, "PROJ's database (proj.db) was not found on this server");
    return NULL;
}

/* Kind, unit and ellipsoid. */
static void crs_describe(PJ_CONTEXT *context, const PJ *pj, struct crs *crs)
{
    PJ *axes = proj_crs_get_coordinate_system(context, pj);
    PJ *ellipsoid = proj_get_ellipsoid(context, pj);
    double inverse = 0;

    crs->geographic = is_geographic(pj);
    crs->unit = crs->geographic ? degree : 1;
    if (axes)
        proj_cs_get_axis_info(context, axes, 0, NULL, NULL, NULL, &crs->unit, NULL, NULL, NULL);
    crs->axis = earth;
    if (ellipsoid)
        proj_ellipsoid_get_parameters(context, ellipsoid, &crs->axis, NULL, NULL, &inverse);
    crs->flattening = inverse > 0 ? 1 / inverse : 0;
    crs->turn = crs->geographic ? 2 * M_PI / crs->unit : 0;
    proj_destroy(axes);
    proj_destroy(ellipsoid);
}

static PJ *lonlat_to(PJ_CONTEXT *context, const PJ *target)
{
    PJ *lonlat = proj_create_from_database(context, "EPSG", "4326", PJ_CATEGORY_CRS, 0, NULL);
    PJ *way = NULL, *normal = NULL;

    if (lonlat)
        way = proj_create_crs_to_crs_from_pj(context, lonlat, target, NULL, NULL);
    if (way)
        normal = proj_normalize_for_visualization(context, way);
    proj_destroy(way);
    proj_destroy(lonlat);
    return normal;
}

/* The two whose formulas are short are not asked of PROJ: they are what most landscapes have. */
static bool crs_is_ours(struct crs *crs)
{
    crs->axis = earth;
    crs->flattening = wgs84_flattening;
    if (strcmp(crs->name, "EPSG:4326") == 0) {
        crs->geographic = true;
        crs->unit = degree;
        crs->turn = 360;
        return true;
    }
    if (strcmp(crs->name, "EPSG:3857") == 0) {
        crs->unit = 1;
        crs->turn = 2 * M_PI * earth;
        return true;
    }
    return false;
}

static struct crs *crs_new(PJ_CONTEXT *context, const char *name, struct fault *why)
{
    struct crs *crs = calloc(1, sizeof *crs);
    PJ *pj = NULL;

    if (!crs) {
        fault_set(why, FAULT_MEMORY, "no memory for the coordinate system %.40s", name);
        return NULL;
    }
    strncpy(crs->name, name, sizeof crs->name - 1);
    if (crs_is_ours(crs))
        return crs;
    pj = crs_find(context, name, why);
    if (!pj)
        goto failed;
    crs_describe(context, pj, crs);
    crs->from_lonlat = lonlat_to(context, pj);
    proj_destroy(pj);
    if (crs->from_lonlat)
        return crs;
    fault_set(why, FAULT_IMPOSSIBLE, "PROJ knows no way from EPSG:4326 to %s", name);

failed:
    crs_free(crs);
    return NULL;
}

static const struct crs *crs_here(const char *name, struct fault *why)
{
    struct known *known = known_here(why);
    struct crs *crs;

    if (!known)
        return NULL;
    for (int i = 0; i < KEPT; i++)
        if (known->crs[i] && strcmp(known->crs[i]->name, name) == 0)
            return known->crs[i];
    crs = crs_new(known->context, name, why);
    if (!crs)
        return NULL;
    crs_free(known->crs[known->next]);
    known->crs[known->next] = crs;
    known->next = (known->next + 1) % KEPT;
    return crs;
}

static const struct crs *settings_crs(const struct settings *settings, struct fault *why)
{
    if (!settings->placed) {
        fault_set(why, FAULT_IMPOSSIBLE,
                  "this landscape has no coordinate system: give it crs "
                  "and bounds");
        return NULL;
    }
    return crs_here(settings->crs, why);
}

bool georef_check(const char *crs, struct fault *why)
{
    return crs_here(crs, why) != NULL;
}

/* Radii of curvature times radians: metres of a step of (dlon, dlat) radians at a latitude. */
static void ellipsoid_step(const struct crs *crs, double latitude, double dlon, double dlat,
                           double step[2])
{
    const double e2 = crs->flattening * (2 - crs->flattening);
    const double w2 = 1 - e2 * sin(latitude) * sin(latitude);

    step[0] = crs->axis / sqrt(w2) * cos(latitude) * dlon;
    step[1] = crs->axis * (1 - e2) / (w2 * sqrt(w2)) * dlat;
}

bool georef_scale(const char *name, const double bounds[4], int32_t columns, int32_t rows,
                  double scale[2], struct fault *why)
{
    const struct crs *crs = crs_here(name, why);
    const double dx = (bounds[2] - bounds[0]) / (columns - 1);
    const double dy = (bounds[3] - bounds[1]) / (rows - 1);
    const double middle = (bounds[1] + bounds[3]) / 2;

    if (!crs)
        return false;
    if (!(dx > 0 && dy > 0 && isfinite(dx) && isfinite(dy)))
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "bounds [%.15g, %.15g, %.15g, %.15g] have no area: "
                         "they are west, south, east and north",
                         bounds[0], bounds[1], bounds[2], bounds[3]);
    if (crs->geographic) {
        const double pole = M_PI / 2 / crs->unit;

        /* Half a step beyond a pole is what rounded corners of global grids come to. */
        if (bounds[3] > pole + dy / 2 || bounds[1] < -pole - dy / 2)
            return fault_set(why, FAULT_IMPOSSIBLE,
                             "bounds from %.15g to %.15g north reach beyond "
                             "a pole: latitudes end at %.15g",
                             bounds[1], bounds[3], pole);
        ellipsoid_step(crs, middle * crs->unit, dx * crs->unit, dy * crs->unit, scale);
        return true;
    }
    if (strcmp(name, "EPSG:3857") == 0) {
        const double latitude = atan(sinh(middle / earth));

        ellipsoid_step(crs, latitude, dx / earth, dy / earth * cos(latitude), scale);
        return true;
    }
    scale[0] = dx * crs->unit;
    scale[1] = dy * crs->unit;
    return true;
}

static void mercator_to_lonlat(double point[2])
{
    point[0] = point[0] / earth / degree;
    point[1] = atan(sinh(point[1] / earth)) / degree;
}

static void lonlat_to_mercator(double point[2])
{
    point[0] = point[0] * degree * earth;
    point[1] = fabs(point[1]) < 90 ? asinh(tan(point[1] * degree)) * earth : NAN;
}

/* Degrees to CRS units or back, in place. */
static void crs_transform(const struct crs *crs, bool forward, double *points, size_t count)
{
    if (crs->from_lonlat) {
        const size_t stride = 2 * sizeof *points;

        proj_trans_generic(crs->from_lonlat, forward ? PJ_FWD : PJ_INV, points, stride, count,
                           points + 1, stride, count, NULL, 0, 0, NULL, 0, 0);
    } else if (!crs->geographic) {
        for (size_t i = 0; i < count; i++)
            if (forward)
                lonlat_to_mercator(points + 2 * i);
            else
                mercator_to_lonlat(points + 2 * i);
    }
}

/* The nearest to `middle` of all numbers that lie whole turns from x. */
static double turned(double x, double middle, double turn)
{
    return turn > 0 ? x + turn * floor((middle - x) / turn + 0.5) : x;
}

bool georef_to_grid(const struct settings *settings, enum georef_frame from, double *points,
                    size_t count, struct fault *why)
{
    const struct crs *crs = settings_crs(settings, why);
    const double *bounds = settings->bounds;
    const double middle = (bounds[0] + bounds[2]) / 2;
    const double across = (settings->grid.columns - 1) / (bounds[2] - bounds[0]);
    const double down = (settings->grid.rows - 1) / (bounds[3] - bounds[1]);

    if (!crs)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (from == GEOREF_MERCATOR)
            mercator_to_lonlat(points + 2 * i);
        if (!(fabs(points[2 * i + 1]) <= 90) || !isfinite(points[2 * i]))
            points[2 * i] = points[2 * i + 1] = HUGE_VAL;
    }
    crs_transform(crs, true, points, count);
    for (size_t i = 0; i < count; i++) {
        double *point = points + 2 * i;

        if (!isfinite(point[0]) || !isfinite(point[1])) {
            point[0] = point[1] = NAN;
            continue;
        }
        point[0] = (turned(point[0], middle, crs->turn) - bounds[0]) * across;
        point[1] = (bounds[3] - point[1]) * down;
    }
    return true;
}

/* Grid to degrees, longitudes as PROJ gives them. */
static void grid_to_lonlat(const struct settings *settings, const struct crs *crs, double *points,
                           size_t count)
{
    const double *bounds = settings->bounds;

    for (size_t i = 0; i < count; i++) {
        const double u = points[2 * i] / (settings->grid.columns - 1);
        const double v = points[2 * i + 1] / (settings->grid.rows - 1);

        /* Each corner comes out as it was given. */
        points[2 * i] = bounds[0] * (1 - u) + bounds[2] * u;
        points[2 * i + 1] = bounds[3] * (1 - v) + bounds[1] * v;
    }
    crs_transform(crs, false, points, count);
}

/* The longitude to which that of a point is nearest: its own x where x is one, else the middle's.
 */
static double longitude_near(const struct settings *settings, const struct crs *crs, double column)
{
    double middle[2] = { (settings->grid.columns - 1) / 2.0, (settings->grid.rows - 1) / 2.0 };

    if (crs->turn > 0) {
        const double share = column / (settings->grid.columns - 1);

        return (settings->bounds[0] * (1 - share) + settings->bounds[2] * share) * 360 / crs->turn;
    }
    grid_to_lonlat(settings, crs, middle, 1);
    return middle[0];
}

bool georef_from_grid(const struct settings *settings, enum georef_frame to, double *points,
                      size_t count, struct fault *why)
{
    const struct crs *crs = settings_crs(settings, why);
    double near = 0;

    if (!crs)
        return false;
    for (size_t i = 0; i < count; i++) {
        double *point = points + 2 * i;

        if (i == 0 || crs->turn > 0)
            near = longitude_near(settings, crs, point[0]);
        grid_to_lonlat(settings, crs, point, 1);
        if (!isfinite(point[0]) || !isfinite(point[1])) {
            point[0] = point[1] = NAN;
            continue;
        }
        if (isfinite(near))
            point[0] = turned(point[0], near, 360);
        if (to == GEOREF_MERCATOR)
            lonlat_to_mercator(point);
    }
    return true;
}

double georef_turn(const struct settings *settings)
{
    struct fault why;
    const struct crs *crs = settings_crs(settings, &why);

    return crs ? crs->turn / (settings->bounds[2] - settings->bounds[0]) *
                     (settings->grid.columns - 1)
               : 0;
}

/* Points along the border, from the north-west corner round by north-east, and that corner again.
 */
static void border_points(const struct settings *settings, double *points)
{
    const double right = settings->grid.columns - 1, bottom = settings->grid.rows - 1;

    for (int i = 0; i < SIDE_POINTS; i++) {
        const double t = (double)i / SIDE_POINTS;
        const double sides[4][2] = { { t * right, 0 },
                                     { right, t * bottom },
                                     { (1 - t) * right, bottom },
                                     { 0, (1 - t) * bottom } };

        for (int side = 0; side < 4; side++)
            memcpy(points + 2 * (side * SIDE_POINTS + i), sides[side], sizeof sides[side]);
    }
    points[8 * SIDE_POINTS] = points[8 * SIDE_POINTS + 1] = 0;
}

static void begin_west(double bounds[4])
{
    const double turns = 360 * floor((bounds[0] + 180) / 360);

    bounds[0] -= turns;
    bounds[2] -= turns;
}

bool georef_lonlat_bounds(const struct settings *settings, double bounds[4], struct fault *why)
{
    double points[2 * (4 * SIDE_POINTS + 1)];
    double longitude = NAN, first = NAN;
    const struct crs *crs = settings_crs(settings, why);

    if (!crs)
        return false;
    border_points(settings, points);
    grid_to_lonlat(settings, crs, points, 4 * SIDE_POINTS + 1);
    bounds[0] = bounds[1] = INFINITY;
    bounds[2] = bounds[3] = -INFINITY;
    for (int i = 0; i <= 4 * SIDE_POINTS; i++) {
        const double *point = points + 2 * i;

        if (!isfinite(point[0]) || !isfinite(point[1]))
            continue;
        /* Followed along the border, the longitude never jumps. */
        longitude = isnan(longitude) ? point[0] : turned(point[0], longitude, 360);
        first = isnan(first) ? longitude : first;
        bounds[0] = fmin(bounds[0], longitude);
        bounds[1] = fmin(bounds[1], point[1]);
        bounds[2] = fmax(bounds[2], longitude);
        bounds[3] = fmax(bounds[3], point[1]);
    }
    if (isnan(longitude))
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "no point of the landscape's border has a longitude "
                         "and latitude: its bounds do not fit %s",
                         settings->crs);
    if (fabs(longitude - first) > 180) { /* once round a pole */
        bounds[0] = -180;
        bounds[2] = 180;
        if (bounds[1] + bounds[3] > 0)
            bounds[3] = 90;
        else
            bounds[1] = -90;
    }
    begin_west(bounds);
    return true;
}

/* A step along an axis (0 east, 1 south) at a place, in the frame's units; NaN off the world's
 * square. */
static double step_at(const struct settings *settings, enum georef_frame frame, const double at[2],
                      int axis)
{
    const double most = frame == GEOREF_MERCATOR ? M_PI * earth : 90;
    double ends[4] = { at[0], at[1], at[0], at[1] };
    struct fault why;

    ends[axis] -= 0.5;
    ends[2 + axis] += 0.5;
    if (!georef_from_grid(settings, frame, ends, 2, &why) ||
        fmax(fabs(ends[1]), fabs(ends[3])) > most)
        return NAN;
    return hypot(ends[2] - ends[0], ends[3] - ends[1]);
}

bool georef_step(const struct settings *settings, enum georef_frame frame, double *step,
                 struct fault *why)
{
    const double middle[2] = { (settings->grid.columns - 1) / 2.0,
                               (settings->grid.rows - 1) / 2.0 };

    if (!settings_crs(settings, why))
        return false;
    /* Landscapes around a pole have it in their middle, where Mercator ends and all longitudes
     * meet: then half way out. */
    for (double share = 1; share > 0.2; share /= 2) {
        const double at[2] = { middle[0] * share, middle[1] * share };

        *step = fmin(step_at(settings, frame, at, 0), step_at(settings, frame, at, 1));
        if (isfinite(*step) && *step > 0)
            return true;
    }
    return fault_set(why, FAULT_IMPOSSIBLE,
                     "the middle of the landscape lies off the "
                     "Mercator world, which ends at 85.05 degrees");
}
