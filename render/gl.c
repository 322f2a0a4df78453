#include "render/gl.h"

#include <stdio.h>
#include <string.h>

/* InvalidateFramebuffer is GLES 3.0 and GL 4.3: a hint that GL 3.3 does without. */
static bool may_lack(const char *name)
{
    return strcmp(name, "glInvalidateFramebuffer") == 0;
}

static bool version_suffices(struct gl *gl)
{
    int major = 0, minor = 0;

    gl->es = strncmp(gl->version, "OpenGL ES ", 10) == 0;
    if (sscanf(gl->version + (gl->es ? 10 : 0), "%d.%d", &major, &minor) != 2)
        return false;
    return gl->es ? major >= 3 : major > 3 || (major == 3 && minor >= 3);
}

static const char *text(const struct gl *gl, GLenum name)
{
    const GLubyte *said = gl->GetString(name);

    return said ? (const char *)said : "";
}

bool gl_load(struct gl *gl, void (*(*find)(const char *name))(void), struct fault *why)
{
#define GL_CALL(result, name, arguments)                                                           \
    gl->name = (result(GL_APIENTRY *) arguments)find("gl" #name);                                  \
    if (!gl->name && !may_lack("gl" #name))                                                        \
        return fault_set(why, FAULT_WORKER, "the GL library has no gl" #name);
#include "render/gl.def"
#undef GL_CALL
    gl->version = text(gl, GL_VERSION);
    gl->vendor = text(gl, GL_VENDOR);
    gl->renderer = text(gl, GL_RENDERER);
    if (!version_suffices(gl))
        return fault_set(why, FAULT_WORKER,
                         "the context is %.80s; OpenGL ES 3.0 or OpenGL 3.3 is "
                         "the least",
                         gl->version[0] ? gl->version : "of no version");
    gl->GetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &gl->layers_most);
    gl->GetIntegerv(GL_MAX_SAMPLES, &gl->samples_most);
    gl->GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &gl->side_most);
    return gl_sound(gl, "asking for the context's limits", why);
}

bool gl_sound(const struct gl *gl, const char *doing, struct fault *why)
{
    GLenum error = gl->GetError();

    if (error == GL_NO_ERROR)
        return true;
    return fault_set(why, error == GL_OUT_OF_MEMORY ? FAULT_MEMORY : FAULT_WORKER,
                     "GL answered 0x%04x to %s", error, doing);
}
