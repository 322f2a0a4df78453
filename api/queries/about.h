/* What can be told of a place on the surface beside what a query is after: each word of ?fields= is
 * a row, and the same rows serve heights, rays and whatever else has places.
 *
 * A row that takes them has ABOUT_WORDS in its help; its items have a struct about among their
 * members:
 *
 *     struct about_choice choice;                             // once a request
 *     about_choose(rq, &asked->fields, own_rows, offsetof(struct item, about), &choice)
 *     about_fill(rq, triangle, item->at, choice.words, &item->about, why)     // an item, any
 * thread json_write(&choice.shape, item, …)                      // the item's own members come
 * first
 *
 * Any thread.
 */
#ifndef API_QUERIES_ABOUT_H
#define API_QUERIES_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/endpoint.h"
#include "terrain/query/interpolate.h"

#define ABOUT_WORDS                                                                                \
    "normal, layer, physical_material, weight, hole, smooth, triangle, barycentric, slope, "       \
    "aspect, curvature, x, y"

/* A row's `int interpolation`. */
#define ABOUT_INTERPOLATION(type)                                                                  \
    FIELD_AS(FIELD_CHOICE, type, interpolation,                                                    \
             "How heights lie between vertices; normals and all else are the triangle's",          \
             .words = interpolation_words, .has_value = true, .value = INTERPOLATION_TRIANGLE)

struct about_curvature {
    double plan, profile, mean;
};

struct about {
    double normal[3], smooth[3];
    int64_t triangle;
    double barycentric[3];
    const char *layer, *physical_material;
    double weight;
    bool hole;
    double slope, aspect;
    struct about_curvature curvature;
    double at[2];
};

/* All rows, left out of an answer where there is nothing: for `answers`, which OpenAPI tells. The
 * rest are those without normal, layer, physical_material, weight and hole, for an item with rows
 * of its own for these. */
extern const struct field about_rows[];
extern const struct shape about_shape, about_rest_shape;

enum { ABOUT_ROWS_MOST = 32 }; /* an item's own and the chosen */

struct about_choice {
    uint32_t words; /* bit i: the row about_rows[i] */
    struct field rows[ABOUT_ROWS_MOST];
    struct shape shape; /* of the item */
};

/* The item's own rows (its struct is `size` bytes), then those asked for in the table's order, as
 * members of the struct about that lies `at` bytes into it; what an own row already tells is not
 * told twice. Refuses with INPUT, placed at "fields", a word that is none. The choice stays where
 * it is. */
bool about_choose(struct request *rq, const struct list *words, const struct shape *own, size_t at,
                  struct about_choice *choice);

/* Refuses with LIMIT more than query_details of it: items times words. */
bool about_count(struct request *rq, const struct about_choice *choice, size_t items);

/* The place is a grid position on the landscape; what a hair's breadth beyond its border is, is
 * taken for the border. triangle is the one that was met, or -1: the one under the place. Fails as
 * frame_from_grid does. */
bool about_fill(const struct request *rq, int64_t triangle, const double at[2], uint32_t words,
                struct about *about, struct fault *why);

/* The words for what became of an item, by enum ray_status. */
extern const char *const status_words[];

/* A TEXTS of them; no items when memory is out. */
struct list status_list(struct arena *arena, const uint8_t *statuses, size_t count);

#endif
