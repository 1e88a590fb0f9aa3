// SPDX-License-Identifier: MIT
// panel.cpp - the one file in C++: panel.h on top of Dear ImGui. Input does not come through
// ImGui's own GLFW layer, so that the mouse of a script and a real one take the same way.
#include "apps/view/panel.h"

extern "C" {
#include "render/render_error.h"
}

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace
{

constexpr int BUTTONS = 3;
constexpr int KEYS = GLFW_KEY_LAST + 1;
constexpr int MOST_BOXES = 16;
constexpr float TEXT_SIZE = 14.0f;  // points
constexpr float LABEL_PART = 0.36f; // of the width of a box
constexpr float GRAPH_HEIGHT = 56.0f;

const ImVec4 inks[PANEL_INK_COUNT] = {
    {0.91f, 0.94f, 0.95f, 1.0f}, // plain
    {0.60f, 0.67f, 0.71f, 1.0f}, // dim
    {0.36f, 0.72f, 0.91f, 1.0f}, // accent
    {0.93f, 0.73f, 0.38f, 1.0f}, // second
    {0.97f, 0.56f, 0.42f, 1.0f}, // warning
};

// Places of a readable sans serif on the usual systems. Without any, ImGui's own pixel font serves.
const char *const fonts[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/System/Library/Fonts/Helvetica.ttc",
};

} // namespace

struct panel {
    ImGuiContext *context;
    float scale;
    // What is down now, and what was pressed since the last picture and perhaps released again.
    bool down[BUTTONS], clicked[BUTTONS];
    bool key_down[KEYS], key_clicked[KEYS];
    ImVec4 boxes[MOST_BOXES]; // of this picture: x0, y0, x1, y1 in pixels
    int box_count;
    ImVec4 held[MOST_BOXES]; // of the last picture: where the mouse belongs to a box
    int held_count;
    bool open_is_label;
    bool busy; // a widget or a list that was opened has the mouse
};

static ImVec4 accent(float alpha)
{
    return ImVec4(inks[PANEL_ACCENT].x, inks[PANEL_ACCENT].y, inks[PANEL_ACCENT].z, alpha);
}

// ---- Style -----------------------------------------------------------------------------

static void set_colours(ImGuiStyle &style)
{
    const auto white = [](float alpha) { return ImVec4(1.0f, 1.0f, 1.0f, alpha); };
    ImVec4 *const c = style.Colors;
    c[ImGuiCol_Text] = inks[PANEL_PLAIN];
    c[ImGuiCol_TextDisabled] = inks[PANEL_DIM];
    c[ImGuiCol_WindowBg] = ImVec4(0.05f, 0.07f, 0.085f, 0.88f);
    c[ImGuiCol_PopupBg] = ImVec4(0.075f, 0.095f, 0.11f, 0.97f);
    c[ImGuiCol_Border] = white(0.07f);
    c[ImGuiCol_FrameBg] = white(0.075f);
    c[ImGuiCol_FrameBgHovered] = white(0.12f);
    c[ImGuiCol_FrameBgActive] = white(0.16f);
    c[ImGuiCol_SliderGrab] = white(0.0f);
    c[ImGuiCol_SliderGrabActive] = white(0.0f);
    c[ImGuiCol_CheckMark] = accent(1.0f);
    c[ImGuiCol_Button] = white(0.085f);
    c[ImGuiCol_ButtonHovered] = white(0.15f);
    c[ImGuiCol_ButtonActive] = accent(0.55f);
    c[ImGuiCol_Header] = accent(0.30f);
    c[ImGuiCol_HeaderHovered] = white(0.07f);
    c[ImGuiCol_HeaderActive] = white(0.11f);
    c[ImGuiCol_ScrollbarBg] = white(0.0f);
    c[ImGuiCol_ScrollbarGrab] = white(0.14f);
    c[ImGuiCol_ScrollbarGrabHovered] = white(0.22f);
    c[ImGuiCol_ScrollbarGrabActive] = white(0.30f);
    c[ImGuiCol_TextSelectedBg] = accent(0.35f);
}

static void set_style(float scale)
{
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowPadding = ImVec2(12.0f, 10.0f);
    style.FramePadding = ImVec2(8.0f, 4.0f);
    style.ItemSpacing = ImVec2(6.0f, 5.0f);
    style.ItemInnerSpacing = ImVec2(6.0f, 4.0f);
    style.ScrollbarSize = 9.0f;
    style.GrabMinSize = 1.0f;
    style.WindowRounding = 6.0f;
    style.FrameRounding = 4.0f;
    style.PopupRounding = 4.0f;
    style.GrabRounding = 4.0f;
    style.ScrollbarRounding = 4.0f;
    style.WindowBorderSize = 1.0f;
    style.FrameBorderSize = 0.0f;
    set_colours(style);
    style.ScaleAllSizes(scale);
}

static void load_font(float scale)
{
    ImGuiIO &io = ImGui::GetIO();
    for (const char *path : fonts) {
        FILE *file = std::fopen(path, "rb");
        if (file == nullptr)
            continue;
        std::fclose(file);
        if (io.Fonts->AddFontFromFileTTF(path, TEXT_SIZE * scale) != nullptr)
            return;
    }
    ImFontConfig config;
    config.SizePixels = 13.0f * scale;
    io.Fonts->AddFontDefault(&config);
}

static void name_keys(ImGuiIO &io)
{
    io.KeyMap[ImGuiKey_Tab] = GLFW_KEY_TAB;
    io.KeyMap[ImGuiKey_LeftArrow] = GLFW_KEY_LEFT;
    io.KeyMap[ImGuiKey_RightArrow] = GLFW_KEY_RIGHT;
    io.KeyMap[ImGuiKey_Home] = GLFW_KEY_HOME;
    io.KeyMap[ImGuiKey_End] = GLFW_KEY_END;
    io.KeyMap[ImGuiKey_Delete] = GLFW_KEY_DELETE;
    io.KeyMap[ImGuiKey_Backspace] = GLFW_KEY_BACKSPACE;
    io.KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
    io.KeyMap[ImGuiKey_KeyPadEnter] = GLFW_KEY_KP_ENTER;
    io.KeyMap[ImGuiKey_Escape] = GLFW_KEY_ESCAPE;
    io.KeyMap[ImGuiKey_A] = GLFW_KEY_A;
    io.KeyMap[ImGuiKey_C] = GLFW_KEY_C;
    io.KeyMap[ImGuiKey_V] = GLFW_KEY_V;
    io.KeyMap[ImGuiKey_X] = GLFW_KEY_X;
    io.KeyMap[ImGuiKey_Y] = GLFW_KEY_Y;
    io.KeyMap[ImGuiKey_Z] = GLFW_KEY_Z;
}

rill_status panel_create(double scale, panel **out)
{
    *out = nullptr;
    panel *p = new (std::nothrow) panel();
    if (p == nullptr)
        return render_fail(RILL_NO_MEMORY, "no memory for the panel");
    p->scale = static_cast<float>(scale);
    p->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // nothing of the panel is stored in files
    io.LogFilename = nullptr;
    name_keys(io);
    set_style(p->scale);
    load_font(p->scale);
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext(p->context);
        delete p;
        return render_fail(RILL_DEVICE, "the panel cannot be drawn with this OpenGL");
    }
    *out = p;
    return RILL_OK;
}

void panel_destroy(panel **p)
{
    if (p == nullptr || *p == nullptr)
        return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext((*p)->context);
    delete *p;
    *p = nullptr;
}

// ---- Mouse and keys --------------------------------------------------------------------

void panel_pointer(panel *, double x, double y)
{
    ImGui::GetIO().MousePos = ImVec2(static_cast<float>(x), static_cast<float>(y));
}

void panel_mouse_button(panel *p, int button, bool down)
{
    if (button < 0 || button >= BUTTONS)
        return;
    p->down[button] = down;
    p->clicked[button] = p->clicked[button] || down;
}

void panel_scroll(panel *, double amount)
{
    ImGui::GetIO().MouseWheel += static_cast<float>(amount);
}

void panel_key(panel *p, int key, bool down)
{
    if (key < 0 || key >= KEYS)
        return;
    p->key_down[key] = down;
    p->key_clicked[key] = p->key_clicked[key] || down;
}

void panel_character(panel *, unsigned code)
{
    ImGui::GetIO().AddInputCharacter(code);
}

// ImGui knows what the pointer is on only after its next picture; a click may come before that, so
// the places of the boxes are asked instead.
bool panel_has_pointer(const panel *p, double x, double y)
{
    if (p->busy)
        return true;
    for (int n = 0; n < p->held_count; n++) {
        const ImVec4 &b = p->held[n];
        if (x >= static_cast<double>(b.x) && y >= static_cast<double>(b.y) &&
            x < static_cast<double>(b.z) && y < static_cast<double>(b.w))
            return true;
    }
    return false;
}

bool panel_has_keys(const panel *)
{
    return ImGui::GetIO().WantTextInput;
}

// ---- A picture's panels ----------------------------------------------------------------

void panel_begin(panel *p, int width, int height, double seconds_passed)
{
    ImGuiIO &io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    io.DeltaTime = seconds_passed > 1e-4 ? static_cast<float>(seconds_passed) : 1e-4f;
    for (int n = 0; n < BUTTONS; n++) {
        io.MouseDown[n] = p->down[n] || p->clicked[n];
        p->clicked[n] = false;
    }
    for (int n = 0; n < KEYS; n++) {
        io.KeysDown[n] = p->key_down[n] || p->key_clicked[n];
        p->key_clicked[n] = false;
    }
    io.KeyShift = p->key_down[GLFW_KEY_LEFT_SHIFT] || p->key_down[GLFW_KEY_RIGHT_SHIFT];
    io.KeyCtrl = p->key_down[GLFW_KEY_LEFT_CONTROL] || p->key_down[GLFW_KEY_RIGHT_CONTROL];
    io.KeyAlt = p->key_down[GLFW_KEY_LEFT_ALT] || p->key_down[GLFW_KEY_RIGHT_ALT];
    p->box_count = 0;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
}

void panel_end(panel *p, bool draw)
{
    p->busy =
        ImGui::IsAnyItemActive() ||
        ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId + ImGuiPopupFlags_AnyPopupLevel);
    p->held_count = p->box_count;
    for (int n = 0; n < p->box_count; n++)
        p->held[n] = p->boxes[n];
    ImGui::Render();
    if (draw)
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

double panel_width(const panel *p)
{
    return static_cast<double>(ImGui::GetIO().DisplaySize.x / p->scale);
}

double panel_height(const panel *p)
{
    return static_cast<double>(ImGui::GetIO().DisplaySize.y / p->scale);
}

static void open_box(panel *p, const char *name, const panel_place *place, bool bar)
{
    const auto points = [&](double a) { return static_cast<float>(a) * p->scale; };
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                             ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;
    if (place->width <= 0.0 && place->height <= 0.0)
        flags |= ImGuiWindowFlags_AlwaysAutoResize;
    if (place->is_label)
        flags |= ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoScrollbar;
    ImGui::SetNextWindowPos(
        ImVec2(points(place->x), points(place->y)), ImGuiCond_Always,
        ImVec2(static_cast<float>(place->anchor_x), static_cast<float>(place->anchor_y)));
    if (place->width > 0.0 || place->height > 0.0)
        ImGui::SetNextWindowSize(ImVec2(points(place->width), points(place->height)));
    if (bar) {
        const float above = 0.5f * (points(place->height) - ImGui::GetTextLineHeight());
        ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(points(12.0), above));
        ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0f, 1.0f));
    }
    if (place->is_solid)
        ImGui::SetNextWindowBgAlpha(0.97f);
    ImGui::Begin(name, nullptr, flags);
    if (place->is_solid)
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    if (bar)
        ImGui::PopStyleVar(3);
    p->open_is_label = place->is_label;
}

void panel_open_box(panel *p, const char *name, const panel_place *place)
{
    open_box(p, name, place, false);
}

void panel_open_bar(panel *p, const char *name, const panel_place *place)
{
    open_box(p, name, place, true);
}

void panel_close_box(panel *p)
{
    if (!p->open_is_label && p->box_count < MOST_BOXES) {
        const ImVec2 a = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        p->boxes[p->box_count++] = ImVec4(a.x, a.y, a.x + size.x, a.y + size.y);
    }
    ImGui::End();
}

// ---- Widgets ---------------------------------------------------------------------------

// Points down, or to the left.
static void draw_triangle(ImVec2 at, float side, bool down, const ImVec4 &ink)
{
    const auto corner = [&](float x, float y) {
        return down ? ImVec2(at.x + x * side, at.y + y * side)
                    : ImVec2(at.x - y * side, at.y + x * side);
    };
    ImGui::GetWindowDrawList()->AddTriangleFilled(corner(-1.0f, -0.5f), corner(1.0f, -0.5f),
                                                  corner(0.0f, 0.7f), ImGui::GetColorU32(ink));
}

// A line of text that is a button, with a small triangle at its right end.
bool panel_section(panel *p, const char *title, bool open_at_first)
{
    ImGuiStorage *const storage = ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(title);
    bool open = storage->GetBool(id, open_at_first);
    ImGui::Dummy(ImVec2(0.0f, 1.0f * p->scale));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
    if (ImGui::InvisibleButton(title, ImVec2(width, height))) {
        open = !open;
        storage->SetBool(id, open);
    }
    const ImVec4 ink = ImGui::IsItemHovered() ? inks[PANEL_PLAIN] : inks[PANEL_ACCENT];
    const float middle = at.y + 0.5f * height;
    ImDrawList *const list = ImGui::GetWindowDrawList();
    list->AddLine(at, ImVec2(at.x + width, at.y), ImGui::GetColorU32(ImGuiCol_Border));
    list->AddText(ImVec2(at.x, middle - 0.5f * ImGui::GetTextLineHeight()), ImGui::GetColorU32(ink),
                  title);
    draw_triangle(ImVec2(at.x + width - 7.0f * p->scale, middle), 3.5f * p->scale, open, ink);
    return open;
}

void panel_text(panel *, panel_ink ink, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, inks[ink]);
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
}

void panel_wrapped(panel *p, panel_ink ink, const char *text)
{
    ImGui::PushTextWrapPos(0.0f);
    panel_text(p, ink, text);
    ImGui::PopTextWrapPos();
}

static float label_width(void)
{
    return LABEL_PART * ImGui::GetWindowWidth();
}

void panel_row(panel *p, const char *label, const char *value)
{
    panel_text(p, PANEL_DIM, label);
    ImGui::SameLine(label_width());
    panel_text(p, PANEL_PLAIN, value);
}

void panel_pair(panel *p, const char *label, const char *value, double offset)
{
    const float left = ImGui::GetCursorScreenPos().x;
    panel_text(p, PANEL_PLAIN, label);
    ImGui::SameLine();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos(ImVec2(left + static_cast<float>(offset) * p->scale, at.y));
    panel_text(p, PANEL_DIM, value);
}

void panel_open_column(panel *)
{
    ImGui::BeginGroup();
}

void panel_next_column(panel *p, double gap)
{
    ImGui::EndGroup();
    panel_beside(p, gap);
    ImGui::BeginGroup();
}

void panel_close_column(panel *)
{
    ImGui::EndGroup();
}

void panel_beside(panel *p, double gap)
{
    ImGui::SameLine(0.0f, static_cast<float>(gap) * p->scale);
}

void panel_space(panel *p)
{
    ImGui::Dummy(ImVec2(0.0f, 4.0f * p->scale));
}

void panel_line(panel *p, panel_ink ink, const double from[2], const double to[2])
{
    const auto pixel = [](const double at[2]) {
        return ImVec2(static_cast<float>(at[0]), static_cast<float>(at[1]));
    };
    ImDrawList *const list = ImGui::GetBackgroundDrawList();
    list->AddLine(pixel(from), pixel(to), ImGui::GetColorU32(inks[ink]), 1.5f * p->scale);
    list->AddCircleFilled(pixel(from), 4.0f * p->scale, ImGui::GetColorU32(inks[ink]));
}

int panel_buttons(panel *, const char *const *names, int count, int active)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = (ImGui::GetContentRegionAvail().x - gap * static_cast<float>(count - 1)) /
                        static_cast<float>(count);
    int pressed = -1;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2.0f, ImGui::GetStyle().FramePadding.y));
    for (int n = 0; n < count; n++) {
        if (n > 0)
            ImGui::SameLine(0.0f, gap);
        if (n == active)
            ImGui::PushStyleColor(ImGuiCol_Button, accent(0.42f));
        if (ImGui::Button(names[n], ImVec2(width, 0.0f)))
            pressed = n;
        if (n == active)
            ImGui::PopStyleColor();
    }
    ImGui::PopStyleVar();
    return pressed;
}

bool panel_check(panel *, const char *label, bool *value)
{
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(2.0f, 2.0f));
    const bool changed = ImGui::Checkbox(label, value);
    ImGui::PopStyleVar();
    return changed;
}

// Puts the label on the left, as panel_row does; what is drawn next gets the rest of the line.
static void label_left(const char *label, char *name, size_t bytes)
{
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(inks[PANEL_DIM], "%s", label);
    ImGui::SameLine(label_width());
    ImGui::SetNextItemWidth(-FLT_MIN);
    std::snprintf(name, bytes, "##%s", label);
}

bool panel_choice(panel *p, const char *label, const char *const *names, int count, int *index)
{
    char name[64];
    bool changed = false;
    label_left(label, name, sizeof name);
    const bool known = *index >= 0 && *index < count;
    const bool open =
        ImGui::BeginCombo(name, known ? names[*index] : "", ImGuiComboFlags_NoArrowButton);
    if (!open) {
        const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
        draw_triangle(ImVec2(b.x - 11.0f * p->scale, 0.5f * (a.y + b.y)), 3.5f * p->scale, true,
                      inks[PANEL_DIM]);
        return false;
    }
    for (int n = 0; n < count; n++)
        if (ImGui::Selectable(names[n], n == *index)) {
            *index = n;
            changed = true;
        }
    ImGui::EndCombo();
    return changed;
}

// The part of a slider to the left of its value is tinted, behind the text; ImGui's own handle,
// which would hide the figure, is not drawn.
bool panel_slider(panel *p, const char *label, double *value, double low, double high,
                  const char *format, bool even)
{
    char name[64];
    label_left(label, name, sizeof name);
    const ImGuiSliderFlags flags =
        ImGuiSliderFlags_AlwaysClamp | (even ? 0 : ImGuiSliderFlags_Logarithmic);
    ImDrawList *const list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    const bool changed =
        ImGui::SliderScalar(name, ImGuiDataType_Double, value, &low, &high, format, flags);
    list->ChannelsSetCurrent(0);
    const double part =
        even ? (*value - low) / (high - low) : std::log(*value / low) / std::log(high / low);
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    const float edge = a.x + (b.x - a.x) * static_cast<float>(part < 0.0   ? 0.0
                                                              : part > 1.0 ? 1.0
                                                                           : part);
    if (edge > a.x + p->scale)
        list->AddRectFilled(a, ImVec2(edge, b.y),
                            ImGui::GetColorU32(accent(ImGui::IsItemActive() ? 0.55f : 0.38f)),
                            ImGui::GetStyle().FrameRounding);
    list->ChannelsMerge();
    return changed;
}

// ---- Graphs ----------------------------------------------------------------------------

static void draw_series(ImDrawList *list, ImVec2 low, ImVec2 size, const panel_series *s,
                        double top)
{
    ImVec2 points[512];
    const int count = s->count < IM_ARRAYSIZE(points) ? s->count : IM_ARRAYSIZE(points);
    const float across = static_cast<float>(s->size - 1);
    for (int n = 0; n < count; n++) {
        const double value = static_cast<double>(s->values[(s->first + n) % s->size]);
        const double part = value < 0.0 ? 0.0 : value > top ? 1.0 : value / top;
        points[n] = ImVec2(low.x + size.x * (1.0f - static_cast<float>(count - 1 - n) / across),
                           low.y - size.y * static_cast<float>(part));
    }
    list->AddPolyline(points, count, ImGui::GetColorU32(inks[s->ink]), ImDrawFlags_None, 1.5f);
}

void panel_graph(panel *p, const char *title, const panel_series *series, int count, double top,
                 const char *top_text)
{
    panel_text(p, PANEL_DIM, title);
    for (int n = 0; n < count; n++) {
        panel_beside(p, 10.0);
        panel_text(p, series[n].ink, series[n].name);
    }
    const ImVec2 size(ImGui::GetContentRegionAvail().x, GRAPH_HEIGHT * p->scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = 4.0f * p->scale;
    ImDrawList *const list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y),
                        ImGui::GetColorU32(ImGuiCol_FrameBg), ImGui::GetStyle().FrameRounding);
    for (int n = 0; n < count && top > 0.0; n++)
        if (series[n].count > 1)
            draw_series(list, ImVec2(at.x + inset, at.y + size.y - inset),
                        ImVec2(size.x - 2.0f * inset, size.y - 2.0f * inset), &series[n], top);
    list->AddText(ImVec2(at.x + inset, at.y + 1.0f), ImGui::GetColorU32(inks[PANEL_DIM]), top_text);
    ImGui::Dummy(size);
}

void panel_band(panel *p, const float (*colours)[3], int count, double width, double height)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size(static_cast<float>(width) * p->scale, static_cast<float>(height) * p->scale);
    ImDrawList *const list = ImGui::GetWindowDrawList();
    for (int n = 0; n + 1 < count; n++) {
        const float a = static_cast<float>(n) / static_cast<float>(count - 1);
        const float b = static_cast<float>(n + 1) / static_cast<float>(count - 1);
        const ImU32 left =
            ImGui::GetColorU32(ImVec4(colours[n][0], colours[n][1], colours[n][2], 1.0f));
        const ImU32 right = ImGui::GetColorU32(
            ImVec4(colours[n + 1][0], colours[n + 1][1], colours[n + 1][2], 1.0f));
        list->AddRectFilledMultiColor(ImVec2(at.x + a * size.x, at.y),
                                      ImVec2(at.x + b * size.x, at.y + size.y), left, right, right,
                                      left);
    }
    ImGui::Dummy(size);
}

void panel_ticks(panel *p, const char *first, const char *middle, const char *last, double width)
{
    const char *const texts[3] = {first, middle, last};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float whole = static_cast<float>(width) * p->scale;
    for (int n = 0; n < 3; n++) {
        const float part = 0.5f * static_cast<float>(n);
        const float offset = part * (whole - ImGui::CalcTextSize(texts[n]).x);
        ImGui::GetWindowDrawList()->AddText(ImVec2(at.x + offset, at.y),
                                            ImGui::GetColorU32(inks[PANEL_DIM]), texts[n]);
    }
    ImGui::Dummy(ImVec2(whole, ImGui::GetTextLineHeight()));
}
