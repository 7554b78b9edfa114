/* Check mode: the allocators of the whole program, libraries too, forward to the C library's and
 * put a guard around every block (device/runtime/guards.h). They are weak, and have the C library's
 * names in the archive alone (mk/device.mk). Where a program has allocators of its own, some of
 * its blocks would end without being told: then there are no guards at all. */
#ifdef DEV_CHECK
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/runtime/guards.h"

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *p);

/* The program's: those below, or its own. */
void *__real_malloc(size_t bytes);
void __real_free(void *p);
size_t __real_malloc_usable_size(void *p);
size_t __wrap_malloc_usable_size(void *p);

/* Who asked, where it is not the caller of these; for one allocation. */
static __thread const void *asked;

void dev_heap_asked(const void *from)
{
    if (!asked)
        asked = from;
}

static const void *asker(const void *from)
{
    const void *first = asked ? asked : from;
    asked = NULL;
    return first;
}

#define FROM asker(__builtin_return_address(0))

static void *own_malloc(size_t bytes);
static void own_free(void *p);

/* What the linker took, which the compiler does not know: volatile. */
static void *(*volatile programs_malloc)(size_t bytes) = __real_malloc;
static void (*volatile programs_free)(void *p) = __real_free;

/* Whether all blocks come from here and end here. */
static bool ours(void)
{
    return programs_malloc == own_malloc && programs_free == own_free;
}

static size_t with(size_t bytes)
{
    return ours() ? check_guard_with(bytes) : bytes;
}

static void *begun(void *p, size_t bytes, const void *from)
{
    return ours() ? check_guard_begin(p, bytes, from) : p;
}

static void ended(void *p)
{
    struct dev_broken broken;
    if (ours() && check_guard_end(p, &broken))
        check_past_block(&broken);
}

size_t __wrap_malloc_usable_size(void *p)
{
    const size_t room = __real_malloc_usable_size(p);
    return room ? check_guard_bytes(p, room) : room;
}

static void *own_malloc(size_t bytes)
{
    return begun(__libc_malloc(with(bytes)), bytes, FROM);
}

static void own_free(void *p)
{
    const int before = errno; /* which free leaves */
    ended(p);
    __libc_free(p);
    errno = before;
}

static void *own_calloc(size_t count, size_t bytes)
{
    size_t all;
    const void *from = FROM;
    if (__builtin_mul_overflow(count, bytes, &all))
        return __libc_calloc(count, bytes);
    return begun(__libc_calloc(1, with(all)), all, from);
}

/* A block that can't be had larger stays as it was, with a guard. */
static void *own_realloc(void *p, size_t bytes)
{
    const void *from = FROM;
    if (p && !bytes) {
        own_free(p);
        return NULL;
    }
    const size_t had = p ? __wrap_malloc_usable_size(p) : 0;
    ended(p);
    void *more = __libc_realloc(p, with(bytes));
    if (!more && p)
        begun(p, had, from);
    return begun(more, bytes, from);
}

static void *aligned(size_t alignment, size_t bytes, const void *from)
{
    return begun(__libc_memalign(alignment, with(bytes)), bytes, from);
}

static bool is_power(size_t alignment)
{
    return alignment && !(alignment & (alignment - 1));
}

static void *own_aligned_alloc(size_t alignment, size_t bytes)
{
    const void *from = FROM;
    if (is_power(alignment))
        return aligned(alignment, bytes, from);
    errno = EINVAL;
    return NULL;
}

static void *own_memalign(size_t alignment, size_t bytes)
{
    return aligned(alignment, bytes, FROM);
}

static int own_posix_memalign(void **p, size_t alignment, size_t bytes)
{
    const int before = errno;
    const void *from = FROM;
    if (!is_power(alignment) || alignment % sizeof(void *))
        return EINVAL;
    void *found = aligned(alignment, bytes, from);
    errno = before;
    if (found)
        *p = found;
    return found ? 0 : ENOMEM;
}

#define NAMED(type, name, arguments)                                                               \
    type dev_host_##name arguments __attribute__((weak, alias("own_" #name)));
NAMED(void *, malloc, (size_t bytes))
NAMED(void, free, (void *p))
NAMED(void *, calloc, (size_t count, size_t bytes))
NAMED(void *, realloc, (void *p, size_t bytes))
NAMED(void *, aligned_alloc, (size_t alignment, size_t bytes))
NAMED(void *, memalign, (size_t alignment, size_t bytes))
NAMED(int, posix_memalign, (void **p, size_t alignment, size_t bytes))
#endif
