// SPDX-License-Identifier: MIT
// valley_plan.c - plans a valley. The course is a sine-generated curve (Langbein and Leopold 1966):
// its direction, not its offset, swings as a sine of the way along it. Two more terms make bends
// flat and lean them upstream as those of rivers do (Kinoshita 1961), and slow sines change their
// size and spacing, so that no two are alike.
#include "scene/generate/generate_internal.h"

#include <math.h>

#define FAR           1e30
#define LATTICE_PARTS 6.0  // of the reach
#define BEND_LAG      0.35 // widths downstream of a bend, where its pool lies
#define MOST_BEND     0.45 // widths per radius that count as a full bend
#define TURN          6.283185307179586
#define STEPS_A_WIDTH 16.0
#define BEYOND        4.0 // widths that the river goes on past the terrain
#define SKEW          (1.0 / 32.0)
#define FLAT          (1.0 / 192.0)
#define REACH         2.3 // widths to which the river shapes the ground
#define OLD_REACH     0.8
#define STREAM_PART   0.2 // width of the stream, of the river's
#define SIDE_REACH    5.0 // river widths to which the side valley reaches
#define STREAM_REACH  0.5

// ---- Courses ---------------------------------------------------------------------------

// Reserves `count` points. Returns false when there is no memory.
static bool create_course(const rill_allocator *allocator, int count, rl_course *out)
{
    RL_ASSERT(count >= 2);
    *out = (rl_course){.count = count, .allocator = allocator};
    out->bytes = 4 * (size_t)count * sizeof(double);
    out->x = rill_alloc(allocator, out->bytes);
    if (out->x == NULL)
        return false;
    out->y = out->x + count;
    out->s = out->y + count;
    out->bend = out->s + count;
    return true;
}

static void destroy_course(rl_course *course)
{
    rill_free(course->allocator, course->x, course->bytes);
    rill_free(course->allocator, course->nearest, course->nearest_bytes);
    *course = (rl_course){0};
}

// Returns the sine of the turn from the stretch around `a` to that around `b`.
static double turn(const rl_course *c, int a, int b)
{
    RL_ASSERT(a >= 0 && b < c->count);
    const int a0 = a > 0 ? a - 1 : 0, b1 = b + 1 < c->count ? b + 1 : c->count - 1;
    const double ax = c->x[a] - c->x[a0], ay = c->y[a] - c->y[a0];
    const double bx = c->x[b1] - c->x[b], by = c->y[b1] - c->y[b];
    const double lengths = sqrt((ax * ax + ay * ay) * (bx * bx + by * by));
    return lengths > 0.0 ? (ax * by - ay * bx) / lengths : 0.0;
}

// Finds s and bend from x and y. `width` is that of the river: bends are felt over as much.
static void measure(rl_course *course, double width)
{
    for (int n = 1; n < course->count; n++) {
        const double dx = course->x[n] - course->x[n - 1], dy = course->y[n] - course->y[n - 1];
        course->s[n] = course->s[n - 1] + sqrt(dx * dx + dy * dy);
    }
    const double step = course->s[course->count - 1] / (course->count - 1);
    const int half = (int)(0.5 * width / step) + 1, lag = (int)(BEND_LAG * width / step);
    for (int n = 0; n < course->count; n++) {
        const int last = course->count - 1;
        const int a = (int)rl_clamp_double(n - lag - half, 0, last),
                  b = (int)rl_clamp_double(n - lag + half, 0, last);
        const double along = course->s[b] - course->s[a];
        const double bend = along > 0.0 ? turn(course, a, b) * width / along : 0.0;
        course->bend[n] = rl_clamp_double(bend / MOST_BEND, -1.0, 1.0);
    }
}

// ---- Places beside a course -----------------------------------------------------------

static double square_distance(const rl_course *c, int n, double x, double y)
{
    const double dx = x - c->x[n], dy = y - c->y[n];
    return dx * dx + dy * dy;
}

// Prepares rl_course_locate for places with 0 <= x <= width, 0 <= y <= height that are up to
// `reach` from the line. Returns false when there is no memory.
static bool index_places(rl_course *course, double width, double height, double reach)
{
    course->reach = reach;
    course->lattice = reach / LATTICE_PARTS;
    const double longest = width > height ? width : height;
    if (course->lattice < longest / 256.0) // enough to start from
        course->lattice = longest / 256.0;
    course->lattice_nx = (int)(width / course->lattice) + 2;
    course->lattice_ny = (int)(height / course->lattice) + 2;
    course->nearest_bytes =
        (size_t)course->lattice_nx * (size_t)course->lattice_ny * sizeof *course->nearest;
    course->nearest = rill_alloc(course->allocator, course->nearest_bytes);
    if (course->nearest == NULL)
        return false;
    const double far = reach + 1.5 * course->lattice;
    for (int j = 0; j < course->lattice_ny; j++)
        for (int i = 0; i < course->lattice_nx; i++) {
            double least = far * far;
            int nearest = -1;
            for (int n = 0; n < course->count; n++) {
                const double d =
                    square_distance(course, n, i * course->lattice, j * course->lattice);
                if (d < least) {
                    least = d;
                    nearest = n;
                }
            }
            course->nearest[j * course->lattice_nx + i] = nearest;
        }
    return true;
}

// Walks along the line as long as it comes nearer.
static int walk(const rl_course *c, int from, double x, double y, double *least)
{
    *least = square_distance(c, from, x, y);
    for (int turn_to = -1; turn_to <= 1; turn_to += 2)
        for (int n = from + turn_to; n >= 0 && n < c->count; n += turn_to) {
            const double d = square_distance(c, n, x, y);
            if (d >= *least)
                break;
            *least = d;
            from = n;
        }
    return from;
}

// Finds the foot on the stretch from point n to n + 1.
static void drop(const rl_course *c, int n, double x, double y, double *least,
                 rl_course_place *place)
{
    if (n < 0 || n + 1 >= c->count)
        return;
    const double tx = c->x[n + 1] - c->x[n], ty = c->y[n + 1] - c->y[n];
    const double px = x - c->x[n], py = y - c->y[n];
    const double part = rl_clamp_double((px * tx + py * ty) / (tx * tx + ty * ty), 0.0, 1.0);
    const double dx = px - part * tx, dy = py - part * ty, d = dx * dx + dy * dy;
    if (d >= *least)
        return;
    *least = d;
    place->distance = tx * dy - ty * dx >= 0.0 ? sqrt(d) : -sqrt(d);
    place->s = c->s[n] + part * (c->s[n + 1] - c->s[n]);
    place->bend = c->bend[n] + part * (c->bend[n + 1] - c->bend[n]);
}

rl_course_place rl_course_locate(const rl_course *course, double x, double y)
{
    RL_ASSERT(course->count >= 2);
    rl_course_place place = {.distance = FAR};
    const int i = (int)rl_clamp_double(x / course->lattice, 0.0, course->lattice_nx - 2);
    const int j = (int)rl_clamp_double(y / course->lattice, 0.0, course->lattice_ny - 2);
    double least = FAR;
    int best = -1;
    for (int k = 0; k < 4; k++) {
        const int start = course->nearest[(j + k / 2) * course->lattice_nx + i + k % 2];
        double d;
        if (start < 0)
            continue;
        const int n = walk(course, start, x, y, &d);
        if (d < least) {
            least = d;
            best = n;
        }
    }
    if (best < 0 || least > course->reach * course->reach)
        return place;
    least = FAR;
    drop(course, best - 1, x, y, &least, &place);
    drop(course, best, x, y, &least, &place);
    return place;
}

// ---- Course of the river ---------------------------------------------------------------

typedef struct swing {
    double omega;     // largest angle from the valley's direction, radians
    double length;    // of a wave along the river, metres
    double phases[5]; // turns
} swing;

static double direction_at(const swing *w, double s)
{
    const double t = s / w->length;
    const double phase = t + 0.07 * rill_sine_of_turns(t / 2.62 + w->phases[0]) + w->phases[1];
    const double omega = w->omega * (1.0 + 0.16 * rill_sine_of_turns(t / 3.17 + w->phases[2]) +
                                     0.08 * rill_sine_of_turns(t / 1.71 + w->phases[3]));
    const double lean = SKEW * rill_sine_of_turns(3.0 * phase + 0.25);
    const double flat = FLAT * rill_sine_of_turns(3.0 * phase);
    return omega * rill_sine_of_turns(phase) + omega * omega * omega * (lean - flat);
}

static double cosine(double angle)
{
    return rill_sine_of_turns(angle / TURN + 0.25);
}

static double sine(double angle)
{
    return rill_sine_of_turns(angle / TURN);
}

// Computes half the width of the belt and the length of a wave along the valley, both for waves of
// length 1 along the river.
static void measure_wave(double omega, double *amplitude, double *length)
{
    const int steps = 128;
    double across = 0.0, along = 0.0;
    for (int n = 0; n < steps; n++) {
        const double angle = omega * rill_sine_of_turns((n + 0.5) / (2.0 * steps)); // half a wave
        across += sine(angle) / (2.0 * steps);
        along += cosine(angle) / (2.0 * steps);
    }
    *amplitude = 0.5 * across;
    *length = 2.0 * along;
}

static swing swing_of(const rill_valley_def *def, uint64_t kind)
{
    const double wave = def->wavelength > 0.0 ? def->wavelength : 12.5 * def->width;
    double low = 0.0, high = 1.9, amplitude = 0.0, length = 1.0;
    for (int n = 0; n < 40; n++) {
        const double middle = 0.5 * (low + high);
        measure_wave(middle, &amplitude, &length);
        if (amplitude * wave < def->amplitude * length)
            low = middle;
        else
            high = middle;
    }
    swing w = {.omega = low, .length = wave / length};
    for (int n = 0; n < 5; n++)
        w.phases[n] = (double)rill_random_unit(def->seed, kind, (uint64_t)n);
    return w;
}

double rl_valley_axis(const rl_valley_plan *plan, double y)
{
    const double t = y / plan->width_y;
    const double p = (double)rill_random_unit(plan->def.seed, 3, 0);
    const double q = (double)rill_random_unit(plan->def.seed, 3, 1);
    return plan->width_x * (0.5 + 0.030 * rill_sine_of_turns(0.9 * t + p) +
                            0.014 * rill_sine_of_turns(2.1 * t + q));
}

// Lays the course from past the northern border down to past the southern one. The first of two
// rounds counts.
static bool lay_river(rl_valley_plan *plan, uint64_t kind, rl_course *out)
{
    const double width = plan->def.width, step = width / STEPS_A_WIDTH;
    const swing w = swing_of(&plan->def, kind);
    const int most = 16 * (int)((plan->width_y + 2.0 * BEYOND * width) / step);
    int count = 0;
    for (int round = 0; round < 2; round++) {
        if (round == 1 && !create_course(plan->allocator, count, out))
            return false;
        double x = 0.0, y = plan->width_y + BEYOND * width, mean = 0.0;
        for (count = 0; y > -BEYOND * width && count < most; count++) {
            if (round == 1) {
                out->x[count] = x;
                out->y[count] = y;
            }
            mean += x;
            const double angle = direction_at(&w, step * count);
            x += step * sine(angle);
            y -= step * cosine(angle);
        }
        for (int n = 0; n < count && round == 1; n++)
            out->x[n] += rl_valley_axis(plan, out->y[n]) - mean / count;
    }
    measure(out, width);
    return true;
}

// ---- Levels ----------------------------------------------------------------------------

static void find_end(rl_valley_plan *plan)
{
    const rl_course *river = &plan->river;
    plan->end_s = river->s[river->count - 1];
    for (int n = river->count - 1; n >= 0 && river->y[n] <= 0.0; n--)
        plan->end_s = river->s[n];
}

// The floor far from the river falls with the valley: the mean level of the river over a wave to
// either side, which no single bend can show in.
static void even_out_levels(rl_valley_plan *plan)
{
    const rl_course *river = &plan->river;
    const double reach = plan->def.wavelength > 0.0 ? plan->def.wavelength : 12.5 * plan->def.width;
    const int last = river->count - 1;
    const double slope = (rl_valley_level(plan, 0.0) - rl_valley_level(plan, river->s[last])) /
                         (river->y[0] - river->y[last]);
    for (int k = 0; k < RL_VALLEY_LEVELS; k++) {
        const double y = plan->width_y * k / (RL_VALLEY_LEVELS - 1);
        double sum = 0.0, weights = 1e-9;
        for (int n = 0; n <= last; n++) {
            const double part = fabs(river->y[n] - y) / reach;
            const double weight = part < 1.0 ? (1.0 - part) * (1.0 - part) : 0.0;
            sum += weight * (rl_valley_level(plan, river->s[n]) + slope * (y - river->y[n]));
            weights += weight;
        }
        plan->levels[k] = sum / weights;
    }
}

// ---- Stream ----------------------------------------------------------------------------

// It joins at the bend that reaches furthest towards it in the middle of the terrain.
static int find_mouth(const rl_valley_plan *plan)
{
    RL_ASSERT(plan->river.count > 0);
    int mouth = plan->river.count / 2;
    double furthest = -1e30;
    for (int n = 0; n < plan->river.count; n++) {
        const double y = plan->river.y[n] / plan->width_y;
        const double east = plan->river.x[n] - rl_valley_axis(plan, plan->river.y[n]);
        if (y > 0.3 && y < 0.62 && east > furthest) {
            furthest = east;
            mouth = n;
        }
    }
    return mouth;
}

// Downstream too, from the eastern border to the middle of the river; `swing` is how far, in
// widths, the line swings within the side valley.
static bool lay_side_line(rl_valley_plan *plan, int mouth, double swing_by, double reach,
                          rl_course *out)
{
    const double width = plan->def.width, x0 = plan->river.x[mouth], y0 = plan->river.y[mouth];
    const double length = plan->width_x + 2.0 * width - x0;
    const int count = (int)(STEPS_A_WIDTH * length / width) + 2;
    const double p = (double)rill_random_unit(plan->def.seed, 4, 0);
    const double q = (double)rill_random_unit(plan->def.seed, 4, 1);
    if (!create_course(plan->allocator, count, out))
        return false;
    for (int n = 0; n < count; n++) {
        const double way = length * (count - 1 - n) / (count - 1), t = way / width;
        const double away = t / (t + 3.0); // it meets the river at its middle
        const double sway = 1.0 * rill_sine_of_turns(t / 14.0 + q) +
                            swing_by * (rill_sine_of_turns(t / 2.9 + p) +
                                        0.6 * rill_sine_of_turns(t / 1.9 + 2.0 * q));
        out->x[n] = x0 + way;
        out->y[n] = y0 + 0.16 * way + width * away * sway;
    }
    measure(out, STREAM_PART * width);
    return index_places(out, plan->width_x, plan->width_y, reach * width);
}

static bool lay_stream(rl_valley_plan *plan)
{
    const int mouth = find_mouth(plan);
    plan->stream_width = STREAM_PART * plan->def.width;
    plan->mouth_level = rl_valley_level(plan, plan->river.s[mouth]);
    return lay_side_line(plan, mouth, 0.0, SIDE_REACH, &plan->side) &&
           lay_side_line(plan, mouth, 0.22, STREAM_REACH, &plan->stream);
}

// ---- Rocks and islands -----------------------------------------------------------------

// Stretches without a bend, where rapids and islands can lie: the n-th is found from a random
// number, among those in the terrain.
static double straight_stretch(const rl_valley_plan *plan, uint64_t kind, uint64_t n)
{
    const rl_course *river = &plan->river;
    double best = 0.5 * plan->end_s, least = 1e30;
    for (uint64_t attempt = 0; attempt < 24; attempt++) {
        const double part =
            0.03 + 0.94 * (double)rill_random_unit(plan->def.seed, kind, 64 * n + attempt);
        const int at = (int)(part * (river->count - 1));
        const double bend = fabs(river->bend[at]);
        if (river->y[at] > 0.0 && river->y[at] < plan->width_y && bend < least) {
            least = bend;
            best = river->s[at];
        }
        if (least < 0.12)
            break;
    }
    return best;
}

// A rock of a group of a few, scattered around the middle of its rapid.
static rl_valley_rock make_rock(const rl_valley_plan *plan, int n, double *s)
{
    const rl_course *river = &plan->river;
    const double width = plan->def.width;
    double r[4];
    for (int k = 0; k < 4; k++)
        r[k] = (double)rill_random_unit(plan->def.seed, 6, (uint64_t)(4 * n + k));
    *s = straight_stretch(plan, 5, (uint64_t)(n / 8)) + width * (1.6 * r[0] - 0.8);
    int at = 0;
    while (at + 2 < river->count && river->s[at + 1] < *s)
        at++;
    const double tx = river->x[at + 1] - river->x[at], ty = river->y[at + 1] - river->y[at];
    const double length = sqrt(tx * tx + ty * ty), side = 0.76 * width * (r[1] - 0.5);
    return (rl_valley_rock){.x = river->x[at] - side * ty / length,
                            .y = river->y[at] + side * tx / length,
                            .radius = width * (0.045 + 0.04 * r[2]),
                            .top = plan->def.depth * (0.25 * r[3] - 0.05)};
}

static int bin_of(const rl_valley_plan *plan, double s)
{
    const int bin = (int)(s / (RL_VALLEY_BIN * plan->def.width));
    return bin < 0 ? 0 : bin >= plan->bins ? plan->bins - 1 : bin;
}

// Counts rocks into bins along the river, so that a place has few of them to test.
static void lay_rocks(rl_valley_plan *plan)
{
    double s;
    for (int n = 0; n < plan->def.rocks; n++) {
        make_rock(plan, n, &s);
        plan->rock_bins[bin_of(plan, s) + 1]++;
    }
    for (int k = 0; k < plan->bins; k++)
        plan->rock_bins[k + 1] += plan->rock_bins[k];
    for (int n = 0; n < plan->def.rocks; n++) {
        const rl_valley_rock rock = make_rock(plan, n, &s);
        plan->rocks[--plan->rock_bins[bin_of(plan, s) + 1]] = rock;
    }
    // Each entry now holds the first rock of the bin before it: move them back by one.
    for (int k = 0; k < plan->bins; k++)
        plan->rock_bins[k] = plan->rock_bins[k + 1];
    plan->rock_bins[plan->bins] = plan->def.rocks;
}

static bool lay_details(rl_valley_plan *plan)
{
    const rl_course *river = &plan->river;
    plan->bins = (int)(river->s[river->count - 1] / (RL_VALLEY_BIN * plan->def.width)) + 1;
    plan->bytes = (size_t)plan->def.rocks * sizeof *plan->rocks +
                  (size_t)plan->def.islands * sizeof *plan->island_s +
                  ((size_t)plan->bins + 1) * sizeof *plan->rock_bins;
    plan->rocks = rill_alloc(plan->allocator, plan->bytes);
    if (plan->rocks == NULL)
        return false;
    plan->island_s = (double *)(plan->rocks + plan->def.rocks);
    plan->rock_bins = (int *)(plan->island_s + plan->def.islands);
    lay_rocks(plan);
    for (int n = 0; n < plan->def.islands; n++)
        plan->island_s[n] = straight_stretch(plan, 7, (uint64_t)n);
    return true;
}

// ---- Interface -------------------------------------------------------------------------

rill_status rl_valley_plan_make(const rill_valley_def *def, const rill_allocator *allocator,
                                rl_valley_plan *out)
{
    RL_ASSERT(def->width > 0.0 && def->depth > 0.0);
    *out = (rl_valley_plan){.def = *def, .allocator = allocator};
    out->width_x = def->nx * def->cell_size;
    out->width_y = def->ny * def->cell_size;
    out->seed = (uint32_t)rill_random_bits(def->seed, 2, 0);
    out->has_stream = def->branch > 0.0;
    bool good = lay_river(out, 0, &out->river) && lay_river(out, 1, &out->old);
    if (good) {
        find_end(out);
        even_out_levels(out);
    }
    good = good && index_places(&out->river, out->width_x, out->width_y, REACH * def->width) &&
           index_places(&out->old, out->width_x, out->width_y, OLD_REACH * def->width) &&
           lay_details(out) && (!out->has_stream || lay_stream(out));
    if (good)
        return RILL_OK;
    rl_valley_plan_destroy(out);
    return rill_fail(RILL_NO_MEMORY, "no memory to generate a valley");
}

void rl_valley_plan_destroy(rl_valley_plan *plan)
{
    destroy_course(&plan->river);
    destroy_course(&plan->old);
    destroy_course(&plan->side);
    destroy_course(&plan->stream);
    rill_free(plan->allocator, plan->rocks, plan->bytes);
    *plan = (rl_valley_plan){0};
}
