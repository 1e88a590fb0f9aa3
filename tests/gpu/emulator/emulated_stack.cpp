// SPDX-License-Identifier: MIT
// emulated_stack.cpp - the stacks of fibers. A change from one to another is a dozen instructions:
// what a function must preserve is pushed, and the stack pointer exchanged. (swapcontext of the C
// library would ask the kernel for the signal mask every time.)
#include "tests/gpu/emulator/cuda_runtime.h"

#include "tests/gpu/emulator/emulated_stack.h"

#include <cstdio>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES \
    ((size_t)1 << 20) // variables of every inlined function have a place of their own
#else
#define STACK_BYTES ((size_t)1 << 17)
#endif
#define GUARD_BYTES ((size_t)1 << 14)

// Tops of stacks are this far apart, within a page.
#define TOP_STRIDE (17 * 64)
#define PAGE       4096

static rl_emulated_stack *free_stacks;
static size_t stack_count;

rl_emulated_stack *rl_emulated_take_stack()
{
    rl_emulated_stack *stack = free_stacks;
    if (stack != nullptr) {
        free_stacks = stack->next;
        return stack;
    }
    void *memory = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0) {
        std::fprintf(stderr, "emulator: no memory for the stack of a thread\n");
        std::abort();
    }
    static rl_emulated_stack *chunk; // stacks are never given back to the system
    static size_t left;
    if (left == 0)
        chunk = (rl_emulated_stack *)std::calloc(left = 256, sizeof *chunk);
    stack = &chunk[--left];
    stack->memory = (char *)memory;
    stack->bytes = STACK_BYTES;
    stack->offset = stack_count++ * TOP_STRIDE % PAGE;
    return stack;
}

void rl_emulated_give_stack(rl_emulated_stack *stack)
{
    stack->next = free_stacks;
    free_stacks = stack;
}

// ---- Changing --------------------------------------------------------------------------

#if defined(__x86_64__)

extern "C" void rl_emulated_swap(void **from, void *to);
// The jump is foreseen by the processor better than a return, since most fibers go on at the same
// place.
asm(R"(
    .text
    .globl rl_emulated_swap
    .hidden rl_emulated_swap
    .type rl_emulated_swap, @function
rl_emulated_swap:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmp *%rcx
    .size rl_emulated_swap, . - rl_emulated_swap
)");

#define SAVED_WORDS 8 // six registers, the entry, and a return address that nobody uses
#define ENTRY_WORD  6

#elif defined(__aarch64__)

extern "C" void rl_emulated_swap(void **from, void *to);
asm(R"(
    .text
    .globl rl_emulated_swap
    .hidden rl_emulated_swap
    .type rl_emulated_swap, %function
rl_emulated_swap:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x2, sp
    str x2, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size rl_emulated_swap, . - rl_emulated_swap
)");

#define SAVED_WORDS 20
#define ENTRY_WORD  11

#else
#error "The emulator of CUDA knows how to change stacks on x86-64 and aarch64 only."
#endif

void *rl_emulated_prepare_stack(const rl_emulated_stack *stack, void (*entry)())
{
    const uintptr_t top =
        ((uintptr_t)stack->memory + stack->bytes - stack->offset) & ~(uintptr_t)63;
    void **words = (void **)top - SAVED_WORDS;
    std::memset(words, 0, SAVED_WORDS * sizeof *words);
    words[ENTRY_WORD] = (void *)entry;
    return words;
}

#if defined(__SANITIZE_ADDRESS__)

// AddressSanitizer wants to know which stack is in use. The functions that change it are not
// watched themselves: one that never returns would leave its marks on a stack that another fiber
// gets.
static const void *host_bottom;
static size_t host_bytes;
static bool on_host = true, left_host;

__attribute__((no_sanitize_address)) static void finish_change(void *fake)
{
    const void *bottom = nullptr;
    size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake, &bottom, &bytes);
    if (left_host) {
        host_bottom = bottom;
        host_bytes = bytes;
    }
}

__attribute__((no_sanitize_address)) void
rl_emulated_change_stack(void **from, void *to, const rl_emulated_stack *stack, bool ends)
{
    void *fake = nullptr;
    left_host = on_host;
    on_host = stack == nullptr;
    __sanitizer_start_switch_fiber(ends ? nullptr : &fake,
                                   stack != nullptr ? stack->memory : host_bottom,
                                   stack != nullptr ? stack->bytes : host_bytes);
    rl_emulated_swap(from, to);
    finish_change(fake);
}

void rl_emulated_begin_stack()
{
    finish_change(nullptr);
}

#else

void rl_emulated_change_stack(void **from, void *to, const rl_emulated_stack *, bool)
{
    rl_emulated_swap(from, to);
}

void rl_emulated_begin_stack()
{
}

#endif
