// SPDX-License-Identifier: MIT
// layers_cross.c - the list of cross pipes, which join columns of different planes.
#include "solvers/layers/layers.h"

#include "core/assert.h"

#include <string.h>

// Cross pipes that begin in cells [i0, i1) of a row of a plane, in the order of the list. Writes
// them unless `out` is NULL; returns their number.
static size_t cross_of_row(const rl_layers *s, int plane, int j, int i0, int i1,
                           rl_layers_cross *out)
{
    RL_ASSERT(plane >= 0 && plane < s->planes && i0 >= 0 && i1 <= s->nx);
    size_t count = 0;
    for (int i = i0; i < i1; i++) {
        const size_t from = rl_layers_slot(s, plane, i, j);
        if (!rl_layers_live(s, from))
            continue;
        for (int other = 0; other < s->planes; other++) {
            if (other == plane)
                continue;
            const size_t to[2] = {rl_layers_slot(s, other, i + 1, j),
                                  rl_layers_slot(s, other, i, j + 1)};
            const bool exists[2] = {i + 1 < s->nx, j + 1 < s->ny};
            for (uint32_t north = 0; north < 2; north++) {
                if (!exists[north] ||
                    !rl_layers_are_joined(s, (ptrdiff_t)from, (ptrdiff_t)to[north]))
                    continue;
                if (out != NULL)
                    out[count] = (rl_layers_cross){(uint32_t)from, (uint32_t)to[north], north};
                count++;
            }
        }
    }
    return count;
}

static size_t count_within(const rl_layers *s, int i0, int j0, int i1, int j1)
{
    size_t count = 0;
    for (int j = j0; j < j1; j++)
        for (int plane = 0; plane < s->planes; plane++)
            count += cross_of_row(s, plane, j, i0, i1, NULL);
    return count;
}

size_t rl_layers_count_cross(const rl_layers *s)
{
    return s->on_solid ? count_within(s, 0, 0, s->nx, s->ny) : 0;
}

typedef struct place {
    int plane, i, j;
} place;

static place place_of(const rl_layers *s, uint32_t slot)
{
    RL_ASSERT(slot / s->base.pitch < s->plane_rows * (size_t)s->planes);
    const size_t row = slot / s->base.pitch;
    return (place){(int)(row / s->plane_rows), (int)(slot % s->base.pitch),
                   (int)(row % s->plane_rows)};
}

// Rows without cross pipes are swept by quicker loops.
static void mark_crossed(rl_layers *s)
{
    memset(s->crossed, 0, (size_t)s->planes * ((size_t)s->ny + 2));
    for (size_t n = 0; n < s->cross_count; n++) {
        const place from = place_of(s, s->cross[n].from), to = place_of(s, s->cross[n].to);
        s->crossed[rl_layers_flag_of(s, from.plane, from.j)] = 1;
        s->crossed[rl_layers_flag_of(s, to.plane, to.j)] = 1;
    }
}

void rl_layers_list_cross(rl_layers *s)
{
    s->cross_count = 0;
    for (int j = 0; j < s->ny; j++) {
        s->cross_first[j] = s->cross_count;
        for (int plane = 0; plane < s->planes && s->on_solid; plane++) {
            const size_t count = cross_of_row(s, plane, j, 0, s->nx, NULL);
            if (count > s->cross_capacity - s->cross_count)
                continue;
            cross_of_row(s, plane, j, 0, s->nx, s->cross + s->cross_count);
            s->cross_count += count;
        }
    }
    s->cross_first[s->ny] = s->cross_count;
    mark_crossed(s);
}

// ---- Changing a part of the list -------------------------------------------------------

static bool begins_in(const rl_layers *s, const rl_box *r, uint32_t from)
{
    const place p = place_of(s, from);
    return p.i >= r->i0 && p.i < r->i1 && p.j >= r->j0 && p.j < r->j1;
}

// What a list is put together from.
typedef struct merge {
    rl_layers *s;
    size_t old, old_end; // next pipe of the old list, and the end of its row
    size_t count;        // of the new list
} merge;

static void keep_old(merge *m)
{
    RL_ASSERT(m->count < m->s->cross_capacity && m->old < m->old_end);
    m->s->cross_spare[m->count] = m->s->cross[m->old];
    m->s->cross_raw[m->count++] = m->s->cross_q[m->old++];
}

// The new pipes of one plane of a row within the region; the old ones beside them come along in
// order. Lists are in the order of `from`, then of `to`.
static void merge_plane(merge *m, int plane, int j, const rl_box *r)
{
    rl_layers *s = m->s;
    const uint32_t first = (uint32_t)rl_layers_slot(s, plane, r->i0, j);
    while (m->old < m->old_end && s->cross[m->old].from < first)
        keep_old(m);
    rl_layers_cross *made = s->cross_spare + m->count;
    const size_t count = cross_of_row(s, plane, j, r->i0, r->i1, made);
    const uint32_t end = first + (uint32_t)(r->i1 - r->i0);
    for (size_t n = 0; n < count; n++) {
        float q = 0.0f;
        for (; m->old < m->old_end; m->old++) {
            const rl_layers_cross *was = &s->cross[m->old];
            if (was->from > made[n].from || (was->from == made[n].from && was->to > made[n].to))
                break;
            if (was->from == made[n].from && was->to == made[n].to)
                q = s->cross_q[m->old];
        }
        s->cross_raw[m->count++] = q;
    }
    while (m->old < m->old_end && s->cross[m->old].from < end)
        m->old++;
}

static void merge_lists(rl_layers *s, const rl_box *r)
{
    merge m = {.s = s};
    for (int j = 0; j < s->ny; j++) {
        m.old_end = s->cross_first[j + 1];
        s->cross_first[j] = m.count;
        for (int plane = 0; plane < s->planes && j >= r->j0 && j < r->j1; plane++)
            merge_plane(&m, plane, j, r);
        while (m.old < m.old_end)
            keep_old(&m);
    }
    s->cross_first[s->ny] = m.count;
    rl_layers_cross *list = s->cross;
    s->cross = s->cross_spare;
    s->cross_spare = list;
    for (size_t n = 0; n < m.count || n < s->cross_count; n++)
        s->cross_q[n] = n < m.count ? s->cross_raw[n] : 0.0f;
    s->cross_count = m.count;
}

bool rl_layers_find_cross(rl_layers *s, int i0, int j0, int i1, int j1)
{
    RL_ASSERT(s->on_solid);
    const rl_box r = {i0 < 0 ? 0 : i0, j0 < 0 ? 0 : j0, i1 > s->nx ? s->nx : i1,
                      j1 > s->ny ? s->ny : j1};
    size_t count = s->cross_count + count_within(s, r.i0, r.j0, r.i1, r.j1);
    for (size_t n = s->cross_first[r.j0]; n < s->cross_first[r.j1]; n++)
        count -= begins_in(s, &r, s->cross[n].from);
    if (count > s->cross_capacity)
        return false;
    merge_lists(s, &r);
    mark_crossed(s);
    return true;
}
