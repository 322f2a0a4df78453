#include "tests/terrain/ray_dice.h"

#include <math.h>
#include <string.h>

/* While it is made, a ray's z is in codes above level zero. */
struct making {
    struct dice *dice;
    const struct ray_ground *ground;
    double o[3], d[3], reach;
};

static double code(const struct ray_ground *ground, int32_t x, int32_t y)
{
    return ground->heights[(int64_t)y * ground->columns + x] - 32768.0;
}

/* A multiple of a 16th. */
static double sixteenths(struct dice *dice, double least, double most)
{
    return floor(dice_real(dice, least, most) * 16) / 16;
}

static void vertex(struct making *making, double at[3])
{
    int32_t x = dice_between(making->dice, 0, making->ground->columns - 1);
    int32_t y = dice_between(making->dice, 0, making->ground->rows - 1);

    at[0] = x;
    at[1] = y;
    at[2] = code(making->ground, x, y);
}

/* The ends of an edge: east, south or diagonal. */
static void edge(struct making *making, double a[3], double b[3])
{
    int32_t x = dice_between(making->dice, 0, making->ground->columns - 2);
    int32_t y = dice_between(making->dice, 0, making->ground->rows - 2);
    int way = dice_between(making->dice, 1, 3);

    a[0] = x;
    a[1] = y;
    a[2] = code(making->ground, x, y);
    b[0] = x + (way & 1);
    b[1] = y + (way >> 1);
    b[2] = code(making->ground, x + (way & 1), y + (way >> 1));
}

static void on_edge(struct making *making, double at[3])
{
    double a[3], b[3], share = dice_between(making->dice, 0, 8) / 8.0;

    edge(making, a, b);
    for (int k = 0; k < 3; k++)
        at[k] = a[k] + share * (b[k] - a[k]);
}

static void anywhere(struct making *making, double at[3])
{
    const struct ray_ground *ground = making->ground;

    at[0] = dice_real(making->dice, -0.2 * ground->columns, 1.2 * ground->columns);
    at[1] = dice_real(making->dice, -0.2 * ground->rows, 1.2 * ground->rows);
    vertex(making, making->d);
    at[2] = making->d[2] + dice_real(making->dice, -3000, 3000);
}

static void round_place(struct making *making, double at[3])
{
    anywhere(making, at);
    for (int k = 0; k < 3; k++)
        at[k] = floor(at[k] * 16) / 16;
}

static void aim(struct making *making, const double at[3])
{
    for (int k = 0; k < 3; k++)
        making->d[k] = at[k] - making->o[k];
}

static void random_way(struct making *making)
{
    making->d[0] = dice_real(making->dice, -1, 1);
    making->d[1] = dice_real(making->dice, -1, 1);
    making->d[2] = dice_real(making->dice, -1, 1) * pow(10, dice_between(making->dice, -2, 3));
}

/* One of eight ways on the grid. */
static void grid_way(struct making *making)
{
    static const int ways[8][2] = { { 1, 0 }, { 0, 1 },   { -1, 0 }, { 0, -1 },
                                    { 1, 1 }, { -1, -1 }, { 1, -1 }, { -1, 1 } };
    int way = dice_between(making->dice, 0, 7);

    making->d[0] = ways[way][0];
    making->d[1] = ways[way][1];
    making->d[2] = dice_between(making->dice, -4, 4);
    if (dice_between(making->dice, 0, 3) == 0)
        making->d[2] = 0;
}

static void round_reach(struct making *making)
{
    static const double reaches[] = { 0.5, 1, 1, 2, 8, INFINITY, INFINITY };

    making->reach = reaches[dice_between(making->dice, 0, 6)];
}

/* In the plane of a triangle, to the last bit. */
static void in_plane(struct making *making)
{
    int32_t x = dice_between(making->dice, 0, making->ground->columns - 2);
    int32_t y = dice_between(making->dice, 0, making->ground->rows - 2);
    bool south_west = dice_between(making->dice, 0, 1);
    double nw = code(making->ground, x, y), se = code(making->ground, x + 1, y + 1);
    double side = code(making->ground, x + !south_west, y + south_west);
    double east = south_west ? se - side : side - nw, south = south_west ? side - nw : se - side;
    double px = sixteenths(making->dice, -2, 3), py = sixteenths(making->dice, -2, 3);

    making->o[0] = x + px;
    making->o[1] = y + py;
    making->o[2] = nw + east * px + south * py;
    making->d[0] = dice_between(making->dice, -3, 3);
    making->d[1] = dice_between(making->dice, -3, 3);
    making->d[2] = east * making->d[0] + south * making->d[1];
}

static void along_edge(struct making *making)
{
    double a[3], b[3], back = dice_between(making->dice, -1, 2) / 2.0;

    edge(making, a, b);
    for (int k = 0; k < 3; k++) {
        making->d[k] = b[k] - a[k];
        making->o[k] = a[k] - back * making->d[k];
    }
    if (dice_between(making->dice, 0, 1))
        for (int k = 0; k < 3; k++)
            making->d[k] = -making->d[k];
}

static void on_border(struct making *making)
{
    int axis = dice_between(making->dice, 0, 1);
    int32_t last = (axis ? making->ground->rows : making->ground->columns) - 1;

    round_place(making, making->o);
    grid_way(making);
    making->o[axis] = dice_between(making->dice, 0, 1) ? last : 0;
    if (dice_between(making->dice, 0, 1))
        making->d[axis] = 0;
    if (dice_between(making->dice, 0, 7) == 0)
        making->o[axis] = making->o[axis] > 0
                              ? nextafter(last, dice_between(making->dice, 0, 1) ? 1e9 : 0)
                              : dice_between(making->dice, -1, 1) * 0x1p-100;
}

static void upright(struct making *making)
{
    making->d[0] = making->d[1] = 0;
    switch (dice_between(making->dice, 0, 3)) {
    case 0:
        vertex(making, making->o);
        break;
    case 1:
        on_edge(making, making->o);
        break;
    case 2:
        round_place(making, making->o);
        break;
    default:
        anywhere(making, making->o);
    }
    if (dice_between(making->dice, 0, 2))
        making->o[2] += dice_between(making->dice, -20, 20) * 100;
    making->d[0] = making->d[1] = 0;
    making->d[2] = dice_between(making->dice, 0, 1) ? 1 : -1;
    making->reach =
        dice_between(making->dice, 0, 1) ? INFINITY : 100 * dice_between(making->dice, 0, 20);
}

static void spoil(struct making *making)
{
    static const double bad[] = { NAN, INFINITY, -INFINITY };
    double worse = bad[dice_between(making->dice, 0, 2)];

    anywhere(making, making->o);
    random_way(making);
    switch (dice_between(making->dice, 0, 3)) {
    case 0:
        making->o[dice_between(making->dice, 0, 2)] = worse;
        break;
    case 1:
        making->d[dice_between(making->dice, 0, 2)] = worse;
        break;
    case 2:
        making->d[0] = making->d[1] = making->d[2] = 0;
        break;
    default:
        making->reach = dice_between(making->dice, 0, 1) ? -1 : NAN;
    }
}

/* To the ground from far away. */
static void from_afar(struct making *making, double far)
{
    double at[3];

    random_way(making);
    for (int k = 0; k < 3; k++)
        making->o[k] = making->d[k] * far;
    if (dice_between(making->dice, 0, 1))
        vertex(making, at);
    else
        on_edge(making, at);
    aim(making, at);
}

static void scale_way(struct making *making, double by)
{
    for (int k = 0; k < 3; k++)
        making->d[k] *= by;
    making->reach /= by;
}

struct ray ray_dice(struct dice *dice, const struct ray_ground *ground, int kind)
{
    struct making making = { .dice = dice, .ground = ground, .reach = INFINITY };
    const struct grid *grid = &ground->grid;
    double at[3];
    struct ray ray;

    switch (kind) {
    case 0:
        anywhere(&making, making.o);
        random_way(&making);
        making.reach = dice_between(dice, 0, 1) ? INFINITY : dice_real(dice, 0, 50);
        break;
    case 1: /* on the grid */
        round_place(&making, making.o);
        for (int k = 0; k < 2; k++)
            making.o[k] = floor(making.o[k] * 2) / 2;
        grid_way(&making);
        round_reach(&making);
        break;
    case 2: /* level with a vertex, on the grid */
        vertex(&making, making.o);
        grid_way(&making);
        making.d[2] = 0;
        for (int k = 0; k < 2; k++)
            making.o[k] -= making.d[k] * dice_between(dice, 0, 20);
        round_reach(&making);
        making.reach *= 10;
        break;
    case 3:
        round_place(&making, making.o);
        vertex(&making, at);
        aim(&making, at);
        round_reach(&making);
        break;
    case 4:
        round_place(&making, making.o);
        on_edge(&making, at);
        aim(&making, at);
        round_reach(&making);
        break;
    case 5:
        along_edge(&making);
        round_reach(&making);
        break;
    case 6:
        in_plane(&making);
        round_reach(&making);
        break;
    case 7:
        on_border(&making);
        round_reach(&making);
        break;
    case 8: /* from beneath */
        anywhere(&making, making.o);
        making.o[2] = -40000;
        vertex(&making, at);
        aim(&making, at);
        making.d[0] *= 0.9;
        break;
    case 9:
        upright(&making);
        break;
    case 10: /* from the ground itself */
        on_edge(&making, making.o);
        random_way(&making);
        making.reach = dice_between(dice, 0, 1) ? 0 : dice_real(dice, 0, 3);
        break;
    case 11:
        spoil(&making);
        break;
    case 12:
        from_afar(&making, dice_between(dice, 0, 1) ? 1e6 : 1e9);
        break;
    case 13:
        round_place(&making, making.o);
        on_edge(&making, at);
        aim(&making, at);
        round_reach(&making);
        scale_way(&making, dice_between(dice, 0, 1) ? 1e-20 : 0x1p-60);
        break;
    case 14: /* nearly, but not quite */
        round_place(&making, making.o);
        vertex(&making, at);
        aim(&making, at);
        for (int k = 0; k < 3; k++)
            if (making.d[k] != 0 && dice_between(dice, 0, 1))
                making.d[k] = nextafter(making.d[k], dice_between(dice, 0, 1) ? 1e9 : -1e9);
        break;
    default: /* nearly upright, nearly along an axis */
        round_place(&making, making.o);
        grid_way(&making);
        making.d[dice_between(dice, 0, 2)] *= 1e-17;
        making.d[dice_between(dice, 0, 2)] *= 1e-9;
        break;
    }
    for (int k = 0; k < 2; k++) {
        ray.from[k] = making.o[k];
        ray.along[k] = making.d[k];
    }
    ray.from[2] = making.o[2] / 128 * grid->scale[2] + grid->origin[2];
    ray.along[2] = making.d[2] / 128 * grid->scale[2];
    ray.reach = making.reach;
    return ray;
}

static uint16_t height(struct dice *dice, int kind, int32_t x, int32_t y)
{
    switch (kind) {
    case 0:
        return (uint16_t)(30000 + x * 7 + y * 3 + (int32_t)(dice_throw(dice) % 2048));
    case 1:
        return 32768 + 500;
    case 2:
        return (uint16_t)(32768 + 300 * ((x / 5 + y / 3) % 4));
    case 3:
        return dice_throw(dice) % 2 ? 65535 : 0;
    case 4:
        return (uint16_t)(20000 + 64 * x + 32 * y);
    default:
        return (uint16_t)(32768 + dice_throw(dice) % 3);
    }
}

void ray_dice_heights(struct dice *dice, int kind, int32_t columns, int32_t rows, uint16_t *heights)
{
    for (int32_t y = 0; y < rows; y++)
        for (int32_t x = 0; x < columns; x++)
            heights[(int64_t)y * columns + x] = height(dice, kind, x, y);
}
