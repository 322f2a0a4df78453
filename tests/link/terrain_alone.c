/* The core by itself: this links libterrain and libm, and nothing else of ours or anybody's. Every
 * module is called once, so that one which needs more than that cannot link. */
#include <stdio.h>
#include <string.h>

#include "terrain/base/arena.h"
#include "terrain/core/codec.h"
#include "terrain/core/component.h"
#include "terrain/core/index_map.h"
#include "terrain/core/weights.h"
#include "terrain/edit/brush.h"
#include "terrain/query/collide.h"

static int failed(const struct fault *why)
{
    fprintf(stderr, "%s\n", why->detail);
    return 1;
}

int main(void)
{
    static uint8_t rgba[64 * 64 * 4];
    const uint16_t bump[3] = { 33000, 40000, 33000 };
    struct layout layout;
    struct fault why = { 0 };
    struct arena arena = { 0 };
    struct bytes bytes = { 0 };
    struct settings *settings;
    struct view *base, *view;
    struct draft *draft;
    struct change change;
    struct surface surface;
    const struct index_map_form form = { 1, 1, 2 };
    uint8_t weights[2] = { 60, 60 }, entry[4], channels[3];
    double z, normal[3];

    if (!layout_for(100, 60, 31, 2, &layout, &why))
        return failed(&why);
    settings = settings_new(&layout);
    if (!settings || !settings_write(settings, &bytes, &why))
        return failed(&why);
    base = view_new(&settings, 1, 1, 33000);
    draft = base ? draft_new(base, &why) : NULL;
    if (!draft || !draft_write_heights(draft, (struct rect){ 20, 20, 3, 1 }, bump, 3, &why) ||
        !brush_apply_all(draft, NULL, 0, &why))
        return failed(&why);
    view = draft_finish(draft, &change, &why);
    bytes.length = 0;
    if (!view || !difference_write(base, view, &bytes, &why) ||
        !component_texture(view, 0, 0, 0, rgba, &why) ||
        !collide_surface(view, (const double[2]){ 21, 20 }, &surface, &why))
        return failed(&why);
    collide_heights(view, (const double[2]){ 21, 20 }, 1, &(const struct collide_ways){ 0 }, &z,
                    NULL, NULL);
    weights_normalise(weights, (const bool[2]){ true, true }, 2);
    index_map_encode(&form, weights, entry, channels, NULL);
    codec_decode(rgba[2], rgba[3], normal);
    printf("%s: %s\n", brushes[0]->name, arena_print(&arena, "%d brushes", brush_count));
    draft_free(draft);
    view_drop(base);
    view_drop(view);
    bytes_free(&bytes);
    arena_free(&arena);
    return channels[0] == 128 && change.vertices == 1 && z == surface.z && z == 56.5 &&
                   normal[2] > 0.9 && name_valid("alone")
               ? 0
               : 1;
}
