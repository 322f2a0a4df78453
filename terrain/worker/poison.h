/* Jobs that have killed two helper processes, remembered for a while. Any thread. */
#ifndef TERRAIN_WORKER_POISON_H
#define TERRAIN_WORKER_POISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "terrain/base/fault.h"

struct poison;
struct worker_pool;

struct poison *poison_new(void);
void poison_free(struct poison *poison);

/* The job's reference: what it is called in answers and logs. Never 0. */
uint64_t poison_reference(const struct poison *poison, const void *name, size_t length);

/* The oldest of 64 marks is forgotten for a new one. */
void poison_mark(struct poison *poison, uint64_t reference, double seconds);

/* How many seconds the job is still refused; 0 when it is not. Costs nothing while there are no
 * marks. */
double poison_left(struct poison *poison, const void *name, size_t length, uint64_t *reference);

int64_t poison_count(struct poison *poison); /* marks ever made */

/* Of the pool, for its trials. */
struct poison *worker_poison(struct worker_pool *pool);
double worker_poison_seconds(const struct worker_pool *pool);

#endif
