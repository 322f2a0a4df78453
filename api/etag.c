#include "api/etag.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "api/member.h"

/* FNV-1a: spreads well enough for names of contents that nobody gains by confusing. */
static uint64_t hash_add(uint64_t hash, const void *data, size_t length)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

void etag_key_begin(struct etag_key *key)
{
    key->length = 0;
    key->overflow = false;
    key->hash = 0xcbf29ce484222325u;
}

void etag_key_add(struct etag_key *key, const void *data, size_t length)
{
    key->hash = hash_add(key->hash, data, length);
    if (length > ETAG_KEY_ROOM - key->length) {
        key->overflow = true;
        return;
    }
    memcpy(key->bytes + key->length, data, length);
    key->length += length;
}

void etag_key_text(struct etag_key *key, const char *text)
{
    if (text)
        etag_key_add(key, text, strlen(text) + 1);
    else
        etag_key_add(key, "\xFF", 2); /* no text begins so */
}

static void list_add(struct etag_key *key, const struct field *field, const struct list *list)
{
    const char *const *texts = list->items;

    etag_key_add(key, &list->count, sizeof list->count);
    if (field->kind == FIELD_TEXTS)
        for (size_t i = 0; i < list->count; i++)
            etag_key_text(key, texts[i]);
    else if (list->count)
        etag_key_add(key, list->items,
                     list->count * sizeof(double) *
                         (field->kind == FIELD_POINTS ? (size_t)field_point_numbers(field) : 1));
}

static void field_add(struct etag_key *key, const struct field *field, const void *at)
{
    switch (field->kind) {
    case FIELD_INT:
    case FIELD_CHOICE:
        etag_key_add(key, at, sizeof(int32_t));
        break;
    case FIELD_BOOL:
        etag_key_add(key, at, sizeof(bool));
        break;
    case FIELD_INT64:
    case FIELD_REAL:
    case FIELD_PICK:
        etag_key_add(key, at, 8);
        break;
    case FIELD_POINT:
        etag_key_add(key, at, sizeof(double[2]));
        break;
    case FIELD_POINT3:
        etag_key_add(key, at, sizeof(double[3]));
        break;
    case FIELD_REALS:
        etag_key_add(key, at, sizeof(double) * (size_t)field->count);
        break;
    case FIELD_INTS:
        etag_key_add(key, at, sizeof(int32_t) * (size_t)field->count);
        break;
    case FIELD_RECT:
        etag_key_add(key, at, sizeof(struct rect));
        break;
    case FIELD_TEXT:
    case FIELD_NAME:
        etag_key_text(key, *(const char *const *)at);
        break;
    case FIELD_NUMBERS:
    case FIELD_POINTS:
    case FIELD_TEXTS:
        list_add(key, field, at);
        break;
    default:
        break; /* nested kinds do not come in a query */
    }
}

void etag_key_shape(struct etag_key *key, const struct shape *shape, const void *value)
{
    struct member member = { 0 };

    while (shape && member_next(shape, &member))
        field_add(key, member.field, field_in(member.field, value));
}

void etag_print(uint64_t incarnation, uint64_t version, uint64_t options, bool gzip,
                char etag[KEPT_ETAG_ROOM])
{
    static const char digits[] = "0123456789abcdef";
    const uint64_t parts[3] = { incarnation, version, options };
    char *to = etag;

    *to++ = '"';
    for (int i = 0; i < 3; i++) {
        int shift = 60;
        while (shift > 0 && !(parts[i] >> shift))
            shift -= 4;
        for (; shift >= 0; shift -= 4)
            *to++ = digits[parts[i] >> shift & 15];
        *to++ = '-';
    }
    to--;
    if (gzip) {
        memcpy(to, "-gz", 3);
        to += 3;
    }
    *to++ = '"';
    *to = '\0';
}

static uint64_t process;
static pthread_once_t process_once = PTHREAD_ONCE_INIT;

static void process_choose(void)
{
    if (getrandom(&process, sizeof process, 0) != sizeof process)
        process = (uint64_t)time(NULL) << 32 | (uint64_t)getpid();
}

uint64_t etag_process(void)
{
    pthread_once(&process_once, process_choose);
    return process;
}

void etag_of_bytes(const void *data, size_t length, bool gzip, char etag[KEPT_ETAG_ROOM])
{
    uint64_t hash = hash_add(0xcbf29ce484222325u, data, length);

    snprintf(etag, KEPT_ETAG_ROOM, "\"%zx-%" PRIx64 "%s\"", length, hash, gzip ? "-gz" : "");
}
