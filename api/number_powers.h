/* The first 128 bits of the powers of ten, worked out before main begins. Any thread. */
#ifndef API_NUMBER_POWERS_H
#define API_NUMBER_POWERS_H

#include <stdbool.h>
#include <stdint.h>

/* All that a double can need: 10^-342 of 19 digits still rounds to something, and the printer
 * divides by the least one. */
enum { POWER_LEAST = -342, POWER_MOST = 324, POWER_EXACT_MOST = 55 };

/* 10^e is at least (high 2^64 + low) 2^(power_log2(e) - 127), and less than with one more; it is
 * just that for e from 0 to POWER_EXACT_MOST. The first bit of high is set. */
struct power {
    uint64_t high, low;
};
extern struct power number_powers[POWER_MOST - POWER_LEAST + 1];

static inline const struct power *number_power(int e)
{
    return &number_powers[e - POWER_LEAST];
}

static inline bool number_power_exact(int e)
{
    return e >= 0 && e <= POWER_EXACT_MOST;
}

/* floor(log2(10^e)); exact for |e| <= 1233. */
static inline int power_log2(int e)
{
    return (e * 1741647) >> 19;
}

#endif
