/* Jobs that may be tried twice, and those that must not be tried again. */
#include <math.h>
#include <stdio.h>

#include "terrain/worker/poison.h"
#include "terrain/worker/worker.h"

enum { DEATHS_MOST = 2 };

bool worker_trial(struct worker_trial *trial, struct fault *why)
{
    uint64_t reference = 0;
    double left = poison_left(worker_poison(trial->pool), trial->name, trial->length, &reference);

    trial->deaths = 0;
    return left <= 0 ||
           fault_set(why, FAULT_POISON,
                     "This job has killed %d helper processes and is refused for %.0f s more; its "
                     "reference is %016llx",
                     DEATHS_MOST, ceil(left), (unsigned long long)reference);
}

bool worker_trial_again(struct worker_trial *trial, struct fault *why)
{
    struct poison *poison = worker_poison(trial->pool);
    double seconds = worker_poison_seconds(trial->pool);
    uint64_t reference;
    char last[128];

    if (++trial->deaths < DEATHS_MOST)
        return true;
    reference = poison_reference(poison, trial->name, trial->length);
    poison_mark(poison, reference, seconds);
    snprintf(last, sizeof last, "%.127s", why->detail);
    return fault_set(why, FAULT_POISON,
                     "This job has killed %d helper processes, at last so: %s. It is not tried "
                     "again; its reference is %016llx",
                     DEATHS_MOST, last, (unsigned long long)reference);
}
