#include "render/flat.h"

#include <math.h>
#include <string.h>

#include "render/flat_inside.h"
#include "render/flat_rules.h"
#include "render/mode_scale.h"
#include "render/samples.h"
#include "terrain/base/wide.h"

/* As in GL: a sample may be a little larger than a pixel. */
static const double sample_pixels = 1.15;

/* No picture is made from more samples than so many a pixel, whatever the grid's shape. */
static const double samples_most = 8;

/* Where there is no ground; see scene.c. */
static const uint8_t background[4] = { 240, 240, 240, 255 };

/* A direction that is one of the grid's is exactly so. */
static double settled(double step, double whole)
{
    return fabs(step) < 1e-9 * whole ? 0 : step;
}

static void lay_frame(const struct grid *grid, const struct look *look, int32_t width,
                      int32_t height, struct flat_frame *frame)
{
    const double across = 2 * look->half[0] / width, down = 2 * look->half[1] / height;
    double corner[2], at[2];

    for (int k = 0; k < 2; k++) {
        frame->right[k] = settled(look->right[k] * across, across) / grid->scale[k];
        frame->down[k] = settled(-look->up[k] * down, down) / grid->scale[k];
        corner[k] = look->eye[k] - look->right[k] * look->half[0] + look->up[k] * look->half[1];
    }
    grid_from_local(grid, corner, at);
    for (int k = 0; k < 2; k++)
        frame->first[k] = at[k] + (frame->right[k] + frame->down[k]) / 2;
    frame->pixel = fmax(across, down);
}

static int32_t root_level(const struct grid *grid)
{
    int32_t level = 0;

    while ((BLOCK_SIDE << level) < grid->columns - 1 || (BLOCK_SIDE << level) < grid->rows - 1)
        level++;
    return level;
}

/* Samples that the picture's pixels lie between. */
static double samples_of(const struct grid *grid, const struct look *look, int32_t level)
{
    double area = 1;

    for (int k = 0; k < 2; k++) {
        double half = fabs(look->right[k]) * look->half[0] + fabs(look->up[k]) * look->half[1];
        double step = grid->scale[k] * (1 << level);

        area *= fmin(2 * half / step, (k ? grid->rows : grid->columns) / (double)(1 << level)) + 4;
    }
    return area;
}

static int32_t level_for(const struct grid *grid, const struct look *look, int32_t width,
                         int32_t height, double pixel)
{
    const double step = fmax(grid->scale[0], grid->scale[1]);
    const double most = samples_most * ((double)width * height + 4096);
    int32_t root = root_level(grid), level = root;

    while (level > 0 && step * (1 << level) > pixel * sample_pixels)
        level--;
    while (level < root && samples_of(grid, look, level) > most)
        level++;
    return level;
}

WIDE static void paint_background(const uint8_t *ground, int32_t count, uint32_t background,
                                  uint32_t *pixels)
{
    if (!memchr(ground, 0, (size_t)count))
        return;
    for (int32_t i = 0; i < count; i++)
        pixels[i] = ground[i] ? pixels[i] : background;
}

struct drawing {
    const struct view *view;
    const struct picture *picture;
    struct derived_cache *derived; /* or NULL */
    const struct render_mode *mode;
    struct flat_frame frame;
    uint32_t background;
    struct mode_scale scale;
    uint32_t ramp[RAMP_TEXELS];
    double interval; /* between contours */
    struct flat_rules rules;
    uint32_t *pixels;          /* of the picture */
    uint8_t ground[FLAT_PART]; /* which pixels of a row of a part are, */
    float values[FLAT_PART];   /* and what a mode makes of them */
};

static void draw_row(struct drawing *drawing, struct flat_part *part, const struct flat_row *row,
                     int32_t y)
{
    uint32_t *pixels =
        drawing->pixels + part->pixels.x + (int64_t)(part->pixels.y + y) * drawing->picture->width;

    if (rect_empty(part->reach)) {
        memset(drawing->ground, 0, (size_t)row->count);
    } else {
        flat_part_row(part, y);
        drawing->mode->flat(row, pixels);
        if (drawing->rules.any)
            flat_rules_row(&drawing->rules, part->pixels.x, part->pixels.y + y, row->count, pixels);
        flat_part_ground(part, y, drawing->ground);
    }
    paint_background(drawing->ground, row->count, drawing->background, pixels);
}

static bool draw_part(struct drawing *drawing, struct rect pixels, struct fault *why)
{
    const struct grid *grid = view_grid(drawing->view);
    struct flat_part part = { .view = drawing->view,
                              .picture = drawing->picture,
                              .frame = &drawing->frame,
                              .derived = drawing->derived,
                              .fields = drawing->mode->flat_fields,
                              .before = drawing->picture->show.before,
                              .layer = drawing->picture->show.layer,
                              .pixels = pixels };
    struct flat_row row = { .view = drawing->view,
                            .picture = drawing->picture,
                            .count = pixels.width,
                            .low = drawing->frame.extent.low[2],
                            .high = drawing->frame.extent.high[2],
                            .span = drawing->scale.span,
                            .ramp = drawing->ramp,
                            .interval = drawing->interval,
                            .pixel = drawing->frame.pixel,
                            .values = drawing->values,
                            .sample = fmax(grid->scale[0], grid->scale[1]) *
                                      (1 << drawing->frame.level) };
    bool drawn = flat_part_init(&part, why);

    for (int field = 0; field < FLAT_FIELDS; field++)
        row.fields[field] = part.lanes[field].row;
    for (int32_t y = 0; drawn && y < pixels.height; y++)
        draw_row(drawing, &part, &row, y);
    flat_part_fini(&part);
    return drawn;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool draw_parts(struct drawing *drawing, struct fault *why)
{
    const int32_t width = drawing->picture->width, height = drawing->picture->height;

    for (int32_t y = 0; y < height; y += FLAT_PART)
        for (int32_t x = 0; x < width; x += FLAT_PART) {
            struct rect pixels = { x, y, smaller(width - x, FLAT_PART),
                                   smaller(height - y, FLAT_PART) };

            if (!draw_part(drawing, pixels, why))
                return false;
        }
    return true;
}

/* How the picture's pixels lie on the ground. */
static bool begin(struct drawing *drawing, struct fault *why)
{
    const struct picture *picture = drawing->picture;
    const struct grid *grid = view_grid(drawing->view);
    const int32_t width = picture->width, height = picture->height;
    struct flat_frame *frame = &drawing->frame;
    struct look look;

    extent_of(drawing->view, &frame->extent);
    if (!camera_look(&picture->camera, &frame->extent, width, height, &look, why))
        return false;
    if (!flat_looks_down(&look))
        return fault_set(why, FAULT_IMPOSSIBLE,
                         "A map is seen from right above, without perspective");
    lay_frame(grid, &look, width, height, frame);
    frame->level = level_for(grid, &look, width, height, frame->pixel);
    return true;
}

bool flat_draw(const struct view *view, const struct picture *picture,
               struct derived_cache *derived, struct bytes *rgba, struct fault *why)
{
    const size_t bytes = 4 * (size_t)picture->width * (size_t)picture->height;
    struct drawing drawing = {
        .view = view, .picture = picture, .derived = derived, .mode = render_modes[picture->mode]
    };

    if (!begin(&drawing, why) || !mode_scale(view, picture, derived, &drawing.scale, why))
        return false;
    if (drawing.scale.ramp)
        ramp_table(drawing.scale.ramp, &drawing.scale.span, (uint8_t(*)[4])drawing.ramp);
    if (drawing.mode->hears & MODE_HEARS_INTERVAL)
        drawing.interval = mode_interval(view, picture);
    flat_rules_init(view, picture, &drawing.frame, &drawing.rules);
    if (!picture->transparent)
        memcpy(&drawing.background, background, sizeof drawing.background);
    if (!bytes_reserve(rgba, bytes, why))
        return false;
    drawing.pixels = (uint32_t *)(void *)(rgba->data + rgba->length);
    if (!draw_parts(&drawing, why))
        return false;
    rgba->length += bytes;
    return true;
}

static void copy_heights(const struct flat_row *row, uint32_t *pixels)
{
    memcpy(pixels, row->fields[FLAT_Z], sizeof *pixels * (size_t)row->count);
}

bool flat_heights(const struct view *view, const struct picture *picture, float *z,
                  struct fault *why)
{
    static const struct render_mode heights = { .flat_fields = FLAT_BIT(Z), .flat = copy_heights };
    const float nothing = NAN;
    struct drawing drawing = {
        .view = view, .picture = picture, .mode = &heights, .pixels = (uint32_t *)(void *)z
    };

    memcpy(&drawing.background, &nothing, sizeof nothing);
    return begin(&drawing, why) && draw_parts(&drawing, why);
}
