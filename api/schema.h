/* Rows as JSON Schema, for OpenAPI. */
#ifndef API_SCHEMA_H
#define API_SCHEMA_H

#include "api/json_outline.h"
#include "terrain/base/field.h"

/* One field as a schema object under key. Answers have all their members; requests only the
 * required ones, and no others than are listed. */
void schema_field(struct outline *outline, const char *key, const struct field *field, bool answer);
void schema_shape(struct outline *outline, const char *key, const struct shape *shape, bool answer);

/* What the names of a set's schemas begin with: NAME_WORD. */
const char *schema_set_name(const struct variant_set *set);

/* The members of one choice of a variant, with its tag. */
void schema_choice(struct outline *outline, const char *key, const struct variant_set *set, int i,
                   bool answer);

/* The sentence about a field, with its unit. Empty when it has none. */
enum { DESCRIPTION_ROOM = 400 };
const char *schema_description(const struct field *field, char room[DESCRIPTION_ROOM]);

#endif
