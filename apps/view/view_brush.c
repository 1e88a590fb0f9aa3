// SPDX-License-Identifier: MIT
// view_brush.c - the brushes. Water flows and ground moves at speeds that go with the size of the
// brush: what is twice as large moves sqrt(2) times as fast under the same gravity (Froude), so a
// brush of 60 m in the mountains feels like one of 2 m in a basin.
#include "apps/view/view_brush.h"

#include <math.h>

#define PI             3.14159265358979323846
#define POUR           0.1        // rise of the water, in sqrt(gravity * radius)
#define TAKE           0.2        // its fall, likewise
#define SHAPE          0.25       // rise and fall of the ground at the centre, radii a second
#define SMOOTH         3.0        // per second
#define BALL           1.0        // how fast a ball goes into a solid ground, radii a second
#define BLEND          0.5        // width of the fillet around clay, radii
#define SHORTEST_CLICK (1.0 / 20) // seconds
#define LONGEST_DEBT   1.0        // seconds that one picture may make up for
#define USUAL_RADIUS   0.02       // of the longer side
#define LARGEST_RADIUS 0.25       // of the longer side

static const struct {
    const char *name;
    float colour[3];
} tools[BRUSH_TOOL_COUNT] = {
    [BRUSH_NONE] = {"look", {1.0f, 1.0f, 1.0f}},
    [BRUSH_POUR] = {"pour", {0.25f, 0.65f, 1.0f}},
    [BRUSH_TAKE] = {"take", {0.95f, 0.45f, 0.85f}},
    [BRUSH_RAISE] = {"raise", {1.0f, 0.72f, 0.25f}},
    [BRUSH_LOWER] = {"lower", {1.0f, 0.38f, 0.22f}},
    [BRUSH_SMOOTH] = {"smooth", {0.55f, 0.95f, 0.45f}},
    [BRUSH_THROW] = {"throw", {1.0f, 0.93f, 0.55f}},
    [BRUSH_GRAB] = {"drag", {1.0f, 1.0f, 1.0f}},
    [BRUSH_REMOVE] = {"remove", {1.0f, 1.0f, 1.0f}},
};

const char *brush_name(brush_tool tool)
{
    return tools[tool].name;
}

bool brush_paints(brush_tool tool)
{
    return tool >= BRUSH_POUR && tool <= BRUSH_SMOOTH;
}

static double longer_side(const rill_scene_info *info)
{
    return info->cell_size * fmax(info->nx, info->ny);
}

double brush_usual_radius(const rill_scene_info *info)
{
    return fmax(USUAL_RADIUS * longer_side(info), 2.0 * info->cell_size);
}

double brush_fitting_radius(const rill_scene_info *info, double radius)
{
    return fmin(fmax(radius, info->cell_size), LARGEST_RADIUS * longer_side(info));
}

void brush_press(brush *b)
{
    b->held = true;
    b->pending = SHORTEST_CLICK;
}

void brush_release(brush *b)
{
    b->held = false;
}

static sim_command shape(const brush *b, rill_brush_kind kind, double amount)
{
    return (sim_command){
        .kind = SIM_BRUSH,
        .brush = {
            .kind = kind, .x = b->at[0], .y = b->at[1], .radius = b->radius, .amount = amount}};
}

static sim_command pour(const brush *b, double depth, double cell_size)
{
    const double area = fmax(PI * b->radius * b->radius, cell_size * cell_size);
    return (sim_command){.kind = SIM_POUR,
                         .pour = {.x = b->at[0],
                                  .y = b->at[1],
                                  .radius = b->radius,
                                  .volume = depth * area,
                                  .z = b->at[2]}};
}

// Makes a ball that reaches `amount` into the ground, or out of it, where the mouse points.
static sim_command ball(const brush *b, rill_combine how, double amount)
{
    const double away = b->radius - fmin(amount, b->radius);
    const double side = how == RILL_COMBINE_SUBTRACT ? -away : away;
    sim_command command = {
        .kind = SIM_COMBINE,
        .combine = {.radius = b->radius, .how = how, .blend = BLEND * b->radius}};
    for (int k = 0; k < 3; k++)
        command.combine.centre[k] = b->at[k] + side * b->along[k];
    return command;
}

// Makes the command of one dose of the present tool. Returns false when there is none.
static bool order_of(const brush *b, double gravity, double cell_size, double dose,
                     sim_command *out)
{
    const double speed = sqrt(gravity * b->radius);
    const double rise = (b->solid ? BALL : SHAPE) * b->radius * dose;
    switch (b->tool) {
    case BRUSH_POUR:
        *out = pour(b, POUR * speed * dose, cell_size);
        return true;
    case BRUSH_TAKE:
        *out = pour(b, -TAKE * speed * dose, cell_size);
        return true;
    case BRUSH_RAISE:
        *out =
            b->solid ? ball(b, RILL_COMBINE_SMOOTH_UNION, rise) : shape(b, RILL_BRUSH_RAISE, rise);
        return true;
    case BRUSH_LOWER:
        *out = b->solid ? ball(b, RILL_COMBINE_SUBTRACT, rise) : shape(b, RILL_BRUSH_LOWER, rise);
        return true;
    default:
        *out = shape(b, RILL_BRUSH_SMOOTH, 1.0 - exp(-SMOOTH * dose));
        return !b->solid;
    }
}

void brush_work(brush *b, sim *s, double gravity, double cell_size, double seconds)
{
    if (b->held)
        b->pending = fmin(b->pending + seconds, LONGEST_DEBT);
    if (!brush_paints(b->tool) || !b->on_ground || !(b->pending > 0.0)) {
        b->pending = 0.0;
        return;
    }
    sim_command command;
    if (!order_of(b, gravity, cell_size, b->strength * b->pending, &command) ||
        sim_order(s, &command))
        b->pending = 0.0;
}

brush_ring brush_circle(const brush *b)
{
    const bool aims = brush_paints(b->tool) || b->tool == BRUSH_THROW;
    brush_ring ring = {.shown = aims && b->on_ground,
                       .x = (float)b->at[0],
                       .y = (float)b->at[1],
                       .radius = (float)b->radius,
                       .z = (float)b->at[2]};
    for (int k = 0; k < 3; k++)
        ring.colour[k] = tools[b->tool].colour[k];
    return ring;
}
