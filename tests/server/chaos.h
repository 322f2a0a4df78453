/* Harm to the renderers of a daemon with two of them, and what others ask meanwhile. */
#ifndef TESTS_SERVER_CHAOS_H
#define TESTS_SERVER_CHAOS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

#include "tests/server/harness.h"

enum { CHAOS_RENDERERS = 2 };

/* How often something is done: a hundred times with LANDSCAPED_SOAK. */
int chaos_times(int usually);

/* A landscape of 253 x 253 vertices, 60 m high in the middle. */
void chaos_hill(const struct served *served, const char *id);

bool chaos_is_picture(const struct answer *answer);
/* A failure as the API tells one, which names its kind and its reason. */
bool chaos_is_told(const struct answer *answer);

/* A signal, or 0 for hardly any more memory, to one of the renderers that are there; `which` picks
 * it. False when there is none to be harmed: one may die while it starts, too, but whether it is
 * stopped then is the business of another deadline. */
bool chaos_harm(const struct served *served, int signal, int which);

/* What everybody else asks, on a thread of its own, of that landscape, which it edits too. */
struct chaos_others {
    const struct served *served;
    const char *landscape;
    _Atomic int asked, disturbed; /* and those that failed */
    _Atomic bool ending;
    pthread_t thread;
};
void chaos_others_start(struct chaos_others *others, const struct served *served,
                        const char *landscape);
void chaos_others_stop(struct chaos_others *others);

#endif
