/* Damaged and lying rasters, many at once, and decoders that die: the daemon goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/format/inputs.h"
#include "tests/server/harness.h"

static const char *const options[] = { "--log-level", "error", NULL };

static struct served *served;

static int start(void **state)
{
    (void)state;
    served = served_start(options);
    return served ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    served_free(served);
    return 0;
}

/* The status; *slug is the problem's, when there is room for it. */
static int import(const char *name, const char *query, const char *type, const void *data,
                  size_t length, char slug[64])
{
    struct answer answer;
    char target[200], header[100];
    const char *problem;

    snprintf(target, sizeof target, "/v1/landscapes/%s/import?%s", name, query);
    snprintf(header, sizeof header, "Content-Type: %s\r\n", type);
    served_ask(served, "POST", target, header, data, length, &answer);
    problem = answer.body ? strstr((char *)answer.body, "/problems/") : NULL;
    if (slug)
        snprintf(slug, 64, "%.*s", problem ? (int)strcspn(problem + 10, "\"") : 0,
                 problem ? problem + 10 : "");
    answer_free(&answer);
    return answer.status;
}

static int status_of(const char *method, const char *name)
{
    char target[100];
    struct answer answer;

    snprintf(target, sizeof target, "/v1/landscapes/%s", name);
    served_ask(served, method, target, NULL, NULL, 0, &answer);
    answer_free(&answer);
    return answer.status;
}

/* Every damaged file, each 50 times, eight at once */

enum { TIMES = 50, AT_ONCE = 8, DAMAGED_MOST = 40 };

struct damaged {
    struct input input;
    unsigned char *data;
    size_t length;
};

struct trial {
    struct damaged files[DAMAGED_MOST];
    int count;
    _Atomic int next, wrong;
};

static void note_damaged(const struct input *input, void *context)
{
    struct trial *trial = context;
    const char *name = strchr(input->file, '/') + 1;

    if (strncmp(name, "bad_", 4) != 0 && strncmp(name, "ok_", 3) != 0 &&
        strncmp(name, "bomb_", 5) != 0 && strcmp(input->file, "geo/truncated_127.tif") != 0 &&
        strcmp(input->file, "geo/json_error.tif") != 0)
        return;
    if (strcmp(input->format, "body") == 0)
        return;
    assert_true(trial->count < DAMAGED_MOST);
    trial->files[trial->count].input = *input;
    trial->files[trial->count].data = input_read(input->file, &trial->files[trial->count].length);
    trial->count++;
}

static bool as_expected(const struct damaged *damaged, const char *name)
{
    const struct input *input = &damaged->input;
    const char *type = strcmp(input->format, "png") == 0 ? "image/png" : "image/tiff";
    const char *reason = input->reason;
    char slug[64];
    int status = import(name, "fit=exact", type, damaged->data, damaged->length, slug);

    if (input->reaction == ACCEPT)
        return status == 201 && status_of("DELETE", name) == 204;
    reason = strcmp(reason, "limit") == 0 ? "too-large" : reason;
    return status >= 400 && status < 500 && strcmp(slug, reason) == 0 &&
           status_of("GET", name) == 404;
}

static void *try_files(void *context)
{
    struct trial *trial = context;
    int turn;

    while ((turn = atomic_fetch_add(&trial->next, 1)) < trial->count * TIMES) {
        char name[40];

        snprintf(name, sizeof name, "trial%d", turn);
        if (!as_expected(&trial->files[turn % trial->count], name)) {
            print_message("%s was not met as expected\n",
                          trial->files[turn % trial->count].input.file);
            atomic_fetch_add(&trial->wrong, 1);
        }
    }
    return NULL;
}

static void damaged_files_are_refused_however_many_come(void **state)
{
    static struct trial trial;
    pthread_t threads[AT_ONCE];

    (void)state;
    inputs_each(note_damaged, &trial);
    assert_true(trial.count >= 15);
    for (int i = 0; i < AT_ONCE; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, try_files, &trial), 0);
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(trial.wrong, 0);
    for (int i = 0; i < trial.count; i++)
        free(trial.files[i].data);
}

/* Memory */

static long peak_kilobytes(pid_t process)
{
    char path[60], line[200];
    long peak = 0;
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/status", process);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmHWM: %ld", &peak);
    if (file)
        fclose(file);
    return peak;
}

struct peaks {
    long daemon, decoder; /* kilobytes; of the decoder that has had most: another may start */
};

static struct peaks all_peaks(void)
{
    pid_t decoders[8];
    int count = served_helpers(served, "landscaped-deco", decoders, 8);
    struct peaks peaks = { .daemon = peak_kilobytes(served->process) };

    for (int i = 0; i < count; i++) {
        long peak = peak_kilobytes(decoders[i]);

        peaks.decoder = peak > peaks.decoder ? peak : peaks.decoder;
    }
    return peaks;
}

static void put_u32(unsigned char *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

static size_t chunk(unsigned char *to, const char *type, const void *data, size_t length)
{
    put_u32(to, (uint32_t)length);
    memcpy(to + 4, type, 4);
    memmove(to + 8, data, length);
    put_u32(to + 8 + length, (uint32_t)crc32(0, to + 4, (uInt)length + 4));
    return length + 12;
}

/* 32768 x 32768 of one bit: 134 MB of zeros in 130 KB. */
static unsigned char *bit_bomb(size_t *length)
{
    enum { SIDE = 32768, ROOM = 1 << 20 };
    static const unsigned char signature[8] = { 137, 'P', 'N', 'G', 13, 10, 26, 10 };
    unsigned char *file = malloc(ROOM), *squeezed = malloc(ROOM), head[13] = { 0 };
    static unsigned char row[SIDE / 8 + 1];
    z_stream stream = { .next_out = squeezed, .avail_out = ROOM };

    put_u32(head, SIDE);
    put_u32(head + 4, SIDE);
    head[8] = 1;
    memcpy(file, signature, sizeof signature);
    *length = sizeof signature + chunk(file + sizeof signature, "IHDR", head, sizeof head);
    deflateInit(&stream, 9);
    for (int y = 0; y < SIDE; y++) {
        stream.next_in = row;
        stream.avail_in = sizeof row;
        deflate(&stream, y + 1 < SIDE ? Z_NO_FLUSH : Z_FINISH);
    }
    *length += chunk(file + *length, "IDAT", squeezed, stream.total_out);
    *length += chunk(file + *length, "IEND", "", 0);
    deflateEnd(&stream);
    free(squeezed);
    return file;
}

static void a_lie_about_the_size_costs_neither_time_nor_memory(void **state)
{
    static const char *const files[] = { "png/bomb_header.png", "png/bad_2g_width.png",
                                         "geo/bomb_header.tif" };
    size_t length;
    unsigned char *data = input_read("png/gray16_asym_127.png", &length);
    struct peaks before, after;

    (void)state;
    assert_int_equal(import("warm", "", "image/png", data, length, NULL), 201);
    free(data);
    before = all_peaks();
    for (int i = 0; i < 4; i++) {
        double begun;
        char slug[64];

        data = i < 3 ? input_read(files[i], &length) : bit_bomb(&length);
        begun = served_seconds();
        assert_int_equal(
            import("bomb", "", i == 2 ? "image/tiff" : "image/png", data, length, slug), 413);
        assert_true(served_seconds() - begun < SERVED_SOON);
        assert_string_equal(slug, "too-large");
        free(data);
    }
    after = all_peaks();
    assert_true(after.daemon - before.daemon < 50 * 1024);
    assert_true(after.decoder - before.decoder < 50 * 1024);
}

/* Decoders that die */

struct killer {
    _Atomic bool done;
    _Atomic int killed;
    _Atomic int imports; /* begun */
};

/* One decoder, and at most once during any import: a file that two of them die of is refused as
 * poison. */
static void *kill_decoders(void *context)
{
    struct killer *killer = context;
    int last = 0;

    while (!atomic_load(&killer->done)) {
        pid_t decoders[8];

        if (atomic_load(&killer->imports) != last) {
            int count = served_helpers(served, "landscaped-deco", decoders, 8);

            killer->killed += count && served_end_helper(decoders[last % count],
                                                         killer->killed % 2 ? SIGSEGV : SIGKILL);
            last = atomic_load(&killer->imports); /* whichever it was that it died in */
        }
        usleep(300000); /* a start takes a tenth of a second, more on a busy machine */
    }
    return NULL;
}

static void a_decoder_s_death_costs_one_import(void **state)
{
    static struct killer killer; /* its thread outlives a failure */
    pthread_t thread;
    size_t length;
    unsigned char *data = input_read("png/gray16_interlaced_127.png", &length);
    int made = 0, failed = 0;
    double begun = served_seconds();

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, kill_decoders, &killer), 0);
    /* At least 5 s, and until both have happened. */
    for (int i = 0; served_seconds() - begun < 120 &&
                    (served_seconds() - begun < 5 || !made || atomic_load(&killer.killed) < 6);
         i++) {
        char name[40];
        int status;

        killer.imports++;
        snprintf(name, sizeof name, "mortal%d", i);
        status = import(name, "", "image/png", data, length, NULL);
        made += status == 201;
        failed += status == 503;
        if (status != 201 && status != 503)
            fail_msg("an import answered %d", status);
        assert_int_equal(status_of("GET", name), status == 201 ? 200 : 404);
    }
    atomic_store(&killer.done, true);
    pthread_join(thread, NULL);
    print_message("%d decoders killed: %d imports made, %d refused\n", killer.killed, made, failed);
    assert_true(killer.killed > 5 && made > 0);
    for (int i = 0; i < 60 && import("after", "", "image/png", data, length, NULL) != 201; i++)
        sleep(1); /* a decoder that was killed as it started is given a moment */
    assert_int_equal(status_of("GET", "after"), 200);
    free(data);
}

/* Other requests while a large raster is imported */

struct upload {
    unsigned char *data;
    size_t length;
    int status;
    _Atomic bool done;
};

static void *import_large(void *context)
{
    struct upload *upload = context;

    upload->status = import("large", "width=4097&height=4097", "application/x-r16", upload->data,
                            upload->length, NULL);
    atomic_store(&upload->done, true);
    return NULL;
}

static void an_import_does_not_hold_up_the_others(void **state)
{
    struct upload upload = { .length = (size_t)4097 * 4097 * 2 };
    pthread_t thread;
    double worst = 0, late = 0, begun = served_seconds(), took;
    int asked = 0;

    (void)state;
    upload.data = malloc(upload.length);
    for (size_t i = 0; i < upload.length; i++)
        upload.data[i] = (unsigned char)(i * i >> 9);
    assert_int_equal(pthread_create(&thread, NULL, import_large, &upload), 0);
    for (; !atomic_load(&upload.done); asked++) {
        struct answer answer;
        double slept;

        served_ask(served, "GET", "/healthz", NULL, NULL, 0, &answer);
        assert_int_equal(answer.status, 200);
        worst = answer.seconds > worst ? answer.seconds : worst;
        answer_free(&answer);
        slept = served_seconds();
        usleep(5000);
        slept = served_seconds() - slept - 0.005;
        late = slept > late ? slept : late;
    }
    pthread_join(thread, NULL);
    took = served_seconds() - begun;
    assert_int_equal(upload.status, 201);
    print_message("%d health checks in %.0f ms, the slowest %.0f ms; a sleeper woke %.0f ms late\n",
                  asked, took * 1e3, worst * 1e3, late * 1e3);
    /* What a busy machine makes any sleeper wait is no fault of the daemon; and it makes the import
     * wait as well. */
    assert_true(asked > 3);
    assert_true(worst < took / 4 + late);
    free(upload.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_are_refused_however_many_come),
        cmocka_unit_test(a_lie_about_the_size_costs_neither_time_nor_memory),
        cmocka_unit_test(a_decoder_s_death_costs_one_import),
        cmocka_unit_test(an_import_does_not_hold_up_the_others),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
