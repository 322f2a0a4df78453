/* Who may do what: tokens from a file, known only by their SHA-256.
 *
 * A line of the file is "name scopes sha256", scopes joined by commas out of read, edit and admin;
 * each also allows what stands before it. Empty lines and those that begin with '#' are skipped.
 * Read once; then any thread.
 */
#ifndef API_TOKENS_H
#define API_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "api/endpoint.h"
#include "terrain/base/fault.h"

struct tokens;

/* Fails with INPUT, naming the line, and with STORAGE when the file cannot be read or others than
 * its owner may write to it. */
bool tokens_load(const char *file, struct tokens **tokens, struct fault *why);
void tokens_free(struct tokens *tokens);

/* The one place that decides. header is Authorization's value, or NULL. Tokens NULL allows
 * everything. *name is whose token it was, or NULL. Fails with TOKEN when there is no valid one,
 * and with SCOPE when it does not reach. Every token is compared, in constant time. */
bool authorize(const struct tokens *tokens, enum scope needed, const char *header,
               const char **name, struct fault *why);

/* A fresh token of 256 random bits, and its line for the file. Fails with INPUT for a name or
 * scopes that no line may have. */
enum { TOKEN_ROOM = 80, TOKEN_LINE_ROOM = 192 };
bool token_make(const char *name, const char *scopes, char token[TOKEN_ROOM],
                char line[TOKEN_LINE_ROOM], struct fault *why);

#endif
