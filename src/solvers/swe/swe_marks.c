// SPDX-License-Identifier: MIT
// swe_marks.c - faces that the user has closed: a bit a face, in rows of 32-bit words.
#include "solvers/swe/swe.h"

#include "core/assert.h"

#define BITS 32

size_t rl_swe_mark_words(int nx)
{
    return ((size_t)nx + BITS - 1) / BITS;
}

static uint32_t *words_of(const rl_swe *s, int axis, int y)
{
    RL_ASSERT((axis == 0 || axis == 1) && y >= 0 && y < s->ny);
    return s->marks[axis] + (size_t)y * s->mark_words;
}

bool rl_swe_is_marked(const rl_swe *s, int axis, int i, int y)
{
    if (i < 0 || i >= s->nx || y < 0 || y >= s->ny)
        return false;
    return words_of(s, axis, y)[i / BITS] >> (i % BITS) & 1u;
}

void rl_swe_count_marks(rl_swe *s)
{
    s->some_marked = false;
    for (int axis = 0; axis < 2; axis++)
        for (size_t w = 0; w < (size_t)s->ny * s->mark_words; w++)
            s->some_marked |= s->marks[axis][w] != 0;
}

void rl_swe_set_mark(rl_swe *s, int axis, int i, int y, bool closed)
{
    RL_ASSERT(i >= 0 && i < s->nx);
    uint32_t *word = &words_of(s, axis, y)[i / BITS];
    const uint32_t bit = (uint32_t)1 << (i % BITS);
    *word = closed ? *word | bit : *word & ~bit;
}

void rl_swe_mark_face(void *self, int axis, int i, int j, bool closed)
{
    rl_swe *s = self;
    if (i < 0 || i >= s->nx || j < 0 || j >= s->ny)
        return;
    rl_swe_set_mark(s, axis, i, j, closed);
    if (!closed) {
        rl_swe_count_marks(s);
        return;
    }
    s->some_marked = true;
    rill_field_row(axis == 0 ? &rl_swe_now(s)->u : &rl_swe_now(s)->v, j)[i] = 0.0f;
    rl_swe_slip_row(s, j);
}

static void zero_marked(const rl_swe *s, int axis, int y, float *values)
{
    const uint32_t *words = words_of(s, axis, y);
    for (size_t w = 0; w < s->mark_words; w++)
        for (uint32_t left = words[w]; left != 0; left &= left - 1) {
            int bit = 0;
            while (!(left >> bit & 1u))
                bit++;
            values[w * BITS + (size_t)bit] = 0.0f;
        }
}

void rl_swe_close_marked(const rl_swe *s, int y, float *x, float *z)
{
    if (!s->some_marked)
        return;
    zero_marked(s, 0, y, x);
    zero_marked(s, 1, y, z);
}
