#include "api/changed.h"

#include "terrain/store/checksum.h"

static const struct field rows[] = {
    FIELD(struct changed, version, NULL, 0, 0,
          "The landscape's version after the change; the old one when nothing changed"),
    FIELD(struct changed, dirty, "vertices", 0, 0, "Around all that changed", .nullable = true),
    FIELD(struct changed, changed, "vertices", 0, 0, "How many changed"),
    { .kind = FIELD_END }
};

const struct shape changed_shape = {
    .name = "changed", .size = sizeof(struct changed), .fields = rows, .given = -1
};

const char *const changed_words[CHANGED_WORDS] = { "heights", "holes",    "weights",
                                                   "layers",  "settings", "offsets" };
_Static_assert(CHANGE_OFFSETS == 1 << (CHANGED_WORDS - 1), "a word for each");

struct list changed_what(unsigned what, const char *words[CHANGED_WORDS])
{
    struct list list = { 0, words };

    for (int i = 0; i < CHANGED_WORDS; i++)
        if (what >> i & 1)
            words[list.count++] = changed_words[i];
    return list;
}

struct landscape_change changed_change(struct request *rq, bool dry_run, const char *request)
{
    return (struct landscape_change){ .if_match = rq->if_match,
                                      .author = rq->author,
                                      .request = request,
                                      .once = rq->idempotency_key,
                                      .dry_run = dry_run };
}

void changed_fill(struct request *rq, const struct landscape_changed *made, struct changed *answer)
{
    rq->version = made->version;
    answer->version = (int64_t)made->version;
    answer->dirty = made->change.dirty;
    answer->changed = made->change.vertices;
}

uint32_t changed_body(const struct request *rq)
{
    return checksum_add(0, rq->body_data, rq->body_length);
}

bool changed_make(struct request *rq,
                  bool (*make)(void *context, struct draft *draft, struct fault *why),
                  void *context, bool dry_run, const char *request, struct changed *answer)
{
    struct landscape_change change = changed_change(rq, dry_run, request);
    struct landscape_changed made;

    change.make = make;
    change.context = context;
    if (!landscape_change(rq->landscape, &change, &made, &rq->fault))
        return false;
    changed_fill(rq, &made, answer);
    return true;
}

bool changed_layer(struct draft *draft, const char *name, const char *place, struct fault *why)
{
    return draft_layer(draft, name, why) || fault_at(why, "%s", place);
}
