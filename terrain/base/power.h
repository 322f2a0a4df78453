/* Exponential, logarithm and power, the same to the bit on every machine. Within a few units of the
 * last place, powers beyond whole exponents within 1e-12 of the right value times the exponent's
 * size. Source: the series of e^x and of the area tangent, arguments brought near 0 by powers of
 * two. Any thread. */
#ifndef TERRAIN_BASE_POWER_H
#define TERRAIN_BASE_POWER_H

double power_exp(double x);

/* Natural: of 0 it is -INFINITY, below NaN. */
double power_log(double x);

/* Whole exponents up to 1024 by multiplying, also of negative numbers; others of those are NaN. */
double power_of(double x, double exponent);

#endif
