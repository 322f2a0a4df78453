#include "tests/terrain/dice.h"

uint32_t dice_throw(struct dice *dice)
{
    uint64_t mixed = dice->state += 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(mixed >> 32);
}

int32_t dice_between(struct dice *dice, int32_t least, int32_t most)
{
    return least + (int32_t)(dice_throw(dice) % (uint32_t)(most - least + 1));
}

double dice_real(struct dice *dice, double least, double most)
{
    return least + (most - least) * dice_throw(dice) / 4294967296.0;
}

struct rect dice_rect(struct dice *dice, int32_t columns, int32_t rows, int32_t most)
{
    struct rect rect;

    /* one after the other: C does not say in which order an initialiser's calls come */
    rect.width = dice_between(dice, 1, columns < most ? columns : most);
    rect.height = dice_between(dice, 1, rows < most ? rows : most);
    rect.x = dice_between(dice, 0, columns - rect.width);
    rect.y = dice_between(dice, 0, rows - rect.height);
    return rect;
}
