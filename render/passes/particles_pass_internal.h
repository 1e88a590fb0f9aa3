// SPDX-License-Identifier: MIT
// particles_pass_internal.h - state that particles_pass.c and particles_pass_draw.c share.
#pragma once

#include "render/passes/particles_pass.h"

enum {
    PARTICLE_FAR,          // visible distance
    PARTICLE_FOAM,         // discs
    PARTICLE_FOAM_LIGHT,   // bubbles where they are
    PARTICLE_SPLASH,       // balls
    PARTICLE_SMOOTH,       // across, then up
    PARTICLE_SHAPE,        // normals of the smoothed balls
    PARTICLE_SPLASH_LIGHT, // water
    PARTICLE_SPRAY,        // ellipses
    PARTICLE_PROGRAM_COUNT
};

#define PARTICLE_VARIANT_BYTES 128

// Particles of one kind.
typedef struct particle_cloud {
    GLsizei count;
    size_t first;          // in the buffer
    float radius;          // mean, metres
    float low[3], high[3]; // middles
} particle_cloud;

struct particles {
    GLuint programs[PARTICLE_PROGRAM_COUNT];
    char variant[PARTICLE_VARIANT_BYTES]; // that they were built for
    bool built;                           // or at least tried
    GLuint buffer;
    GLuint arrays[RILL_PARTICLE_KIND_COUNT];
    particle_cloud clouds[RILL_PARTICLE_KIND_COUNT];

    // Of half the picture's size.
    int width, height;
    GLuint open_far, water_far, far_buffer; // two textures, their framebuffer
    GLuint gathered, gathering;             // texture, framebuffer
    GLuint across, smoothing_across;
};

// Builds the programs for a variant. Returns false when the driver refuses them.
bool particles_build(particles *p, const char *variant);

// Makes the maps anew when the size has changed.
void particles_fit(particles *p, int width, int height);
