// SPDX-License-Identifier: MIT
// view_report.c - writes the state of window and world as JSON. The file gets its name when it is
// complete, so that a reader never sees half of it.

#include "apps/view/window.h"

#include "render/render_error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *yes_or_no(bool value)
{
    return value ? "true" : "false";
}

static void write_window(const view *v, const sim_state *state, FILE *out)
{
    char text[256];
    camera_format(&v->controller.camera, text, sizeof text);
    fprintf(out, "  \"scene\": \"%s\",\n", v->loaded != NULL ? v->loaded->info.name : "");
    fprintf(out, "  \"paused\": %s,\n", yes_or_no(state->paused));
    fprintf(out, "  \"speed\": %.9g,\n", state->speed);
    fprintf(out, "  \"overlay\": \"%s\",\n", overlay_name(v->painted));
    fprintf(out, "  \"brush\": \"%s\",\n", brush_name(v->brush.tool));
    fprintf(out, "  \"brush_radius\": %.9g,\n", v->brush.radius);
    fprintf(out, "  \"camera\": \"%s\",\n", text);
    fprintf(out, "  \"flying\": %s,\n", yes_or_no(v->controller.flying));
    fprintf(out, "  \"hour\": %.9g,\n", v->scene_view.time_of_day);
    fprintf(out, "  \"panel\": %s,\n", yes_or_no(v->panel_shown));
    fprintf(out, "  \"help\": %s,\n", yes_or_no(v->help_shown));
    fprintf(out, "  \"recording\": %s,\n", yes_or_no(v->record.film != NULL));
    fprintf(out, "  \"width\": %d,\n  \"height\": %d,\n", v->width, v->height);
    fprintf(out, "  \"frames\": %ld,\n", v->frames);
    fprintf(out, "  \"first_window\": %.3f,\n", v->first_window);
    fprintf(out, "  \"first_picture\": %.3f,\n", v->first_picture);
}

static void write_body(const char *name, bool exists, const rill_body_state *b, FILE *out)
{
    if (!exists) {
        fprintf(out, "  \"%s\": null,\n", name);
        return;
    }
    fprintf(out,
            "  \"%s\": {\"position\": [%.9g, %.9g, %.9g], \"velocity\": [%.9g, %.9g, %.9g], "
            "\"mass\": %.9g, \"volume\": %.9g, \"submerged\": %.9g},\n",
            name, b->position[0], b->position[1], b->position[2], b->velocity[0], b->velocity[1],
            b->velocity[2], b->mass, b->volume, b->submerged);
}

static void write_world(const view *v, const sim_answer *a, FILE *out)
{
    fprintf(out, "  \"time\": %.9g,\n", a->time);
    fprintf(out, "  \"hash\": \"%016" PRIx64 "\",\n", a->hash);
    fprintf(out, "  \"water\": %.17g,\n", a->ledger.water);
    fprintf(out, "  \"sourced\": %.17g,\n", a->ledger.sourced);
    fprintf(out, "  \"drained\": %.17g,\n", a->ledger.drained);
    fprintf(out, "  \"error\": %.9g,\n", a->ledger.error);
    fprintf(out, "  \"capped_steps\": %" PRIu64 ",\n", a->last.capped_steps);
    const rill_limits *limits = &a->last.limits;
    fprintf(out, "  \"full_pool_steps\": %" PRIu64 ",\n", limits->full_pool_steps);
    fprintf(out, "  \"lumps_left_out\": %" PRIu64 ",\n", limits->lumps_left_out);
    fprintf(out, "  \"slow_wave_steps\": %" PRIu64 ",\n", limits->slow_wave_steps);
    fprintf(out, "  \"falls_left_out\": %d,\n", limits->falls_left_out);
    fprintf(out, "  \"bodies\": %d,\n", a->bodies);
    write_body("held", a->holds, &a->held, out);
    write_body("thrown", a->has_thrown, &a->thrown, out);
    if (v->brush.on_ground)
        fprintf(out,
                "  \"mouse\": {\"x\": %.9g, \"y\": %.9g, \"bed\": %.9g, \"depth\": %.9g, "
                "\"velocity\": [%.9g, %.9g]}\n",
                v->brush.at[0], v->brush.at[1], (double)a->probe.base, (double)a->probe.depth,
                (double)a->probe.velocity_x, (double)a->probe.velocity_y);
    else
        fprintf(out, "  \"mouse\": null\n");
}

rill_status report_write(view *v, const char *path)
{
    char unfinished[1100];
    snprintf(unfinished, sizeof unfinished, "%s.part", path);
    sim_answer answer;
    window_point(v);
    if (!sim_ask(v->sim, v->brush.at[0], v->brush.at[1], &answer))
        return render_fail(RILL_BAD_ARGUMENT, "%s: there is no world to report about", path);
    FILE *out = fopen(unfinished, "w");
    if (out == NULL)
        return render_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    const sim_state state = sim_get_state(v->sim);
    fprintf(out, "{\n");
    write_window(v, &state, out);
    write_world(v, &answer, out);
    fprintf(out, "}\n");
    const bool complete = ferror(out) == 0;
    if (fclose(out) != 0 || !complete || rename(unfinished, path) != 0) {
        remove(unfinished);
        return render_fail(RILL_WRITE_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    }
    return RILL_OK;
}
