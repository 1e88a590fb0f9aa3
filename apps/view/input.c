// SPDX-License-Identifier: MIT
// input.c - assigns actions to keys, and drags to the camera, the brush or the picker.
#include "apps/view/input.h"

#include "apps/view/actions.h"
#include "apps/view/record.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <ctype.h>
#include <string.h>

#define GROW 1.2 // of the brush, a key press

// ---- Keys ------------------------------------------------------------------------------

// 1 without, -1 with the shift key.
static int sign(int modifiers)
{
    return (modifiers & GLFW_MOD_SHIFT) != 0 ? -1 : 1;
}

static bool control_time(view *v, int key)
{
    switch (key) {
    case GLFW_KEY_SPACE:
        action_pause(v);
        return true;
    case GLFW_KEY_N:
    case GLFW_KEY_PERIOD:
        action_step(v);
        return true;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT:
        action_faster(v, 0.5);
        return true;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD:
        action_faster(v, 2.0);
        return true;
    case GLFW_KEY_R:
        action_restart(v);
        return true;
    default:
        return false;
    }
}

static bool control_picture(view *v, int key, int modifiers)
{
    switch (key) {
    case GLFW_KEY_O:
        action_overlay(v, sign(modifiers));
        return true;
    case GLFW_KEY_T:
        action_later(v, sign(modifiers));
        return true;
    case GLFW_KEY_C:
        action_reset_camera(v);
        return true;
    case GLFW_KEY_F:
        action_fly(v);
        return true;
    case GLFW_KEY_K:
        action_print_camera(v);
        return true;
    case GLFW_KEY_F12:
        record_picture(v);
        return true;
    case GLFW_KEY_V:
        record_toggle_film(v);
        return true;
    default:
        return false;
    }
}

static void control_window(view *v, int key, int modifiers)
{
    switch (key) {
    case GLFW_KEY_P:
        v->panel_shown = !v->panel_shown;
        return;
    case GLFW_KEY_H:
        v->help_shown = !v->help_shown;
        return;
    case GLFW_KEY_TAB:
        action_next_scene(v, sign(modifiers));
        return;
    case GLFW_KEY_LEFT_BRACKET:
        action_grow_brush(v, 1.0 / GROW);
        return;
    case GLFW_KEY_RIGHT_BRACKET:
        action_grow_brush(v, GROW);
        return;
    case GLFW_KEY_B:
        picker_throw(v);
        return;
    case GLFW_KEY_X:
        picker_remove(v);
        return;
    case GLFW_KEY_ESCAPE:
        v->closing = true;
        return;
    default:
        break;
    }
    if (key >= GLFW_KEY_1 && key < GLFW_KEY_1 + BRUSH_TOOL_COUNT)
        action_tool(v, (brush_tool)(key - GLFW_KEY_1));
}

static void hold_key(camera_controller *c, int key, bool down)
{
    static const int keys[CONTROLLER_KEYS] = {
        [CONTROLLER_FORWARD] = GLFW_KEY_W, [CONTROLLER_BACK] = GLFW_KEY_S,
        [CONTROLLER_LEFT] = GLFW_KEY_A,    [CONTROLLER_RIGHT] = GLFW_KEY_D,
        [CONTROLLER_UP] = GLFW_KEY_E,      [CONTROLLER_DOWN] = GLFW_KEY_Q};
    for (int k = 0; k < CONTROLLER_KEYS; k++)
        if (keys[k] == key)
            c->keys[k] = down;
    if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT)
        c->fast = down;
}

void input_key(view *v, int key, bool down, int modifiers)
{
    window_redraw(v);
    panel_key(v->panel, key, down);
    if (down && panel_has_keys(v->panel))
        return;
    hold_key(&v->controller, key, down);
    const bool shortcut = (modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0;
    if (down && !shortcut && !control_time(v, key) && !control_picture(v, key, modifiers))
        control_window(v, key, modifiers);
}

void input_character(view *v, unsigned code)
{
    panel_character(v->panel, code);
    window_redraw(v);
}

int input_key_named(const char *name)
{
    static const struct {
        const char *name;
        int key;
    } names[] = {
        {"space", GLFW_KEY_SPACE},
        {"tab", GLFW_KEY_TAB},
        {"escape", GLFW_KEY_ESCAPE},
        {"enter", GLFW_KEY_ENTER},
        {"backspace", GLFW_KEY_BACKSPACE},
        {"minus", GLFW_KEY_MINUS},
        {"equal", GLFW_KEY_EQUAL},
        {"period", GLFW_KEY_PERIOD},
        {"bracketleft", GLFW_KEY_LEFT_BRACKET},
        {"bracketright", GLFW_KEY_RIGHT_BRACKET},
        {"shift", GLFW_KEY_LEFT_SHIFT},
        {"control", GLFW_KEY_LEFT_CONTROL},
        {"f12", GLFW_KEY_F12},
    };
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strcmp(name, names[n].name) == 0)
            return names[n].key;
    // GLFW numbers letters and digits as ASCII does, in capitals.
    const int letter = toupper((unsigned char)name[0]);
    return name[0] != '\0' && name[1] == '\0' && isalnum(letter) ? letter : -1;
}

// ---- Mouse -----------------------------------------------------------------------------

static window_drag drag_of(const view *v, int button)
{
    switch (button) {
    case GLFW_MOUSE_BUTTON_LEFT:
        return v->brush.tool == BRUSH_NONE   ? DRAG_TURN
               : v->brush.tool == BRUSH_GRAB ? DRAG_BODY
               : brush_paints(v->brush.tool) ? DRAG_BRUSH
                                             : DRAG_NONE;
    case GLFW_MOUSE_BUTTON_RIGHT:
        return v->controller.flying ? DRAG_TURN : DRAG_PAN;
    case GLFW_MOUSE_BUTTON_MIDDLE:
        return DRAG_TURN;
    default:
        return DRAG_NONE;
    }
}

void input_button(view *v, int button, bool down)
{
    window_mouse *const m = &v->mouse;
    window_redraw(v);
    panel_mouse_button(v->panel, button, down);
    if (!down) {
        if (m->drag != DRAG_NONE && m->drag_button == button) {
            m->drag = DRAG_NONE;
            brush_release(&v->brush);
            picker_let_go(v);
        }
        return;
    }
    if (m->drag != DRAG_NONE || panel_has_pointer(v->panel, m->x, m->y))
        return;
    m->drag = drag_of(v, button);
    m->drag_button = button;
    if (button == GLFW_MOUSE_BUTTON_LEFT && v->brush.tool != BRUSH_NONE)
        v->controller.by_user = true; // the scene's camera would move on during the drag
    if (m->drag == DRAG_BRUSH) {
        window_point(v);
        brush_press(&v->brush);
    } else if (m->drag == DRAG_BODY) {
        picker_grab(v);
    } else if (button == GLFW_MOUSE_BUTTON_LEFT && v->brush.tool == BRUSH_THROW) {
        picker_throw(v);
    } else if (button == GLFW_MOUSE_BUTTON_LEFT && v->brush.tool == BRUSH_REMOVE) {
        picker_remove(v);
    }
}

void input_move(view *v, double x, double y)
{
    window_mouse *const m = &v->mouse;
    const double right = x * v->pixels - m->x, down = y * v->pixels - m->y;
    m->x += right;
    m->y += down;
    window_redraw(v);
    panel_pointer(v->panel, m->x, m->y);
    if (v->height < 1)
        return;
    if (m->drag == DRAG_TURN)
        controller_turn(&v->controller, right, down, v->height);
    else if (m->drag == DRAG_PAN)
        controller_pan(&v->controller, right, down, v->height);
    else if (m->drag == DRAG_BODY)
        picker_drag(v);
}

void input_scroll(view *v, double amount)
{
    window_redraw(v);
    if (panel_has_pointer(v->panel, v->mouse.x, v->mouse.y))
        panel_scroll(v->panel, amount);
    else if (v->mouse.drag == DRAG_BODY)
        picker_reach(v, amount);
    else
        controller_zoom(&v->controller, amount);
}
