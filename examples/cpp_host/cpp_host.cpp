// SPDX-License-Identifier: MIT
// cpp_host.cpp - Rill inside an engine written in C++17 that has its own memory, its own threads
// and its own physics. The engine lends all three:
//
//     memory     rill_host.allocator       here: a counter, so that we see what a world takes
//     threads    rill_host.parallel_for    here: a small thread pool
//     physics    rill_bodies_def.engine    here: two floats that go up and down with the water
//
// The water tells the bodies its forces, our physics moves them, and the water feels them, all
// inside one rill_world_step. The result does not depend on the number of threads.
//
//     cpp_host [threads]
#include <rill/rill.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace
{

// ---- Memory ----------------------------------------------------------------------------

// A world takes all its memory when it is created, and a step takes none: the count below does not
// change while the simulation runs. Both functions may be called from any thread.
struct Memory {
    std::atomic<size_t> bytes{0}, calls{0};

    static void *allocate(void *user, size_t bytes, size_t alignment)
    {
        auto *memory = static_cast<Memory *>(user);
        memory->bytes += bytes;
        memory->calls++;
        return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    }

    static void release(void *user, void *block, size_t bytes)
    {
        static_cast<Memory *>(user)->bytes -= bytes;
        std::free(block);
    }
};

// ---- Threads ---------------------------------------------------------------------------

// Runs task(context, i) for each i in [0, count), each exactly once, in any order. The thread that
// asks works as well, so a pool of n threads has n - 1 workers.
class Pool
{
  public:
    explicit Pool(int threads)
    {
        for (int n = 1; n < threads; n++)
            workers_.emplace_back([this] { work(); });
    }

    ~Pool()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            ending_ = true;
        }
        wake_.notify_all();
        for (std::thread &worker : workers_)
            worker.join();
    }

    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    // This is what rill_host.parallel_for points to.
    static void parallel_for(void *user, int count, rill_task task, void *context)
    {
        auto *pool = static_cast<Pool *>(user);
        {
            std::lock_guard<std::mutex> lock(pool->mutex_);
            pool->task_ = task;
            pool->context_ = context;
            pool->count_ = count;
            pool->next_ = 0;
            pool->busy_ = pool->workers_.size();
            pool->round_++;
        }
        pool->wake_.notify_all();
        pool->take_indices();
        std::unique_lock<std::mutex> lock(pool->mutex_);
        pool->done_.wait(lock, [pool] { return pool->busy_ == 0; });
    }

  private:
    void take_indices()
    {
        for (int index = next_++; index < count_; index = next_++)
            task_(context_, index);
    }

    void work()
    {
        for (unsigned seen = 0;;) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [this, seen] { return ending_ || round_ != seen; });
                if (ending_)
                    return;
                seen = round_;
            }
            take_indices();
            std::lock_guard<std::mutex> lock(mutex_);
            if (--busy_ == 0)
                done_.notify_one();
        }
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    bool ending_ = false;
    unsigned round_ = 0; // counts calls of parallel_for, so that each worker joins each one once
    size_t busy_ = 0;    // workers that have not finished the present call
    rill_task task_ = nullptr;
    void *context_ = nullptr;
    int count_ = 0;
    std::atomic<int> next_{0};
};

// ---- Physics ---------------------------------------------------------------------------

// An engine that knows gravity and vertical motion alone: enough for floats on a mooring. A real
// one would also apply state.torque, and take collisions from its own shapes.
struct Physics {
    double gravity = 9.81;
    std::vector<rill_body_id> floats;

    // Called once a step, when the forces of the water are known and before the water feels the
    // bodies. It may get and set bodies of the world, and nothing else of it.
    static void step(void *user, rill_world *world, double dt)
    {
        const auto *physics = static_cast<Physics *>(user);
        for (const rill_body_id id : physics->floats) {
            rill_body_state body;
            if (rill_world_get_body(world, id, &body) != RILL_OK)
                continue;
            double velocity[3] = {0, 0, body.velocity[2]};
            velocity[2] += (body.force[2] / body.mass - physics->gravity) * dt;
            const double position[3] = {body.position[0], body.position[1],
                                        body.position[2] + velocity[2] * dt};
            rill_world_set_body_pose(world, id, position, body.rotation, velocity, nullptr);
        }
    }
};

// A box of `side` metres, moved by the host.
rill_body_id add_float(rill_world *world, double x, double y, double z, double side, double density)
{
    rill_body_def def = rill_default_body_def();
    def.motion = RILL_BODY_HOST; // we move it, in Physics::step
    def.coupling = RILL_COUPLING_PASS;
    def.shape = RILL_BODY_BOX;
    std::fill_n(def.size, 3, side);
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    def.density = density; // kg/m^3; below 1000 it floats
    rill_body_id id{};
    if (rill_world_add_body(world, &def, &id) != RILL_OK)
        std::fprintf(stderr, "%s\n", rill_last_error());
    return id;
}

// ---- The program -----------------------------------------------------------------------

rill_world *create_world(Memory &memory, Pool &pool, int threads, Physics &physics)
{
    rill_world_def def = rill_default_world_def();
    def.nx = 160;
    def.ny = 96;
    def.cell_size = 0.25f;
    def.solver = RILL_SOLVER_SWE; // waves of the right speed and shape
    def.level = 1.5f;             // a basin of 40 m x 24 m, 1.5 m deep
    def.use_level = 1;
    def.bodies.max_bodies = 8;
    def.bodies.engine = Physics::step;
    def.bodies.engine_user = &physics;
    def.worker_count = threads;
    def.host.allocator = {&memory, Memory::allocate, Memory::release};
    def.host.parallel_for = Pool::parallel_for;
    def.host.parallel_user = &pool;
    rill_world *world = nullptr;
    if (rill_world_create(&def, &world) != RILL_OK)
        std::fprintf(stderr, "%s\n", rill_last_error());
    return world;
}

bool simulate(rill_world *world, const Physics &physics)
{
    // A heap of 10 m^3 collapses in the west; its wave lifts one float after the other.
    rill_world_pour(world, 4, 12, 2, 10, nullptr);
    std::printf("  time   float at 12 m: height    force   float at 28 m: height    force\n");
    for (int frame = 1; frame <= 360; frame++) {
        if (rill_world_step(world, 1.0 / 60) != RILL_OK) {
            std::fprintf(stderr, "%s\n", rill_last_error());
            return false;
        }
        if (frame % 60 != 0)
            continue;
        std::printf("%4.1f s", rill_world_time(world));
        for (const rill_body_id id : physics.floats) {
            rill_body_state body{};
            rill_world_get_body(world, id, &body);
            std::printf("               %8.3f m %6.0f N", body.position[2], body.force[2]);
        }
        std::printf("\n");
    }
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, 64) : 2;
    Memory memory;
    Pool pool(threads);
    Physics physics;
    rill_world *world = create_world(memory, pool, threads, physics);
    if (world == nullptr)
        return 1;
    physics.floats = {add_float(world, 12, 12, 1.5, 1.0, 500),
                      add_float(world, 28, 12, 1.5, 1.0, 500)};
    const size_t calls = memory.calls;
    const bool fine = simulate(world, physics);
    const bool quiet = memory.calls == calls; // the steps allocated nothing

    const rill_ledger l = rill_world_ledger(world);
    std::printf(
        "ledger: %.3f m3 at first + %.3f given - %.3f taken + %.3f corrected = %.3f in columns "
        "+ %.3f in particles + %.3f displaced; error %.1e\n",
        l.initial, l.sourced, l.drained, l.corrected, l.water, l.particles, l.virtual_volume,
        l.error);
    std::printf("memory: %zu bytes in %zu blocks, none of them taken during a step\n",
                memory.bytes.load(), calls);
    std::printf("hash: %016llx on %d threads\n",
                static_cast<unsigned long long>(rill_world_hash(world)), threads);
    rill_world_destroy(&world);
    const bool returned = memory.bytes == 0; // every byte has come back
    return fine && quiet && returned && l.error < 1e-6 ? 0 : 1;
}
