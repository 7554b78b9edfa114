/* Shadow memory: a state byte and a cell for every granule of a range of addresses, found by
 * arithmetic. Address space is reserved, memory comes when a page is touched; a range of b bytes
 * of which all are used needs b/4 bytes of states and, for what kernels touch, 8b of cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "device/shadow/shadow.h"

static void *reserve_pages(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr,
                "device check: no address space for %zu MiB of shadow memory, expected a process "
                "without a limit on it (ulimit -v)\n",
                bytes >> 20);
        exit(3);
    }
    return p;
}

struct space check_space_reserve(uintptr_t base, size_t bytes)
{
    size_t granules = (bytes + 2 * GRANULE - 1) / GRANULE;
    struct space s = {.base = base - base % GRANULE, .bytes = bytes + base % GRANULE};
    s.state = reserve_pages(granules);
    s.cells = reserve_pages(granules * sizeof *s.cells);
    /* Without huge pages, every 512 bytes of data cost a page fault. */
    madvise(s.cells, granules * sizeof *s.cells, MADV_HUGEPAGE);
    return s;
}

void check_space_release(struct space *s)
{
    size_t granules = (s->bytes + 2 * GRANULE - 1) / GRANULE;
    if (s->state) {
        munmap(s->state, granules);
        munmap(s->cells, granules * sizeof *s->cells);
    }
    *s = (struct space){0};
}

/* Sets or clears, for the bytes [first, end) of the space, their bits of `bits` (one of
 * STATE_WRITTEN, STATE_USABLE). */
static void set_bits(const struct space *s, size_t first, size_t end, unsigned bits, bool on)
{
    while (first < end) {
        size_t granule = first / GRANULE, from = first % GRANULE;
        size_t to = end - granule * GRANULE < GRANULE ? end - granule * GRANULE : GRANULE;
        unsigned bytes = ((1u << to) - 1) & ~((1u << from) - 1);
        unsigned mask = (bytes | bytes << 4) & bits;
        if (on)
            s->state[granule] |= (uint8_t)mask;
        else
            s->state[granule] &= (uint8_t)~mask;
        first = (granule + 1) * GRANULE;
    }
}

void check_space_set_usable(const struct space *s, uintptr_t p, size_t bytes, bool usable)
{
    /* What becomes usable, or stops being so, is not written. */
    size_t first = p - s->base, end = first + bytes;
    size_t whole = (first + GRANULE - 1) / GRANULE, whole_end = end / GRANULE;
    if (whole < whole_end) {
        memset(s->state + whole, usable ? STATE_USABLE : 0, whole_end - whole);
        set_bits(s, first, whole * GRANULE, STATE_ALL, false);
        set_bits(s, whole_end * GRANULE, end, STATE_ALL, false);
        set_bits(s, first, whole * GRANULE, STATE_USABLE, usable);
        set_bits(s, whole_end * GRANULE, end, STATE_USABLE, usable);
        return;
    }
    set_bits(s, first, end, STATE_ALL, false);
    set_bits(s, first, end, STATE_USABLE, usable);
}

void check_space_set_written(const struct space *s, uintptr_t p, size_t bytes, bool written)
{
    size_t first = p - s->base, end = first + bytes;
    size_t whole = (first + GRANULE - 1) / GRANULE, whole_end = end / GRANULE;
    if (whole >= whole_end) {
        set_bits(s, first, end, STATE_WRITTEN, written);
        return;
    }
    set_bits(s, first, whole * GRANULE, STATE_WRITTEN, written);
    uint8_t *state = s->state + whole;
    size_t n = whole_end - whole;
    for (size_t i = 0; i < n; i++)
        state[i] = (uint8_t)(written ? state[i] | STATE_WRITTEN : state[i] & ~STATE_WRITTEN);
    set_bits(s, whole_end * GRANULE, end, STATE_WRITTEN, written);
}

size_t check_space_first_without(const struct space *s, uintptr_t p, size_t bytes, unsigned bit)
{
    const size_t at = p - s->base, room = at < s->bytes ? s->bytes - at : 0;
    const size_t end = bytes < room ? bytes : room;
    const unsigned all = bit * STATE_WRITTEN;
    for (size_t i = 0; i < end; i++) {
        while ((at + i) % GRANULE == 0 && end - i >= GRANULE &&
               (s->state[(at + i) / GRANULE] & all) == all)
            i += GRANULE;
        if (i < end && !(s->state[(at + i) / GRANULE] & bit << (at + i) % GRANULE))
            return i;
    }
    return end;
}

void check_space_copy_written(const struct space *to, uintptr_t p, const struct space *from,
                              uintptr_t q, size_t bytes)
{
    /* Byte by byte into a copy first: the ranges may overlap. */
    size_t at = q - from->base;
    uint8_t *written = malloc(bytes ? bytes : 1);
    if (!written)
        return;
    for (size_t i = 0; i < bytes; i++)
        written[i] = from->state[(at + i) / GRANULE] >> (at + i) % GRANULE & 1;
    for (size_t i = 0, n; i < bytes; i += n) {
        for (n = 1; i + n < bytes && written[i + n] == written[i]; n++)
            ;
        check_space_set_written(to, p + i, n, written[i]);
    }
    free(written);
}
