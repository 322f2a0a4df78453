#include "render/picture.h"
#include "render/shelf.h"
#include "render/told.h"
#include "render/uniforms.h"

/* What patches of whole numbers share. */
static void set_places(const struct gl *gl, GLuint program, const struct wire_scene *scene)
{
    uniform_4f(gl, program, "eye",
               (const float[4]){ scene->eye_quads[0], scene->eye_quads[1], scene->eye_more[0],
                                 scene->eye_more[1] });
    gl->Uniform2fv(gl->GetUniformLocation(program, "metres"), 1, scene->metres);
    uniform_4f(gl, program, "solid", scene->solid);
    gl->Uniform2fv(gl->GetUniformLocation(program, "border"), 1,
                   (const float[2]){ scene->last_quad[0] + 1, scene->last_quad[1] + 1 });
    uniform_4f(gl, program, "section",
               (const float[4]){ (float)scene->section_quads, (float)scene->sections,
                                 (float)scene->last, 0 });
    uniform_4f(gl, program, "paging",
               (const float[4]){ (float)scene->page_quads, (float)scene->page_columns,
                                 (float)scene->page_rows, 0 });
}

void uniforms_scene(const struct gl *gl, GLuint program, const struct wire_scene *scene,
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
    uniform_3f(gl, program, "range", (const float[3]){ scene->range[0] - scene->eye_z, 0, 0 });
    uniform_4f(gl, program, "relief",
               (const float[4]){ scene->range[0], relief, relief > 0 ? 1 / relief : 0,
                                 scene->base + scene->eye_z });
    gl->Uniform1f(gl->GetUniformLocation(program, "code_zero"), scene->code_zero + scene->eye_z);
    gl->Uniform2fv(gl->GetUniformLocation(program, "last_quad"), 1, scene->last_quad);
    uniforms_light(gl, program, scene);
    set_places(gl, program, scene);
    for (int plane = 0; plane < RENDER_PLANES; plane++)
        uniform_unit(gl, program, plane_formats[plane].name, plane);
    uniform_unit(gl, program, "slopes", UNIT_SLOPES);
    uniform_unit(gl, program, "palette", UNIT_PALETTE);
    uniform_unit(gl, program, "pages", UNIT_PAGES);
    uniform_unit(gl, program, "records", UNIT_RECORDS);
    told_set(gl, program, scene);
}

void uniforms_depth(const struct gl *gl, GLuint program, const struct wire_scene *scene, float near,
                    float far)
{
    float depth[3] = { (far + near) / (far - near), -2 * far * near / (far - near), 0 };

    if (scene->ortho) {
        depth[0] = 2 / (far - near);
        depth[1] = -(far + near) / (far - near);
        depth[2] = 1;
    }
    uniform_3f(gl, program, "depth", depth);
}
