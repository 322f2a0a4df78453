#include "render/palette.h"

#include <stddef.h>

#include "render/program.h"

enum { SIDE = 64 };

static GLuint texture_new(const struct gl *gl)
{
    GLuint name;

    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return name;
}

static bool fill(const struct gl *gl, GLuint texture, GLuint program, struct fault *why)
{
    GLuint framebuffer, array;
    GLenum status;

    gl->GenFramebuffers(1, &framebuffer);
    gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    status = gl->CheckFramebufferStatus(GL_FRAMEBUFFER);
    gl->GenVertexArrays(1, &array);
    gl->BindVertexArray(array);
    gl->UseProgram(program);
    gl->Viewport(0, 0, SIDE, SIDE);
    gl->Disable(GL_DEPTH_TEST);
    if (status == GL_FRAMEBUFFER_COMPLETE)
        gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->DeleteVertexArrays(1, &array);
    gl->DeleteFramebuffers(1, &framebuffer);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        return fault_set(why, FAULT_WORKER, "GL cannot draw to a texture (0x%04x)", status);
    return gl_sound(gl, "filling the palette", why);
}

GLuint palette_new(const struct gl *gl, struct fault *why)
{
    GLuint program = program_new(gl, "", "palette.vert", "palette.frag", NULL, why);
    GLuint texture;

    if (!program)
        return 0;
    texture = texture_new(gl);
    if (!fill(gl, texture, program, why)) {
        gl->DeleteTextures(1, &texture);
        texture = 0;
    }
    gl->DeleteProgram(program);
    return texture;
}
