#include "tests/terrain/ray_judge.h"

#include <math.h>
#include <string.h>

/* Two's complement, least word first; a number of the ray has UNIT bits behind the point. */
enum { WORDS = 12, UNIT = 205 };

struct wide {
    uint64_t word[WORDS];
};

__extension__ typedef unsigned __int128 pair;

static struct wide wide_add(struct wide a, struct wide b)
{
    pair carry = 0;

    for (int i = 0; i < WORDS; i++) {
        carry += (pair)a.word[i] + b.word[i];
        a.word[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return a;
}

static struct wide wide_negative(struct wide a)
{
    struct wide one = { { 1 } };

    for (int i = 0; i < WORDS; i++)
        a.word[i] = ~a.word[i];
    return wide_add(a, one);
}

static struct wide wide_less(struct wide a, struct wide b)
{
    return wide_add(a, wide_negative(b));
}

static int wide_sign(const struct wide *a)
{
    if (a->word[WORDS - 1] >> 63)
        return -1;
    for (int i = 0; i < WORDS; i++)
        if (a->word[i])
            return 1;
    return 0;
}

/* A small number's product, and one of any two. */
static struct wide wide_scaled(const struct wide *a, int64_t by)
{
    const uint64_t size = by < 0 ? -(uint64_t)by : (uint64_t)by;
    struct wide product;
    uint64_t carry = 0;

    /* The words of a negative number multiply as the number does, but for what overflows. */
    for (int i = 0; i < WORDS; i++) {
        pair sum = (pair)a->word[i] * size + carry;

        product.word[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
    return by < 0 ? wide_negative(product) : product;
}

static int wide_words(const struct wide *a)
{
    int words = WORDS;

    while (words > 0 && !a->word[words - 1])
        words--;
    return words;
}

static struct wide wide_times(struct wide a, struct wide b)
{
    const bool minus_a = a.word[WORDS - 1] >> 63, minus_b = b.word[WORDS - 1] >> 63;
    struct wide product = { { 0 } };
    int words;

    if (minus_a)
        a = wide_negative(a);
    if (minus_b)
        b = wide_negative(b);
    words = wide_words(&b);
    for (int i = 0, end = wide_words(&a); i < end; i++) {
        uint64_t carry = 0;

        for (int k = 0; k < words && i + k < WORDS; k++) {
            pair sum = (pair)a.word[i] * b.word[k] + product.word[i + k] + carry;

            product.word[i + k] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        if (i + words < WORDS)
            product.word[i + words] = carry;
    }
    return minus_a != minus_b ? wide_negative(product) : product;
}

static struct wide wide_int(int64_t value)
{
    struct wide wide;

    for (int i = 0; i < WORDS; i++)
        wide.word[i] = value < 0 ? UINT64_MAX : 0;
    wide.word[0] = (uint64_t)value;
    return wide;
}

static struct wide wide_up(struct wide a, int bits)
{
    struct wide up = { { 0 } };

    for (int i = bits / 64; i < WORDS; i++) {
        up.word[i] = a.word[i - bits / 64] << bits % 64;
        if (bits % 64 && i > bits / 64)
            up.word[i] |= a.word[i - bits / 64 - 1] >> (64 - bits % 64);
    }
    return up;
}

/* All of the double's bits are above 2^-UNIT. */
static struct wide wide_of(double value)
{
    int exponent;
    double part = frexp(value, &exponent);
    int64_t mantissa = (int64_t)(part * 0x1p53);
    int shift = exponent - 53 + UNIT;

    while (shift < 0) {
        mantissa /= 2;
        shift++;
    }
    return wide_up(wide_int(mantissa), shift);
}

static long double wide_real(struct wide a)
{
    int negative = wide_sign(&a) < 0;
    long double real = 0;

    if (negative)
        a = wide_negative(a);
    for (int i = WORDS - 1; i >= 0; i--)
        real = real * 0x1p64L + (long double)a.word[i];
    return negative ? -real : real;
}

struct line {
    double o[3], d[3], reach;
    struct wide from[3], along[3], end;
};

/* t = over / under, the first with UNIT bits behind the point, as has the other; under > 0. */
struct moment {
    struct wide over, under;
};

static int moment_order(const struct moment *a, const struct moment *b)
{
    struct wide less = wide_less(wide_times(a->over, b->under), wide_times(b->over, a->under));

    return wide_sign(&less);
}

static bool in_reach(const struct line *line, const struct moment *at)
{
    struct wide rest;

    if (isinf(line->reach))
        return true;
    rest = wide_less(wide_times(line->end, at->under), wide_up(at->over, UNIT));
    return wide_sign(&rest) >= 0;
}

static struct wide dot(const int64_t v[3], const struct wide w[3])
{
    struct wide sum = { { 0 } };

    for (int k = 0; k < 3; k++)
        sum = wide_add(sum, wide_scaled(&w[k], v[k]));
    return sum;
}

/* a x b of whole vectors, which are small. */
static void cross(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void cross_wide(const struct wide a[3], const int64_t b[3], struct wide out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = wide_less(wide_scaled(&a[(k + 1) % 3], b[(k + 2) % 3]),
                           wide_scaled(&a[(k + 2) % 3], b[(k + 1) % 3]));
}

/* The part of a segment within the triangle when it lies in its plane: clipped by each side, seen
 * from above, the corners being counted round so that the inside is to the right (y goes down). */
static bool in_plane(const struct line *line, const int64_t corner[3][3], struct moment *at)
{
    struct moment last = { wide_int(0), wide_int(0) };
    bool bounded = false;

    at->over = wide_int(0);
    at->under = wide_up(wide_int(1), UNIT);
    for (int k = 0; k < 3; k++) {
        const int64_t *a = corner[k], *b = corner[(k + 1) % 3];
        const int64_t side[2] = { b[0] - a[0], b[1] - a[1] };
        struct wide x = wide_less(line->from[0], wide_up(wide_int(a[0]), UNIT));
        struct wide y = wide_less(line->from[1], wide_up(wide_int(a[1]), UNIT));
        struct wide here = wide_less(wide_scaled(&y, side[0]), wide_scaled(&x, side[1]));
        struct wide step =
            wide_less(wide_scaled(&line->along[1], side[0]), wide_scaled(&line->along[0], side[1]));
        int way = wide_sign(&step);
        struct moment crossing;

        if (way == 0) {
            if (wide_sign(&here) < 0)
                return false;
            continue;
        }
        crossing.over = way > 0 ? wide_negative(here) : here;
        crossing.under = way > 0 ? step : wide_negative(step);
        if (way > 0 && moment_order(&crossing, at) > 0)
            *at = crossing;
        if (way < 0 && (!bounded || moment_order(&crossing, &last) < 0)) {
            last = crossing;
            bounded = true;
        }
    }
    return (!bounded || moment_order(at, &last) <= 0) && in_reach(line, at);
}

static bool meets(const struct line *line, const int64_t corner[3][3], struct moment *at, int *side)
{
    int64_t e1[3], e2[3], normal[3];
    struct wide h[3], s[3], q[3], det, u, v, rest, t;

    for (int k = 0; k < 3; k++) {
        e1[k] = corner[1][k] - corner[0][k];
        e2[k] = corner[2][k] - corner[0][k];
        s[k] = wide_less(line->from[k], wide_up(wide_int(corner[0][k]), UNIT));
    }
    cross(e1, e2, normal);
    cross_wide(line->along, e2, h);
    det = dot(e1, h);
    rest = dot(normal, line->along);
    *side = normal[2] > 0 ? wide_sign(&rest) : -wide_sign(&rest);
    if (wide_sign(&det) == 0) {
        rest = dot(normal, s);
        return wide_sign(&rest) == 0 && in_plane(line, corner, at);
    }
    cross_wide(s, e1, q);
    u = v = wide_int(0);
    for (int k = 0; k < 3; k++) {
        u = wide_add(u, wide_times(s[k], h[k]));
        v = wide_add(v, wide_times(line->along[k], q[k]));
    }
    t = dot(e2, q);
    if (wide_sign(&det) < 0) {
        u = wide_negative(u);
        v = wide_negative(v);
        t = wide_negative(t);
        det = wide_negative(det);
    }
    rest = wide_less(wide_up(det, UNIT), wide_add(u, v));
    at->over = t;
    at->under = det;
    return wide_sign(&u) >= 0 && wide_sign(&v) >= 0 && wide_sign(&rest) >= 0 &&
           wide_sign(&t) >= 0 && in_reach(line, at);
}

/* The part of the ray between two values of a coordinate, with much room: half a quad, and a
 * millionth of what the numbers are. False when there is none. */
static bool between(const struct line *line, int k, double low, double high, double part[2])
{
    const double o = line->o[k], d = line->d[k], slack = 0.5 + 1e-6 * fabs(o);
    const double a = low - slack - o, b = high + slack - o;

    if (d == 0)
        return a <= 0 && b >= 0;
    part[0] = fmax(part[0], fmin(a / d, b / d) * (1 - 1e-9));
    part[1] = fmin(part[1], fmax(a / d, b / d) * (1 + 1e-9));
    return part[0] * (1 - 1e-9) <= part[1] * (1 + 1e-9) + 1e-300;
}

/* The quads of a row that the ray is anywhere near: from the first to before the last. */
static bool near_row(const struct line *line, int32_t row, int32_t across, int32_t range[2])
{
    double part[2] = { 0, line->reach }, a, b, slack;

    range[0] = 0;
    range[1] = across;
    if (!between(line, 1, row, row + 1, part) || !between(line, 0, 0, across, part))
        return false;
    a = line->o[0] + part[0] * line->d[0];
    b = line->o[0] + part[1] * line->d[0];
    slack = 2 + 1e-6 * (fabs(line->o[0]) + fabs(a) + fabs(b));
    if (fmin(a, b) - slack > 0)
        range[0] = fmin(a, b) - slack < across ? (int32_t)(fmin(a, b) - slack) : across;
    if (fmax(a, b) + slack < across)
        range[1] = fmax(a, b) + slack > 0 ? (int32_t)(fmax(a, b) + slack) + 1 : 0;
    return true;
}

static bool is_near(const struct line *line, int32_t i, int32_t j, const int64_t z[4])
{
    double low = fmin(fmin((double)z[0], (double)z[1]), fmin((double)z[2], (double)z[3]));
    double high = fmax(fmax((double)z[0], (double)z[1]), fmax((double)z[2], (double)z[3]));
    double part[2] = { 0, line->reach };

    return between(line, 0, i, i + 1, part) && between(line, 1, j, j + 1, part) &&
           between(line, 2, low, high, part);
}

/* Whether a place of the ray is over the landscape: as the clipping of a ray in a plane, of two
 * triangles that make up the rectangle. */
static bool over(const struct line *line, int64_t width, int64_t height)
{
    const int64_t corners[4][3] = {
        { 0, 0, 0 }, { width, 0, 0 }, { width, height, 0 }, { 0, height, 0 }
    };
    struct moment at;

    for (int half = 0; half < 2; half++) {
        int64_t triangle[3][3];

        memcpy(triangle[0], corners[0], sizeof corners[0]);
        memcpy(triangle[1], corners[1 + half], sizeof corners[0]);
        memcpy(triangle[2], corners[2 + half], sizeof corners[0]);
        if (in_plane(line, (const int64_t(*)[3])triangle, &at))
            return true;
    }
    return false;
}

static bool line_init(struct line *line, const struct grid *grid, const struct ray *ray)
{
    memcpy(line->o, ray->from, sizeof line->o);
    memcpy(line->d, ray->along, sizeof line->d);
    line->o[2] = (ray->from[2] - grid->origin[2]) / grid->scale[2] * 128;
    line->d[2] = ray->along[2] / grid->scale[2] * 128;
    line->reach = ray->reach;
    for (int k = 0; k < 3; k++) {
        if (!isfinite(line->o[k]) || !isfinite(line->d[k]))
            return false;
        line->from[k] = wide_of(line->o[k]);
        line->along[k] = wide_of(line->d[k]);
    }
    if (!(ray->reach >= 0) || (line->d[0] == 0 && line->d[1] == 0 && line->d[2] == 0))
        return false;
    if (!isinf(ray->reach))
        line->end = wide_of(ray->reach);
    return true;
}

/* What has been found so far. */
struct finding {
    const struct ray_ground *ground;
    const struct line *line;
    bool ignore_holes, met, over_hole;
    struct moment first;
    struct ray_verdict verdict;
};

static void judge_quad(struct finding *finding, int32_t i, int32_t j)
{
    const struct ray_ground *ground = finding->ground;
    const int64_t quad = (int64_t)j * (ground->columns - 1) + i;
    const uint16_t *h = ground->heights + (int64_t)j * ground->columns + i;
    const int64_t z[4] = { h[0] - 32768, h[1] - 32768, h[ground->columns] - 32768,
                           h[ground->columns + 1] - 32768 };
    const int64_t corner[2][3][3] = {
        { { i, j, z[0] }, { i + 1, j, z[1] }, { i + 1, j + 1, z[3] } },
        { { i, j, z[0] }, { i + 1, j + 1, z[3] }, { i, j + 1, z[2] } }
    };
    const bool hole = ground->holes && ground->holes[quad] && !finding->ignore_holes;

    if (!is_near(finding->line, i, j, z))
        return;
    for (int k = 0; k < 2; k++) {
        struct moment at;
        int side;

        if (!meets(finding->line, corner[k], &at, &side))
            continue;
        finding->over_hole |= hole;
        if (hole || (finding->met && moment_order(&at, &finding->first) >= 0))
            continue;
        finding->met = true;
        finding->first = at;
        finding->verdict.triangle = 2 * quad + k;
        finding->verdict.back = side > 0;
    }
}

struct ray_verdict ray_judge(const struct ray_ground *ground, const struct ray *ray,
                             bool ignore_holes)
{
    struct line line;
    struct finding finding = { .ground = ground, .line = &line, .ignore_holes = ignore_holes };
    struct ray_verdict *verdict = &finding.verdict;

    verdict->status = RAY_WRONG;
    if (!line_init(&line, &ground->grid, ray))
        return *verdict;
    for (int32_t j = 0; j < ground->rows - 1; j++) {
        int32_t range[2];

        for (int32_t i = near_row(&line, j, ground->columns - 1, range) ? range[0] : range[1];
             i < range[1]; i++)
            judge_quad(&finding, i, j);
    }
    verdict->status = RAY_MISS;
    if (finding.met) {
        verdict->status = RAY_HIT;
        verdict->t = (double)(wide_real(finding.first.over) / wide_real(finding.first.under));
    } else if (finding.over_hole) {
        verdict->status = RAY_HOLE;
    } else if (!over(&line, ground->columns - 1, ground->rows - 1)) {
        verdict->status = RAY_OUTSIDE;
    }
    return *verdict;
}
