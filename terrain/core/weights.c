#include "terrain/core/weights.h"

#include <string.h>

#include "terrain/base/wide.h"

/* One vertex */

static uint32_t sum_of(const uint16_t *parts, int count)
{
    uint32_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += parts[i];
    return sum;
}

static int count_above(const uint32_t *remainders, int count, uint32_t least)
{
    int above = 0;

    for (int i = 0; i < count; i++)
        above += remainders[i] > least;
    return above;
}

/* The remainder from which on there are not more than `missing` above it, found by halves: there
 * may be hundreds, and each vertex asks. */
static uint32_t last_served(const uint32_t *remainders, int count, uint32_t most, int missing)
{
    uint32_t low = 0;

    while (low < most) {
        uint32_t middle = (low + most) / 2;

        if (count_above(remainders, count, middle) <= missing)
            most = middle;
        else
            low = middle + 1;
    }
    return most;
}

void weights_share(const uint16_t *parts, int count, uint8_t target, uint8_t *shares)
{
    uint32_t remainders[WEIGHTS_LAYERS], total = sum_of(parts, count), last;
    int at[WEIGHTS_LAYERS], some = 0, missing = target, even;

    for (int i = 0; i < count; i++) {
        uint32_t whole = parts[i] * (uint32_t)target;

        shares[i] = 0;
        if (parts[i] == 0)
            continue; /* a layer without weight is never served */
        shares[i] = (uint8_t)(whole / total);
        missing -= shares[i];
        remainders[some] = whole % total;
        at[some++] = i;
    }
    if (some == 0 || missing == 0)
        return;
    last = last_served(remainders, some, total - 1, missing);
    even = missing - count_above(remainders, some, last); /* of those who have just as much */
    for (int i = 0; i < some; i++) {
        bool served = remainders[i] > last || (remainders[i] == last && even-- > 0);

        shares[at[i]] = (uint8_t)(shares[at[i]] + served);
    }
}

/* The blended layers but `without` share the target. */
static void share_blended(uint8_t *weights, const bool *blended, int count, int without,
                          uint8_t target)
{
    uint16_t parts[WEIGHTS_LAYERS] = { 0 };
    uint8_t shares[WEIGHTS_LAYERS];

    for (int i = 0; i < count; i++)
        parts[i] = blended[i] && i != without ? weights[i] : 0;
    weights_share(parts, count, target, shares);
    for (int i = 0; i < count; i++) {
        if (blended[i] && i != without)
            weights[i] = shares[i];
    }
}

static bool any_blended(const uint8_t *weights, const bool *blended, int count, int without)
{
    for (int i = 0; i < count; i++) {
        if (blended[i] && i != without && weights[i])
            return true;
    }
    return false;
}

void weights_normalise(uint8_t *weights, const bool *blended, int count)
{
    share_blended(weights, blended, count, WEIGHTS_NONE, WEIGHT_FULL);
}

void weights_paint(uint8_t *weights, const bool *blended, int count, int layer, uint8_t asked)
{
    if (blended[layer] && !any_blended(weights, blended, count, layer))
        asked = WEIGHT_FULL;
    weights[layer] = asked;
    if (blended[layer])
        share_blended(weights, blended, count, layer, (uint8_t)(WEIGHT_FULL - asked));
}

void weights_delete(uint8_t *weights, const bool *blended, int count, int layer)
{
    weights[layer] = 0;
    if (!blended[layer])
        return;
    if (any_blended(weights, blended, count, layer)) {
        share_blended(weights, blended, count, layer, WEIGHT_FULL);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (blended[i] && i != layer) {
            weights[i] = WEIGHT_FULL;
            return;
        }
    }
}

struct dominance weights_dominance(const uint8_t *weights, int count, int skipped, uint8_t least)
{
    struct dominance found = { WEIGHTS_NONE, WEIGHTS_NONE };

    for (int i = 0; i < count; i++) {
        if (i == skipped || weights[i] == 0 || weights[i] < least)
            continue;
        if (found.first == WEIGHTS_NONE || weights[i] > weights[found.first]) {
            found.second = found.first;
            found.first = i;
        } else if (found.second == WEIGHTS_NONE || weights[i] > weights[found.second]) {
            found.second = i;
        }
    }
    return found;
}

/* Rows, a strip of vertices at a time */

enum {
    STRIP = 64,
    /* Remainders are below the sum of so many weights, and compared with their sign. */
    STRIP_SUM = WEIGHTS_FEW * WEIGHT_FULL
};
_Static_assert(STRIP_SUM <= INT16_MAX, "remainders of a strip are 16 bits");

/* The layers of a strip that are not 0 in all of it, and what they are to share. */
struct strip {
    int count, width;
    uint8_t *rows[WEIGHTS_LAYERS];
    uint16_t totals[STRIP];
    uint8_t targets[STRIP];
    uint8_t changing[STRIP]; /* 255 where shares are wanted of a total above 0, else 0 */
};

WIDE static bool row_empty(const uint8_t *row, int32_t width)
{
    uint8_t any = 0;

    for (int32_t i = 0; i < width; i++)
        any |= row[i];
    return any == 0;
}

WIDE static void add_row(const uint8_t *restrict row, int32_t width, uint16_t *restrict totals)
{
    for (int32_t i = 0; i < width; i++)
        totals[i] = (uint16_t)(totals[i] + row[i]);
}

static void strip_open(struct strip *strip, uint8_t *const *rows, int count, int32_t at,
                       int32_t width)
{
    strip->width = width < STRIP ? width : STRIP;
    strip->count = 0;
    memset(strip->totals, 0, sizeof strip->totals);
    for (int k = 0; k < count; k++) {
        if (row_empty(rows[k] + at, strip->width))
            continue;
        add_row(rows[k] + at, strip->width, strip->totals);
        strip->rows[strip->count++] = rows[k] + at;
    }
}

/* The whole shares of one layer and what remains of each, in units of the total. A quotient of
 * numbers below 2^24, rounded once, never reaches the next whole number. */
WIDE static void strip_divide(const uint8_t *restrict weights, const uint8_t *restrict targets,
                              const uint16_t *restrict totals, int16_t *restrict shares,
                              int16_t *restrict remainders, int16_t *restrict missing)
{
    for (int i = 0; i < STRIP; i++) {
        int32_t whole = weights[i] * targets[i], total = totals[i];
        int32_t share = (int32_t)((float)whole / (float)(total + (total == 0)));

        shares[i] = (int16_t)share;
        remainders[i] = (int16_t)(whole - share * total);
        missing[i] = (int16_t)(missing[i] - share);
    }
}

/* Who of two layers, the first with the lower number, is served later. */
WIDE static void strip_rank(const int16_t *restrict first, const int16_t *restrict second,
                            int16_t *restrict first_rank, int16_t *restrict second_rank)
{
    for (int i = 0; i < STRIP; i++) {
        int16_t later = second[i] > first[i];

        first_rank[i] = (int16_t)(first_rank[i] + later);
        second_rank[i] = (int16_t)(second_rank[i] + 1 - later);
    }
}

WIDE static void strip_serve(const uint8_t *restrict changing, const int16_t *restrict shares,
                             const int16_t *restrict ranks, const int16_t *restrict missing,
                             uint8_t *restrict weights)
{
    for (int i = 0; i < STRIP; i++) {
        uint8_t share = (uint8_t)(shares[i] + (ranks[i] < missing[i]));

        weights[i] = (uint8_t)((share & changing[i]) | (weights[i] & ~changing[i]));
    }
}

static void strip_share_few(struct strip *strip)
{
    int16_t shares[WEIGHTS_FEW][STRIP], remainders[WEIGHTS_FEW][STRIP];
    int16_t ranks[WEIGHTS_FEW][STRIP], missing[STRIP];
    uint8_t weights[WEIGHTS_FEW][STRIP];

    for (int i = 0; i < STRIP; i++)
        missing[i] = strip->targets[i];
    for (int k = 0; k < strip->count; k++) {
        memset(weights[k], 0, sizeof weights[k]);
        memset(ranks[k], 0, sizeof ranks[k]);
        memcpy(weights[k], strip->rows[k], (size_t)strip->width);
        strip_divide(weights[k], strip->targets, strip->totals, shares[k], remainders[k], missing);
    }
    for (int k = 1; k < strip->count; k++) {
        for (int j = 0; j < k; j++)
            strip_rank(remainders[j], remainders[k], ranks[j], ranks[k]);
    }
    for (int k = 0; k < strip->count; k++) {
        strip_serve(strip->changing, shares[k], ranks[k], missing, weights[k]);
        memcpy(strip->rows[k], weights[k], (size_t)strip->width);
    }
}

static void strip_share_many(struct strip *strip)
{
    for (int i = 0; i < strip->width; i++) {
        uint16_t parts[WEIGHTS_LAYERS];
        uint8_t shares[WEIGHTS_LAYERS];

        if (!strip->changing[i])
            continue;
        for (int k = 0; k < strip->count; k++)
            parts[k] = strip->rows[k][i];
        weights_share(parts, strip->count, strip->targets[i], shares);
        for (int k = 0; k < strip->count; k++)
            strip->rows[k][i] = shares[k];
    }
}

static void strip_share(struct strip *strip)
{
    if (row_empty(strip->changing, strip->width))
        return;
    if (strip->count <= WEIGHTS_FEW)
        strip_share_few(strip);
    else
        strip_share_many(strip);
}

/* What the layer itself takes, and what is left for the others. */
WIDE static void strip_take(int width, const uint8_t *restrict asked,
                            const uint16_t *restrict totals, uint8_t *restrict own,
                            uint8_t *restrict targets, uint8_t *restrict changing)
{
    for (int i = 0; i < width; i++) {
        uint8_t change = own[i] != asked[i] ? 255 : 0;
        uint8_t taken = totals[i] ? asked[i] : WEIGHT_FULL; /* then nothing is shared */

        changing[i] = change;
        targets[i] = (uint8_t)(WEIGHT_FULL - taken);
        own[i] = (uint8_t)((taken & change) | (own[i] & ~change));
    }
}

void weights_paint_row(uint8_t *own, const uint8_t *asked, uint8_t *const *others, int count,
                       int32_t width)
{
    struct strip strip;

    memset(strip.targets, 0, sizeof strip.targets);
    memset(strip.changing, 0, sizeof strip.changing);
    for (int32_t at = 0; at < width; at += STRIP) {
        strip_open(&strip, others, count, at, width - at);
        strip_take(strip.width, asked + at, strip.totals, own + at, strip.targets, strip.changing);
        strip_share(&strip);
    }
}

/* Who of both shares what: the given ones all of 255, or the others the rest. */
static void strips_put(struct strip *given, struct strip *others)
{
    for (int i = 0; i < STRIP; i++) {
        int32_t sum = given->totals[i], rest = sum < WEIGHT_FULL ? WEIGHT_FULL - sum : 0;
        bool alone = others->totals[i] == 0;

        given->changing[i] = sum > WEIGHT_FULL || (alone && sum > 0 && rest > 0) ? 255 : 0;
        others->changing[i] = !alone && others->totals[i] != rest ? 255 : 0;
        others->targets[i] = (uint8_t)rest;
    }
}

void weights_put_row(uint8_t *const *given, int given_count, uint8_t *const *others,
                     int others_count, int32_t width)
{
    struct strip strip, rest;

    memset(strip.targets, WEIGHT_FULL, sizeof strip.targets);
    for (int32_t at = 0; at < width; at += STRIP) {
        strip_open(&strip, given, given_count, at, width - at);
        strip_open(&rest, others, others_count, at, width - at);
        strips_put(&strip, &rest);
        strip_share(&strip);
        strip_share(&rest);
    }
}

void weights_normalise_row(uint8_t *const *rows, int count, int32_t width)
{
    struct strip strip;

    memset(strip.targets, WEIGHT_FULL, sizeof strip.targets);
    for (int32_t at = 0; at < width; at += STRIP) {
        strip_open(&strip, rows, count, at, width - at);
        for (int i = 0; i < STRIP; i++)
            strip.changing[i] = strip.totals[i] && strip.totals[i] != WEIGHT_FULL ? 255 : 0;
        strip_share(&strip);
    }
}

int32_t weights_row_odd(uint8_t *const *rows, int count, int32_t width, int32_t *sum)
{
    for (int32_t at = 0; at < width; at += STRIP) {
        int32_t here = width - at < STRIP ? width - at : STRIP;
        uint16_t totals[STRIP] = { 0 };

        for (int k = 0; k < count; k++)
            add_row(rows[k] + at, here, totals);
        for (int32_t i = 0; i < here; i++) {
            if (totals[i] && totals[i] != WEIGHT_FULL) {
                *sum = totals[i];
                return at + i;
            }
        }
    }
    return -1;
}

/* Slots */

static bool slot_used(const uint16_t *slots, int count, uint16_t slot)
{
    for (int i = 0; i < count; i++) {
        if (slots[i] == slot)
            return true;
    }
    return false;
}

void slots_take(uint16_t *slots, int count, int layer)
{
    uint16_t slot = 1;

    if (slots[layer])
        return;
    while (slot_used(slots, count, slot))
        slot++;
    slots[layer] = slot;
}

void slots_release(uint16_t *slots, int layer)
{
    slots[layer] = 0;
}

int slots_textures(const uint16_t *slots, int count)
{
    int textures = 0;

    for (int i = 0; i < count; i++) {
        if (slots[i] && slot_texture(slots[i]) + 1 > textures)
            textures = slot_texture(slots[i]) + 1;
    }
    return textures;
}
