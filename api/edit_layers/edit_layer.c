#include "api/edit_layers/edit_layer.h"

#include "terrain/edit/resolve.h"

const char *const edit_layer_blends[] = { "additive", "alpha", NULL };

static const struct field rows[] = {
    FIELD_AS(FIELD_NAME, struct edit_layer_document, name, "The edit layer's name"),
    FIELD(struct edit_layer_document, position, NULL, 0, 0, "Its place in the stack, 0 is lowest"),
    FIELD(struct edit_layer_document, blend, NULL, 0, 0,
          "How it joins the layers below: additive or alpha"),
    FIELD(struct edit_layer_document, alpha, NULL, -1, 1, "How much its heights count"),
    FIELD(struct edit_layer_document, weights_alpha, NULL, 0, 1,
          "How much its weights count; null: as its heights do, from 0"),
    FIELD(struct edit_layer_document, visible, NULL, 0, 0, "Whether it counts at all"),
    FIELD(struct edit_layer_document, locked, NULL, 0, 0, "Whether it refuses edits"),
    FIELD_AS(FIELD_TEXTS, struct edit_layer_document, subtract,
             "Paint layers whose weights it takes away"),
    FIELD_AS(FIELD_TEXTS, struct edit_layer_document, holds,
             "What it holds: heights, weights, holes"),
    { .kind = FIELD_END }
};

const struct shape edit_layer_shape = {
    .name = "edit_layer", .size = sizeof(struct edit_layer_document), .fields = rows, .given = -1
};

/* Telling */

static bool no_room(struct fault *why)
{
    return fault_set(why, FAULT_MEMORY, "no memory for the edit layers' documents");
}

static bool tell_subtract(struct arena *arena, const struct stack *stack,
                          const struct edit_layer *edit, struct list *names)
{
    const char **texts = arena_new(arena, (size_t)(edit->subtract_count + 1) * sizeof *texts);

    *names = (struct list){ 0, texts };
    for (int i = 0; texts && i < edit->subtract_count; i++) {
        int paint = stack_paint_of(stack, edit->subtract[i]);

        if (paint >= 0)
            texts[names->count++] = arena_text(arena, stack->paints[paint].name);
    }
    return texts != NULL;
}

static bool tell_holds(struct arena *arena, const struct view *view, uint32_t layer,
                       struct list *kinds)
{
    static const struct {
        enum plane plane;
        const char *word;
    } words[] = { { PLANE_HEIGHTS, "heights" },
                  { PLANE_WEIGHTS, "weights" },
                  { PLANE_HOLES, "holes" } };
    const char **texts = arena_new(arena, sizeof words / sizeof *words * sizeof *texts);

    *kinds = (struct list){ 0, texts };
    for (size_t i = 0; texts && i < sizeof words / sizeof *words; i++)
        if (layer_holds(view, layer, words[i].plane))
            texts[kinds->count++] = words[i].word;
    return texts != NULL;
}

bool edit_layer_tell(struct arena *arena, const struct view *view, int at,
                     struct edit_layer_document *document, struct fault *why)
{
    const struct stack *stack = view->settings->stack;
    const struct edit_layer *edit = &stack->edits[at];

    *document = (struct edit_layer_document){ .name = arena_text(arena, edit->name),
                                              .position = at,
                                              .blend = edit_layer_blends[edit->blend],
                                              .alpha = edit->alpha,
                                              .weights_alpha = edit->weights_alpha,
                                              .visible = edit->visible,
                                              .locked = edit->locked };
    return (document->name && tell_subtract(arena, stack, edit, &document->subtract) &&
            tell_holds(arena, view, edit->id, &document->holds)) ||
           no_room(why);
}

bool edit_layers_tell(struct arena *arena, const struct view *view, struct list *documents,
                      struct fault *why)
{
    size_t count = (size_t)view->settings->stack->edit_count;
    struct edit_layer_document *items = arena_new(arena, count * sizeof *items);

    *documents = (struct list){ count, items };
    if (!items)
        return no_room(why);
    for (size_t i = 0; i < count; i++)
        if (!edit_layer_tell(arena, view, (int)i, &items[i], why))
            return false;
    return true;
}

/* Asking */

static const struct field asked_rows[] = { FIELD_AS(FIELD_NAME, struct edit_layer_asked, name,
                                                    "The edit layer", .in_path = true,
                                                    .required = true),
                                           { .kind = FIELD_END } };

const struct shape edit_layer_asked_shape = { .name = "edit_layer_asked",
                                              .size = sizeof(struct edit_layer_asked),
                                              .fields = asked_rows,
                                              .given = -1 };

static const struct field change_asked_rows[] = {
    FIELD_AS(FIELD_NAME, struct edit_layer_change_asked, name, "The edit layer", .in_path = true,
             .required = true),
    FIELD(struct edit_layer_change_asked, dry_run, NULL, 0, 0,
          "Answer the same and change nothing"),
    { .kind = FIELD_END }
};

const struct shape edit_layer_change_asked_shape = { .name = "edit_layer_change_asked",
                                                     .size = sizeof(struct edit_layer_change_asked),
                                                     .fields = change_asked_rows,
                                                     .given = -1 };

const struct layers_change *edit_layer_wanted(struct request *rq,
                                              const struct edit_layer_body *body)
{
    const struct layers_change change = { .given = (unsigned)body->given,
                                          .name = body->name,
                                          .position = body->position,
                                          .before = body->before,
                                          .blend = body->blend,
                                          .alpha = body->alpha,
                                          .weights_alpha = body->weights_alpha,
                                          .visible = body->visible,
                                          .locked = body->locked,
                                          .subtract = body->subtract.items,
                                          .subtract_count = body->subtract.count };
    const struct layers_change *kept = arena_copy(rq->arena, &change, sizeof change);

    if (!kept)
        no_room(&rq->fault);
    return kept;
}

/* Changing */

static const struct field changed_rows[] = {
    FIELD_AS(FIELD_OBJECT, struct edit_layer_changed, edit_layer,
             "The edit layer as it then is; null when it is no more", .shape = &edit_layer_shape,
             .nullable = true),
    { .kind = FIELD_END }
};

const struct shape edit_layer_changed_shape = { .name = "edit_layer_changed",
                                                .size = sizeof(struct edit_layer_changed),
                                                .fields = changed_rows,
                                                .base = &changed_shape,
                                                .given = -1 };

/* What a draft's maker needs; it may run on another thread, while the request's waits. */
struct making {
    struct arena *arena;
    const struct edit_layer_work *work;
    struct edit_layer_document *told;
};

static bool tell_named(struct arena *arena, const struct view *view, const char *name,
                       struct edit_layer_document *told, struct fault *why)
{
    int at = name ? stack_edit(view->settings->stack, name) : -1;

    return at < 0 || edit_layer_tell(arena, view, at, told, why);
}

static bool make(void *context, struct draft *draft, struct fault *why)
{
    const struct making *making = context;

    return making->work->apply(making->work, draft, why) && draft_settle(draft, why) &&
           tell_named(making->arena, draft_view(draft), making->work->told, making->told, why);
}

/* A repeat of an earlier change is told of the layer as it is now. */
static bool tell_now(struct request *rq, const char *name, struct edit_layer_document *told)
{
    struct view *view = landscape_view(rq->landscape);
    bool done = tell_named(rq->arena, view, name, told, &rq->fault);

    view_drop(view);
    return done;
}

bool edit_layer_make(struct request *rq, const struct edit_layer_work *work, bool dry_run,
                     const char *request, struct edit_layer_changed *answer)
{
    struct making making = { rq->arena, work, &answer->edit_layer };
    const char *text = arena_print(rq->arena, "%s %.*s", request, (int)rq->body_length,
                                   rq->body_data ? (const char *)rq->body_data : "");

    if (!request || !text)
        return no_room(&rq->fault);
    return changed_make(rq, make, &making, dry_run, text, &answer->changed) &&
           (answer->edit_layer.name || tell_now(rq, work->told, &answer->edit_layer));
}

const char *edit_layer_path(struct request *rq, const char *name)
{
    return arena_print(rq->arena, "/v1/landscapes/%s/edit-layers/%s", rq->landscape_name, name);
}
