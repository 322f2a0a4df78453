/* A fuzzer's entry, and how its corpus is replayed without one: each file as it is, and a few
 * hundred times damaged by a generator that always goes the same way. */
#ifndef TESTS_FORMAT_REPLAY_H
#define TESTS_FORMAT_REPLAY_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Folders below tests/ whose files are the corpus; ends with NULL. */
extern const char *const replay_folders[];

#endif
