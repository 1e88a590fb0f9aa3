// SPDX-License-Identifier: MIT
// headless.c - EGL without a surface: first the platform that needs no display at all, then the
// first device that EGL knows, so that Mesa's software or a GPU's driver will do.
#include "render/output/headless.h"

#include "render/render_error.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <stdbool.h>
#include <stdlib.h>

struct headless {
    EGLDisplay display;
    EGLContext context;
};

static EGLDisplay open_platform(EGLenum platform, void *native)
{
    EGLDisplay display = eglGetPlatformDisplayEXT(platform, native, NULL);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL))
        return display;
    return EGL_NO_DISPLAY;
}

static EGLDisplay open_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        display = open_platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
    if (display != EGL_NO_DISPLAY)
        return display;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
        EGLDeviceEXT devices[16];
        EGLint count = 0;
        if (eglQueryDevicesEXT(16, devices, &count))
            for (EGLint k = 0; k < count && display == EGL_NO_DISPLAY; k++)
                display = open_platform(EGL_PLATFORM_DEVICE_EXT, devices[k]);
    }
    return display;
}

// Desktop OpenGL where there is one, else OpenGL ES: the shaders serve both.
static EGLContext open_context(EGLDisplay display)
{
    static const EGLint desktop[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
    static const EGLint embedded[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLContext context = EGL_NO_CONTEXT;
    const bool want_embedded = getenv("RILL_GLES") != NULL;
    if (!want_embedded && eglBindAPI(EGL_OPENGL_API))
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, desktop);
    if (context == EGL_NO_CONTEXT && eglBindAPI(EGL_OPENGL_ES_API))
        context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, embedded);
    return context;
}

rill_status headless_create(headless **out)
{
    *out = NULL;
    EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY)
        return render_fail(RILL_NO_BACKEND,
                           "no OpenGL here: EGL finds no driver (install Mesa's: libegl1, "
                           "libgl1-mesa-dri)");
    EGLContext context = open_context(display);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        const EGLint code = eglGetError();
        if (context != EGL_NO_CONTEXT)
            eglDestroyContext(display, context);
        return render_fail(RILL_NO_BACKEND,
                           "no OpenGL here: the driver gives neither OpenGL 3.3 nor OpenGL ES 3.0 "
                           "without a window (EGL error 0x%x)",
                           (unsigned)code);
    }
    headless *h = malloc(sizeof *h);
    if (h == NULL) {
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display, context);
        return render_fail(RILL_NO_MEMORY, "no memory for an OpenGL context");
    }
    *h = (headless){display, context};
    *out = h;
    return RILL_OK;
}

// The display is EGL's own and the same for every context of the process, so it is not terminated:
// that would invalidate the other contexts.
void headless_destroy(headless **h)
{
    if (h == NULL || *h == NULL)
        return;
    eglMakeCurrent((*h)->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext((*h)->display, (*h)->context);
    free(*h);
    *h = NULL;
}
