/* Accesses of code that is not instrumented: what a call of cuBLAS or cuDNN reads; copies and
 * comparisons that the compiler leaves to the C library, in kernels and in host code.
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

/* ---- calls of cuBLAS and cuDNN ------------------------------------------------------------- */

/* The first byte of these rows that holds nothing; NULL: there is none. */
static const char *first_unset(const struct dev_rows *rows)
{
    const struct space *s = &check_now.global;
    for (size_t i = 0; i < rows->height; i++) {
        const char *from = rows->p + i * rows->pitch;
        const uintptr_t at = (uintptr_t)from - s->base;
        if (at >= s->bytes || rows->width > s->bytes - at)
            return NULL;
        check_bounds_copied(from, rows->width);
        const size_t first = check_space_first_without(s, (uintptr_t)from, rows->width, 1);
        if (first < rows->width)
            return from + first;
    }
    return NULL;
}

void check_library_reads(const struct dev_library_call *call, const struct dev_argument *a)
{
    char part[200];
    struct dev_region r;
    const char *unset = a->rows.write || a->gaps ? NULL : first_unset(&a->rows);
    if (!unset || check_region_find((uintptr_t)unset, &r) != REGION_INSIDE ||
        check_report_seen("uninit-global", call->from, a->name))
        return;
    struct finding f = check_finding_here("uninit-global", call->from);
    f.note = r.kind == DEV_MANAGED;
    check_region_variable(f.variable, sizeof f.variable, &r);
    check_region_name_part(part, sizeof part, &r, (uintptr_t)unset, sizeof(float));
    check_append(f.text, sizeof f.text,
                 "read of what nobody wrote: %s at %s:%d takes as %s %s, which was never written",
                 call->name, f.at.place.file, f.at.place.line, a->name, part);
    check_append(f.advice, sizeof f.advice,
                 "let the kernel before it write all of that: does its grid cover it, and has the "
                 "call the sizes that it has?");
    check_report_add(&f, call->from, a->name);
}
