// SPDX-License-Identifier: MIT
// sky_pass.c - light of a clear sky.
//
// Lengths are kilometres. Air scatters without absorbing (Rayleigh), haze does both (Mie), ozone
// absorbs. For light of irradiance 1 from one direction, radiance along a line of sight is
//
//     L = integral of T (sigma_r p_r + sigma_m p_m) T_sun + T (sigma_r + sigma_m) G   over the path
//
// with T the transmittance to the eye, T_sun that to the sun, p the phase functions and G the light
// that has been scattered before. G is found as in Hillaire (2020): the second order, taken as even
// in all directions, times 1 + f + f^2 + ... = 1 / (1 - f), with f the part of evenly spread light
// that comes back after one more scattering.
//
// Along a ray everything but the angle to the sun is the same for all azimuths, so a row of the
// table shares one walk through the air.
#include "render/passes/sky_pass.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PI      3.14159265358979324
#define DEGREES (PI / 180.0)

#define GROUND     6360.0  // radius
#define TOP        6460.0  // where the air ends
#define EYE        0.5     // height of the viewer
#define ALBEDO     0.25    // of the land around, for the light that it throws up again
#define HAZE       35.0e-3 // scattering of a usual haze at sea level, per kilometre
#define FORWARD    0.76    // g of the haze
#define SUN_RADIUS (0.27 * DEGREES)

// Irradiance over pi above the air. Chosen so that (1, 0.95, 0.88) arrive at latitude 45 at noon.
static const double sun_above_air[3] = {1.155, 1.183, 1.2925};
// The moon, much brighter than it is, and bluish as an eye sees the night.
static const double moon_above_air[3] = {0.016, 0.022, 0.034};

// ---- Air ---------------------------------------------------------------------------------

#define SUN_HEIGHTS 32
#define SUN_ANGLES  64

typedef struct air {
    double haze;
    // Transmittance to the edge of the air over height and angle (level_at, sun_through).
    float clear[SUN_HEIGHTS][SUN_ANGLES][3];
} air;

// Per kilometre at one height.
typedef struct optics {
    double rayleigh[3], mie; // scattering
    double extinction[3];
} optics;

// Coefficients at sea level, and in the middle of the ozone, are means over the bands of the three
// colours, found by integrating sunlight, scattering by air and the absorption of 300 Dobson units
// against the curves of Rec. 709. Red is a wide band around 610 nm, so it is scattered more than at
// its far edge. Ozone's red would be 2.8e-3; a little over half of it, because the sky opposite to
// a low sun is greenish with all of it and purple with none.
static optics optics_at(const air *a, double height)
{
    static const double rayleigh[3] = {7.05e-3, 13.8e-3, 33.0e-3};
    static const double ozone[3] = {1.6e-3, 1.76e-3, 0.0};
    const double air_density = exp(-height / 8.0);
    const double haze_density = a->haze * exp(-height / 1.2);
    const double layer = 1.0 - fabs(height - 25.0) / 15.0;
    const double ozone_density = layer > 0.0 ? layer : 0.0;
    optics o = {.mie = HAZE * haze_density};
    for (int c = 0; c < 3; c++) {
        o.rayleigh[c] = rayleigh[c] * air_density;
        o.extinction[c] = o.rayleigh[c] + 1.1 * o.mie + ozone[c] * ozone_density;
    }
    return o;
}

// Returns the distance from radius r to the sphere of radius `sphere` around the planet's centre,
// in a direction with cosine `up` to the vertical: to its far side.
static double distance_out(double r, double up, double sphere)
{
    const double d = r * r * (up * up - 1.0) + sphere * sphere;
    return -r * up + sqrt(d > 0.0 ? d : 0.0);
}

// Returns the cosine of the horizon's angle from the vertical.
static double horizon_cosine(double r)
{
    const double s = GROUND / r;
    return s < 1.0 ? -sqrt(1.0 - s * s) : 0.0;
}

// The table's coordinates are distances to the horizon and to the edge of the air, which crowd the
// entries where the transmittance changes quickly (Bruneton and Neyret 2008).
static void fill_transmittance(air *a)
{
    const double longest = sqrt(TOP * TOP - GROUND * GROUND);
    for (int i = 0; i < SUN_HEIGHTS; i++) {
        const double rho = longest * i / (SUN_HEIGHTS - 1.0);
        const double r = sqrt(rho * rho + GROUND * GROUND);
        const double nearest = TOP - r, span = rho + longest - nearest;
        for (int j = 0; j < SUN_ANGLES; j++) {
            const double distance = nearest + span * j / (SUN_ANGLES - 1.0);
            const double cosine = (longest * longest - rho * rho - distance * distance) /
                                  (2.0 * r * (distance > 1e-9 ? distance : 1e-9));
            const double up = cosine < 1.0 ? cosine : 1.0;
            double depth[3] = {0};
            const int steps = 40;
            for (int k = 0; k < steps; k++) {
                const double t = distance * (k + 0.5) / steps;
                const double rt = sqrt(r * r + t * t + 2.0 * r * t * up);
                const optics o = optics_at(a, rt - GROUND);
                for (int c = 0; c < 3; c++)
                    depth[c] += o.extinction[c] * distance / steps;
            }
            for (int c = 0; c < 3; c++)
                a->clear[i][j][c] = (float)exp(-depth[c]);
        }
    }
}

static double smooth_step(double from, double to, double x)
{
    const double t = (x - from) / (to - from);
    const double s = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return s * s * (3.0 - 2.0 * s);
}

// Finds where x, from 0 to 1, falls among `count` entries: index of the lower one, and the rest.
static int locate(double x, int count, float *rest)
{
    const double scaled = (x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x) * (count - 1.0);
    const int k = (int)scaled < count - 2 ? (int)scaled : count - 2;
    *rest = (float)(scaled - k);
    return k;
}

// Values that the transmittance at one height needs for every angle.
typedef struct level {
    double r, horizon, nearest, span;
    int row;
    float rest;
} level;

static level level_at(double r)
{
    const double longest = sqrt(TOP * TOP - GROUND * GROUND);
    const double rho = sqrt(r > GROUND ? r * r - GROUND * GROUND : 0.0);
    level l = {.r = r, .horizon = horizon_cosine(r), .nearest = TOP - r};
    l.span = rho + longest - l.nearest;
    l.row = locate(rho / longest, SUN_HEIGHTS, &l.rest);
    return l;
}

// Computes the light of a sun of irradiance 1 that arrives from a direction with cosine `up`. It
// fades out while the disc sets: the angle above the horizon is nearly the difference of the
// cosines.
static void sun_through(const air *a, const level *l, double up, float out[3])
{
    const float shown = (float)smooth_step(-SUN_RADIUS, SUN_RADIUS, up - l->horizon);
    const double distance = distance_out(l->r, up > l->horizon ? up : l->horizon, TOP);
    float v;
    const int j = locate((distance - l->nearest) / l->span, SUN_ANGLES, &v);
    for (int c = 0; c < 3; c++) {
        const float low = a->clear[l->row][j][c] * (1.0f - v) + a->clear[l->row][j + 1][c] * v;
        const float high =
            a->clear[l->row + 1][j][c] * (1.0f - v) + a->clear[l->row + 1][j + 1][c] * v;
        out[c] = shown * (low * (1.0f - l->rest) + high * l->rest);
    }
}

// ---- A walk along a ray ------------------------------------------------------------------

#define STEPS        40
#define GLOW_HEIGHTS 12

// A part of a ray: where it is, and how much of its scattering arrives.
typedef struct ray_part {
    double t;
    level at;
    int glow_row; // in the table of the light that has been scattered before
    float glow_rest;
    float rayleigh[3], mie[3]; // scattering times transmittance to the eye times length
} ray_part;

typedef struct walk {
    double r, up, out; // of the eye; cosine and sine of the ray's angle from the vertical
    ray_part parts[STEPS];
    float left[3]; // transmittance of the whole ray
    double length;
    bool ends_on_ground;
} walk;

// Parts grow with the square of their number, as most happens in the thick air at the viewer.
static void take_walk(const air *a, double r, double up, walk *w)
{
    const double squared = 1.0 - up * up;
    w->r = r;
    w->up = up;
    w->out = sqrt(squared > 0.0 ? squared : 0.0);
    w->ends_on_ground = up < horizon_cosine(r);
    const double root = GROUND * GROUND - r * r * squared;
    w->length =
        w->ends_on_ground ? -r * up - sqrt(root > 0.0 ? root : 0.0) : distance_out(r, up, TOP);
    double left[3] = {1.0, 1.0, 1.0};
    for (int k = 0; k < STEPS; k++) {
        ray_part *p = &w->parts[k];
        const double from = (double)k / STEPS, to = (k + 1.0) / STEPS;
        const double length = w->length * (to * to - from * from);
        p->t = w->length * 0.5 * (to * to + from * from);
        p->at = level_at(sqrt(r * r + p->t * p->t + 2.0 * r * p->t * up));
        const double height = p->at.r > GROUND ? p->at.r - GROUND : 0.0;
        p->glow_row = locate(cbrt(height / (TOP - GROUND)), GLOW_HEIGHTS, &p->glow_rest);
        const optics o = optics_at(a, height);
        for (int c = 0; c < 3; c++) {
            // Extinction within the part is the integral of exp(-sigma s) over its length.
            const double through = exp(-o.extinction[c] * length);
            const double worth = left[c] * (1.0 - through) / (o.extinction[c] + 1e-12);
            p->rayleigh[c] = (float)(o.rayleigh[c] * worth);
            p->mie[c] = (float)(o.mie * worth);
            left[c] *= through;
        }
    }
    for (int c = 0; c < 3; c++)
        w->left[c] = (float)left[c];
}

// Returns the cosine of the sun's angle from the vertical at distance t along a walk. `sun_up` and
// `sun_out` are the cosine and sine of that angle at the viewer, `turn` the cosine of the azimuth
// between ray and sun.
static double sun_cosine(const walk *w, double t, double r, double sun_up, double sun_out,
                         double turn)
{
    return (t * w->out * turn * sun_out + (w->r + t * w->up) * sun_up) / r;
}

// ---- Light that has been scattered before ------------------------------------------------

#define GLOW_ANGLES 9
#define GLOW_RANGE  (14.0 * DEGREES) // a line of sight turns by 11 degrees at most
#define GLOW_RINGS  12
#define GLOW_TURNS  4

// G over height and over the sun's elevation, in a range around its elevation at the eye.
typedef struct glow {
    double low, high; // the range's sines
    float light[GLOW_HEIGHTS][GLOW_ANGLES][3];
} glow;

// Adds the light of second order that comes along one walk, for the sun at one elevation.
static void add_walk(const air *a, const walk *w, double sun_up, double weight, double light[3])
{
    const double sun_out = sqrt(fmax(1.0 - sun_up * sun_up, 0.0));
    for (int n = 0; n < GLOW_TURNS; n++) {
        const double turn = cos(PI * (n + 0.5) / GLOW_TURNS);
        double sum[3] = {0};
        float sun[3];
        for (int k = 0; k < STEPS; k++) {
            const ray_part *p = &w->parts[k];
            sun_through(a, &p->at, sun_cosine(w, p->t, p->at.r, sun_up, sun_out, turn), sun);
            for (int c = 0; c < 3; c++)
                sum[c] += (double)((p->rayleigh[c] + p->mie[c]) * sun[c]) / (4.0 * PI);
        }
        if (w->ends_on_ground) {
            const double up = sun_cosine(w, w->length, GROUND, sun_up, sun_out, turn);
            const level ground = level_at(GROUND);
            sun_through(a, &ground, up, sun);
            for (int c = 0; c < 3; c++)
                sum[c] += (double)(w->left[c] * sun[c]) * ALBEDO / PI * (up > 0.0 ? up : 0.0);
        }
        for (int c = 0; c < 3; c++)
            light[c] += weight / GLOW_TURNS * sum[c];
    }
}

static double glow_height(int k)
{
    const double part = k / (GLOW_HEIGHTS - 1.0);
    return (TOP - GROUND) * part * part * part;
}

static void fill_glow(const air *a, double elevation, glow *g)
{
    g->low = sin(fmax(elevation - GLOW_RANGE, -0.5 * PI));
    g->high = sin(fmin(elevation + GLOW_RANGE, 0.5 * PI));
    for (int i = 0; i < GLOW_HEIGHTS; i++) {
        double light[GLOW_ANGLES][3] = {{0}}, back[3] = {0};
        for (int n = 0; n < GLOW_RINGS; n++) {
            walk w;
            // Rings of equal solid angle.
            take_walk(a, GROUND + glow_height(i), 1.0 - (2.0 * n + 1.0) / GLOW_RINGS, &w);
            for (int j = 0; j < GLOW_ANGLES; j++)
                add_walk(a, &w, g->low + (g->high - g->low) * j / (GLOW_ANGLES - 1.0),
                         1.0 / GLOW_RINGS, light[j]);
            for (int k = 0; k < STEPS; k++)
                for (int c = 0; c < 3; c++)
                    back[c] += (double)(w.parts[k].rayleigh[c] + w.parts[k].mie[c]) / GLOW_RINGS;
        }
        for (int j = 0; j < GLOW_ANGLES; j++)
            for (int c = 0; c < 3; c++)
                g->light[i][j][c] =
                    (float)(light[j][c] / (1.0 - (back[c] < 0.95 ? back[c] : 0.95)));
    }
}

static void glow_at(const glow *g, const ray_part *p, double sun_up, float out[3])
{
    float v;
    const int i = p->glow_row, j = locate((sun_up - g->low) / (g->high - g->low), GLOW_ANGLES, &v);
    for (int c = 0; c < 3; c++) {
        const float low = g->light[i][j][c] * (1.0f - v) + g->light[i][j + 1][c] * v;
        const float high = g->light[i + 1][j][c] * (1.0f - v) + g->light[i + 1][j + 1][c] * v;
        out[c] = low * (1.0f - p->glow_rest) + high * p->glow_rest;
    }
}

// ---- The table ---------------------------------------------------------------------------

// A sun or a moon. `side` is 1 if the table's azimuths count from it and -1 if from the opposite.
typedef struct lamp {
    double elevation, side;
    double above_air[3]; // irradiance over pi
} lamp;

static double phase_air(double cosine)
{
    return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine);
}

// Cornette and Shanks (1992).
static double phase_haze(double cosine)
{
    const double g = FORWARD, base = 1.0 + g * g - 2.0 * g * cosine;
    return 3.0 / (8.0 * PI) * (1.0 - g * g) * (1.0 + cosine * cosine) /
           ((2.0 + g * g) * base * sqrt(base));
}

static double row_elevation(int j)
{
    const double v = (j + 0.5) / SKY_HEIGHT;
    return 90.0 * DEGREES * v * v;
}

static void add_texel(const air *a, const glow *g, const walk *w, const lamp *l, double turn,
                      float texel[3])
{
    const double sun_up = sin(l->elevation), sun_out = cos(l->elevation);
    const double between = w->up * sun_up + w->out * sun_out * turn;
    const float by_air = (float)phase_air(between), by_haze = (float)phase_haze(between);
    float sum[3] = {0};
    for (int k = 0; k < STEPS; k++) {
        const ray_part *p = &w->parts[k];
        const double up = sun_cosine(w, p->t, p->at.r, sun_up, sun_out, turn);
        float sun[3], before[3];
        sun_through(a, &p->at, up, sun);
        glow_at(g, p, up, before);
        for (int c = 0; c < 3; c++)
            sum[c] += (p->rayleigh[c] * by_air + p->mie[c] * by_haze) * sun[c] +
                      (p->rayleigh[c] + p->mie[c]) * before[c];
    }
    for (int c = 0; c < 3; c++)
        texel[c] += sum[c] * (float)(PI * l->above_air[c]);
}

static void add_lamp(const air *a, const lamp *l, sky *out)
{
    glow g;
    fill_glow(a, l->elevation, &g);
    for (int j = 0; j < SKY_HEIGHT; j++) {
        walk w;
        take_walk(a, GROUND + EYE, sin(row_elevation(j)), &w);
        for (int i = 0; i < SKY_WIDTH; i++)
            add_texel(a, &g, &w, l, l->side * cos(PI * (i + 0.5) / SKY_WIDTH), out->radiance[j][i]);
    }
}

// ---- Sun and moon ------------------------------------------------------------------------

// The light changes from sun to moon while the sun is this low, when neither shines.
#define CHANGE     (-0.5 * DEGREES)
#define MOON_LIFT  0.6               // lets the moon stay high
#define SUN_IS_OUT (-18.0 * DEGREES) // below, the sky has nothing of it

// East, north, up. The sun is in the plane of the equator.
static void sun_direction(double time_of_day, double latitude, double out[3])
{
    const double hour = (time_of_day - 12.0) * 15.0 * DEGREES;
    out[0] = -sin(hour);
    out[1] = -cos(hour) * sin(latitude * DEGREES);
    out[2] = cos(hour) * cos(latitude * DEGREES);
}

// A full moon is opposite to the sun. This one is lifted, but stays in the vertical plane of the
// sun, which is the table's plane of symmetry.
static void moon_direction(const double sun[3], double out[3])
{
    const double up = MOON_LIFT - sun[2];
    const double length = sqrt(sun[0] * sun[0] + sun[1] * sun[1] + up * up);
    out[0] = -sun[0] / length;
    out[1] = -sun[1] / length;
    out[2] = up / length;
}

static void set_direction(const double east_north_up[3], double heading, float out[3])
{
    const double c = cos(heading * DEGREES), s = sin(heading * DEGREES);
    out[0] = (float)(east_north_up[0] * c - east_north_up[1] * s);
    out[1] = (float)(east_north_up[1] * c + east_north_up[0] * s);
    out[2] = (float)east_north_up[2];
}

static void set_sunlight(const air *a, const lamp *l, double part, float out[3])
{
    float clear[3];
    const level eye = level_at(GROUND + EYE);
    sun_through(a, &eye, sin(l->elevation), clear);
    for (int c = 0; c < 3; c++)
        out[c] = (float)(part * l->above_air[c]) * clear[c];
}

static void sum_up(sky *out)
{
    double sky_sum[3] = {0}, sky_weight = 0.0, rim_sum[3] = {0}, rim_weight = 0.0;
    for (int j = 0; j < SKY_HEIGHT; j++) {
        const double e = row_elevation(j), step = j + 0.5;
        const double weight = sin(e) * cos(e) * step, rim = e < 2.0 * DEGREES ? step : 0.0;
        for (int i = 0; i < SKY_WIDTH; i++) {
            for (int c = 0; c < 3; c++) {
                sky_sum[c] += weight * (double)out->radiance[j][i][c];
                rim_sum[c] += rim * (double)out->radiance[j][i][c];
            }
            sky_weight += weight;
            rim_weight += rim;
        }
    }
    for (int c = 0; c < 3; c++) {
        out->skylight[c] = (float)(sky_sum[c] / sky_weight);
        out->horizon[c] = (float)(rim_sum[c] / rim_weight);
    }
}

static double finite_or(double value, double otherwise)
{
    return isfinite(value) ? value : otherwise;
}

void sky_compute(double time_of_day, double latitude, double heading, double haze, sky *out)
{
    memset(out, 0, sizeof *out);
    air a = {.haze = fmin(fmax(finite_or(haze, 1.0), 0.0), 50.0)};
    fill_transmittance(&a);

    double sun_at[3], moon_at[3];
    sun_direction(finite_or(time_of_day, 12.0), finite_or(latitude, 45.0), sun_at);
    moon_direction(sun_at, moon_at);
    lamp sun = {.elevation = asin(fmin(fmax(sun_at[2], -1.0), 1.0))};
    lamp moon = {.elevation = asin(moon_at[2])};
    const bool night = sun.elevation < CHANGE;
    sun.side = night ? -1.0 : 1.0;
    moon.side = -sun.side;
    const double moonlit = smooth_step(1.0 * DEGREES, -7.0 * DEGREES, sun.elevation);
    for (int c = 0; c < 3; c++) {
        sun.above_air[c] = sun_above_air[c];
        moon.above_air[c] = moonlit * moon_above_air[c];
    }

    set_direction(night ? moon_at : sun_at, finite_or(heading, 0.0), out->sun);
    if (night)
        set_sunlight(&a, &moon, smooth_step(CHANGE, -7.0 * DEGREES, sun.elevation), out->sunlight);
    else
        set_sunlight(&a, &sun, smooth_step(0.0, 1.5 * DEGREES, sun.elevation), out->sunlight);
    if (sun.elevation > SUN_IS_OUT)
        add_lamp(&a, &sun, out);
    if (moonlit > 0.0)
        add_lamp(&a, &moon, out);
    sum_up(out);
}
