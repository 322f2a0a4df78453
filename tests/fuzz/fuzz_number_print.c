/* The bits of doubles and floats, printed: back again, none shorter, none nearer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/api/number_judge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    char said[JUDGE_ROOM];

    for (size_t i = 0; i + 8 <= length; i += 8) {
        double value;
        float single;

        memcpy(&value, data + i, sizeof value);
        memcpy(&single, data + i, sizeof single);
        if (judge_print(value, said) || judge_print_float(single, said)) {
            fprintf(stderr, "%s\n", said);
            abort();
        }
    }
    return 0;
}
