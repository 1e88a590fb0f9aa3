// SPDX-License-Identifier: MIT
// gl.h - the small layer around OpenGL that the renderer needs: programs from the embedded shaders,
// textures, framebuffers. Only render/*.c include it; callers of the renderer see no OpenGL.
#pragma once

#include "rill/base.h"

#include <epoxy/gl.h>

#include <stdbool.h>

// Texture units, the same in every shader (samplers are bound by their names once, at link time).
enum {
    UNIT_HEIGHT,  // elevation of the ground
    UNIT_RELIEF,  // relief.h
    UNIT_COLUMNS, // frame_data.h
    UNIT_FLOW,    // displacement of the two layers of moving detail
    UNIT_FOAM,    // foam that drifts with the water
    UNIT_WAVES,   // tiles.h
    UNIT_GRAIN,
    UNIT_BUBBLES,
    UNIT_SKY,      // sky_pass.h
    UNIT_SCENE,    // ground and sky as drawn so far
    UNIT_DISTANCE, // how far they are along the view
    UNIT_SURFACE,  // the water before there is light on it
    UNIT_SURFACE_DISTANCE,
    UNIT_SHADOW,     // what the sun sees first
    UNIT_OVERHEAD,   // overhead_pass.h
    UNIT_PICTURE,    // the input of the last passes
    UNIT_FINE_MOVES, // fine_waves_pass.h
    UNIT_FINE_SLOPES,
    UNIT_ADVECTED_FIRST,
    UNIT_ADVECTED_LAST,
    UNIT_POINTS,
    UNIT_SEA_MOVES, // ocean_pass.h
    UNIT_SEA_SLOPES,
    UNIT_SEA_SHARE,
    UNIT_WAVE_TILES, // wave_particles_pass.h
    UNIT_WAVE_TILE_INDEX,
    UNIT_LANDSCAPE, // landscape.h
    UNIT_COUNT
};

// Builds a program from two files of render/shaders, named without their ending. `variant` is put
// before both, such as "#define SOLID
// ", or "". On failure it returns 0, and the message quotes the driver.
GLuint gl_program(const char *vertex, const char *fragment, const char *variant);

typedef struct gl_texture_def {
    int width, height;
    GLenum format; // sized, such as GL_RGBA16F
    bool linear, repeat, mipmaps;
    const void *texels; // of the format's natural type; NULL: none yet
} gl_texture_def;

GLuint gl_texture(const gl_texture_def *def);

// Replaces `height` rows from row `y` on.
void gl_texture_rows(GLuint texture, GLenum format, int width, int y, int height,
                     const void *texels);

void gl_bind(int unit, GLuint texture);

// Returns a framebuffer for depths alone.
GLuint gl_depth_framebuffer(GLuint depth);

// Returns a framebuffer with up to two colour textures and a texture for depth and stencil (0:
// none).
GLuint gl_framebuffer(GLuint colour, GLuint colour2, GLuint depth);

// Returns true when the context is OpenGL 3.3 or OpenGL ES 3.0 and can draw into floats; otherwise
// sets a message.
bool gl_check(void);
