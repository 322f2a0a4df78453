#include "api/number_powers.h"

struct power number_powers[POWER_MOST - POWER_LEAST + 1];

/* A whole number of 1088 bits, the least word first: 5^324 has 753, and of 2^1087 / 5^342 there are
 * 293 left. */
enum { WORDS = 34 };

/* The first 128 bits, the first of all set; the number has as many. */
static struct power top_bits(const uint32_t *words)
{
    unsigned __int128 top = 0;
    int last = WORDS - 1, lead;

    while (last > 0 && !words[last])
        last--;
    for (int i = last; i > last - 4; i--)
        top = top << 32 | (i >= 0 ? words[i] : 0);
    lead = __builtin_clz(words[last]);
    if (lead)
        top = top << lead | (last >= 4 ? words[last - 4] >> (32 - lead) : 0);
    return (struct power){ (uint64_t)(top >> 64), (uint64_t)top };
}

static void times_five(uint32_t *words)
{
    uint64_t carry = 0;

    for (int i = 0; i < WORDS; i++) {
        carry += (uint64_t)words[i] * 5;
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* Rounded down; rounding down again and again is rounding down once. */
static void by_five(uint32_t *words)
{
    uint64_t rest = 0;

    for (int i = WORDS - 1; i >= 0; i--) {
        rest = rest << 32 | words[i];
        words[i] = (uint32_t)(rest / 5);
        rest %= 5;
    }
}

/* The bits of 10^e are those of 5^e. */
__attribute__((constructor)) static void powers_make(void)
{
    uint32_t up[WORDS] = { 1 }, down[WORDS] = { 0 };

    down[WORDS - 1] = 0x80000000u;
    for (int e = 0; e <= POWER_MOST; e++) {
        number_powers[e - POWER_LEAST] = top_bits(up);
        times_five(up);
    }
    for (int e = -1; e >= POWER_LEAST; e--) {
        by_five(down);
        number_powers[e - POWER_LEAST] = top_bits(down);
    }
}
