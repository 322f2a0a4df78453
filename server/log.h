/* Lines on stderr: one JSON object or one key=value line each. Any thread. */
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <stdbool.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR };
extern const char *const log_levels[];  /* ends with NULL */
extern const char *const log_formats[]; /* text, json */

/* Before any thread. */
void log_setup(enum log_level least, bool json);

/* One line with time, level and event, then pairs of a key and its value; NULL ends them. A key's
 * first two letters say the value's type: "s:" const char * (NULL leaves it out), "i:" int64_t,
 * "f:" double: log_line(LOG_INFO, "request", "s:method", "GET", "i:status", (int64_t)200, NULL); */
void log_line(enum log_level level, const char *event, ...) __attribute__((sentinel));
bool log_wanted(enum log_level level);

/* Between these, lines below warning may wait for the next log_tick, a tenth of a second at most:
 * with many requests one write serves many lines. */
void log_gather(bool on);
void log_tick(void);

#endif
