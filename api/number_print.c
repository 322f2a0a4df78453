#include "api/number.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "api/number_powers.h"

/* digits 10^power */
struct decimal {
    uint64_t digits;
    int power;
};

enum { DIGITS_MOST = 17 };

/* power of ten, rounded up, times factor, over 2^128; the last bit also stands for all that lies
 * behind it. What is less than one there is the rounding up itself. */
static uint64_t times_odd(struct power ten, uint64_t factor)
{
    unsigned __int128 low = (unsigned __int128)ten.low * factor;
    unsigned __int128 all = (unsigned __int128)ten.high * factor + (uint64_t)(low >> 64);

    return (uint64_t)(all >> 64) | ((uint64_t)all > 1);
}

static struct power power_up(int e)
{
    struct power ten = *number_power(e);

    if (!number_power_exact(e)) {
        ten.low++;
        ten.high += !ten.low;
    }
    return ten;
}

/* The shortest decimal among those that read back as mantissa 2^exponent, and of them the nearest:
 * R. Giulietti, "The Schubfach way to render doubles", 2020, figure 7. uneven: the next smaller
 * number is only half as far as the next greater. The lowest digits may be zeros. */
static struct decimal shortest(uint64_t mantissa, int exponent, bool uneven)
{
    uint64_t odd = mantissa & 1;
    /* floor(log10(2^exponent)), or of 3/4 of that */
    int power = (exponent * 1262611 - (uneven ? 524031 : 0)) >> 22;
    int shift = exponent + power_log2(-power) + 1;
    struct power ten = power_up(-power);
    uint64_t lower = times_odd(ten, (4 * mantissa - 2 + uneven) << shift) + odd;
    uint64_t value = times_odd(ten, 4 * mantissa << shift);
    uint64_t upper = times_odd(ten, (4 * mantissa + 2) << shift) - odd;
    uint64_t below = value / 4;
    bool takes_below, takes_above;

    if (below >= 10) {
        uint64_t tenth = below / 10;

        takes_below = lower <= 40 * tenth;
        takes_above = 40 * tenth + 40 <= upper;
        if (takes_below != takes_above)
            return (struct decimal){ tenth + takes_above, power + 1 };
    }
    takes_below = lower <= 4 * below;
    takes_above = 4 * below + 4 <= upper;
    if (takes_below == takes_above)
        takes_above = value > 4 * below + 2 || (value == 4 * below + 2 && (below & 1));
    return (struct decimal){ below + takes_above, power };
}

/* The eight digits of a number below 10^8, one in each byte, the first in the lowest: halves, then
 * quarters, then digits, divided by multiplying. */
static uint64_t eight_digits(uint32_t number)
{
    uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t hundreds = fours * 10486 >> 20 & 0x0000007F0000007F;
    uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = twos * 103 >> 10 & 0x000F000F000F000F;

    return tens | (twos - 10 * tens) << 8;
}

#define E(zeros) UINT64_C(1##zeros)
static const uint64_t whole_tens[] = {
    E(),
    E(0),
    E(00),
    E(000),
    E(0000),
    E(00000),
    E(000000),
    E(0000000),
    E(00000000),
    E(000000000),
    E(0000000000),
    E(00000000000),
    E(000000000000),
    E(0000000000000),
    E(00000000000000),
    E(000000000000000),
    E(0000000000000000),
    E(00000000000000000),
};
#undef E

static int digits_count(uint64_t number)
{
    int guess = (64 - __builtin_clzll(number)) * 1233 >> 12;

    return guess + (number >= whole_tens[guess]);
}

/* Seventeen digits, the first apart from the sixteen behind it, which lie in a register as they
 * will in memory; zeros at the end are not counted. */
struct digits {
    char first;
    unsigned __int128 rest;
    int count;
};

static struct digits digits_make(uint64_t number, int length)
{
    uint64_t high, low;
    struct digits made;

    number *= whole_tens[DIGITS_MOST - length];
    made.first = (char)('0' + number / 10000000000000000);
    number %= 10000000000000000;
    high = eight_digits((uint32_t)(number / 100000000));
    low = eight_digits((uint32_t)(number % 100000000));
    made.count = low ? 17 - __builtin_clzll(low) / 8 : high ? 9 - __builtin_clzll(high) / 8 : 1;
    made.rest = (unsigned __int128)(low | 0x3030303030303030) << 64 | high | 0x3030303030303030;
    return made;
}

static size_t exponent_write(struct digits digits, int exponent, char *text)
{
    int size = exponent < 0 ? -exponent : exponent;
    size_t used = digits.count > 1 ? (size_t)digits.count + 1 : 1;

    text[0] = digits.first;
    text[1] = '.';
    memcpy(text + 2, &digits.rest, 16);
    text[used++] = 'e';
    text[used++] = exponent < 0 ? '-' : '+';
    if (size >= 100)
        text[used++] = (char)('0' + size / 100);
    text[used++] = (char)('0' + size / 10 % 10);
    text[used++] = (char)('0' + size % 10);
    return used;
}

/* exponent is that of the first digit. */
static size_t plain_write(struct digits digits, int exponent, char *text)
{
    unsigned __int128 whole, pointed;
    char last = (char)(digits.rest >> 120);

    if (exponent < 0) {
        memcpy(text, "0.000000", 8);
        text[1 - exponent] = digits.first;
        memcpy(text + 2 - exponent, &digits.rest, 16);
        return (size_t)(1 - exponent + digits.count);
    }
    text[0] = digits.first;
    if (exponent + 1 >= digits.count) { /* zeros that were not counted are there all the same */
        memcpy(text + 1, &digits.rest, 16);
        return (size_t)exponent + 1;
    }
    /* The point goes in while they are in the register: what was just stored is slow to load. */
    whole = ((unsigned __int128)1 << 8 * exponent) - 1;
    pointed = (digits.rest & whole) | (unsigned __int128)'.' << 8 * exponent |
              (digits.rest & ~whole) << 8;
    memcpy(text + 1, &pointed, 16);
    text[17] = last;
    return (size_t)digits.count + 1;
}

static size_t decimal_write(struct decimal decimal, char *text)
{
    int length = digits_count(decimal.digits), exponent = length - 1 + decimal.power;
    struct digits digits = digits_make(decimal.digits, length);
    int behind = digits.count - 1 - exponent;
    bool plain = exponent >= -4 ? exponent < (digits.count > 15 ? digits.count : 15) : behind <= 7;

    return plain ? plain_write(digits, exponent, text) : exponent_write(digits, exponent, text);
}

static size_t null_print(char *text)
{
    memcpy(text, "null", 5);
    return 4;
}

/* A finite number's parts: its fraction's bits, of so many, and its biased exponent. */
static size_t parts_print(bool negative, uint64_t fraction, int bits, int biased, int least,
                          char *text)
{
    uint64_t hidden = (uint64_t)1 << bits;
    size_t used = negative;

    text[0] = '-';
    used += decimal_write(
        biased ? shortest(hidden | fraction, biased - 1 + least, !fraction && biased > 1)
               : shortest(fraction, least, false),
        text + used);
    text[used] = '\0';
    return used;
}

/* Below 2^53 a whole number's own digits are the shortest: none nearby has fewer. */
static size_t whole_print(int64_t value, char *text)
{
    bool negative = value < 0;
    size_t used = negative;

    text[0] = '-';
    used +=
        decimal_write((struct decimal){ (uint64_t)(negative ? -value : value), 0 }, text + used);
    text[used] = '\0';
    return used;
}

size_t number_print(double value, char text[NUMBER_ROOM])
{
    uint64_t bits;
    int biased;

    memcpy(&bits, &value, sizeof bits);
    biased = (int)(bits >> 52 & 0x7FF);
    if (biased == 0x7FF)
        return null_print(text);
    if (value == 0) { /* also -0 */
        memcpy(text, "0", 2);
        return 1;
    }
    if (biased < 1023 + 53 && value == (double)(int64_t)value)
        return whole_print((int64_t)value, text);
    return parts_print(bits >> 63, bits & ((UINT64_C(1) << 52) - 1), 52, biased, -1074, text);
}

size_t number_print_float(float value, char text[NUMBER_ROOM])
{
    uint32_t bits;
    int biased;

    memcpy(&bits, &value, sizeof bits);
    biased = (int)(bits >> 23 & 0xFF);
    if (biased == 0xFF)
        return null_print(text);
    if (value == 0) {
        memcpy(text, "0", 2);
        return 1;
    }
    return parts_print(bits >> 31, bits & ((1u << 23) - 1), 23, biased, -149, text);
}
