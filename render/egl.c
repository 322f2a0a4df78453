/* Contexts through EGL: of a GPU that it lists as a device, and of Mesa without a window system,
 * each of OpenGL ES 3.0 or, when that is asked for, of OpenGL 3.3.
 * libEGL is opened at run time, so that a machine without it has the reason and not a
 * loader's error. */
#include "render/context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <string.h>

#define EGL_CALLS(CALL)                                                                            \
    CALL(PFNEGLGETPROCADDRESSPROC, GetProcAddress)                                                 \
    CALL(PFNEGLQUERYSTRINGPROC, QueryString)                                                       \
    CALL(PFNEGLINITIALIZEPROC, Initialize)                                                         \
    CALL(PFNEGLTERMINATEPROC, Terminate)                                                           \
    CALL(PFNEGLBINDAPIPROC, BindAPI)                                                               \
    CALL(PFNEGLCHOOSECONFIGPROC, ChooseConfig)                                                     \
    CALL(PFNEGLCREATECONTEXTPROC, CreateContext)                                                   \
    CALL(PFNEGLDESTROYCONTEXTPROC, DestroyContext)                                                 \
    CALL(PFNEGLCREATEPBUFFERSURFACEPROC, CreatePbufferSurface)                                     \
    CALL(PFNEGLMAKECURRENTPROC, MakeCurrent)                                                       \
    CALL(PFNEGLGETERRORPROC, GetError)

enum { DEVICES_MOST = 16 };

static struct {
    void *library;
#define CALL(type, name) type name;
    EGL_CALLS(CALL)
#undef CALL
    PFNEGLGETPLATFORMDISPLAYEXTPROC GetPlatformDisplayEXT;
    EGLDisplay display;
    EGLContext context;
} egl;

static bool library_open(struct fault *why)
{
    if (egl.GetPlatformDisplayEXT)
        return true;
    egl.library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!egl.library)
        return fault_set(why, FAULT_WORKER, "%.200s", dlerror());
#define CALL(type, name)                                                                           \
    egl.name = (type)dlsym(egl.library, "egl" #name);                                              \
    if (!egl.name)                                                                                 \
        return fault_set(why, FAULT_WORKER, "libEGL.so.1 has no egl" #name);
    EGL_CALLS(CALL)
#undef CALL
    egl.GetPlatformDisplayEXT =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)egl.GetProcAddress("eglGetPlatformDisplayEXT");
    return egl.GetPlatformDisplayEXT ||
           fault_set(why, FAULT_WORKER, "EGL lacks EGL_EXT_platform_base");
}

/* Whether a list of extensions has one of that name, and not merely one that begins so. */
static bool has(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list; at && (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static bool client_has(const char *name, struct fault *why)
{
    return has(egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), name) ||
           fault_set(why, FAULT_WORKER, "EGL lacks %s", name);
}

static bool failed(const char *call, struct fault *why)
{
    return fault_set(why, FAULT_WORKER, "%s failed with 0x%04x", call, (unsigned)egl.GetError());
}

/* Which OpenGL a context is of. */
struct client {
    const char *name;
    EGLenum api;
    EGLint renderable;
    EGLint version[7];
};

static const struct client es = { "OpenGL ES 3",
                                  EGL_OPENGL_ES_API,
                                  EGL_OPENGL_ES3_BIT_KHR,
                                  { EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE } };
static const struct client desktop = { "OpenGL 3.3",
                                       EGL_OPENGL_API,
                                       EGL_OPENGL_BIT,
                                       { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE } };

/* Frames are drawn to renderbuffers, so a surface is made only where EGL insists on one. */
static bool make_current(const struct client *client, EGLConfig config, bool surfaceless,
                         struct fault *why)
{
    static const EGLint one_pixel[] = { EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE };
    EGLSurface surface = EGL_NO_SURFACE;

    egl.context = egl.CreateContext(egl.display, config, EGL_NO_CONTEXT, client->version);
    if (egl.context == EGL_NO_CONTEXT)
        return fault_set(why, FAULT_WORKER, "eglCreateContext for %s failed with 0x%04x",
                         client->name, (unsigned)egl.GetError());
    if (!surfaceless) {
        surface = egl.CreatePbufferSurface(egl.display, config, one_pixel);
        if (surface == EGL_NO_SURFACE)
            return failed("eglCreatePbufferSurface", why);
    }
    return egl.MakeCurrent(egl.display, surface, surface, egl.context) ||
           failed("eglMakeCurrent", why);
}

static bool display_open(const struct client *client, struct fault *why)
{
    const EGLint wants[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             client->renderable, EGL_NONE };
    EGLConfig config = NULL;
    EGLint major, minor, count = 0;
    const char *extensions;

    if (egl.display == EGL_NO_DISPLAY)
        return failed("eglGetPlatformDisplayEXT", why);
    if (!egl.Initialize(egl.display, &major, &minor))
        return failed("eglInitialize", why);
    if (!egl.BindAPI(client->api))
        return failed("eglBindAPI", why);
    extensions = egl.QueryString(egl.display, EGL_EXTENSIONS);
    if (!egl.ChooseConfig(egl.display, wants, &config, 1, &count) || count == 0) {
        if (!has(extensions, "EGL_KHR_no_config_context") ||
            !has(extensions, "EGL_KHR_surfaceless_context"))
            return fault_set(why, FAULT_WORKER, "no EGL configuration for %s", client->name);
        config = NULL; /* EGL_NO_CONFIG_KHR */
    }
    return make_current(client, config, has(extensions, "EGL_KHR_surfaceless_context"), why);
}

static void close_display(void)
{
    if (egl.display != EGL_NO_DISPLAY) {
        egl.MakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (egl.context != EGL_NO_CONTEXT)
            egl.DestroyContext(egl.display, egl.context);
        egl.Terminate(egl.display);
    }
    egl.display = EGL_NO_DISPLAY;
    egl.context = EGL_NO_CONTEXT;
}

static gl_procedure find_procedure(const char *name)
{
    return (gl_procedure)egl.GetProcAddress(name);
}

/* Mesa lists its software renderer as a device too; it has a row of its own. */
static bool device_open(EGLDeviceEXT device, const struct client *client, struct fault *why)
{
    PFNEGLQUERYDEVICESTRINGEXTPROC query =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)egl.GetProcAddress("eglQueryDeviceStringEXT");

    if (query && has(query(device, EGL_EXTENSIONS), "EGL_MESA_device_software"))
        return fault_set(why, FAULT_WORKER, "the only device is Mesa's software");
    egl.display = egl.GetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, NULL);
    if (display_open(client, why))
        return true;
    close_display();
    return false;
}

static bool open_a_device(const struct client *client, gl_procedure (**find)(const char *),
                          struct fault *why)
{
    PFNEGLQUERYDEVICESEXTPROC query;
    EGLDeviceEXT devices[DEVICES_MOST];
    EGLint count = 0;

    if (!library_open(why) || !client_has("EGL_EXT_platform_device", why))
        return false;
    query = (PFNEGLQUERYDEVICESEXTPROC)egl.GetProcAddress("eglQueryDevicesEXT");
    if (!query || !query(DEVICES_MOST, devices, &count) || count == 0)
        return fault_set(why, FAULT_WORKER, "EGL lists no device");
    *find = find_procedure;
    for (EGLint i = 0; i < count; i++)
        if (device_open(devices[i], client, why))
            return true;
    return false;
}

static bool open_mesa(const struct client *client, gl_procedure (**find)(const char *),
                      struct fault *why)
{
    if (!library_open(why) || !client_has("EGL_MESA_platform_surfaceless", why))
        return false;
    *find = find_procedure;
    egl.display =
        egl.GetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, (void *)EGL_DEFAULT_DISPLAY, NULL);
    if (display_open(client, why))
        return true;
    close_display();
    return false;
}

static bool open_device(gl_procedure (**find)(const char *), struct fault *why)
{
    return open_a_device(&es, find, why);
}

static bool open_device_gl(gl_procedure (**find)(const char *), struct fault *why)
{
    return open_a_device(&desktop, find, why);
}

static bool open_surfaceless(gl_procedure (**find)(const char *), struct fault *why)
{
    return open_mesa(&es, find, why);
}

static bool open_surfaceless_gl(gl_procedure (**find)(const char *), struct fault *why)
{
    return open_mesa(&desktop, find, why);
}

const struct context_kind context_egl_device = { .name = "egl-device",
                                                 .open = open_device,
                                                 .close = close_display };

const struct context_kind context_egl_device_gl = {
    .name = "egl-device-gl", .only_by_name = true, .open = open_device_gl, .close = close_display
};

const struct context_kind context_egl_surfaceless = {
    .name = "egl-surfaceless", .software = true, .open = open_surfaceless, .close = close_display
};

const struct context_kind context_egl_surfaceless_gl = { .name = "egl-surfaceless-gl",
                                                         .only_by_name = true,
                                                         .software = true,
                                                         .open = open_surfaceless_gl,
                                                         .close = close_display };
