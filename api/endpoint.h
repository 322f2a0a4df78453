/* An endpoint: one file that ends in one constant struct, and one row in endpoints.def.
 *
 * The row says everything that dispatch needs: it decodes the path, the query and the
 * body, authorises, holds the landscape and its view, answers conditional requests,
 * keeps tiles, encodes the answer. Beside its own members every framed row takes ?frame=, every
 * row with formats ?format=, every read that holds a view ?version=, and every change of a
 * landscape ?author=: rows do not list these, nor {landscape}. A segment of a path is a word, or
 * one {member} with text around it
 * ("{y}@2x.png"); words win over members, and longer text over shorter. A handler is straight-line
 * code on decoded structs; it never knows whether it runs on an event thread or a worker.
 */
#ifndef API_ENDPOINT_H
#define API_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "api/reply.h"
#include "api/stream.h"
#include "terrain/base/arena.h"
#include "terrain/base/bytes.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"
#include "terrain/core/view.h"
#include "terrain/landscape.h"

struct service; /* service.h: landscapes, renderer, cache, limits of this process */

enum scope { SCOPE_OPEN, SCOPE_READ, SCOPE_EDIT, SCOPE_ADMIN };

/* QUICK answers from memory on the event thread. SLOW waits for a disk, a process or
 * for long sums, and runs on the worker pool. */
enum pace { QUICK, SLOW };

/* What dispatch holds for the handler by the path's {landscape}. NAME only checks the name. */
enum holds { HOLDS_NOTHING, HOLDS_NAME, HOLDS_LANDSCAPE, HOLDS_VIEW };

/* What the request's positions are measured in, by ?frame= of framed rows. Handlers see and
 * write grid coordinates; dispatch converts POINT, POINT3 and POINTS, in and out. */
enum frame { FRAME_LOCAL, FRAME_GRID, FRAME_LONLAT };
extern const char *const frame_words[]; /* ends with NULL */

struct request {
    const struct endpoint *endpoint;
    struct service *service;
    struct arena *arena;         /* ends with the request; handlers free nothing */
    struct fault fault;          /* why, when the handler returns false */
    struct landscape *landscape; /* HOLDS_LANDSCAPE and HOLDS_VIEW */
    const struct view *view;     /* HOLDS_VIEW */
    const char *landscape_name;
    const char *token_name; /* who asks; NULL when everybody may */
    const char *author;     /* whose a change is: the token's, or who ?author= says; or NULL */
    const char *whose;      /* ?author=, or NULL */
    const char *base_url;   /* "http://host:port", for absolute links */
    enum frame frame;
    bool behind;                 /* of a job: nobody waits, and whoever does goes first */
    const char *if_match;        /* header, or NULL */
    const char *accept;          /* header, or NULL; dispatch chooses media_out by it */
    const char *if_none_match;   /* header, or NULL; reads are answered by dispatch */
    const char *idempotency_key; /* header, or NULL */
    const char *authorization;   /* header, or NULL: for what a scope alone does not settle */
    const char *last_event_id;   /* header, or NULL */

    /* The body: takes' struct when it was JSON, and its bytes in any case. */
    const void *body;
    const void *body_data;
    size_t body_length;
    int media_in;  /* index into the row's media_in; -1 when there was no body */
    int media_out; /* index into the row's media_out, by Accept or ?format= */

    /* What the handler may say beside its answer. */
    int status;                /* 200 unless set */
    const char *location;      /* header, or NULL */
    uint64_t version;          /* Landscape-Version of the answer; dispatch sets the view's */
    struct bytes bytes;        /* the answer of rows without `answers`; freed by dispatch */
    struct reply_file file;    /* the answer, instead of bytes; with an etag. Closed by dispatch */
    const char *etag;          /* quoted, of an answer without a view, instead of its bytes' own */
    const char *filename;      /* Content-Disposition, or NULL */
    const char *cache_control; /* instead of "no-cache" */
    double mesh_error;         /* Landscape-Mesh-Error of a mesh, metres; with has_mesh_error */
    bool has_mesh_error;
    char drawn_by[32];    /* Landscape-Renderer of a picture, or empty */
    char warning[192];    /* Landscape-Warning of an answer that is not all that was meant */
    uint64_t geoid_named; /* revision of the raster by which the answer was named, or 0 */
    bool misnamed; /* it was made of something newer: it is named by its bytes, and not kept */
    struct stream stream; /* of rows with `stream`: goes on after bytes; dropped by dispatch */
};

struct endpoint {
    const char *method, *path, *summary;
    const char *example;      /* a query string; for a body, see example_body */
    const char *example_path; /* the path filled in, e.g. "/v1/landscapes/demo/height" */
    const char *example_body; /* JSON, or NULL */
    enum scope scope;
    enum pace pace;
    enum holds holds;
    const struct shape *asks;     /* members of the path and the query; NULL takes none */
    const struct shape *takes;    /* the JSON body */
    const char *const *media_in;  /* of bodies, ends with NULL; JSON among them uses takes */
    const char *const *media_out; /* answers, the default first, ends with NULL; NULL is JSON */
    const char *const *formats;   /* ?format='s word for each of media_out, or NULL */
    bool body_optional;
    bool in_kind;        /* the answer is of the body's kind: media_in and media_out are one list */
    bool loose_query;    /* tile routes ignore query parameters that they do not know */
    bool framed;         /* has positions, and so ?frame=local|grid|lonlat */
    bool frame_of_place; /* framed, and without ?frame= lonlat where the landscape has a CRS */
    bool conditional;    /* a change that may carry If-Match */
    bool version_etag;   /* the ETag is the quoted version and nothing else: "7" */
    bool stamped;      /* the answer tells stamps, which a restart or a making again makes later */
    bool unversioned;  /* no ETag: metrics, health */
    bool stream;       /* the answer goes on for as long as the client listens, see stream.h */
    bool content_etag; /* named by its bytes: depends on less than what can be told beforehand */
    bool kept;         /* GET answers are kept in the cache under their ETag */
    const char *body_limit;      /* name of the limit on the body; NULL is json_body_bytes */
    const struct shape *answers; /* the JSON answer; NULL when the handler fills rq->bytes */
    const int *statuses; /* other 2xx statuses than 200 that it answers, ends with 0; or NULL */
    const void *of;      /* of a family of rows with one handler: what this one is about */
    /* The newest version among all that the answer depends on, or another number that names it as
     * sharply; without it, the view's version.
     * Cheap. Also refuses, before any work, what is outside (a tile that does not exist). */
    bool (*newest)(struct request *rq, const void *asked, uint64_t *version);
    /* Whether a QUICK row's request has to wait for a disk this time. Cheap. */
    bool (*waits)(struct request *rq, const void *asked);
    bool (*run)(struct request *rq, const void *asked, void *answer);
};

/* Whether older versions can be asked: of every row that reads a view, whatever its method. */
static inline bool endpoint_takes_version(const struct endpoint *row)
{
    return row->holds == HOLDS_VIEW && row->scope == SCOPE_READ;
}

/* Whether it changes a landscape, and so may say who does. */
static inline bool endpoint_takes_author(const struct endpoint *row)
{
    return row->conditional && (row->holds == HOLDS_LANDSCAPE || row->holds == HOLDS_VIEW ||
                                (row->holds == HOLDS_NAME && strcmp(row->method, "DELETE") != 0));
}

/* A position as two parameters of a query or path, x and y, into double member[2]. */
#define FIELD_PLACE(type, member, help_, ...)                                                      \
    {                                                                                              \
        .name = "x,y", .kind = FIELD_POINT, .at = offsetof(type, member), .help = (help_),         \
        __VA_ARGS__                                                                                \
    }

/* For the handler: a failing path in one line, as fault_set(&rq->fault, …). */
#define REFUSE(rq, ...) fault_set(&(rq)->fault, __VA_ARGS__)

extern const struct endpoint *const endpoints[];
extern const size_t endpoint_count;

#endif
