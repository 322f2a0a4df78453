/* A checker of histories: does what clients saw of one landscape fit a register that takes its
 * writes one after another, each when it was asked for and not later than it was answered?
 *
 * The register's content is a number that is written once only; a version counts its writes from
 * first_version on. So the order is given, and all that has to be found is where those writes are
 * whose answer never came: anywhere before the crash that swallowed it, or nowhere.
 */
#ifndef TESTS_SERVER_LINEAR_H
#define TESTS_SERVER_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum linear_kind { LINEAR_READ, LINEAR_WRITE };
enum linear_outcome { LINEAR_DONE, LINEAR_REFUSED, LINEAR_UNKNOWN };

struct linear_op {
    enum linear_kind kind;
    enum linear_outcome outcome;
    double begun, ended; /* ended: of an unknown one the moment from which on it cannot happen */
    uint64_t if_match;   /* the version that it was to follow; 0 is any */
    uint64_t version;    /* that it made or read; of unknown ones 0, until it is found */
    uint32_t value;
};

/* Sorts the ops. False, with a sentence of what cannot have been, when it is not linearizable. */
bool linear_check(struct linear_op *ops, size_t count, uint64_t first_version, uint32_t first_value,
                  char wrong[256]);

#endif
