/* Check mode: malloc, free, new and delete in kernels. Their memory is the device's, so that what a
 * kernel does with it is looked at like all else. Programs are linked with --wrap of these names
 * (mk/device.mk); in check.a itself malloc and free are renamed __real_*. */
#ifdef DEV_CHECK
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/runtime/device.h"
#include "device/runtime/guards.h"
#include "device/runtime/memory.h"

#define HEAP_NAME "the heap of kernels"

void *__real_malloc(size_t bytes);
void __real_free(void *p);
/* Weak: a runner has a malloc of its own, and fills what new gives. */
void *runner_given(void *p, size_t bytes, const void *from) __attribute__((weak));
/* Weak: a runner has a malloc of its own, which asks this one first. */
void *__wrap_malloc(size_t bytes) __attribute__((weak));
bool dev_heap_malloc(size_t bytes, void **p);
void __wrap_free(void *p);

/* A kernel's allocation; false where none runs. One of no bytes has an address of its own, too. */
bool dev_heap_malloc(size_t bytes, void **p)
{
    if (dev_self)
        *p = dev_memory_allocate(bytes ? bytes : 1, DEV_GLOBAL, (struct dev_site){HEAP_NAME, 0});
    return dev_self != NULL;
}

static bool is_kernels(const void *p)
{
    return dev_self && (const char *)p >= dev_arena && (const char *)p < dev_arena_end;
}

void *__wrap_malloc(size_t bytes)
{
    void *p;
    if (dev_heap_malloc(bytes, &p))
        return p;
    dev_heap_asked(__builtin_return_address(0));
    return __real_malloc(bytes);
}

/* Whether the host gives the C library what is the device's, or pinned; else it ends. */
static bool is_devices(const char *call, const void *p, const void *from)
{
    const bool wrong =
        !dev_self && dev_arena && (const char *)p >= dev_arena && (const char *)p < dev_arena_end;
    if (wrong)
        check_bad_free(call, p, "what malloc or new gave", from);
    return wrong;
}

static void free_kernels(const char *call, void *p, const void *from)
{
    if (!dev_memory_free(p))
        check_bad_free(call, p, "what malloc or new gave, freed once", from);
}

void __wrap_free(void *p)
{
    if (is_kernels(p))
        free_kernels("free", p, __builtin_return_address(0));
    else if (!is_devices("free", p, __builtin_return_address(0)))
        __real_free(p);
}

/* new and new[], plain, aligned, or that may fail: behind the bytes an alignment, std::nothrow,
 * both, or nothing that anybody gave. All of the device's memory is aligned enough. */
#define HEAP_NEW(name)                                                                             \
    void *__real_##name(size_t bytes, size_t more, size_t last);                                   \
    void *__wrap_##name(size_t bytes, size_t more, size_t last);                                   \
    void *__wrap_##name(size_t bytes, size_t more, size_t last)                                    \
    {                                                                                              \
        void *p;                                                                                   \
        if (dev_heap_malloc(bytes, &p))                                                            \
            return p;                                                                              \
        dev_heap_asked(__builtin_return_address(0));                                               \
        p = __real_##name(bytes, more, last);                                                      \
        return runner_given ? runner_given(p, bytes, __builtin_return_address(0)) : p;             \
    }
HEAP_NEW(_Znwm)
HEAP_NEW(_Znam)
HEAP_NEW(_ZnwmSt11align_val_t)
HEAP_NEW(_ZnamSt11align_val_t)
HEAP_NEW(_ZnwmRKSt9nothrow_t)
HEAP_NEW(_ZnamRKSt9nothrow_t)
HEAP_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t)
HEAP_NEW(_ZnamSt11align_val_tRKSt9nothrow_t)
#undef HEAP_NEW

/* delete and delete[]: size and alignment, in this order, as far as a caller gives them. */
#define HEAP_DELETE(name)                                                                          \
    void __real_##name(void *p, size_t first, size_t second);                                      \
    void __wrap_##name(void *p, size_t first, size_t second);                                      \
    void __wrap_##name(void *p, size_t first, size_t second)                                       \
    {                                                                                              \
        if (is_kernels(p))                                                                         \
            free_kernels("delete", p, __builtin_return_address(0));                                \
        else if (!is_devices("delete", p, __builtin_return_address(0)))                            \
            __real_##name(p, first, second);                                                       \
    }
HEAP_DELETE(_ZdlPv)
HEAP_DELETE(_ZdaPv)
HEAP_DELETE(_ZdlPvm)
HEAP_DELETE(_ZdaPvm)
HEAP_DELETE(_ZdlPvSt11align_val_t)
HEAP_DELETE(_ZdaPvSt11align_val_t)
HEAP_DELETE(_ZdlPvmSt11align_val_t)
HEAP_DELETE(_ZdaPvmSt11align_val_t)
#undef HEAP_DELETE
#endif
