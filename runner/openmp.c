/* Linked with a runner under the thread sanitizer whose OpenMP library is clang's: with the option
 * by which the sanitizer passes over that library (tools.c, find_archer) it passes over memcpy(),
 * memmove() and memset() of the variant too, so these announce what they touch. */
#include <stddef.h>
#include <stdint.h>

void __tsan_read_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
/* Weak: a link by gcc wraps none of them. */
void *__real_memcpy(void *to, const void *from, size_t bytes) __attribute__((weak));
void *__real_memmove(void *to, const void *from, size_t bytes) __attribute__((weak));
void *__real_memset(void *to, int byte, size_t bytes) __attribute__((weak));
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes);

/* For `caller`, whose line the report has to name. */
static void announce_copy(void *caller, void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return;
    __tsan_func_entry(caller);
    if (from)
        __tsan_read_range((void *)(uintptr_t)from, bytes);
    __tsan_write_range(to, bytes);
    __tsan_func_exit();
}

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    announce_copy(__builtin_return_address(0), to, from, bytes);
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    announce_copy(__builtin_return_address(0), to, from, bytes);
    return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int byte, size_t bytes)
{
    announce_copy(__builtin_return_address(0), to, NULL, bytes);
    return __real_memset(to, byte, bytes);
}
