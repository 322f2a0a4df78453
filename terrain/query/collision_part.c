#include "terrain/query/collision_part.h"

#include <stdlib.h>
#include <string.h>

#include "terrain/core/component.h"
#include "terrain/query/collision_error.h"

struct making {
    const struct collision *collision;
    int32_t cx, cy;
};

/* What one section is worked out in. */
struct room {
    uint16_t *heights;   /* its own grid */
    uint16_t *planes[2]; /* the mip reached, and the next */
    uint8_t *holes, *coarse_holes;
};

static bool room_open(struct room *room, int32_t quads)
{
    const size_t vertices = (size_t)(quads + 1) * (size_t)(quads + 1);

    room->heights = malloc(3 * vertices * sizeof *room->heights + 2 * vertices);
    if (!room->heights)
        return false;
    room->planes[0] = room->heights + vertices;
    room->planes[1] = room->planes[0] + vertices;
    room->holes = (uint8_t *)(room->planes[1] + vertices);
    room->coarse_holes = room->holes + vertices;
    return true;
}

/* The mip's heights of a section; lent by the room. */
static const uint16_t *halved(const struct collision *collision, struct room *room)
{
    const uint16_t *from = room->heights;

    for (int32_t mip = 1; mip <= collision->mip; mip++) {
        section_mip(collision->section_quads, mip, from, room->planes[mip & 1]);
        from = room->planes[mip & 1];
    }
    return from;
}

static void section_make(const struct making *making, int32_t sx, int32_t sy, struct room *room,
                         struct collision_part *part)
{
    const struct collision *collision = making->collision;
    const int32_t quads = collision->section_quads, steps = collision->section_steps;
    const int32_t sections = collision->component_steps / steps;
    const int32_t east = making->cx * sections + sx, south = making->cy * sections + sy;
    const struct rect vertices = { east * quads, south * quads, quads + 1, quads + 1 };
    const struct rect base = { vertices.x, vertices.y, quads, quads };
    const struct rect coarse = { east * steps, south * steps, steps, steps };
    struct collision_section section = { .quads = quads,
                                         .steps = steps,
                                         .heights = room->heights,
                                         .holes = room->holes,
                                         .coarse_holes = room->coarse_holes };
    int64_t error;

    view_read_heights(collision->view, vertices, room->heights, quads + 1);
    view_read_holes(collision->view, base, room->holes, quads);
    collision_holes(collision, coarse, room->coarse_holes, steps);
    section.coarse = halved(collision, room);
    for (int32_t j = 0; j <= steps; j++)
        memcpy(part->codes + (sy * steps + j) * part->side + sx * steps,
               section.coarse + j * (steps + 1), (size_t)(steps + 1) * sizeof *part->codes);
    error = collision_section_error(&section);
    part->error = error > part->error ? error : part->error;
}

static void part_free(struct derived *thing)
{
    free(thing);
}

static struct collision_part *part_room(int32_t side)
{
    const size_t bytes =
        sizeof(struct collision_part) + (size_t)side * (size_t)side * sizeof(uint16_t);
    struct collision_part *part = malloc(bytes);

    if (!part)
        return NULL;
    *part = (struct collision_part){ .derived = { .holders = 1, .bytes = bytes, .free = part_free },
                                     .side = side };
    return part;
}

static struct derived *make(void *context, const struct derived *older, struct fault *why)
{
    const struct making *making = context;
    const struct collision *collision = making->collision;
    const int32_t sections = collision->component_steps / collision->section_steps;
    struct collision_part *part = part_room(collision->component_steps + 1);
    struct room room;

    (void)older;
    if (!part || !room_open(&room, collision->section_quads)) {
        free(part);
        fault_set(why, FAULT_MEMORY, "no memory for a component's collision samples");
        return NULL;
    }
    for (int32_t s = 0; s < sections * sections; s++)
        section_make(making, s % sections, s / sections, &room, part);
    free(room.heights);
    return &part->derived;
}

const struct collision_part *collision_part(const struct collision *collision, int32_t cx,
                                            int32_t cy, struct fault *why)
{
    static const char kind;
    const struct view *view = collision->view;
    struct making making = { collision, cx, cy };
    struct derived_place place = { .kind = &kind,
                                   .incarnation = view->incarnation,
                                   .at = { cx, cy, collision->mip, collision->section_quads },
                                   .options = (uint64_t)collision->component_steps };
    uint64_t stamp = view_newest(view, component_rect(view, cx, cy)) ^ view->again << 48;

    return (const struct collision_part *)derived_get(collision->cache, &place, stamp, make,
                                                      &making, why);
}

void collision_part_drop(const struct collision_part *part)
{
    derived_drop((struct derived *)(uintptr_t)part);
}
