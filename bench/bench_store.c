/* Durable edits and starts, without HTTP, beside what the disk and the memory ask for themselves.
 */
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "api/json_read.h"
#include "bench/client.h"
#include "terrain/edit/brush.h"
#include "terrain/landscape.h"

enum { SINGLE = 300, WRITERS = 64, EACH = 40, PAGE = 32 << 10 };

static const struct landscapes_limits limits = { .vertices = INT64_C(1) << 27,
                                                 .memory_bytes = INT64_C(1) << 32,
                                                 .waiting_changes = 1024,
                                                 .history_bytes = INT64_C(1) << 30 };

static double cpu(void)
{
    struct timespec at;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void demand_true(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "bench_store: %s\n", why->detail);
    exit(1);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)kind;
    (void)where;
    return remove(path);
}

/* ---- ground ---- */

static double lattice(int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u;

    h = (h ^ h >> 13) * 1274126177u;
    return (double)(h ^ h >> 16) / 4294967296.0 - 0.5;
}

static double noise(double x, double y)
{
    double fx = floor(x), fy = floor(y), u = x - fx, v = y - fy;
    int32_t i = (int32_t)fx, j = (int32_t)fy;

    u *= u * (3 - 2 * u);
    v *= v * (3 - 2 * v);
    return (lattice(i, j) * (1 - u) + lattice(i + 1, j) * u) * (1 - v) +
           (lattice(i, j + 1) * (1 - u) + lattice(i + 1, j + 1) * u) * v;
}

/* Hills of six octaves: what compresses like terrain. */
static bool raise_hills(struct draft *draft, struct fault *why)
{
    struct rect all = view_rect(draft_view(draft));
    uint16_t *row = malloc((size_t)all.width * sizeof *row);
    bool done = true;

    for (int32_t y = 0; done && y < all.height; y++) {
        for (int32_t x = 0; x < all.width; x++) {
            double height = 0, size = 16000, cell = 1 / 700.0;

            for (int octave = 0; octave < 6; octave++, size /= 2.1, cell *= 2)
                height += size * noise(x * cell, y * cell);
            row[x] = grid_round(32768 + height);
        }
        done = draft_write_heights(draft, (struct rect){ 0, y, all.width, 1 }, row, all.width, why);
    }
    free(row);
    return done;
}

static struct view *hills(int32_t components)
{
    struct layout layout = { { components, components }, 1, 63 };
    struct settings *settings = settings_new(&layout);
    struct view *flat = view_new(&settings, 0, 1, 32768), *view;
    struct fault why = { 0 };
    struct draft *draft = draft_new(flat, &why);
    struct change change;

    demand_true(raise_hills(draft, &why), &why);
    view = draft_finish(draft, &change, &why);
    draft_free(draft);
    view_drop(flat);
    return view;
}

/* ---- edits ---- */

struct ops {
    struct list ops;
};

static const struct field ops_rows[] = { FIELD_AS(FIELD_VARIANTS, struct ops, ops, "What to do",
                                                  .variants = &brush_variants),
                                         { .kind = FIELD_END } };

static bool apply(void *context, struct draft *draft, struct fault *why)
{
    const struct ops *ops = context;

    return brush_apply_all(draft, ops->ops.items, ops->ops.count, why);
}

/* One landscape, and the dabs that are made on it. */
struct ground {
    struct landscape *landscape;
    int32_t columns, radius;
    _Atomic uint32_t next; /* dab */
};

/* A dab somewhere; *work is the CPU time beside decoding. */
static void edit(struct ground *ground, double *work)
{
    uint32_t number = atomic_fetch_add(&ground->next, 1);
    uint32_t room = (uint32_t)(ground->columns - 2 * ground->radius - 1);
    struct arena arena = { 0 };
    struct landscape_changed changed;
    struct fault why = { 0 };
    struct ops ops = { { 0 } };
    char *text = arena_print(&arena,
                             "{\"ops\":[{\"tool\":\"raise\",\"path\":[[%d,%d]],\"radius\":%d,"
                             "\"amount\":0.3}]}",
                             ground->radius + (int)(number * 2654435761u % room),
                             ground->radius + (int)(number * 40503u % room), ground->radius);
    struct landscape_change change = { .make = apply, .context = &ops, .request = text };

    demand_true(json_read(SHAPE(struct ops, ops_rows), text, strlen(text), &arena, &ops, &why),
                &why);
    *work = cpu();
    demand_true(landscape_change(ground->landscape, &change, &changed, &why), &why);
    *work = cpu() - *work;
    arena_free(&arena);
}

/* The floor: the same file written over and flushed. */
static double flush_once(int file, int i)
{
    static unsigned char page[PAGE];
    double began = seconds();

    page[i % PAGE]++;
    if (pwrite(file, page, PAGE, (off_t)(i % 64) * PAGE) != PAGE || fdatasync(file) < 0)
        exit(1);
    return seconds() - began;
}

static void *write_some(void *context)
{
    double work;

    for (int i = 0; i < EACH; i++)
        edit(context, &work);
    return NULL;
}

static double crowd_rate(struct ground *ground)
{
    pthread_t threads[WRITERS];
    double began = seconds();

    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_some, ground);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(threads[i], NULL);
    return WRITERS * EACH / (seconds() - began);
}

static void measure_edits(struct ground *ground, const char *folder)
{
    double floors[SINGLE], edits[SINGLE], works[SINGLE], one, many, flush;
    char path[300];
    int file;

    snprintf(path, sizeof path, "%s/floor", folder);
    file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || posix_fallocate(file, 0, 64 * PAGE) != 0)
        exit(1);
    for (int i = 0; i < 64; i++)
        flush_once(file, i);
    for (int i = 0; i < SINGLE; i++) {
        double began;

        floors[i] = flush_once(file, i);
        began = seconds();
        edit(ground, &works[i]);
        edits[i] = seconds() - began;
    }
    close(file);
    flush = median(floors, SINGLE);
    one = median(edits, SINGLE);
    many = crowd_rate(ground);
    printf("%5d^2  R=%d: flush %.0f us, durable edit p50 %.0f us = %.2f x, of it CPU %.0f us; "
           "one writer %.0f edits/s, %d writers %.0f edits/s = %.1f x\n",
           ground->columns, ground->radius, flush * 1e6, one * 1e6, one / flush,
           median(works, SINGLE) * 1e6, 1 / one, WRITERS, many, many * one);
}

/* ---- starts ---- */

/* The least that a load costs: that much fresh memory, touched. */
static double touch(size_t bytes)
{
    double began = seconds();
    char *memory = malloc(bytes);

    for (size_t at = 0; at < bytes; at += 4096)
        memory[at] = 1;
    began = seconds() - began;
    free(memory);
    return began;
}

static void forget_file(const char *path)
{
    int file = open(path, O_RDONLY);

    if (file >= 0) {
        fdatasync(file);
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        close(file);
    }
}

static int forget_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about;
    (void)where;
    if (kind == FTW_F)
        forget_file(path);
    return 0;
}

static double resident(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    long pages = 0;

    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        exit(1);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* In a process of its own, whose memory nobody has used before. */
static void measure_start(const char *folder, bool cold)
{
    struct landscapes *all;
    struct landscape *landscape;
    struct fault why = { 0 };
    double began, ready, loaded, before;
    struct landscapes_numbers numbers;
    struct view *view;
    pid_t child;

    if (cold)
        nftw(folder, forget_one, 16, FTW_PHYS);
    fflush(stdout);
    malloc_trim(0);
    child = fork();
    if (child != 0) {
        waitpid(child, NULL, 0);
        return;
    }
    before = resident();
    began = seconds();
    demand_true(landscapes_open(folder, &limits, &all, &why), &why);
    ready = seconds() - began;
    landscape = landscapes_find(all, "wide", &why);
    demand_true(landscape != NULL, &why);
    loaded = seconds() - began;
    landscapes_numbers(all, &numbers);
    view = landscape_view(landscape);
    before = (resident() - before) / (double)rect_area(view_rect(view));
    printf("start, %s: ready %.1f ms, %d x %d loaded %.0f ms (touching that memory: %.0f ms), "
           "%.3f bytes a vertex resident\n",
           cold ? "cold" : "warm", ready * 1e3, view->settings->grid.columns,
           view->settings->grid.rows, loaded * 1e3, touch((size_t)numbers.memory_bytes) * 1e3,
           before);
    view_drop(view);
    landscape_drop(landscape);
    landscapes_close(all);
    exit(0);
}

int main(void)
{
    char folder[] = "bench-store-XXXXXX";
    struct landscapes *all;
    struct landscapes_numbers numbers;
    int64_t stored = 0;
    struct fault why = { 0 };

    if (!mkdtemp(folder))
        return 1;
    demand_true(landscapes_open(folder, &limits, &all, &why), &why);
    for (int wide = 0; wide < 2; wide++) {
        struct view *content = hills(wide ? 128 : 16);
        double began = seconds();
        struct landscape *landscape =
            landscapes_create(all, wide ? "wide" : "small", content, "{}", &why);

        demand_true(landscape != NULL, &why);
        began = seconds() - began;
        landscapes_numbers(all, &numbers);
        printf("%5d^2  created in %.0f ms, %.2f bytes a vertex on disk\n",
               content->settings->grid.columns, began * 1e3,
               (double)(numbers.store_bytes - stored) / (double)rect_area(view_rect(content)));
        stored = numbers.store_bytes;
        for (int32_t radius = 64; radius >= 16; radius /= 4) {
            struct ground ground = { landscape, content->settings->grid.columns, radius, 0 };

            measure_edits(&ground, folder);
        }
        view_drop(content);
        landscape_drop(landscape);
    }
    landscapes_close(all);
    measure_start(folder, true);
    measure_start(folder, false);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}
