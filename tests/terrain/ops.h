/* Ops for tests: a brush's parameters, filled through its rows. */
#ifndef TESTS_TERRAIN_OPS_H
#define TESTS_TERRAIN_OPS_H

#include "terrain/base/arena.h"
#include "terrain/core/settings.h"
#include "terrain/edit/brush.h"
#include "tests/terrain/dice.h"

struct op {
    struct variant variant; /* as brush_apply_all takes it */
    double path[64][3];     /* room for positions; a path uses pairs, a plane triples */
    double plane[3][3];
    double line[2][2];
    struct arena arena; /* of its mask */
};

/* With the rows' defaults. NULL when there is no such brush. op_free(NULL) does nothing. */
struct op *op_new(const char *brush);
void op_free(struct op *op);

/* Set a member by its name; false when the brush has none of that name and kind. */
bool op_real(struct op *op, const char *member, double value);
bool op_integer(struct op *op, const char *member, int64_t value);
bool op_word(struct op *op, const char *member, const char *word);
bool op_name(struct op *op, const char *member, const char *name); /* lent */
bool op_text(struct op *op, const char *member, const char *text); /* lent */
bool op_region(struct op *op, struct rect region);
bool op_path(struct op *op, const double (*points)[2], size_t count);
bool op_plane(struct op *op, const double points[3][3]);
bool op_line(struct op *op, const double points[2][2]);
bool op_point(struct op *op, const char *member, const double point[2]);
bool op_point3(struct op *op, const char *member, const double point[3]);
bool op_mask(struct op *op, struct variant mask);
bool op_forget(struct op *op, const char *member); /* that it was given */

/* The paint layers that random ops name, all blended but the last; ops_paint_layers adds them to
 * settings that nobody shares yet. False when memory is out. */
enum { OPS_PAINTS = 4 };
extern const char *const ops_paints[OPS_PAINTS];
bool ops_paint_layers(struct settings *settings);

/* A brush of brushes[] with every member thrown within its row's bounds, acting about the size of
 * the landscape, which has ops_paints, every other one through a mask, which may need mask_sources
 * (masks.h). Those that need one of several members get one. NULL when memory is out. */
struct op *op_random(int brush, struct rect landscape, struct dice *dice);

#endif
