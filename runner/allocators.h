/* The allocators of a variant, which a runner is linked to with -Wl,--wrap: an allocation that
 * fails is noted in the control page, and so is one that run() makes. For runner.c alone. */
#ifndef HPC_RUNNER_ALLOCATORS_H
#define HPC_RUNNER_ALLOCATORS_H

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const char __ehdr_start[]; /* where the program's file is mapped */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *p, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **p, size_t alignment, size_t bytes);
void *runner_given(void *p, size_t bytes, const void *from);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **p, size_t alignment, size_t bytes);

/* The CPU device's checker: an allocation of a kernel's. */
bool dev_heap_malloc(size_t bytes, void **p) __attribute__((weak));
/* Its guards around blocks of the heap: what comes next is asked for by who returns to `from`. */
void dev_heap_asked(const void *from) __attribute__((weak));

/* What the allocators, which have no argument for it, note in: set by runner.c. */
static struct {
    struct hpc_control *control;
    bool in_run;
} noted;

static inline const void *asked_by(const void *from)
{
    if (dev_heap_asked)
        dev_heap_asked(from);
    return from;
}

/* Overwrite what nobody has set yet, so that a program that reads it is wrong every time; the
 * pages that a system gives are zeros, which is right too often. */
static inline void *fill(void *p, size_t bytes, const void *from)
{
    struct hpc_control *c = noted.control;
    if (!p || !c || !c->fill)
        return p;
    const uint32_t number = __atomic_add_fetch(&c->filled, 1, __ATOMIC_RELAXED);
    if (number == c->zeros)
        c->filled_at = (uintptr_t)from - 1 - (uintptr_t)__ehdr_start;
    memset(p, number <= c->zeros ? 0 : HPC_FILL, bytes < HPC_FILL_BYTES ? bytes : HPC_FILL_BYTES);
    return p;
}

/* What came of a call that returns to `from`. */
static inline void *note(void *p, size_t bytes, const void *from)
{
    struct hpc_control *c = noted.control;
    uint64_t none = 0;
    if (!p && bytes && c)
        __atomic_store_n(&c->starved, 1, __ATOMIC_RELEASE);
    if (!__atomic_load_n(&noted.in_run, __ATOMIC_RELAXED))
        return p;
    __atomic_fetch_add(&c->allocations, 1, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&c->allocated_at, &none,
                                (uintptr_t)from - 1 - (uintptr_t)__ehdr_start, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return p;
}

/* What an allocator gave that no other wrapper here has seen. */
void *runner_given(void *p, size_t bytes, const void *from)
{
    return fill(note(p, bytes, from), bytes, from);
}

void *__wrap_malloc(size_t bytes)
{
    const void *from = __builtin_return_address(0);
    void *kernels;
    if (dev_heap_malloc && dev_heap_malloc(bytes, &kernels))
        return kernels;
    asked_by(from);
    return runner_given(__real_malloc(bytes), bytes, from);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    const void *from = asked_by(__builtin_return_address(0));
    return note(__real_calloc(count, bytes), count && bytes, from);
}

/* What it adds nobody has set. All that the block before had room for counts as kept: what malloc
 * left unasked of it stays as it was. */
void *__wrap_realloc(void *p, size_t bytes)
{
    const void *from = asked_by(__builtin_return_address(0));
    const size_t had = p ? malloc_usable_size(p) : 0;
    char *more = (char *)note(__real_realloc(p, bytes), bytes, from);
    if (more && bytes > had)
        fill(more + had, bytes - had, from);
    return more;
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    const void *from = asked_by(__builtin_return_address(0));
#ifdef __SANITIZE_ADDRESS__ /* which would refuse a size that is no multiple, as glibc does not */
    void *p = NULL;
    if (bytes % alignment && __real_posix_memalign(&p, alignment, bytes) == 0)
        return runner_given(p, bytes, from);
#endif
    return runner_given(__real_aligned_alloc(alignment, bytes), bytes, from);
}

int __wrap_posix_memalign(void **p, size_t alignment, size_t bytes)
{
    const void *from = asked_by(__builtin_return_address(0));
    void *found = NULL;
    int failed = __real_posix_memalign(&found, alignment, bytes);
    if (!failed || failed == ENOMEM)
        note(found, bytes, from);
    if (!failed)
        *p = fill(found, bytes, from); /* here, where a sanitizer sees it */
    return failed;
}

#ifdef __cplusplus
}
#endif
#endif
