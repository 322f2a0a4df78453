#include "render/easel.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "render/wire.h"

/* Several samples a pixel cost a GPU next to nothing and a software renderer four times the time.
 */
static const int gpu_samples = 4;

/* A software renderer that runs away is stopped by its address space; a GPU's driver maps whole
 * devices into it. */
static void limit_memory(const struct context_kind *kind)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlim_t bytes = (rlim_t)4 << 30;
    struct rlimit limit = { bytes, bytes };

    if (kind->software)
        setrlimit(RLIMIT_AS, &limit);
#else
    (void)kind;
#endif
}

static bool load_flat(void *context, const uint32_t *places, uint32_t count, int32_t *layers,
                      struct fault *why)
{
    static const uint16_t flat[TILE_TEXELS];
    static const struct tile_key key = { .incarnation = UINT64_MAX, .plane = RENDER_PLANE_heights };
    struct easel *easel = context;

    if (!shelf_find(easel->shelf, &key, places, count, layers, why))
        return false;
    layers[0] = shelf_put(easel->shelf, &key, flat);
    return true;
}

/* A first small picture makes the driver load all that it loads late, while it still may. */
static bool warm_up(struct easel *easel, struct fault *why)
{
    struct wire_scene scene = { .width = 16,
                                .height = 16,
                                .nearest = 1,
                                .farthest = 2,
                                .right = { 1, 0, 0 },
                                .up = { 0, -1, 0 },
                                .forward = { 0, 0, -1 },
                                .half = { 1, 1 },
                                .extent = 1,
                                .light.sun_elevation = 45 };
    const struct tile_key key = { .plane = RENDER_PLANE_heights };
    const struct tile_loader loader = { .load = load_flat, .context = easel };
    struct wire_patch patch = { .step = 1,
                                .limit = { 0, 0, 1, 1 },
                                .spacing = { 1, 1 },
                                .meshes = { WIRE_MESH(WIRE_MESH_SKIRTED, 1, 0) },
                                .mesh_count = 1,
                                .ahead = { 1, 2 } };
    const struct scene_parts parts = { .head = &scene, .keys = &key, .patches = &patch };
    uint8_t pixels[16 * 16 * 4];
    struct painted painted;

    for (int slot = 1; slot < RENDER_SLOTS; slot++)
        patch.slots[slot] = WIRE_NONE;
    scene.patch_count = scene.tile_count = 1;
    return painter_draw(easel->painter, easel->shelf, &parts, &loader, pixels, &painted, why);
}

static void clear(struct easel *easel)
{
    painter_free(easel->painter);
    shelf_free(easel->shelf);
    if (easel->kind)
        easel->kind->close();
    easel->painter = NULL;
    easel->shelf = NULL;
    easel->kind = NULL;
}

static bool try_kind(struct easel *easel, const struct context_kind *kind, int64_t texture_bytes,
                     struct fault *why)
{
    if (!context_open(kind, &easel->gl, why))
        return false;
    easel->kind = kind;
    easel->shelf = shelf_new(&easel->gl, texture_bytes, why);
    easel->painter =
        easel->shelf ? painter_new(&easel->gl, kind->software ? 0 : gpu_samples, why) : NULL;
    if (easel->painter && warm_up(easel, why)) {
        limit_memory(kind);
        return true;
    }
    clear(easel);
    return false;
}

static void pass_over(struct easel *easel, const struct context_kind *kind,
                      const struct fault *reason)
{
    size_t said = strlen(easel->passed_over);

    snprintf(easel->passed_over + said, sizeof easel->passed_over - said, "%s%s: %.110s",
             said ? "; " : "", kind->name, reason->detail);
}

bool easel_open(struct easel *easel, const char *backend, int64_t texture_bytes, struct fault *why)
{
    size_t length = strlen(backend);
    bool further = length > 0 && backend[length - 1] == '+';
    bool all = strcmp(backend, "auto") == 0, reached = all;

    memset(easel, 0, sizeof *easel);
    for (const struct context_kind *const *kind = context_kinds; *kind; kind++) {
        bool named = strlen((*kind)->name) == length - further &&
                     strncmp((*kind)->name, backend, length - further) == 0;
        struct fault reason = { 0 };

        reached = reached || (named && further);
        if (!named && (!reached || (*kind)->only_by_name))
            continue;
        if (try_kind(easel, *kind, texture_bytes, &reason))
            return true;
        pass_over(easel, *kind, &reason);
    }
    return fault_set(why, FAULT_WORKER, "There is no way to draw here (%.280s)",
                     easel->passed_over[0] ? easel->passed_over : "no such backend");
}

void easel_close(struct easel *easel)
{
    clear(easel);
}
