#include "api/json_bulk.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "api/member.h"
#include "api/number.h"

/* A piece is long enough for its thread, and short enough to stay in the cache; a fuzzer has
 * shorter ones. */
#ifndef BULK_PIECE_BYTES
#define BULK_PIECE_BYTES (1 << 17)
#endif

static int member_numbers(const struct field *field)
{
    switch (field->kind) {
    case FIELD_REAL:
        return 1;
    case FIELD_REALS:
        return field->count;
    case FIELD_POINT:
        return 2;
    case FIELD_POINT3:
        return 3;
    default:
        return 0;
    }
}

bool bulk_plan(const struct field *field, const void *absent, struct bulk_plan *plan)
{
    struct member member = { 0 };

    *plan = (struct bulk_plan){ .absent = absent };
    if (field->kind == FIELD_NUMBERS) {
        plan->size = sizeof(double);
        return true;
    }
    plan->opening = '[';
    plan->closing = ']';
    if (field->kind == FIELD_POINTS) {
        plan->numbers = field_point_numbers(field);
        plan->size = (size_t)plan->numbers * sizeof(double);
        return true;
    }
    if (field->kind != FIELD_LIST || field->shape->given >= 0)
        return false;
    plan->opening = '{';
    plan->closing = '}';
    plan->size = field->shape->size;
    while (member_next(field->shape, &member)) {
        size_t i = plan->member_count++;

        if (i == BULK_MEMBERS_MOST || !member_numbers(member.field) || member.owner->given >= 0)
            return false;
        plan->members[i] = member.field;
        plan->name_lengths[i] = strlen(member.field->name);
        plan->required |= (unsigned)member.field->required << i;
    }
    return true;
}

static inline const char *space_skip(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
        at++;
    return at;
}

/* Behind the character, which may have white space before and behind; NULL when it is another. */
static inline const char *take(const char *at, const char *end, char wanted)
{
    at = space_skip(at, end);
    return at < end && *at == wanted ? space_skip(at + 1, end) : NULL;
}

/* A list of just so many. */
static inline const char *numbers_take(const char *at, const char *end, int count, double *to)
{
    at = take(at, end, '[');
    for (int i = 0; at && i < count; i++) {
        at = number_scan(at, end, &to[i]);
        if (at && isfinite(to[i]))
            at = take(at, end, i + 1 < count ? ',' : ']');
        else
            at = NULL;
    }
    return at;
}

static bool within(const struct field *field, const double *numbers, int count)
{
    if (field->least == 0 && field->greatest == 0)
        return true;
    for (int i = 0; i < count; i++)
        if (numbers[i] > field->greatest ||
            (field->above_least ? numbers[i] <= field->least : numbers[i] < field->least))
            return false;
    return true;
}

static const char *value_take(const struct field *field, const char *at, const char *end, void *to)
{
    int count = member_numbers(field);

    if (field->kind == FIELD_REAL) {
        at = number_scan(at, end, to);
        if (!at || !isfinite(*(const double *)to))
            return NULL;
        at = space_skip(at, end);
    } else {
        at = numbers_take(at, end, count, to);
    }
    return at && within(field, to, count) ? at : NULL;
}

/* The member that stands here, most likely the next one; behind its name's quotation mark. */
static const char *name_take(const struct bulk_plan *plan, const char *at, const char *end,
                             size_t *which)
{
    if (at == end || *at++ != '"')
        return NULL;
    for (size_t tries = 0; tries < plan->member_count; tries++) {
        size_t length = plan->name_lengths[*which];

        if ((size_t)(end - at) > length && at[length] == '"' &&
            !memcmp(at, plan->members[*which]->name, length))
            return at + length + 1;
        *which = (*which + 1) % plan->member_count;
    }
    return NULL;
}

static const char *object_take(const struct bulk_plan *plan, const char *at, const char *end,
                               char *item)
{
    unsigned given = 0;
    size_t which = 0;

    memcpy(item, plan->absent, plan->size);
    at = take(at, end, '{');
    if (at && at < end && *at == '}')
        return plan->required ? NULL : space_skip(at + 1, end);
    while (at) {
        at = name_take(plan, at, end, &which);
        at = at && !(given & 1u << which) ? take(at, end, ':') : NULL;
        at = at ? value_take(plan->members[which], at, end, item + plan->members[which]->at) : NULL;
        if (!at || at == end)
            return NULL;
        given |= 1u << which;
        which = (which + 1) % plan->member_count;
        if (*at == '}')
            return (given & plan->required) == plan->required ? space_skip(at + 1, end) : NULL;
        at = take(at, end, ',');
    }
    return NULL;
}

/* Behind the item and the white space that follows it; NULL when the general reader has to look. */
static inline const char *item_take(const struct bulk_plan *plan, const char *at, const char *end,
                                    char *item)
{
    if (plan->numbers)
        return numbers_take(at, end, plan->numbers, (double *)(void *)item);
    if (plan->opening)
        return object_take(plan, at, end, item);
    at = number_scan(at, end, (double *)(void *)item);
    return at && isfinite(*(double *)(void *)item) ? space_skip(at, end) : NULL;
}

enum bulk_end bulk_read(struct bulk *bulk)
{
    const char *end = bulk->end, *next;

    for (;; bulk->at = next) {
        if (bulk->at == bulk->stop)
            return BULK_STOP;
        if (bulk->count == bulk->room)
            return BULK_FULL;
        next = item_take(bulk->plan, bulk->at, end, bulk->items + bulk->count * bulk->plan->size);
        if (!next || next == end || (*next != ',' && *next != ']'))
            return BULK_OTHER;
        bulk->count++;
        if (*next == ']') {
            bulk->at = next;
            return BULK_CLOSED;
        }
        next = space_skip(next + 1, end);
        if (bulk->stop && next > bulk->stop) { /* stop was no beginning of an item */
            bulk->count--;
            return BULK_OTHER;
        }
    }
}

/* In pieces */

/* Where the first item begins that begins at least here; NULL when none is found. Right unless
 * there are such characters in a text, which bulk_read would not pass. */
static const char *item_begin(const struct bulk_plan *plan, const char *at, const char *end)
{
    while (plan->closing && at < end) {
        const char *next;

        at = memchr(at, plan->closing, (size_t)(end - at));
        next = at ? take(at + 1, end, ',') : NULL;
        if (next && next < end && *next == plan->opening)
            return next;
        if (!at)
            return NULL;
        at++;
    }
    at = at < end ? memchr(at, ',', (size_t)(end - at)) : NULL;
    return at ? space_skip(at + 1, end) : NULL;
}

static void piece_count(void *work, size_t i)
{
    struct bulk *part = &((struct bulk_split *)work)->parts[i];
    const char *end = part->stop ? part->stop : part->end;
    char wanted = part->plan->opening ? part->plan->opening : ',';
    size_t count = part->plan->opening || part->stop ? 0 : 1;

    for (const char *at = part->at; at < end; at++)
        count += *at == wanted;
    part->room = count;
}

static void piece_read(void *work, size_t i)
{
    struct bulk_split *split = work;

    split->ends[i] = bulk_read(&split->parts[i]);
}

bool bulk_long(const struct bulk *bulk, const struct executor *executor)
{
    return executor && bulk->end - bulk->at >= 2 * BULK_PIECE_BYTES;
}

size_t bulk_split_count(struct bulk_split *split, const struct bulk *bulk,
                        const struct executor *executor)
{
    size_t length = (size_t)(bulk->end - bulk->at), most = length / BULK_PIECE_BYTES, count = 0;
    const char *begin = bulk->at;

    *split = (struct bulk_split){ .executor = executor };
    most = most < BULK_PIECES_MOST ? most : BULK_PIECES_MOST;
    while (begin) {
        struct bulk *part = &split->parts[split->pieces++];

        *part = (struct bulk){ .plan = bulk->plan, .at = begin, .end = bulk->end };
        begin = NULL;
        if (split->pieces < most)
            begin = item_begin(bulk->plan, bulk->at + length / most * split->pieces, bulk->end);
        if (begin && begin <= part->at) /* an item as long as a piece: no more of them */
            begin = NULL;
        part->stop = begin;
    }
    executor_run(executor, split->pieces, piece_count, split);
    for (size_t i = 0; i < split->pieces; i++)
        count += split->parts[i].room;
    return count;
}

enum bulk_end bulk_split_read(struct bulk_split *split, struct bulk *bulk)
{
    enum bulk_end end = BULK_STOP;
    size_t first = bulk->count;

    for (size_t i = 0; i < split->pieces; i++) {
        split->parts[i].items = bulk->items + first * bulk->plan->size;
        first += split->parts[i].room;
    }
    executor_run(split->executor, split->pieces, piece_read, split);
    /* What a piece begins with is an item if the piece before ended just there, and was counted
     * right; behind the first that did not, nothing counts. */
    for (size_t i = 0; i < split->pieces; i++) {
        struct bulk *part = &split->parts[i];

        end = split->ends[i];
        bulk->count += part->count;
        bulk->at = part->at;
        if (end != BULK_STOP || part->count != part->room)
            break;
    }
    return end;
}
