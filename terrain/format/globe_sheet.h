/* A tile's samples laid over the landscape like a sheet, flat on both sides of each square's
 * diagonal from north-west to south-east; and how far the ground below lies off it. */
#ifndef TERRAIN_FORMAT_GLOBE_SHEET_H
#define TERRAIN_FORMAT_GLOBE_SHEET_H

#include "terrain/core/view.h"
#include "terrain/format/globe.h"

struct globe_sheet {
    const struct view *view;
    const struct globe_look *look;
    int32_t side, across; /* squares, and samples */
    const double *z;      /* metres above the ellipsoid */
    double (*at)[2];      /* column and row of each sample; NaN where it has no place */
    double *raise;        /* what each sample was raised by */
    double bend[2];       /* columns and rows that a triangle's inside lies off, at most */
};

/* Metres, never too few: by the least and greatest ground below squares of the sheet. Of those
 * where the bound is worst it quarters so many that it comes near what is so, at the cost of a few
 * thousand summaries. Fails with MEMORY. */
bool globe_sheet_bound(const struct globe_sheet *sheet, double *metres, struct fault *why);

#endif
