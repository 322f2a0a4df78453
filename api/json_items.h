/* The items of a list while it is read: room for them, how many there may be, and those that can be
 * read in bulk. One thread at a time. */
#ifndef API_JSON_ITEMS_H
#define API_JSON_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/json_bulk.h"
#include "api/json_scan.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

struct items {
    const struct field *field;
    char *items; /* in the scan's arena */
    size_t count, room, size;
    size_t most;           /* by the row, and by the server's limit that it names */
    bool planned;          /* they are nothing but numbers, */
    struct bulk_plan plan; /* and are read so */
};

/* Behind the list's opening bracket. Fails with MEMORY. */
bool items_begin(struct items *items, struct scan *scan, const struct field *field,
                 struct fault *why);

/* At an item. Takes as many as can be taken in bulk; then *item is zeroed room for the one that is
 * left to the caller, or NULL at the list's end. Fails with MEMORY, and with INPUT or LIMIT at the
 * first item too many. */
bool items_next(struct items *items, struct scan *scan, void **item, struct fault *why);

#endif
