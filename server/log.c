#include "server/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MOST = 2048, GATHERED_MOST = 32768 };

const char *const log_levels[] = { "debug", "info", "warning", "error", NULL };
const char *const log_formats[] = { "text", "json", NULL };

static enum log_level least_level = LOG_INFO;
static bool as_json;

static pthread_mutex_t gathered_lock = PTHREAD_MUTEX_INITIALIZER;
static char gathered[GATHERED_MOST];
static size_t gathered_length;
static bool gathering;

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
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
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

/* The second does not change for thousands of lines. */
static void stamp_print(char stamp[32])
{
    static _Thread_local time_t second;
    static _Thread_local char date[24];
    struct timespec now;
    struct tm parts;
    int thousandths;

    clock_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec != second) {
        gmtime_r(&now.tv_sec, &parts);
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
        second = now.tv_sec;
    }
    thousandths = (int)(now.tv_nsec / 1000000);
    memcpy(stamp, date, 19);
    memcpy(stamp + 19, ".000Z", 6);
    stamp[20] = (char)('0' + thousandths / 100 % 10);
    stamp[21] = (char)('0' + thousandths / 10 % 10);
    stamp[22] = (char)('0' + thousandths % 10);
}

static void line_begin(struct line *line, enum log_level level, const char *event)
{
    char stamp[32];

    stamp_print(stamp);
    if (as_json)
        line_add(line, "{", 1);
    line_text(line, "time", stamp);
    line_text(line, "level", log_levels[level]);
    line_text(line, "event", event);
}

static void line_number(struct line *line, int64_t number)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;

    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0)
        *--at = '-';
    line_add(line, at, (size_t)(digits + sizeof digits - at));
}

/* With three decimals; what is beyond is no time that a request takes. */
static void line_thousandths(struct line *line, double value)
{
    int64_t whole = value > 0 && value < 1e15 ? (int64_t)(value * 1000) : 0;
    int part = (int)(whole % 1000);
    const char decimals[4] = { '.', (char)('0' + part / 100), (char)('0' + part / 10 % 10),
                               (char)('0' + part % 10) };

    line_number(line, whole / 1000);
    line_add(line, decimals, sizeof decimals);
}

static void line_pair(struct line *line, const char *key, va_list *values)
{
    const char *text;

    if (key[0] == 's') {
        text = va_arg(*values, const char *);
        if (text)
            line_text(line, key + 2, text);
        return;
    }
    line_key(line, key + 2);
    if (key[0] == 'i')
        line_number(line, va_arg(*values, int64_t));
    else
        line_thousandths(line, va_arg(*values, double));
}

/* One write a line or more, so that lines of many threads do not mix. A log that cannot be written
 * to has nobody to complain to. */
static void write_all(const char *text, size_t length)
{
    while (length) {
        ssize_t wrote = write(STDERR_FILENO, text, length);
        if (wrote <= 0)
            return;
        text += wrote;
        length -= (size_t)wrote;
    }
}

/* With the lock. */
static void gathered_write(void)
{
    write_all(gathered, gathered_length);
    gathered_length = 0;
}

static void line_out(const struct line *line, enum log_level level)
{
    pthread_mutex_lock(&gathered_lock);
    if (line->used > GATHERED_MOST - gathered_length)
        gathered_write();
    memcpy(gathered + gathered_length, line->text, line->used);
    gathered_length += line->used;
    if (!gathering || level >= LOG_WARNING)
        gathered_write();
    pthread_mutex_unlock(&gathered_lock);
}

void log_gather(bool on)
{
    pthread_mutex_lock(&gathered_lock);
    gathering = on;
    gathered_write();
    pthread_mutex_unlock(&gathered_lock);
}

void log_tick(void)
{
    pthread_mutex_lock(&gathered_lock);
    gathered_write();
    pthread_mutex_unlock(&gathered_lock);
}

void log_line(enum log_level level, const char *event, ...)
{
    struct line line;
    const char *key;
    va_list values;

    if (!log_wanted(level))
        return;
    line.used = 0;
    line_begin(&line, level, event);
    va_start(values, event);
    while ((key = va_arg(values, const char *)))
        line_pair(&line, key, &values);
    va_end(values);
    if (as_json)
        line_add(&line, "}", 1);
    line.text[line.used++] = '\n';
    line_out(&line, level);
}
