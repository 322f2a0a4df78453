/* For tests of single tools: ops on one region or dab, what comes of them, and recounts. */
#ifndef TESTS_TERRAIN_TOOLING_H
#define TESTS_TERRAIN_TOOLING_H

#include "terrain/edit/brush.h"
#include "tests/terrain/ground.h"
#include "tests/terrain/ops.h"

/* With the rows' defaults; the test ends without them. */
struct op *tool_on_region(const char *tool, struct rect region);
struct op *tool_on_dab(const char *tool, double x, double y, double radius);

/* The view after the op, or NULL and why; sources may be NULL. The view and the op given stay. */
struct view *tool_tried(const struct view *view, const struct op *op, const struct sources *sources,
                        struct fault *why);

/* These free the op. The view after it; that it is refused so, at that place. */
struct view *tool_done(const struct view *view, struct op *op, const struct sources *sources);
void tool_refused(const struct view *view, struct op *op, enum fault_code code, const char *place);

/* The force of a region or of a single dab; how every computed height comes to rest. */
double tool_force(const struct op *op, const struct view *view, int32_t x, int32_t y);
int32_t tool_rested(double code);

/* What a tool should make of one vertex, given that f says how strongly it acts; and that the op,
 * which is freed, makes that of all vertices with a force, and nothing of the others. */
typedef double tool_expect(const struct view *before, const struct op *op, int32_t x, int32_t y,
                           double f);
void tool_assert(const struct view *before, struct op *op, const struct sources *sources,
                 tool_expect *expected);

/* The reference's hash, and gradient noise at a position counted in cells. */
uint32_t tool_hash(uint32_t x, uint32_t y, uint32_t seed);
double tool_noise(double x, double y, uint32_t seed);

#endif
