/* What a component renderer asks for: the selection among 16,384 components, cold, warm and after
 * an edit, against a pass over the bytes of its answer; and the mesh of what a camera sees, against
 * copying it. CPU time of one thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "terrain/edit/draft.h"
#include "terrain/lod/pick.h"

enum { ROUNDS = 9 };

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

static void check(bool done, const struct fault *why)
{
    if (done)
        return;
    fprintf(stderr, "%s\n", why->detail);
    exit(1);
}

static struct view *edited(struct view *view, struct rect over, uint32_t seed)
{
    uint16_t *row = malloc((size_t)over.width * sizeof *row);
    struct fault why = { 0 };
    struct draft *draft = draft_new(view, &why);
    struct change change;
    struct view *made;

    check(draft != NULL, &why);
    for (int32_t y = 0; y < over.height; y++) {
        for (int32_t x = 0; x < over.width; x++)
            row[x] =
                (uint16_t)(32768 + 9000 * sin((x + over.x) * 0.011) * cos((y + over.y) * 0.017) +
                           ((uint32_t)(x * 7919 + y * 104729 + seed) * 2654435761u >> 26));
        check(draft_write_heights(draft, (struct rect){ over.x, over.y + y, over.width, 1 }, row,
                                  over.width, &why),
              &why);
    }
    made = draft_finish(draft, &change, &why);
    check(made != NULL, &why);
    draft_free(draft);
    view_drop(view);
    free(row);
    return made;
}

static struct view *hills(int32_t components, int32_t section_quads, int32_t sections)
{
    const struct layout layout = { { components, components }, sections, section_quads };
    struct settings *settings = settings_new(&layout);
    struct view *flat = view_new(&settings, (uint64_t)components, 1, 0);

    return edited(flat, view_rect(flat), 0);
}

/* From a corner over the whole of it, a little above the ground. */
static void look_over(const struct view *view, struct frustum *frustum)
{
    struct camera camera = { .kind = CAMERA_PERSPECTIVE, .fov = 60 };
    struct extent extent;
    struct fault why;

    extent_of(view, &extent);
    for (int axis = 0; axis < 2; axis++) {
        camera.position[axis] = extent.low[axis] + 0.05 * (extent.high[axis] - extent.low[axis]);
        camera.target[axis] = extent.high[axis];
    }
    camera.position[2] = extent.high[2] + 50;
    camera.target[2] = extent.low[2];
    check(camera_look(&camera, &extent, 1920, 1080, &frustum->look, &why), &why);
    frustum->nearest = 0.1;
    frustum->farthest = 1e6;
}

static double select_once(const struct view *view, struct derived_cache *cache,
                          const struct pick_options *options, struct picks *picks)
{
    struct frustum frustum;
    struct fault why;
    double begun;

    look_over(view, &frustum);
    begun = cpu_seconds();
    check(pick_components(view, cache, &frustum, options, picks, &why), &why);
    return cpu_seconds() - begun;
}

static double copied(const void *from, size_t bytes)
{
    void *to = malloc(bytes);
    double best = 1;

    memset(to, 1, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        double begun = cpu_seconds();

        memcpy(to, from, bytes);
        best = fmin(best, cpu_seconds() - begun);
        if (((volatile char *)to)[bytes - 1] == 77)
            putchar(' ');
    }
    free(to);
    return best;
}

static void bench_selection(bool per_section)
{
    struct view *view = hills(128, 15, 2);
    struct derived_cache *cache = derived_cache_new(1 << 28);
    struct pick_options options = { .components = true,
                                    .component = { .forced = -1, .per_section = per_section } };
    struct picks picks;
    double cold, warm = 1, after = 1, floor;
    int64_t visible;

    cold = select_once(view, cache, &options, &picks);
    floor = copied(picks.patches, picks.count * sizeof *picks.patches);
    visible = picks.visible;
    picks_free(&picks);
    for (int round = 0; round < ROUNDS; round++) {
        warm = fmin(warm, select_once(view, cache, &options, &picks));
        picks_free(&picks);
    }
    for (int round = 0; round < ROUNDS; round++) {
        view = edited(view, (struct rect){ 1000 + round * 50, 900, 40, 40 }, (uint32_t)round + 1);
        after = fmin(after, select_once(view, cache, &options, &picks));
        picks_free(&picks);
    }
    printf("%s of 16384 components, %lld seen: cold %.2f ms, warm %.3f ms, after a dab %.3f ms; "
           "copying the answer %.3f ms, warm is %.1fx\n",
           per_section ? "sections" : "levels  ", (long long)visible, cold * 1e3, warm * 1e3,
           after * 1e3, floor * 1e3, warm / floor);
    derived_cache_free(cache);
    view_drop(view);
}

static void bench_mesh(void)
{
    struct view *view = hills(16, 63, 2);
    struct derived_cache *cache = derived_cache_new(1 << 28);
    struct pick_options options = { .components = true, .component = { .forced = -1 } };
    struct picks picks;
    struct fault why;

    select_once(view, cache, &options, &picks);
    for (int normals = 0; normals < 2; normals++) {
        double best = 1e9, cold = 0, welded = 0, floor = 0;
        size_t triangles = 0;

        for (int round = 0; round < 5; round++) {
            struct mesh mesh;
            double begun = cpu_seconds(), took;

            mesh_init(&mesh, normals);
            check(component_picks_mesh(view, cache, &options, &picks, &mesh, &why), &why);
            took = cpu_seconds() - begun;
            cold = round ? cold : took;
            triangles = mesh.index_count / 3;
            if (took < best) {
                best = took;
                begun = cpu_seconds();
                check(mesh_weld(&mesh, &why), &why);
                welded = cpu_seconds() - begun;
                floor = copied(mesh.at, mesh.vertex_count * sizeof *mesh.at) +
                        copied(mesh.indices, mesh.index_count * sizeof *mesh.indices);
            }
            mesh_free(&mesh);
        }
        printf("mesh of %lld components, %zu triangles, %s: cold %.0f ms, warm %.1f ms (%.0f ns a "
               "triangle), welding "
               "%.1f ms; copying it %.2f ms, making is %.0fx\n",
               (long long)picks.visible, triangles, normals ? "normals" : "bare", cold * 1e3,
               best * 1e3, best * 1e9 / (double)triangles, welded * 1e3, floor * 1e3, best / floor);
    }
    picks_free(&picks);
    derived_cache_free(cache);
    view_drop(view);
}

int main(void)
{
    bench_selection(false);
    bench_selection(true);
    bench_mesh();
    return 0;
}
