/* Stamp: the heights of an uploaded raster, laid at each dab or over the region. */
#include "terrain/edit/dab.h"

#include <math.h>
#include <stddef.h>

#include "terrain/edit/image_fields.h"
#include "terrain/edit/picture.h"

enum { BLEND_ADD, BLEND_MIN, BLEND_MAX, BLEND_BLEND };
static const char *const blends[] = { "add", "min", "max", "blend", NULL };

struct stamp {
    struct where where;
    uint64_t given; /* bits of GIVEN_ */
    const char *image;
    int channel;
    double rotation; /* degrees */
    double scale;
    int blend;
    double base, amplitude; /* m */
};
enum { GIVEN_BASE = 1 << 5, GIVEN_AMPLITUDE = 1 << 6 };

static const struct field rows[] = {
    IMAGE_FIELD(struct stamp),
    CHANNEL_FIELD(struct stamp),
    FIELD(struct stamp, rotation, "degrees", -36000, 36000, "Turned clockwise", .has_value = true),
    FIELD(struct stamp, scale, "", 0, 1e6,
          "How many times as large as the dab, whose diameter is the raster's longer side, or as "
          "the region, over which it is stretched",
          .above_least = true, .has_value = true, .value = 1),
    FIELD_AS(FIELD_CHOICE, struct stamp, blend,
             "add: onto the ground; min, max: the lower or higher of raster and ground; blend: to "
             "the raster. Beside the raster nothing changes",
             .words = blends, .has_value = true, .value = BLEND_ADD),
    FIELD(struct stamp, base, "m", -1e9, 1e9,
          "What black is worth: metres to be added, or a height; 0 where amplitude is given"),
    FIELD(struct stamp, amplitude, "m", -1e9, 1e9,
          "What white is worth. Without base and amplitude samples are as the heights are stored: "
          "16 bits, added to them or in their place"),
    { .kind = FIELD_END }
};

struct stamper {
    struct tool tool;
    struct grid grid;
    struct picture picture;
    const struct stamp *stamp;
    const struct image *image;
    double black, white; /* codes: added, or stored */
};

/* Lays the raster anew for each dab. On a dab it keeps its proportions. */
static bool begin(struct tool *tool, struct draft *draft, struct rect box, struct fault *why)
{
    struct stamper *stamper = (struct stamper *)tool;
    const struct image *image = stamper->image;
    const struct stamp *stamp = stamper->stamp;
    double longer = (image->width > image->height ? image->width : image->height) - 1.0, half[2];

    for (int i = 0; i < 2; i++) {
        int32_t samples = i == 0 ? image->width : image->height;
        double share = stamp->where.path.count && longer > 0 ? (samples - 1) / longer : 1;

        half[i] = tool->dab->half[i] * stamper->grid.scale[i] * share * stamp->scale;
    }
    stamper->picture = picture_lay(image, &stamper->grid, tool->dab->middle, half, stamp->rotation);
    return draft_spend(draft, rect_area(box), why);
}

static double target(int blend, double height, double laid)
{
    switch (blend) {
    case BLEND_ADD:
        return height + laid;
    case BLEND_MIN:
        return laid < height ? laid : height;
    case BLEND_MAX:
        return laid > height ? laid : height;
    default:
        return laid;
    }
}

static void stamp_row(struct tool *tool, int32_t x, int32_t y, int32_t count, const double *force,
                      uint16_t *heights)
{
    const struct stamper *stamper = (const struct stamper *)tool;
    double values[BLOCK_SIDE];

    picture_row(&stamper->picture, x, y, count, values);
    for (int32_t i = 0; i < count; i++) {
        double laid = stamper->black + (stamper->white - stamper->black) * values[i];
        double way = target(stamper->stamp->blend, heights[i], laid) - heights[i];

        if (values[i] >= 0 && force[i] > 0)
            heights[i] = dab_round(heights[i] + way * force[i]);
    }
}

/* What black and white come to in codes. */
static void worth(struct stamper *stamper)
{
    const struct stamp *stamp = stamper->stamp;
    const struct grid *grid = &stamper->grid;

    if (!(stamp->given & (GIVEN_BASE | GIVEN_AMPLITUDE))) {
        stamper->black = 0;
        stamper->white = 65535;
    } else if (stamp->blend == BLEND_ADD) {
        stamper->black = grid_codes(grid, stamp->base);
        stamper->white = grid_codes(grid, stamp->amplitude);
    } else {
        stamper->black = grid_code(grid, stamp->base);
        stamper->white = grid_code(grid, stamp->amplitude);
    }
}

static bool apply(struct draft *draft, const void *takes, struct fault *why)
{
    const struct stamp *stamp = takes;
    const struct view *view = draft_view(draft);
    struct stamper stamper = { .tool = { .begin = begin, .row = stamp_row },
                               .grid = *view_grid(view),
                               .stamp = stamp };

    if ((stamp->given & (GIVEN_BASE | GIVEN_AMPLITUDE)) == GIVEN_BASE) {
        fault_set(why, FAULT_INPUT, "a base needs an amplitude, in metres for white");
        return fault_at(why, "/amplitude");
    }
    if (!where_check(&stamp->where, view, why))
        return false;
    stamper.image = draft_image(draft, stamp->image, (enum image_channel)stamp->channel, why);
    if (!stamper.image)
        return fault_at(why, "/image");
    worth(&stamper);
    return where_apply(draft, &stamp->where, &stamper.tool, why);
}

BRUSH_SHAPE(stamp, struct stamp, rows, offsetof(struct stamp, given));

const struct brush brush_stamp = {
    .name = "stamp",
    .summary = "Lays the heights of an uploaded raster",
    .example = "{\"tool\":\"stamp\",\"image\":\"demo\",\"path\":[[32,32]],\"radius\":24,"
               "\"falloff\":0.2,\"rotation\":30,\"amplitude\":12}",
    .takes = &brush_stamp_takes,
    .apply = apply,
};
