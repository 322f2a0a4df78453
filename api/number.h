/* Numbers as JSON writes them, and back: one reader and one printer for all texts. Any thread. */
#ifndef API_NUMBER_H
#define API_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_LENGTH_MOST = 64, NUMBER_ROOM = 40 };

/* The number that begins at `at`, by JSON's grammar and rounded to the nearest double (ties to
 * even), however many digits it has. Returns where it ends; NULL when none begins there. What is
 * beyond double, or longer than NUMBER_LENGTH_MOST characters, is infinite. */
const char *number_scan(const char *at, const char *end, double *value);

/* The same of a text that is one finite number and nothing else. */
bool number_read(const char *text, size_t length, double *value);

/* The shortest text that reads back as the same double (of several, the one nearest to it), null
 * for NaN and infinities; its length, behind which stands a NUL. All of the room may be written.
 * Plain from 1e-4 up to 15 digits or as many as there are, and with 7 decimals at most; otherwise
 * with an exponent. -0 is 0. */
size_t number_print(double value, char text[NUMBER_ROOM]);

/* The same of a float: the shortest that reads back as the same float. */
size_t number_print_float(float value, char text[NUMBER_ROOM]);

#endif
