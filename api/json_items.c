#include "api/json_items.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/member.h"
#include "api/service.h"

static size_t item_size(const struct field *field)
{
    switch (field->kind) {
    case FIELD_POINTS:
        return (size_t)field_point_numbers(field) * sizeof(double);
    case FIELD_NUMBERS:
        return sizeof(double);
    case FIELD_TEXTS:
        return sizeof(const char *);
    case FIELD_VARIANTS:
        return sizeof(struct variant);
    default:
        return field->shape->size;
    }
}

static size_t most_items(const struct scan *scan, const struct field *field)
{
    const int64_t *limit =
        scan->limits && field->limit ? limits_at(scan->limits, field->limit) : NULL;
    size_t most = field->greatest > 0 ? (size_t)field->greatest : SIZE_MAX;

    return limit && (uint64_t)*limit < most ? (size_t)*limit : most;
}

static bool too_many(const struct items *items, struct fault *why)
{
    const struct field *field = items->field;

    if (field->greatest > 0 && (double)items->most >= field->greatest)
        return fault_set(why, FAULT_INPUT, "%s may have at most %.0f items", field->name,
                         field->greatest);
    return fault_set(why, FAULT_LIMIT, "more than %zu %s came; at most %zu are answered (%s)",
                     items->most, field->name, items->most, field->limit);
}

static bool no_room(const struct items *items, struct fault *why)
{
    return fault_set(why, FAULT_MEMORY, "No memory for the items of %s", items->field->name);
}

static bool room_make(struct items *items, size_t room, struct arena *arena, struct fault *why)
{
    char *moved = arena_grow(arena, items->items, items->room * items->size, room * items->size);

    if (!moved)
        return no_room(items, why);
    items->items = moved;
    items->room = room;
    return true;
}

/* Room for one more at least. */
static bool room_need(struct items *items, struct arena *arena, struct fault *why)
{
    return items->count < items->room ||
           room_make(items, items->room ? items->room * 2 : 4, arena, why);
}

bool items_begin(struct items *items, struct scan *scan, const struct field *field,
                 struct fault *why)
{
    void *absent = NULL;

    *items =
        (struct items){ .field = field, .size = item_size(field), .most = most_items(scan, field) };
    items->planned = scan->depth + 2 <= SCAN_DEPTH_MOST && bulk_plan(field, NULL, &items->plan);
    if (!items->planned || !items->plan.opening || items->plan.numbers)
        return true;
    absent = arena_new(scan->arena, items->size);
    if (!absent)
        return no_room(items, why);
    items->plan.absent = absent;
    return shape_defaults(field->shape, absent, scan->arena, why);
}

/* A long list all at once, as far as it goes. */
static enum bulk_end pieces_read(struct items *items, struct bulk *bulk, struct scan *scan)
{
    struct bulk_split *split = malloc(sizeof *split);
    enum bulk_end end = BULK_FULL;
    struct fault ignored; /* without room for all it is read as others are */
    size_t count;

    if (!split)
        return end;
    count = bulk_split_count(split, bulk, scan->executor);
    if (count > 0 && count <= items->most && room_make(items, count, scan->arena, &ignored)) {
        bulk->items = items->items;
        end = bulk_split_read(split, bulk);
        items->count = bulk->count;
    }
    free(split);
    return end;
}

/* *closed: up to the end of the list; else there is an item for the general way, or one too many.
 */
static bool bulk_take(struct items *items, struct scan *scan, bool *closed, struct fault *why)
{
    struct bulk bulk = {
        .plan = &items->plan, .at = scan->at, .end = scan->end, .count = items->count
    };
    enum bulk_end end = BULK_FULL;

    if (!items->count && bulk_long(&bulk, scan->executor))
        end = pieces_read(items, &bulk, scan);
    while (end != BULK_CLOSED && end != BULK_OTHER && items->count < items->most) {
        if (!room_need(items, scan->arena, why))
            return false;
        bulk.items = items->items;
        bulk.room = items->room < items->most ? items->room : items->most;
        end = bulk_read(&bulk);
        items->count = bulk.count;
    }
    scan->at = bulk.at;
    *closed = end == BULK_CLOSED;
    return true;
}

bool items_next(struct items *items, struct scan *scan, void **item, struct fault *why)
{
    bool closed = false;

    *item = NULL;
    scan_peek(scan);
    if (items->planned && !bulk_take(items, scan, &closed, why))
        return false;
    if (closed)
        return true;
    if (items->count >= items->most)
        return too_many(items, why);
    if (!room_need(items, scan->arena, why))
        return false;
    *item = memset(items->items + items->count++ * items->size, 0, items->size);
    return true;
}
