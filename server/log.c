#include "server/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MOST = 2048 };

const char *const log_levels[] = { "debug", "info", "warning", "error", NULL };
const char *const log_formats[] = { "text", "json", NULL };

static enum log_level least_level = LOG_INFO;
static bool as_json;

struct line {
    char text[LINE_MOST];
    size_t used;
};

void log_setup(enum log_level least, bool json)
{
    least_level = least;
    as_json = json;
}

bool log_wanted(enum log_level level)
{
    return level >= least_level;
}

static void line_add(struct line *line, const char *text, size_t length)
{
    size_t room = LINE_MOST - 8 - line->used;

    if (length > room)
        length = room;
    memcpy(line->text + line->used, text, length);
    line->used += length;
}

/* In quotes, with what would break the line escaped. */
static void line_quote(struct line *line, const char *text)
{
    line_add(line, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F) {
            line_add(line, text, 1);
            continue;
        }
        snprintf(escape, sizeof escape, "\\u%04x", c);
        line_add(line, escape, 6);
    }
    line_add(line, "\"", 1);
}

static bool is_plain(const char *text)
{
    return *text && !text[strcspn(text, " \"\\=\t\r\n")];
}

static void line_key(struct line *line, const char *key)
{
    if (as_json) {
        line_add(line, line->used > 1 ? "," : "", line->used > 1);
        line_quote(line, key);
        line_add(line, ":", 1);
        return;
    }
    line_add(line, " ", line->used > 0);
    line_add(line, key, strlen(key));
    line_add(line, "=", 1);
}

static void line_text(struct line *line, const char *key, const char *text)
{
    line_key(line, key);
    if (!as_json && is_plain(text))
        line_add(line, text, strlen(text));
    else
        line_quote(line, text);
}

static void line_begin(struct line *line, enum log_level level, const char *event)
{
    struct timespec now;
    struct tm parts;
    char stamp[96];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    snprintf(stamp, sizeof stamp, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ",
             (parts.tm_year + 1900) % 10000, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
             parts.tm_min, parts.tm_sec, now.tv_nsec / 1000000);
    if (as_json)
        line_add(line, "{", 1);
    line_text(line, "time", stamp);
    line_text(line, "level", log_levels[level]);
    line_text(line, "event", event);
}

static void line_pair(struct line *line, const char *key, va_list *values)
{
    char number[40];
    const char *text;

    switch (key[0]) {
    case 's':
        text = va_arg(*values, const char *);
        if (text)
            line_text(line, key + 2, text);
        return;
    case 'i':
        snprintf(number, sizeof number, "%" PRId64, va_arg(*values, int64_t));
        break;
    default:
        snprintf(number, sizeof number, "%.3f", va_arg(*values, double));
        break;
    }
    line_key(line, key + 2);
    line_add(line, number, strlen(number));
}

void log_line(enum log_level level, const char *event, ...)
{
    struct line line = { .used = 0 };
    const char *key;
    va_list values;

    if (!log_wanted(level))
        return;
    line_begin(&line, level, event);
    va_start(values, event);
    while ((key = va_arg(values, const char *)))
        line_pair(&line, key, &values);
    va_end(values);
    if (as_json)
        line_add(&line, "}", 1);
    line.text[line.used++] = '\n';
    /* One write a line, so that lines of many threads do not mix. A log that cannot be written to
     * has nobody to complain to. */
    if (write(STDERR_FILENO, line.text, line.used) < 0)
        return;
}
