#include "api/tokens.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "api/digest.h"

struct token {
    char name[65];
    enum scope scope;
    uint8_t digest[DIGEST_BYTES];
};

struct tokens {
    struct token *rows;
    size_t count;
};

static const char prefix[] = "lsd_"; /* so that scanners recognise a leaked one */

static bool scopes_read(const char *text, enum scope *scope)
{
    static const char *const words[] = { "read", "edit", "admin" };

    *scope = SCOPE_OPEN;
    while (*text) {
        size_t length = strcspn(text, ",");
        int found = -1;
        for (int i = 0; i < 3; i++)
            if (strlen(words[i]) == length && !strncmp(words[i], text, length))
                found = i;
        if (found < 0)
            return false;
        if ((int)*scope < found + SCOPE_READ)
            *scope = (enum scope)(found + SCOPE_READ);
        text += length + (text[length] == ',');
    }
    return *scope != SCOPE_OPEN;
}

static bool digest_read(const char *text, uint8_t digest[DIGEST_BYTES])
{
    if (strlen(text) != 2 * DIGEST_BYTES || strspn(text, "0123456789abcdef") != 2 * DIGEST_BYTES)
        return false;
    for (int i = 0; i < DIGEST_BYTES; i++) {
        char pair[3] = { text[2 * i], text[2 * i + 1], 0 };
        digest[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

static bool line_read(char *line, struct token *token)
{
    char *rest = NULL;
    const char *name = strtok_r(line, " \t\r\n", &rest);
    const char *scopes = strtok_r(NULL, " \t\r\n", &rest);
    const char *digest = strtok_r(NULL, " \t\r\n", &rest);

    if (!name || !scopes || !digest || strtok_r(NULL, " \t\r\n", &rest) || !name_valid(name))
        return false;
    snprintf(token->name, sizeof token->name, "%s", name);
    return scopes_read(scopes, &token->scope) && digest_read(digest, token->digest);
}

static bool lines_read(FILE *from, const char *file, struct tokens *tokens, struct fault *why)
{
    char line[512];

    for (int number = 1; fgets(line, sizeof line, from); number++) {
        struct token token = { 0 }, *rows;
        if (!line[strspn(line, " \t\r\n")] || line[strspn(line, " \t")] == '#')
            continue;
        if (!line_read(line, &token))
            return fault_set(why, FAULT_INPUT,
                             "%s line %d is not \"name scopes sha256\", such as landscaped "
                             "--new-token prints",
                             file, number);
        rows = realloc(tokens->rows, (tokens->count + 1) * sizeof *rows);
        if (!rows)
            return fault_set(why, FAULT_MEMORY, "No memory for tokens");
        tokens->rows = rows;
        rows[tokens->count++] = token;
    }
    if (ferror(from))
        return fault_errno(why, FAULT_STORAGE, "reading %s", file);
    return true;
}

bool tokens_load(const char *file, struct tokens **tokens, struct fault *why)
{
    FILE *from = fopen(file, "re");
    struct tokens *made = NULL;
    struct stat about;
    bool loaded = false;

    if (!from)
        return fault_errno(why, FAULT_STORAGE, "opening the tokens %s", file);
    if (fstat(fileno(from), &about) < 0) {
        fault_errno(why, FAULT_STORAGE, "looking at %s", file);
        goto done;
    }
    if (about.st_mode & (S_IWGRP | S_IWOTH)) {
        fault_set(why, FAULT_STORAGE, "%s may be written by others; chmod go-w it", file);
        goto done;
    }
    made = calloc(1, sizeof *made);
    if (!made) {
        fault_set(why, FAULT_MEMORY, "No memory for tokens");
        goto done;
    }
    loaded = lines_read(from, file, made, why);

done:
    fclose(from);
    if (!loaded) {
        tokens_free(made);
        return false;
    }
    *tokens = made;
    return true;
}

void tokens_free(struct tokens *tokens)
{
    if (tokens)
        free(tokens->rows);
    free(tokens);
}

static bool digest_same(const uint8_t *a, const uint8_t *b)
{
    unsigned differ = 0;

    for (int i = 0; i < DIGEST_BYTES; i++)
        differ |= (unsigned)(a[i] ^ b[i]);
    return !differ;
}

/* The token behind "Bearer "; NULL when the header is not of that kind. */
static const char *bearer(const char *header, size_t *length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789-._~+/=";

    if (!header || strncasecmp(header, "Bearer ", 7))
        return NULL;
    header += 7 + strspn(header + 7, " ");
    *length = strspn(header, letters);
    return *length && !header[*length + strspn(header + *length, " ")] ? header : NULL;
}

static const struct token *token_find(const struct tokens *tokens, const char *text, size_t length)
{
    const struct token *found = NULL;
    uint8_t digest[DIGEST_BYTES];

    digest_sha256(text, length, digest);
    for (size_t i = 0; i < tokens->count; i++)
        if (digest_same(digest, tokens->rows[i].digest))
            found = &tokens->rows[i];
    return found;
}

bool authorize(const struct tokens *tokens, enum scope needed, const char *header,
               const char **name, struct fault *why)
{
    static const char *const words[] = { "none", "read", "edit", "admin" };
    const struct token *token;
    const char *text;
    size_t length = 0;

    *name = NULL;
    if (!tokens || needed == SCOPE_OPEN)
        return true;
    text = bearer(header, &length);
    if (!text)
        return fault_set(why, FAULT_TOKEN,
                         header ? "The Authorization header must be \"Bearer TOKEN\""
                                : "Send a token: \"Authorization: Bearer TOKEN\"");
    token = token_find(tokens, text, length);
    if (!token)
        return fault_set(why, FAULT_TOKEN, "The token is not one of this server's");
    *name = token->name;
    if (token->scope < needed)
        return fault_set(why, FAULT_SCOPE, "This needs a token of scope %s; %s has %s",
                         words[needed], token->name, words[token->scope]);
    return true;
}

bool token_make(const char *name, const char *scopes, char token[TOKEN_ROOM],
                char line[TOKEN_LINE_ROOM], struct fault *why)
{
    uint8_t random[32], digest[DIGEST_BYTES];
    enum scope scope;
    int used;

    if (!name_valid(name))
        return fault_set(why, FAULT_INPUT, "A token's name is 1 to 64 of A-Z a-z 0-9 . _ -");
    if (!scopes_read(scopes, &scope))
        return fault_set(why, FAULT_INPUT, "Scopes are read, edit or admin, joined by commas");
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return fault_errno(why, FAULT_INTERNAL, "drawing random bytes");
    used = snprintf(token, TOKEN_ROOM, "%s", prefix);
    for (size_t i = 0; i < sizeof random; i++)
        used += snprintf(token + used, TOKEN_ROOM - (size_t)used, "%02x", random[i]);
    digest_sha256(token, (size_t)used, digest);
    used = snprintf(line, TOKEN_LINE_ROOM, "%s %s ", name, scopes);
    for (size_t i = 0; i < DIGEST_BYTES; i++)
        used += snprintf(line + used, TOKEN_LINE_ROOM - (size_t)used, "%02x", digest[i]);
    return true;
}
