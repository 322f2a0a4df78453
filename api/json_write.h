/* JSON from structs, by their rows. Any thread. */
#ifndef API_JSON_WRITE_H
#define API_JSON_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "api/number.h"
#include "terrain/base/bytes.h"
#include "terrain/base/executor.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

/* Appends the value as one JSON object with the members of its shape, in their order, without
 * spaces: equal values are equal texts. Members are all there, but for those that are left_out;
 * which of them print null is said in field.h. Fails with MEMORY. */
bool json_write(const struct shape *shape, const void *value, struct bytes *to, struct fault *why);

/* The same text; the pieces of a long list among the members are printed by the executor, which may
 * be NULL. */
bool json_write_large(const struct shape *shape, const void *value, const struct executor *executor,
                      struct bytes *to, struct fault *why);

/* A string with its quotes; what is not UTF-8 becomes U+FFFD. */
bool json_write_text(const char *text, struct bytes *to, struct fault *why);

#endif
