/* What is right of a number's text, told by the C library and by trying. */
#ifndef TESTS_API_NUMBER_JUDGE_H
#define TESTS_API_NUMBER_JUDGE_H

#include <stddef.h>

enum { JUDGE_ROOM = 200 };

/* number_scan of any bytes against a plain reading of the grammar and strtod: what is taken, how
 * far, and each bit of the value. NULL, or what is wrong, in `said`. */
const char *judge_read(const char *text, size_t length, char said[JUDGE_ROOM]);

/* number_print and number_print_float: they read back as the same, no text of one digit fewer does,
 * and none of as many digits lies nearer. */
const char *judge_print(double value, char said[JUDGE_ROOM]);
const char *judge_print_float(float value, char said[JUDGE_ROOM]);

#endif
