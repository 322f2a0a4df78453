/* One value on its way into the struct member that a row describes: the checks and the sentences
 * that JSON bodies, queries and paths share. Faults are INPUT without a place: the caller knows
 * where it is. Any thread. */
#ifndef API_MEMBER_H
#define API_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/arena.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

enum { SHAPE_FIELDS_MOST = 128 }; /* of a shape and its bases; checked by the rows test */

/* Which fields of a shape a request has given, bases first. */
struct given {
    uint64_t bits[SHAPE_FIELDS_MOST / 64];
};

struct member {
    const struct field *field;
    const struct shape *owner; /* the shape or base that lists the field */
    int index;                 /* within its owner */
    int place;                 /* bases counted */
};

/* The fields of a shape one after another, bases first: begins with a zeroed member. */
bool member_next(const struct shape *shape, struct member *member);
bool member_find(const struct shape *shape, const char *name, size_t length, struct member *member);

/* Notes that it was given; false when it had been before. */
bool member_give(const struct member *member, void *value, struct given *given);

/* An unknown member or parameter ("member", "query parameter"): names the nearest right word. */
bool member_unknown(const char *what, const char *const *words, size_t count, const char *name,
                    size_t length, struct fault *why);

/* Bytes of the field's value in its struct. */
size_t member_size(const struct field *field);

/* Fills the struct with what stands in for absent members. */
bool shape_defaults(const struct shape *shape, void *value, struct arena *arena, struct fault *why);
/* The first required field that is missing, or NULL. */
const struct field *shape_missing(const struct shape *shape, const struct given *given);

/* Whether its numbers are whole ones. */
bool member_is_whole(const struct field *field);

/* Numbers of every kind, by the row's bounds. INT and INT64 refuse fractions. */
bool member_number(const struct field *field, double number, void *to, struct fault *why);
/* One number of several, to a double or, for INTS, an int32_t. */
bool member_bounds(const struct field *field, double number, struct fault *why);
/* TEXT, NAME, CHOICE and PICK's word. */
bool member_text(const struct field *field, const char *text, size_t length, struct arena *arena,
                 void *to, struct fault *why);
/* Whether so many items fit the row. */
bool member_count(const struct field *field, size_t count, struct fault *why);
/* The index of a word among words; -1 and a fault that names the nearest. */
int word_choose(const char *const *words, const char *text, size_t length, struct fault *why);

/* With what is wrong and the nearest right one it fits a fault's sentence. */
enum { WORD_LIST_ROOM = 184 };
/* As many of the words as the room holds, with commas; no word is cut. Returns the room. */
const char *word_list(const char *const *words, size_t count, char room[WORD_LIST_ROOM]);

#endif
