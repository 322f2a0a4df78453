/* A service without a socket: landscapes in a folder of their own, and requests put to dispatch
 * as the server would. */
#ifndef TESTS_API_CALLER_H
#define TESTS_API_CALLER_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <jansson.h>

#include "api/dispatch.h"
#include "api/service.h"
#include "terrain/store/gallery.h"

struct caller {
    char *folder;
    struct service service;
    struct landscapes_limits limits;
    struct gallery_limits rasters;

    /* of the last answer */
    int status;
    char *body; /* with a zero behind it */
    size_t length;
    json_t *json; /* the body, when it is JSON */
    char headers[24][2][256];
    size_t header_count;

    /* for the next request; reset by it */
    const char *if_match, *if_none_match, *key, *accept, *type, *authorization;
};

int caller_begin(void **state);
int caller_end(void **state);

/* For a group of tests: one decoder for all of them. Without it, rasters cannot be imported. */
int caller_decoders_start(void **group);
int caller_decoders_stop(void **group);

/* Closes the landscapes and opens them again. */
void caller_restart(struct caller *caller);

/* Gives the landscape a paint layer more, blended or not: a change like any other. */
void caller_paint(struct caller *caller, const char *id, const char *layer, bool blended);

/* Puts a request; the body is JSON unless caller->type says otherwise. Answers the status. */
int call(struct caller *caller, const char *method, const char *target, const char *body);
int call_bytes(struct caller *caller, const char *method, const char *target, const void *body,
               size_t length);

/* NULL when the last answer has no such header. */
const char *caller_header(const struct caller *caller, const char *name);

/* Of the last answer, which must be JSON: the member at a path like "layout.components.0". */
json_t *caller_member(const struct caller *caller, const char *path);
double caller_number(const struct caller *caller, const char *path);
const char *caller_text(const struct caller *caller, const char *path);

/* Fails the test unless the request is refused with that status and a sentence, at that pointer or
 * parameter ("" is none). */
void assert_refused(struct caller *caller, int status, const char *place);

#endif
