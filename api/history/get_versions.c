/* Who changed what, when and where: the versions whose changes are kept, newest first. */
#include <math.h>
#include <string.h>

#include "api/changed.h"
#include "api/history/history.h"

enum { REQUEST_LETTERS = 400, TOOLS_MOST = 8 };

struct versions_asked {
    int32_t limit;
    int64_t before;
};

static const struct field asks[] = { FIELD(struct versions_asked, limit, NULL, 1, 1000,
                                           "At most so many", .has_value = true, .value = 100),
                                     FIELD(struct versions_asked, before, NULL, 1,
                                           9007199254740992.0,
                                           "Only versions before this one: the last answer's next",
                                           .has_value = true, .value = 9007199254740992.0),
                                     { .kind = FIELD_END } };

struct item {
    int64_t version;
    const char *kind;
    double of;
    bool undone;
    const char *at, *author;
    struct rect dirty;
    int64_t changed;
    struct list what, tools;
    const char *request;
    int64_t log_bytes;
};

static const struct field item_rows[] = {
    FIELD(struct item, version, NULL, 0, 0, "The version that it made"),
    FIELD(struct item, kind, NULL, 0, 0, "edit, undo, redo or restore"),
    FIELD(struct item, of, NULL, 0, 0,
          "The version that it undid, made again or restored; null of an edit"),
    FIELD(struct item, undone, NULL, 0, 0, "Whether it is undone now"),
    FIELD(struct item, at, NULL, 0, 0, "When, in UTC"),
    FIELD(struct item, author, NULL, 0, 0, "Who, or null"),
    FIELD(struct item, dirty, "vertices", 0, 0, "Around all that changed", .nullable = true),
    FIELD(struct item, changed, "vertices", 0, 0, "How many changed"),
    FIELD_AS(FIELD_TEXTS, struct item, what,
             "What changed: heights, holes, weights, layers, settings"),
    FIELD_AS(FIELD_TEXTS, struct item, tools, "The first tools of an edit"),
    FIELD(struct item, request, NULL, 0, 0, "The beginning of the request, or null"),
    FIELD(struct item, log_bytes, "bytes", 0, 0, "What it takes in the log"),
    { .kind = FIELD_END }
};

struct answer {
    struct list versions;
    double next;
    int64_t newest, oldest;
    double undo, redo;
};

static const struct field answers[] = {
    FIELD_AS(FIELD_LIST, struct answer, versions, "The versions",
             .shape = SHAPE(struct item, item_rows)),
    FIELD(struct answer, next, NULL, 0, 0,
          "What to send as before= for those that follow, or null"),
    FIELD(struct answer, newest, NULL, 0, 0, "The landscape's version"),
    FIELD(struct answer, oldest, NULL, 0, 0, "The oldest that can be gone back to"),
    FIELD(struct answer, undo, NULL, 0, 0, "The version that undo would undo, or null"),
    FIELD(struct answer, redo, NULL, 0, 0, "The version that redo would make again, or null"),
    { .kind = FIELD_END }
};

struct listing {
    struct request *rq;
    struct item *items;
    size_t count;
};

/* Each tool once, in order, as far as the kept beginning of the request goes. */
static bool find_tools(struct request *rq, const char *text, struct list *tools)
{
    static const char mark[] = "\"tool\"";
    const char **found = arena_new(rq->arena, TOOLS_MOST * sizeof *found);

    *tools = (struct list){ 0, found };
    while (found && text && tools->count < TOOLS_MOST && (text = strstr(text, mark))) {
        size_t length, i = 0;
        char *tool;

        text += sizeof mark - 1;
        text += strspn(text, " \t\r\n:");
        length = *text == '"' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789") : 0;
        if (!length || text[1 + length] != '"')
            continue;
        tool = arena_print(rq->arena, "%.*s", (int)length, text + 1);
        while (tool && i < tools->count && strcmp(found[i], tool))
            i++;
        if (tool && i == tools->count)
            found[tools->count++] = tool;
    }
    return found != NULL;
}

static bool list(void *context, const struct landscape_version *version)
{
    struct listing *listing = context;
    struct request *rq = listing->rq;
    const char **words = arena_new(rq->arena, CHANGED_WORDS * sizeof *words);
    struct item *item = &listing->items[listing->count++];
    const char *author = version->row.author;

    if (!words || !find_tools(rq, version->request, &item->tools))
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of versions");
    item->version = (int64_t)version->row.version;
    item->kind = history_words[version->row.kind];
    item->of = history_version(version->row.of);
    item->undone = version->undone;
    item->at = history_moment(rq, version->at);
    item->author = author ? arena_text(rq->arena, author) : NULL;
    item->dirty = version->row.dirty;
    item->changed = version->vertices;
    item->what = changed_what(version->row.what, words);
    item->request = version->request ? arena_text(rq->arena, version->request) : NULL;
    item->log_bytes = version->bytes;
    return true;
}

static bool run(struct request *rq, const void *asked_, void *answer_)
{
    const struct versions_asked *asked = asked_;
    struct answer *answer = answer_;
    struct listing listing = { rq, arena_new(rq->arena, (size_t)asked->limit * sizeof(struct item)),
                               0 };
    struct landscape_reach reach;

    if (!listing.items)
        return REFUSE(rq, FAULT_MEMORY, "No memory for a list of versions");
    if (!landscape_versions(rq->landscape, (uint64_t)asked->before, asked->limit, REQUEST_LETTERS,
                            list, &listing, &reach, &rq->fault) ||
        rq->fault.code)
        return false;
    answer->versions = (struct list){ listing.count, listing.items };
    answer->next = NAN;
    if (listing.count == (size_t)asked->limit &&
        (uint64_t)listing.items[listing.count - 1].version > reach.oldest + 1)
        answer->next = (double)listing.items[listing.count - 1].version;
    answer->newest = (int64_t)reach.newest;
    answer->oldest = (int64_t)reach.oldest;
    answer->undo = history_version(reach.undo);
    answer->redo = history_version(reach.redo);
    rq->version = reach.newest;
    return true;
}

const struct endpoint endpoint_get_versions = {
    .method = "GET",
    .path = "/v1/landscapes/{landscape}/versions",
    .summary = "Who changed what, when and where, newest first",
    .example_path = "/v1/landscapes/demo/versions",
    .example = "limit=10",
    .scope = SCOPE_READ,
    .pace = SLOW,
    .holds = HOLDS_LANDSCAPE,
    .asks = SHAPE(struct versions_asked, asks),
    .answers = SHAPE(struct answer, answers),
    .run = run,
};
