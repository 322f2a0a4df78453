/* A shop that draws: jobs of pictures of one landscape, by renderers that a group of tests shares.
 */
#ifndef TESTS_API_STUDIO_H
#define TESTS_API_STUDIO_H

#include "tests/api/shop.h"

/* Small, and drawn without GL: fast, and the same to the byte. */
#define MAP          "\"width\":12,\"height\":10,\"mode\":\"normals\""
#define SMALL        "\"width\":24,\"height\":16"
#define RENDER(more) "{\"kind\":\"render\",\"landscape\":\"land\"," more "}"

/* For a group of tests: two renderers, and a decoder. */
int studio_start(void **group);
int studio_stop(void **group);

/* Rough ground of 127 x 127 vertices. */
struct caller *studio_begin(void **state);

/* What a request answers to the view, to be freed; query is "?…" or nothing. */
char *studio_draw(struct caller *caller, const char *view, const char *query, size_t *length);
/* That is what result n of the job is. */
void assert_studio_result(struct caller *caller, const char *id, int n, const char *view,
                          const char *query);

#endif
