#include "render/alone.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "render/bare.h"
#include "render/easel.h"
#include "render/scene_file.h"

enum { REPEAT_MOST = 100000 };

struct wish {
    const char *scene, *output, *backend;
    int64_t texture_bytes;
    int repeat;
    bool bare;
};

/* Milliseconds of each frame, by the clock and of the processor. */
struct times {
    double *wall, *processor;
};

/* A file's scene on its way to a picture. */
struct showing {
    const void *file;
    size_t length;
    struct scene_parts parts;
    const unsigned char *tiles;
    struct easel easel;
    size_t *places; /* where each tile is in the file, behind `tiles` */
    uint8_t *pixels;
    struct painted painted;
    struct bare *bare;
    struct times frames, bare_frames;
};

static double milliseconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Called before and after what takes the time: the second call's sign is +. */
static void clock_in(const struct times *times, int frame, int sign)
{
    times->wall[frame] += sign * milliseconds(CLOCK_MONOTONIC);
    times->processor[frame] += sign * milliseconds(CLOCK_PROCESS_CPUTIME_ID);
}

static bool times_new(struct times *times, int frames)
{
    times->wall = calloc((size_t)frames, sizeof *times->wall);
    times->processor = calloc((size_t)frames, sizeof *times->processor);
    return times->wall && times->processor;
}

static void times_free(struct times *times)
{
    free(times->wall);
    free(times->processor);
}

static bool usage(const char *what)
{
    fprintf(
        stderr,
        "landscaped-render: %s\nusage: landscaped-render --scene FILE [--output FILE.pam|FILE.raw]"
        " [--backend NAME] [--repeat N] [--bare] [--texture-bytes N]\n",
        what);
    return false;
}

static bool read_wish(int count, char **arguments, struct wish *wish)
{
    *wish = (struct wish){ .backend = "auto", .texture_bytes = INT64_C(256) << 20, .repeat = 1 };
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : NULL;

        if (strcmp(name, "--bare") == 0) {
            wish->bare = true;
            continue;
        }
        if (!value)
            return usage("an option lacks its value");
        i++;
        if (strcmp(name, "--scene") == 0)
            wish->scene = value;
        else if (strcmp(name, "--output") == 0)
            wish->output = value;
        else if (strcmp(name, "--backend") == 0)
            wish->backend = value;
        else if (strcmp(name, "--repeat") == 0)
            wish->repeat = atoi(value);
        else if (strcmp(name, "--texture-bytes") == 0)
            wish->texture_bytes = strtoll(value, NULL, 10);
        else
            return usage("there is no such option");
    }
    if (!wish->scene)
        return usage("which scene?");
    return (wish->repeat >= 1 && wish->repeat <= REPEAT_MOST) || usage("--repeat is 1 to 100000");
}

static bool map_file(const char *path, struct showing *showing, struct fault *why)
{
    /* One that waits for a writer, as a fifo does, is not waited for. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    void *mapped = MAP_FAILED;
    struct stat about;

    if (file < 0 || fstat(file, &about) < 0)
        fault_errno(why, FAULT_INPUT, "reading %s", path);
    else if (!S_ISREG(about.st_mode))
        fault_set(why, FAULT_INPUT, "%s is not a plain file, as a scene is", path);
    else if (about.st_size == 0)
        fault_set(why, FAULT_FORMAT, "%s is empty", path);
    else {
        mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped == MAP_FAILED)
            fault_errno(why, FAULT_MEMORY, "reading %s", path);
    }
    if (file >= 0)
        close(file);
    if (mapped == MAP_FAILED)
        return false;
    showing->file = mapped;
    showing->length = (size_t)about.st_size;
    return true;
}

static bool get_room(struct showing *showing, const struct wish *wish, struct fault *why)
{
    const struct wire_scene *head = showing->parts.head;

    showing->places = calloc((size_t)head->tile_count + 1, sizeof *showing->places);
    for (uint32_t i = 0; showing->places && i < head->tile_count; i++)
        showing->places[i + 1] = showing->places[i] + plane_bytes(showing->parts.keys[i].plane);
    showing->pixels = calloc((size_t)head->width * head->height, 4);
    return (showing->places && showing->pixels && times_new(&showing->frames, wish->repeat + 1) &&
            times_new(&showing->bare_frames, wish->repeat + 1)) ||
           fault_set(why, FAULT_MEMORY, "no memory for a picture of %u x %u", head->width,
                     head->height);
}

static bool put_tiles(void *context, const uint32_t *places, uint32_t count, int32_t *layers,
                      struct fault *why)
{
    struct showing *showing = context;
    const struct scene_parts *parts = &showing->parts;

    if (!shelf_find(showing->easel.shelf, parts->keys, places, count, layers, why))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (layers[places[i]] < 0)
            layers[places[i]] = shelf_put(showing->easel.shelf, &parts->keys[places[i]],
                                          showing->tiles + showing->places[places[i]]);
    return gl_sound(&showing->easel.gl, "loading tiles", why);
}

/* A frame as the daemon asks for one: its tiles found, drawn, read. */
static bool draw(struct showing *showing, struct fault *why)
{
    const struct tile_loader loader = { .load = put_tiles, .context = showing };

    return painter_draw(showing->easel.painter, showing->easel.shelf, &showing->parts, &loader,
                        showing->pixels, &showing->painted, why);
}

static bool draw_all(struct showing *showing, const struct wish *wish, struct fault *why)
{
    uint8_t *scratch =
        wish->bare ? malloc((size_t)showing->parts.head->width * showing->parts.head->height * 4)
                   : NULL;
    bool drawn = scratch || !wish->bare || fault_set(why, FAULT_MEMORY, "no memory to draw barely");

    for (int i = 0; drawn && i <= wish->repeat; i++) {
        clock_in(&showing->frames, i, -1);
        drawn = draw(showing, why);
        clock_in(&showing->frames, i, 1);
        if (!drawn || !showing->bare)
            continue;
        clock_in(&showing->bare_frames, i, -1);
        drawn = bare_draw(showing->bare, scratch, why);
        clock_in(&showing->bare_frames, i, 1);
    }
    free(scratch);
    return drawn;
}

static bool show(struct showing *showing, const struct wish *wish, struct fault *why)
{
    return map_file(wish->scene, showing, why) &&
           scene_file_read(showing->file, showing->length, &showing->parts, &showing->tiles, why) &&
           easel_open(&showing->easel, wish->backend, wish->texture_bytes, why) &&
           get_room(showing, wish, why) &&
           (!wish->bare || (showing->bare = bare_new(&showing->easel.gl, &showing->parts,
                                                     showing->tiles, why)) != NULL) &&
           draw_all(showing, wish, why);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* In order from the second on: the middle one is then their median. */
static double median(double *frames, int count)
{
    qsort(frames + 1, (size_t)count, sizeof *frames, compare);
    return frames[1 + count / 2];
}

static double tell_times(const char *what, const struct times *times, int count)
{
    double first = times->wall[0], middle = median(times->wall, count);
    double processor = median(times->processor, count);

    printf("%s first %.3f ms, then median %.3f ms, least %.3f ms, processor %.3f ms\n", what, first,
           middle, times->wall[1], processor);
    return processor;
}

static void tell(struct showing *showing, const struct wish *wish)
{
    const struct wire_scene *head = showing->parts.head;
    double frame, bare;

    printf("backend %s\napi %s\nvendor %s\nrenderer %s\n", showing->easel.kind->name,
           showing->easel.gl.version, showing->easel.gl.vendor, showing->easel.gl.renderer);
    if (showing->easel.passed_over[0])
        printf("passed over %s\n", showing->easel.passed_over);
    printf("size %u x %u\nmode %s\ntiles %u\npatches %u\ntriangles %llu\ndraws %u\n", head->width,
           head->height, render_mode_names[head->mode], head->tile_count, head->patch_count,
           (unsigned long long)showing->painted.triangles, showing->painted.draws);
    frame = tell_times("frame", &showing->frames, wish->repeat);
    if (!showing->bare)
        return;
    bare = tell_times("bare", &showing->bare_frames, wish->repeat);
    printf("bare triangles %llu\nframe / bare: least %.3f, processor %.3f\n",
           (unsigned long long)bare_triangles(showing->bare),
           showing->frames.wall[1] / showing->bare_frames.wall[1], frame / bare);
}

/* Portable Arbitrary Map, as netpbm has it. */
static bool save(const struct showing *showing, const char *path, struct fault *why)
{
    const struct wire_scene *head = showing->parts.head;
    const char *end = strrchr(path, '.');
    bool raw = end && strcmp(end, ".raw") == 0, saved;
    FILE *file = fopen(path, "wb");

    if (!file)
        return fault_errno(why, FAULT_INPUT, "writing %s", path);
    if (!raw)
        fprintf(file, "P7\nWIDTH %u\nHEIGHT %u\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
                head->width, head->height);
    fwrite(showing->pixels, 4, (size_t)head->width * head->height, file);
    saved = !ferror(file);
    return (fclose(file) == 0 && saved) || fault_errno(why, FAULT_INPUT, "writing %s", path);
}

static void put_away(struct showing *showing)
{
    bare_free(showing->bare);
    if (showing->easel.kind)
        easel_close(&showing->easel);
    if (showing->file)
        munmap((void *)(uintptr_t)showing->file, showing->length);
    free(showing->places);
    free(showing->pixels);
    times_free(&showing->frames);
    times_free(&showing->bare_frames);
}

int alone(int count, char **arguments)
{
    struct showing showing = { 0 };
    struct fault why = { 0 };
    struct wish wish;
    bool done;

    if (!read_wish(count, arguments, &wish))
        return 2;
    done = show(&showing, &wish, &why);
    if (done)
        tell(&showing, &wish);
    done = done && (!wish.output || save(&showing, wish.output, &why));
    if (!done)
        fprintf(stderr, "landscaped-render: %s\n", why.detail);
    put_away(&showing);
    return done ? 0 : 1;
}
