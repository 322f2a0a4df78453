/* Restores a landscape from its archive: makes it, or makes a new version of one of the same
 * layout. */
#include "api/landscapes/document.h"

#include <stdlib.h>
#include <string.h>

#include "api/service.h"
#include "terrain/store/archive.h"

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct view *from = context;
    const struct layout *is = &draft_view(draft)->settings->layout, *was = &from->settings->layout;

    if (memcmp(is, was, sizeof *is) != 0)
        return fault_set(
            why, FAULT_CONFLICT,
            "The archive has %d x %d components of %d x %d sections of %d quads and the "
            "landscape has %d x %d of %d x %d of %d; restore it under another id",
            was->components[0], was->components[1], was->sections, was->sections,
            was->section_quads, is->components[0], is->components[1], is->sections, is->sections,
            is->section_quads);
    return draft_restore(draft, from, why);
}

static bool restore(struct request *rq, struct view *content, struct document *document)
{
    struct landscape *there =
        landscapes_find(rq->service->landscapes, rq->landscape_name, &rq->fault);
    struct landscape_change change = { .make = make,
                                       .context = content,
                                       .if_match = rq->if_match,
                                       .author = rq->author,
                                       .request = "{\"archive\":true}",
                                       .once = rq->idempotency_key };
    struct landscape_changed changed;
    bool done = there && landscape_change(there, &change, &changed, &rq->fault) &&
                document_of(rq, there, document);

    landscape_drop(there);
    return done;
}

static bool create(struct request *rq, struct view *content, struct document *document)
{
    struct landscape *made = landscapes_create(rq->service->landscapes, rq->landscape_name, content,
                                               "{\"archive\":true}", &rq->fault);
    bool done = made && document_of(rq, made, document);

    landscape_drop(made);
    rq->status = 201;
    rq->location = document_path(rq, rq->landscape_name);
    return done;
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    bool there = landscapes_has(rq->service->landscapes, rq->landscape_name), done;
    struct view *content;

    (void)asked;
    if (!there && rq->if_match)
        return REFUSE(rq, FAULT_STALE, "There is no landscape %s", rq->landscape_name);
    content = archive_read(rq->body_data, rq->body_length, rq->service->limits.landscape_vertices,
                           &rq->fault);
    done = content && (there || document_limits(rq, content->settings)) &&
           (there ? restore(rq, content, answer) : create(rq, content, answer));
    view_drop(content);
    return done;
}

static const char *const media_in[] = { "application/vnd.landscaped.archive",
                                        "application/octet-stream", NULL };
static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_put_archive = {
    .method = "PUT",
    .path = "/v1/landscapes/{landscape}/archive",
    .summary = "Restore a landscape from its archive",
    .example_path = "/v1/landscapes/demo/archive",
    .scope = SCOPE_ADMIN,
    .pace = SLOW,
    .holds = HOLDS_NAME,
    .media_in = media_in,
    .body_limit = "raster_body_bytes",
    .conditional = true,
    .answers = &document_shape,
    .statuses = statuses,
    .run = run,
};
