/* Is the process alive? */
#include "api/endpoint.h"

struct health {
    const char *status;
};

static const struct field answers[] = { FIELD(struct health, status, NULL, 0, 0, "Always \"ok\""),
                                        { .kind = FIELD_END } };

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct health *health = answer;

    (void)rq, (void)asked;
    health->status = "ok";
    return true;
}

const struct endpoint endpoint_get_healthz = {
    .method = "GET",
    .path = "/healthz",
    .summary = "Is the process alive?",
    .example_path = "/healthz",
    .scope = SCOPE_OPEN,
    .unversioned = true,
    .answers = SHAPE(struct health, answers),
    .run = run,
};
