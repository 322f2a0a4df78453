/* Jobs without threads: posted, worked on and disturbed by the test itself. Each fails the test
 * when something does not go as it says. */
#ifndef TESTS_API_SHOP_H
#define TESTS_API_SHOP_H

#include "tests/api/land.h"

#include "api/jobs/jobs.h"

/* Posts a body and gives the id, good until the next call. */
const char *shop_post(struct caller *caller, const char *body);
/* Works on whatever there is, until nothing waits. */
void shop_work(struct caller *caller);
/* Posts a body, works, and gives the id of a job that is done. */
const char *shop_make(struct caller *caller, const char *body);

/* Works on one job; before its unit number `unit` (counted from 0 over all batches) `disturb` is
 * called once. Units that were made, over all. */
int64_t shop_disturb(struct caller *caller, int64_t unit, void (*disturb)(struct caller *caller));

/* The same, with four threads that make units at once, in whatever order comes about. */
void shop_crowd(struct caller *caller, int64_t unit, void (*disturb)(struct caller *caller));

/* Asks for the document; its state and a count of it. */
const char *shop_state(struct caller *caller, const char *id);
int64_t shop_count(struct caller *caller, const char *id, const char *member);

/* The bytes of a result, with a zero behind them, to be freed; by its name, whose end is enough.
 * NULL when there is none. */
char *shop_result(struct caller *caller, const char *id, const char *name, size_t *length);

/* A file of a ustar archive, lent; NULL when it is not there. shop_tar_next goes over all of them:
 * begins with at 0, and ends with NULL. */
const char *shop_tar_next(const char *tar, size_t length, size_t *at, const char **data,
                          size_t *bytes);
const char *shop_tar_find(const char *tar, size_t length, const char *name, size_t *bytes);

/* How many files lie below a folder of the job's: "files" or "work"; -1 when it is not there. */
int shop_files(const struct caller *caller, const char *id, const char *folder);

#endif
