// SPDX-License-Identifier: MIT
// script.c - reads and plays scripts.
#include "apps/view/script.h"

#include "apps/view/actions.h"
#include "apps/view/input.h"

#include "render/render_error.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_LINE 1024

typedef enum verb {
    VERB_WAIT,
    VERB_FRAMES,
    VERB_WAIT_FOR,
    VERB_RUN_UNTIL,
    VERB_SETTLE,
    VERB_KEY,
    VERB_KEYDOWN,
    VERB_KEYUP,
    VERB_MOVE,
    VERB_PRESS,
    VERB_RELEASE,
    VERB_SCROLL,
    VERB_THROW,
    VERB_GRAB,
    VERB_DROP,
    VERB_REMOVE,
    VERB_SHOT,
    VERB_REPORT,
    VERB_STAY,
    VERB_QUIT,
    VERB_COUNT
} verb;

typedef enum form {
    FORM_NOTHING,
    FORM_NUMBER,
    FORM_PAIR,
    FORM_KEY,
    FORM_BUTTON,
    FORM_BODY,
    FORM_FILE
} form;

static const struct {
    const char *name;
    form form;
    const char *needs;
} verbs[VERB_COUNT] = {
    [VERB_WAIT] = {"wait", FORM_NUMBER, "seconds, 0 or more"},
    [VERB_FRAMES] = {"frames", FORM_NUMBER, "a number of pictures, 0 or more"},
    [VERB_WAIT_FOR] = {"wait-for", FORM_FILE, "a file"},
    [VERB_RUN_UNTIL] = {"run-until", FORM_NUMBER, "a simulated time, 0 or more"},
    [VERB_SETTLE] = {"settle", FORM_NOTHING, "nothing"},
    [VERB_KEY] = {"key", FORM_KEY, "a key such as space, o or shift+t"},
    [VERB_KEYDOWN] = {"keydown", FORM_KEY, "a key such as w"},
    [VERB_KEYUP] = {"keyup", FORM_KEY, "a key such as w"},
    [VERB_MOVE] = {"move", FORM_PAIR, "two coordinates in the window"},
    [VERB_PRESS] = {"press", FORM_BUTTON, "left, right or middle"},
    [VERB_RELEASE] = {"release", FORM_BUTTON, "left, right or middle"},
    [VERB_SCROLL] = {"scroll", FORM_NUMBER, "notches"},
    [VERB_THROW] = {"throw", FORM_BODY, "crate, barrel, ball or stone and a speed above 0 in m/s"},
    [VERB_GRAB] = {"grab", FORM_PAIR, "two coordinates in the window"},
    [VERB_DROP] = {"drop", FORM_NOTHING, "nothing"},
    [VERB_REMOVE] = {"remove", FORM_PAIR, "two coordinates in the window"},
    [VERB_SHOT] = {"shot", FORM_FILE, "the name of a .png file"},
    [VERB_REPORT] = {"report", FORM_FILE, "the name of a .json file"},
    [VERB_STAY] = {"stay", FORM_NOTHING, "nothing"},
    [VERB_QUIT] = {"quit", FORM_NOTHING, "nothing"},
};

typedef struct line {
    verb verb;
    double a, b;
    int key, modifiers;
    char *text;
} line;

struct script {
    line *lines;
    int count;
    int at;          // the line that is being played
    bool begun;      // it has begun, and is being waited for
    double deadline; // of a wait
    long frames;     // drawn when it began
};

// ---- Reading ---------------------------------------------------------------------------

static bool read_number(const char *text, double *out)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out > -1e9 && *out < 1e9;
}

static bool read_pair(char *text, double *a, double *b)
{
    char *rest = strpbrk(text, " \t");
    if (rest == NULL)
        return false;
    *rest++ = '\0';
    rest += strspn(rest, " \t");
    return read_number(text, a) && read_number(rest, b);
}

// A name and a number.
static bool read_body(char *text, line *l)
{
    char *rest = text + strcspn(text, " \t");
    if (*rest == '\0')
        return false;
    *rest++ = '\0';
    l->key = -1;
    for (int n = 0; n < SIM_BODY_COUNT; n++)
        if (strcmp(text, picker_body_name((sim_body)n)) == 0)
            l->key = n;
    return l->key >= 0 && read_number(rest + strspn(rest, " \t"), &l->a) && l->a > 0.0;
}

static bool read_key(const char *text, line *l)
{
    if (strncmp(text, "shift+", 6) == 0) {
        l->modifiers = GLFW_MOD_SHIFT;
        text += 6;
    }
    l->key = input_key_named(text);
    return l->key >= 0;
}

static bool read_button(const char *text, line *l)
{
    static const char *const names[] = {"left", "right", "middle"};
    for (int n = 0; n < 3; n++)
        if (strcmp(text, names[n]) == 0) {
            l->key = n;
            return true;
        }
    return false;
}

static bool read_argument(char *text, line *l)
{
    switch (verbs[l->verb].form) {
    case FORM_NOTHING:
        return text[0] == '\0';
    case FORM_NUMBER:
        return read_number(text, &l->a) && (l->a >= 0.0 || l->verb == VERB_SCROLL);
    case FORM_PAIR:
        return read_pair(text, &l->a, &l->b);
    case FORM_KEY:
        return read_key(text, l);
    case FORM_BUTTON:
        return read_button(text, l);
    case FORM_BODY:
        return read_body(text, l);
    case FORM_FILE:
        l->text = text[0] != '\0' ? strdup(text) : NULL;
        return l->text != NULL;
    }
    return false;
}

static rill_status read_line(const char *path, int number, char *text, line *l)
{
    char *rest = text + strcspn(text, " \t");
    if (*rest != '\0')
        *rest++ = '\0';
    rest += strspn(rest, " \t");
    *l = (line){.verb = VERB_COUNT};
    for (int n = 0; n < VERB_COUNT; n++)
        if (strcmp(text, verbs[n].name) == 0)
            l->verb = (verb)n;
    if (l->verb == VERB_COUNT)
        return render_fail(RILL_BAD_FILE, "%s:%d: \"%.60s\" is no word of a script", path, number,
                           text);
    if (!read_argument(rest, l))
        return render_fail(RILL_BAD_FILE, "%s:%d: %s needs %s, not \"%.60s\"", path, number, text,
                           verbs[l->verb].needs, rest);
    return RILL_OK;
}

// Cuts comments, line breaks and the spaces around.
static char *trim(char *text)
{
    text[strcspn(text, "#\r\n")] = '\0';
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

static rill_status add_line(script *s, const char *path, int number, char *text)
{
    line *more = realloc(s->lines, ((size_t)s->count + 1) * sizeof *s->lines);
    if (more == NULL)
        return render_fail(RILL_NO_MEMORY, "%s:%d: no memory for the script", path, number);
    s->lines = more;
    return read_line(path, number, text, &s->lines[s->count++]);
}

static rill_status read_lines(script *s, const char *path, FILE *file)
{
    char text[LONGEST_LINE];
    rill_status status = RILL_OK;
    for (int number = 1; status == RILL_OK && fgets(text, sizeof text, file) != NULL; number++) {
        if (strlen(text) + 1 == sizeof text)
            return render_fail(RILL_BAD_FILE, "%s:%d: a line of more than %d characters", path,
                               number, LONGEST_LINE - 2);
        char *trimmed = trim(text);
        if (trimmed[0] != '\0')
            status = add_line(s, path, number, trimmed);
    }
    return status;
}

rill_status script_open(const char *path, script **out)
{
    *out = NULL;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return render_fail(RILL_BAD_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    script *s = calloc(1, sizeof *s);
    rill_status status = s != NULL ? read_lines(s, path, file)
                                   : render_fail(RILL_NO_MEMORY, "no memory for a script");
    fclose(file);
    if (status != RILL_OK)
        script_close(&s);
    *out = s;
    return status;
}

void script_close(script **s)
{
    if (s == NULL || *s == NULL)
        return;
    for (int n = 0; n < (*s)->count; n++)
        free((*s)->lines[n].text);
    free((*s)->lines);
    free(*s);
    *s = NULL;
}

// ---- Playing ---------------------------------------------------------------------------

static void use_body(view *v, const line *l)
{
    switch (l->verb) {
    case VERB_THROW:
        v->picker.body = (sim_body)l->key;
        v->picker.speed = l->a;
        picker_throw(v);
        break;
    case VERB_GRAB:
        action_tool(v, BRUSH_GRAB);
        input_move(v, l->a, l->b);
        input_button(v, GLFW_MOUSE_BUTTON_LEFT, true);
        break;
    case VERB_DROP:
        input_button(v, GLFW_MOUSE_BUTTON_LEFT, false);
        break;
    default:
        input_move(v, l->a, l->b);
        picker_remove(v);
    }
}

static void begin(view *v, script *s, const line *l)
{
    s->deadline = v->clock + l->a;
    s->frames = v->frames;
    switch (l->verb) {
    case VERB_RUN_UNTIL:
        sim_run_until(v->sim, l->a);
        break;
    case VERB_KEY:
        input_key(v, l->key, true, l->modifiers);
        input_key(v, l->key, false, l->modifiers);
        break;
    case VERB_KEYDOWN:
    case VERB_KEYUP:
        input_key(v, l->key, l->verb == VERB_KEYDOWN, l->modifiers);
        break;
    case VERB_MOVE:
        input_move(v, l->a, l->b);
        break;
    case VERB_PRESS:
    case VERB_RELEASE:
        input_button(v, l->key, l->verb == VERB_PRESS);
        break;
    case VERB_SCROLL:
        input_scroll(v, l->a);
        break;
    case VERB_THROW:
    case VERB_GRAB:
    case VERB_DROP:
    case VERB_REMOVE:
        use_body(v, l);
        break;
    case VERB_SHOT:
        v->record.shot_path = l->text;
        break;
    case VERB_REPORT:
        if (report_write(v, l->text) != RILL_OK) {
            v->status = RILL_WRITE_FAILED;
            v->closing = true;
        }
        break;
    case VERB_QUIT:
        v->closing = true;
        break;
    default:
        break;
    }
}

static bool is_done(const view *v, const script *s, const line *l)
{
    switch (l->verb) {
    case VERB_WAIT:
        return v->clock >= s->deadline;
    case VERB_FRAMES:
        return (double)(v->frames - s->frames) >= l->a;
    case VERB_WAIT_FOR:
        return access(l->text, F_OK) == 0;
    case VERB_RUN_UNTIL:
        return sim_get_state(v->sim).until_reached;
    case VERB_SETTLE:
        return !sim_get_state(v->sim).opening;
    case VERB_SHOT:
        return v->record.shot_path == NULL;
    case VERB_STAY:
        return false; // from here on the window belongs to the user
    default:
        return true;
    }
}

bool script_play(view *v)
{
    script *const s = v->script;
    if (s == NULL)
        return false;
    while (s->at < s->count && !v->closing) {
        const line *const l = &s->lines[s->at];
        if (!s->begun)
            begin(v, s, l);
        s->begun = true;
        if (!is_done(v, s, l))
            return l->verb == VERB_FRAMES || l->verb == VERB_SHOT;
        s->begun = false;
        s->at++;
    }
    v->closing = v->closing || s->at == s->count;
    return false;
}
