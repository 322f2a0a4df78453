/* A smooth way through places at times: what a camera's eye, or what it looks at, follows.
 *
 * The way between the places is a centripetal Catmull-Rom spline: C. Yuksel, S. Schaefer and
 * J. Keyser, "Parameterization and applications of Catmull-Rom curves", Computer-Aided Design 43
 * (2011), which show that it has no loops or cusps within a piece; evaluated as P. Barry and
 * R. Goldman do, "A recursive evaluation algorithm for a class of Catmull-Rom splines", SIGGRAPH
 * 1988. How far along it one is at a time is a monotone cubic: F. Fritsch and J. Butland, "A method
 * for constructing local monotone piecewise cubic interpolants", SIAM J. Sci. Stat. Comput. 5
 * (1984). So each place is passed at its time, the velocity is continuous, and nobody goes back on
 * his way; between two equal places he stands still. Any thread.
 */
#ifndef TERRAIN_LOD_FLIGHT_H
#define TERRAIN_LOD_FLIGHT_H

#include <stddef.h>

struct flight_key {
    double at[3];  /* metres */
    double time;   /* seconds, growing from key to key */
    double travel; /* filled by flight_plan: how far along the way, in roots of metres, */
    double pace;   /* and how fast */
};

/* Of one key at least. */
void flight_plan(struct flight_key *keys, size_t count);
/* Where one is then; before the first key and behind the last one stands there. */
void flight_at(const struct flight_key *keys, size_t count, double time, double at[3]);

#endif
