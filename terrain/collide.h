/* Collision and queries of libterrain: what a program that holds a landscape asks of its ground.
 *
 *   how high, which way it faces      collide_surface, collide_heights    query/collide.h
 *   what a line meets first           ray_cast                            query/ray.h
 *   what a moving sphere touches      sweep_spheres                       query/sweep.h
 *   what a box or sphere stands in    overlap_boxes, overlap_spheres      query/overlap.h
 *   where the ground is nearest       nearest_places                      query/nearest.h
 *   what can be seen from where       line_of_sight_look                  query/line_of_sight.h
 *   what a path runs over             profile_even, profile_exact         query/profile.h
 *   steepness, facing, bending        landform                            query/landform.h
 *   what a physics engine loads       collision                           query/collision.h
 *   heights, areas, volumes           statistics_of                       query/statistics.h
 *   what two versions differ by       earthwork_of                        query/earthwork.h
 *   what is seen from a place         viewshed_see                        query/viewshed.h
 *   where water runs                  flow_trace, flow_accumulate         query/flow.h
 *
 * All ask a view (core/view.h): one version of a landscape, which never changes while it is held,
 * so answers of one view agree however long they take and whatever is edited meanwhile. The ground
 * is one surface everywhere, the triangles of LOD 0: every quad is split along the diagonal from
 * its north-west to its south-east vertex, and one that is a hole has none. Positions are grid x
 * (columns, east) and y (rows, south) with metres upwards; distances and radii are metres; normals
 * are unit vectors in local axes. grid_from_local and grid_to_local (core/grid.h) convert.
 *
 * Nothing here starts a thread, opens a file or prints. Every function may be called from any
 * thread at any time; batches split themselves over whatever executor (base/executor.h) they are
 * given. What can fail says so by false or NULL and a fault (base/fault.h).
 * tests/installed/game_server.c is a whole program that does all this.
 */
#ifndef TERRAIN_COLLIDE_H
#define TERRAIN_COLLIDE_H

#include "terrain/query/collide.h"
#include "terrain/query/collision.h"
#include "terrain/query/earthwork.h"
#include "terrain/query/flow.h"
#include "terrain/query/landform.h"
#include "terrain/query/line_of_sight.h"
#include "terrain/query/nearest.h"
#include "terrain/query/overlap.h"
#include "terrain/query/profile.h"
#include "terrain/query/ray.h"
#include "terrain/query/statistics.h"
#include "terrain/query/sweep.h"
#include "terrain/query/viewshed.h"

#endif
