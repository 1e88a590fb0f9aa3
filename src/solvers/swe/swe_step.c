// SPDX-License-Identifier: MIT
// swe_step.c - one step as one sweep over bands of rows. A band reads the water of before, which
// no band changes, and writes its own rows of the water of after; the few rows beyond its ends that
// it needs it computes for itself. Its rows roll through the cache:
//
//     row y+1   carry:    semi-Lagrangian advection         (MacCormack only)
//     row y     correct:  MacCormack's correction           (MacCormack only)
//               flow:     what moves through the faces, and the outflow limiters of the cells
//     row y-1   fill:     discharges limited, depths of after
//               bores:    their pressures
//     row y-2   push:     velocities of after; advection, if it keeps momentum
#include "solvers/swe/swe.h"

#include "core/assert.h"
#include "solvers/swe/swe_bore_cell.h"

#include <string.h>

// ---- Bands -----------------------------------------------------------------------------

static void take_rows(rl_swe *s, float **rows, int count)
{
    for (int n = 0; n < count; n++)
        rows[n] = rl_band_rows_take(&s->rows_of_bands);
}

void rl_swe_lay_bands(rl_swe *s)
{
    s->ones = rl_band_rows_take_filled(&s->rows_of_bands, 1.0f);
    s->zeros = rl_band_rows_take_filled(&s->rows_of_bands, 0.0f);
    take_rows(s, &s->absorbing.profile_x, 1);
    take_rows(s, &s->absorbing.level_x, 1);
    for (int n = 0; n < s->band_count; n++) {
        rl_swe_band *band = &s->bands[n];
        rl_swe_scratch *c = &band->scratch;
        band->y0 = rl_band_first(s->ny, s->band_count, n);
        band->y1 = rl_band_first(s->ny, s->band_count, n + 1);
        float **const rings[] = {c->advected_u, c->advected_v, c->u, c->v, c->qx, c->qy};
        for (size_t r = 0; r < sizeof rings / sizeof rings[0]; r++)
            take_rows(s, rings[r], RL_SWE_RING);
        float **const pairs[] = {c->low_u,  c->high_u,     c->low_v,
                                 c->high_v, c->pressure_x, c->pressure_y};
        for (size_t r = 0; r < sizeof pairs / sizeof pairs[0]; r++)
            take_rows(s, pairs[r], 2);
        take_rows(s, &c->depth_beyond, 1);
        take_rows(s, &c->remainder_beyond, 1);
        take_rows(s, &c->phi_beyond, 1);
        take_rows(s, &c->over_falls, 1);
        for (int r = 0; r < RL_SWE_RING; r++)
            c->limiter[r] = rl_band_rows_take_filled(&s->rows_of_bands, 1.0f);
    }
}

// ---- One band --------------------------------------------------------------------------

typedef struct sweep {
    rl_swe *s;
    rl_swe_band *band;
    rl_swe_scratch *scratch;
    const rl_swe_moving *old;
    rl_swe_moving *new;
    bool conservative;
    bool limited[RL_SWE_RING];
    bool bores[2]; // by odd and even rows
} sweep;

static int ring(int y)
{
    return y & (RL_SWE_RING - 1);
}

static int clamp(int y, int low, int high)
{
    return y < low ? low : y > high ? high : y;
}

// Rows of before. Beyond the grid lies what lies at its edge: walls let water slip, and past open
// borders nothing changes.
static const float *old_u(const sweep *w, int y)
{
    return rill_field_row(&w->old->u, clamp(y, 0, w->s->ny - 1));
}

static const float *old_v(const sweep *w, int y)
{
    return rill_field_row(&w->old->v, clamp(y, -1, w->s->ny - 1));
}

static rl_swe_around around_old(const sweep *w, int y)
{
    return (rl_swe_around){old_u(w, y - 1), old_u(w, y), old_u(w, y + 1),
                           old_v(w, y - 1), old_v(w, y), old_v(w, y + 1)};
}

// Faces at the borders are not advected.
static const float *advected_u(const sweep *w, int y)
{
    return w->scratch->advected_u[ring(clamp(y, 0, w->s->ny - 1))];
}

static const float *advected_v(const sweep *w, int y)
{
    return y < 0 || y >= w->s->ny - 1 ? old_v(w, y) : w->scratch->advected_v[ring(y)];
}

static void carry_row(sweep *w, int y)
{
    const rl_swe *s = w->s;
    if (y < 0 || y >= s->ny)
        return;
    rl_swe_scratch *c = w->scratch;
    float *u = c->advected_u[ring(y)], *v = c->advected_v[ring(y)];
    const rl_swe_carry_row row = {
        .nx = s->nx,
        .old = around_old(w, y),
        .u = u,
        .v = v,
        .u_low = c->low_u[y & 1],
        .u_high = c->high_u[y & 1],
        .v_low = c->low_v[y & 1],
        .v_high = c->high_v[y & 1],
    };
    s->rows->carry(&row, s->k);
    u[-1] = row.old.u[-1];
    u[s->nx - 1] = row.old.u[s->nx - 1];
    v[-1] = v[0];
    v[s->nx] = v[s->nx - 1];
}

static void correct_row(sweep *w, int y)
{
    const rl_swe *s = w->s;
    if (y < 0 || y >= s->ny)
        return;
    rl_swe_scratch *c = w->scratch;
    const rl_swe_correct_row row = {
        .nx = s->nx,
        .old = around_old(w, y),
        .advected = {advected_u(w, y - 1), advected_u(w, y), advected_u(w, y + 1),
                     advected_v(w, y - 1), advected_v(w, y), advected_v(w, y + 1)},
        .u_low = c->low_u[y & 1],
        .u_high = c->high_u[y & 1],
        .v_low = c->low_v[y & 1],
        .v_high = c->high_v[y & 1],
        .u = c->u[ring(y)],
        .v = c->v[ring(y)],
    };
    s->rows->correct(&row, s->k);
}

// ---- Flow ------------------------------------------------------------------------------

static rl_swe_border_face face_of(float velocity, float inner, float bed, float depth, float sign,
                                  int along)
{
    return (rl_swe_border_face){sign * velocity, sign * inner, bed, depth, along};
}

// The faces at the western and eastern ends of row y of the water `m`.
static rl_swe_border_face west_face(const rl_swe *s, const float *u, const float *depth, int y)
{
    return face_of(u[-1], u[0], rill_field_row(&s->bed, y)[0], depth[0], -1.0f, y);
}

static rl_swe_border_face east_face(const rl_swe *s, const float *u, const float *depth, int y)
{
    const int last = s->nx - 1;
    return face_of(u[last], u[last - 1], rill_field_row(&s->bed, y)[last], depth[last], 1.0f, y);
}

// Discharges through the southern (y = -1) or northern border.
static void flow_border_row(sweep *w, rill_side side)
{
    RL_ASSERT(side == RILL_SIDE_SOUTH || side == RILL_SIDE_NORTH);
    const rl_swe *s = w->s;
    const bool south = side == RILL_SIDE_SOUTH;
    const int y = south ? 0 : s->ny - 1;
    float *qy = w->scratch->qy[ring(south ? -1 : y)];
    if (!rl_swe_lets_through(s, side)) {
        memset(qy, 0, (size_t)s->nx * sizeof *qy);
        return;
    }
    const float sign = south ? -1.0f : 1.0f;
    const float *v = old_v(w, south ? -1 : y), *inner = old_v(w, south ? 0 : y - 1);
    const float *bed = rill_field_row(&s->bed, y), *depth = rill_field_row(&w->old->depth, y);
    for (int i = 0; i < s->nx; i++) {
        const rl_swe_border_face f = face_of(v[i], inner[i], bed[i], depth[i], sign, i);
        qy[i] = sign * rl_swe_border_flow_of(&s->side[side], f, s->k).discharge;
    }
}

// The faces within row y and north of it that are not what the row loops take them for. Returns
// whether there may be any.
static bool mend_flow(sweep *w, int y, const rl_swe_flow_row *row)
{
    const rl_swe *s = w->s;
    bool mended = s->some_marked;
    if (y == s->ny - 1 && rl_swe_lets_through(s, RILL_SIDE_NORTH)) {
        flow_border_row(w, RILL_SIDE_NORTH);
        mended = true;
    }
    rl_swe_close_marked(s, y, row->qx, row->qy);
    return mended;
}

static void flow_row(sweep *w, int y)
{
    const rl_swe *s = w->s;
    rl_swe_scratch *c = w->scratch;
    w->limited[ring(y)] = false;
    if (y == -1)
        flow_border_row(w, RILL_SIDE_SOUTH);
    if (y < 0 || y >= s->ny)
        return;
    const float *u_old = old_u(w, y);
    rl_swe_flow_row row = {
        .nx = s->nx,
        .open_east = rl_swe_lets_through(s, RILL_SIDE_EAST),
        .u = w->conservative ? u_old : c->u[ring(y)],
        .v = w->conservative ? old_v(w, y) : c->v[ring(y)],
        .depth = rill_field_row(&w->old->depth, y),
        .depth_north = rill_field_row(&w->old->depth, y + 1),
        .qy_south = c->qy[ring(y - 1)],
        .qx = c->qx[ring(y)],
        .qy = c->qy[ring(y)],
        .limiter = c->limiter[ring(y)],
    };
    const rl_swe_border_face west = west_face(s, u_old, row.depth, y);
    row.qx[-1] = -rl_swe_border_flow_of(&s->side[RILL_SIDE_WEST], west, s->k).discharge;
    if (row.open_east) {
        const rl_swe_border_face east = east_face(s, u_old, row.depth, y);
        row.qx_east = rl_swe_border_flow_of(&s->side[RILL_SIDE_EAST], east, s->k).discharge;
    }
    bool limited = s->rows->flow(&row, s->k);
    if (mend_flow(w, y, &row))
        limited = s->rows->limiter(&row, s->k);
    w->limited[ring(y)] = limited;
}

// ---- Depths ----------------------------------------------------------------------------

static const float *limiters_of(const sweep *w, int y)
{
    return w->limited[ring(y)] ? w->scratch->limiter[ring(y)] : w->s->ones;
}

// New depths of row y; that of the row north of the band is kept for the band alone.
static float *new_depth(const sweep *w, int y)
{
    RL_ASSERT(y >= w->band->y0 && y <= w->band->y1);
    return y == w->band->y1 && y < w->s->ny ? w->scratch->depth_beyond
                                            : rill_field_row(&w->new->depth, y);
}

static void absorb_row(sweep *w, int y, float *depth)
{
    const rl_swe *s = w->s;
    const bool beyond = y == w->band->y1;
    if (!s->absorbing.on)
        return;
    float *phi = beyond ? w->scratch->phi_beyond : rill_field_row(&w->new->phi, y);
    const double added = rl_swe_absorb_in_row(s, y, w->old, depth, phi);
    if (!beyond)
        rl_exchange_book(&w->band->moved, added);
}

static rl_swe_discharges discharges(const sweep *w, int y)
{
    const rl_swe_scratch *c = w->scratch;
    return (rl_swe_discharges){c->qx[ring(y)], c->qy[ring(y - 1)], c->qy[ring(y)]};
}

// What came over cliffs into row y, and what of it went south to the row before.
static void drop_row(sweep *w, int y, float *depth, float *remainder)
{
    rl_swe *s = w->s;
    float *over = w->scratch->over_falls;
    if (s->fall_count == 0)
        return;
    if (y > 0)
        rl_swe_subtract_falls(s, y, over, depth, remainder);
    rl_swe_take_falls(s, y, rill_field_row(&w->old->depth, y), discharges(w, y), over, depth,
                      remainder, y != w->band->y1);
}

static void fill_row(sweep *w, int y)
{
    rl_swe *s = w->s;
    rl_swe_band *band = w->band;
    rl_swe_scratch *c = w->scratch;
    if (y < band->y0 || y > band->y1 || y >= s->ny)
        return;
    const bool beyond = y == band->y1, limit = w->limited[ring(y)] || w->limited[ring(y + 1)];
    float *qy_south = c->qy[ring(y - 1)];
    if (y == band->y0) {
        if (w->limited[ring(y - 1)] || w->limited[ring(y)])
            s->rows->limit(qy_south, limiters_of(w, y - 1), limiters_of(w, y), s->nx);
        if (y == 0 && rl_swe_lets_through(s, RILL_SIDE_SOUTH))
            rl_exchange_book_row(&band->moved, qy_south, s->nx, 1.0);
        if (y > 0 && s->fall_count > 0)
            rl_swe_begin_falls(s, y, rill_field_row(&w->old->depth, y - 1), qy_south,
                               c->over_falls);
    }
    const rl_swe_fill_row row = {
        .nx = s->nx,
        .limiter = limiters_of(w, y),
        .limiter_north = limiters_of(w, y + 1),
        .qx = c->qx[ring(y)],
        .qy = c->qy[ring(y)],
        .qy_south = qy_south,
        .depth = rill_field_row(&w->old->depth, y),
        .remainder = rill_field_row(&w->old->remainder, y),
        .depth_out = new_depth(w, y),
        .remainder_out = beyond ? c->remainder_beyond : rill_field_row(&w->new->remainder, y),
    };
    if (limit)
        s->rows->limit_and_fill(&row, s->k);
    else
        s->rows->fill(&row, s->k);
    // The vector past the last cell took what went over the border.
    row.depth_out[s->nx] = row.remainder_out[s->nx] = 0.0f;
    absorb_row(w, y, row.depth_out);
    drop_row(w, y, row.depth_out, row.remainder_out);
    if (beyond)
        return;
    rl_exchange_book(&band->moved, (double)row.qx[-1]);
    rl_exchange_book(&band->moved, -(double)row.qx[s->nx - 1]);
    if (y == s->ny - 1 && rl_swe_lets_through(s, RILL_SIDE_NORTH))
        rl_exchange_book_row(&band->moved, row.qy, s->nx, -1.0);
}

// ---- Bores -----------------------------------------------------------------------------

// Past open borders the row loop finds still and dry ghosts where water should be mirrored.
// `inwards` is the next cell.
static void mend_bore(const rl_swe *s, const rl_swe_bore_row *row, int i, int inwards)
{
    const float *u = row->u + i;
    const rl_swe_compression a =
        rl_swe_compress(inwards > 0 ? 0.0f : u[-2], u[-1], u[0], inwards > 0 ? u[1] : 0.0f);
    const rl_swe_end here = rl_swe_end_of(row->bed[i], row->depth[i]);
    const rl_swe_end next = rl_swe_end_of(row->bed[i + inwards], row->depth[i + inwards]);
    rl_swe_compression mirrored = rl_swe_mirror(a, u[-1], u[0]);
    *(inwards > 0 ? &mirrored.before : &mirrored.after) = a.here;
    const float depth = rl_swe_compressed_depth(inwards > 0 ? here : next, here,
                                                inwards > 0 ? next : here, u[-1], u[0]);
    const float own = rl_swe_moving_depth(row->depth[i], s->k);
    row->pressure_x[i] =
        rl_keep(rl_swe_is_bore(a, rl_swe_smooth(a, s->k)),
                rl_swe_bore_pressure(a.here, rl_swe_smooth(mirrored, s->k),
                                     rl_swe_bore_speed(own, s->k), rl_min(own, depth), s->k));
}

// Row y, and those beside it; beyond the borders itself.
static void set_bore_cells(const sweep *w, int y, rl_swe_bore_row *row)
{
    const int south = y > 0 ? y - 1 : y, north = y + 1 < w->s->ny ? y + 1 : y;
    row->bed_south = rill_field_row(&w->s->bed, south);
    row->bed = rill_field_row(&w->s->bed, y);
    row->bed_north = rill_field_row(&w->s->bed, north);
    row->depth_south = rill_field_row(&w->old->depth, south);
    row->depth = rill_field_row(&w->old->depth, y);
    row->depth_north = rill_field_row(&w->old->depth, north);
}

// The pressures of bores in row y.
static void bore_row(sweep *w, int y)
{
    const rl_swe *s = w->s;
    if (y < w->band->y0 || y > w->band->y1 || y >= s->ny)
        return;
    rl_swe_bore_row row = {
        .nx = s->nx,
        .at_south = y == 0,
        .at_north = y == s->ny - 1,
        .u = old_u(w, y),
        .v_before = y > 0 ? old_v(w, y - 2) : s->zeros,
        .v_south = old_v(w, y - 1),
        .v_north = old_v(w, y),
        .v_after = y + 1 < s->ny ? old_v(w, y + 1) : s->zeros,
        .pressure_x = w->scratch->pressure_x[y & 1],
        .pressure_y = w->scratch->pressure_y[y & 1],
    };
    set_bore_cells(w, y, &row);
    const bool some = s->rows->bores(&row, s->k);
    w->bores[y & 1] = some;
    if (some && rl_swe_lets_through(s, RILL_SIDE_WEST))
        mend_bore(s, &row, 0, 1);
    if (some && rl_swe_lets_through(s, RILL_SIDE_EAST))
        mend_bore(s, &row, s->nx - 1, -1);
}

// ---- Velocities ------------------------------------------------------------------------

static float larger(float a, float b)
{
    return a > b ? a : b;
}

// New velocity of a border face: what the flow advected there, then the push.
static float push_face(const rl_swe *s, rill_side side, rl_swe_border_face old, float inner,
                       float depth)
{
    const float advected = rl_swe_border_flow_of(&s->side[side], old, s->k).velocity;
    const rl_swe_border_face now = {advected, inner, old.bed, depth, old.along};
    return rl_swe_border_push(s, side, old, now);
}

static void push_border_row(sweep *w, rill_side side)
{
    RL_ASSERT(side == RILL_SIDE_SOUTH || side == RILL_SIDE_NORTH);
    const rl_swe *s = w->s;
    const bool south = side == RILL_SIDE_SOUTH;
    const int y = south ? 0 : s->ny - 1, face = south ? -1 : y, next = south ? 0 : y - 1;
    float *v = rill_field_row(&w->new->v, face);
    if (!rl_swe_lets_through(s, side)) {
        for (int i = -1; south && i <= s->nx; i++)
            v[i] = -0.0f; // the northern border is one more row of faces that reflect
        return;
    }
    const float sign = south ? -1.0f : 1.0f;
    const float *v_old = old_v(w, face), *inner_old = old_v(w, next);
    const float *inner = rill_field_row(&w->new->v, next), *bed = rill_field_row(&s->bed, y);
    const float *depth_old = rill_field_row(&w->old->depth, y), *depth = new_depth(w, y);
    float most = 0.0f;
    for (int i = 0; i < s->nx; i++) {
        const rl_swe_border_face f = face_of(v_old[i], inner_old[i], bed[i], depth_old[i], sign, i);
        const float now = push_face(s, side, f, sign * inner[i], depth[i]);
        v[i] = south ? 0.0f - now : now; // never -0, which is for faces that reflect
        most = larger(most, now < 0.0f ? -now : now);
    }
    v[-1] = v[0];
    v[s->nx] = v[s->nx - 1];
    w->band->largest.v = larger(w->band->largest.v, most);
}

static void push_ends(sweep *w, int y)
{
    RL_ASSERT(y >= w->band->y0 && y < w->band->y1);
    const rl_swe *s = w->s;
    const int last = s->nx - 1;
    const float *u_old = old_u(w, y), *depth_old = rill_field_row(&w->old->depth, y);
    const float *depth = new_depth(w, y);
    float *u = rill_field_row(&w->new->u, y), west = 0.0f, east = 0.0f;
    u[-1] = -0.0f;
    if (rl_swe_lets_through(s, RILL_SIDE_WEST)) {
        const rl_swe_border_face f = west_face(s, u_old, depth_old, y);
        west = push_face(s, RILL_SIDE_WEST, f, -u[0], depth[0]);
        u[-1] = 0.0f - west;
    }
    if (rl_swe_lets_through(s, RILL_SIDE_EAST)) {
        const rl_swe_border_face f = east_face(s, u_old, depth_old, y);
        u[last] = east = push_face(s, RILL_SIDE_EAST, f, u[last - 1], depth[last]);
    }
    const float most = larger(west < 0.0f ? -west : west, east < 0.0f ? -east : east);
    w->band->largest.u = larger(w->band->largest.u, most);
}

static void push_row(sweep *w, int y)
{
    rl_swe *s = w->s;
    rl_swe_band *band = w->band;
    rl_swe_scratch *c = w->scratch;
    if (y < band->y0 || y >= band->y1)
        return;
    const rl_swe_push_row row = {
        .nx = s->nx,
        .bed = rill_field_row(&s->bed, y),
        .bed_north = rill_field_row(&s->bed, y + 1),
        .depth = new_depth(w, y),
        .depth_north = new_depth(w, y + 1),
        .depth_old = rill_field_row(&w->old->depth, y),
        .depth_old_north = rill_field_row(&w->old->depth, y + 1),
        .old = around_old(w, y),
        .u_advected = c->u[ring(y)],
        .v_advected = c->v[ring(y)],
        .qx = c->qx[ring(y)],
        .qx_north = c->qx[ring(y + 1)],
        .qy_south = c->qy[ring(y - 1)],
        .qy = c->qy[ring(y)],
        .qy_north = c->qy[ring(y + 1)],
        .pressure_x = w->bores[y & 1] ? c->pressure_x[y & 1] : s->zeros,
        .pressure_y = w->bores[y & 1] ? c->pressure_y[y & 1] : s->zeros,
        .pressure_y_north = w->bores[(y + 1) & 1] ? c->pressure_y[(y + 1) & 1] : s->zeros,
        .u = rill_field_row(&w->new->u, y),
        .v = rill_field_row(&w->new->v, y),
    };
    const int slowed = rl_swe_slowed(s);
    const bool bores = w->bores[0] || w->bores[1];
    const rl_swe_largest most = w->conservative ? s->rows->push_kept[bores][slowed](&row, s->k)
                                                : s->rows->push[bores][slowed](&row, s->k);
    band->largest.depth = larger(band->largest.depth, most.depth);
    band->largest.u = larger(band->largest.u, most.u);
    band->largest.v = larger(band->largest.v, most.v);
    if (s->absorbing.on)
        rl_swe_damp_in_row(s, y, row.u, row.v);
    push_ends(w, y);
    if (y == 0)
        push_border_row(w, RILL_SIDE_SOUTH);
    if (y == s->ny - 1)
        push_border_row(w, RILL_SIDE_NORTH);
    rl_swe_close_marked(s, y, row.u, row.v);
    row.v[-1] = row.v[0];
    row.v[s->nx] = row.v[s->nx - 1];
}

// The water of before, with what stresses of eddies left of its velocities.
static rl_swe_moving water_before(const rl_swe *s)
{
    rl_swe_moving before = s->moving[s->now];
    if (s->eddies.rows != NULL) {
        before.u = s->eddies.u;
        before.v = s->eddies.v;
    }
    return before;
}

static void sweep_band(void *context, int n)
{
    rl_swe *s = context;
    rl_swe_band *band = &s->bands[n];
    const rl_swe_moving before = water_before(s);
    sweep w = {.s = s,
               .band = band,
               .scratch = &band->scratch,
               .old = &before,
               .new = &s->moving[!s->now],
               .conservative = s->def.advection == RILL_ADVECTION_CONSERVATIVE};
    band->largest = (rl_swe_largest){0};
    band->moved = (rl_exchange){0};
    const int first = band->y0 - 2;
    if (!w.conservative)
        for (int y = first - 1; y <= first; y++)
            carry_row(&w, y);
    for (int y = first; y <= band->y1 + 1; y++) {
        if (!w.conservative) {
            carry_row(&w, y + 1);
            correct_row(&w, y);
        }
        flow_row(&w, y);
        fill_row(&w, y - 1);
        bore_row(&w, y - 1);
        push_row(&w, y - 2);
    }
}

void rl_swe_sweep(rl_swe *s, rl_jobs *jobs)
{
    RL_ASSERT(s->now == 0 || s->now == 1);
    rl_jobs_run(jobs, s->band_count, sweep_band, s);
    s->now = !s->now;
}
