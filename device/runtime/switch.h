/* Fibers: stacks that the threads of a block run on, and the switch between them.
 *
 * A block starts on one fiber, which runs threads one after another until one of them waits at a
 * barrier. That fiber is then kept, and the next in the ring goes on with the threads that are
 * left. The ring is made once a launch, of as many fibers as a block has threads, and ends at the
 * scheduler, the worker's own stack; going round it once is one barrier. A fiber that finds no
 * thread left to begin is idle until the next block, and passes on whoever wakes it.
 *
 * A switch saves only where to go on, the stack and the frame pointer: the compiler is told that
 * all other registers are lost, and keeps what it needs on the fiber's own stack. */
#ifndef HPC_DEVICE_SWITCH_H
#define HPC_DEVICE_SWITCH_H

#include "device.h"

/* An index and the linear thread behind it, loaded and stored at once: a load of all would have to
 * wait for stores of its parts. */
typedef unsigned dev_place_of_thread __attribute__((vector_size(16), may_alias, aligned(4)));
static inline __attribute__((always_inline)) dev_place_of_thread *
dev_place_at(struct dev_index *index)
{
    return (dev_place_of_thread *)(void *)index;
}

/* The thread that begins is the next one in their order. */
static inline __attribute__((always_inline)) void dev_next_thread(struct dev_worker *w)
{
    const dev_place_of_thread one = {1, 0, 0, 1};
    dev_place_of_thread next = *dev_place_at(&w->next_index);
    *dev_place_at(&w->thread_index) = next;
    next += one;
    if (__builtin_expect(next[0] == w->launch->block.x, 0)) {
        next[0] = 0;
        next[1]++;
        if (next[1] == w->launch->block.y) {
            next[1] = 0;
            next[2]++;
        }
    }
    *dev_place_at(&w->next_index) = next;
}

#if defined(__x86_64__)
#define DEV_FIBER_ASSEMBLY 1
#if defined(__AVX512F__) || defined(DEV_AVX512) /* of what is compiled */
#define DEV_FIBER_AVX512                                                                           \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",  \
        "k6", "k7"
#else
#define DEV_FIBER_AVX512
#endif

/* Go on with `to`; returns, once somebody switches to `from`, the fiber that runs: `from`. Nothing
 * is pushed, so that a red zone below the stack pointer stays whole. */
static inline __attribute__((always_inline)) struct dev_fiber *dev_switch(struct dev_fiber *from,
                                                                          struct dev_fiber *to)
{
    __asm__ volatile("leaq 1f(%%rip), %%rdx\n\t"
                     "movq %%rdx, (%%rax)\n\t"
                     "movq %%rsp, 8(%%rax)\n\t"
                     "movq %%rbp, 16(%%rax)\n\t"
                     "movq 8(%%rcx), %%rsp\n\t"
                     "movq 16(%%rcx), %%rbp\n\t"
                     "jmp *(%%rcx)\n"
                     "1:"
                     : "+a"(from), "+c"(to)
                     :
                     : "rdx", "rbx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" DEV_FIBER_AVX512, "memory", "cc");
    return to;
}
#elif defined(__aarch64__)
#define DEV_FIBER_ASSEMBLY 1
#ifdef __ARM_FEATURE_SVE
#define DEV_FIBER_SVE                                                                              \
    , "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13",      \
        "p14", "p15", "ffr"
#else
#define DEV_FIBER_SVE
#endif
static inline __attribute__((always_inline)) struct dev_fiber *dev_switch(struct dev_fiber *from,
                                                                          struct dev_fiber *to)
{
    register struct dev_fiber *f __asm__("x0") = from;
    register struct dev_fiber *t __asm__("x1") = to;
    __asm__ volatile("adr x2, 1f\n\t"
                     "mov x3, sp\n\t"
                     "stp x2, x3, [x0]\n\t"
                     "str x29, [x0, #16]\n\t"
                     "ldp x2, x3, [x1]\n\t"
                     "ldr x29, [x1, #16]\n\t"
                     "mov sp, x3\n\t"
                     "mov x30, xzr\n\t" /* a fiber that begins returns to nowhere: unwinders end */
                     "br x2\n"
                     "1:"
                     : "+r"(f), "+r"(t)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                       "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24",
                       "x25", "x26", "x27", "x28", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
                       "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17",
                       "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",
                       "v29", "v30", "v31" DEV_FIBER_SVE, "memory", "cc");
    return t;
}
#else
#ifdef __cplusplus
extern "C"
#endif
    struct dev_fiber *
    dev_switch(struct dev_fiber *from, struct dev_fiber *to); /* by ucontext */
#endif

#endif
