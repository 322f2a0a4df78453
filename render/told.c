#include "render/told.h"

#include <math.h>

#include "render/flat_colours.h"
#include "render/shelf.h"
#include "render/uniforms.h"

void told_load(const struct gl *gl, GLuint *table, const struct wire_scene *scene)
{
    gl->ActiveTexture(GL_TEXTURE0 + UNIT_TABLE);
    if (!*table) {
        gl->GenTextures(1, table);
        gl->BindTexture(GL_TEXTURE_2D, *table);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    gl->BindTexture(GL_TEXTURE_2D, *table);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 256, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   scene->told.table);
}

/* What the light of hillshades is reckoned from. */
static void set_bearing(const struct gl *gl, GLuint program, const struct wire_light *light)
{
    const double azimuth = light->sun_azimuth * M_PI / 180;
    const double elevation = light->sun_elevation * M_PI / 180;

    uniform_4f(gl, program, "bearing",
               (const float[4]){ (float)sin(azimuth), (float)cos(azimuth), (float)cos(elevation),
                                 (float)sin(elevation) });
}

void told_set(const struct gl *gl, GLuint program, const struct wire_scene *scene)
{
    const struct wire_told *told = &scene->told;
    const struct contour_pen *pen = &contour_pen;

    uniform_unit(gl, program, "table", UNIT_TABLE);
    uniform_4f(gl, program, "span",
               (const float[4]){ told->span[0], told->span[1], told->span[2], told->form });
    uniform_4f(gl, program, "contours",
               (const float[4]){ told->interval, pen->strong_every, told->samples, told->many });
    uniform_4f(gl, program, "ink",
               (const float[4]){ pen->ink[0] / 255, pen->ink[1] / 255, pen->ink[2] / 255,
                                 pen->paper_share });
    uniform_4f(gl, program, "widths",
               (const float[4]){ pen->half_width, pen->strong_half_width, pen->crowded,
                                 pen->free_of_others });
    uniform_4f(gl, program, "stored",
               (const float[4]){ scene->code_metres, told->zero, pen->lesser, 0 });
    uniform_4f(gl, program, "grid_lines", told->grid);
    gl->Uniform1f(gl->GetUniformLocation(program, "borders"), told->borders);
    uniform_2f(gl, program, "quad", told->quad);
    uniform_4f(gl, program, "level",
               (const float[4]){ flat_vivid, flat_level / 255, told->solid[0], told->solid[1] });
    set_bearing(gl, program, &scene->light);
}
