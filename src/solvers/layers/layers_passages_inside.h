// SPDX-License-Identifier: MIT
// layers_passages_inside.h - what the files of flooded passages have in common.
//
// Passages are searched with bits. A *line* is a row of a covered plane, one row beyond each end
// of the plane included; cell x of a line is bit x + 1, so that ghosts have bits too. A *run* is a
// stretch of flooded columns of one line that are joined one to the next, a passage is a set of
// runs (union-find), and what is known of a passage is summed up in its first run.
#pragma once

#include "core/flags.h"
#include "solvers/layers/layers.h"
#include "solvers/layers/layers_passages_cell.h"

// ---- Bits ------------------------------------------------------------------------------
// Rows of columns are bits, 64 to a word.

// The word with its lowest bit alone.
static inline uint64_t rl_bits_first(uint64_t word)
{
    return word & (~word + 1);
}

// Sums in pairs, in fours, in bytes; the product adds the bytes.
static inline int rl_bits_count(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(word * 0x0101010101010101u >> 56);
}

// Word w of a row in which every bit has moved to the next, or to the one before.
static inline uint64_t rl_bits_from_west(const uint64_t *row, int w)
{
    return row[w] << 1 | (w > 0 ? row[w - 1] >> 63 : 0);
}

static inline uint64_t rl_bits_from_east(const uint64_t *row, int w, int words)
{
    return row[w] >> 1 | (w + 1 < words ? row[w + 1] << 63 : 0);
}

// The bits [first, end) of a row that lie in word w.
static inline uint64_t rl_bits_mask(int w, int first, int end)
{
    const int low = first - 64 * w, high = end - 64 * w;
    uint64_t mask = ~(uint64_t)0;
    if (low > 0)
        mask = low < 64 ? mask << low : 0;
    if (high < 64)
        mask &= high > 0 ? ~(~(uint64_t)0 << high) : 0;
    return mask;
}

// Bytes of 0 and 1 to bits, eight at a time: the product gathers their low bits in its top byte.
static inline void rl_bits_pack(const uint8_t *bytes, int words, uint64_t *bits)
{
    for (int w = 0; w < words; w++) {
        uint64_t word = 0;
        for (int n = 0; n < 8; n++, bytes += 8) {
            uint64_t eight = 0;
            for (int i = 0; i < 8; i++)
                eight |= (uint64_t)bytes[i] << 8 * i;
            word |= (eight * 0x0102040810204080u >> 56) << 8 * n;
        }
        bits[w] = word;
    }
}

// ---- Sums ------------------------------------------------------------------------------
// Sums over the gateways and runs of a passage have an order that a device can follow with 32
// threads: terms in chunks of 32, each added up in pairs, then one chunk after the other. What a
// chunk lacks counts as zero.

enum { RL_SUM_TERMS = 32 };

typedef struct rl_chunk_sum {
    double terms[RL_SUM_TERMS], total;
    int count;
} rl_chunk_sum;

static inline void rl_chunk_sum_close(rl_chunk_sum *sum)
{
    for (int n = sum->count; n < RL_SUM_TERMS; n++)
        sum->terms[n] = 0.0;
    for (int half = RL_SUM_TERMS / 2; half > 0; half /= 2)
        for (int n = 0; n < half; n++)
            sum->terms[n] += sum->terms[n + half];
    sum->total += sum->terms[0];
    sum->count = 0;
}

static inline void rl_chunk_sum_begin(rl_chunk_sum *sum)
{
    sum->total = 0.0;
    sum->count = 0;
}

static inline void rl_chunk_sum_add(rl_chunk_sum *sum, double term)
{
    sum->terms[sum->count++] = term;
    if (sum->count == RL_SUM_TERMS)
        rl_chunk_sum_close(sum);
}

static inline double rl_chunk_sum_end(rl_chunk_sum *sum)
{
    if (sum->count > 0)
        rl_chunk_sum_close(sum);
    return sum->total;
}

// ---- State -----------------------------------------------------------------------------

enum { RL_GATE_X, RL_GATE_Y, RL_GATE_CROSS };

// A face between a column of a passage and one outside.
typedef struct rl_layers_gateway {
    int32_t face;      // slot in qx or qy, or number of the cross pipe
    uint32_t root;     // first run of its passage
    float height;      // of the opening, metres
    float conductance; // section over length, metres: a head h pushes with push * conductance * h
    uint8_t kind;      // RL_GATE_
    int8_t inward;     // 1: a positive discharge enters the passage; -1: it leaves
    uint8_t airy;      // 1: air stands at the ceiling of the opening, outside
    uint8_t fresh;     // 1: its column was not flooded in the step before
    uint8_t beyond;    // 1 + the side of the grid that it leads across, or 0
} rl_layers_gateway;

typedef struct rl_layers_run {
    int32_t line, first, end; // cells [first, end)
    uint32_t parent;          // of the union-find; itself in the first run of a passage
    // Of the run, then of the whole passage in its first run:
    int32_t columns;
    int32_t joints;   // faces inside
    uint64_t along;   // sum over columns of the harmonic mean height of their run,
    uint64_t across;  // of one over the mean height of their run,
    uint64_t lacking; // of the depth they lack to their ceilings: layers_passages_cell.h
    // Of the passage, in its first run:
    uint32_t gateway_first, gateway_count;
    float head;           // mean level at its gateways without air, metres; without any, far below
    float mean_x, mean_y; // discharge inside, m^2/s
    double filling;       // part of what its columns lack that they get in this step
    bool opened; // it is none: air enters where it is emptied, or there are too many gateways
} rl_layers_run;

// A straight pipe of section 3.3, from its western or southern gateway to the other.
typedef struct rl_layers_axis_pipe {
    rl_layers_gateway in, out;
    int32_t columns;
    float inverse; // sum over its columns of one over their height, 1/metres
} rl_layers_axis_pipe;

// A column of limited inflow. Discharges through its cross pipes, m^2/s.
typedef struct rl_layers_limited {
    int32_t slot;
    float limiter; // of its inflow that fits if nothing leaves
    float entering, leaving;
} rl_layers_limited;

// What is done against ripples; tests turn it off to measure it.
typedef struct rl_layers_calm {
    bool hand_over;  // discharges go on when passages connect and open
    bool hysteresis; // a passage opens later than it connects
} rl_layers_calm;

struct rl_layers_passages {
    int lines, words;                           // words of a line
    uint64_t *flooded, *join_east, *join_north; // per line; a column and its neighbour
    uint8_t *active;                            // per line: there are flooded columns
    uint8_t *known;                             // per line: its joints are known
    rill_border border[RILL_SIDE_COUNT];        // for which they are known
    uint8_t *bytes;                             // one line, a byte a column
    uint32_t *first_run;                        // per line and one more
    rl_layers_run *runs;
    size_t run_count, run_capacity;
    rl_layers_gateway *gateways; // sorted by passage
    rl_layers_gateway *found;    // the same in the order they were found
    size_t gateway_count, gateway_capacity;
    rl_layers_axis_pipe *pipes; // RILL_PASSAGES_AXIS only
    uint64_t *ended[2];         // per line: columns in which a pipe along x, along y ends
    size_t pipe_count;
    rl_layers_limited *limited;
    size_t limited_count, limited_capacity;
    bool to_search; // some line may be active, or columns may be marked as flooded
    rl_layers_calm calm;
};

void rl_layers_passages_set_calm(rl_layers *s, rl_layers_calm calm);

// ---- Places ----------------------------------------------------------------------------

static inline int rl_passages_line(const rl_layers *s, int plane, int y)
{
    return (plane - 1) * (s->ny + 2) + y + 1;
}

// The words of a line in one of the arrays of bits.
static inline uint64_t *rl_passages_bits(const rl_layers_passages *p, uint64_t *bits, int line)
{
    return bits + (size_t)line * (size_t)p->words;
}

// Slot of cell 0 of a line.
static inline ptrdiff_t rl_passages_line_slot(const rl_layers *s, int line)
{
    const int plane = 1 + line / (s->ny + 2), y = line % (s->ny + 2) - 1;
    return (ptrdiff_t)s->base.pitch * ((ptrdiff_t)s->plane_rows * plane + y);
}

static inline void rl_passages_place(const rl_layers *s, ptrdiff_t slot, int *plane, int *y, int *x)
{
    const int32_t pitch = (int32_t)s->base.pitch, row = (int32_t)slot / pitch;
    *plane = row / (int32_t)s->plane_rows;
    *y = row % (int32_t)s->plane_rows;
    *x = (int32_t)slot % pitch;
}

static inline ptrdiff_t rl_gate_from(const rl_layers *s, const rl_layers_gateway *g)
{
    return g->kind == RL_GATE_CROSS ? (ptrdiff_t)s->cross[g->face].from : g->face;
}

static inline ptrdiff_t rl_gate_to(const rl_layers *s, const rl_layers_gateway *g)
{
    switch (g->kind) {
    case RL_GATE_X:
        return g->face + 1;
    case RL_GATE_Y:
        return g->face + (ptrdiff_t)s->base.pitch;
    default:
        return (ptrdiff_t)s->cross[g->face].to;
    }
}

static inline ptrdiff_t rl_gate_inside(const rl_layers *s, const rl_layers_gateway *g)
{
    return g->inward > 0 ? rl_gate_to(s, g) : rl_gate_from(s, g);
}

static inline ptrdiff_t rl_gate_outside(const rl_layers *s, const rl_layers_gateway *g)
{
    return g->inward > 0 ? rl_gate_from(s, g) : rl_gate_to(s, g);
}

// Whether the pipe runs from south to north.
static inline bool rl_gate_is_north(const rl_layers *s, const rl_layers_gateway *g)
{
    return g->kind == RL_GATE_Y || (g->kind == RL_GATE_CROSS && s->cross[g->face].north);
}

// Discharge of the step before, and of the step being taken.
static inline float *rl_gate_old(const rl_layers *s, const rl_layers_gateway *g)
{
    return g->kind == RL_GATE_X   ? &s->qx.origin[g->face]
           : g->kind == RL_GATE_Y ? &s->qy.origin[g->face]
                                  : &s->cross_q[g->face];
}

static inline float *rl_gate_raw(const rl_layers *s, const rl_layers_gateway *g)
{
    return g->kind == RL_GATE_X   ? &s->raw_x.origin[g->face]
           : g->kind == RL_GATE_Y ? &s->raw_y.origin[g->face]
                                  : &s->cross_raw[g->face];
}

// ---- Passages --------------------------------------------------------------------------

typedef struct rl_layers_passage {
    rl_layers_run *root;
    rl_layers_gateway *gateways;
    uint32_t count;
} rl_layers_passage;

// The passage that begins with a run; without gateways when there is none.
static inline rl_layers_passage rl_passages_at(const rl_layers_passages *p, size_t run)
{
    rl_layers_run *root = &p->runs[run];
    const bool is_one = root->parent == run && !root->opened;
    return (rl_layers_passage){root, p->gateways + root->gateway_first,
                               is_one ? root->gateway_count : 0};
}

// Calls a function for each passage that has gateways.
static inline void rl_passages_each(rl_layers *s,
                                    void (*call)(rl_layers *s, const rl_layers_passage *a))
{
    for (size_t n = 0; n < s->passages->run_count; n++) {
        const rl_layers_passage a = rl_passages_at(s->passages, n);
        if (a.count > 0)
            call(s, &a);
    }
}

// ---- Columns ---------------------------------------------------------------------------

// Marks in `flooded` while passages are searched; a column that is not full has 0. Where air
// enters a full column the mark is negative.
#define RL_MARK_FULL     1.0f // full, was not flooded in the step before
#define RL_MARK_FULL_YET 2.0f // full, was flooded in the step before

static inline float rl_passages_level(const rl_layers *s, ptrdiff_t slot)
{
    return s->base.origin[slot] + s->depth.origin[slot];
}

// The lower ceiling of two columns, metres.
static inline float rl_passages_ceiling(const rl_layers *s, ptrdiff_t i, ptrdiff_t j)
{
    const float a = s->range_max.origin[i], b = s->range_max.origin[j];
    return a < b ? a : b;
}

static inline float rl_passages_air_level(const rl_layers *s, ptrdiff_t inside, ptrdiff_t outside,
                                          bool was_flooded)
{
    return rl_passages_air_level_of((float)s->cell_size, s->base.origin[inside],
                                    s->range_max.origin[inside],
                                    rl_passages_ceiling(s, inside, outside), was_flooded);
}

// ---- Finding ---------------------------------------------------------------------------

// Marks full columns and sets their bits; returns whether there are any (layers_passages_full.c).
bool rl_layers_find_full(rl_layers *s);
// Opens those that air enters.
void rl_layers_open_to_air(rl_layers *s);
void rl_layers_open(rl_layers *s, ptrdiff_t slot);
// Whether air stands at the ceiling between a full column and another.
bool rl_layers_is_airy(const rl_layers *s, ptrdiff_t inside, ptrdiff_t outside);
void rl_layers_clear_marks(rl_layers *s, int plane, int y);

// The run that holds a flooded column.
uint32_t rl_layers_run_at(const rl_layers *s, ptrdiff_t slot);

// A gateway between two columns, found before columns are marked anew (layers_passages_find.c).
// `x`, `y` is the cell of the one inside.
rl_layers_gateway rl_layers_gateway_at(const rl_layers *s, int kind, ptrdiff_t face, bool inward,
                                       int x, int y);

// ---- Of a step -------------------------------------------------------------------------

// The level that counts outside of a gateway, metres (layers_passages.c).
double rl_layers_gateway_level(const rl_layers *s, const rl_layers_gateway *g);
// rl_passages_filling of a passage.
double rl_layers_passage_filling(const rl_layers *s, const rl_layers_passage *a);

// The discharge of a gateway after limiting (layers_passages_balance.c).
float rl_layers_gateway_limited(const rl_layers *s, const rl_layers_gateway *g);

// Puts what `left` m^2/s bring in this step into the remainder of the deepest column outside, so
// that no liquid is lost.
void rl_layers_book_rounding(rl_layers *s, const rl_layers_gateway *gateways, uint32_t count,
                             double left);

// Sets the discharges of the faces inside passages, to their mean flow or to nothing.
void rl_layers_set_inside(rl_layers *s, rill_field *x, rill_field *y, float *cross, bool mean);

// Counts what leaves a column as capacity for what arrives (layers_passages_capacity.c); then, when
// passages are balanced, takes back what counted on more than leaves. Returns whether there was
// any. `safely`: in such columns nothing that leaves counts any more.
void rl_layers_widen_capacities(rl_layers *s);
bool rl_layers_narrow_capacities(rl_layers *s, bool safely);

// ---- Straight pipes (layers_passages_axis.c) -------------------------------------------

void rl_layers_axis_find(rl_layers *s);
void rl_layers_axis_drive(rl_layers *s);
void rl_layers_axis_balance(rl_layers *s);
void rl_layers_axis_close(rl_layers *s);
void rl_layers_axis_settle(rl_layers *s);
