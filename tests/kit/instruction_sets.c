// SPDX-License-Identifier: MIT
#include "tests/kit/instruction_sets.h"

#define MOST_WORKERS 3

rl_isa best_isa(void)
{
    rl_isa isa;
    assert_ok(rl_isa_pick(&isa));
    return isa;
}

rl_isa widest_isa(void)
{
    char asked[16] = "";
    const char *name = getenv("RILL_ISA");
    if (name == NULL)
        return best_isa();
    snprintf(asked, sizeof asked, "%s", name);
    unsetenv("RILL_ISA");
    const rl_isa isa = best_isa();
    setenv("RILL_ISA", asked, 1);
    return isa;
}

rl_jobs *make_jobs(int workers)
{
    rl_jobs *jobs = NULL;
    assert_ok(rl_jobs_create(&(rill_host){0}, workers, &jobs));
    return jobs;
}

static void assert_hash(isa_run run, const void *context, rl_isa isa, int workers, uint64_t wanted)
{
    rl_jobs *jobs = make_jobs(workers);
    const uint64_t hash = run(isa, jobs, context);
    rl_jobs_destroy(&jobs);
    if (hash != wanted)
        fail_msg("%s on %d threads gives %016llx, and plain C on one %016llx", rl_isa_name(isa),
                 workers, (unsigned long long)hash, (unsigned long long)wanted);
}

void assert_same_on_every_isa(isa_run run, const void *context)
{
    const uint64_t plain = run(RL_ISA_PLAIN, NULL, context);
    FOR_EACH_ISA (isa)
        for (int workers = 1; workers <= MOST_WORKERS; workers++)
            assert_hash(run, context, isa, workers, plain);
}

void assert_same_on_some_isas(isa_run run, const void *context)
{
    const uint64_t plain = run(RL_ISA_PLAIN, NULL, context);
    FOR_EACH_ISA (isa)
        for (int workers = 2; workers <= MOST_WORKERS; workers++)
            if (workers == 2 || isa == RL_ISA_PLAIN || isa == widest_isa())
                assert_hash(run, context, isa, workers, plain);
}
