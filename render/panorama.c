#include "render/panorama.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "terrain/lod/extent.h"

enum { SIDES = 6, SIDE_LEAST = 16 };

static const double pi = 3.14159265358979323846;

/* Where the sides look: azimuth and elevation in degrees. */
static const double directions[SIDES][2] = { { 0, 0 },   { 90, 0 }, { 180, 0 },
                                             { 270, 0 }, { 0, 90 }, { 0, -90 } };

struct side {
    struct look look;
    struct bytes pixels;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void side_picture(const struct picture *whole, int at, struct picture *side)
{
    /* As fine as the panorama is at its horizon, where a side is coarsest. */
    const double needed = ceil(whole->width / pi);
    double direction[3];

    *side = *whole;
    side->overlays = (struct picture_overlays){ 0 };
    side->width = side->height = needed > SIDE_LEAST ? (int32_t)needed : SIDE_LEAST;
    side->camera = (struct camera){ .kind = CAMERA_PERSPECTIVE, .fov = 90 };
    camera_direction(directions[at][0], directions[at][1], direction);
    if (fabs(directions[at][1]) == 90)
        direction[0] = direction[1] = 0;
    for (int i = 0; i < 3; i++) {
        side->camera.position[i] = whole->camera.position[i];
        side->camera.target[i] = whole->camera.position[i] + 1000 * direction[i];
    }
}

static bool draw_side(struct renderer *renderer, const struct view *view,
                      const struct picture *picture, struct side *side, struct drawn *how,
                      struct fault *why)
{
    struct extent extent;
    struct drawn drawn;

    extent_of(view, &extent);
    if (!camera_look(&picture->camera, &extent, picture->width, picture->height, &side->look,
                     why) ||
        !renderer_paint(renderer, view, picture, &side->pixels, &drawn, why))
        return false;
    memcpy(how->by, drawn.by, sizeof how->by);
    how->triangles += drawn.triangles;
    how->draws += drawn.draws;
    how->tiles_loaded += drawn.tiles_loaded;
    return true;
}

/* Which side a direction meets, and where in pixels. */
static int find_side(const struct side *sides, int32_t across, const double direction[3],
                     double at[2], double *ahead)
{
    int best = 0;
    double seen[3] = { 0 };

    *ahead = -2;
    for (int i = 0; i < SIDES; i++) {
        const double *forward = sides[i].look.forward;
        double along =
            forward[0] * direction[0] + forward[1] * direction[1] + forward[2] * direction[2];

        if (along > *ahead) {
            *ahead = along;
            best = i;
        }
    }
    for (int i = 0; i < 3; i++) {
        seen[0] += direction[i] * sides[best].look.right[i];
        seen[1] += direction[i] * sides[best].look.up[i];
    }
    at[0] = (1 + seen[0] / *ahead / sides[best].look.half[0]) / 2 * across - 0.5;
    at[1] = (1 - seen[1] / *ahead / sides[best].look.half[1]) / 2 * across - 0.5;
    return best;
}

static double within(double value, double most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

static void mix_pixel(const uint8_t *rgba, int32_t across, const double at[2], uint8_t *to)
{
    double x = within(at[0], across - 1), y = within(at[1], across - 1);
    int32_t left = (int32_t)x, top = (int32_t)y;
    int32_t right = left + (left < across - 1), bottom = top + (top < across - 1);
    double share[2] = { x - left, y - top };

    for (int c = 0; c < 4; c++) {
        double above = rgba[4 * ((size_t)top * (size_t)across + (size_t)left) + (size_t)c];
        double above_right = rgba[4 * ((size_t)top * (size_t)across + (size_t)right) + (size_t)c];
        double below = rgba[4 * ((size_t)bottom * (size_t)across + (size_t)left) + (size_t)c];
        double below_right =
            rgba[4 * ((size_t)bottom * (size_t)across + (size_t)right) + (size_t)c];

        above += (above_right - above) * share[0];
        below += (below_right - below) * share[0];
        to[c] = (uint8_t)(above + (below - above) * share[1] + 0.5);
    }
}

/* Numbers are not mixed; metres ahead become metres away. */
static void take_pixel(const uint8_t *pixels, int32_t across, const double at[2], double ahead,
                       bool depth, uint8_t *to)
{
    size_t x = (size_t)within(floor(at[0] + 0.5), across - 1);
    size_t y = (size_t)within(floor(at[1] + 0.5), across - 1);
    float number;

    memcpy(to, pixels + 4 * (y * (size_t)across + x), 4);
    if (!depth)
        return;
    memcpy(&number, to, 4);
    number = (float)(number / ahead);
    memcpy(to, &number, 4);
}

static bool lay_out(const struct picture *picture, const struct side *sides, int32_t across,
                    struct bytes *pixels, struct fault *why)
{
    const size_t before = pixels->length;

    if (!bytes_reserve(pixels, 4 * (size_t)picture->width * (size_t)picture->height, why))
        return false;
    pixels->length += 4 * (size_t)picture->width * (size_t)picture->height;
    for (int32_t y = 0; y < picture->height; y++) {
        const double elevation = 90 - 180 * (y + 0.5) / picture->height;
        uint8_t *row = pixels->data + before + 4 * (size_t)y * (size_t)picture->width;

        for (int32_t x = 0; x < picture->width; x++) {
            double direction[3], at[2], ahead;
            int side;

            camera_direction(360 * (x + 0.5) / picture->width - 180, elevation, direction);
            side = find_side(sides, across, direction, at, &ahead);
            if (picture->output == RENDER_OUTPUT_colour)
                mix_pixel(sides[side].pixels.data, across, at, row + 4 * x);
            else
                take_pixel(sides[side].pixels.data, across, at, ahead,
                           picture->output == RENDER_OUTPUT_depth, row + 4 * x);
        }
    }
    return true;
}

bool panorama_paint(struct renderer *renderer, const struct view *view,
                    const struct picture *picture, double seconds, struct bytes *pixels,
                    struct drawn *how, struct fault *why)
{
    const double until = now() + seconds;
    struct side sides[SIDES] = { 0 };
    struct picture side;
    bool drawn = true;

    *how = (struct drawn){ 0 };
    for (int i = 0; drawn && i < SIDES; i++) {
        side_picture(picture, i, &side);
        drawn = (i == 0 || now() < until ||
                 fault_set(why, FAULT_DEADLINE,
                           "%d of a panorama's %d sides took longer than a picture may, %g s", i,
                           SIDES, seconds)) &&
                draw_side(renderer, view, &side, &sides[i], how, why);
    }
    drawn = drawn && lay_out(picture, sides, side.width, pixels, why);
    for (int i = 0; i < SIDES; i++)
        bytes_free(&sides[i].pixels);
    return drawn;
}
