/* For programs that link fault_io.c instead of preloading it. One thread. */
#ifndef TESTS_SERVER_FAULT_IO_H
#define TESTS_SERVER_FAULT_IO_H

#include <stdbool.h>

/* Of the writes and flushes from now on, the nth (1 is the next) fails once with that error; 0
 * is none. */
void fault_io_nth(int nth, int error);
/* Whether it has. */
bool fault_io_happened(void);

#endif
