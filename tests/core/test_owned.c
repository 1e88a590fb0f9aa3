// SPDX-License-Identifier: MIT
// Memory of one object: everything that was taken is released with it, and counted, also where the
// allocator gives none from some block on.
#include "core/owned.h"
#include "tests/kit/kit.h"

#include <stdlib.h>

#define BLOCKS 70 // more than a chunk of the list holds

typedef struct counting {
    size_t blocks, bytes; // that are taken now
    int left;             // that the allocator still gives
} counting;

static void *take(void *user, size_t bytes, size_t alignment)
{
    counting *c = user;
    if (c->left-- <= 0)
        return NULL;
    c->blocks++;
    c->bytes += bytes;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes)
{
    counting *c = user;
    c->blocks--;
    c->bytes -= bytes;
    free(memory);
}

typedef struct object {
    rl_owned own;
    int *numbers[BLOCKS];
    rill_field field;
} object;

TEST(an_object_counts_and_releases_its_memory_wherever_it_ends)
{
    for (int given = 0; given <= BLOCKS + 10; given++) {
        counting c = {.left = given};
        const rill_allocator allocator = {.user = &c, .allocate = take, .release = release};
        void *self = rl_owned_create(&allocator, sizeof(object));
        object *o = self;
        if (o != NULL) {
            for (int n = 0; n < BLOCKS; n++) {
                o->numbers[n] = rl_owned_take(&o->own, (size_t)n + 1, sizeof(int));
                assert_true((o->numbers[n] == NULL) == o->own.failed);
                assert_true(o->own.failed || o->numbers[n][n] == 0);
            }
            rl_owned_field(&o->own, 8, 4, 1, 3, &o->field);
            assert_true((o->field.memory == NULL) == o->own.failed);
            assert_null(rl_owned_take(&o->own, 0, sizeof(int)));
            assert_null(rl_owned_take(&o->own, SIZE_MAX, 2));
            assert_true(rl_owned_memory(o) == c.bytes);
        }
        assert_true((o == NULL) == (given == 0));
        rl_owned_destroy(&allocator, &self);
        assert_null(self);
        assert_true(c.blocks == 0 && c.bytes == 0);
    }
}
