#include "render/painter.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/mesh.h"
#include "render/picture.h"
#include "render/palette.h"
#include "render/program.h"
#include "render/smooth.h"
#include "render/target.h"
#include "render/uniforms.h"

/* One patch as the vertex shader takes it: locations 1 to 7. */
struct instance {
    float grid[4], limit[4], ground[4], extra[4], quads[4], slots[4];
    uint8_t paints[WIRE_PAINTS];
};

enum {
    FLOAT_ATTRIBUTES = 6,
    PAINTS_ATTRIBUTE = FLOAT_ATTRIBUTES + 1,
    SLICES_MOST = 2,
    SKY_VERTICES = 6 * 40 * 40,
    PROGRAMS_MOST = 96
};

/* Beyond this ratio of far to near, 24 bits of depth are spread over two slices, the far one first.
 */
static const float slice_ratio = 4000;

/* Patches that one call draws. */
struct batch {
    uint32_t variant, mesh;
    size_t first, count; /* instances */
};

/* Ground without holes is drawn first, by a program that cannot discard: depth is then tested
 * before shading, which halves the price of a pixel. */
struct slice {
    float nearest, farthest;
    size_t first, count; /* batches */
};

struct plan {
    struct slice slices[SLICES_MOST];
    int slice_count;
    struct batch *batches;
    struct instance *instances;
    size_t batch_count, count;
};

/* A program and what it is a program of. */
struct compiled {
    GLuint program;
    uint32_t mode, geometry, output, variant;
    uint64_t used;
};

struct part {
    int32_t x, y, width, height; /* pixels of the picture, y from the top */
};

struct painter {
    const struct gl *gl;
    int samples; /* a pixel */
    struct meshes meshes;
    struct target target;
    GLuint vertex_array, empty_array, instances;
    uint8_t *room; /* to smooth in */
    size_t room_size;
    GLuint sky, palette;
    struct compiled programs[PROGRAMS_MOST]; /* compiled when first asked for */
    uint64_t picture;
};

static bool describe_vertices(struct painter *painter)
{
    const struct gl *gl = painter->gl;

    gl->GenVertexArrays(1, &painter->empty_array);
    gl->GenVertexArrays(1, &painter->vertex_array);
    gl->GenBuffers(1, &painter->instances);
    gl->BindVertexArray(painter->vertex_array);
    gl->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, painter->meshes.indices);
    gl->BindBuffer(GL_ARRAY_BUFFER, painter->meshes.vertices);
    gl->EnableVertexAttribArray(0);
    gl->VertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_FALSE, 4, NULL);
    for (GLuint i = 1; i <= PAINTS_ATTRIBUTE; i++) {
        gl->EnableVertexAttribArray(i);
        gl->VertexAttribDivisor(i, 1);
    }
    return true;
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
    painter->sky = program_new(gl, "", "sky.vert", "sky.frag", NULL, why);
    painter->palette = painter->sky ? palette_new(gl, why) : 0;
    if (painter->palette && meshes_open(&painter->meshes, gl, why) && describe_vertices(painter) &&
        gl_sound(gl, "describing vertices", why))
        return painter;
    painter_free(painter);
    return NULL;
}

void painter_free(struct painter *painter)
{
    if (!painter)
        return;
    target_close(&painter->target, painter->gl);
    meshes_close(&painter->meshes, painter->gl);
    painter->gl->DeleteVertexArrays(1, &painter->vertex_array);
    painter->gl->DeleteVertexArrays(1, &painter->empty_array);
    painter->gl->DeleteBuffers(1, &painter->instances);
    painter->gl->DeleteProgram(painter->sky);
    painter->gl->DeleteTextures(1, &painter->palette);
    for (int i = 0; i < PROGRAMS_MOST; i++)
        painter->gl->DeleteProgram(painter->programs[i].program);
    free(painter->room);
    free(painter);
}

static void set_unit(const struct gl *gl, GLuint program, const char *name, int unit)
{
    gl->Uniform1i(gl->GetUniformLocation(program, name), unit);
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

static void draw_sky(struct painter *painter, const struct wire_scene *scene, const float frame[4])
{
    const struct gl *gl = painter->gl;

    gl->UseProgram(painter->sky);
    uniforms_light(gl, painter->sky, scene);
    uniform_4f(gl, painter->sky, "frame", frame);
    uniform_3f(gl, painter->sky, "looking",
               (const float[3]){ scene->half[0], scene->half[1], scene->ortho ? 1 : 0 });
    uniform_3f(gl, painter->sky, "sight_right", scene->right);
    uniform_3f(gl, painter->sky, "sight_up", scene->up);
    uniform_3f(gl, painter->sky, "sight_forward", scene->forward);
    gl->BindVertexArray(painter->empty_array);
    gl->DepthFunc(GL_LEQUAL);
    gl->DepthMask(GL_FALSE);
    gl->DrawArrays(GL_TRIANGLES, 0, SKY_VERTICES);
    gl->DepthMask(GL_TRUE);
}

/* What all patches share. */
static void set_scene(const struct gl *gl, GLuint program, const struct wire_scene *scene,
                      const float frame[4])
{
    float relief = scene->range[1] - scene->range[0];
    float right[3], up[3];

    for (int i = 0; i < 3; i++) {
        right[i] = scene->right[i] / scene->half[0];
        up[i] = scene->up[i] / scene->half[1];
    }
    uniform_3f(gl, program, "right", right);
    uniform_3f(gl, program, "up", up);
    uniform_3f(gl, program, "forward", scene->forward);
    uniform_4f(gl, program, "frame", frame);
    uniform_3f(gl, program, "code",
               (const float[3]){ scene->code_metres, scene->code_zero, scene->base });
    uniform_3f(gl, program, "range",
               (const float[3]){ scene->range[0] - scene->eye_z, 0, 0.07f / scene->extent });
    uniform_4f(gl, program, "relief",
               (const float[4]){ scene->range[0], relief, relief > 0 ? 1 / relief : 0,
                                 scene->base + scene->eye_z });
    gl->Uniform1f(gl->GetUniformLocation(program, "code_zero"), scene->code_zero + scene->eye_z);
    gl->Uniform2fv(gl->GetUniformLocation(program, "last_quad"), 1, scene->last_quad);
    uniforms_light(gl, program, scene);
    for (int plane = 0; plane < RENDER_PLANES; plane++)
        set_unit(gl, program, plane_formats[plane].name, plane);
    set_unit(gl, program, "slopes", UNIT_SLOPES);
    set_unit(gl, program, "palette", UNIT_PALETTE);
}

static void set_depth(const struct gl *gl, GLuint program, const struct wire_scene *scene,
                      const struct slice *slice)
{
    float near = slice->nearest, far = slice->farthest;
    float depth[3] = { (far + near) / (far - near), -2 * far * near / (far - near), 0 };

    if (scene->ortho) {
        depth[0] = 2 / (far - near);
        depth[1] = -(far + near) / (far - near);
        depth[2] = 1;
    }
    uniform_3f(gl, program, "depth", depth);
}

/* The program of a batch: one of those there are, else compiled in the place of the one not used
 * for longest. 0 when it fails, with WORKER. */
static GLuint program_of(struct painter *painter, const struct wire_scene *scene, uint32_t variant,
                         struct fault *why)
{
    static const char *const names[] = {
#define VARIANT(name) "#define " #name "\n",
#include "render/variants.def"
#undef VARIANT
    };
    static const char *const vertex[] = {
#define GEOMETRY(name, vertex, summary) vertex,
#include "render/geometries.def"
#undef GEOMETRY
    };
    static const char *const outputs[] = {
#define OUTPUT(name, nothing, glsl, summary) glsl,
#include "render/outputs.def"
#undef OUTPUT
    };
    const struct render_mode *mode = render_modes[scene->mode];
    struct compiled *found = &painter->programs[0];
    char defines[1024] = "";
    size_t length = 0;

    for (int i = 0; i < PROGRAMS_MOST; i++) {
        struct compiled *at = &painter->programs[i];

        if (at->program && at->mode == scene->mode && at->geometry == scene->geometry &&
            at->output == scene->output && at->variant == variant) {
            at->used = painter->picture;
            return at->program;
        }
        if (found->program && (!at->program || at->used < found->used))
            found = at;
    }
    for (int i = 0; i < WIRE_VARIANTS && length < sizeof defines; i++)
        if (variant & 1u << i)
            length += (size_t)snprintf(defines + length, sizeof defines - length, "%s", names[i]);
    if (mode->lit && length < sizeof defines)
        length += (size_t)snprintf(defines + length, sizeof defines - length, "#define LIT\n");
    if (scene->output != RENDER_OUTPUT_colour && length < sizeof defines)
        snprintf(defines + length, sizeof defines - length, "#define OUTPUT %s\n",
                 outputs[scene->output]);
    painter->gl->DeleteProgram(found->program);
    *found =
        (struct compiled){ .program = program_new(painter->gl, defines, vertex[scene->geometry],
                                                  "ground.frag", mode->shader, why),
                           .mode = scene->mode,
                           .geometry = scene->geometry,
                           .variant = variant,
                           .used = painter->picture };
    return found->program;
}

static void draw_batch(struct painter *painter, const struct batch *batch, struct painted *painted)
{
    const struct gl *gl = painter->gl;
    const char *base = (const char *)(batch->first * sizeof(struct instance));

    for (GLuint i = 0; i < FLOAT_ATTRIBUTES; i++)
        gl->VertexAttribPointer(i + 1, 4, GL_FLOAT, GL_FALSE, sizeof(struct instance),
                                base + i * 4 * sizeof(float));
    gl->VertexAttribIPointer(PAINTS_ATTRIBUTE, 4, GL_UNSIGNED_INT, sizeof(struct instance),
                             base + offsetof(struct instance, paints));
    gl->DrawElementsInstanced(GL_TRIANGLES, painter->meshes.count[batch->mesh], GL_UNSIGNED_SHORT,
                              (const void *)painter->meshes.offset[batch->mesh],
                              (GLsizei)batch->count);
    painted->draws++;
    painted->triangles += (uint64_t)painter->meshes.count[batch->mesh] / 3 * batch->count;
}

static bool draw_slice(struct painter *painter, const struct wire_scene *scene,
                       const struct plan *plan, const struct slice *slice, const float frame[4],
                       struct painted *painted, struct fault *why)
{
    const struct gl *gl = painter->gl;
    GLuint current = 0;

    gl->BindVertexArray(painter->vertex_array);
    gl->BindBuffer(GL_ARRAY_BUFFER, painter->instances);
    gl->DepthFunc(GL_LESS);
    for (size_t i = slice->first; i < slice->first + slice->count; i++) {
        GLuint program = program_of(painter, scene, plan->batches[i].variant, why);

        if (!program)
            return false;
        if (program != current) {
            gl->UseProgram(program);
            set_scene(gl, program, scene, frame);
            set_depth(gl, program, scene, slice);
            current = program;
        }
        draw_batch(painter, &plan->batches[i], painted);
    }
    return true;
}

static bool draw_part(struct painter *painter, const struct wire_scene *scene,
                      const struct plan *plan, const struct part *part, struct painted *painted,
                      struct fault *why)
{
    const struct gl *gl = painter->gl;
    float frame[4];

    part_frame(scene, part, frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, painter->target.drawn);
    gl->Viewport(0, 0, part->width, part->height);
    gl->Enable(GL_DEPTH_TEST);
    gl->ClearColor(scene->background[0], scene->background[1], scene->background[2],
                   scene->background[3]);
    for (int i = 0; i < plan->slice_count; i++) {
        gl->Clear(i == 0 ? GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT : GL_DEPTH_BUFFER_BIT);
        if (!draw_slice(painter, scene, plan, &plan->slices[i], frame, painted, why))
            return false;
        if (i == 0 && scene->sky)
            draw_sky(painter, scene, frame);
    }
    return true;
}

static float layer_of(const struct wire_patch *patch, const int32_t *layers, int slot)
{
    return patch->slots[slot] == WIRE_NONE ? 0 : (float)layers[patch->slots[slot]];
}

static void set_instance(struct instance *instance, const struct wire_patch *patch,
                         const int32_t *layers)
{
    *instance = (struct instance){
        .grid = { patch->first[0], patch->first[1], patch->step,
                  layer_of(patch, layers, SLOT_heights) },
        .limit = { patch->limit[0], patch->limit[1], patch->limit[2], patch->limit[3] },
        .ground = { patch->origin[0], patch->origin[1], patch->spacing[0], patch->spacing[1] },
        .extra = { patch->shift, patch->drop, layer_of(patch, layers, SLOT_weights1),
                   layer_of(patch, layers, SLOT_weights2) },
        .quads = { patch->quads[0], patch->quads[1], patch->quads[2], patch->quads[3] },
        .slots = { layer_of(patch, layers, SLOT_shade), layer_of(patch, layers, SLOT_offsets),
                   layer_of(patch, layers, SLOT_values), layer_of(patch, layers, SLOT_weights0) },
    };
    memcpy(instance->paints, patch->paints, sizeof instance->paints);
}

/* Whole ground before that with holes, then by variant and mesh; the rest as in the scene, which is
 * nearest first. */
static int compare_batches(const void *left, const void *right)
{
    const struct batch *a = left, *b = right;
    uint32_t a_holes = a->variant & WIRE_BIT(HOLES), b_holes = b->variant & WIRE_BIT(HOLES);

    if (a_holes != b_holes)
        return a_holes < b_holes ? -1 : 1;
    if (a->variant != b->variant)
        return a->variant < b->variant ? -1 : 1;
    return a->mesh < b->mesh ? -1 : a->mesh > b->mesh;
}

static struct batch *find_batch(struct plan *plan, const struct slice *slice, uint32_t variant,
                                uint32_t mesh)
{
    for (size_t i = slice->first; i < plan->batch_count; i++)
        if (plan->batches[i].variant == variant && plan->batches[i].mesh == mesh)
            return &plan->batches[i];
    return NULL;
}

static bool in_slice(const struct slice *slice, const struct wire_patch *patch)
{
    return patch->ahead[0] <= slice->farthest && patch->ahead[1] >= slice->nearest;
}

/* Counted, then laid out, batch by batch. */
static void plan_slice(struct plan *plan, struct slice *slice, const struct wire_scene *scene,
                       const struct wire_patch *patches, const int32_t *layers)
{
    slice->first = plan->batch_count;
    for (uint32_t i = 0; i < scene->patch_count; i++) {
        struct batch *batch;

        if (!in_slice(slice, &patches[i]))
            continue;
        batch = find_batch(plan, slice, patches[i].variant, patches[i].mesh);
        if (!batch) {
            batch = &plan->batches[plan->batch_count++];
            *batch = (struct batch){ .variant = patches[i].variant, .mesh = patches[i].mesh };
        }
        batch->count++;
    }
    slice->count = plan->batch_count - slice->first;
    qsort(plan->batches + slice->first, slice->count, sizeof *plan->batches, compare_batches);
    for (size_t i = slice->first; i < plan->batch_count; i++) {
        plan->batches[i].first = plan->count;
        plan->count += plan->batches[i].count;
        plan->batches[i].count = 0;
    }
    for (uint32_t i = 0; i < scene->patch_count; i++)
        if (in_slice(slice, &patches[i])) {
            struct batch *batch = find_batch(plan, slice, patches[i].variant, patches[i].mesh);

            set_instance(&plan->instances[batch->first + batch->count++], &patches[i], layers);
        }
}

static bool plan_make(struct plan *plan, const struct wire_scene *scene,
                      const struct wire_patch *patches, const int32_t *layers, struct fault *why)
{
    float near = scene->nearest, far = scene->farthest, middle = sqrtf(near) * sqrtf(far);
    bool split = !scene->ortho && far > near * slice_ratio;
    size_t most = (size_t)scene->patch_count * SLICES_MOST + 1;

    plan->slice_count = split ? 2 : 1;
    plan->slices[0] = (struct slice){ .nearest = split ? middle : near, .farthest = far };
    plan->slices[1] = (struct slice){ .nearest = near, .farthest = middle * 1.01f };
    plan->instances = malloc(sizeof *plan->instances * most);
    plan->batches = malloc(sizeof *plan->batches * most);
    if (!plan->instances || !plan->batches)
        return fault_set(why, FAULT_MEMORY, "no memory for %u patches", scene->patch_count);
    for (int i = 0; i < plan->slice_count; i++)
        plan_slice(plan, &plan->slices[i], scene, patches, layers);
    return true;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool draw_parts(struct painter *painter, const struct wire_scene *scene,
                       const struct plan *plan, uint8_t *rgba, struct painted *painted,
                       struct fault *why)
{
    int32_t width = (int32_t)scene->width, height = (int32_t)scene->height;
    int32_t most = smaller(TARGET_SIDE_MOST, painter->gl->side_most);

    if (!target_open(&painter->target, painter->gl, smaller(width, most), smaller(height, most),
                     scene->output == RENDER_OUTPUT_colour ? painter->samples : 0, why))
        return false;
    for (int32_t y = 0; y < height; y += most)
        for (int32_t x = 0; x < width; x += most) {
            struct part part = { x, y, smaller(width - x, most), smaller(height - y, most) };

            if (!draw_part(painter, scene, plan, &part, painted, why) ||
                !target_read(&painter->target, painter->gl, part.width, part.height, width,
                             rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), why))
                return false;
        }
    return true;
}

/* What stands for numbers, where each pixel says one: smoothing would change it. */
static bool is_chart(const struct wire_scene *scene)
{
    return scene->output != RENDER_OUTPUT_colour ||
           (scene->ortho && !render_modes[scene->mode]->lit);
}

/* Where pixels are partly ground, colours have come mixed with nothing: told of the ground alone.
 */
static void straighten_alpha(const struct wire_scene *scene, uint8_t *rgba)
{
    size_t count = (size_t)scene->width * scene->height;

    for (size_t i = 0; i < count; i++) {
        unsigned alpha = rgba[4 * i + 3];

        for (int c = 0; alpha > 0 && alpha < 255 && c < 3; c++) {
            unsigned whole = (rgba[4 * i + (size_t)c] * 255u + alpha / 2) / alpha;

            rgba[4 * i + (size_t)c] = (uint8_t)(whole < 255 ? whole : 255);
        }
    }
}

/* The room is kept: to fault so many pages in again costs as much as the smoothing. */
static bool smooth(struct painter *painter, const struct wire_scene *scene, uint8_t *rgba,
                   struct fault *why)
{
    int32_t width = (int32_t)scene->width, height = (int32_t)scene->height;
    size_t needed = smooth_room(width, height);

    if (painter->room_size < needed) {
        free(painter->room);
        painter->room = malloc(needed);
        painter->room_size = painter->room ? needed : 0;
    }
    if (!painter->room)
        return fault_set(why, FAULT_MEMORY, "no memory to smooth a picture");
    smooth_edges(rgba, width, height, painter->room);
    return true;
}

bool painter_draw(struct painter *painter, const struct shelf *shelf,
                  const struct wire_scene *scene, const struct wire_patch *patches,
                  const int32_t *layers, uint8_t *rgba, struct painted *painted, struct fault *why)
{
    const struct gl *gl = painter->gl;
    struct plan plan = { 0 };
    bool drawn = false;

    *painted = (struct painted){ 0 };
    painter->picture++;
    if (!plan_make(&plan, scene, patches, layers, why))
        goto done;
    gl->BindBuffer(GL_ARRAY_BUFFER, painter->instances);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((plan.count + 1) * sizeof *plan.instances),
                   plan.instances, GL_STREAM_DRAW);
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_PALETTE);
    gl->BindTexture(GL_TEXTURE_2D, painter->palette);
    shelf_bind(shelf);
    drawn = draw_parts(painter, scene, &plan, rgba, painted, why) &&
            (painter->samples > 1 || is_chart(scene) || smooth(painter, scene, rgba, why));
    if (drawn && scene->output == RENDER_OUTPUT_colour && scene->background[3] == 0)
        straighten_alpha(scene, rgba);

done:
    free(plan.instances);
    free(plan.batches);
    return drawn;
}
