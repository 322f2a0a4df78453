#include "terrain/lod/flight.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The root of how far it is: the centripetal step from knot to knot. */
static double step_between(const double a[3], const double b[3])
{
    double square = 0;

    for (int i = 0; i < 3; i++)
        square += (b[i] - a[i]) * (b[i] - a[i]);
    return sqrt(sqrt(square));
}

/* Travel by time between two keys. */
static double slope_of(const struct flight_key *key)
{
    return (key[1].travel - key[0].travel) / (key[1].time - key[0].time);
}

/* Fritsch and Butland's mean of the slopes on both sides, in Brodlie's form for unequal steps. */
static double pace_at(const struct flight_key *key)
{
    double before = key[0].time - key[-1].time, behind = key[1].time - key[0].time;
    double from = slope_of(key - 1), to = slope_of(key);
    double share = (before + 2 * behind) / (3 * (before + behind));

    return from > 0 && to > 0 ? from * to / (share * to + (1 - share) * from) : 0;
}

void flight_plan(struct flight_key *keys, size_t count)
{
    keys[0].travel = keys[0].pace = 0;
    for (size_t i = 1; i < count; i++)
        keys[i].travel = keys[i - 1].travel + step_between(keys[i - 1].at, keys[i].at);
    if (count < 2)
        return;
    for (size_t i = 1; i + 1 < count; i++)
        keys[i].pace = pace_at(&keys[i]);
    keys[0].pace = slope_of(&keys[0]);
    keys[count - 1].pace = slope_of(&keys[count - 2]);
}

/* Hermite's cubic between two keys: travel at a time. */
static double travel_at(const struct flight_key *key, double time)
{
    double step = key[1].time - key[0].time, s = (time - key[0].time) / step, r = 1 - s;
    double travel = key[0].travel * r * r * (1 + 2 * s) + key[1].travel * s * s * (1 + 2 * r) +
                    step * s * r * (key[0].pace * r - key[1].pace * s);

    return fmin(fmax(travel, key[0].travel), key[1].travel);
}

/* A knot beyond `near`, as far from it as `far` is: where there is none, or it is in the same
 * place. */
static struct flight_key mirrored(const struct flight_key *near, const struct flight_key *far)
{
    struct flight_key key = { .travel = 2 * near->travel - far->travel };

    for (int i = 0; i < 3; i++)
        key.at[i] = 2 * near->at[i] - far->at[i];
    return key;
}

/* Between two knots at their travel, or on the line beyond. */
static struct flight_key between(const struct flight_key *a, const struct flight_key *b,
                                 double begin, double end, double travel)
{
    double s = (travel - begin) / (end - begin);
    struct flight_key key = { .travel = travel };

    for (int i = 0; i < 3; i++)
        key.at[i] = (1 - s) * a->at[i] + s * b->at[i];
    return key;
}

/* Barry and Goldman's pyramid over four knots, between the two in the middle. */
static void pyramid(const struct flight_key knots[4], double travel, double at[3])
{
    struct flight_key level[3];
    double u[4];

    for (int i = 0; i < 4; i++)
        u[i] = knots[i].travel;
    for (int i = 0; i < 3; i++)
        level[i] = between(&knots[i], &knots[i + 1], u[i], u[i + 1], travel);
    for (int i = 0; i < 2; i++)
        level[i] = between(&level[i], &level[i + 1], u[i], u[i + 2], travel);
    level[0] = between(&level[0], &level[1], u[1], u[2], travel);
    memcpy(at, level[0].at, sizeof level[0].at);
}

static size_t key_before(const struct flight_key *keys, size_t count, double time)
{
    size_t low = 0, high = count - 1;

    while (high - low > 1) {
        size_t middle = (low + high) / 2;

        if (keys[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void flight_at(const struct flight_key *keys, size_t count, double time, double at[3])
{
    struct flight_key knots[4];
    size_t i;

    if (time <= keys[0].time || count < 2 || time >= keys[count - 1].time) {
        memcpy(at, keys[time <= keys[0].time ? 0 : count - 1].at, sizeof keys->at);
        return;
    }
    i = key_before(keys, count, time);
    if (keys[i].travel == keys[i + 1].travel) {
        memcpy(at, keys[i].at, sizeof keys->at);
        return;
    }
    knots[1] = keys[i];
    knots[2] = keys[i + 1];
    knots[0] =
        i > 0 && keys[i - 1].travel < keys[i].travel ? keys[i - 1] : mirrored(&knots[1], &knots[2]);
    knots[3] = i + 2 < count && keys[i + 2].travel > keys[i + 1].travel
                   ? keys[i + 2]
                   : mirrored(&knots[2], &knots[1]);
    pyramid(knots, travel_at(&keys[i], time), at);
}
