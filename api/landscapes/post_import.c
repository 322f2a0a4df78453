/* A raster becomes a landscape, or the heights of one that is there. */
#include "api/landscapes/document.h"
#include "api/landscapes/import.h"
#include "api/service.h"

#include <string.h>

struct imported {
    struct document document;
    struct import_report import;
};

static const struct field answers[] = { FIELD_AS(FIELD_OBJECT, struct imported, import,
                                                 "How the raster was understood",
                                                 .shape = &import_report_shape),
                                        { .kind = FIELD_END } };

/* What is at work for one request. */
struct importing {
    struct request *rq;
    const struct import_asked *asked;
    struct raster raster;
    struct import_plan plan;
};

static bool take_title(const struct importing *importing, struct settings *settings,
                       struct fault *why)
{
    const char *title = importing->asked->title;

    if (!title)
        return true;
    if (strlen(title) > SETTINGS_TITLE_MOST) {
        fault_set(why, FAULT_INPUT, "the title has %zu bytes; at most %d fit", strlen(title),
                  SETTINGS_TITLE_MOST);
        return fault_at(why, "title");
    }
    strcpy(settings->title, title);
    return true;
}

/* The plan and its settings, for a new landscape or onto another's. */
static struct settings *plan_settings(struct importing *importing, const struct settings *onto,
                                      struct fault *why)
{
    struct import_options options = import_options_of(importing->rq, importing->asked, onto);
    struct settings *settings;

    if (!import_plan(&importing->raster, &options, &importing->plan, why))
        return NULL;
    settings = import_settings(&importing->raster, &importing->plan, onto, why);
    if (settings && take_title(importing, settings, why) && settings_check(settings, why))
        return settings;
    settings_drop(settings);
    return NULL;
}

static const char *request_text(struct request *rq)
{
    return arena_print(rq->arena, "POST import of %zu bytes of %s", rq->body_length,
                       import_media[rq->media_in]);
}

static bool create(struct importing *importing, struct imported *imported)
{
    struct request *rq = importing->rq;
    struct settings *settings = plan_settings(importing, NULL, &rq->fault);
    struct landscape *made = NULL;
    struct view *content = NULL;
    bool told = false;

    if (settings && document_limits(rq, settings))
        content = import_view(&importing->raster, &importing->plan, &settings,
                              rq->service->executor, &rq->fault);
    if (content)
        made = landscapes_create(rq->service->landscapes, rq->landscape_name, content,
                                 request_text(rq), &rq->fault);
    if (made) {
        rq->status = 201;
        rq->location = document_path(rq, rq->landscape_name);
        told = document_of(rq, made, &imported->document);
    }
    settings_drop(settings);
    view_drop(content);
    landscape_drop(made);
    return told;
}

static bool replace_heights(void *context, struct draft *draft, struct fault *why)
{
    struct importing *importing = context;
    struct settings *settings = plan_settings(importing, draft_view(draft)->settings, why);

    bool done = settings && draft_settings(draft, &settings, why);

    settings_drop(settings);
    return done && import_write(&importing->raster, &importing->plan, draft, why);
}

static bool replace(struct importing *importing, struct imported *imported)
{
    struct request *rq = importing->rq;
    struct landscape *landscape =
        landscapes_find(rq->service->landscapes, rq->landscape_name, &rq->fault);
    struct landscape_change change = { .make = replace_heights,
                                       .context = importing,
                                       .if_match = rq->if_match,
                                       .author = rq->author,
                                       .request = request_text(rq) };
    struct landscape_changed changed;
    bool told;

    if (!landscape)
        return false;
    /* Other changes of the landscape wait for this one, but not for the decoder. */
    told = raster_wait(&importing->raster, importing->raster.height, &rq->fault) &&
           landscape_change(landscape, &change, &changed, &rq->fault) &&
           document_of(rq, landscape, &imported->document);
    landscape_drop(landscape);
    return told;
}

/* What can be refused before anything is decoded. */
static bool may_begin(struct request *rq, const struct import_asked *asked)
{
    bool there = landscapes_has(rq->service->landscapes, rq->landscape_name);

    if (!import_asked_check(asked, &rq->fault))
        return false;
    if (!there && rq->if_match)
        return REFUSE(rq, FAULT_STALE, "there is no landscape %s", rq->landscape_name);
    if (there == asked->replace)
        return true;
    if (there)
        return REFUSE(rq, FAULT_CONFLICT,
                      "there is a landscape %s already; replace=true replaces its heights",
                      rq->landscape_name);
    return REFUSE(rq, FAULT_MISSING, "there is no landscape %s whose heights could be replaced",
                  rq->landscape_name);
}

static bool run(struct request *rq, const void *asked, void *answer)
{
    struct importing *importing = arena_new(rq->arena, sizeof *importing);
    struct imported *imported = answer;
    bool done = false;

    if (!may_begin(rq, asked))
        return false;
    if (!importing)
        return REFUSE(rq, FAULT_MEMORY, "no memory for a raster");
    importing->rq = rq;
    importing->asked = asked;
    if (import_raster(rq, asked, &importing->raster))
        done =
            importing->asked->replace ? replace(importing, imported) : create(importing, imported);
    /* Whole metres come back exactly up to a step of one. */
    if (done && !importing->raster.codes && importing->plan.z_scale > 128)
        raster_warn(&importing->raster, "heights were rounded to steps of %g m",
                    importing->plan.z_scale / 128);
    if (done)
        done = import_tell(rq, &importing->raster, &importing->plan, &imported->import);
    raster_free(&importing->raster);
    return done;
}

static const int statuses[] = { 201, 0 };

const struct endpoint endpoint_post_import = {
    .method = "POST",
    .path = "/v1/landscapes/{landscape}/import",
    .summary = "Make a landscape of a raster, or replace the heights of one",
    .example = "width=8&height=8",
    .example_path = "/v1/landscapes/new/import",
    .scope = SCOPE_ADMIN,
    .pace = SLOW,
    .holds = HOLDS_NAME,
    .asks = &import_asked_shape,
    .media_in = import_media,
    .conditional = true,
    .body_limit = "raster_body_bytes",
    .answers = &(const struct shape){ .name = "imported",
                                      .size = sizeof(struct imported),
                                      .fields = answers,
                                      .base = &document_shape,
                                      .given = -1 },
    .statuses = statuses,
    .run = run,
};
