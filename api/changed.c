#include "api/changed.h"

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

bool changed_make(struct request *rq,
                  bool (*make)(void *context, struct draft *draft, struct fault *why),
                  void *context, bool dry_run, const char *request, struct changed *answer)
{
    struct landscape_change change = { .make = make,
                                       .context = context,
                                       .if_match = rq->if_match,
                                       .author = rq->token_name,
                                       .request = request,
                                       .once = rq->idempotency_key,
                                       .dry_run = dry_run };
    struct landscape_changed made;

    if (!landscape_change(rq->landscape, &change, &made, &rq->fault))
        return false;
    rq->version = made.version;
    answer->version = (int64_t)made.version;
    answer->dirty = made.change.dirty;
    answer->changed = made.change.vertices;
    return true;
}

bool changed_layer(struct draft *draft, const char *name, const char *place, struct fault *why)
{
    return draft_layer(draft, name, why) || fault_at(why, "%s", place);
}
