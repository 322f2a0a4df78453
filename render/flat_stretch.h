/* A row of samples brought to the columns of pixels that lie along it. Any thread. */
#ifndef RENDER_FLAT_STRETCH_H
#define RENDER_FLAT_STRETCH_H

#include <stdbool.h>
#include <stdint.h>

struct flat_four;

struct flat_stretch {
    int32_t count;    /* pixels */
    int32_t *columns; /* of each, the sample before it, in order either way, */
    float *shares;    /* and how far beyond that it lies, 0 to 1 */
    struct flat_four *fours;
    int32_t four_count;
};

enum {
    FLAT_STRETCH_BEYOND = 8 /* floats behind the last sample that are read, whatever they are */
};

/* Room for so many; the caller fills columns and shares, and then says that it has. False when
 * memory is out; flat_stretch_fini in any case. */
bool flat_stretch_init(struct flat_stretch *stretch, int32_t count);
bool flat_stretch_settle(struct flat_stretch *stretch);
void flat_stretch_fini(struct flat_stretch *stretch);

void flat_stretch(const struct flat_stretch *stretch, const float *samples, float *pixels);

#endif
