/* What the views of a job have in common. Any thread. */
#ifndef API_JOBS_SHOTS_SHARE_H
#define API_JOBS_SHOTS_SHARE_H

#include "api/jobs/shots.h"

/* Each of the views takes on the members of the common one that its own text does not name. */
bool shots_share(struct job_plan *plan, struct shots_asked *asked, struct fault *why);

#endif
