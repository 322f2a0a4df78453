/* Long lists of nothing but numbers, from JSON's text straight into the items of a list: points,
 * numbers, and objects whose members are numbers and positions.
 *
 * Only what is surely right is read, by a grammar that is JSON's but for what is rare (nulls,
 * escapes in names, numbers out of bounds): where anything else begins, the general reader goes on,
 * and says what is wrong with it. Any thread. */
#ifndef API_JSON_BULK_H
#define API_JSON_BULK_H

#include <stdbool.h>
#include <stddef.h>

#include "terrain/base/executor.h"
#include "terrain/base/field.h"

enum { BULK_MEMBERS_MOST = 16 };

/* How one item of a list is read. */
struct bulk_plan {
    char opening, closing; /* of an item; 0 for bare numbers */
    int numbers;           /* of a point; 0 for objects */
    size_t size;
    size_t member_count;
    const struct field *members[BULK_MEMBERS_MOST];
    size_t name_lengths[BULK_MEMBERS_MOST];
    unsigned required;  /* bit i: members[i] */
    const void *absent; /* an object without members */
};

/* Makes the plan of a list's items; false when they are not of that kind. absent has room for one
 * item of the shape of a LIST, with its members' defaults, and is lent to the plan. */
bool bulk_plan(const struct field *field, const void *absent, struct bulk_plan *plan);

enum bulk_end {
    BULK_FULL,   /* no room is left, and at an item */
    BULK_CLOSED, /* at the list's closing bracket */
    BULK_STOP,   /* at an item, where it was to stop */
    BULK_OTHER   /* at an item for the general reader */
};

/* Reads from an item on; stop may be NULL. count grows; at moves. */
struct bulk {
    const struct bulk_plan *plan;
    const char *at, *end, *stop;
    char *items; /* of room items, their bytes set or not */
    size_t count, room;
};
enum bulk_end bulk_read(struct bulk *bulk);

/* Whether what is left is long enough to be read in pieces. */
bool bulk_long(const struct bulk *bulk, const struct executor *executor);

/* A long list at once, in pieces: first how many items it has at most, told by the brackets, so
 * that room can be found for all; then their reading, which does as bulk_read. */
enum { BULK_PIECES_MOST = 256 };
struct bulk_split {
    const struct executor *executor;
    size_t pieces;
    struct bulk parts[BULK_PIECES_MOST];
    enum bulk_end ends[BULK_PIECES_MOST];
};
size_t bulk_split_count(struct bulk_split *split, const struct bulk *bulk,
                        const struct executor *executor);
enum bulk_end bulk_split_read(struct bulk_split *split, struct bulk *bulk);

#endif
