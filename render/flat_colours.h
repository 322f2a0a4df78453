/* The colours of the modes in C, as the shaders of the same modes give them. Any thread. */
#ifndef RENDER_FLAT_COLOURS_H
#define RENDER_FLAT_COLOURS_H

#include "render/flat_row.h"

/* By the mode's ramp: of metres, of degrees of slope, of 1/m, of a weight, of metres between two
 * versions. */
flat_colour flat_height, flat_slope, flat_curvature, flat_layer, flat_diff;

/* By the compass: colours fade into gray as the ground flattens, so level ground is gray. */
flat_colour flat_aspect;

/* Gray, white where it faces the light; of one sun, or of several. */
flat_colour flat_hillshade;

/* Brown lines on pale paper, every fifth stronger; see flat_contours.c. */
flat_colour flat_contours;

/* Metres between contours, where nothing else is asked: the least of 1, 2, 5, … of which the
 * landscape has no more than 25. */
double flat_interval(double low, double high);

flat_colour flat_normals, flat_layers;

#endif
