/* The thread for what nobody waits for: landscapes load, blocks are written back. */
#ifndef SERVER_KEEPER_H
#define SERVER_KEEPER_H

#include <stdbool.h>

#include "terrain/base/fault.h"
#include "terrain/landscape.h"

struct keeper;

bool keeper_start(struct landscapes *landscapes, struct keeper **keeper, struct fault *why);
void keeper_stop(struct keeper *keeper);

#endif
