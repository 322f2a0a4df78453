/* SHA-256 (FIPS 180-4), for tokens. Any thread. */
#ifndef API_DIGEST_H
#define API_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { DIGEST_BYTES = 32 };

void digest_sha256(const void *data, size_t length, uint8_t digest[DIGEST_BYTES]);

#endif
