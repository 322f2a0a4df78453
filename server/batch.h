/* One job without a listener: `landscaped --job FILE`. */
#ifndef SERVER_BATCH_H
#define SERVER_BATCH_H

#include <signal.h>

#include "api/jobs/jobs.h"

/* Posts the body that the file holds ("-" is the standard input) and waits until the job has ended:
 * how far it is on stderr, its files' paths on stdout. A signal of the set cancels it. The exit
 * status: 0 when it is done, 1 when it has failed or was cancelled, 2 when the body was refused. */
int batch_run(struct jobs *jobs, const char *folder, const char *file, const sigset_t *signals);

#endif
