#include "tests/server/crash_ground.h"

struct view *crash_ground_new(void)
{
    struct layout layout = { { 16, 8 }, 1, 63 };
    struct settings *settings = settings_new(&layout);

    return settings ? view_new(&settings, 0, 1, 1000) : NULL;
}

struct rect crash_ground_square(int writer, int which)
{
    return (struct rect){ 10 + writer * 60, which ? 365 : 110, CRASH_SIDE, CRASH_SIDE };
}

int32_t crash_ground_height(const struct view *view, int writer)
{
    uint16_t heights[CRASH_SIDE * CRASH_SIDE], first = 0;

    for (int which = 0; which < 2; which++) {
        view_read_heights(view, crash_ground_square(writer, which), heights, CRASH_SIDE);
        if (which == 0)
            first = heights[0];
        for (int i = 0; i < CRASH_SIDE * CRASH_SIDE; i++)
            if (heights[i] != first)
                return -1;
    }
    return first;
}
