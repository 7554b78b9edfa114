/* Copies and comparisons that the compiler leaves to the C library, in kernels and in host code.
 * Instrumented objects are linked with --wrap=memcpy,memmove,memset,memcmp, which sends their calls
 * here; in check.a itself the four are renamed __real_*, so that runtime and checker do without
 * (mk/device.mk). */
#include "device/check/check.h"
#include "device/check/veil.h"

/* A vector of 8 or 16 bytes at its own alignment is one instruction; all else goes by pieces. */
static void copied(const void *p, size_t bytes, enum access_kind kind, const void *from)
{
    if (dev_self && (bytes == 8 || bytes == 16) && (uintptr_t)p % bytes == 0)
        check_access(p, (unsigned)bytes, kind, from);
    else
        check_range(p, bytes, kind, from);
    veil_open(p, bytes, check_writes(kind));
}

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__real_memmove(void *to, const void *from, size_t bytes);
void *__real_memset(void *to, int value, size_t bytes);
int __real_memcmp(const void *a, const void *b, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memset(void *to, int value, size_t bytes);
int __wrap_memcmp(const void *a, const void *b, size_t bytes);

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    copied(from, bytes, ACCESS_READ, __builtin_return_address(0));
    copied(to, bytes, ACCESS_WRITE, __builtin_return_address(0));
    return __real_memcpy(to, from, bytes);
}

void *__wrap_memmove(void *to, const void *from, size_t bytes)
{
    copied(from, bytes, ACCESS_READ, __builtin_return_address(0));
    copied(to, bytes, ACCESS_WRITE, __builtin_return_address(0));
    return __real_memmove(to, from, bytes);
}

void *__wrap_memset(void *to, int value, size_t bytes)
{
    copied(to, bytes, ACCESS_WRITE, __builtin_return_address(0));
    return __real_memset(to, value, bytes);
}

int __wrap_memcmp(const void *a, const void *b, size_t bytes)
{
    copied(a, bytes, ACCESS_READ, __builtin_return_address(0));
    copied(b, bytes, ACCESS_READ, __builtin_return_address(0));
    return __real_memcmp(a, b, bytes);
}

/* What newer versions of clang call them in what they instrument. */
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
    __attribute__((alias("__wrap_memcpy")));
void *__tsan_memmove(void *to, const void *from, size_t bytes)
    __attribute__((alias("__wrap_memmove")));
void *__tsan_memset(void *to, int value, size_t bytes) __attribute__((alias("__wrap_memset")));
