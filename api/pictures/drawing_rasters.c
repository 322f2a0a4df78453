#include "api/pictures/drawing_rasters.h"

#include <stdio.h>
#include <string.h>

#include "api/cache.h"
#include "api/layers/paint_layer.h"
#include "api/service.h"
#include "terrain/core/stack.h"
#include "terrain/store/gallery.h"

static uint64_t find(void *context, const char *name)
{
    struct picture_about about;
    struct fault why;

    if (!context || !gallery_find(context, name, &about, &why) || about.damaged)
        return 0;
    return about.revision ? about.revision : 1;
}

static bool lend(void *context, const char *name, struct picture_raster *raster)
{
    struct fault why;
    const struct picture_held *held = gallery_hold(context, name, &why);

    if (!held)
        return false;
    *raster = (struct picture_raster){ .revision = held->about.revision,
                                       .width = held->about.width,
                                       .height = held->about.height,
                                       .channels = held->about.channels,
                                       .samples = held->samples,
                                       .held = held };
    return true;
}

static void give_back(void *context, struct picture_raster *raster)
{
    gallery_drop(context, raster->held);
}

struct picture_rasters drawing_rasters(struct gallery *gallery)
{
    return (struct picture_rasters){
        .context = gallery, .find = find, .lend = lend, .give_back = give_back
    };
}

bool drawing_newest(struct request *rq, const void *asked, uint64_t *version)
{
    const struct stack *stack = rq->view->settings->stack;

    (void)asked;
    *version = rq->view->version;
    for (int i = 0; i < stack->paint_count; i++) {
        const struct material *material = &stack->paints[i].material;
        const char *const names[] = { material->albedo, material->normal, material->height,
                                      material->roughness };

        for (int k = 0; k < 4; k++)
            if (names[k][0]) {
                const uint64_t both[2] = { *version, find(rq->service->gallery, names[k]) };

                *version = cache_hash(both, sizeof both);
            }
    }
    return true;
}

void drawing_warn(struct request *rq, const struct picture *picture)
{
    const struct stack *stack = rq->view->settings->stack;
    struct material_raster rasters[MATERIAL_RASTERS];
    int missing = 0;

    if (!render_modes[picture->mode]->covered || picture->output != RENDER_OUTPUT_colour)
        return;
    for (int i = 0; i < stack->paint_count; i++) {
        material_rasters(&stack->paints[i].material, rasters);
        for (int k = 0; k < MATERIAL_RASTERS; k++) {
            if (!rasters[k].name[0] || find(rq->service->gallery, rasters[k].name))
                continue;
            if (!missing++)
                snprintf(rq->warning, sizeof rq->warning,
                         "there is no raster %.64s, %s of the layer %.40s", rasters[k].name,
                         rasters[k].member, stack->paints[i].name);
        }
    }
    if (missing > 1)
        snprintf(rq->warning + strlen(rq->warning), sizeof rq->warning - strlen(rq->warning),
                 "; %d more", missing - 1);
}
