#include "server/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "server/log.h"

enum option_kind { OPTION_TEXT, OPTION_WORD, OPTION_COUNT };

struct option_row {
    const char *name; /* with '_', said with '-' */
    enum option_kind kind;
    size_t at;
    const char *text, *placeholder;
    const char *const *words;
    int64_t value, least, greatest;
    const char *unit, *help;
    bool limit;
};

static const struct option_row rows[] = {
#define TEXT(name_, value_, placeholder_, help_)                                                   \
    { .name = #name_,                                                                              \
      .kind = OPTION_TEXT,                                                                         \
      .at = offsetof(struct options, name_),                                                       \
      .text = value_,                                                                              \
      .placeholder = placeholder_,                                                                 \
      .help = help_ },
#define WORD(name_, words_, value_, help_)                                                         \
    { .name = #name_,                                                                              \
      .kind = OPTION_WORD,                                                                         \
      .at = offsetof(struct options, name_),                                                       \
      .words = words_,                                                                             \
      .value = value_,                                                                             \
      .placeholder = "WORD",                                                                       \
      .help = help_ },
#define COUNT(name_, value_, least_, greatest_, unit_, help_)                                      \
    { .name = #name_,                                                                              \
      .kind = OPTION_COUNT,                                                                        \
      .at = offsetof(struct options, name_),                                                       \
      .value = value_,                                                                             \
      .least = least_,                                                                             \
      .greatest = greatest_,                                                                       \
      .unit = unit_,                                                                               \
      .placeholder = "N",                                                                          \
      .help = help_ },
#define LIMIT(name_, value_, least_, greatest_, unit_, help_)                                      \
    { .name = #name_,                                                                              \
      .kind = OPTION_COUNT,                                                                        \
      .at = offsetof(struct options, limits.name_),                                                \
      .value = value_,                                                                             \
      .least = least_,                                                                             \
      .greatest = greatest_,                                                                       \
      .unit = unit_,                                                                               \
      .placeholder = "N",                                                                          \
      .help = help_,                                                                               \
      .limit = true },
#include "server/options.def"
#include "api/limits.def"
#undef TEXT
#undef WORD
#undef COUNT
#undef LIMIT
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

static void spell(const char *name, char dashed[64])
{
    size_t i = 0;

    for (; name[i] && i < 63; i++)
        dashed[i] = name[i] == '_' ? '-' : name[i];
    dashed[i] = '\0';
}

static void *row_place(const struct option_row *row, struct options *options)
{
    return (char *)options + row->at;
}

static void defaults(struct options *options)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        void *at = row_place(&rows[i], options);
        if (rows[i].kind == OPTION_TEXT)
            *(const char **)at = rows[i].text;
        else if (rows[i].kind == OPTION_WORD)
            *(int *)at = (int)rows[i].value;
        else
            *(int64_t *)at = rows[i].value;
    }
}

static const struct option_row *row_find(const char *name, size_t length)
{
    char dashed[64];

    for (size_t i = 0; i < ROW_COUNT; i++) {
        spell(rows[i].name, dashed);
        if (strlen(dashed) == length &&
            (!strncmp(dashed, name, length) || !strncmp(rows[i].name, name, length)))
            return &rows[i];
    }
    return NULL;
}

static bool unknown(const char *name, struct fault *why)
{
    char dashed[ROW_COUNT][64];
    const char *words[ROW_COUNT], *near;

    for (size_t i = 0; i < ROW_COUNT; i++) {
        spell(rows[i].name, dashed[i]);
        words[i] = dashed[i];
    }
    near = word_nearest(name, words, ROW_COUNT);
    if (near)
        return fault_set(why, FAULT_INPUT, "There is no option \"%.60s\"; did you mean --%s?", name,
                         near);
    return fault_set(why, FAULT_INPUT, "There is no option \"%.60s\"; see --help", name);
}

static bool count_set(const struct option_row *row, const char *text, int64_t *to,
                      struct fault *why)
{
    char *end = NULL;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < row->least || value > row->greatest)
        return fault_set(why, FAULT_INPUT,
                         "%s must be a whole number from %" PRId64 " to %" PRId64
                         " (%s), not \"%.40s\"",
                         row->name, row->least, row->greatest, row->unit, text);
    *to = value;
    return true;
}

static bool word_set(const struct option_row *row, const char *text, int *to, struct fault *why)
{
    char all[128] = "";
    size_t used = 0;

    for (int i = 0; row->words[i]; i++) {
        if (!strcmp(row->words[i], text)) {
            *to = i;
            return true;
        }
        used +=
            (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", row->words[i]);
    }
    return fault_set(why, FAULT_INPUT, "%s must be one of %s, not \"%.40s\"", row->name, all, text);
}

static bool row_set(const struct option_row *row, const char *text, struct options *options,
                    struct fault *why)
{
    void *at = row_place(row, options);

    if (row->kind == OPTION_COUNT)
        return count_set(row, text, at, why);
    if (row->kind == OPTION_WORD)
        return word_set(row, text, at, why);
    *(const char **)at = text;
    return true;
}

static char *trimmed(char *text)
{
    char *end;

    text += strspn(text, " \t\r\n");
    end = text + strlen(text);
    while (end > text && strchr(" \t\r\n", end[-1]))
        *--end = '\0';
    return text;
}

static bool config_line(char *line, struct options *options, struct fault *why)
{
    char *text = trimmed(line), *equals = strchr(text, '=');
    const struct option_row *row;
    char *value;

    if (!*text || *text == '#')
        return true;
    if (!equals)
        return fault_set(why, FAULT_INPUT, "\"%.60s\" is not of the form `name = value`", text);
    *equals = '\0';
    text = trimmed(text);
    row = row_find(text, strlen(text));
    if (!row)
        return unknown(text, why);
    if (!strcmp(row->name, "config"))
        return fault_set(why, FAULT_INPUT, "A configuration file cannot name another one");
    value = trimmed(equals + 1);
    if (row->kind == OPTION_TEXT) /* which outlives the line */
        value = strdup(value);
    return value ? row_set(row, value, options, why)
                 : fault_set(why, FAULT_MEMORY, "No memory for an option");
}

static bool config_read(const char *file, struct options *options, struct fault *why)
{
    FILE *from = fopen(file, "re");
    char line[4096];
    bool read = true;

    if (!from)
        return fault_errno(why, FAULT_INPUT, "opening the configuration %s", file);
    for (int number = 1; read && fgets(line, sizeof line, from); number++) {
        struct fault reason;
        read = config_line(line, options, &reason);
        if (!read)
            fault_set(why, reason.code, "%.80s line %d: %.200s", file, number, reason.detail);
    }
    fclose(from);
    return read;
}

static bool new_token(struct options *options, int count, char **words, int at, struct fault *why)
{
    if (at + 2 >= count)
        return fault_set(why, FAULT_INPUT,
                         "--new-token takes a name and scopes, such as: --new-token anna edit");
    options->command = COMMAND_NEW_TOKEN;
    options->token_name = words[at + 1];
    options->token_scopes = words[at + 2];
    return true;
}

/* One word of the command line; *at moves over the value that it takes. */
static bool word_read(struct options *options, int count, char **words, int *at, bool config_only,
                      struct fault *why)
{
    const char *word = words[*at], *name = word + 2, *equals = strchr(word, '=');
    const struct option_row *row;
    const char *value;

    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        options->command = COMMAND_HELP;
    else if (!strcmp(word, "--version"))
        options->command = COMMAND_VERSION;
    else if (!strcmp(word, "--manual"))
        options->command = COMMAND_MANUAL;
    if (options->command != COMMAND_SERVE)
        return true;
    if (!strcmp(word, "--new-token"))
        return new_token(options, count, words, *at, why);
    if (strncmp(word, "--", 2))
        return fault_set(why, FAULT_INPUT, "\"%.60s\" is no option; see --help", word);
    row = row_find(name, equals ? (size_t)(equals - name) : strlen(name));
    if (!row)
        return unknown(name, why);
    value = equals ? equals + 1 : *at + 1 < count ? words[++*at] : NULL;
    if (!value)
        return fault_set(why, FAULT_INPUT, "%s needs a value: %s", word, row->help);
    if (config_only != !strcmp(row->name, "config"))
        return true;
    return row_set(row, value, options, why);
}

static bool words_read(struct options *options, int count, char **words, bool config_only,
                       struct fault *why)
{
    for (int i = 1; i < count && options->command == COMMAND_SERVE; i++)
        if (!word_read(options, count, words, &i, config_only, why))
            return false;
    return true;
}

bool options_read(struct options *options, int count, char **words, struct fault *why)
{
    *options = (struct options){ 0 };
    defaults(options);
    if (!words_read(options, count, words, true, why))
        return false;
    if (options->command != COMMAND_SERVE)
        return true;
    return (!options->config || config_read(options->config, options, why)) &&
           words_read(options, count, words, false, why);
}

static void row_help(const struct option_row *row, FILE *to)
{
    char dashed[64], left[128];

    spell(row->name, dashed);
    snprintf(left, sizeof left, "--%s %s", dashed, row->placeholder);
    fprintf(to, "  %-32s ", left);
    if (row->limit)
        fprintf(to, "at most, ");
    fprintf(to, "%s", row->help);
    if (row->kind == OPTION_COUNT)
        fprintf(to, " (%s; %" PRId64 ")", row->unit, row->value);
    else if (row->kind == OPTION_WORD)
        fprintf(to, " (%s)", row->words[row->value]);
    else if (row->text)
        fprintf(to, " (%s)", row->text);
    fputc('\n', to);
}

void options_help(FILE *to)
{
    bool limits = false;

    fprintf(to, "Usage: landscaped [OPTION VALUE]...\n"
                "       landscaped --new-token NAME SCOPES\n\n"
                "Serves landscapes over HTTP: edit, query and look at them.\n\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].limit && !limits)
            fprintf(to, "\nLimits on what a client can make the server allocate or wait for:\n");
        limits = rows[i].limit;
        row_help(&rows[i], to);
    }
    fprintf(to,
            "\n  %-32s prints a new token, and its line for --tokens\n"
            "  %-32s prints this\n  %-32s prints the version\n",
            "--new-token NAME SCOPES", "--help", "--version");
}

/* troff takes '-' for a hyphen, a leading '.' or '\'' for a command. */
static void manual_text(const char *text, FILE *to)
{
    for (; *text; text++) {
        if (*text == '-' || *text == '\\')
            fputc('\\', to);
        fputc(*text, to);
    }
}

static void manual_row(const struct option_row *row, FILE *to)
{
    char dashed[64];

    spell(row->name, dashed);
    fprintf(to, ".TP\n.BI \\-\\-");
    manual_text(dashed, to);
    fprintf(to, " \" %s\"\n", row->placeholder);
    if (row->limit)
        fprintf(to, "At most, ");
    manual_text(row->help, to);
    if (row->kind == OPTION_COUNT)
        fprintf(to, " (%s, %" PRId64 " to %" PRId64 "; default %" PRId64 ")", row->unit, row->least,
                row->greatest, row->value);
    else if (row->kind == OPTION_WORD)
        for (int i = 0; row->words[i]; i++)
            fprintf(to, "%s%s%s", i ? ", " : " (", row->words[i], row->words[i + 1] ? "" : ")");
    fputs(".\n", to);
}

void options_manual(FILE *to)
{
    bool limits = false;

    fprintf(to, ".TH LANDSCAPED 8 \"\" \"landscaped %s\"\n", PACKAGE_VERSION);
    fputs(".SH NAME\nlandscaped \\- serves landscapes over HTTP\n.SH SYNOPSIS\n.B landscaped\n"
          ".RI [ option\\  value ]...\n.br\n.B landscaped \\-\\-new\\-token\n.I name scopes\n"
          ".SH DESCRIPTION\nHolds landscapes in memory and on disk, and lets anything that speaks "
          "HTTP edit,\nquery, mesh and look at them. When it serves it prints one line on standard "
          "output,\n.BR \"landscaped listening on http://\" ADDR : PORT .\nLog lines go to "
          "standard error.\n.SH OPTIONS\n",
          to);
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].limit && !limits)
            fputs(".SH LIMITS\nWhat a client can make the server allocate, store or wait for.\n",
                  to);
        limits = rows[i].limit;
        manual_row(&rows[i], to);
    }
    fputs(".SH TOKENS\n.B \\-\\-new\\-token\n.I name scopes\nprints a token on the first line, and "
          "on the second what goes into the file of\n.BR \\-\\-tokens .\nScopes are read, edit "
          "and admin, joined by commas; each allows what the ones before it\nallow.\n"
          ".SH SIGNALS\nSIGTERM and SIGINT refuse new requests with 503, finish those under way "
          "and exit with 0; a\nsecond one exits at once.\n.SH EXIT STATUS\n0 after a clean stop, 1 "
          "when it "
          "could not start, 2 for a wrong command line.\n",
          to);
}
