#include "render/painter.h"

#include <math.h>
#include <stdlib.h>

#include "render/daylight.h"
#include "render/mesh.h"
#include "render/modes.h"
#include "render/palette.h"
#include "render/program.h"
#include "render/smooth.h"
#include "render/target.h"

/* One patch as the vertex shader takes it: locations 1 to 4. */
struct instance {
    float grid[4], limit[4], ground[4], extra[4];
};

enum { ATTRIBUTES = 4, SLICES_MOST = 2, SKY_VERTICES = 6 * 40 * 40 };

/* Ground without holes is drawn by a program that cannot discard: depth is then tested before
 * shading, which halves the price of a pixel. */
enum { WHOLE, HOLED, PROGRAMS };

/* Beyond this ratio of far to near, 24 bits of depth are spread over two slices, the far one first.
 */
static const float slice_ratio = 4000;

struct slice {
    float nearest, farthest;
    size_t first[PROGRAMS][WIRE_MESHES], count[PROGRAMS][WIRE_MESHES]; /* instances */
};

struct plan {
    struct slice slices[SLICES_MOST];
    int slice_count;
    struct instance *instances;
    size_t count;
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
    GLuint modes[RENDER_MODES][PROGRAMS]; /* compiled when first asked for */
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
    for (GLuint i = 1; i <= ATTRIBUTES; i++) {
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
    painter->sky = program_new(gl, "", "sky.vert", "sky.frag", why);
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
    for (int mode = 0; mode < RENDER_MODES; mode++)
        for (int i = 0; i < PROGRAMS; i++)
            painter->gl->DeleteProgram(painter->modes[mode][i]);
    free(painter->room);
    free(painter);
}

static void set_3f(const struct gl *gl, GLuint program, const char *name, const float value[3])
{
    gl->Uniform3fv(gl->GetUniformLocation(program, name), 1, value);
}

static void set_4f(const struct gl *gl, GLuint program, const char *name, const float value[4])
{
    gl->Uniform4fv(gl->GetUniformLocation(program, name), 1, value);
}

static void set_light(const struct gl *gl, GLuint program, const struct wire_scene *scene)
{
    struct daylight light;

    daylight_of(scene->sun_azimuth, scene->sun_elevation, &light);
    set_3f(gl, program, "sun", light.sun);
    set_3f(gl, program, "sunlight", light.sunlight);
    set_3f(gl, program, "above", light.above);
    set_3f(gl, program, "below", light.below);
    set_3f(gl, program, "zenith", light.zenith);
    set_3f(gl, program, "horizon", light.horizon);
    set_3f(gl, program, "floor_colour", light.floor);
    set_3f(gl, program, "glow", light.glow);
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
    set_light(gl, painter->sky, scene);
    set_4f(gl, painter->sky, "frame", frame);
    set_3f(gl, painter->sky, "looking",
           (const float[3]){ scene->half[0], scene->half[1], scene->ortho ? 1 : 0 });
    set_3f(gl, painter->sky, "sight_right", scene->right);
    set_3f(gl, painter->sky, "sight_up", scene->up);
    set_3f(gl, painter->sky, "sight_forward", scene->forward);
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
    set_3f(gl, program, "right", right);
    set_3f(gl, program, "up", up);
    set_3f(gl, program, "forward", scene->forward);
    set_4f(gl, program, "frame", frame);
    set_3f(gl, program, "code",
           (const float[3]){ scene->code_metres, scene->code_zero, scene->base });
    set_3f(gl, program, "range",
           (const float[3]){ scene->range[0] - scene->eye_z, relief > 0 ? 1 / relief : 0,
                             0.07f / scene->extent });
    set_light(gl, program, scene);
    gl->Uniform1i(gl->GetUniformLocation(program, "heights"), 0);
    gl->Uniform1i(gl->GetUniformLocation(program, "slopes"), 1);
    gl->Uniform1i(gl->GetUniformLocation(program, "palette"), 2);
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
    set_3f(gl, program, "depth", depth);
}

static void draw_slice(struct painter *painter, const struct slice *slice, int holed,
                       struct painted *painted)
{
    const struct gl *gl = painter->gl;

    for (int mesh = 0; mesh < WIRE_MESHES; mesh++) {
        size_t first = slice->first[holed][mesh], count = slice->count[holed][mesh];

        if (!count)
            continue;
        for (GLuint i = 0; i < ATTRIBUTES; i++)
            gl->VertexAttribPointer(
                i + 1, 4, GL_FLOAT, GL_FALSE, sizeof(struct instance),
                (const void *)(first * sizeof(struct instance) + i * 4 * sizeof(float)));
        gl->DrawElementsInstanced(GL_TRIANGLES, painter->meshes.count[mesh], GL_UNSIGNED_SHORT,
                                  (const void *)painter->meshes.offset[mesh], (GLsizei)count);
        painted->draws++;
        painted->triangles += (uint64_t)painter->meshes.count[mesh] / 3 * count;
    }
}

static bool slice_has(const struct slice *slice, int holed)
{
    for (int mesh = 0; mesh < WIRE_MESHES; mesh++)
        if (slice->count[holed][mesh])
            return true;
    return false;
}

static void draw_part(struct painter *painter, const struct wire_scene *scene,
                      const struct plan *plan, const GLuint programs[PROGRAMS],
                      const struct part *part, struct painted *painted)
{
    const struct gl *gl = painter->gl;
    float frame[4];

    part_frame(scene, part, frame);
    gl->BindFramebuffer(GL_FRAMEBUFFER, painter->target.drawn);
    gl->Viewport(0, 0, part->width, part->height);
    gl->Enable(GL_DEPTH_TEST);
    for (int i = 0; i < plan->slice_count; i++) {
        gl->Clear(i == 0 ? GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT : GL_DEPTH_BUFFER_BIT);
        gl->BindVertexArray(painter->vertex_array);
        gl->BindBuffer(GL_ARRAY_BUFFER, painter->instances);
        gl->DepthFunc(GL_LESS);
        for (int holed = WHOLE; holed < PROGRAMS; holed++) {
            if (!slice_has(&plan->slices[i], holed))
                continue;
            gl->UseProgram(programs[holed]);
            set_scene(gl, programs[holed], scene, frame);
            set_depth(gl, programs[holed], scene, &plan->slices[i]);
            draw_slice(painter, &plan->slices[i], holed, painted);
        }
        if (i == 0)
            draw_sky(painter, scene, frame);
    }
}

static void set_instance(struct instance *instance, const struct wire_patch *patch, int32_t layer)
{
    *instance = (struct instance){
        .grid = { patch->first[0], patch->first[1], patch->step, (float)layer },
        .limit = { patch->limit[0], patch->limit[1], patch->limit[2], patch->limit[3] },
        .ground = { patch->origin[0], patch->origin[1], patch->spacing[0], patch->spacing[1] },
        .extra = { patch->shift, patch->drop, 0, 0 }
    };
}

/* The patches of a slice, mesh by mesh, each in the order of the scene: nearest first. */
static void plan_slice(struct plan *plan, struct slice *slice, const struct wire_scene *scene,
                       const struct wire_patch *patches, const int32_t *layers)
{
    for (int holed = WHOLE; holed < PROGRAMS; holed++)
        for (uint32_t mesh = 0; mesh < WIRE_MESHES; mesh++) {
            slice->first[holed][mesh] = plan->count;
            for (uint32_t i = 0; i < scene->patch_count; i++)
                if (patches[i].mesh == mesh && (patches[i].holed != 0) == (holed == HOLED) &&
                    patches[i].ahead[0] <= slice->farthest && patches[i].ahead[1] >= slice->nearest)
                    set_instance(&plan->instances[plan->count++], &patches[i],
                                 layers[patches[i].tile]);
            slice->count[holed][mesh] = plan->count - slice->first[holed][mesh];
        }
}

static bool plan_make(struct plan *plan, const struct wire_scene *scene,
                      const struct wire_patch *patches, const int32_t *layers, struct fault *why)
{
    float near = scene->nearest, far = scene->farthest, middle = sqrtf(near) * sqrtf(far);
    bool split = !scene->ortho && far > near * slice_ratio;

    plan->slice_count = split ? 2 : 1;
    plan->slices[0] = (struct slice){ .nearest = split ? middle : near, .farthest = far };
    plan->slices[1] = (struct slice){ .nearest = near, .farthest = middle * 1.01f };
    plan->instances =
        malloc(sizeof *plan->instances * ((size_t)scene->patch_count * SLICES_MOST + 1));
    if (!plan->instances)
        return fault_set(why, FAULT_MEMORY, "no memory for %u patches", scene->patch_count);
    for (int i = 0; i < plan->slice_count; i++)
        plan_slice(plan, &plan->slices[i], scene, patches, layers);
    return true;
}

static bool programs_of(struct painter *painter, uint32_t mode, struct fault *why)
{
    static const char *const defines[PROGRAMS] = { [WHOLE] = "", [HOLED] = "#define HOLES\n" };

    for (int i = 0; i < PROGRAMS; i++) {
        GLuint *program = &painter->modes[mode][i];

        if (!*program)
            *program = program_new(painter->gl, defines[i], "terrain.vert",
                                   render_mode_shaders[mode], why);
        if (!*program)
            return false;
    }
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
                     painter->samples, why))
        return false;
    for (int32_t y = 0; y < height; y += most)
        for (int32_t x = 0; x < width; x += most) {
            struct part part = { x, y, smaller(width - x, most), smaller(height - y, most) };

            draw_part(painter, scene, plan, painter->modes[scene->mode], &part, painted);
            if (!target_read(&painter->target, painter->gl, part.width, part.height, width,
                             rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), why))
                return false;
        }
    return true;
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
    if (!programs_of(painter, scene->mode, why) || !plan_make(&plan, scene, patches, layers, why))
        goto done;
    gl->BindBuffer(GL_ARRAY_BUFFER, painter->instances);
    gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((plan.count + 1) * sizeof *plan.instances),
                   plan.instances, GL_STREAM_DRAW);
    gl->ActiveTexture(GL_TEXTURE2);
    gl->BindTexture(GL_TEXTURE_2D, painter->palette);
    shelf_bind(shelf);
    drawn = draw_parts(painter, scene, &plan, rgba, painted, why) &&
            (painter->samples > 1 || smooth(painter, scene, rgba, why));

done:
    free(plan.instances);
    return drawn;
}
