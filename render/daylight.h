/* The light of a day, from where the sun stands: what the shaders would else work out again for
 * each pixel. Colours are linear. Any thread. */
#ifndef RENDER_DAYLIGHT_H
#define RENDER_DAYLIGHT_H

struct daylight {
    float sun[3];             /* unit vector towards it, local axes */
    float sunlight[3];        /* on a surface that faces it */
    float above[3], below[3]; /* skylight on a surface that faces up, and down */
    float zenith[3], horizon[3], floor[3];
    float glow[3]; /* around the sun */
    float dusk[3]; /* at the horizon when the sun is low */
    float disc[3]; /* the sun itself; black when it is down */
    float stars;   /* how much of the stars is to be seen, 0 to 1 */
};

/* Degrees, azimuth from north clockwise; `exposure` is a factor of all but the sun's direction. */
void daylight_of(double azimuth, double elevation, double exposure, struct daylight *light);

#endif
