/* A context of OSMesa, where there is no EGL. Its library is opened at run time and never linked:
 * its gl… symbols are other ones than EGL's. */
#include "config.h"
#include "render/context.h"

#include <dlfcn.h>
#include <stdlib.h>

#if HAVE_GL_OSMESA_H

#include <GL/osmesa.h>

typedef OSMesaContext (*create_call)(const int *attributes, OSMesaContext share);
typedef GLboolean (*make_current_call)(OSMesaContext context, void *buffer, GLenum type,
                                       GLsizei width, GLsizei height);
typedef OSMESAproc (*find_call)(const char *name);
typedef void (*destroy_call)(OSMesaContext context);

static struct {
    void *library;
    create_call create;
    make_current_call make_current;
    find_call find;
    destroy_call destroy;
    OSMesaContext context;
    unsigned char buffer[4 * 16 * 16]; /* OSMesa insists on one; frames go elsewhere */
} osmesa;

static bool library_open(struct fault *why)
{
    if (!osmesa.library)
        osmesa.library = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_LOCAL);
    if (!osmesa.library)
        osmesa.library = dlopen("libOSMesa.so.6", RTLD_NOW | RTLD_LOCAL);
    if (!osmesa.library)
        return fault_set(why, FAULT_WORKER, "%.200s", dlerror());
    osmesa.create = (create_call)dlsym(osmesa.library, "OSMesaCreateContextAttribs");
    osmesa.make_current = (make_current_call)dlsym(osmesa.library, "OSMesaMakeCurrent");
    osmesa.find = (find_call)dlsym(osmesa.library, "OSMesaGetProcAddress");
    osmesa.destroy = (destroy_call)dlsym(osmesa.library, "OSMesaDestroyContext");
    return (osmesa.create && osmesa.make_current && osmesa.find && osmesa.destroy) ||
           fault_set(why, FAULT_WORKER, "libOSMesa is too old to make an OpenGL 3.3 context");
}

static gl_procedure find_procedure(const char *name)
{
    return (gl_procedure)osmesa.find(name);
}

static void close_osmesa(void)
{
    if (osmesa.context)
        osmesa.destroy(osmesa.context);
    osmesa.context = NULL;
}

static bool open_osmesa(gl_procedure (**find)(const char *), struct fault *why)
{
    static const int wants[] = { OSMESA_FORMAT,
                                 OSMESA_RGBA,
                                 OSMESA_DEPTH_BITS,
                                 24,
                                 OSMESA_PROFILE,
                                 OSMESA_CORE_PROFILE,
                                 OSMESA_CONTEXT_MAJOR_VERSION,
                                 3,
                                 OSMESA_CONTEXT_MINOR_VERSION,
                                 3,
                                 0 };

    if (!library_open(why))
        return false;
    osmesa.context = osmesa.create(wants, NULL);
    if (!osmesa.context)
        return fault_set(why, FAULT_WORKER, "OSMesa made no OpenGL 3.3 core context");
    *find = find_procedure;
    if (osmesa.make_current(osmesa.context, osmesa.buffer, GL_UNSIGNED_BYTE, 16, 16))
        return true;
    close_osmesa();
    return fault_set(why, FAULT_WORKER, "OSMesaMakeCurrent failed");
}

#else

static bool open_osmesa(gl_procedure (**find)(const char *), struct fault *why)
{
    (void)find;
    return fault_set(why, FAULT_WORKER, "this build was made without GL/osmesa.h");
}

static void close_osmesa(void)
{
}

#endif

const struct context_kind context_osmesa = {
    .name = "osmesa", .software = true, .open = open_osmesa, .close = close_osmesa
};
