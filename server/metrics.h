/* Numbers about what this process does, as Prometheus reads them. Any thread. */
#ifndef SERVER_METRICS_H
#define SERVER_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "api/endpoint.h"
#include "api/service.h"

struct workers;
struct reaper;
struct events;

/* Where the numbers of /metrics come from; NULL members are left out. Before any thread. */
void metrics_setup(struct workers *workers, struct reaper *reaper, struct events *events);

/* One answered request; row is NULL for those that had none. */
void metrics_request(const struct endpoint *row, int status, int64_t nanoseconds, uint64_t bytes);

/* service.print_metrics */
bool metrics_print(const struct service *service, struct bytes *to, struct fault *why);

#endif
