/* Guards around the blocks of the host's heap. Behind each lies what check_guard_with added, in
 * front the C library's own word, which it keeps the block's size in. The compiler's calls tell of
 * every access of the program's to such a byte; what a library writes is seen when the block ends,
 * by the pattern there. At the end of its block a guard has the block's name: size and caller. */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "device/shadow/guards.h"

/* Between a guard and the front of the next block lies a gap, so that each is a run of bits. */
enum { PATTERN = 0xB5, FRONT = sizeof(size_t), GAP = 8, LEAST = 64, MOST = 4096 };

struct name {
    const void *from;
    size_t bytes;
    size_t told; /* something was told of the block, whatever is found at its end */
    size_t sum;
};

/* Held while guards end, and while all are looked at: no block goes meanwhile. What is told then
 * may free some itself. */
static pthread_mutex_t ending = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

uint64_t *check_guard_chunks[GUARD_CHUNKS];

static size_t sum_of(const struct name *n)
{
    return (size_t)n->from * 31 + n->bytes * 7 + n->told + 0x5EED;
}

/* ---- bits ------------------------------------------------------------------------------------ */

enum { CHUNK_WORDS = (1 << GUARD_CHUNK) / 64 };

/* Behind a chunk's bits: from where to where bytes were ever marked. */
static struct made {
    struct made *next;
    uintptr_t low, high;
} * all_made;

/* The word that has a byte's bit; NULL: its chunk is not there. */
static uint64_t *word_of(uintptr_t p, bool make)
{
    enum { BYTES = CHUNK_WORDS * 8 + sizeof(struct made) };
    if (p >> GUARD_ADDRESS)
        return NULL;
    uint64_t **place = &check_guard_chunks[p >> GUARD_CHUNK],
             *chunk = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (!chunk && make) {
        chunk = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        uint64_t *other = NULL;
        if (chunk == MAP_FAILED)
            return NULL;
        struct made *made = (struct made *)(chunk + CHUNK_WORDS);
        made->low = UINTPTR_MAX;
        if (!__atomic_compare_exchange_n(place, &other, chunk, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)) {
            munmap(chunk, BYTES);
            chunk = other;
        } else {
            made->next = __atomic_load_n(&all_made, __ATOMIC_RELAXED);
            while (!__atomic_compare_exchange_n(&all_made, &made->next, made, true,
                                                __ATOMIC_RELEASE, __ATOMIC_RELAXED))
                ;
        }
    }
    return chunk ? &chunk[(p & ((1u << GUARD_CHUNK) - 1)) / 64] : NULL;
}

/* Bytes [p, end) of p's word, as bits. */
static uint64_t bits_of(uintptr_t p, uintptr_t end)
{
    const uint64_t from = UINT64_MAX << p % 64;
    return end > (p | 63) ? from : from & ((UINT64_C(1) << end % 64) - 1);
}

/* Byte p of a chunk that is there is marked. */
static void widen(uintptr_t p)
{
    struct made *made = (struct made *)(check_guard_chunks[p >> GUARD_CHUNK] + CHUNK_WORDS);
    uintptr_t low = __atomic_load_n(&made->low, __ATOMIC_RELAXED),
              high = __atomic_load_n(&made->high, __ATOMIC_RELAXED);
    while (p < low && !__atomic_compare_exchange_n(&made->low, &low, p, true, __ATOMIC_RELAXED,
                                                   __ATOMIC_RELAXED))
        ;
    while (p >= high && !__atomic_compare_exchange_n(&made->high, &high, (p | 63) + 1, true,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void mark(uintptr_t p, uintptr_t end, bool on)
{
    for (; p < end; p = (p | 63) + 1) {
        uint64_t *word = word_of(p, on);
        if (word && on)
            __atomic_fetch_or(word, bits_of(p, end), __ATOMIC_RELAXED), widen(p);
        else if (word)
            __atomic_fetch_and(word, ~bits_of(p, end), __ATOMIC_RELAXED);
    }
}

uintptr_t check_guard_first(uintptr_t p, uintptr_t end)
{
    while (p < end) {
        const uint64_t *word = word_of(p, false);
        if (!word) {
            p = (p | ((UINT64_C(1) << GUARD_CHUNK) - 1)) + 1;
            if (!p)
                return end;
            continue;
        }
        const uint64_t bits = __atomic_load_n(word, __ATOMIC_RELAXED) & bits_of(p, end);
        if (bits)
            return (p & ~(uintptr_t)63) + (uintptr_t)__builtin_ctzll(bits);
        p = (p | 63) + 1;
    }
    return end;
}

static bool is_marked(uintptr_t p)
{
    return check_guard_first(p, p + 1) == p;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

size_t check_guard_with(size_t bytes)
{
    const size_t more = bytes < LEAST ? LEAST : bytes < MOST ? bytes : MOST;
    const size_t all = more + sizeof(struct name) + GAP;
    return bytes > PTRDIFF_MAX - all ? bytes : bytes + all;
}

/* Where the guard of the block at p ends, if it has one. */
static uintptr_t end_of(uintptr_t p)
{
    return p + malloc_usable_size((void *)p) - GAP;
}

/* The name that ends at `end`, which is no multiple of anything. False: it is overwritten. */
static bool name_at(uintptr_t end, struct name *n)
{
    memcpy(n, (const void *)(end - sizeof *n), sizeof *n);
    return n->sum == sum_of(n);
}

static void name_set(uintptr_t end, struct name n)
{
    n.sum = sum_of(&n);
    memcpy((void *)(end - sizeof n), &n, sizeof n);
}

void *check_guard_begin(void *p, size_t bytes, const void *from)
{
    const uintptr_t begin = (uintptr_t)p, end = p ? end_of(begin) : 0;
    if (!p || malloc_usable_size(p) < bytes + LEAST + sizeof(struct name) + GAP)
        return p;
    memset((char *)p + bytes, PATTERN, end - begin - bytes);
    name_set(end, (struct name){from, bytes, false, 0});
    if (bytes)
        mark(begin - FRONT, begin, true);
    mark(begin + bytes, end, true);
    return p;
}

size_t check_guard_bytes(const void *p, size_t room)
{
    const uintptr_t begin = (uintptr_t)p;
    return check_guard_first(begin, room > UINTPTR_MAX - begin ? UINTPTR_MAX : begin + room) -
           begin;
}

/* Whether a library wrote into the guard [first, end): its pattern or its name is another. */
static bool is_broken(uintptr_t first, uintptr_t end, size_t bytes, struct dev_broken *broken)
{
    struct name n;
    const bool named = name_at(end, &n) && n.bytes == bytes;
    const unsigned char *at = (const unsigned char *)first,
                        *last = (const unsigned char *)end - sizeof n;
    while (at < last && *at == PATTERN)
        at++;
    *broken = (struct dev_broken){bytes, (size_t)(at - (const unsigned char *)first),
                                  named ? n.from : NULL};
    return named ? at < last && !n.told : true;
}

bool check_guard_end(void *p, struct dev_broken *broken)
{
    const uintptr_t begin = (uintptr_t)p;
    struct name n;
    if (!p || malloc_usable_size(p) < LEAST + sizeof n + GAP)
        return false;
    const uintptr_t end = end_of(begin);
    const bool named = name_at(end, &n) && n.bytes < end - begin && is_marked(begin + n.bytes);
    const uintptr_t first = named ? begin + n.bytes : check_guard_first(begin, end);
    if (first == end)
        return false;
    pthread_mutex_lock(&ending);
    mark(begin - FRONT, begin, false);
    mark(first, end, false);
    pthread_mutex_unlock(&ending);
    return is_broken(first, end, first - begin, broken);
}

/* The run of marked bytes that `byte` is in, [*begin, *end). */
static void run_of(uintptr_t byte, uintptr_t *begin, uintptr_t *end)
{
    for (*begin = byte; is_marked(*begin - 1);)
        --*begin;
    for (*end = byte; is_marked(*end);)
        ++*end;
}

bool check_guard_block(uintptr_t byte, bool told, struct guarded *block)
{
    struct name n;
    uintptr_t begin, end;
    run_of(byte, &begin, &end);
    const bool front = end - begin == FRONT;
    if (front)
        end = end_of(end);
    if (!name_at(end, &n))
        return false;
    *block = (struct guarded){front ? begin + FRONT : begin - n.bytes, n.bytes, n.from};
    n.told |= told;
    name_set(end, n);
    return true;
}

/* Every guard that is there, found by its bits: no list of blocks is kept. */
static void each(void (*look)(uintptr_t begin, uintptr_t end, const struct name *, void *), void *p)
{
    pthread_mutex_lock(&ending);
    for (struct made *made = __atomic_load_n(&all_made, __ATOMIC_ACQUIRE); made;
         made = made->next) {
        uintptr_t begin, end;
        struct name n;
        for (uintptr_t at = made->low; (at = check_guard_first(at, made->high)) < made->high;
             at = end) {
            run_of(at, &begin, &end);
            if (end - begin > FRONT)
                look(begin, end, name_at(end, &n) ? &n : NULL, p);
        }
    }
    pthread_mutex_unlock(&ending);
}

static void look_broken(uintptr_t begin, uintptr_t end, const struct name *n, void *tell)
{
    struct dev_broken broken;
    if (is_broken(begin, end, n ? n->bytes : 0, &broken))
        (*(void (**)(const struct dev_broken *))tell)(&broken);
}

void check_guards_each(void (*tell)(const struct dev_broken *broken))
{
    each(look_broken, &tell);
}

static void look_left(uintptr_t begin, uintptr_t end, const struct name *n, void *tell)
{
    (void)end;
    if (n)
        (*(void (**)(const struct guarded *))tell)(
            &(struct guarded){begin - n->bytes, n->bytes, n->from});
}

void check_guards_left(void (*tell)(const struct guarded *block))
{
    each(look_left, &tell);
}
