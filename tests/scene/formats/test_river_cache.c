// SPDX-License-Identifier: MIT
// test_river_cache.c - a river whose flow is kept in a file (rill_river_cache_file).
#include "tests/kit/kit.h"
#include "tests/kit/river_valley.h"
#include "tests/kit/worlds.h"

TEST(a_cache_brings_back_the_same_flow_and_is_not_trusted_blindly)
{
    static float bed[NY * NX];
    const char *cache = RL_TEST_TMP "/river.cache";
    remove(cache);
    uint64_t hash = 0;
    for (int n = 0; n < 4; n++) {
        rill_world_def def = river_def(bed);
        def.river.cache = rill_river_cache_file(cache);
        if (n == 2) // another river: the cache is of no use
            def.river.speed = 2.0f;
        if (n == 3) { // half of a file
            FILE *file = fopen(cache, "wb");
            assert_non_null(file);
            assert_int_equal(fputs("RILL", file) >= 0, 1);
            assert_int_equal(fclose(file), 0);
        }
        rill_world *world = make_world(&def);
        assert_int_equal(rill_world_river(world).cached, n == 1);
        run_world(world, 3, 0.25);
        if (n == 0)
            hash = rill_world_hash(world);
        else if (n == 1 || n == 3)
            assert_true(rill_world_hash(world) == hash);
        rill_world_destroy(&world);
    }
}
