/* What requests tell the mode of a picture: that part of struct drawing. Any thread. */
#ifndef API_PICTURES_SHOWING_H
#define API_PICTURES_SHOWING_H

#include "api/pictures/drawing.h"

/* What a request may say of its mode, besides its name: the rows of a struct with members of the
 * names, and the types, that struct drawing has. */
#define SHOWING_ROWS(asks)                                                                         \
    FIELD_AS(FIELD_CHOICE, asks, ramp,                                                             \
             "The colours of a mode that colours by numbers; auto is the mode's own",              \
             .words = ramp_choices, .has_value = true, .value = 0),                                \
        FIELD_AS(FIELD_REALS, asks, range,                                                         \
                 "The numbers that have the first and the last of those colours; without it the "  \
                 "landscape's, or what the mode has",                                              \
                 .count = 2, .least = -1e9, .greatest = 1e9),                                      \
        FIELD(asks, interval, "m", 0, 1e5,                                                         \
              "Between contours; without it the least of 1, 2, 5, … that suits the picture"),      \
        FIELD_AS(FIELD_NAME, asks, layer, "The paint layer that the mode layer shows"),            \
        FIELD(asks, against, NULL, 1, 9007199254740992.0,                                          \
              "The version with which the mode diff compares"),                                    \
        FIELD(asks, mip, NULL, -1, 16,                                                             \
              "Of the collision heightfield that the mode collision shows; -1 is the landscape's " \
              "own, "                                                                              \
              "or 1 where that is 0",                                                              \
              .has_value = true, .value = -1),                                                     \
        FIELD(asks, multidirectional, NULL, 0, 0, "Hillshade with light from several sides")

/* Fails with INPUT, placed at the member, for an option that the mode does not look at, one that it
 * needs and that is not given, and a range that runs down; with MISSING for a paint layer that
 * there is not. */
bool showing_take(struct request *rq, const struct view *view, const struct drawing *drawing,
                  struct picture *picture);

/* The picture with the version open that it compares with, if it does and has not got it yet;
 * *before is to be dropped. Fails as landscape_view_at does. */
bool showing_open(struct request *rq, struct picture *picture, struct view **before);

#endif
