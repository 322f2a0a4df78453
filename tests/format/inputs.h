/* The input files that reports are about, and what their manifest expects of them. */
#ifndef TESTS_FORMAT_INPUTS_H
#define TESTS_FORMAT_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

/* jansson's, kept out of this header's way. */
struct json_t;

enum reaction { ACCEPT, REJECT, OPTION };

struct input {
    const char *file, *format, *units;
    enum reaction reaction;
    const char *reason;  /* slug, or NULL */
    const char *same_as; /* another file, or NULL */
    int width, height;   /* declared; 0 when unknown */
    bool big_endian;
    int bits; /* of headerless ones; 16 unless said */
    struct json_t *samples;
};

struct input_sample {
    int x, y;
    bool has_value; /* false: no data there */
    double value;   /* what a server makes of it */
};

/* Calls visit with each file of the manifest; the strings live as long as the process. */
void inputs_each(void (*visit)(const struct input *input, void *context), void *context);
struct input input_named(const char *file);
size_t input_sample_count(const struct input *input);
struct input_sample input_sample(const struct input *input, size_t i);

/* The file's bytes on the heap. The test fails when it is not there. */
unsigned char *input_read(const char *file, size_t *length);
/* A path below the source tree, good until the thread's next call. */
const char *input_path(const char *file);

#endif
