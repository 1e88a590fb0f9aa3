// SPDX-License-Identifier: MIT
// mirror.c - which side of a device-resident solver has what, and what travels when (mirror.h).
#include "gpu/cuda/mirror/mirror.h"

#include "core/assert.h"
#include "core/numbers.h"
#include "solvers/shared/grid_solver.h"

#include "rill/support.h"

#include <string.h>

#define MOST_ASKED 16        // times that runs grow,
#define LONGEST    (1 << 14) // and the square root of the rows of a run after that

static size_t all_rows(const rl_mirror *m)
{
    return (size_t)m->planes * (size_t)m->ny;
}

// ---- Making ----------------------------------------------------------------------------

static bool take_memory(rl_mirror *m)
{
    RL_ASSERT(m->planes > 0 && m->host_max != NULL);
    const size_t ny = (size_t)m->ny, rows = all_rows(m);
    m->has_mutex = pthread_mutex_init(&m->mutex, NULL) == 0;
    m->queue.row_counts = rl_owned_take(&m->own, ny, sizeof *m->queue.row_counts);
    m->device_max = rl_owned_take(&m->own, ny, sizeof *m->device_max);
    m->row_fresh = rl_owned_take(&m->own, rows, sizeof *m->row_fresh);
    m->row_dirty = rl_owned_take(&m->own, rows, sizeof *m->row_dirty);
    return m->has_mutex && !m->own.failed;
}

static int make_device(rl_mirror *m)
{
    rl_deposit_queue *q = &m->queue;
    int error = m->ops->make_device(m);
    if (error == 0)
        error = rl_deposit_queue_pin(q, (int64_t)m->nx * m->ny);
    return error != 0 ? error : m->ops->reserve(m->device, q->run_capacity, q->amount_capacity);
}

static rill_status make(rl_mirror *m, const rill_world_def *def, rl_isa isa)
{
    RILL_TRY(m->ops->host->create(def, isa, &m->host));
    RILL_TRY(m->ops->prepare(m));
    if (!take_memory(m))
        return rl_mirror_no_memory(m->ops);
    const int error = make_device(m);
    if (error != 0)
        return rill_fail(RILL_DEVICE, "the GPU cannot hold %d x %d cells of the %s solver: %s",
                         m->nx, m->ny, m->ops->host->name, rl_device_text(error));
    m->host_leads = true;
    return RILL_OK;
}

rill_status rl_mirror_no_memory(const rl_mirror_ops *ops)
{
    return rill_fail(RILL_NO_MEMORY, "no memory for the %s solver beside the GPU", ops->host->name);
}

rill_status rl_mirror_create(const rl_mirror_ops *ops, const rill_world_def *def, rl_isa isa,
                             void **self)
{
    RL_ASSERT(ops->size >= sizeof(rl_mirror) && ops->host != NULL);
    const rill_allocator *allocator = &def->host.allocator;
    rl_mirror *m = rl_owned_create(allocator, ops->size);
    *self = m;
    if (m == NULL)
        return rl_mirror_no_memory(ops);
    m->ops = ops;
    m->allocator = *allocator;
    m->nx = def->nx;
    m->ny = def->ny;
    m->cell_size = (double)def->cell_size;
    const rill_status status = make(m, def, isa);
    if (status != RILL_OK)
        rl_mirror_destroy(allocator, self);
    return status;
}

void rl_mirror_destroy(const rill_allocator *allocator, void **self)
{
    rl_mirror *m = *self;
    if (m == NULL)
        return;
    m->ops->release(m);
    rl_evaporation_destroy(&m->evaporation);
    rl_deposit_queue_unpin(&m->queue);
    m->ops->host->destroy(allocator, &m->host);
    if (m->has_mutex)
        pthread_mutex_destroy(&m->mutex);
    rl_owned_destroy(allocator, self);
}

size_t rl_mirror_memory(const void *self)
{
    const rl_mirror *m = self;
    const rl_deposit_queue *q = &m->queue;
    return rl_owned_memory(m) + m->ops->host->memory(m->host) +
           (m->ops->memory != NULL ? m->ops->memory(m) : 0) +
           (size_t)q->run_capacity * (2 * sizeof *q->runs + sizeof *q->rows) +
           (size_t)q->amount_capacity * sizeof *q->amounts;
}

// ---- To the device ---------------------------------------------------------------------

// Waits for rows and fields that are under way.
static void finish_copies(rl_mirror *m)
{
    if (m->ops->copies_wait)
        rl_mirror_note(m, m->ops->settle(m->device));
}

// Hands queued deposits to the device.
static void hand_over(rl_mirror *m)
{
    if (m->queue.run_count == 0)
        return;
    const rl_queued_deposit queued = rl_deposit_queue_take(&m->queue, m->ny);
    rl_mirror_note(m, m->ops->give(m->device, &queued));
    m->max_stale = true;
    m->fresh &= ~m->ops->column_fields; // where the host has led since
}

// Dirty rows, in runs that end with their plane.
static void send_rows(rl_mirror *m)
{
    RL_ASSERT(m->some_dirty && !m->host_leads);
    const int rows = (int)all_rows(m);
    for (int row = 0; row < rows; row++) {
        const int end_of_plane = (row / m->ny + 1) * m->ny;
        int end = row;
        while (end < end_of_plane && m->row_dirty[end])
            end++;
        if (end == row)
            continue;
        m->ops->upload_rows(m, row, end - row);
        row = end - 1;
    }
    memset(m->row_dirty, 0, (size_t)rows);
    m->some_dirty = false;
    finish_copies(m);
}

void rl_mirror_to_device(rl_mirror *m)
{
    m->ops->upload(m, m->host_leads);
    if (m->host_leads) {
        m->fresh = m->ops->sent_fields;
        memset(m->row_dirty, 0, all_rows(m));
        m->some_dirty = m->host_leads = m->max_stale = false;
        finish_copies(m);
    }
    if (m->some_dirty)
        send_rows(m);
    hand_over(m);
}

// ---- To the host -----------------------------------------------------------------------

// What deposits on the device left, and what those of the host did.
static void fetch_max(rl_mirror *m)
{
    if (!m->max_stale)
        return;
    m->max_stale = false;
    rl_mirror_note(m, m->ops->running_max(m->device, m->device_max));
    for (int y = 0; y < m->ny; y++)
        m->host_max[y] = m->device_max[y] > m->host_max[y] ? m->device_max[y] : m->host_max[y];
    if (m->ops->max_fetched != NULL)
        m->ops->max_fetched(m);
}

static void to_host(rl_mirror *m, unsigned fields)
{
    if (m->host_leads)
        return;
    rl_mirror_to_device(m);
    const unsigned missing = fields & ~m->fresh;
    if (missing != 0)
        m->ops->download(m, missing);
    m->fresh |= fields;
    finish_copies(m);
    fetch_max(m);
}

void rl_mirror_read(rl_mirror *m, unsigned fields)
{
    pthread_mutex_lock(&m->mutex);
    to_host(m, fields);
    pthread_mutex_unlock(&m->mutex);
}

// All of the state, for a host that does not lead.
static void fetch_state(rl_mirror *m, bool leads)
{
    to_host(m, m->ops->state_fields);
    if (m->ops->fetched != NULL)
        m->ops->fetched(m, leads);
}

static void lead(rl_mirror *m)
{
    if (m->host_leads)
        return;
    fetch_state(m, true);
    m->host_leads = true;
}

void rl_mirror_lead(rl_mirror *m)
{
    pthread_mutex_lock(&m->mutex);
    lead(m);
    pthread_mutex_unlock(&m->mutex);
}

// ---- Single rows -----------------------------------------------------------------------

static bool is_here(const rl_mirror *m, int row)
{
    return m->row_fresh[row] || m->row_dirty[row];
}

// Downloads a row, and the more rows after it in its plane the more times single rows were asked
// for: bodies, drains and evaporation want many. Rows travel with their ghosts, so those of the
// device must be the ones of now.
static void fetch_rows(rl_mirror *m, int row)
{
    RL_ASSERT(!m->host_leads && row >= 0 && (size_t)row < all_rows(m) && !is_here(m, row));
    m->ops->upload(m, false);
    hand_over(m);
    const int asked = m->rows_asked, end = (row / m->ny + 1) * m->ny;
    const int root = asked < MOST_ASKED ? asked + m->ops->run_first : LONGEST;
    const int most = m->ops->run_factor * root * root;
    m->rows_asked += asked < MOST_ASKED;
    int count = 1;
    while (count < most && row + count < end && !is_here(m, row + count))
        count++;
    m->ops->download_rows(m, row, count);
    finish_copies(m);
    memset(m->row_fresh + row, 1, (size_t)count);
}

static void read_rows(rl_mirror *m, int first, int end)
{
    const int rows = (int)all_rows(m);
    const unsigned fields = m->ops->row_fields;
    for (int row = first < 0 ? 0 : first; row < end && row < rows; row++) {
        if (!is_here(m, row) && (m->fresh & fields) != fields)
            fetch_rows(m, row);
        m->row_fresh[row] = 1;
    }
}

void rl_mirror_read_rows(rl_mirror *m, int first, int end)
{
    pthread_mutex_lock(&m->mutex);
    if (!m->host_leads)
        read_rows(m, first, end);
    pthread_mutex_unlock(&m->mutex);
}

// Makes a row the host's to change; with momentum the row before it, too.
static void take_row(rl_mirror *m, int row, bool pushes)
{
    RL_ASSERT(!m->host_leads && row >= 0 && (size_t)row < all_rows(m));
    read_rows(m, pushes ? row - 1 : row, pushes ? row + 2 : row + 1);
    m->row_dirty[row] = 1;
    if (pushes && row > 0)
        m->row_dirty[row - 1] = 1;
    m->some_dirty = true;
}

// ---- Deposits --------------------------------------------------------------------------

// Waits until the memory of the queue may be changed.
static void settle(rl_mirror *m)
{
    if (m->queue.under_way)
        rl_mirror_note(m, m->ops->settle(m->device));
    m->queue.under_way = false;
}

// Queues a deposit; false when it is larger than the whole queue.
static bool queue_deposit(rl_mirror *m, const rl_deposit *d)
{
    rl_deposit_queue *q = &m->queue;
    RL_ASSERT(d->count >= 0 && !m->row_dirty[d->row]);
    if (d->count > q->amount_capacity)
        return false;
    if (!rl_deposit_queue_fit(q, d->count))
        hand_over(m);
    settle(m);
    rl_deposit_queue_add(q, d);
    m->row_fresh[d->row] = 0;
    m->fresh &= ~m->ops->column_fields;
    return true;
}

double rl_mirror_deposit(void *self, const rl_deposit *d)
{
    rl_mirror *m = self;
    const int layer = m->planes > 1 ? d->layer : 0, row = layer * m->ny + d->row;
    const bool pushes = d->momentum_x != NULL || d->momentum_y != NULL;
    // Only open columns take whatever they are given.
    const bool gives = !pushes && layer == 0 && !rl_run_some_negative(d->depth, d->count);
    RL_ASSERT(layer >= 0 && layer < m->planes && d->row >= 0 && d->row < m->ny);
    pthread_mutex_lock(&m->mutex);
    bool queued = false;
    if (pushes && !m->ops->pushes_rows)
        lead(m);
    if (!m->host_leads) {
        queued = gives && !m->row_dirty[row] && queue_deposit(m, d);
        if (!queued)
            take_row(m, row, pushes);
    }
    pthread_mutex_unlock(&m->mutex);
    if (queued)
        return rl_run_sum(d->depth, d->count) * m->cell_size * m->cell_size;
    return m->ops->host->deposit(m->host, d);
}

static void rain(rl_mirror *m, float depth, double *row_volumes)
{
    // After deposits that wait: the device takes both in this order.
    if (m->queue.run_count + m->ny > m->queue.run_capacity)
        hand_over(m);
    settle(m);
    rl_deposit_queue_rain(&m->queue, m->nx, m->ny, depth, m->cell_size, row_volumes);
}

static void evaporate(rl_mirror *m, float depth, double *row_volumes)
{
    RL_ASSERT(depth < 0.0f && m->ops->evaporation_cells != NULL);
    hand_over(m);
    rl_evaporation_cells cells;
    m->ops->evaporation_cells(m->device, &cells);
    rl_mirror_note(m,
                   rl_evaporation_step(&m->evaporation, &cells, depth, m->cell_size, row_volumes));
    m->queue.under_way = false; // it has waited for all before it
    m->max_stale = true;
}

bool rl_mirror_rain(void *self, float depth, double *row_volumes)
{
    rl_mirror *m = self;
    pthread_mutex_lock(&m->mutex);
    const bool at_once = !m->host_leads && !m->some_dirty && m->ny <= m->queue.run_capacity;
    if (at_once) {
        (depth < 0.0f ? evaporate : rain)(m, depth, row_volumes);
        memset(m->row_fresh, 0, all_rows(m));
        m->fresh &= ~m->ops->column_fields;
    }
    pthread_mutex_unlock(&m->mutex);
    return at_once;
}

// ---- The whole water -------------------------------------------------------------------

// Reading may send what waits and fetch running maxima: the water is the same.
static rl_mirror *mirror_of(const void *self)
{
    return (rl_mirror *)self;
}

double rl_mirror_volume(const void *self, rl_jobs *jobs)
{
    rl_mirror *m = mirror_of(self);
    RL_ASSERT(m->ops->row_sums == NULL || m->row_sums != NULL);
    if (m->ops->row_sums == NULL)
        rl_mirror_read(m, m->ops->column_fields);
    if (m->ops->row_sums == NULL || m->host_leads)
        return m->ops->host->volume(m->host, jobs);
    pthread_mutex_lock(&m->mutex);
    rl_mirror_to_device(m);
    rl_mirror_note(m, m->ops->row_sums(m->device, m->row_sums));
    pthread_mutex_unlock(&m->mutex);
    rl_sum sum = {0};
    for (int y = 0; y < m->ny; y++)
        rl_sum_add(&sum, m->row_sums[y]);
    return rl_sum_value(&sum) * m->cell_size * m->cell_size;
}

static void read_state(rl_mirror *m)
{
    pthread_mutex_lock(&m->mutex);
    if (!m->host_leads)
        fetch_state(m, false);
    pthread_mutex_unlock(&m->mutex);
}

int rl_mirror_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    rl_mirror *m = self;
    read_state(m);
    return m->ops->host->state(m->host, arrays);
}

const char *rl_mirror_validate(void *self)
{
    rl_mirror *m = self;
    read_state(m);
    return m->ops->host->validate(m->host);
}

rill_columns rl_mirror_read_columns(void *self, rl_jobs *jobs, const rl_columns_request *request)
{
    rl_mirror *m = self;
    if (request == NULL || request->box_count > 0)
        rl_mirror_read(m, m->ops->depth_fields | m->ops->flow_fields);
    else if (request->row_end - request->row_first == m->ny)
        rl_mirror_read(m, m->ops->depth_fields);
    else
        rl_mirror_read_rows(m, request->row_first, request->row_end);
    return m->ops->host->columns(m->host, jobs, request);
}

int rl_mirror_columns(rl_mirror *m, float wet_depth, rl_device_columns *columns)
{
    RL_ASSERT(m->ops->columns != NULL);
    *columns = (rl_device_columns){0};
    pthread_mutex_lock(&m->mutex);
    rl_mirror_to_device(m);
    rl_mirror_note(m, m->ops->columns(m->device, wet_depth, columns));
    pthread_mutex_unlock(&m->mutex);
    columns->view.nx = m->nx;
    columns->view.ny = m->ny;
    columns->view.cell_size = (float)m->cell_size;
    columns->view.wet_depth = wet_depth;
    return m->error;
}

rill_field *rl_mirror_bed(void *self)
{
    rl_mirror *m = self;
    return m->ops->host->bed(m->host);
}

int rl_mirror_changed(void *self)
{
    rl_mirror *m = self;
    m->fresh = 0;
    m->max_stale = true;
    memset(m->row_fresh, 0, all_rows(m));
    return m->error;
}

// ---- Steps -----------------------------------------------------------------------------

double rl_mirror_stable_step(const void *self)
{
    rl_mirror *m = mirror_of(self);
    rl_mirror_read(m, m->ops->stable_fields);
    return m->ops->host->stable_step(m->host);
}

// One substep of a given length.
void rl_mirror_step(void *self, rl_jobs *jobs, double dt, rl_exchange *exchange)
{
    rl_mirror *m = self;
    rl_substeps substeps = {.left = dt, .max_substeps = 1};
    m->ops->advance(m, jobs, &substeps, exchange);
}

float rl_mirror_take_max(rl_mirror *m, float deepest)
{
    RL_ASSERT(!m->host_leads && !m->some_dirty && m->queue.run_count == 0);
    for (int y = 0; y < m->ny; y++) {
        deepest = m->host_max[y] > deepest ? m->host_max[y] : deepest;
        m->host_max[y] = -1.0f;
    }
    return deepest;
}

rill_status rl_mirror_end_step(rl_mirror *m)
{
    if (!m->host_leads)
        rl_mirror_changed(m);
    m->max_stale = false;
    m->rows_asked = 0;
    m->queue.under_way = false;
    return m->error == 0 ? RILL_OK
                         : rill_fail(RILL_DEVICE, "the GPU failed: %s", rl_device_text(m->error));
}
