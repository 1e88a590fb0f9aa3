// SPDX-License-Identifier: MIT
// generate_valley.c - generates a river valley. The ground at a place is built up from the terrain
// to the river:
//
//     floor, old channels, terraces -> hillsides -> banks and levees -> bed, bars -> rocks
//                                                 -> side valley and its stream
//
// Only + - * / and square roots touch a number, so the bits are the same everywhere.
#include "scene/generate/generate_internal.h"

#include <math.h>

// Heights above the river when it is full to its banks, metres, for a river 9 m deep; they go with
// its depth.
#define FLOOR_HEIGHT  0.20 // depths
#define LEVEE_HEIGHT  0.14
#define OLD_DEPTH     0.26
#define BAR_HEIGHT    0.08
#define ISLAND_HEIGHT 0.22
#define RIFFLE        0.5  // depth of a riffle
#define ISLAND_LENGTH 1.5  // widths, half of it
#define ISLAND_WIDTH  0.36 // of the river's, where that is widest
#define STREAM_DEPTH  0.25

rill_valley_def rill_default_valley_def(void)
{
    return (rill_valley_def){
        .nx = 1024,
        .ny = 1024,
        .cell_size = 10.0,
        .seed = 1,
        .width = 220.0,
        .depth = 9.0,
        .fall = 0.0012,
        .amplitude = 640.0,
        .floor_width = 2900.0,
        .relief = 450.0,
        .rocks = 60,
        .bars = 1.0,
        .islands = 2,
        .branch = 60.0,
    };
}

static rill_status check_def(const rill_valley_def *def)
{
    RILL_TRY(rl_generate_check_size(def->nx, def->ny));
    if (!(def->cell_size > 0.0) || !(def->cell_size <= 1e6))
        return rill_fail(RILL_BAD_DEF, "cell_size is %g m, it must be positive, at most 1000000",
                         def->cell_size);
    const double longest = def->cell_size * (def->nx > def->ny ? def->nx : def->ny);
    const double wave = def->wavelength > 0.0 ? def->wavelength : 12.5 * def->width;
    if (!(def->width >= longest / 500.0 && def->width <= longest))
        return rill_fail(RILL_BAD_DEF, "width is %g m, it must be %g to %g for this terrain",
                         def->width, longest / 500.0, longest);
    if (!(def->wavelength == 0.0 || (def->wavelength >= 4.0 * def->width && wave <= 1e9)))
        return rill_fail(RILL_BAD_DEF, "wavelength is %g m, it must be 0 or at least 4 widths, %g",
                         def->wavelength, 4.0 * def->width);
    const struct {
        const char *name;
        double value, low, high;
        const char *unit;
    } ranges[] = {
        {"depth", def->depth, 1e-3, 1000.0, " m"},
        {"fall", def->fall, 0.0, 0.02, ""},
        {"amplitude", def->amplitude, 0.0, 0.4 * wave, " m"},
        {"floor_width", def->floor_width, 0.0, 1e9, " m"},
        {"relief", def->relief, 0.0, 10000.0, " m"},
        {"rocks", def->rocks, 0.0, 10000.0, ""},
        {"bars", def->bars, 0.0, 1.0, ""},
        {"islands", def->islands, 0.0, 100.0, ""},
        {"branch", def->branch, 0.0, 1000.0, " m"},
    };
    for (size_t n = 0; n < sizeof ranges / sizeof ranges[0]; n++)
        if (!(ranges[n].value >= ranges[n].low && ranges[n].value <= ranges[n].high))
            return rill_fail(RILL_BAD_DEF, "%s is %g%s, it must be %g to %g", ranges[n].name,
                             ranges[n].value, ranges[n].unit, ranges[n].low, ranges[n].high);
    return RILL_OK;
}

// ---- Shapes ----------------------------------------------------------------------------

// Returns 0 below `low`, 1 above `high`, an S between them.
static double step(double low, double high, double value)
{
    const double t = (value - low) / (high - low);
    return t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t);
}

static double mix(double a, double b, double part)
{
    return a + part * (b - a);
}

// Returns the lower of two values, rounded off where they differ by less than `soft`.
static double lower_of(double a, double b, double soft)
{
    const double d = a - b;
    return 0.5 * (a + b - sqrt(d * d + soft * soft));
}

static double noise(const rl_valley_plan *plan, uint32_t kind, double x, double y)
{
    return rl_noise_gradient(plan->seed + 101u * kind, x, y);
}

// ---- Terrain ---------------------------------------------------------------------------

static double evened_level(const rl_valley_plan *plan, double y)
{
    const double at = y / plan->width_y * (RL_VALLEY_LEVELS - 1);
    int k = (int)at;
    k = k < 0 ? 0 : k > RL_VALLEY_LEVELS - 2 ? RL_VALLEY_LEVELS - 2 : k;
    return mix(plan->levels[k], plan->levels[k + 1], at - k);
}

static double old_channels(const rl_valley_plan *plan, double x, double y)
{
    const double width = plan->def.width;
    const rl_course_place place = rl_course_locate(&plan->old, x, y);
    const double u = fabs(place.distance) / (0.45 * width);
    if (u >= 1.6)
        return 0.0;
    // Only parts of it are left: most of it has silted up.
    const double left = step(-0.25, 0.1, noise(plan, 1, x / (5.0 * width), y / (5.0 * width)));
    return left * (1.0 - step(0.35, 1.0, u) - 0.25 * step(0.7, 1.0, u) * (1.0 - step(1.0, 1.6, u)));
}

// Returns the floor. `away` is the distance from the edge of the floor into the hills, negative on
// the floor.
static double floor_at(const rl_valley_plan *plan, double x, double y, double away)
{
    const double width = plan->def.width, depth = plan->def.depth;
    const double rough = 0.06 * noise(plan, 2, x / width, y / width) +
                         0.03 * noise(plan, 3, 2.7 * x / width, 2.7 * y / width);
    const double fans = 0.0022 * (away + 0.5 * plan->def.floor_width);
    double z = evened_level(plan, y) + depth * (FLOOR_HEIGHT + rough) + fans;
    z -= OLD_DEPTH * depth * old_channels(plan, x, y);
    // Terraces are what is left of older, higher floors; in places the river took them away.
    const double half = 0.5 * plan->def.floor_width;
    const double left = noise(plan, 4, x / (9.0 * width), y / (9.0 * width));
    const double scarp = 0.25 * width;
    z += 0.6 * depth * step(-0.26 * half, -0.26 * half + scarp, away + 0.3 * half * left);
    z += 0.5 * depth * step(-0.10 * half, -0.10 * half + scarp, away - 0.2 * half * left);
    return z;
}

// Spurs and side valleys run down to the floor: noise that is long across the valley and short
// along it, whose zero lines are the bottoms of the side valleys. What is rough is left out there,
// so that they drain.
static double hills_at(const rl_valley_plan *plan, double x, double y, double away, double side)
{
    if (away <= 0.0 || plan->def.relief == 0.0)
        return 0.0;
    const double unit = 0.085 * plan->width_y;
    const double rise = away * away / (away * away + 1.1 * unit * unit);
    const double bent = y + 0.30 * unit * noise(plan, 5, x / (2.1 * unit), y / (2.1 * unit)) +
                        0.07 * unit * noise(plan, 6, x / (0.5 * unit), y / (0.5 * unit));
    const double lane = side > 0.0 ? 40.5 : 0.5;
    const double a = noise(plan, 7, bent / (1.3 * unit), away / (5.0 * unit) + lane);
    const double b = noise(plan, 8, (bent + 0.5 * away) / (0.6 * unit), away / (1.8 * unit) + lane);
    const double c = noise(plan, 9, (bent - 0.7 * away) / (0.3 * unit), away / (0.7 * unit) + lane);
    const double spur = step(0.0, 0.66, sqrt(a * a + 0.0004));
    const double rib = step(0.0, 0.6, sqrt(b * b + 0.0006)) * spur;
    const double gully = step(0.0, 0.6, sqrt(c * c + 0.001)) * (0.15 * spur + 0.85 * rib);
    const double rough = rl_noise_slow(plan->seed + 77u, x / (0.2 * unit), y / (0.2 * unit));
    const double broad = noise(plan, 10, x / (2.6 * unit), y / (2.6 * unit));
    const double peaks = (0.42 * spur + 0.27 * rib + 0.14 * gully) * (1.0 + 0.45 * broad);
    return plan->def.relief * rise * (0.26 + peaks + 0.03 * rough * gully);
}

static double terrain_at(const rl_valley_plan *plan, double x, double y)
{
    const double width = plan->def.width, from_axis = x - rl_valley_axis(plan, y);
    const double wiggle = 0.55 * noise(plan, 11, x / (4.0 * width), y / (4.0 * width)) +
                          0.2 * noise(plan, 12, x / (1.3 * width), y / (1.3 * width));
    const double away = fabs(from_axis) - 0.5 * plan->def.floor_width + width * wiggle;
    return floor_at(plan, x, y, away) + hills_at(plan, x, y, away, from_axis);
}

// ---- River -----------------------------------------------------------------------------

// Returns how much of an island there is at s along the river: widens it, and lies in its middle.
static double island_at(const rl_valley_plan *plan, double s, double *along)
{
    double most = 0.0;
    *along = 2.0;
    for (int n = 0; n < plan->def.islands; n++) {
        const double t = fabs(s - plan->island_s[n]) / (ISLAND_LENGTH * plan->def.width);
        const double wider = 1.0 - step(0.5, 2.2, t);
        if (wider > most) {
            most = wider;
            *along = t;
        }
    }
    return most;
}

static double half_width_at(const rl_valley_plan *plan, double s, double wider)
{
    const double vary = 0.09 * noise(plan, 13, s / (3.1 * plan->def.width), 0.5);
    return 0.5 * plan->def.width * (1.0 + vary + 0.5 * wider);
}

// Returns bank and levee; `out` is the distance from the water's edge, `rough` of the floor in
// depths.
static double bank_at(const rl_valley_plan *plan, const rl_course_place *place, double level,
                      double out, double rough)
{
    const double width = plan->def.width, depth = plan->def.depth;
    const double inner = place->distance * place->bend > 0.0 ? fabs(place->bend) : 0.0;
    const double slope = width * (0.07 + 0.28 * inner);
    const double floor = depth * (FLOOR_HEIGHT + rough);
    const double levee =
        depth * LEVEE_HEIGHT * (1.0 - 0.5 * inner) * (1.0 - step(0.15 * width, 0.9 * width, out));
    return level + (floor + levee) * step(0.0, slope, out);
}

// Returns the depth of the water. u is the place across, -1 at the right bank to 1 at the left one.
// The deepest line swings to the outer bank in bends; halves of parabolas to either side of it.
static double water_at(const rl_valley_plan *plan, const rl_course_place *place, double u)
{
    const double bend = place->bend, depth = plan->def.depth;
    const double strong = fabs(bend) * 1.35 < 1.0 ? fabs(bend) * 1.35 : 1.0;
    const double deepest = depth * mix(RIFFLE, 1.0, strong * (2.0 - strong));
    const double line = -0.52 * bend;
    const double k = u > line ? (u - line) / (1.0 - line) : (line - u) / (1.0 + line);
    const bool inner = (u - line) * bend > 0.0;
    const double parabola = 1.0 - k * k, steep = 1.0 - k * k * k * k;
    const double shape =
        mix(0.5 * (parabola + steep),
            inner ? parabola * sqrt(parabola > 0.0 ? parabola : 0.0) : steep, strong);
    const double width = plan->def.width;
    const double ripple = noise(plan, 14, place->s / (0.8 * width), 1.6 * u) +
                          0.6 * noise(plan, 15, place->s / (0.33 * width), 3.1 * u);
    return deepest * (shape > 0.0 ? shape : 0.0) * (1.0 + 0.10 * ripple);
}

// Returns sand against the inner bank, about as high as the water: some of it dry.
static double bar_at(const rl_valley_plan *plan, const rl_course_place *place, double u)
{
    const double inner = place->bend > 0.0 ? u : -u, strong = fabs(place->bend);
    const double across = step(0.12, 0.62, inner) * (1.0 - 0.35 * step(0.82, 1.0, inner));
    return plan->def.bars * step(0.35, 0.8, strong) * across;
}

static double rocks_at(const rl_valley_plan *plan, const rl_course_place *place, double x, double y,
                       double level, double z)
{
    const int bin = (int)(place->s / (RL_VALLEY_BIN * plan->def.width));
    const int first = bin > 0 ? bin - 1 : 0, end = bin + 2 < plan->bins ? bin + 2 : plan->bins;
    for (int n = plan->rock_bins[first < end ? first : end]; n < plan->rock_bins[end]; n++) {
        const rl_valley_rock *rock = &plan->rocks[n];
        const double dx = x - rock->x, dy = y - rock->y;
        const double q = 1.0 - (dx * dx + dy * dy) / (rock->radius * rock->radius);
        if (q > 0.0 && level + rock->top > z)
            z = mix(z, level + rock->top, q * (2.0 - q));
    }
    return z;
}

static double bed_at(const rl_valley_plan *plan, const rl_course_place *place, double x, double y,
                     double level, double half, double along)
{
    const double u = place->distance / half, depth = plan->def.depth, width = plan->def.width;
    double z = level - water_at(plan, place, u);
    const double sand =
        level +
        depth * BAR_HEIGHT * (noise(plan, 16, x / (0.7 * width), y / (0.7 * width)) * 2.2 + 0.1);
    const double bar = bar_at(plan, place, u);
    if (sand > z)
        z = mix(z, sand, bar);
    // Returns a lens of land, pointed at both ends.
    const double across = fabs(place->distance) / (ISLAND_WIDTH * width);
    const double lens = 1.0 - along * along - across;
    if (lens > 0.0)
        z = mix(z, level + depth * ISLAND_HEIGHT, step(0.0, 0.45, lens));
    return rocks_at(plan, place, x, y, level, z);
}

static double with_river(const rl_valley_plan *plan, double x, double y, double z, double *out)
{
    const rl_course_place place = rl_course_locate(&plan->river, x, y);
    const double width = plan->def.width;
    *out = 1e30;
    if (place.distance >= 1e30)
        return z;
    double along;
    const double wider = island_at(plan, place.s, &along);
    const double half = half_width_at(plan, place.s, wider);
    const double level = rl_valley_level(plan, place.s);
    *out = fabs(place.distance) - half;
    if (*out <= 0.0)
        return bed_at(plan, &place, x, y, level, half, along);
    const double rough = 0.03 * noise(plan, 3, 2.7 * x / width, 2.7 * y / width);
    const double near = 1.0 - step(0.9 * width, 2.2 * width, fabs(place.distance));
    return mix(z, bank_at(plan, &place, level, *out, rough), near);
}

// ---- Side valley -----------------------------------------------------------------------

// Returns the level of the stream by the part of its way that is left: nearly level on the floor of
// the main valley, steeper in its own.
static double stream_level(const rl_valley_plan *plan, double way, double length)
{
    const double flat = 0.22 * length, gentle = 0.0022;
    const double steep = way > flat ? (way - flat) / (length - flat) : 0.0;
    const double gain = plan->def.branch - gentle * length;
    const double even = gain > 0.0 ? gentle : plan->def.branch / length;
    return plan->mouth_level + even * way + (gain > 0.0 ? gain * steep * sqrt(steep) : 0.0);
}

// Its valley is cut into the hills, with spurs on its sides, and its fan lies on the floor of the
// main one. `out` is the distance from the edge of the main river.
static double side_valley(const rl_valley_plan *plan, const rl_course_place *place, double level,
                          double z, double out)
{
    const double width = plan->stream_width, depth = STREAM_DEPTH * plan->def.depth;
    const double far = fabs(place->distance), edge = plan->side.reach, unit = plan->def.width;
    const double beyond = far > 2.2 * width ? far - 2.2 * width : 0.0;
    const double lane = place->distance > 0.0 ? 9.5 : 0.5;
    const double spur = noise(plan, 17, place->s / (1.9 * unit), far / (5.0 * unit) + lane);
    const double rib = noise(plan, 18, (place->s + 0.5 * far) / (0.8 * unit), far / (2.5 * unit));
    const double slope = 0.30 + 0.30 * sqrt(spur * spur + 0.002) + 0.10 * fabs(rib);
    const double cut =
        level + 0.7 * depth + 0.01 * far + slope * beyond * beyond / (beyond + width);
    double ground = lower_of(z, cut, (depth + 0.06 * beyond) * step(0.0, width, far));
    const double fan = level + 0.7 * depth - 0.02 * far;
    if (fan > ground)
        ground = mix(ground, fan, step(0.0, 2.0 * width, out));
    return mix(ground, z, step(0.8 * edge, edge, far));
}

static double with_stream(const rl_valley_plan *plan, double x, double y, double z, double out)
{
    const rl_course_place side = rl_course_locate(&plan->side, x, y);
    if (side.distance >= 1e30)
        return z;
    const double length = plan->side.s[plan->side.count - 1];
    const double level = stream_level(plan, length - side.s, length);
    z = side_valley(plan, &side, level, z, out);
    const rl_course_place place = rl_course_locate(&plan->stream, x, y);
    const double u = fabs(place.distance) / (0.5 * plan->stream_width);
    if (u >= 2.0)
        return z;
    const double depth = STREAM_DEPTH * plan->def.depth;
    const double bed =
        u < 1.0 ? level - depth * (1.0 - u * u) : level + 0.7 * depth * step(1.0, 2.0, u);
    return bed < z ? bed : z;
}

// Memory and time besides those of the cells do not depend on their number.
static rill_status fill(const rill_valley_def *def, rill_field *elevation)
{
    rl_valley_plan plan;
    RILL_TRY(rl_valley_plan_make(def, rill_allocator_of(def->host), &plan));
    for (int j = 0; j < def->ny; j++) {
        const double y = (j + 0.5) * def->cell_size;
        float *row = rill_field_row(elevation, j);
        for (int i = 0; i < def->nx; i++) {
            const double x = (i + 0.5) * def->cell_size;
            double out, z = with_river(&plan, x, y, terrain_at(&plan, x, y), &out);
            if (plan.has_stream)
                z = with_stream(&plan, x, y, z, out);
            row[i] = (float)z;
        }
    }
    rl_valley_plan_destroy(&plan);
    return RILL_OK;
}

rill_status rill_heightfield_valley(const rill_valley_def *def, rill_heightfield **out)
{
    RILL_TRY(rl_generate_begin(def, out));
    RILL_TRY(check_def(def));
    RILL_TRY(rill_heightfield_create_flat(def->nx, def->ny, def->cell_size, def->host, out));
    const rill_status status = fill(def, rill_heightfield_field(*out));
    if (status != RILL_OK)
        rill_heightfield_destroy(out);
    return status;
}
