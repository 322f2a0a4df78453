#include "render/target.h"

static GLuint buffer_new(const struct gl *gl, GLenum format, GLsizei samples, int32_t width,
                         int32_t height)
{
    GLuint name;

    gl->GenRenderbuffers(1, &name);
    gl->BindRenderbuffer(GL_RENDERBUFFER, name);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return name;
}

static bool framebuffer_new(const struct gl *gl, GLuint colour, GLuint depth, GLuint *name,
                            struct fault *why)
{
    GLenum status;

    gl->GenFramebuffers(1, name);
    gl->BindFramebuffer(GL_FRAMEBUFFER, *name);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    if (depth)
        gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    status = gl->CheckFramebufferStatus(GL_FRAMEBUFFER);
    return status == GL_FRAMEBUFFER_COMPLETE ||
           fault_set(why, FAULT_WORKER, "GL cannot draw to a framebuffer (0x%04x)", status);
}

bool target_open(struct target *target, const struct gl *gl, int32_t width, int32_t height,
                 int samples_wanted, struct fault *why)
{
    GLsizei samples = samples_wanted < gl->samples_most ? samples_wanted : gl->samples_most;

    if (target->width == width && target->height == height &&
        target->samples_wanted == samples_wanted)
        return true;
    target_close(target, gl);
    target->samples = buffer_new(gl, GL_RGBA8, samples, width, height);
    target->depth = buffer_new(gl, GL_DEPTH_COMPONENT24, samples, width, height);
    if (samples > 1)
        target->pixels = buffer_new(gl, GL_RGBA8, 0, width, height);
    if (!gl_sound(gl, "making room for a picture", why) ||
        !framebuffer_new(gl, target->samples, target->depth, &target->drawn, why) ||
        (samples > 1 && !framebuffer_new(gl, target->pixels, 0, &target->plain, why)))
        return false;
    target->width = width;
    target->height = height;
    target->samples_wanted = samples_wanted;
    return true;
}

void target_close(struct target *target, const struct gl *gl)
{
    gl->DeleteFramebuffers(1, &target->drawn);
    gl->DeleteFramebuffers(1, &target->plain);
    gl->DeleteRenderbuffers(1, &target->samples);
    gl->DeleteRenderbuffers(1, &target->depth);
    gl->DeleteRenderbuffers(1, &target->pixels);
    *target = (struct target){ 0 };
}

bool target_read(const struct target *target, const struct gl *gl, int32_t width, int32_t height,
                 int32_t stride, uint8_t *rgba, struct fault *why)
{
    static const GLenum done[] = { GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT };

    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
    if (target->plain) {
        gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, target->plain);
        gl->BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT,
                            GL_NEAREST);
        if (gl->InvalidateFramebuffer)
            gl->InvalidateFramebuffer(GL_READ_FRAMEBUFFER, 2, done);
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->plain);
    }
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->PixelStorei(GL_PACK_ROW_LENGTH, stride);
    gl->ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    return gl_sound(gl, "drawing and reading a picture", why);
}
