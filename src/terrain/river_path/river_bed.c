// SPDX-License-Identifier: MIT
// river_bed.c - carves the bed of a river whose course is known into the ground, and fills it:
//
//     lakes -> water and bed along the lines -> banks -> springs
//
// A bed is a parabola across the width, or flat where it is a cell or two wide. Where the surface
// passes over a pit the ground is raised, as filling a hollow does: that of the bed up to a few
// depths below the water, that of the banks up to the water.
#include "terrain/river_path/river_path_internal.h"

#include "core/memory.h"

#include <math.h>
#include <string.h>

#define STEP        0.25f // cells between places along a line that are filled
#define MIDDLE      1.5f  // depth in the middle of a parabola, over the mean
#define LEAST_PART  0.3f  // of the mean depth, at the banks
#define FAR         1e30f
#define KEPT        (-1.0f) // in the place of a distance: of a lake, or of the main channel
#define WIDE        3.0f    // cells from which a DEM may know the bed of a river
#define MOST_DEPTHS 3.0f    // mean depths: what is deeper in such a one is no bed
#define SPEED_POWER 0.1     // of the drained area: how speed grows downstream (Leopold and Maddock)
#define LAST_POINTS 4       // of a river that ends beside cells without data: water leaves by them

typedef struct bed {
    const rl_river_course *c;
    rl_wet *wet;
    rill_river_path *path;
    float *far; // of a cell from the nearest line, cells
    bool failed;
} bed;

// ---- Lakes -----------------------------------------------------------------------------

static void put_lake(bed *b, const rl_lake *lake, float level, float depth)
{
    for (size_t n = 0; n < lake->count; n++) {
        const uint32_t cell = lake->cell[n];
        float *ground = rl_wet_at(b->wet, &b->path->ground, cell);
        b->far[cell] = KEPT;
        *ground = *ground < level - depth ? *ground : level - depth;
        if (!b->failed && !rl_wet_is(b->wet, cell))
            b->failed = !rl_wet_add(b->wet, cell, level);
    }
}

static void fill_lakes(bed *b)
{
    const rl_river_course *c = b->c;
    rl_lake lake = {0};
    for (size_t n = 0; n < c->channels->count && !b->failed; n++) {
        const uint32_t cell = c->channels->cell[n].cell;
        if (!c->lake[n] || b->far[cell] == KEPT)
            continue;
        b->failed = !rl_lake_find(c->ground, cell, b->wet->mark, c->allocator, &lake);
        if (!b->failed)
            put_lake(b, &lake, c->surface[n], MIDDLE * c->depth[n]);
    }
    rill_free(c->allocator, lake.cell, lake.capacity * sizeof *lake.cell);
}

// ---- Along the lines -------------------------------------------------------------------

// A place on a line.
typedef struct place {
    float x, y, surface, depth, width;
} place;

static place place_at(const rl_river_course *c, size_t n)
{
    return (place){c->x[n], c->y[n], c->surface[n], c->depth[n], c->width[n]};
}

static place between(const place *a, const place *b, float part)
{
    return (place){a->x + part * (b->x - a->x), a->y + part * (b->y - a->y),
                   a->surface + part * (b->surface - a->surface),
                   a->depth + part * (b->depth - a->depth),
                   a->width + part * (b->width - a->width)};
}

// Fills a cell from a place `far` cells away, unless a nearer one has filled it.
static void fill_cell(bed *b, int i, int j, const place *p, float far)
{
    rl_wet *wet = b->wet;
    if (i < 0 || i >= wet->nx || j < 0 || j >= wet->ny || b->failed)
        return;
    const uint32_t cell = (uint32_t)j * (uint32_t)wet->nx + (uint32_t)i;
    if (!(far < b->far[cell]) || !((double)rl_wet_ground(wet, cell) < b->c->no_data))
        return;
    b->far[cell] = far;
    const float half = 0.5f * p->width, part = far < half ? far / half : 1.0f;
    const bool wide = p->width >= WIDE;
    const float parabola = MIDDLE * (1.0f - part * part);
    const float shape = !wide ? 1.0f : parabola > LEAST_PART ? parabola : LEAST_PART;
    const float high = p->surface - shape * p->depth;
    const float low = wide ? p->surface - MOST_DEPTHS * p->depth : high;
    const float ground = rl_wet_ground(wet, cell);
    *rl_wet_at(wet, &b->path->ground, cell) = ground > high ? high : ground > low ? ground : low;
    if (!rl_wet_is(wet, cell))
        b->failed = !rl_wet_add(wet, cell, p->surface);
    *rl_wet_level(wet, cell) = p->surface;
}

static void fill_around(bed *b, const place *p)
{
    const float reach = 0.5f * p->width;
    const int i0 = (int)p->x, j0 = (int)p->y, r = (int)reach + 1;
    for (int j = j0 - r; j <= j0 + r; j++)
        for (int i = i0 - r; i <= i0 + r; i++) {
            const float dx = (float)i + 0.5f - p->x, dy = (float)j + 0.5f - p->y;
            const float far = sqrtf(dx * dx + dy * dy);
            if (far <= reach || (i == i0 && j == j0))
                fill_cell(b, i, j, p, far);
        }
}

// Water goes through faces and not through corners: of the two cells beside a step across a corner
// the lower one is filled, too.
static void fill_corner(bed *b, const place *from, const place *to)
{
    const int i = (int)from->x, j = (int)from->y, a = (int)to->x, c = (int)to->y;
    if (i == a || j == c)
        return;
    const float first = rill_field_row(b->wet->ground, j)[a];
    const float second = rill_field_row(b->wet->ground, c)[i];
    const bool take_first = isnan(second) || first <= second;
    const int x = take_first ? a : i, y = take_first ? j : c;
    const float dx = (float)x + 0.5f - to->x, dy = (float)y + 0.5f - to->y;
    fill_cell(b, x, y, to, sqrtf(dx * dx + dy * dy));
}

static void fill_line(bed *b, place from, place to)
{
    const float dx = to.x - from.x, dy = to.y - from.y;
    const int steps = (int)(sqrtf(dx * dx + dy * dy) / STEP) + 1;
    place last = from;
    for (int n = 1; n <= steps; n++) {
        const place p = between(&from, &to, (float)n / (float)steps);
        fill_around(b, &p);
        fill_corner(b, &last, &p);
        last = p;
    }
}

// The main channel's cells are its own from now on.
static void keep_filled(bed *b)
{
    for (size_t n = 0; n < b->wet->count; n++)
        b->far[b->wet->cell[n]] = KEPT;
}

// A branch keeps its own width and depth down to its mouth.
static void fill_lines(bed *b)
{
    const rl_river_course *c = b->c;
    for (size_t n = 0; n < c->channels->count; n++) {
        if (n == c->channels->main)
            keep_filled(b);
        const uint32_t next = c->channels->cell[n].receiver;
        const place here = place_at(c, n);
        fill_around(b, &here);
        if (next == RL_CHANNEL_NONE)
            continue;
        place there = place_at(c, next);
        if (c->above[next] != n) {
            there.width = here.width;
            there.depth = here.depth;
        }
        fill_line(b, here, there);
    }
}

// ---- Banks -----------------------------------------------------------------------------

// Raises dry ground beside water, across corners too, to the water.
static void raise_banks(bed *b)
{
    const rl_wet *wet = b->wet;
    for (size_t n = 0; n < wet->count; n++) {
        const int i = (int)(wet->cell[n] % (uint32_t)wet->nx);
        const int j = (int)(wet->cell[n] / (uint32_t)wet->nx);
        const float level = *rl_wet_level(wet, wet->cell[n]);
        for (int k = 0; k < 9; k++) {
            const int a = i + k % 3 - 1, c = j + k / 3 - 1;
            if (a < 0 || a >= wet->nx || c < 0 || c >= wet->ny ||
                rill_field_row(wet->level, c)[a] > RL_RIVER_DRY)
                continue;
            float *ground = &rill_field_row(&b->path->ground, c)[a];
            *ground = *ground < level ? level : *ground;
        }
    }
}

// ---- Springs ---------------------------------------------------------------------------

// What flows through each point if speed is to grow as rivers have it: width times depth times the
// drained area to the power 0.1, over the same of the outlet but for its width. Water that has come
// in upstream is never lost.
static float flow_wanted(const rl_river_course *c, size_t n)
{
    const size_t end = c->channels->main - 1;
    const double part = (double)c->channels->cell[n].area / (double)c->channels->cell[end].area;
    const double speed = rill_power(part < 1.0 ? part : 1.0, SPEED_POWER);
    return (float)((double)c->width[n] * (double)c->depth[n] / (double)c->depth[end] * speed);
}

static bool at_border(const rl_wet *wet, uint32_t cell)
{
    for (int side = 0; side < 4; side++)
        if (rl_on_side(cell, side, wet->nx, wet->ny))
            return true;
    return false;
}

// A river that ends beside cells without data leaves by its last few points, so that no jet runs to
// a single cell.
static void leave_ground(bed *b, size_t last, float flow)
{
    const rl_river_course *c = b->c;
    const size_t points = last + 1 < LAST_POINTS ? last + 1 : LAST_POINTS;
    for (size_t n = last + 1 - points; n <= last; n++)
        b->path->springs[b->path->spring_count++] =
            (rl_river_spring){rl_river_course_cell(c, n), -flow / (float)points};
}

// Hands the flow of point n on, and writes down what comes out of the ground there. The main
// channel of a river from beyond has its water from the border, and so has what it passes.
static void spring_at(bed *b, size_t n, float *flow)
{
    const rl_river_course *c = b->c;
    const uint32_t next = c->channels->cell[n].receiver, cell = rl_river_course_cell(c, n);
    const bool given = n < c->channels->main && c->stem->from != RL_NO_SIDE;
    const float wanted = c->lake[n] || given ? 0.0f : flow_wanted(c, n);
    const float more = wanted > flow[n] ? wanted - flow[n] : 0.0f;
    rl_river_spring *springs = b->path->springs;
    if (more > 0.0f && rl_wet_is(b->wet, cell))
        springs[b->path->spring_count++] = (rl_river_spring){cell, more};
    if (next != RL_CHANNEL_NONE)
        flow[next] += flow[n] + more;
    else if (!at_border(b->wet, cell))
        leave_ground(b, n, flow[n] + more);
}

static void lay_springs(bed *b)
{
    const rl_channels *channels = b->c->channels;
    const size_t bytes = channels->count * sizeof(float);
    float *flow = rill_alloc(b->c->allocator, bytes);
    b->path->springs =
        rl_owned_take(&b->path->own, channels->count + LAST_POINTS, sizeof *b->path->springs);
    b->failed = flow == NULL || b->path->springs == NULL;
    if (!b->failed) {
        memset(flow, 0, bytes);
        for (size_t n = channels->count; n-- > channels->main;)
            spring_at(b, n, flow);
        for (size_t n = 0; n < channels->main; n++)
            spring_at(b, n, flow);
    }
    rill_free(b->c->allocator, flow, bytes);
}

// ---- All of it -------------------------------------------------------------------------

bool rl_bed_carve(const rl_river_course *course, rl_wet *wet, rill_river_path *path)
{
    const size_t cells = (size_t)wet->nx * (size_t)wet->ny;
    bed b = {.c = course, .wet = wet, .path = path};
    rl_owned_field(&path->own, wet->nx, wet->ny, 0, 0, &path->ground);
    b.far = rill_alloc(wet->allocator, cells * sizeof *b.far);
    b.failed = path->own.failed || b.far == NULL;
    if (!b.failed) {
        for (int j = 0; j < wet->ny; j++)
            memcpy(rill_field_row(&path->ground, j), rill_field_row(wet->ground, j),
                   (size_t)wet->nx * sizeof(float));
        for (size_t n = 0; n < cells; n++)
            b.far[n] = FAR;
        fill_lakes(&b);
        fill_lines(&b);
    }
    rill_free(wet->allocator, b.far, cells * sizeof *b.far);
    if (!b.failed) {
        raise_banks(&b);
        lay_springs(&b);
    }
    return !b.failed;
}
