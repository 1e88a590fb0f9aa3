// SPDX-License-Identifier: MIT
// emulated_stack.h - stacks for fibers, and the way from one to another.
#pragma once

struct rl_emulated_stack {
    char *memory; // with a page at its low end that no program may touch
    size_t bytes;
    size_t offset;           // of its top from the high end: tops must not share lines of a cache
    rl_emulated_stack *next; // in the list of those that are free
};

// Returns a stack that is free.
rl_emulated_stack *rl_emulated_take_stack();
void rl_emulated_give_stack(rl_emulated_stack *stack);

// Prepares a stack so that a fiber begins in `entry`, which must not return; returns where it goes
// on.
void *rl_emulated_prepare_stack(const rl_emulated_stack *stack, void (*entry)());

// Goes on where `to` says, on another stack, and stores in `from` where the caller goes on. NULL
// for `stack` means the stack of the thread of the host; `ends` is set when the caller never goes
// on.
void rl_emulated_change_stack(void **from, void *to, const rl_emulated_stack *stack, bool ends);
// Must be called first on a stack that was changed to for the first time.
void rl_emulated_begin_stack();
