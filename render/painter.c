#include "render/painter.h"

#include <stddef.h>
#include <stdlib.h>

#include "render/cover.h"
#include "render/mesh.h"
#include "render/picture.h"
#include "render/paging.h"
#include "render/palette.h"
#include "render/plan.h"
#include "render/programs.h"
#include "render/sampling.h"
#include "render/sky.h"
#include "render/target.h"
#include "render/uniforms.h"
#include "render/told.h"

enum {
    FLOAT_ATTRIBUTES = 6,
    PAINTS_ATTRIBUTE = FLOAT_ATTRIBUTES + 1, /* locations; 0 is of the mesh */
    TAG_ATTRIBUTE,
    MORE_ATTRIBUTE /* of shapes' vertices; others' are not looked at */
};

struct part {
    int32_t x, y, width, height; /* pixels of the picture, y from the top */
};

/* A picture while it is drawn. */
struct drawing {
    const struct scene_parts *parts;
    struct shelf *shelf;
    const struct tile_loader *loader;
    struct passes *passes; /* NULL: all tiles are there, and `plan` is of all */
    struct plan plan;
    int32_t *layers; /* where each tile is */
    struct painted *painted;
};

struct painter {
    const struct gl *gl;
    int samples; /* a pixel */
    struct meshes meshes;
    struct paging paging;
    struct target target;
    struct sky sky;
    struct programs programs;
    struct sampling_room room;
    GLuint vertex_array, instances;
    GLuint palette, table, materials;
};

static void describe_vertices(struct painter *painter)
{
    const struct gl *gl = painter->gl;

    gl->GenVertexArrays(1, &painter->vertex_array);
    gl->GenBuffers(1, &painter->instances);
    gl->BindVertexArray(painter->vertex_array);
    gl->EnableVertexAttribArray(0);
    for (GLuint i = 1; i <= TAG_ATTRIBUTE; i++) {
        gl->EnableVertexAttribArray(i);
        gl->VertexAttribDivisor(i, 1);
    }
    gl->EnableVertexAttribArray(MORE_ATTRIBUTE);
}

struct painter *painter_new(const struct gl *gl, int samples, struct fault *why)
{
    struct painter *painter = calloc(1, sizeof *painter);

    if (!painter) {
        fault_set(why, FAULT_MEMORY, "no memory to draw");
        return NULL;
    }
    painter->gl = gl;
    painter->samples = samples;
    painter->palette = palette_new(gl, why);
    painter->materials = painter->palette ? cover_table_new(gl) : 0;
    if (painter->palette) {
        describe_vertices(painter);
        paging_open(&painter->paging, gl);
        sky_open(&painter->sky, gl);
        if (gl_sound(gl, "describing vertices", why))
            return painter;
    }
    painter_free(painter);
    return NULL;
}

void painter_free(struct painter *painter)
{
    if (!painter)
        return;
    target_close(&painter->target, painter->gl);
    meshes_close(&painter->meshes, painter->gl);
    paging_close(&painter->paging, painter->gl);
    painter->gl->DeleteVertexArrays(1, &painter->vertex_array);
    painter->gl->DeleteBuffers(1, &painter->instances);
    sky_close(&painter->sky, painter->gl);
    painter->gl->DeleteTextures(1, &painter->palette);
    painter->gl->DeleteTextures(1, &painter->table);
    painter->gl->DeleteTextures(1, &painter->materials);
    programs_close(&painter->programs, painter->gl);
    sampling_room_free(&painter->room);
    free(painter);
}

/* From the whole picture's -1 to 1 to the part's. GL's rows run up and the picture's run down, so
 * the part is drawn head first and read as it lies. */
static void part_frame(const struct wire_scene *scene, const struct part *part, float frame[4])
{
    float across = (float)scene->width / (float)part->width;
    float down = (float)scene->height / (float)part->height;
    float middle_x = (2 * (float)part->x + (float)part->width) / (float)scene->width - 1;
    float middle_y = (2 * (float)part->y + (float)part->height) / (float)scene->height - 1;

    frame[0] = across;
    frame[1] = -down;
    frame[2] = -middle_x * across;
    frame[3] = -middle_y * down;
}

/* The mesh's vertices and indices; where its indices begin, how many, and of which kind. */
static bool bind_mesh(struct painter *painter, uint32_t key, struct drawn_mesh *mesh,
                      struct fault *why)
{
    const struct gl *gl = painter->gl;
    const struct mesh_kept *kept;

    if (WIRE_MESH_KIND(key) == WIRE_MESH_SHAPE) {
        *mesh = paging_shape(&painter->paging, gl, WIRE_SHAPE_OF(key));
        return true;
    }
    kept = meshes_get(&painter->meshes, gl, key, painter->paging.apart, why);
    if (!kept)
        return false;
    gl->BindBuffer(GL_ARRAY_BUFFER, kept->vertices);
    if (!painter->paging.apart)
        gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, kept->indices);
    *mesh = (struct drawn_mesh){ .count = kept->count, .type = kept->type, .stride = 8 };
    return true;
}

static bool draw_batch(struct painter *painter, const struct batch *batch, struct painted *painted,
                       struct fault *why)
{
    const struct gl *gl = painter->gl;
    const char *base = (const char *)(batch->first * sizeof(struct instance));
    struct drawn_mesh mesh;

    if (!bind_mesh(painter, batch->mesh, &mesh, why))
        return false;
    gl->VertexAttribPointer(0, 4, GL_UNSIGNED_SHORT, GL_FALSE, mesh.stride,
                            (const void *)mesh.vertices);
    gl->VertexAttribPointer(MORE_ATTRIBUTE, 2, GL_UNSIGNED_SHORT, GL_FALSE, mesh.stride,
                            (const void *)(mesh.vertices + (size_t)mesh.stride - 4));
    gl->BindBuffer(GL_ARRAY_BUFFER, painter->instances);
    for (GLuint i = 0; i < FLOAT_ATTRIBUTES; i++)
        gl->VertexAttribPointer(i + 1, 4, GL_FLOAT, GL_FALSE, sizeof(struct instance),
                                base + i * 4 * sizeof(float));
    gl->VertexAttribIPointer(PAINTS_ATTRIBUTE, 4, GL_UNSIGNED_INT, sizeof(struct instance),
                             base + offsetof(struct instance, paints));
    gl->VertexAttribPointer(TAG_ATTRIBUTE, 4, GL_FLOAT, GL_FALSE, sizeof(struct instance),
                            base + offsetof(struct instance, tag));
    if (painter->paging.apart)
        gl->DrawArraysInstanced(GL_TRIANGLES, 0, mesh.count, (GLsizei)batch->count);
    else
        gl->DrawElementsInstanced(GL_TRIANGLES, mesh.count, mesh.type, (const void *)mesh.indices,
                                  (GLsizei)batch->count);
    painted->draws++;
    painted->triangles += (uint64_t)mesh.count / 3 * batch->count;
    if (WIRE_MESH_KIND(batch->mesh) != WIRE_MESH_WALL &&
        WIRE_MESH_KIND(batch->mesh) != WIRE_MESH_SECTION_WALL)
        painted->ground += (uint64_t)mesh.count / 3 * batch->count;
    return true;
}

static bool draw_slice(struct painter *painter, const struct drawing *drawing,
                       const struct slice *slice, const float frame[4], struct fault *why)
{
    const struct gl *gl = painter->gl;
    const struct wire_scene *scene = drawing->parts->head;
    const struct plan *plan = &drawing->plan;
    GLuint current = 0;

    gl->BindVertexArray(painter->vertex_array);
    gl->DepthFunc(GL_LESS);
    for (size_t i = slice->first; i < slice->first + slice->count; i++) {
        GLuint program = programs_get(&painter->programs, gl, scene, plan->batches[i].variant, why);

        if (!program)
            return false;
        if (program != current) {
            gl->UseProgram(program);
            uniforms_scene(gl, program, scene, frame);
            uniforms_depth(gl, program, scene, slice->nearest, slice->farthest);
            cover_uniforms(gl, program, scene, drawing->layers);
            current = program;
        }
        if (!draw_batch(painter, &plan->batches[i], drawing->painted, why))
            return false;
    }
    return true;
}

/* Lays out what is drawn next, the tiles of which are there: all, or a pass in a slice. */
static bool prepare(struct painter *painter, struct drawing *drawing, const struct pass *pass,
                    const struct slice *slice, struct fault *why)
{
    const struct gl *gl = painter->gl;
    const struct scene_parts *parts = drawing->parts;

    plan_free(&drawing->plan);
    if (!plan_make(&drawing->plan, parts, pass, slice, drawing->layers, why))
        return false;
    gl->BindBuffer(GL_ARRAY_BUFFER, painter->instances);
    gl->BufferData(GL_ARRAY_BUFFER,
                   (GLsizeiptr)((drawing->plan.count + 1) * sizeof *drawing->plan.instances),
                   drawing->plan.instances, GL_STREAM_DRAW);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_PALETTE);
    gl->BindTexture(GL_TEXTURE_2D, painter->palette);
    cover_table_fill(gl, painter->materials, parts->head, drawing->layers);
    shelf_bind(drawing->shelf);
    return paging_load(&painter->paging, gl, parts,
                       pass && pass->pages ? pass->pages : parts->pages, drawing->layers,
                       programs_apart(parts->head), why);
}

/* Which patches a part of the picture shows of a slice. */
struct looking {
    const struct scene_parts *parts;
    const struct slice *slice;
    float west, north, east, south; /* as wire_patch has its window */
};

static bool is_looked_at(const void *context, uint32_t number)
{
    const struct looking *looking = context;
    const struct wire_patch *patch = &looking->parts->patches[number];

    return plan_in_slice(looking->slice, patch) && patch->window[0] <= looking->east &&
           patch->window[1] <= looking->south && patch->window[2] >= looking->west &&
           patch->window[3] >= looking->north;
}

static bool draw_passes(struct painter *painter, struct drawing *drawing, const struct part *part,
                        const struct slice *slice, const float frame[4], struct fault *why)
{
    const struct scene_parts *parts = drawing->parts;
    float width = (float)parts->head->width / 2, height = (float)parts->head->height / 2;
    const struct looking looking = { .parts = parts,
                                     .slice = slice,
                                     .west = (float)part->x / width - 1,
                                     .north = (float)part->y / height - 1,
                                     .east = (float)(part->x + part->width) / width - 1,
                                     .south = (float)(part->y + part->height) / height - 1 };
    struct pass pass;

    passes_begin(drawing->passes, is_looked_at, &looking);
    while (passes_next(drawing->passes, &pass, why)) {
        if (!drawing->loader->load(drawing->loader->context, pass.tiles, pass.tile_count,
                                   drawing->layers, why) ||
            !prepare(painter, drawing, &pass, slice, why) ||
            !draw_slice(painter, drawing, &drawing->plan.slices[0], frame, why))
            return false;
    }
    return why->code == FAULT_NONE;
}

static bool draw_part(struct painter *painter, struct drawing *drawing, const struct part *part,
                      const struct sampling *sampling, struct fault *why)
{
    const struct gl *gl = painter->gl;
    const struct wire_scene *scene = drawing->parts->head;
    struct slice slices[PLAN_SLICES_MOST];
    int count = plan_slices(scene, slices);
    float frame[4];

    part_frame(scene, part, frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, painter->target.drawn);
    gl->Viewport(0, 0, part->width * sampling->across, part->height * sampling->down);
    gl->Enable(GL_DEPTH_TEST);
    gl->ClearColor(scene->background[0], scene->background[1], scene->background[2],
                   scene->background[3]);
    for (int i = 0; i < count; i++) {
        gl->Clear(i == 0 ? GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT : GL_DEPTH_BUFFER_BIT);
        if (!(drawing->passes ? draw_passes(painter, drawing, part, &slices[i], frame, why)
                              : draw_slice(painter, drawing, &drawing->plan.slices[i], frame, why)))
            return false;
        if (i == 0 && scene->sky && !sky_draw(&painter->sky, gl, scene, frame, why))
            return false;
    }
    return true;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool draw_parts(struct painter *painter, struct drawing *drawing,
                       const struct sampling *sampling, uint8_t *rgba, struct fault *why)
{
    const struct wire_scene *scene = drawing->parts->head;
    int32_t width = (int32_t)scene->width, height = (int32_t)scene->height;
    int32_t most = smaller(TARGET_SIDE_MOST, painter->gl->side_most);
    int32_t most_across = most / sampling->across, most_down = most / sampling->down;

    if (!target_open(&painter->target, painter->gl, smaller(width, most_across) * sampling->across,
                     smaller(height, most_down) * sampling->down, sampling->samples, why))
        return false;
    for (int32_t y = 0; y < height; y += most_down)
        for (int32_t x = 0; x < width; x += most_across) {
            struct part part = { x, y, smaller(width - x, most_across),
                                 smaller(height - y, most_down) };

            if (!draw_part(painter, drawing, &part, sampling, why) ||
                !sampling_read(sampling, &painter->room, &painter->target, painter->gl, part.width,
                               part.height, width,
                               rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), why))
                return false;
        }
    return true;
}

/* All tiles at once where there is room, else in passes. */
static bool load_tiles(struct painter *painter, struct drawing *drawing, struct fault *why)
{
    const struct scene_parts *parts = drawing->parts;
    uint32_t count = parts->head->tile_count, *places;
    int32_t room[RENDER_PLANES], counts[RENDER_PLANES] = { 0 };
    bool all = true, loaded;

    for (uint32_t i = 0; i < count; i++)
        counts[parts->keys[i].plane]++;
    for (int plane = 0; plane < RENDER_PLANES; plane++) {
        room[plane] = shelf_layers_most(drawing->shelf, plane);
        all = all && counts[plane] <= room[plane];
    }
    if (!all) {
        drawing->passes = passes_new(parts, room, why);
        return drawing->passes;
    }
    places = malloc(((size_t)count + 1) * sizeof *places);
    if (!places)
        return fault_set(why, FAULT_MEMORY, "no memory for a picture's tiles");
    for (uint32_t i = 0; i < count; i++)
        places[i] = i;
    loaded = drawing->loader->load(drawing->loader->context, places, count, drawing->layers, why) &&
             prepare(painter, drawing, NULL, NULL, why);
    free(places);
    return loaded;
}

bool painter_draw(struct painter *painter, struct shelf *shelf, const struct scene_parts *parts,
                  const struct tile_loader *loader, uint8_t *rgba, struct painted *painted,
                  struct fault *why)
{
    const struct wire_scene *scene = parts->head;
    const struct sampling sampling = sampling_of(painter->samples, scene);
    struct drawing drawing = { .parts = parts,
                               .shelf = shelf,
                               .loader = loader,
                               .layers = calloc((size_t)scene->tile_count + 1, sizeof(int32_t)),
                               .painted = painted };
    bool drawn = false;

    *painted = (struct painted){ 0 };
    programs_begin(&painter->programs);
    if (!drawing.layers) {
        fault_set(why, FAULT_MEMORY, "no memory for a picture's tiles");
        goto done;
    }
    if (!load_tiles(painter, &drawing, why))
        goto done;
    told_load(painter->gl, &painter->table, scene);
    drawn = draw_parts(painter, &drawing, &sampling, rgba, why) &&
            sampling_finish(&sampling, &painter->room, scene, rgba, why);

done:
    plan_free(&drawing.plan);
    passes_free(drawing.passes);
    free(drawing.layers);
    return drawn;
}
