#include "tests/server/linear.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the register was at least, or at most, at a moment. */
struct bound {
    double at;
    uint64_t version;
};

struct checking {
    struct linear_op *ops;
    size_t count;
    uint64_t first, last;     /* versions */
    struct linear_op **maker; /* of each version from first + 1 on */
    struct bound *least, *most;
    size_t bounds;
    char *wrong;
};

static bool fail(struct checking *checking, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(checking->wrong, 256, format, values);
    va_end(values);
    return false;
}

/* ---- who made which version ---- */

static int by_value(const void *a, const void *b)
{
    const struct linear_op *one = a, *two = b;

    if (one->kind != two->kind)
        return one->kind == LINEAR_WRITE ? -1 : 1;
    return one->value < two->value ? -1 : one->value > two->value;
}

static struct linear_op *writer_of(const struct checking *checking, uint32_t value)
{
    const struct linear_op like = { .kind = LINEAR_WRITE, .value = value };

    return bsearch(&like, checking->ops, checking->count, sizeof like, by_value);
}

static bool made(struct checking *checking, struct linear_op *op, uint64_t version)
{
    struct linear_op **maker = &checking->maker[version - checking->first];

    if (version <= checking->first)
        return fail(checking, "a write made version %" PRIu64, version);
    if (*maker && *maker != op)
        return fail(checking, "version %" PRIu64 " was made twice: of %" PRIu32 " and of %" PRIu32,
                    version, (*maker)->value, op->value);
    if (op->if_match && version != op->if_match + 1)
        return fail(checking, "a write on version %" PRIu64 " made version %" PRIu64, op->if_match,
                    version);
    op->version = version;
    *maker = op;
    return true;
}

static bool read_fits(struct checking *checking, const struct linear_op *read, uint32_t first_value)
{
    struct linear_op *writer = writer_of(checking, read->value);

    if (read->value == first_value)
        return read->version == checking->first ||
               fail(checking, "version %" PRIu64 " was read as the first", read->version);
    if (!writer)
        return fail(checking, "%" PRIu32 " was read and never written", read->value);
    if (writer->outcome == LINEAR_REFUSED)
        return fail(checking, "%" PRIu32 " was read, whose write had been refused", read->value);
    if (writer->version && writer->version != read->version)
        return fail(checking, "%" PRIu32 " was written as version %" PRIu64 ", read as %" PRIu64,
                    read->value, writer->version, read->version);
    return made(checking, writer, read->version);
}

static bool makers_find(struct checking *checking, uint32_t first_value)
{
    for (size_t i = 0; i < checking->count; i++) {
        struct linear_op *op = &checking->ops[i];

        if (op->kind == LINEAR_WRITE && op->outcome == LINEAR_DONE &&
            !made(checking, op, op->version))
            return false;
        if (i && op->kind == LINEAR_WRITE && op[-1].value == op->value)
            return fail(checking, "%" PRIu32 " is written twice", op->value);
    }
    for (size_t i = 0; i < checking->count; i++)
        if (checking->ops[i].kind == LINEAR_READ && checking->ops[i].outcome == LINEAR_DONE &&
            !read_fits(checking, &checking->ops[i], first_value))
            return false;
    return true;
}

/* ---- what each moment allows ---- */

static int by_time(const void *a, const void *b)
{
    const struct bound *one = a, *two = b;

    return one->at < two->at ? -1 : one->at > two->at;
}

/* least: by the ends of what is known, the greatest version so far; most: by the beginnings, the
 * smallest that is still to be seen. */
static void bounds_make(struct checking *checking)
{
    size_t count = 0;

    for (size_t i = 0; i < checking->count; i++) {
        const struct linear_op *op = &checking->ops[i];

        if (!op->version || op->outcome == LINEAR_REFUSED)
            continue;
        checking->least[count] = (struct bound){ op->ended, op->version };
        checking->most[count++] =
            (struct bound){ op->begun, op->version - (op->kind == LINEAR_WRITE) };
    }
    checking->bounds = count;
    qsort(checking->least, count, sizeof *checking->least, by_time);
    qsort(checking->most, count, sizeof *checking->most, by_time);
    for (size_t i = 1; i < count; i++)
        if (checking->least[i].version < checking->least[i - 1].version)
            checking->least[i].version = checking->least[i - 1].version;
    for (size_t i = count; i-- > 1;)
        if (checking->most[i - 1].version > checking->most[i].version)
            checking->most[i - 1].version = checking->most[i].version;
}

/* How many of them lie before a moment; those at it do not. */
static size_t before(const struct bound *bounds, size_t count, double at)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (bounds[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t least_at(const struct checking *checking, double at)
{
    size_t count = before(checking->least, checking->bounds, at);

    return count ? checking->least[count - 1].version : checking->first;
}

static uint64_t most_at(const struct checking *checking, double at)
{
    size_t count = before(checking->most, checking->bounds, at);

    while (count < checking->bounds && checking->most[count].at <= at)
        count++;
    return count < checking->bounds ? checking->most[count].version : UINT64_MAX;
}

/* ---- unknown writes, where versions lack a maker ---- */

static bool could_make(const struct checking *checking, const struct linear_op *op,
                       uint64_t version)
{
    return op->kind == LINEAR_WRITE && op->outcome == LINEAR_UNKNOWN &&
           (!op->if_match || op->if_match + 1 == version) &&
           version > least_at(checking, op->begun) && version <= most_at(checking, op->ended);
}

/* An augmenting path of the matching between versions and unknown writes. */
static bool match(struct checking *checking, uint64_t version, bool *tried)
{
    for (size_t i = 0; i < checking->count; i++) {
        struct linear_op *op = &checking->ops[i];
        uint64_t had = op->version;

        if (tried[i] || !could_make(checking, op, version))
            continue;
        tried[i] = true;
        if (had && !match(checking, had, tried))
            continue;
        op->version = version;
        checking->maker[version - checking->first] = op;
        return true;
    }
    return false;
}

static bool gaps_fill(struct checking *checking)
{
    bool *fixed = calloc(checking->count + 1, 1), *tried = calloc(checking->count + 1, 1);
    bool filled = true;

    for (size_t i = 0; i < checking->count; i++) /* a read has told of it */
        fixed[i] = checking->ops[i].version != 0;

    for (uint64_t version = checking->first + 1; filled && version <= checking->last; version++) {
        if (checking->maker[version - checking->first])
            continue;
        memcpy(tried, fixed, checking->count);
        filled = match(checking, version, tried) ||
                 fail(checking, "nobody can have made version %" PRIu64, version);
    }
    free(fixed);
    free(tried);
    return filled;
}

/* ---- the order ---- */

static bool order_fits(struct checking *checking, const struct linear_op *op)
{
    uint64_t least = least_at(checking, op->begun);

    if (op->outcome == LINEAR_REFUSED)
        return !op->if_match || least != op->if_match ||
               most_at(checking, op->ended) != op->if_match ||
               fail(checking, "a write on version %" PRIu64 " was refused, which it was throughout",
                    op->if_match);
    if (!op->version)
        return true;
    if (op->kind == LINEAR_READ && op->version < least)
        return fail(checking, "version %" PRIu64 " was read after version %" PRIu64 " was known",
                    op->version, least);
    if (op->kind == LINEAR_WRITE && op->version <= least)
        return fail(checking, "version %" PRIu64 " was made after version %" PRIu64 " was known",
                    op->version, least);
    return true;
}

static bool check(struct checking *checking, uint32_t first_value)
{
    if (!makers_find(checking, first_value))
        return false;
    bounds_make(checking);
    for (size_t i = 0; i < checking->count; i++)
        if (!order_fits(checking, &checking->ops[i]))
            return false;
    return gaps_fill(checking);
}

bool linear_check(struct linear_op *ops, size_t count, uint64_t first_version, uint32_t first_value,
                  char wrong[256])
{
    struct checking checking = {
        .ops = ops, .count = count, .first = first_version, .last = first_version, .wrong = wrong
    };
    bool fits;

    qsort(ops, count, sizeof *ops, by_value);
    for (size_t i = 0; i < count; i++)
        if (ops[i].outcome == LINEAR_DONE && ops[i].version > checking.last)
            checking.last = ops[i].version;
    checking.maker = calloc(checking.last - first_version + 1, sizeof(struct linear_op *));
    checking.least = calloc(count + 1, sizeof *checking.least);
    checking.most = calloc(count + 1, sizeof *checking.most);
    fits = check(&checking, first_value);
    free(checking.maker);
    free(checking.least);
    free(checking.most);
    return fits;
}
