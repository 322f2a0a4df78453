#include "render/programs.h"

#include <stdio.h>

#include "render/picture.h"
#include "render/program.h"

enum { DEFINES_ROOM = 1024 };

void programs_begin(struct programs *programs)
{
    programs->picture++;
}

void programs_close(struct programs *programs, const struct gl *gl)
{
    for (int i = 0; i < PROGRAMS_MOST; i++)
        gl->DeleteProgram(programs->kept[i].program);
}

bool programs_apart(const struct wire_scene *scene)
{
    return scene->output == RENDER_OUTPUT_colour && render_modes[scene->mode]->apart;
}

/* What the shaders are compiled with. */
static void write_defines(const struct wire_scene *scene, uint32_t variant,
                          char defines[DEFINES_ROOM])
{
    static const char *const names[] = {
#define VARIANT(name) "#define " #name "\n",
#include "render/variants.def"
#undef VARIANT
    };
    static const char *const geometry[] = {
#define GEOMETRY(name, vertex, defines, summary) defines,
#include "render/geometries.def"
#undef GEOMETRY
    };
    static const char *const outputs[] = {
#define OUTPUT(name, nothing, glsl, summary) glsl,
#include "render/outputs.def"
#undef OUTPUT
    };
    int length = snprintf(defines, DEFINES_ROOM, "%s", geometry[scene->geometry]);

    for (int i = 0; i < WIRE_VARIANTS && length < DEFINES_ROOM; i++)
        if (variant & 1u << i)
            length += snprintf(defines + length, (size_t)(DEFINES_ROOM - length), "%s", names[i]);
    if (length < DEFINES_ROOM)
        length += snprintf(defines + length, (size_t)(DEFINES_ROOM - length), "%s%s",
                           render_modes[scene->mode]->lit ? "#define LIT\n" : "",
                           programs_apart(scene) ? "#define APART\n" : "");
    if (scene->output != RENDER_OUTPUT_colour && length < DEFINES_ROOM)
        snprintf(defines + length, (size_t)(DEFINES_ROOM - length), "#define OUTPUT %s\n",
                 outputs[scene->output]);
}

static GLuint compile(const struct gl *gl, const struct wire_scene *scene, uint32_t variant,
                      struct fault *why)
{
    static const char *const vertex[] = {
#define GEOMETRY(name, vertex, defines, summary) vertex,
#include "render/geometries.def"
#undef GEOMETRY
    };
    char defines[DEFINES_ROOM];

    write_defines(scene, variant, defines);
    return program_new(gl, defines, vertex[scene->geometry], "ground.frag",
                       render_modes[scene->mode]->shader, why);
}

static bool is_for(const struct compiled *one, const struct wire_scene *scene, uint32_t variant)
{
    return one->program && one->mode == scene->mode && one->geometry == scene->geometry &&
           one->output == scene->output && one->variant == variant;
}

GLuint programs_get(struct programs *programs, const struct gl *gl, const struct wire_scene *scene,
                    uint32_t variant, struct fault *why)
{
    struct compiled *place = &programs->kept[0];

    for (int i = 0; i < PROGRAMS_MOST; i++) {
        struct compiled *at = &programs->kept[i];

        if (is_for(at, scene, variant)) {
            at->used = programs->picture;
            return at->program;
        }
        if (place->program && (!at->program || at->used < place->used))
            place = at;
    }
    gl->DeleteProgram(place->program);
    *place = (struct compiled){ .program = compile(gl, scene, variant, why),
                                .mode = scene->mode,
                                .geometry = scene->geometry,
                                .output = scene->output,
                                .variant = variant,
                                .used = programs->picture };
    return place->program;
}
