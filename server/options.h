/* What the daemon was told to do: the command line over a configuration file over defaults. */
#ifndef SERVER_OPTIONS_H
#define SERVER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "api/service.h"
#include "terrain/base/fault.h"
#include "terrain/base/field.h"

enum command { COMMAND_SERVE, COMMAND_HELP, COMMAND_VERSION, COMMAND_MANUAL, COMMAND_NEW_TOKEN };

struct options {
    enum command command;
    const char *token_name, *token_scopes; /* of --new-token */
#define TEXT(name, value, placeholder, help)            const char *name;
#define WORD(name, words, value, help)                  int name;
#define COUNT(name, value, least, greatest, unit, help) int64_t name;
#include "server/options.def"
#undef TEXT
#undef WORD
#undef COUNT
    struct limits limits;
};

/* Fails with INPUT and a sentence for the user. Texts are lent from argv or never freed: there is
 * one struct options in a process. */
bool options_read(struct options *options, int count, char **words, struct fault *why);

void options_help(FILE *to);
void options_manual(FILE *to); /* the manual page, troff */

#endif
