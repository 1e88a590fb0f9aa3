// SPDX-License-Identifier: MIT
// The mirror by itself, between a solver of the host that only adds numbers and a device that is
// none. What the device is told to do waits until it must be done, as in a stream: memory that is
// changed too early shows. Numbers are small and whole, so that every sum is exact.
#include "gpu/cuda/mirror/mirror.h"

#include "core/random_cell.h"
#include "tests/gpu/fake_device.h"
#include "tests/kit/kit.h"

enum { NX = 8, NY = 21, PLANES = 3, ROWS = PLANES * NY, DEPTH = 1, FLOW = 2 };

// ---- A solver of the host --------------------------------------------------------------

typedef struct numbers {
    float depth[ROWS][NX], flow[ROWS][NX], running_max[NY];
} numbers;

static rill_status numbers_create(const rill_world_def *def, rl_isa isa, void **self)
{
    numbers *s = calloc(1, sizeof *s);
    (void)def;
    (void)isa;
    for (int y = 0; y < NY; y++)
        s->running_max[y] = -1.0f;
    *self = s;
    return RILL_OK;
}

static void numbers_destroy(const rill_allocator *allocator, void **self)
{
    (void)allocator;
    free(*self);
    *self = NULL;
}

static size_t numbers_memory(const void *self)
{
    (void)self;
    return sizeof(numbers);
}

static void raise_max(numbers *s, int row, float depth)
{
    float *most = &s->running_max[row % NY];
    *most = depth > *most ? depth : *most;
}

// Momentum goes to the row before, too, and is the larger the deeper the row after is.
static double numbers_deposit(void *self, const rl_deposit *d)
{
    numbers *s = self;
    const int row = d->layer * NY + d->row;
    double given = 0.0;
    for (int n = 0; n < d->count; n++) {
        const int i = d->first + n;
        const float before = s->depth[row][i], sum = before + d->depth[n];
        s->depth[row][i] = sum > 0.0f ? sum : 0.0f;
        given += (double)s->depth[row][i] - (double)before;
        raise_max(s, row, s->depth[row][i]);
        if (d->momentum_x == NULL)
            continue;
        s->flow[row][i] += d->momentum_x[n];
        if (d->row > 0)
            s->flow[row - 1][i] += d->momentum_x[n];
        if (d->row + 1 < NY && s->depth[row + 1][i] > 5.0f)
            s->flow[row][i] += 1.0f;
    }
    return given;
}

static double numbers_volume(const void *self, rl_jobs *jobs)
{
    const numbers *s = self;
    double sum = 0.0;
    (void)jobs;
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < NX; i++)
            sum += (double)s->depth[row][i];
    return sum;
}

static int numbers_state(void *self, rill_state_array arrays[RL_MAX_STATE_ARRAYS])
{
    numbers *s = self;
    arrays[0] = (rill_state_array){"depth", &s->depth[0][0], NX, NX, ROWS};
    arrays[1] = (rill_state_array){"flow", &s->flow[0][0], NX, NX, ROWS};
    return 2;
}

static void numbers_step(numbers *s)
{
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < NX; i++) {
            s->depth[row][i] = s->depth[row][(i + 1) % NX];
            s->flow[row][i] += 1.0f;
        }
    for (int y = 0; y < NY; y++)
        s->running_max[y] = -1.0f;
}

static const rl_solver_ops numbers_ops = {
    .name = "numbers",
    .create = numbers_create,
    .destroy = numbers_destroy,
    .memory = numbers_memory,
    .deposit = numbers_deposit,
    .volume = numbers_volume,
    .state = numbers_state,
};

// ---- And a device ----------------------------------------------------------------------

typedef struct waiting_copy {
    void *to;
    const void *from;
    size_t bytes;
} waiting_copy;

typedef struct fake {
    rl_mirror mirror;
    numbers *device;
    float remainders[NY][NX]; // of evaporation, always 0
    rl_queued_deposit queued; // that waits
    waiting_copy copies[64];
    int copy_count;
    bool copies_wait;
    bool ground_stale;
    int grounds; // sent
} fake;

static fake *fake_of(void *self)
{
    return self;
}

// Does all that waits, in its order.
static void flush(fake *f)
{
    if (f->queued.run_count > 0)
        fake_device_give(&f->queued, f->mirror.queue.run_capacity, f->mirror.queue.amount_capacity,
                         NX, numbers_deposit, f->device);
    f->queued = (rl_queued_deposit){0};
    for (int n = 0; n < f->copy_count; n++)
        memcpy(f->copies[n].to, f->copies[n].from, f->copies[n].bytes);
    f->copy_count = 0;
}

static void copy(fake *f, void *to, const void *from, size_t bytes)
{
    if (f->queued.run_count > 0 || f->copy_count == 64)
        flush(f);
    f->copies[f->copy_count++] = (waiting_copy){to, from, bytes};
    if (!f->copies_wait)
        flush(f);
}

static rill_status prepare(void *self)
{
    fake *f = self;
    numbers *host = f->mirror.host;
    f->mirror.planes = PLANES;
    f->mirror.host_max = host->running_max;
    f->ground_stale = true;
    f->copies_wait = f->mirror.ops->copies_wait;
    return RILL_OK;
}

static int make_device(void *self)
{
    void *device = NULL;
    numbers_create(NULL, RL_ISA_PLAIN, &device);
    fake_of(self)->device = device;
    fake_of(self)->mirror.device = self; // functions of the device get the mirror, too
    return fake_device_result();
}

static void release(void *self)
{
    free(fake_of(self)->device);
}

static int reserve(void *self, int runs, int amounts)
{
    (void)self;
    (void)runs;
    (void)amounts;
    return fake_device_result();
}

static int give(void *self, const rl_queued_deposit *queued)
{
    fake *f = self;
    flush(f);
    f->queued = *queued;
    return fake_device_result();
}

static int settle(void *self)
{
    fake_device_seen.settles++;
    flush(self);
    return fake_device_result();
}

static void upload(void *self, bool state)
{
    fake *f = self;
    numbers *host = f->mirror.host;
    f->grounds += f->ground_stale;
    f->ground_stale = false;
    if (!state)
        return;
    fake_device_seen.uploads++;
    copy(f, f->device->depth, host->depth, sizeof host->depth);
    copy(f, f->device->flow, host->flow, sizeof host->flow);
    for (int y = 0; y < NY; y++)
        f->device->running_max[y] = -1.0f;
}

static void download(void *self, unsigned fields)
{
    fake *f = self;
    numbers *host = f->mirror.host;
    fake_device_seen.downloads++;
    if (fields & DEPTH)
        copy(f, host->depth, f->device->depth, sizeof host->depth);
    if (fields & FLOW)
        copy(f, host->flow, f->device->flow, sizeof host->flow);
}

static void copy_rows(fake *f, numbers *to, const numbers *from, int first, int count)
{
    const size_t bytes = (size_t)count * sizeof to->depth[0];
    assert_true(count > 0 && first / NY == (first + count - 1) / NY);
    copy(f, to->depth[first], from->depth[first], bytes);
    if (f->mirror.ops->row_fields & FLOW)
        copy(f, to->flow[first], from->flow[first], bytes);
}

static void upload_rows(void *self, int first, int count)
{
    fake *f = self;
    fake_device_seen.uploaded_rows += count;
    copy_rows(f, f->device, f->mirror.host, first, count);
}

static void download_rows(void *self, int first, int count)
{
    fake *f = self;
    fake_device_seen.downloaded_rows += count;
    assert_false(f->ground_stale);
    copy_rows(f, f->mirror.host, f->device, first, count);
}

static int running_max(void *self, float *row_max)
{
    fake *f = self;
    flush(f);
    fake_device_seen.running_maxima++;
    memcpy(row_max, f->device->running_max, sizeof f->device->running_max);
    return fake_device_result();
}

static void evaporation_cells(void *self, rl_evaporation_cells *cells)
{
    fake *f = self;
    flush(f);
    *cells = (rl_evaporation_cells){.depth = &f->device->depth[0][0],
                                    .remainder = &f->remainders[0][0],
                                    .running_max = f->device->running_max,
                                    .nx = NX,
                                    .ny = NY,
                                    .pitch = NX};
}

static rill_status advance(void *self, rl_jobs *jobs, rl_substeps *substeps, rl_exchange *exchange)
{
    fake *f = self;
    (void)jobs;
    (void)exchange;
    rl_mirror_to_device(&f->mirror);
    flush(f);
    rl_mirror_take_max(&f->mirror, 0.0f);
    numbers_step(f->device);
    substeps->left = 0.0;
    rl_mirror_note(&f->mirror, fake_device_result());
    return rl_mirror_end_step(&f->mirror);
}

#define TABLE                                                                             \
    .host = &numbers_ops, .size = sizeof(fake), .state_fields = DEPTH | FLOW,             \
    .sent_fields = DEPTH | FLOW, .column_fields = DEPTH, .prepare = prepare,              \
    .make_device = make_device, .release = release, .reserve = reserve, .give = give,     \
    .settle = settle, .upload = upload, .download = download, .upload_rows = upload_rows, \
    .download_rows = download_rows, .running_max = running_max,                           \
    .evaporation_cells = evaporation_cells, .advance = advance

// As pipes and layers, and as swe.
static const rl_mirror_ops plain = {TABLE, .row_fields = DEPTH, .run_factor = 1};
static const rl_mirror_ops pushing = {
    TABLE,          .row_fields = DEPTH | FLOW, .run_factor = 4,
    .run_first = 1, .copies_wait = true,        .pushes_rows = true};

static fake *make(const rl_mirror_ops *ops)
{
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    def.cell_size = 1.0f;
    void *self = NULL;
    assert_int_equal(rl_mirror_create(ops, &def, RL_ISA_PLAIN, &self), RILL_OK);
    memset(&fake_device_seen, 0, sizeof fake_device_seen);
    return self;
}

static void unmake(fake *f)
{
    const rill_allocator allocator = {0};
    void *self = f;
    rl_mirror_destroy(&allocator, &self);
    assert_null(self);
}

static void step(fake *f)
{
    rl_mirror_step(f, NULL, 1.0, NULL);
}

static void give_to(fake *f, int layer, int row, float amount)
{
    const rl_deposit d = {.layer = layer, .row = row, .count = 1, .depth = &amount};
    assert_true(rl_mirror_deposit(f, &d) == (double)amount);
}

// ---- Anything, in any order ------------------------------------------------------------

typedef struct run {
    fake *f;
    numbers *oracle;
    uint64_t seed, count;
} run;

static int below(run *r, int end)
{
    return (int)(rl_random_bits(r->seed, 3, r->count++) % (uint64_t)end);
}

static void deposit_anything(run *r)
{
    float depth[NX], momentum[NX];
    const int kind = below(r, 5), first = below(r, NX);
    for (int i = 0; i < NX; i++) {
        depth[i] = (float)(below(r, 4) - (kind == 0 ? 3 : 0));
        momentum[i] = (float)below(r, 3);
    }
    const rl_deposit d = {.layer = below(r, 3) == 0 ? below(r, PLANES) : 0,
                          .row = below(r, NY),
                          .first = first,
                          .count = 1 + below(r, NX - first),
                          .depth = depth,
                          .momentum_x = kind == 1 && below(r, 3) == 0 ? momentum : NULL};
    assert_true(numbers_deposit(r->oracle, &d) == rl_mirror_deposit(r->f, &d));
}

static void weather(run *r)
{
    double volumes[NY];
    const float depth = (float)(below(r, 4) - 2) + 0.5f;
    if (!rl_mirror_rain(r->f, depth, volumes)) {
        assert_true(r->f->mirror.host_leads || r->f->mirror.some_dirty);
        return;
    }
    for (int row = 0; row < NY; row++) {
        double given = 0.0;
        for (int i = 0; i < NX; i++) {
            const rl_deposit d = {.row = row, .first = i, .count = 1, .depth = &depth};
            given += numbers_deposit(r->oracle, &d);
        }
        assert_true(given == volumes[row]);
    }
}

static void read_some_rows(run *r)
{
    const int first = below(r, ROWS + 4) - 2, end = first + below(r, 9);
    const numbers *host = r->f->mirror.host;
    const fake_device_counts before = fake_device_seen;
    rl_mirror_read_rows(&r->f->mirror, first, end);
    const fake_device_counts once = fake_device_seen;
    for (int row = first < 0 ? 0 : first; row < end && row < ROWS; row++) {
        assert_memory_equal(host->depth[row], r->oracle->depth[row], sizeof host->depth[row]);
        if (r->f->mirror.ops->row_fields & FLOW)
            assert_memory_equal(host->flow[row], r->oracle->flow[row], sizeof host->flow[row]);
    }
    rl_mirror_read_rows(&r->f->mirror, first, end);
    assert_memory_equal(&once, &fake_device_seen, sizeof once); // nothing travels twice
    assert_int_equal(once.uploads, before.uploads);
    assert_int_equal(once.uploaded_rows, before.uploaded_rows);
}

static void read_fields(run *r)
{
    const unsigned fields = (unsigned)below(r, 4);
    const numbers *host = r->f->mirror.host;
    rl_mirror_read(&r->f->mirror, fields);
    const fake_device_counts once = fake_device_seen;
    if (fields & DEPTH)
        assert_memory_equal(host->depth, r->oracle->depth, sizeof host->depth);
    if (fields & FLOW)
        assert_memory_equal(host->flow, r->oracle->flow, sizeof host->flow);
    assert_memory_equal(host->running_max, r->oracle->running_max, sizeof host->running_max);
    rl_mirror_read(&r->f->mirror, fields);
    assert_int_equal(once.downloads, fake_device_seen.downloads);
    assert_int_equal(once.running_maxima, fake_device_seen.running_maxima);
}

static void read_all(run *r)
{
    rill_state_array arrays[RL_MAX_STATE_ARRAYS];
    assert_int_equal(rl_mirror_state(r->f, arrays), 2);
    assert_memory_equal(arrays[0].data, r->oracle->depth, sizeof r->oracle->depth);
    assert_memory_equal(arrays[1].data, r->oracle->flow, sizeof r->oracle->flow);
    assert_true(rl_mirror_volume(r->f, NULL) == numbers_volume(r->oracle, NULL));
}

static void step_both(run *r)
{
    step(r->f);
    numbers_step(r->oracle);
}

static void change_by_the_host(run *r)
{
    numbers *host = r->f->mirror.host;
    const int row = below(r, ROWS), i = below(r, NX);
    rl_mirror_lead(&r->f->mirror);
    host->depth[row][i] += 1.0f;
    r->oracle->depth[row][i] += 1.0f;
    host->flow[row][i] += 2.0f;
    r->oracle->flow[row][i] += 2.0f;
}

static void change_by_the_device(run *r)
{
    rl_mirror_to_device(&r->f->mirror);
    flush(r->f);
    const float amount = 2.0f;
    const rl_deposit d = {
        .layer = below(r, PLANES), .row = below(r, NY), .count = 1, .depth = &amount};
    numbers_deposit(r->f->device, &d);
    numbers_deposit(r->oracle, &d);
    assert_int_equal(rl_mirror_changed(r->f), 0);
}

static void change_ground(run *r)
{
    r->f->ground_stale = true;
}

static void (*const operations[])(run *) = {
    deposit_anything,   deposit_anything,     deposit_anything, deposit_anything, weather,
    read_some_rows,     read_some_rows,       read_fields,      read_all,         step_both,
    change_by_the_host, change_by_the_device, change_ground,
};

static void do_anything(const rl_mirror_ops *ops)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        void *oracle = NULL;
        numbers_create(NULL, RL_ISA_PLAIN, &oracle);
        run r = {.f = make(ops), .oracle = oracle, .seed = seed};
        for (int n = 0; n < 4000; n++)
            operations[below(&r, (int)(sizeof operations / sizeof operations[0]))](&r);
        read_all(&r);
        unmake(r.f);
        free(oracle);
    }
}

TEST(what_is_read_is_what_was_done_in_any_order)
{
    do_anything(&plain);
    do_anything(&pushing);
}

// ---- What travels ----------------------------------------------------------------------

TEST(nothing_travels_that_need_not)
{
    fake *f = make(&plain);
    const fake_device_counts *seen = &fake_device_seen;
    step(f);
    assert_int_equal(seen->uploads, 1); // the host led
    for (int n = 0; n < 10; n++)
        give_to(f, 0, n, 1.0f);
    assert_int_equal(seen->deposits + seen->downloaded_rows + seen->uploaded_rows, 0);
    step(f);
    assert_int_equal(f->grounds, 1);
    assert_int_equal(seen->deposits, 1);
    assert_int_equal(seen->deposited_runs, 10);
    // A covered column is the host's; so is whatever else comes to its row.
    give_to(f, 2, 7, 1.0f);
    give_to(f, 2, 7, 1.0f);
    give_to(f, 2, 8, 1.0f);
    assert_int_equal(seen->downloaded_rows, 2);
    assert_int_equal(seen->deposits, 1);
    step(f);
    assert_int_equal(seen->uploaded_rows, 2);
    assert_int_equal(seen->uploads, 1);
    assert_int_equal(seen->downloads, 0);
    unmake(f);
}

// Rows are read ahead in squares, and not past what is there, or the end of a plane.
TEST(rows_are_read_ahead_in_growing_runs)
{
    static const int rows[] = {0, 1, 2, 6, 15, 21}, ends[] = {1, 2, 6, 15, 21, 42};
    fake *f = make(&plain);
    step(f);
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        rl_mirror_read_rows(&f->mirror, rows[n], rows[n] + 1);
        assert_int_equal(fake_device_seen.downloaded_rows, n == 5 ? ends[4] + 21 : ends[n]);
    }
    const long before = fake_device_seen.downloaded_rows;
    step(f); // runs begin anew
    rl_mirror_read_rows(&f->mirror, 0, 1);
    assert_int_equal(fake_device_seen.downloaded_rows, before + 1);
    unmake(f);
    f = make(&pushing);
    step(f);
    rl_mirror_read_rows(&f->mirror, 10, 11);
    assert_int_equal(fake_device_seen.downloaded_rows, 4);
    rl_mirror_read_rows(&f->mirror, 0, 1); // 16, but for what is there
    assert_int_equal(fake_device_seen.downloaded_rows, 14);
    unmake(f);
}

TEST(running_maxima_travel_when_deposits_have_raised_them)
{
    fake *f = make(&plain);
    const numbers *host = f->mirror.host;
    step(f);
    rl_mirror_read(&f->mirror, 0);
    assert_int_equal(fake_device_seen.running_maxima, 0);
    give_to(f, 0, 3, 5.0f);
    rl_mirror_read(&f->mirror, 0);
    rl_mirror_read(&f->mirror, 0);
    assert_int_equal(fake_device_seen.running_maxima, 1);
    assert_true(host->running_max[3] == 5.0f && host->running_max[4] == -1.0f);
    step(f);
    rl_mirror_read(&f->mirror, 0);
    assert_int_equal(fake_device_seen.running_maxima, 1);
    assert_true(host->running_max[3] == -1.0f);
    unmake(f);
}

// More deposits than the queue holds are handed over in parts; the longest of all is the host's.
TEST(a_full_queue_is_handed_over)
{
    fake *f = make(&plain);
    step(f);
    const float amounts[NX] = {1, 1, 1, 1, 1, 1, 1, 1};
    const rl_deposit whole = {.row = 2, .count = NX, .depth = amounts};
    for (int n = 0; n < 3 * NY; n++)
        assert_true(rl_mirror_deposit(f, &whole) == (double)NX);
    assert_int_equal(fake_device_seen.deposits, 2); // the queue holds what the grid has cells
    assert_int_equal(fake_device_seen.settles, 2);
    rl_mirror_read(&f->mirror, DEPTH);
    f->mirror.queue.amount_capacity = NX - 1;
    assert_true(rl_mirror_deposit(f, &whole) == (double)NX);
    assert_int_equal(f->mirror.row_dirty[2], 1);
    rl_mirror_read(&f->mirror, DEPTH);
    assert_true(((const numbers *)f->mirror.host)->depth[2][0] == (float)(3 * NY + 1));
    unmake(f);
}

// ---- Errors and threads ----------------------------------------------------------------

TEST(the_first_error_is_kept_and_reported_by_the_step)
{
    fake *f = make(&plain);
    rl_substeps substeps = {.left = 1.0, .max_substeps = 1};
    assert_int_equal(advance(f, NULL, &substeps, NULL), RILL_OK);
    give_to(f, 0, 1, 1.0f);
    fake_device_fails = 7;
    rl_mirror_read(&f->mirror, DEPTH);
    fake_device_fails = 9;
    assert_int_equal(advance(f, NULL, &substeps, NULL), RILL_DEVICE);
    assert_int_equal(f->mirror.error, 7);
    assert_int_equal(advance(f, NULL, &substeps, NULL), RILL_DEVICE);
    assert_int_equal(rl_mirror_changed(f), 7);
    unmake(f);
}

TEST(a_device_that_cannot_be_made_leaves_nothing_behind)
{
    rill_world_def def = rill_default_world_def();
    def.nx = NX;
    def.ny = NY;
    void *self = NULL;
    fake_device_fails = 3;
    assert_int_equal(rl_mirror_create(&plain, &def, RL_ISA_PLAIN, &self), RILL_DEVICE);
    assert_null(self);
    assert_string_equal(rill_last_error(), "the GPU cannot hold 8 x 21 cells of the numbers "
                                           "solver: an error of the fake device");
}

enum { THREADS = 4, TIMES = 300 };

typedef struct worker {
    fake *f;
    int first; // of rows that are this thread's alone
} worker;

static void *deposit_many(void *context)
{
    const worker *w = context;
    for (int n = 0; n < TIMES; n++)
        for (int row = w->first; row < NY; row += THREADS) {
            const float amount = n % 3 == 2 ? -1.0f : 1.0f;
            const rl_deposit d = {.layer = row % 2, .row = row, .count = 1, .depth = &amount};
            rl_mirror_deposit(w->f, &d);
        }
    return NULL;
}

TEST(threads_may_deposit_into_different_rows)
{
    fake *f = make(&plain);
    step(f);
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int n = 0; n < THREADS; n++) {
        workers[n] = (worker){f, n};
        assert_int_equal(pthread_create(&threads[n], NULL, deposit_many, &workers[n]), 0);
    }
    for (int n = 0; n < THREADS; n++)
        pthread_join(threads[n], NULL);
    rl_mirror_read(&f->mirror, DEPTH);
    const numbers *host = f->mirror.host;
    for (int row = 0; row < NY; row++) {
        assert_true(host->depth[row % 2 * NY + row][0] == (float)(TIMES / 3));
        assert_true(host->depth[(1 - row % 2) * NY + row][0] == 0.0f);
    }
    unmake(f);
}
