#include "api/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/number_powers.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first digit is in the first byte");

enum { DIGITS_MOST = 19 }; /* that 64 bits surely hold */

static const uint64_t whole_tens[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Eight digits, one in each byte, the first in the lowest: pairs, then fours, then all. */
static uint64_t eight_value(uint64_t eight)
{
    const uint64_t mask = 0x000000FF000000FF, fours = 0x000F424000000064,
                   lower = 0x0000271000000001;

    eight = eight * 10 + (eight >> 8);
    return ((eight & mask) * fours + (eight >> 16 & mask) * lower) >> 32;
}

/* Steps over digits and adds them to *value, which keeps 64 bits of it. Eight bytes at a time: a
 * byte that is no digit sets its high bit (and may disturb those behind it, which do not count). */
static inline const char *digits_take(const char *at, const char *end, uint64_t *value)
{
    for (;;) {
        uint64_t eight = 0, others;
        int count;

        if (end - at >= 8)
            memcpy(&eight, at, 8);
        else
            memcpy(&eight, at, (size_t)(end - at));
        eight ^= 0x3030303030303030;
        others = ((eight + 0x7676767676767676) | eight) & 0x8080808080808080;
        if (!others) {
            *value = *value * 100000000 + eight_value(eight);
            at += 8;
            continue;
        }
        count = __builtin_ctzll(others) / 8;
        if (count)
            *value = *value * whole_tens[count] + eight_value(eight << (64 - 8 * count));
        return at + count;
    }
}

/* whole 10^power, rounded once; false when that cannot be told by 128 bits of the power. After D.
 * Lemire, "Number parsing at a gigabyte per second", 2021, but for how certainty is come by: the
 * product lies in an interval, and both its ends must round alike. */
static bool product_round(uint64_t whole, int power, double *value)
{
    unsigned __int128 upper, lower, bits;
    const struct power *ten;
    int lead, length, log2, shift;
    bool exact, half;
    uint64_t low, mantissa;

    *value = 0;
    if (!whole || power < POWER_LEAST)
        return true;
    if (power > 308) {
        *value = INFINITY;
        return true;
    }
    lead = __builtin_clzll(whole);
    whole <<= lead;
    ten = number_power(power);
    exact = number_power_exact(power);
    lower = (unsigned __int128)whole * ten->low;
    upper = (unsigned __int128)whole * ten->high + (uint64_t)(lower >> 64);
    low = (uint64_t)lower; /* the product is upper 2^64 + low, and less than whole more */
    length = upper >> 127 ? 128 : 127;
    log2 = length - 64 - lead + power_log2(power);
    shift = length - 53 + (log2 < -1022 ? -1022 - log2 : 0);
    if (shift > length)
        return true;
    mantissa = shift < 128 ? (uint64_t)(upper >> shift) : 0;
    half = upper >> (shift - 1) & 1;
    bits = upper & (((unsigned __int128)1 << (shift - 1)) - 1);
    if (!exact && low + whole < low && bits + 1 == (unsigned __int128)1 << (shift - 1))
        return false;
    mantissa += half && (bits || !exact || low || (mantissa & 1));
    if (log2 >= -1022)
        mantissa += (uint64_t)(log2 + 1022) << 52;
    if (mantissa >= UINT64_C(0x7FF) << 52)
        mantissa = UINT64_C(0x7FF) << 52;
    memcpy(value, &mantissa, sizeof *value);
    return true;
}

/* The last resort, for the few that lie on the middle of two doubles or too near it. */
static double text_value(const char *at, const char *end)
{
    char copy[NUMBER_LENGTH_MOST + 1];

    memcpy(copy, at, (size_t)(end - at));
    copy[end - at] = '\0';
    return fabs(strtod(copy, NULL));
}

/* More digits than fit: the first 19 and one more in the last place have the value between them. */
static double long_value(const char *at, const char *last, int power, const char *end)
{
    uint64_t digits = 0;
    double below, above;
    int count = 0;

    for (const char *c = at + (*at == '-'); c < last; c++) {
        if (*c == '.')
            continue;
        if (count < DIGITS_MOST)
            digits = digits * 10 + (uint64_t)(*c - '0');
        count += count > 0 || *c != '0';
    }
    if (count <= DIGITS_MOST)
        return product_round(digits, power, &below) ? below : text_value(at, end);
    power += count - DIGITS_MOST;
    return product_round(digits, power, &below) && product_round(digits + 1, power, &above) &&
                   below == above
               ? below
               : text_value(at, end);
}

/* Steps over e±digits; NULL when they are not that. The exponent is added, and bounded. */
static const char *exponent_take(const char *at, const char *end, int *power)
{
    bool negative = false;
    int exponent = 0;

    at++;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (at == end || !is_digit(*at))
        return NULL;
    for (; at < end && is_digit(*at); at++)
        if (exponent < 10000)
            exponent = exponent * 10 + (*at - '0');
    *power += negative ? -exponent : exponent;
    return at;
}

static double signed_value(double value, bool negative)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits |= (uint64_t)negative << 63;
    memcpy(&value, &bits, sizeof value);
    return value;
}

const char *number_scan(const char *at, const char *end, double *value)
{
    static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    bool negative = at < end && *at == '-';
    const char *begin = at, *whole = at + negative, *point, *last;
    uint64_t digits = 0;
    int power = 0, decimals = 0;

    last = point = digits_take(whole, end, &digits);
    if (point == whole)
        return NULL;
    if (*whole == '0' && point > whole + 1) { /* the number is the 0 alone */
        *value = signed_value(0, negative);
        return whole + 1;
    }
    if (point < end && *point == '.') {
        last = digits_take(point + 1, end, &digits);
        decimals = (int)(last - point - 1);
        if (!decimals)
            return NULL;
    }
    at = last;
    if (at < end && (*at | 32) == 'e') {
        at = exponent_take(at, end, &power);
        if (!at)
            return NULL;
    }
    if (at - begin > NUMBER_LENGTH_MOST) {
        *value = signed_value(INFINITY, negative);
        return at;
    }
    /* Up to 53 bits and a power up to 22 are doubles: one rounding (W. Clinger, "How to read
     * floating point numbers accurately", 1990). */
    if (last - whole <= DIGITS_MOST + (decimals > 0)) {
        power -= decimals;
        if (digits <= UINT64_C(1) << 53 && power <= 0 && power >= -22)
            *value = (double)digits / tens[-power];
        else if (digits <= UINT64_C(1) << 53 && power > 0 && power <= 22)
            *value = (double)digits * tens[power];
        else if (!product_round(digits, power, value))
            *value = text_value(begin, at);
    } else {
        *value = long_value(begin, last, power - decimals, at);
    }
    *value = signed_value(*value, negative);
    return at;
}

bool number_read(const char *text, size_t length, double *value)
{
    const char *end = text + length;

    return number_scan(text, end, value) == end && isfinite(*value);
}
