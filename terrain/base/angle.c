#include "terrain/base/angle.h"

#include <math.h>

#include "terrain/base/wide.h"

#define PI          3.14159265358979323846
#define TANGENT_22  0.41421356237309504880     /* of 22.5 degrees */
#define TANGENT_11  0.19891236737965800691     /* of 11.25 degrees */
#define TANGENT_34  0.66817863791929891999     /* of 33.75 degrees */
#define HALF_PI_TOP 1.57079632673412561417     /* the first 33 bits of half a circle's half, … */
#define HALF_PI_LOW 6.07710050650619224932e-11 /* … and what follows them */

/* Sine and cosine of at most a quarter of pi, by their series. */
static double sine_near(double x)
{
    double square = x * x, sum = 0;

    for (int i = 17; i >= 3; i -= 2)
        sum = (1 + sum) * -square / (i * (i - 1));
    return x + x * sum;
}

static double cosine_near(double x)
{
    double square = x * x, sum = 0;

    for (int i = 18; i >= 2; i -= 2)
        sum = (1 + sum) * -square / (i * (i - 1));
    return 1 + sum;
}

/* The sine `quarters` right angles beyond x. */
static double sine_turned(double x, double quarters)
{
    if (!(fabs(quarters) < 1e15)) /* NaN too: turns can no longer be told apart */
        return NAN;
    switch ((int)(quarters - 4 * floor(quarters / 4))) {
    case 0:
        return sine_near(x);
    case 1:
        return cosine_near(x);
    case 2:
        return -sine_near(x);
    default:
        return -cosine_near(x);
    }
}

static double degrees_turned(double degrees, double ahead)
{
    double quarters = floor(degrees / 90 + 0.5);

    return sine_turned((degrees - 90 * quarters) * (PI / 180), quarters + ahead);
}

double angle_sin(double degrees)
{
    return degrees_turned(degrees, 0);
}

double angle_cos(double degrees)
{
    return degrees_turned(degrees, 1);
}

static double radians_turned(double radians, double ahead)
{
    double quarters = floor(radians / (PI / 2) + 0.5);

    return sine_turned(radians - quarters * HALF_PI_TOP - quarters * HALF_PI_LOW, quarters + ahead);
}

double circle_sin(double radians)
{
    return radians_turned(radians, 0);
}

double circle_cos(double radians)
{
    return radians_turned(radians, 1);
}

/* Tangents are brought to at most that of 11.25 degrees by turning back 90, 45 or 22.5. */
WIDE void angles_of_tangents(int32_t count, const double *tangents, double *degrees)
{
    for (int32_t i = 0; i < count; i++) {
        double t = tangents[i], small = t > 1 ? 1 / t : t;
        double back = small > TANGENT_34 ? 1 : small > TANGENT_11 ? TANGENT_22 : 0;
        double turned = small > TANGENT_34 ? 45 : small > TANGENT_11 ? 22.5 : 0;
        double x = (small - back) / (1 + small * back), square = x * x, sum = 1.0 / 25;
        double angle;

        sum = 1.0 / 23 - square * sum;
        sum = 1.0 / 21 - square * sum;
        sum = 1.0 / 19 - square * sum;
        sum = 1.0 / 17 - square * sum;
        sum = 1.0 / 15 - square * sum;
        sum = 1.0 / 13 - square * sum;
        sum = 1.0 / 11 - square * sum;
        sum = 1.0 / 9 - square * sum;
        sum = 1.0 / 7 - square * sum;
        sum = 1.0 / 5 - square * sum;
        sum = 1.0 / 3 - square * sum;
        sum = 1 - square * sum;
        angle = turned + x * sum * (180 / PI);
        degrees[i] = t > 1 ? 90 - angle : angle;
    }
}

double angle_of_tangent(double tangent)
{
    double degrees;

    angles_of_tangents(1, &tangent, &degrees);
    return degrees;
}

double angle_compass(double east, double south)
{
    double across = fabs(east), down = fabs(south), angle;

    if (across == 0 && down == 0)
        return 0;
    angle = down > 0 ? angle_of_tangent(across / down) : 90; /* from the axis of north and south */
    if (south > 0)
        angle = 180 - angle;
    if (east >= 0)
        return angle;
    return angle > 0 ? 360 - angle : 0;
}
