/* From a request's path to the rows that answer it. Built once; then any thread. */
#ifndef API_ROUTE_H
#define API_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/endpoint.h"
#include "api/query.h"

struct routes;

enum { ROUTE_VALUES_MOST = 8, ROUTE_METHODS_MOST = 8, ROUTE_DEPTH_MOST = 16 };

/* One path: its rows by method, and what its members were. */
struct route {
    const struct endpoint *rows[ROUTE_METHODS_MOST];
    size_t row_count;
    struct path_value values[ROUTE_VALUES_MOST];
    size_t value_count;
};

/* Fails with INTERNAL when two rows have the same method and path. */
struct routes *routes_new(const struct endpoint *const *rows, size_t count, struct fault *why);
void routes_free(struct routes *routes);

/* Path: as it was sent, without the query. Segments are decoded one by one, after the cut. Fails
 * with MISSING when there is no such path and with INPUT when a segment cannot be decoded or hides
 * a '/'. */
bool route_find(const struct routes *routes, const char *path, size_t length, struct arena *arena,
                struct route *route, struct fault *why);

/* The row of a method; HEAD is GET's. NULL when there is none. */
const struct endpoint *route_row(const struct route *route, const char *method);

/* "GET, HEAD, OPTIONS": for Allow. */
enum { ALLOW_ROOM = 80 };
const char *route_allow(const struct route *route, char allow[ALLOW_ROOM]);

#endif
