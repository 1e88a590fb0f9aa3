// SPDX-License-Identifier: MIT
// renderer.h - draws frame data: ground, water, sky, overlays, into the framebuffer of a context
// that the caller has made current (headless.h, or a window). OpenGL 3.3 core, OpenGL ES 3.0 or
// WebGL 2.
#pragma once

#include "render/camera.h"
#include "render/frame/frame_data.h"

#include "rill/base.h"
#include "rill/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct renderer renderer;

typedef struct renderer_def {
    int nx, ny;      // cells of the worlds whose frame data will be drawn
    float cell_size; // metres
    rill_view view;  // liquid, ground, light; the camera keys are not used
} renderer_def;

// Compiles shaders and makes textures. Pictures of a world of this size need nothing more.
rill_status renderer_create(const renderer_def *def, renderer **out);
void renderer_destroy(renderer **r);

// Sets the light, liquid and ground of the next pictures.
void renderer_set_view(renderer *r, const rill_view *view);

// Uploads frame data to the graphics card. The caller may reuse their memory afterwards. `first`
// starts the history (moving detail, foam) anew, as after a change of scene.
void renderer_upload(renderer *r, const frame_data *s, bool first);

// Values that are painted over water and ground.
typedef enum overlay {
    OVERLAY_NONE,
    OVERLAY_DEPTH,    // metres
    OVERLAY_SPEED,    // m/s, with arrows
    OVERLAY_WETNESS,  // 0 to 1
    OVERLAY_SUBSTEPS, // substeps that the solver needs in a frame for a cell
    OVERLAY_BIRTHS,   // wave particles, coloured by where they were born
    OVERLAY_COUNT
} overlay;

// Values that the ends of scales follow from: 98 of 100 wet columns stay below them.
typedef struct overlay_columns {
    float depth, speed;       // metres, m/s
    float gravity, cell_size; // m/s^2, metres
    double frame;             // simulated seconds of a frame
} overlay_columns;

// What the panel, the legend, the script and the command know of an overlay.
typedef struct overlay_row {
    const char *name;   // "depth"
    const char *unit;   // "m"; may be empty
    const char *legend; // a sentence for an overlay without a scale
    float fixed_end;    // value at the end of the scale; 0: from `end`
    double (*end)(const overlay_columns *c);
    double (*scene_end)(const rill_scene_info *info); // as the scene's maps have it, 0: unknown
    bool has_arrows;                                  // of the flow
    bool shows_wave_particles;                        // needs frame data with wave particles
} overlay_row;

const overlay_row *overlay_get(overlay o);
const char *overlay_name(overlay o);

// Returns true for overlays with a scale of values. The colours of OVERLAY_BIRTHS stand for places.
bool overlay_has_scale(overlay o);

// Computes the colour at `part` (0 to 1) of the scale that all overlays use (sRGB, 0 to 1).
void overlay_colour(float part, float rgb[3]);

// The circle of a brush on the ground.
typedef struct brush_ring {
    bool shown;
    float x, y, radius; // metres
    float colour[3];
    float z; // metres: on a solid ground it is the edge of a ball
} brush_ring;

// One picture of the last frame data.
typedef struct shot {
    camera camera;
    int width, height; // pixels
    unsigned target;   // framebuffer to draw into, 0: the window's
    int samples;       // pictures with moved pixels that are averaged, 1 to 64
    overlay painted;
    float overlay_max; // value at the end of its scale; 0: what 98 of 100 columns stay below
    brush_ring ring;
} shot;

shot renderer_default_shot(const renderer *r);

// Draws a picture. On the water only simulated time moves.
void renderer_draw(renderer *r, const shot *s);

// Returns the value at the end of the overlay's scale in the last picture.
float renderer_overlay_max(const renderer *r);

// Returns the box around the ground and water of the last frame data, for cameras.
camera_bounds renderer_bounds(const renderer *r);

// Sets the level of detail: false draws ground and river in the finest triangles at any distance,
// for measuring. At the start it is true, unless the environment has RILL_COARSEN=0.
void renderer_coarsen(renderer *r, bool on);

// Returns the triangles of a river in the last picture, without those near the camera that waves
// displace; 0 for the other solvers.
size_t renderer_river_triangles(const renderer *r);

// Parts of a picture's time, milliseconds. The passes are only measured between renderer_measure(r,
// true) and (r, false), because waiting for each costs time.
typedef enum render_pass {
    PASS_UPLOAD, // frame data to the card
    PASS_FLOW,   // moving the detail with the water
    PASS_GROUND, // ground and sky
    PASS_BODIES, // with their shadows
    PASS_WATER,
    PASS_PARTICLES, // spray, splash, foam
    PASS_FINISH,    // tone mapping, anti-aliasing
    PASS_COUNT
} render_pass;

typedef struct render_times {
    double pass[PASS_COUNT]; // until the card has finished
    double calls;            // time of the processor for upload and draw calls
} render_times;

const char *render_pass_name(render_pass pass);
void renderer_measure(renderer *r, bool on);
render_times renderer_times(const renderer *r);

// Returns the name of the driver's renderer, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
const char *renderer_device(const renderer *r);

// ---- Pictures in memory ----------------------------------------------------------------

// A framebuffer of its own, for drawing without a window.
typedef struct canvas canvas;

rill_status canvas_create(int width, int height, canvas **out);
void canvas_destroy(canvas **c);
unsigned canvas_framebuffer(const canvas *c);

// Reads width * height * 3 bytes, the upper row first, from framebuffer `target`.
void canvas_read(unsigned target, int width, int height, uint8_t *rgb);
