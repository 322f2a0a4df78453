/* What requests tell the mode of a picture: its part of struct drawing. Any thread. */
#ifndef API_PICTURES_SHOWING_H
#define API_PICTURES_SHOWING_H

#include "api/pictures/drawing.h"

/* Fails with INPUT, placed at the member, for an option that the mode does not look at, one that it
 * needs and that is not given, and a range that runs down; with MISSING for a paint layer that
 * there is not. */
bool showing_take(struct request *rq, const struct view *view, const struct drawing *drawing,
                  struct picture *picture);

/* The picture with the version open that it compares with, if it does and has not got it yet;
 * *before is to be dropped. Fails as landscape_view_at does. */
bool showing_open(struct request *rq, struct picture *picture, struct view **before);

#endif
