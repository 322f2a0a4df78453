/* WIDE before a function's definition: compiled once more for the wider vectors that most
 * x86-64 machines have, and chosen when the program starts. The same bits either way, as
 * products and sums are never contracted. Where there is no such choice, and where it would come
 * before a sanitizer is ready, it means nothing. */
#ifndef TERRAIN_BASE_WIDE_H
#define TERRAIN_BASE_WIDE_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) &&                      \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WIDE
#endif

#endif
