/* The executor of the core's large works: as many threads as there are processors lend a hand to
 * whoever has pieces to run. The caller works too, so a busy splitter only means less help. */
#ifndef SERVER_SPLITTER_H
#define SERVER_SPLITTER_H

#include "terrain/base/executor.h"
#include "terrain/base/fault.h"

struct splitter;

/* niceness: of its threads, 0 is as everybody. */
bool splitter_start(int threads, int niceness, struct splitter **splitter, struct fault *why);
void splitter_stop(struct splitter *splitter);
const struct executor *splitter_executor(const struct splitter *splitter);

#endif
