#include "terrain/lod/pick.h"

#include <stdlib.h>

void picks_free(struct picks *picks)
{
    free(picks->patches);
    *picks = (struct picks){ 0 };
}
