#include "api/history/history.h"

#include <math.h>
#include <time.h>

const char *history_moment(struct request *rq, int64_t milliseconds)
{
    time_t seconds = (time_t)(milliseconds / 1000);
    char text[32];
    struct tm at;

    gmtime_r(&seconds, &at);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &at);
    return arena_print(rq->arena, "%s.%03dZ", text, (int)(milliseconds % 1000));
}

double history_version(uint64_t version)
{
    return version ? (double)version : NAN;
}

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct snapshot_document, name, "The snapshot's name"),
    FIELD(struct snapshot_document, version, NULL, 0, 0,
          "The version that it names, which ?version= gives as long as it does"),
    FIELD(struct snapshot_document, title, NULL, 0, 0, "A name for people, or null"),
    FIELD(struct snapshot_document, author, NULL, 0, 0, "Who took it, or null"),
    FIELD(struct snapshot_document, at, NULL, 0, 0, "When, in UTC"),
    FIELD(struct snapshot_document, href, NULL, 0, 0, "Where it is"),
    { .kind = FIELD_END }
};

const struct shape snapshot_document_shape = {
    .name = "snapshot", .size = sizeof(struct snapshot_document), .fields = rows, .given = -1
};

static const struct field asked_rows[] = { FIELD_AS(FIELD_NAME, struct snapshot_asked, name,
                                                    "The snapshot's name", .in_path = true,
                                                    .required = true),
                                           { .kind = FIELD_END } };

const struct shape snapshot_asked_shape = { .name = "snapshot_asked",
                                            .size = sizeof(struct snapshot_asked),
                                            .fields = asked_rows,
                                            .given = -1 };

bool snapshot_document_fill(struct request *rq, const struct ledger_snapshot *snapshot,
                            struct snapshot_document *document)
{
    *document = (struct snapshot_document){
        .name = arena_text(rq->arena, snapshot->name),
        .title = snapshot->title ? arena_text(rq->arena, snapshot->title) : NULL,
        .author = snapshot->author ? arena_text(rq->arena, snapshot->author) : NULL,
        .at = history_moment(rq, snapshot->at),
        .version = (int64_t)snapshot->version,
        .href = arena_print(rq->arena, "/v1/landscapes/%s/snapshots/%s",
                            landscape_id(rq->landscape), snapshot->name),
    };
    return (document->name && document->at && document->href) ||
           REFUSE(rq, FAULT_MEMORY, "No memory for a snapshot's document");
}

struct finding {
    struct request *rq;
    struct snapshot_document *document;
    bool filled;
};

static bool fill(void *context, const struct ledger_snapshot *snapshot)
{
    struct finding *finding = context;

    finding->filled = snapshot_document_fill(finding->rq, snapshot, finding->document);
    return finding->filled;
}

bool snapshot_document_of(struct request *rq, const char *name, struct snapshot_document *document)
{
    struct finding finding = { rq, document, false };

    return landscape_snapshot_find(rq->landscape, name, fill, &finding, &rq->fault) &&
           finding.filled;
}
