#include "api/media.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char MEDIA_JSON[] = "application/json", MEDIA_PROBLEM[] = "application/problem+json";

static const char blank[] = " \t";

/* The length of a type without its parameters. */
static size_t type_length(const char *type)
{
    return strcspn(type, ";, \t");
}

int media_find(const char *const *types, const char *type)
{
    size_t length;

    type += strspn(type, blank);
    length = type_length(type);
    for (int i = 0; types[i]; i++)
        if (type_length(types[i]) == length && !strncasecmp(types[i], type, length))
            return i;
    return -1;
}

/* One element of a comma-separated header: its text, and its q parameter, 1 by default. */
struct element {
    const char *text;
    size_t length;
    double q;
};

static double element_q(const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        const char *semi = memchr(text, ';', (size_t)(end - text));
        if (!semi)
            return 1;
        text = semi + 1;
        while (text < end && strchr(blank, *text))
            text++;
        if (end - text >= 3 && (text[0] | 32) == 'q' && text[1] == '=') {
            char number[8] = "";
            snprintf(number, sizeof number, "%.*s", (int)(end - text - 2), text + 2);
            return strtod(number, NULL);
        }
    }
    return 1;
}

static bool element_next(const char **at, struct element *element)
{
    const char *text = *at + strspn(*at, " \t,");
    size_t whole = strcspn(text, ",");

    if (!*text)
        return false;
    *element = (struct element){ text, type_length(text), element_q(text, whole) };
    *at = text + whole;
    return true;
}

/* How well a range of Accept fits a type: 3 exactly, 2 its kind, 1 anything, 0 not. */
static int range_fits(const struct element *range, const char *type)
{
    size_t kind = strcspn(type, "/") + 1;

    if (range->length == type_length(type) && !strncasecmp(range->text, type, range->length))
        return 3;
    if (range->length == 3 && !memcmp(range->text, "*/*", 3))
        return 1;
    return range->length == kind + 1 && range->text[kind] == '*' &&
                   !strncasecmp(range->text, type, kind)
               ? 2
               : 0;
}

static double accept_q(const char *accept, const char *type)
{
    struct element range;
    double q = 0;
    int best = 0;

    while (element_next(&accept, &range)) {
        int fits = range_fits(&range, type);
        if (fits > best) {
            best = fits;
            q = range.q;
        }
    }
    return q;
}

bool media_choose(const char *const *types, const char *accept, int *chosen, struct fault *why)
{
    char all[200] = "";
    size_t used = 0;
    double best = 0;

    *chosen = 0;
    if (!accept || !*accept || !strcmp(accept, "*/*"))
        return true;
    for (int i = 0; types[i]; i++) {
        double q = accept_q(accept, types[i]);
        if (q > best) {
            best = q;
            *chosen = i;
        }
        if (used < sizeof all - 1)
            used +=
                (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", types[i]);
    }
    return best > 0 || fault_set(why, FAULT_ACCEPT, "The Accept header allows none of %s", all);
}

bool media_is_json(const char *type)
{
    size_t length = strlen(type);

    return strcmp(type, MEDIA_JSON) == 0 || (length > 5 && strcmp(type + length - 5, "+json") == 0);
}

bool media_shrinks(const char *type)
{
    static const char *const shrinking[] = { "application/json",
                                             "application/problem+json",
                                             "application/vnd.quantized-mesh",
                                             "application/vnd.oai.openapi+json",
                                             "application/geo+json",
                                             "application/schema+json",
                                             "model/gltf+json",
                                             "model/gltf-binary",
                                             "image/svg+xml",
                                             "application/javascript",
                                             "application/wasm",
                                             NULL };

    if (!strcmp(type, "text/event-stream"))
        return false; /* each event is to leave at once */
    return !strncmp(type, "text/", 5) || media_find(shrinking, type) >= 0;
}

bool media_gzip(const char *accept_encoding)
{
    struct element coding;
    double any = 0, gzip = -1;

    while (accept_encoding && element_next(&accept_encoding, &coding)) {
        if (coding.length == 4 && !strncasecmp(coding.text, "gzip", 4))
            gzip = coding.q;
        else if (coding.length == 1 && *coding.text == '*')
            any = coding.q;
    }
    return gzip >= 0 ? gzip > 0 : any > 0;
}
