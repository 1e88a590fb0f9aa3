// SPDX-License-Identifier: MIT
// bench_render.c - measures pictures. Two sets of frame data one frame apart take turns, so that
// every picture uploads and every one moves the detail on the water.
//
// All drawing is done in child processes, two a row. One draws with the driver as it is. The other
// asks Mesa for the driver that throws all work away (GALLIUM_NOOP): what is left is what the
// processor does for the calls of OpenGL. A driver that draws in software runs the shaders within
// those calls, so that their time would say nothing about a machine with a graphics card. Uploads
// are taken from the first, which does not skip their copies. Drivers of others do not know the
// variable; their calls are measured as they are. It must be set before anything touches OpenGL,
// hence the processes; and a driver that crashes does not take the table with it.
#include "bench/bench_render.h"

#include "bench/machine.h"

#include "render/output/headless.h"
#include "render/render_error.h"

#include "rill/scene.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PICTURES       10 // the best of them counts
#define WARM_UP        3
#define WORLD_FRAMES   20 // timed together,
#define WORLD_REPEATS  5  // so often
#define PAPER          "Chentanez and Müller Table 2, Total, GTX 480"
#define ROOFLINE_BYTES 28.0 // moved for a cell, bench/roofline.c

// Water everywhere, with waves that cross each other over an uneven bed.
static const char sea[] = "duration = 20.0\n"
                          "[world]\n"
                          "nx = 512\n"
                          "ny = 512\n"
                          "cell_size = 1.0\n"
                          "[[terrain.shape]]\n"
                          "kind = 'ripple'\n"
                          "amplitude = 1.5\n"
                          "wavelength_x = 170.0\n"
                          "wavelength_y = 130.0\n"
                          "[water]\n"
                          "level = 5.0\n"
                          "[[water.block]]\n"
                          "x0 = 60.0\n"
                          "y0 = 60.0\n"
                          "x1 = 140.0\n"
                          "y1 = 180.0\n"
                          "level = 8.0\n"
                          "[[water.block]]\n"
                          "x0 = 330.0\n"
                          "y0 = 200.0\n"
                          "x1 = 420.0\n"
                          "y1 = 260.0\n"
                          "level = 7.0\n"
                          "[view]\n"
                          "liquid = 'sea'\n"
                          "ground = 'sand'\n"
                          "[[view.camera]]\n"
                          "position = [256.0, -60.0, 90.0]\n"
                          "target = [256.0, 200.0, 0.0]\n"
                          "field_of_view = 50.0\n";

const bench_picture_case bench_picture_cases[] = {
    {"render-spring-720p", "spring", 60.0, 1280, 720, 0.0},
    {"render-sea-720p", sea, 20.0, 1280, 720, 0.0},
    {"render-bowl-360p", "bowl", 3.0, 640, 360, 0.0},
    {"total-paper-boat", "paper-boat", 30.0, 1280, 720, 18.05},
    {"total-paper-waterfall", "paper-waterfall", 15.0, 1280, 720, 7.97},
    {"total-paper-pml", "paper-pml", 10.0, 1280, 720, 3.78},
    {"total-paper-beach", "paper-beach", 20.0, 1280, 720, 9.88},
    {"total-paper-ocean", "paper-ocean", 15.0, 1280, 720, 13.13},
};
const int bench_picture_case_count =
    (int)(sizeof bench_picture_cases / sizeof bench_picture_cases[0]);

// ---- The world -------------------------------------------------------------------------

// What the pictures show; it outlives the world.
typedef struct subject {
    rill_scene *scene;
    rill_scene_info info;
    frame_data *frames[2]; // one frame apart
} subject;

static rill_status open_scene(const bench_picture_case *c, rill_scene **out)
{
    const bool text = strchr(c->scene, '\n') != NULL;
    const rill_status status =
        text ? rill_scene_parse(c->name, c->scene, strlen(c->scene), NULL, NULL, 0, NULL, out)
             : rill_scene_open(c->scene, NULL, 0, NULL, out);
    return status == RILL_OK ? RILL_OK : render_fail_from_rill(status);
}

static rill_status play(rill_world *world, double frame, double until)
{
    rill_status status = RILL_OK;
    while (status == RILL_OK && rill_world_time(world) < until - 0.5 * frame)
        status = rill_world_step(world, frame);
    return status == RILL_OK ? RILL_OK : render_fail_from_rill(status);
}

// Times the frames of a world that goes on: the best mean of several runs.
static rill_status time_world(rill_world *world, double frame, double *ms)
{
    rill_status status = RILL_OK;
    *ms = 1e30;
    for (int repeat = 0; repeat < WORLD_REPEATS && status == RILL_OK; repeat++) {
        const double start = bench_now();
        status = play(world, frame, rill_world_time(world) + WORLD_FRAMES * frame);
        const double taken = 1e3 * (bench_now() - start) / WORLD_FRAMES;
        *ms = taken < *ms ? taken : *ms;
    }
    return status;
}

// Fills both sets of frame data, the second several times for the clock.
static rill_status fill_frames(rill_world *world, subject *s, double *ms)
{
    frame_capture *capture = NULL;
    rill_status status = frame_capture_create(world, NULL, &capture);
    for (int k = 0; k < 2 && status == RILL_OK; k++) {
        status = frame_data_create(capture, &s->frames[k]);
        if (status == RILL_OK && k == 1)
            status = play(world, s->info.frame, rill_world_time(world) + s->info.frame);
        *ms = 1e30;
        for (int repeat = 0; repeat < PICTURES && status == RILL_OK; repeat++) {
            const double start = bench_now();
            status = frame_data_fill(capture, world, s->frames[k]);
            const double taken = 1e3 * (bench_now() - start);
            *ms = taken < *ms ? taken : *ms;
        }
    }
    frame_capture_destroy(&capture);
    return status;
}

static rill_status make_subject(const bench_picture_case *c, subject *s, bench_picture *p)
{
    *s = (subject){0};
    rill_status status = open_scene(c, &s->scene);
    if (status != RILL_OK)
        return status;
    s->info = rill_scene_describe(s->scene);
    rill_world *world = NULL;
    status = rill_scene_create_world(s->scene, bench_processors(), &world);
    status =
        status == RILL_OK ? play(world, s->info.frame, c->time) : render_fail_from_rill(status);
    if (status == RILL_OK && c->paper_ms > 0.0)
        status = time_world(world, s->info.frame, &p->ms_world);
    if (status == RILL_OK)
        status = fill_frames(world, s, &p->ms_still);
    rill_world_destroy(&world); // and with it its threads, so that this process may fork
    return status;
}

static void drop_subject(subject *s)
{
    frame_data_destroy(&s->frames[0]);
    frame_data_destroy(&s->frames[1]);
    rill_scene_destroy(&s->scene);
}

// ---- Drawing ---------------------------------------------------------------------------

// What a child process sends back.
typedef struct figures {
    rill_status status;
    char sentence[400], device[128];
    double frame, calls, pass[PASS_COUNT]; // milliseconds
} figures;

typedef struct easel {
    const subject *shown;
    renderer *r;
    shot s;
    double time;
    int drawn;
} easel;

// Uploads the other frame data, as the next frame of a run, and draws them.
static double draw_next(easel *e)
{
    frame_data next = *e->shown->frames[e->drawn % 2];
    next.time = e->time + e->drawn * e->shown->info.frame;
    uint8_t pixel[3];
    const double start = bench_now();
    renderer_upload(e->r, &next, e->drawn == 0);
    renderer_draw(e->r, &e->s);
    canvas_read(e->s.target, 1, 1, pixel); // waits until it is done
    e->drawn++;
    return 1e3 * (bench_now() - start);
}

static void keep_least(double *least, double value)
{
    *least = value < *least ? value : *least;
}

static void measure_pictures(easel *e, figures *f)
{
    f->frame = f->calls = 1e30;
    for (int pass = 0; pass < PASS_COUNT; pass++)
        f->pass[pass] = 1e30;
    for (int waiting = 0; waiting < 2; waiting++) {
        renderer_measure(e->r, waiting == 1);
        for (int n = 0; n < WARM_UP + PICTURES; n++) {
            const double taken = draw_next(e);
            const render_times times = renderer_times(e->r);
            if (n < WARM_UP)
                continue;
            if (waiting == 0) {
                keep_least(&f->frame, taken);
                keep_least(&f->calls, times.calls);
            } else {
                for (int pass = 0; pass < PASS_COUNT; pass++)
                    keep_least(&f->pass[pass], times.pass[pass]);
            }
        }
    }
}

static rill_status draw(const bench_picture_case *c, const subject *shown, figures *f)
{
    headless *context = NULL;
    renderer *r = NULL;
    canvas *target = NULL;
    const rill_view view = rill_scene_view(shown->scene);
    const rill_scene_info *info = &shown->info;
    rill_status status = headless_create(&context);
    if (status == RILL_OK)
        status =
            renderer_create(&(renderer_def){info->nx, info->ny, (float)info->cell_size, view}, &r);
    if (status == RILL_OK)
        status = canvas_create(c->width, c->height, &target);
    if (status == RILL_OK) {
        easel e = {.shown = shown, .r = r, .s = renderer_default_shot(r), .time = c->time};
        if (view.camera_count > 0)
            e.s.camera = camera_on_path(view.camera, view.camera_count, c->time);
        e.s.width = c->width;
        e.s.height = c->height;
        e.s.target = canvas_framebuffer(target);
        snprintf(f->device, sizeof f->device, "%s", renderer_device(r));
        measure_pictures(&e, f);
    }
    canvas_destroy(&target);
    renderer_destroy(&r);
    headless_destroy(&context);
    return status;
}

static void write_all(int file, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes > 0) {
        const ssize_t written = write(file, at, bytes);
        if (written <= 0)
            return;
        at += written;
        bytes -= (size_t)written;
    }
}

static bool read_all(int file, void *to, size_t bytes)
{
    char *at = to;
    while (bytes > 0) {
        const ssize_t got = read(file, at, bytes);
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

// Draws in a process of its own; `nothing` asks Mesa to throw the work away.
static rill_status draw_apart(const bench_picture_case *c, const subject *shown, bool nothing,
                              figures *f)
{
    int ends[2];
    if (pipe(ends) != 0)
        return render_fail(RILL_NO_MEMORY, "the system refuses a pipe");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        *f = (figures){0};
        if (nothing)
            setenv("GALLIUM_NOOP", "1", 1);
        f->status = draw(c, shown, f);
        snprintf(f->sentence, sizeof f->sentence, "%s", render_error_text());
        write_all(ends[1], f, sizeof *f);
        _exit(0);
    }
    close(ends[1]);
    const bool answered = child > 0 && read_all(ends[0], f, sizeof *f);
    close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child < 0)
        return render_fail(RILL_NO_MEMORY, "the system refuses to start a process");
    if (!answered)
        return render_fail(RILL_DEVICE, "the graphics driver crashed");
    return f->status == RILL_OK ? RILL_OK : render_fail(f->status, "%s", f->sentence);
}

static size_t upload_bytes(const frame_data *s)
{
    return s->vertex_count * sizeof *s->vertices + s->index_count * sizeof *s->indices +
           (size_t)s->nx * (size_t)s->ny * sizeof *s->columns;
}

// Of the processor, a picture: `thrown_away` are the figures of the second child.
static double calls_of(const figures *whole, const figures *thrown_away)
{
    if (strcmp(thrown_away->device, "NOOP") != 0)
        return thrown_away->calls;
    double calls = whole->pass[PASS_UPLOAD];
    for (int pass = PASS_UPLOAD + 1; pass < PASS_COUNT; pass++)
        calls += thrown_away->pass[pass];
    return calls;
}

rill_status bench_picture_measure(const bench_picture_case *c, bench_picture *p)
{
    *p = (bench_picture){.c = c, .pictures = PICTURES};
    subject shown;
    rill_status status = make_subject(c, &shown, p);
    figures whole = {0}, thrown_away = {0};
    if (status == RILL_OK)
        status = draw_apart(c, &shown, false, &whole);
    if (status == RILL_OK)
        status = draw_apart(c, &shown, true, &thrown_away);
    if (status == RILL_OK) {
        snprintf(p->solver, sizeof p->solver, "%s", shown.info.solver);
        memcpy(p->device, whole.device, sizeof p->device);
        p->nx = shown.info.nx;
        p->ny = shown.info.ny;
        p->ms_per_frame = whole.frame;
        memcpy(p->ms_pass, whole.pass, sizeof p->ms_pass);
        p->triangles = shown.frames[1]->index_count / 3;
        p->bytes = upload_bytes(shown.frames[1]);
        p->ms_calls = calls_of(&whole, &thrown_away);
    }
    drop_subject(&shown);
    return status;
}

// ---- Printing --------------------------------------------------------------------------

// A copy reads and writes each byte, as the roofline counts.
static double copied_gigabytes(const bench_picture *p)
{
    return 2e-6 * (double)p->bytes / p->ms_pass[PASS_UPLOAD];
}

// Of a whole frame: nothing of it overlaps.
static double total_of(const bench_picture *p)
{
    return p->c->paper_ms > 0.0 ? p->ms_world + p->ms_still + p->ms_per_frame : p->ms_per_frame;
}

static double mcell_per_s(const bench_picture *p)
{
    return (double)p->nx * p->ny / total_of(p) / 1e3;
}

static double fraction(const bench_picture *p, double roofline)
{
    return roofline > 0.0 ? copied_gigabytes(p) / (1e-3 * ROOFLINE_BYTES * roofline) : 0.0;
}

void bench_picture_print_json(FILE *out, const bench_picture *p, double roofline)
{
    fprintf(out,
            "{\"name\": \"%s\", \"solver\": \"%s\", \"backend\": \"opengl\", \"grid\": "
            "\"%dx%d\", \"layers\": 1, \"threads\": 1, \"steps\": %d, \"ms_per_step\": %.6g, "
            "\"ms_per_frame\": %.6g, \"mcell_per_s\": %.6g, \"bytes_per_cell\": %.4g, "
            "\"roofline_fraction\": %.4g, ",
            p->c->name, p->solver, p->nx, p->ny, p->pictures, total_of(p), total_of(p),
            mcell_per_s(p), (double)p->bytes / ((double)p->nx * p->ny), fraction(p, roofline));
    if (p->c->paper_ms > 0.0)
        fprintf(out, "\"paper\": \"%s\", \"paper_ms\": %g, \"ms_world\": %.6g, ", PAPER,
                p->c->paper_ms, p->ms_world);
    else
        fprintf(out, "\"paper\": null, \"paper_ms\": null, ");
    fprintf(out, "\"size\": \"%dx%d\", \"fps\": %.4g, ", p->c->width, p->c->height,
            1e3 / p->ms_per_frame);
    for (int pass = 0; pass < PASS_COUNT; pass++)
        fprintf(out, "\"ms_%s\": %.6g, ", render_pass_name((render_pass)pass), p->ms_pass[pass]);
    fprintf(out,
            "\"ms_calls\": %.6g, \"ms_still\": %.6g, \"triangles\": %zu, "
            "\"bytes\": %zu, \"device\": \"",
            p->ms_calls, p->ms_still, p->triangles, p->bytes);
    for (const char *at = p->device; *at != '\0'; at++)
        if (*at != '"' && *at != '\\' && (unsigned char)*at >= ' ')
            fputc(*at, out);
    fprintf(out, "\"}");
}

void bench_picture_print(FILE *out, const bench_picture *p, double roofline)
{
    char paper[64] = "";
    if (p->c->paper_ms > 0.0)
        snprintf(paper, sizeof paper, " %8.2f ms %6.2fx", p->c->paper_ms,
                 p->c->paper_ms / total_of(p));
    fprintf(out, "%-24s %5dx%-5d %3d %10.3f %10.3f %9.0f %8.0f%%%s\n", p->c->name, p->nx, p->ny, 1,
            total_of(p), total_of(p), mcell_per_s(p), 100.0 * fraction(p, roofline), paper);
    if (p->c->paper_ms > 0.0)
        fprintf(
            out,
            "    world %.2f ms, frame data %.2f ms, picture %.2f ms, one after the other; %.2f ms "
            "where a graphics card draws at once\n",
            p->ms_world, p->ms_still, p->ms_per_frame, p->ms_world + p->ms_still + p->ms_calls);
    double sum = 0.0;
    for (int pass = 0; pass < PASS_COUNT; pass++)
        sum += p->ms_pass[pass];
    fprintf(out, "    %.1f pictures a second of %dx%d, %zu triangles of water; %s\n   ",
            1e3 / p->ms_per_frame, p->c->width, p->c->height, p->triangles, p->device);
    for (int pass = 0; pass < PASS_COUNT; pass++)
        fprintf(out, " %s %.2f ms (%.0f%%)%s", render_pass_name((render_pass)pass),
                p->ms_pass[pass], 100.0 * p->ms_pass[pass] / sum,
                pass + 1 < PASS_COUNT ? "," : "\n");
    fprintf(out,
            "    processor: still %.2f ms; calls and copies %.2f ms, %.1f MB uploaded at %.1f GB/s "
            "(roofline %.1f)\n",
            p->ms_still, p->ms_calls, 1e-6 * (double)p->bytes, copied_gigabytes(p),
            1e-3 * ROOFLINE_BYTES * roofline);
}
