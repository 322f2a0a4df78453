#include "api/route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/echo.h"

/* A segment of a row's path: a word, or a member with text around it. */
struct pattern {
    const char *text; /* as the row spells it */
    size_t length;
    size_t before, after; /* of "{name}": text in front and behind; the whole for a word */
    bool member;
};

struct node {
    struct pattern pattern;
    struct node *
        *children; /* words first, then members by the length of their text, longest first */
    size_t child_count;
    const struct endpoint *rows[ROUTE_METHODS_MOST];
    size_t row_count;
};

struct routes {
    struct node root;
};

static struct pattern pattern_of(const char *text, size_t length)
{
    struct pattern pattern = { text, length, length, 0, false };
    const char *open = memchr(text, '{', length);
    const char *close = open ? memchr(open, '}', length - (size_t)(open - text)) : NULL;

    if (close) {
        pattern.member = true;
        pattern.before = (size_t)(open - text);
        pattern.after = (size_t)(text + length - close - 1);
    }
    return pattern;
}

static bool pattern_same(const struct pattern *a, const struct pattern *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool pattern_before(const struct pattern *a, const struct pattern *b)
{
    if (a->member != b->member)
        return !a->member;
    return a->before + a->after > b->before + b->after;
}

/* Lends the member's part of the segment. */
static bool pattern_meets(const struct pattern *pattern, const char *segment, size_t length,
                          const char **value, size_t *value_length)
{
    if (!pattern->member)
        return length == pattern->length && !memcmp(segment, pattern->text, length);
    if (length <= pattern->before + pattern->after ||
        memcmp(segment, pattern->text, pattern->before) ||
        memcmp(segment + length - pattern->after, pattern->text + pattern->length - pattern->after,
               pattern->after))
        return false;
    *value = segment + pattern->before;
    *value_length = length - pattern->before - pattern->after;
    return true;
}

static struct node *node_child(struct node *node, struct pattern pattern)
{
    struct node **children, *child;
    size_t at = 0;

    for (size_t i = 0; i < node->child_count; i++)
        if (pattern_same(&node->children[i]->pattern, &pattern))
            return node->children[i];
    children = realloc(node->children, (node->child_count + 1) * sizeof *children);
    if (!children)
        return NULL;
    node->children = children;
    child = calloc(1, sizeof *child);
    if (!child)
        return NULL;
    child->pattern = pattern;
    while (at < node->child_count && !pattern_before(&pattern, &children[at]->pattern))
        at++;
    memmove(children + at + 1, children + at, (node->child_count - at) * sizeof *children);
    children[at] = child;
    node->child_count++;
    return child;
}

static bool node_add(struct node *node, const struct endpoint *row, struct fault *why)
{
    const char *at = row->path;

    while (*at == '/' && at[1]) {
        size_t length = strcspn(++at, "/");
        node = node_child(node, pattern_of(at, length));
        if (!node)
            return fault_set(why, FAULT_MEMORY, "No memory for the route table");
        at += length;
    }
    for (size_t i = 0; i < node->row_count; i++)
        if (!strcmp(node->rows[i]->method, row->method))
            return fault_set(why, FAULT_INTERNAL, "Two rows answer %s %s", row->method, row->path);
    if (node->row_count == ROUTE_METHODS_MOST)
        return fault_set(why, FAULT_INTERNAL, "Too many methods at %s", row->path);
    node->rows[node->row_count++] = row;
    return true;
}

struct routes *routes_new(const struct endpoint *const *rows, size_t count, struct fault *why)
{
    struct routes *routes = calloc(1, sizeof *routes);

    if (!routes) {
        fault_set(why, FAULT_MEMORY, "No memory for the route table");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (!node_add(&routes->root, rows[i], why)) {
            routes_free(routes);
            return NULL;
        }
    }
    return routes;
}

static void node_fini(struct node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        node_fini(node->children[i]);
        free(node->children[i]);
    }
    free(node->children);
}

void routes_free(struct routes *routes)
{
    if (routes)
        node_fini(&routes->root);
    free(routes);
}

struct segment {
    const char *text;
    size_t length;
};

/* Cuts at '/', then decodes: what a segment hides stays in it. The root has no segments. */
static bool path_cut(const char *path, size_t length, struct arena *arena,
                     struct segment segments[ROUTE_DEPTH_MOST], size_t *count, struct fault *why)
{
    const char *end = path + length;
    char room[ECHO_ROOM];

    *count = 0;
    if (!length || *path != '/')
        return fault_set(why, FAULT_INPUT, "The path %s does not begin with a slash",
                         echo_text(path, length, room));
    while (path < end && path + 1 < end) {
        const char *next = memchr(path + 1, '/', (size_t)(end - path - 1));
        size_t raw = (size_t)((next ? next : end) - path - 1);
        struct segment *segment = &segments[*count];
        if (*count == ROUTE_DEPTH_MOST)
            return fault_set(why, FAULT_MISSING, "No path here has more than %d segments",
                             ROUTE_DEPTH_MOST);
        *segment = (struct segment){ path + 1, raw };
        if (memchr(path + 1, '%', raw)) {
            segment->text = percent_decode(path + 1, raw, false, arena, why);
            if (!segment->text)
                return false;
            segment->length = strlen(segment->text);
            if (strchr(segment->text, '/'))
                return fault_set(why, FAULT_INPUT,
                                 "The segment %s hides a slash (%%2F), which no name may contain",
                                 echo_text(segment->text, segment->length, room));
        }
        ++*count;
        path = next ? next : end;
        if (next && next + 1 == end) { /* a slash at the end is an empty segment */
            if (*count == ROUTE_DEPTH_MOST)
                return fault_set(why, FAULT_MISSING, "No path here has more than %d segments",
                                 ROUTE_DEPTH_MOST);
            segments[(*count)++] = (struct segment){ end, 0 };
        }
    }
    return true;
}

static bool value_add(const struct pattern *pattern, const char *text, size_t length,
                      struct arena *arena, struct route *route)
{
    struct path_value *value = &route->values[route->value_count];
    size_t name = pattern->length - pattern->before - pattern->after - 2;

    if (route->value_count == ROUTE_VALUES_MOST)
        return false;
    /* The first byte of the room is the name's, the value's stands behind it. */
    char *room = arena_new(arena, name + length + 2);
    if (!room)
        return false;
    memcpy(room, pattern->text + pattern->before + 1, name);
    memcpy(room + name + 1, text, length);
    *value = (struct path_value){ room, room + name + 1 };
    route->value_count++;
    return true;
}

/* The first way down the tree that ends at rows; patterns are tried in their order. */
static const struct node *node_walk(const struct node *node, const struct segment *segments,
                                    size_t count, struct arena *arena, struct route *route)
{
    size_t had = route->value_count;

    if (!count)
        return node->row_count ? node : NULL;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct node *child = node->children[i], *found;
        const char *text = NULL;
        size_t length = 0;
        if (!pattern_meets(&child->pattern, segments->text, segments->length, &text, &length))
            continue;
        if (child->pattern.member && !value_add(&child->pattern, text, length, arena, route))
            return NULL;
        found = node_walk(child, segments + 1, count - 1, arena, route);
        if (found)
            return found;
        route->value_count = had;
    }
    return NULL;
}

/* Where a path goes wrong: behind the last node that it reaches, unless one segment elsewhere,
 * spelt as what is there, makes it lead somewhere. */
struct astray {
    const struct node *node;
    size_t depth;
    const char *meant; /* that segment as it is spelt there, or NULL */
};

static bool leads(const struct node *node, const struct segment *segments, size_t count)
{
    const char *text;
    size_t length;

    if (!count)
        return node->row_count > 0;
    for (size_t i = 0; i < node->child_count; i++)
        if (pattern_meets(&node->children[i]->pattern, segments->text, segments->length, &text,
                          &length) &&
            leads(node->children[i], segments + 1, count - 1))
            return true;
    return false;
}

/* The child that is most like the segment, as rows spell it; NULL when none is like it. */
static const struct node *nearest_child(const struct node *node, const struct segment *segment,
                                        struct arena *arena, const char **word)
{
    const char *wrong = arena_print(arena, "%.*s", (int)segment->length, segment->text);
    const char **words = arena_new(arena, (node->child_count + 1) * sizeof *words);

    *word = NULL;
    if (!wrong || !words)
        return NULL;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct pattern *pattern = &node->children[i]->pattern;

        words[i] = arena_print(arena, "%.*s", (int)pattern->length, pattern->text);
        if (!words[i])
            return NULL;
    }
    *word = word_nearest(wrong, words, node->child_count);
    for (size_t i = 0; *word && i < node->child_count; i++)
        if (words[i] == *word)
            return node->children[i];
    return NULL;
}

static void follow(const struct node *node, const struct segment *segments, size_t count,
                   size_t depth, struct arena *arena, struct astray *astray)
{
    const struct node *near;
    const char *word, *text;
    size_t length;

    if (!astray->meant && (!astray->node || depth > astray->depth))
        *astray = (struct astray){ node, depth, NULL };
    if (depth == count)
        return;
    near = nearest_child(node, &segments[depth], arena, &word);
    if (near && !astray->meant && leads(near, segments + depth + 1, count - depth - 1))
        *astray = (struct astray){ node, depth, word };
    for (size_t i = 0; i < node->child_count; i++)
        if (pattern_meets(&node->children[i]->pattern, segments[depth].text, segments[depth].length,
                          &text, &length))
            follow(node->children[i], segments, count, depth + 1, arena, astray);
}

/* Names the segment from which on nothing is there, and what is there like it. */
static bool refuse_path(const struct routes *routes, const struct segment *segments, size_t count,
                        struct arena *arena, struct fault *why)
{
    struct astray astray = { 0 };
    char room[ECHO_ROOM];

    follow(&routes->root, segments, count, 0, arena, &astray);
    if (astray.depth == count)
        return fault_set(why, FAULT_MISSING,
                         "There is nothing at this path, only at longer ones; GET /v1 lists what "
                         "there is");
    if (!astray.meant)
        nearest_child(astray.node, &segments[astray.depth], arena, &astray.meant);
    return fault_set(why, FAULT_MISSING,
                     "There is nothing at %s, segment %zu of the path; %s%s%sGET /v1 lists what "
                     "there is",
                     echo_text(segments[astray.depth].text, segments[astray.depth].length, room),
                     astray.depth + 1, astray.meant ? "did you mean " : "",
                     astray.meant ? astray.meant : "", astray.meant ? "? " : "");
}

bool route_find(const struct routes *routes, const char *path, size_t length, struct arena *arena,
                struct route *route, struct fault *why)
{
    struct segment segments[ROUTE_DEPTH_MOST] = { { NULL, 0 } };
    const struct node *found;
    size_t count;

    *route = (struct route){ 0 };
    if (!path_cut(path, length, arena, segments, &count, why))
        return false;
    found = node_walk(&routes->root, segments, count, arena, route);
    if (!found)
        return refuse_path(routes, segments, count, arena, why);
    memcpy(route->rows, found->rows, sizeof route->rows);
    route->row_count = found->row_count;
    return true;
}

const struct endpoint *route_row(const struct route *route, const char *method)
{
    if (!strcmp(method, "HEAD"))
        method = "GET";
    for (size_t i = 0; i < route->row_count; i++)
        if (!strcmp(route->rows[i]->method, method))
            return route->rows[i];
    return NULL;
}

const char *route_allow(const struct route *route, char allow[ALLOW_ROOM])
{
    size_t used = 0;

    for (size_t i = 0; i < route->row_count; i++) {
        const char *method = route->rows[i]->method;
        used += (size_t)snprintf(allow + used, ALLOW_ROOM - used, "%s%s, ", method,
                                 strcmp(method, "GET") ? "" : ", HEAD");
    }
    snprintf(allow + used, ALLOW_ROOM - used, "OPTIONS");
    return allow;
}
