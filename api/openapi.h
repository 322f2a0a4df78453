/* The rows as an OpenAPI 3.1 document: what decodes requests is what is printed, so the two
 * cannot disagree. Any thread. */
#ifndef API_OPENAPI_H
#define API_OPENAPI_H

#include "api/endpoint.h"
#include "terrain/base/bytes.h"

/* Appends the document, indented. Fails with MEMORY. */
bool openapi_write(const struct endpoint *const *rows, size_t count, const char *version,
                   struct bytes *to, struct fault *why);

#endif
