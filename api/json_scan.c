#include "api/json_scan.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "api/number.h"

/* Bytes of the sequence that starts here, 0 when it is none. */
static size_t utf8_sequence(const unsigned char *s, size_t room)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xC2 && s[0] <= 0xDF)
        return room >= 2 && (s[1] & 0xC0) == 0x80 ? 2 : 0;
    if (s[0] >= 0xE0 && s[0] <= 0xEF) {
        if (room < 3 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80)
            return 0;
        if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))
            return 0;
        return 3;
    }
    if (s[0] >= 0xF0 && s[0] <= 0xF4) {
        if (room < 4 || (s[1] & 0xC0) != 0x80 || (s[2] & 0xC0) != 0x80 || (s[3] & 0xC0) != 0x80)
            return 0;
        if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
            return 0;
        return 4;
    }
    return 0;
}

bool utf8_valid(const char *text, size_t length, size_t *bad)
{
    size_t i = 0;

    while (i < length) {
        uint64_t eight, more[4];
        size_t step;

        if (length - i >= sizeof more) {
            memcpy(more, text + i, sizeof more);
            if (!((more[0] | more[1] | more[2] | more[3]) & 0x8080808080808080u)) {
                i += sizeof more;
                continue;
            }
        }
        if (length - i >= 8) {
            memcpy(&eight, text + i, 8);
            if (!(eight & 0x8080808080808080u)) {
                i += 8;
                continue;
            }
        }
        step = utf8_sequence((const unsigned char *)text + i, length - i);
        if (!step) {
            *bad = i;
            return false;
        }
        i += step;
    }
    return true;
}

static bool scan_fail(const struct scan *scan, struct fault *why, const char *sentence)
{
    return fault_set(why, FAULT_INPUT, "The JSON is malformed at byte %zu of the body: %s",
                     (size_t)(scan->at - scan->begin), sentence);
}

bool scan_begin(struct scan *scan, const char *text, size_t length, struct arena *arena,
                struct fault *why)
{
    size_t bad = 0;

    *scan = (struct scan){ .begin = text, .at = text, .end = text + length, .arena = arena };
    if (length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
        return scan_fail(scan, why, "it begins with a byte order mark, which JSON does not have");
    if (!utf8_valid(text, length, &bad)) {
        scan->at = text + bad;
        return scan_fail(scan, why, "this is not UTF-8");
    }
    return true;
}

char scan_peek(struct scan *scan)
{
    while (scan->at < scan->end &&
           (*scan->at == ' ' || *scan->at == '\n' || *scan->at == '\t' || *scan->at == '\r'))
        scan->at++;
    return scan->at < scan->end ? *scan->at : '\0';
}

bool scan_end(struct scan *scan, struct fault *why)
{
    scan_peek(scan);
    return scan->at == scan->end || scan_fail(scan, why, "text after the end of the value");
}

bool scan_take(struct scan *scan, char wanted)
{
    if (scan_peek(scan) != wanted || scan->at == scan->end)
        return false;
    scan->at++;
    return true;
}

bool scan_expect(struct scan *scan, char wanted, struct fault *why)
{
    char sentence[48] = "expected '?' here";

    if (scan_take(scan, wanted))
        return true;
    sentence[10] = wanted;
    return scan_fail(scan, why, sentence);
}

bool scan_word(struct scan *scan, const char *word)
{
    size_t length = strlen(word);

    scan_peek(scan);
    if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length))
        return false;
    scan->at += length;
    return true;
}

bool scan_open(struct scan *scan, char bracket, struct fault *why)
{
    if (!scan_expect(scan, bracket, why))
        return false;
    if (++scan->depth > SCAN_DEPTH_MOST)
        return scan_fail(scan, why, "more than 64 levels of nesting");
    return true;
}

bool scan_more(struct scan *scan, char closing, bool *first, bool *more, struct fault *why)
{
    bool began = *first;

    *first = false;
    *more = !scan_take(scan, closing);
    if (!*more) {
        scan->depth--;
        return true;
    }
    return began || scan_expect(scan, ',', why);
}

/* The four digits after \u; -1 when they are none. */
static int hex4(const char *at, const char *end)
{
    int value = 0;

    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static char *utf8_put(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* \uXXXX, with the second half of a pair; scan->at stands behind the 'u'. */
static bool scan_unicode(struct scan *scan, char **to, struct fault *why)
{
    int high = hex4(scan->at, scan->end);
    uint32_t code;

    if (high < 0)
        return scan_fail(scan, why, "\\u needs four hexadecimal digits");
    if (high == 0)
        return scan_fail(scan, why, "a text may not contain NUL");
    scan->at += 4;
    code = (uint32_t)high;
    if (high >= 0xDC00 && high <= 0xDFFF)
        return scan_fail(scan, why, "half of a surrogate pair");
    if (high >= 0xD800 && high <= 0xDBFF) {
        int low = scan->end - scan->at >= 6 && scan->at[0] == '\\' && scan->at[1] == 'u'
                      ? hex4(scan->at + 2, scan->end)
                      : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return scan_fail(scan, why, "half of a surrogate pair");
        scan->at += 6;
        code = 0x10000 + ((uint32_t)high - 0xD800) * 0x400 + ((uint32_t)low - 0xDC00);
    }
    *to = utf8_put(*to, code);
    return true;
}

static bool scan_escape(struct scan *scan, char **to, struct fault *why)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *which;

    if (scan->at == scan->end)
        return scan_fail(scan, why, "the text has no end");
    if (*scan->at == 'u') {
        scan->at++;
        return scan_unicode(scan, to, why);
    }
    which = *scan->at ? strchr(from, *scan->at) : NULL;
    if (!which)
        return scan_fail(scan, why, "no such escape in a text");
    *(*to)++ = into[which - from];
    scan->at++;
    return true;
}

/* scan->at stands at the first backslash; what came before begins at `begin`. */
static bool scan_escaped(struct scan *scan, const char *begin, struct slice *text,
                         struct fault *why)
{
    const char *close = scan->at;
    char *made, *to;

    while (close < scan->end && *close != '"')
        close += *close == '\\' && close + 1 < scan->end ? 2 : 1;
    made = arena_new(scan->arena, (size_t)(close - begin) + 1);
    if (!made)
        return fault_set(why, FAULT_MEMORY, "No memory for a text of the body");
    memcpy(made, begin, (size_t)(scan->at - begin));
    to = made + (scan->at - begin);
    while (scan->at < scan->end && *scan->at != '"') {
        if ((unsigned char)*scan->at < 0x20)
            return scan_fail(scan, why, "a control character in a text");
        if (*scan->at != '\\') {
            *to++ = *scan->at++;
            continue;
        }
        scan->at++;
        if (!scan_escape(scan, &to, why))
            return false;
    }
    *text = (struct slice){ made, (size_t)(to - made) };
    return true;
}

bool scan_text(struct scan *scan, struct slice *text, struct fault *why)
{
    const char *begin;

    if (!scan_expect(scan, '"', why))
        return false;
    begin = scan->at;
    while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\\' &&
           (unsigned char)*scan->at >= 0x20)
        scan->at++;
    *text = (struct slice){ begin, (size_t)(scan->at - begin) };
    if (scan->at < scan->end && *scan->at == '\\' && !scan_escaped(scan, begin, text, why))
        return false;
    if (scan->at == scan->end)
        return scan_fail(scan, why, "the text has no end");
    if (*scan->at != '"')
        return scan_fail(scan, why, "a control character in a text");
    scan->at++;
    return true;
}

bool scan_number(struct scan *scan, double *value, struct fault *why)
{
    const char *end;

    scan_peek(scan);
    end = number_scan(scan->at, scan->end, value);
    if (!end)
        return scan_fail(scan, why, "expected a number here (NaN and Infinity are none)");
    if (isinf(*value))
        return scan_fail(scan, why, "the number is longer than 64 characters or beyond 1.7e308");
    scan->at = end;
    return true;
}

static bool scan_skip_nested(struct scan *scan, char open, char close, struct fault *why)
{
    bool first = true, more;
    struct slice name;

    if (!scan_open(scan, open, why))
        return false;
    for (;;) {
        if (!scan_more(scan, close, &first, &more, why))
            return false;
        if (!more)
            return true;
        if (open == '{' && (!scan_text(scan, &name, why) || !scan_expect(scan, ':', why)))
            return false;
        if (!scan_skip(scan, why))
            return false;
    }
}

bool scan_skip(struct scan *scan, struct fault *why)
{
    struct slice text;
    double number;

    switch (scan_peek(scan)) {
    case '{':
        return scan_skip_nested(scan, '{', '}', why);
    case '[':
        return scan_skip_nested(scan, '[', ']', why);
    case '"':
        return scan_text(scan, &text, why);
    case '\0':
        return scan_fail(scan, why, "a value is missing");
    default:
        if (scan_word(scan, "null") || scan_word(scan, "true") || scan_word(scan, "false"))
            return true;
        return scan_number(scan, &number, why);
    }
}
