// SPDX-License-Identifier: MIT
// meniscus.c - the meniscus of all vertices of a mesh (Dagenais section 5.1).
//
// Its distances to boundaries are known before (meniscus_steps.c). Wet columns are bent first, a
// batch at a time, each from what its four neighbours and its boundary column say; then dry ones,
// from the wet ones they are linked to, the ends of surfaces, the vertices on walls and the rim.
#include "core/assert.h"
#include "surface/meniscus_inline.h"
#include "surface/meniscus_rows.h"

#include <math.h>
#include <string.h>

// ---- Wet columns -------------------------------------------------------------------------

// Profiles of boundary columns that were read last, by a hash of their places: neighbouring wet
// columns have the same ones.
#define PROFILES 256

#define NO_VERTEX UINT32_MAX

// The columns of a tile that are bent, a batch at a time.
typedef struct bending {
    const rl_surface *s;
    rl_meniscus_rule rule;
    int count;
    uint32_t number[RL_MENISCUS_BATCH]; // of their vertices
    rl_meniscus_batch batch;
    size_t boundary[PROFILES]; // slots, from 1 on
    rl_shore_profile profile[PROFILES];
} bending;

// Returns the profile of the boundary column of a wet one, NULL for a wall.
static const rl_shore_profile *profile_of(bending *b, size_t slot)
{
    const rl_surface *s = b->s;
    const rl_boundary to = rl_boundary_of(s, slot);
    if (to.wall)
        return NULL;
    const size_t boundary = rl_surface_at(s, to.i, to.j, to.layer) + 1;
    const unsigned place =
        ((unsigned)to.i + 37u * (unsigned)to.j + 101u * (unsigned)to.layer) % PROFILES;
    if (b->boundary[place] != boundary) {
        b->boundary[place] = boundary;
        b->profile[place] = rl_shore_profile_of(s, to.i, to.j, to.layer);
    }
    return &b->profile[place];
}

// Returns whether a column is linked to its own layer on all four sides and not at the border.
static bool is_inside(const rl_surface *s, int i, int j, size_t slot)
{
    return (s->link[slot] & RL_SIDES) == RL_SIDES && i > 0 && i < s->nx - 1 && j > 0 &&
           j < s->ny - 1;
}

static void bend_batch(bending *b)
{
    b->s->meniscus_rows->bend(&b->batch, &b->rule, b->count);
    const rl_meniscus_batch *from = &b->batch;
    for (int k = 0; k < b->count; k++) {
        if (b->number[k] == NO_VERTEX)
            continue;
        b->s->meniscus[b->number[k]] =
            (rill_meniscus){{from->bent[RL_BENT_X][k], from->bent[RL_BENT_Y][k]},
                            from->bent[RL_BENT_ANGLE][k],
                            from->bent[RL_BENT_WEIGHT][k]};
    }
    b->count = 0;
}

// Adds those of a group that have a flag; the others are bent as well, but not written.
static void add_group(bending *b, const uint8_t *flags, int i, int j, int layer)
{
    const rl_surface *s = b->s;
    const size_t first = rl_surface_at(s, i, j, layer);
    rl_meniscus_group group = {i, j, s->pitch, s->columns.cell_size, {NULL}, s->level + first};
    for (int field = 0; field < RL_SHORE_FIELDS; field++)
        group.now[field] = s->shore[0][field] + first;
    if (s->nx >= RL_MENISCUS_GROUP)
        s->meniscus_rows->gather(&group, &b->batch, b->count);
    for (int k = 0; k < RL_MENISCUS_GROUP; k++) {
        b->number[b->count + k] = NO_VERTEX;
        if (i + k >= s->nx || !flags[k])
            continue;
        const size_t slot = first + (size_t)k;
        float *to = &b->batch.around[0][b->count + k];
        if (s->nx < RL_MENISCUS_GROUP)
            rl_meniscus_around_place(s, i + k, j, slot, to, RL_MENISCUS_BATCH);
        if (s->nx < RL_MENISCUS_GROUP || !is_inside(s, i + k, j, slot))
            rl_meniscus_around_sides(s, i + k, j, layer, to, RL_MENISCUS_BATCH);
        rl_meniscus_around_ground(s, slot, profile_of(b, slot), to, RL_MENISCUS_BATCH);
        b->number[b->count + k] = s->number[slot];
    }
    b->count += RL_MENISCUS_GROUP;
    if (b->count == RL_MENISCUS_BATCH)
        bend_batch(b);
}

// Finds the wet columns of a row that have a vertex and a boundary column.
static void find_known(uint8_t *restrict any, const uint8_t *restrict corner,
                       const uint8_t *restrict wet, const float *restrict distance, int n)
{
    for (int i = 0; i < n; i++)
        any[i] = (uint8_t)(corner[i] >> 1 & wet[i] & (distance[i] < RL_MENISCUS_FAR));
}

static void wet_row(bending *b, uint8_t *any, int j, int layer)
{
    const rl_surface *s = b->s;
    const rl_surface_row row = *rl_surface_row_of(s, j, layer);
    if (row.end == 0)
        return;
    const size_t at = rl_surface_at(s, row.first, j, layer);
    const int n = row.end - row.first;
    find_known(any, s->corner + at, s->wet + at, s->shore[0][RL_SHORE_DISTANCE] + at, n);
    for (int k = rl_surface_next(any, 0, n); k < n; k = rl_surface_next(any, k, n)) {
        // A group that would go past the end of the row begins further to the west.
        const int last = s->nx > RL_MENISCUS_GROUP ? s->nx - RL_MENISCUS_GROUP : 0;
        const int i = row.first + k < last ? row.first + k : last;
        uint8_t flags[RL_MENISCUS_GROUP] = {0};
        for (int m = row.first + k - i; m < RL_MENISCUS_GROUP && i + m < row.end; m++)
            flags[m] = any[i + m - row.first];
        add_group(b, flags, i, j, layer);
        k = i + RL_MENISCUS_GROUP < row.end ? i + RL_MENISCUS_GROUP - row.first : n;
    }
}

static void wet_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const rl_surface_tile *t = &s->tiles[tile];
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    memset(s->meniscus + t->first_vertex, 0, t->vertices * sizeof *s->meniscus); // none
    bending b;
    b.s = s;
    b.rule = rl_meniscus_rule_of(s);
    b.count = 0;
    memset(b.boundary, 0, sizeof b.boundary); // none
    for (int layer = 0; layer < s->layers; layer++)
        for (int j = first < 0 ? 0 : first; j < end && j < s->ny; j++)
            wet_row(&b, s->below + (size_t)tile * s->pitch, j, layer);
    bend_batch(&b);
}

// ---- All other vertices ------------------------------------------------------------------

// Finds points whose vertices are not, or not all, those of wet columns.
static void find_others(uint8_t *restrict any, const uint8_t *restrict corner,
                        const uint8_t *restrict cut, const uint8_t *restrict extra, int n)
{
    for (int i = 0; i < n; i++) {
        const uint8_t more = (uint8_t)(((cut[i] & RL_SIDES) | extra[i]) != 0);
        any[i] = (uint8_t)(corner[i] >> 1 & (more | ~corner[i]) & 1);
    }
}

static void put_rim(const rl_surface *s, int i, int j, int layer)
{
    if (s->corner[rl_surface_at(s, i, j, layer)] & RL_CORNER_USED)
        rl_meniscus_put_point(s, i, j, layer, true);
}

static void others_row(const rl_surface *s, uint8_t *any, int j, int layer)
{
    const rl_surface_row drawn = rl_surface_drawn(s, j, layer);
    if (drawn.end == 0)
        return;
    if (j < 0 || j >= s->ny) {
        for (int i = drawn.first; i < drawn.end; i++)
            put_rim(s, i, j, layer);
        return;
    }
    if (drawn.first < 0)
        put_rim(s, -1, j, layer);
    const int first = drawn.first < 0 ? 0 : drawn.first,
              end = drawn.end < s->nx ? drawn.end : s->nx;
    const size_t at = rl_surface_at(s, first, j, layer);
    const int n = end - first;
    find_others(any, s->corner + at, s->cut + at, s->extra + at, n);
    for (int k = rl_surface_next(any, 0, n); k < n; k = rl_surface_next(any, k + 1, n))
        rl_meniscus_put_point(s, first + k, j, layer, true);
    if (drawn.end > s->nx)
        put_rim(s, s->nx, j, layer);
}

static void others_tile(void *context, int tile)
{
    const rl_surface *s = context;
    const int first = rl_surface_tile_first(tile), end = rl_surface_tile_end(s, tile);
    for (int layer = 0; layer < s->layers; layer++)
        for (int j = first; j < end; j++)
            others_row(s, s->below + (size_t)tile * s->pitch, j, layer);
}

void rl_surface_find_meniscus(rl_surface *s, rl_surface_runner runner)
{
    rl_meniscus_find_distances(s, runner);
    rl_surface_for_tiles(s, runner, wet_tile);
    rl_surface_for_tiles(s, runner, others_tile);
}

// ---- Normals -----------------------------------------------------------------------------

// Tilts a normal towards or away from a wall (Dagenais sections 5.2 and 5.3, docs/meniscus.md).
// Shaders do the same, line by line; it needs no iteration and only sin, cos, atan and sqrt.
//
// With e the horizontal unit vector towards the wall and p the one across it, the tilt turns the
// part of the normal in the plane of e and up, and leaves its part along p:
//
//     n(t) = (n_e cos t - n_z sin t) e + (n_z cos t + n_e sin t) up + n_p p
//
// so that up itself becomes cos t up - sin t e: positive t leans away from the wall.

// Returns the tilt at the boundary. A concave meniscus (angle >= 0) is seen as it is. A convex one
// hides its own foot: the last visible point is the silhouette, where the normal is across the view
// v. With s = -t,
//
//     n(s) . v = c + a cos s - b sin s = c + r cos(s + f),    r^2 = a^2 + b^2, tan f = b / a
//
// is not negative up to s = acos(-c / r) - f, and for all s where c >= r.
static float boundary_tilt(float angle, float n_e, float n_p, float n_z, float v_e, float v_p,
                           float v_z)
{
    const float a = n_e * v_e + n_z * v_z, b = n_e * v_z - n_z * v_e, c = n_p * v_p;
    const float rest = a * a + b * b - c * c; // r^2 - c^2
    if (angle >= 0.0f)
        return angle;
    if (rest <= 0.0f) // all or nothing of it is visible
        return c >= 0.0f ? angle : 0.0f;
    const float visible = atan2f(sqrtf(rest), -c) - atan2f(b, a);
    return -fminf(-angle, fmaxf(visible, 0.0f));
}

void rl_meniscus_normal(const float normal[3], const rill_meniscus *meniscus, const float to_eye[3],
                        float out[3])
{
    RL_ASSERT(normal != NULL && meniscus != NULL && out != NULL);
    const float dx = meniscus->direction[0], dy = meniscus->direction[1];
    const float x = normal[0], y = normal[1], z = normal[2];
    const float far = sqrtf(dx * dx + dy * dy);
    out[0] = x;
    out[1] = y;
    out[2] = z;
    if (!(far > 0.0f))
        return;

    const float e_x = dx / far, e_y = dy / far;
    const float n_e = x * e_x + y * e_y, n_p = y * e_x - x * e_y;
    float tilt = meniscus->angle;
    if (to_eye != NULL)
        tilt = boundary_tilt(tilt, n_e, n_p, z, to_eye[0] * e_x + to_eye[1] * e_y,
                             to_eye[1] * e_x - to_eye[0] * e_y, to_eye[2]);
    tilt *= meniscus->weight;

    const float t_e = n_e * cosf(tilt) - z * sinf(tilt), t_z = z * cosf(tilt) + n_e * sinf(tilt);
    const float size = sqrtf(t_e * t_e + n_p * n_p + t_z * t_z);
    if (!(size > 0.0f))
        return;
    out[0] = (t_e * e_x - n_p * e_y) / size;
    out[1] = (t_e * e_y + n_p * e_x) / size;
    out[2] = t_z / size;
}
