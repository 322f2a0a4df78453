#include "render/cover.h"

#include <string.h>

#include "render/shelf.h"
#include "render/uniforms.h"

enum { ROWS = 2 };

GLuint cover_table_new(const struct gl *gl)
{
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, WIRE_MATERIALS, ROWS, 0, GL_RGBA, GL_FLOAT, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

static float layer_of(uint32_t place, const int32_t *layers)
{
    return place == WIRE_NONE ? -1 : (float)layers[place];
}

void cover_table_fill(const struct gl *gl, GLuint table, const struct wire_scene *scene,
                      const int32_t *layers)
{
    float texels[ROWS][WIRE_MATERIALS][4];

    gl->ActiveTexture(GL_TEXTURE0 + UNIT_MATERIALS);
    gl->BindTexture(GL_TEXTURE_2D, table);
    if (!scene->cover.asked)
        return;
    for (int i = 0; i < WIRE_MATERIALS; i++) {
        const struct wire_material *material = &scene->cover.materials[i];
        const float second[4] = { layer_of(material->looks, layers),
                                  layer_of(material->relief, layers), 0, 0 };

        memcpy(texels[0][i], material->colour, sizeof material->colour);
        texels[0][i][3] = 1 / material->tiling;
        memcpy(texels[1][i], second, sizeof second);
    }
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, WIRE_MATERIALS, ROWS, 0, GL_RGBA, GL_FLOAT,
                   texels);
}

void cover_uniforms(const struct gl *gl, GLuint program, const struct wire_scene *scene,
                    const int32_t *layers)
{
    const struct wire_cover *cover = &scene->cover;

    if (!cover->asked)
        return;
    uniform_unit(gl, program, "materials", UNIT_MATERIALS);
    uniform_4f(gl, program, "covering",
               (const float[4]){ cover->quad[0], cover->quad[1], 1 / cover->period,
                                 layer_of(cover->variety, layers) });
    uniform_2f(gl, program, "nearness", (const float[2]){ cover->reach, cover->depth });
}
