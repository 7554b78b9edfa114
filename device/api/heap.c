/* Check mode: malloc, free, new and delete in kernels. Their memory is the device's, so that what a
 * kernel does with it is looked at like all else. Programs are linked with --wrap of these names
 * (mk/device.mk); in check.a itself malloc and free are renamed __real_*. */
#ifdef DEV_CHECK
#include <stddef.h>

#include "device/runtime/device.h"
#include "device/runtime/memory.h"

#define HEAP_NAME "the heap of kernels"

void *__real_malloc(size_t bytes);
void __real_free(void *p);
/* Weak: a runner has a malloc of its own. */
void *__wrap_malloc(size_t bytes) __attribute__((weak));
void __wrap_free(void *p);

/* `real` where no kernel runs. An allocation of no bytes has an address of its own, too. */
static void *allocate(size_t bytes, void *(*real)(size_t))
{
    if (!dev_self)
        return real(bytes);
    return dev_memory_allocate(bytes ? bytes : 1, DEV_GLOBAL, (struct dev_site){HEAP_NAME, 0});
}

static bool is_kernels(const void *p)
{
    return dev_self && (const char *)p >= dev_arena && (const char *)p < dev_arena_end;
}

void *__wrap_malloc(size_t bytes)
{
    return allocate(bytes, __real_malloc);
}

/* The host gives the C library what is the device's, or pinned. */
static bool is_devices(const char *call, const void *p, const void *from)
{
    const bool wrong =
        !dev_self && dev_arena && (const char *)p >= dev_arena && (const char *)p < dev_arena_end;
    if (wrong)
        check_bad_free(call, p, "what malloc or new gave", from);
    return wrong;
}

void __wrap_free(void *p)
{
    if (is_kernels(p))
        dev_memory_free(p);
    else if (!is_devices("free", p, __builtin_return_address(0)))
        __real_free(p);
}

/* new and new[]; delete and delete[], without and with the size. */
#define HEAP_NEW(name)                                                                             \
    void *__real_##name(size_t bytes);                                                             \
    void *__wrap_##name(size_t bytes);                                                             \
    void *__wrap_##name(size_t bytes)                                                              \
    {                                                                                              \
        return allocate(bytes, __real_##name);                                                     \
    }
HEAP_NEW(_Znwm)
HEAP_NEW(_Znam)
#undef HEAP_NEW

/* A size that a caller does not give is not looked at. */
#define HEAP_DELETE(name)                                                                          \
    void __real_##name(void *p, size_t bytes);                                                     \
    void __wrap_##name(void *p, size_t bytes);                                                     \
    void __wrap_##name(void *p, size_t bytes)                                                      \
    {                                                                                              \
        if (is_kernels(p))                                                                         \
            dev_memory_free(p);                                                                    \
        else if (!is_devices("delete", p, __builtin_return_address(0)))                            \
            __real_##name(p, bytes);                                                               \
    }
HEAP_DELETE(_ZdlPv)
HEAP_DELETE(_ZdaPv)
HEAP_DELETE(_ZdlPvm)
HEAP_DELETE(_ZdaPvm)
#undef HEAP_DELETE
#endif
