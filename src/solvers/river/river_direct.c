// SPDX-License-Identifier: MIT
// river_direct.c - the direct solution at the end of the multigrid of the pressure.
//
// A large cell may hold water of two arms of a river with land between, where the pressure of a
// bend upstream meets that of a bend downstream. Taken as one cell they would be short-circuited,
// and iterations would have to undo it again and again. So the unknowns are *nodes*: the connected
// parts of the cells. A river is long and narrow; numbered from one end to the other (Cuthill and
// McKee) its nodes are coupled to numbers close by alone, and the factor stays small.
#include "solvers/river/river_project.h"

#include "core/assert.h"

#include <math.h>
#include <string.h>

// A pivot below this part of its diagonal belongs to water that no gate holds: there pressure is
// known up to a constant alone, and the node keeps 0.
#define LEAST_PIVOT 1e-9

#define NO_NODE (-1)

// ---- Memory ----------------------------------------------------------------------------

rill_status rl_river_direct_create(rl_river *r)
{
    RL_ASSERT(r->direct == NULL);
    rl_owned *own = &r->own;
    rl_river_direct *d = rl_owned_take(own, 1, sizeof *d);
    int most = 0;
    for (int k = 0; k < r->level_count; k++)
        most = r->levels[k].squares.capacity > most ? r->levels[k].squares.capacity : most;
    if (d != NULL) {
        d->map_bytes = (size_t)(most + 1) * RL_RIVER_AREA * sizeof(int);
        d->of_fine = rl_owned_take(own, d->map_bytes, 1);
        d->of_own = rl_owned_take(own, d->map_bytes, 1);
        d->nodes = rl_owned_take(own, RL_RIVER_MAX_NODES, sizeof *d->nodes);
        d->factor = rl_owned_take(own, RL_RIVER_MAX_FACTOR, sizeof *d->factor);
        d->solution = rl_owned_take(own, RL_RIVER_MAX_NODES, sizeof *d->solution);
    }
    r->direct = d;
    return own->failed ? rill_fail(RILL_NO_MEMORY, "no memory for the pressure of the river")
                       : RILL_OK;
}

// ---- Nodes -----------------------------------------------------------------------------

static int new_node(rl_river_direct *d)
{
    if (d->count == RL_RIVER_MAX_NODES)
        return NO_NODE;
    d->nodes[d->count] = (rl_river_node){.own_at = -1};
    return d->count++;
}

static bool has_equation(const rl_river_squares *s, int at)
{
    return at >= 0 && s->multigrid.inverse[at] > 0.0f;
}

// Nodes of the connected parts of the four smaller cells of cell (i, j). Two that touch at a corner
// alone are apart.
static bool split_cell(rl_river *r, rl_river_direct *d, int i, int j)
{
    const rl_river_level *fine = &r->levels[d->level - 1];
    int at[4], part[4];
    for (int n = 0; n < 4; n++) {
        const int a = 2 * i + n % 2, b = 2 * j + n / 2;
        const bool inside = a < fine->nx && b < fine->ny;
        at[n] = inside ? rl_river_packed_at(&fine->squares, a, b) : -1;
        part[n] = has_equation(&fine->squares, at[n]) ? n : -1;
    }
    static const int pairs[4][3] = {{0, 1, 0}, {2, 3, 0}, {0, 2, 1}, {1, 3, 1}};
    for (int round = 0; round < 2; round++)
        for (int n = 0; n < 4; n++) {
            const int a = pairs[n][0], b = pairs[n][1], axis = pairs[n][2];
            if (part[a] < 0 || part[b] < 0 ||
                !(rl_river_full(fine, axis, 2 * i + b % 2, 2 * j + b / 2) > 0.0f))
                continue;
            const int lower = part[a] < part[b] ? part[a] : part[b];
            part[a] = lower;
            part[b] = lower;
        }
    int node[4];
    for (int n = 0; n < 4; n++) {
        if (part[n] < 0)
            continue;
        node[n] = part[n] == n ? new_node(d) : node[part[n]];
        if (node[n] == NO_NODE)
            return false;
        d->of_fine[at[n]] = node[n];
    }
    return true;
}

// False when there are too many.
static bool find_nodes(rl_river *r, rl_river_direct *d)
{
    const rl_river_level *level = &r->levels[d->level];
    memset(d->of_fine, -1, d->map_bytes);
    memset(d->of_own, -1, d->map_bytes);
    d->count = 0;
    for (int n = 0; n < level->squares.units.count; n++) {
        const int square = level->squares.units.squares[n];
        int i0, j0;
        rl_river_corner(&level->squares, square, &i0, &j0);
        for (int c = 0; c < RL_RIVER_AREA; c++) {
            const int at = square * RL_RIVER_AREA + c;
            const int i = i0 + c % RL_SQUARE, j = j0 + c / RL_SQUARE;
            if (!has_equation(&level->squares, at))
                continue;
            if (rl_river_level_at(r, d->level, i, j) == d->level) {
                const int node = new_node(d);
                if (node == NO_NODE)
                    return false;
                d->of_own[at] = node;
                d->nodes[node].own_at = at;
            } else if (!split_cell(r, d, i, j)) {
                return false;
            }
        }
    }
    return true;
}

// The node that holds smaller cell (a, b) of level - 1, or cell (a, b) itself at level 0.
static int node_at(const rl_river *r, const rl_river_direct *d, int a, int b)
{
    RL_ASSERT(a >= 0 && b >= 0);
    if (d->level == 0)
        return d->of_own[rl_river_packed_at(&r->levels[0].squares, a, b)];
    const int fine = rl_river_packed_at(&r->levels[d->level - 1].squares, a, b);
    if (fine >= 0 && d->of_fine[fine] != NO_NODE)
        return d->of_fine[fine];
    const int own = rl_river_packed_at(&r->levels[d->level].squares, a / 2, b / 2);
    return own >= 0 ? d->of_own[own] : NO_NODE;
}

static void add_link(rl_river_direct *d, int a, int b, float weight)
{
    RL_ASSERT(a != b);
    rl_river_node *node = &d->nodes[a];
    int n = 0;
    while (n < node->links && node->beside[n] != b)
        n++;
    if (n == RL_RIVER_MAX_LINKS)
        return;
    if (n == node->links) {
        node->beside[node->links] = b;
        node->weight[node->links++] = 0.0f;
    }
    node->weight[n] += weight;
}

// A face of the smaller cells counts half: a large face is the mean of two.
static void link_face(rl_river *r, rl_river_direct *d, const rl_river_level *fine, int axis, int i,
                      int j)
{
    const float open = rl_river_full(fine, axis, i, j) * (d->level == 0 ? 1.0f : 0.5f);
    const int last = axis == 0 ? fine->nx : fine->ny, along = axis == 0 ? i : j;
    if (!(open > 0.0f))
        return;
    const int low_i = axis == 0 ? i - 1 : i, low_j = axis == 0 ? j : j - 1;
    const int low = along > 0 ? node_at(r, d, low_i, low_j) : NO_NODE;
    const int high = along < last ? node_at(r, d, i, j) : NO_NODE;
    if (low == high)
        return;
    if (along == 0 && high != NO_NODE)
        d->nodes[high].diagonal += 2.0f * open;
    if (along == last && low != NO_NODE)
        d->nodes[low].diagonal += 2.0f * open;
    if (low == NO_NODE || high == NO_NODE)
        return;
    d->nodes[low].diagonal += open;
    d->nodes[high].diagonal += open;
    add_link(d, low, high, open);
    add_link(d, high, low, open);
}

static void link_nodes(rl_river *r, rl_river_direct *d)
{
    const rl_river_level *fine = &r->levels[d->level > 0 ? d->level - 1 : 0];
    const rl_river_squares *s = &fine->squares;
    for (int n = 0; n < s->count; n++) {
        int i0, j0;
        rl_river_corner(s, n, &i0, &j0);
        for (int j = j0; j < j0 + RL_SQUARE && j <= fine->ny; j++)
            for (int i = i0; i < i0 + RL_SQUARE && i <= fine->nx; i++) {
                // Between the smaller cells of one large cell there is no face of its level.
                if (j < fine->ny && (d->level == 0 || i % 2 == 0 || i == fine->nx))
                    link_face(r, d, fine, 0, i, j);
                if (i < fine->nx && (d->level == 0 || j % 2 == 0 || j == fine->ny))
                    link_face(r, d, fine, 1, i, j);
            }
    }
}

// ---- Order -----------------------------------------------------------------------------

// Numbers the nodes that can be reached from `start` by how far they are, from `from` on; returns
// the next number. The last one is among the farthest.
static int spread(rl_river_direct *d, int start, int from)
{
    int next = from;
    d->nodes[start].number = next;
    d->nodes[next++].at_number = start;
    for (int n = from; n < next; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        for (int m = 0; m < node->links; m++) {
            rl_river_node *beside = &d->nodes[node->beside[m]];
            if (beside->number != NO_NODE)
                continue;
            beside->number = next;
            d->nodes[next++].at_number = node->beside[m];
        }
    }
    return next;
}

// Each connected part is numbered from an end of it: the farthest node from the farthest one.
static void number_nodes(rl_river_direct *d)
{
    for (int n = 0; n < d->count; n++)
        d->nodes[n].number = NO_NODE;
    int from = 0;
    for (int n = 0; n < d->count; n++) {
        if (d->nodes[n].number != NO_NODE)
            continue;
        int start = n;
        for (int round = 0; round < 2; round++) {
            const int end = spread(d, start, from);
            start = d->nodes[end - 1].at_number;
            for (int m = from; m < end; m++)
                d->nodes[d->nodes[m].at_number].number = NO_NODE;
        }
        from = spread(d, start, from);
    }
}

// Rows of the lower triangle; false when the factor has no capacity for them.
static bool lay_rows(rl_river_direct *d)
{
    size_t used = 0;
    for (int n = 0; n < d->count; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        int first = n;
        for (int m = 0; m < node->links; m++) {
            const int beside = d->nodes[node->beside[m]].number;
            first = beside < first ? beside : first;
        }
        d->nodes[n].first = first;
        d->nodes[n].row = used;
        used += (size_t)(n - first + 1);
        if (used > RL_RIVER_MAX_FACTOR)
            return false;
    }
    memset(d->factor, 0, used * sizeof *d->factor);
    for (int n = 0; n < d->count; n++) {
        const rl_river_node *node = &d->nodes[d->nodes[n].at_number];
        double *row = d->factor + d->nodes[n].row;
        row[n - d->nodes[n].first] = (double)node->diagonal;
        for (int m = 0; m < node->links; m++) {
            const int beside = d->nodes[node->beside[m]].number;
            if (beside < n)
                row[beside - d->nodes[n].first] = -(double)node->weight[m];
        }
    }
    return true;
}

// ---- Factor and solution ---------------------------------------------------------------

// A = L L^T in the place of A; the diagonal keeps its inverse.
static void factor(rl_river_direct *d)
{
    for (int n = 0; n < d->count; n++) {
        double *row = d->factor + d->nodes[n].row;
        const int first = d->nodes[n].first;
        const double before = row[n - first];
        for (int m = first; m < n; m++) {
            const double *other = d->factor + d->nodes[m].row;
            const int start = d->nodes[m].first;
            double value = row[m - first];
            for (int c = first > start ? first : start; c < m; c++)
                value -= row[c - first] * other[c - start];
            row[m - first] = value * other[m - start];
            row[n - first] -= row[m - first] * row[m - first];
        }
        const double pivot = row[n - first];
        row[n - first] = pivot > LEAST_PIVOT * before ? 1.0 / sqrt(pivot) : 0.0;
    }
}

// From here on the maps give numbers, which the solution is sorted by.
static void renumber(rl_river_direct *d)
{
    const size_t cells = d->map_bytes / sizeof(int);
    for (size_t n = 0; n < cells; n++) {
        if (d->of_fine[n] != NO_NODE)
            d->of_fine[n] = d->nodes[d->of_fine[n]].number;
        if (d->of_own[n] != NO_NODE)
            d->of_own[n] = d->nodes[d->of_own[n]].number;
    }
}

void rl_river_direct_prepare(rl_river *r, rl_river_direct *d)
{
    for (d->level = r->coarsest_work; d->level < r->level_count; d->level++) {
        if (!find_nodes(r, d))
            continue;
        link_nodes(r, d);
        number_nodes(d);
        if (lay_rows(d)) {
            factor(d);
            renumber(d);
            return;
        }
    }
    // Nothing of the last level fits: sweeps are left alone.
    d->level = r->level_count - 1;
    d->count = 0;
    memset(d->of_fine, -1, d->map_bytes);
    memset(d->of_own, -1, d->map_bytes);
}

void rl_river_direct_solve(rl_river_direct *d)
{
    double *y = d->solution;
    for (int n = 0; n < d->count; n++) {
        const int first = d->nodes[n].first;
        const double *row = d->factor + d->nodes[n].row;
        double value = y[n];
        for (int m = first; m < n; m++)
            value -= row[m - first] * y[m];
        y[n] = value * row[n - first];
    }
    for (int n = d->count - 1; n >= 0; n--) {
        const int first = d->nodes[n].first;
        const double *row = d->factor + d->nodes[n].row;
        y[n] *= row[n - first];
        for (int m = first; m < n; m++)
            y[m] -= row[m - first] * y[n];
    }
}
