/* Any bytes as a number, against a plain reading of the grammar and strtod. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/api/number_judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    char said[JUDGE_ROOM];

    if (judge_read((const char *)data, length, said)) {
        fprintf(stderr, "%s\n", said);
        abort();
    }
    return 0;
}
