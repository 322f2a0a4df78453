#include "terrain/store/checksum.h"

#include <pthread.h>
#include <string.h>

static uint32_t table[256];
static pthread_once_t tabled = PTHREAD_ONCE_INIT;

static void fill_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t sum = i;

        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0x82F63B78u : sum >> 1;
        table[i] = sum;
    }
}

uint32_t checksum_add_plain(uint32_t so_far, const void *data, size_t length)
{
    const unsigned char *bytes = data;
    uint32_t sum = ~so_far;

    pthread_once(&tabled, fill_table);
    for (size_t i = 0; i < length; i++)
        sum = table[(sum ^ bytes[i]) & 0xff] ^ sum >> 8;
    return ~sum;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t add_fast(uint32_t sum, const unsigned char *data,
                                                           size_t length)
{
    uint64_t wide = sum, word;

    for (; length >= 8; data += 8, length -= 8) {
        memcpy(&word, data, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    sum = (uint32_t)wide;
    for (; length; data++, length--)
        sum = __builtin_ia32_crc32qi(sum, *data);
    return sum;
}
#endif

uint32_t checksum_add(uint32_t so_far, const void *data, size_t length)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2"))
        return ~add_fast(~so_far, data, length);
#endif
    return checksum_add_plain(so_far, data, length);
}

uint32_t checksum_number(uint32_t so_far, uint64_t number)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    return checksum_add(so_far, bytes, sizeof bytes);
}
