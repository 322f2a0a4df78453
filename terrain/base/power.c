#include "terrain/base/power.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define LOG_2_TOP  6.93147180369123816490e-01 /* the first 33 bits of log 2, … */
#define LOG_2_LOW  1.90821492927058770002e-10 /* … and what follows them */
#define ROOT_2     1.41421356237309504880
#define WHOLE_MOST 1024

/* 2 to a power that a double's exponent can say. */
static double two_to(int power)
{
    uint64_t bits = (uint64_t)(power + 1023) << 52;
    double number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

double power_exp(double x)
{
    double twos = floor(x / (LOG_2_TOP + LOG_2_LOW) + 0.5), rest, sum = 0;
    int power;

    if (!(x < 710)) /* NaN too */
        return x + (x > 0 ? INFINITY : 0);
    if (x < -746)
        return 0;
    rest = x - twos * LOG_2_TOP - twos * LOG_2_LOW;
    for (int i = 16; i >= 1; i--)
        sum = (1 + sum) * rest / i;
    power = (int)twos;
    /* in two steps, so that the largest and the smallest results can be told */
    return (1 + sum) * two_to(power / 2) * two_to(power - power / 2);
}

/* x = mantissa * 2^power, the mantissa from half the root of 2 to that root. */
static double mantissa_of(double x, int *power)
{
    uint64_t bits;
    int more = 0;

    if (x < 1e-300) { /* too small to have all of its bits */
        x *= two_to(60);
        more = -60;
    }
    memcpy(&bits, &x, sizeof bits);
    *power = (int)(bits >> 52) - 1023 + more;
    bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
    memcpy(&x, &bits, sizeof x);
    if (x > ROOT_2) {
        x /= 2;
        ++*power;
    }
    return x;
}

double power_log(double x)
{
    double s, square, sum = 0;
    int power;

    if (!(x > 0))
        return x == 0 ? -INFINITY : NAN;
    if (x == INFINITY)
        return x;
    x = mantissa_of(x, &power);
    s = (x - 1) / (x + 1);
    square = s * s;
    for (int i = 25; i >= 3; i -= 2)
        sum = (1.0 / i + sum) * square;
    return power * LOG_2_TOP + (power * LOG_2_LOW + 2 * (s + s * sum));
}

static double whole_power(double x, int exponent)
{
    double product = 1;

    for (int left = exponent < 0 ? -exponent : exponent; left; left >>= 1) {
        if (left & 1)
            product *= x;
        x *= x;
    }
    return exponent < 0 ? 1 / product : product;
}

double power_of(double x, double exponent)
{
    if (exponent == floor(exponent) && fabs(exponent) <= WHOLE_MOST)
        return whole_power(x, (int)exponent);
    if (exponent == 0.5)
        return sqrt(x);
    if (x == 0)
        return exponent > 0 ? 0 : exponent < 0 ? INFINITY : NAN;
    return power_exp(exponent * power_log(x));
}
