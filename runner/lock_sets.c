/* Sets of locks that a thread has, for locks.c and phases.c: what is done under a lock is done by
 * one thread at a time, so a phase lasts as long as all that is done under it; under locks that
 * nobody else takes threads work at once. Bytes are counted by the locks that their thread has: any
 * two of a `clique` of such sets have a lock in common, so no two of its parts go on at the same
 * time.
 *
 * A lock is known by its address, or by its name's. libgomp lets a thread give back what another
 * one took, or what nobody has: a lock that was given back as often as it was taken is free.
 */
#include "runner/lock_sets.h"

#include <stddef.h>

#define LOCKS 1024 /* addresses; two that are LOCKS_TOLD apart in order of use count as one */
#define HELD  16

enum { LOCKS_TOLD = RUNNER_LOCK_SETS / 2 };

static struct runner_lock lock[LOCKS];
static bool naming; /* locks or sets */

/* Sets of locks, a bit each: one of LOCKS_TOLD alone, and behind these what was met of others. */
static uint64_t set[RUNNER_LOCK_SETS];

static _Thread_local struct {
    struct runner_lock *lock;
    unsigned times; /* of the lock's, when it was taken: others mean that it no longer is */
} held[HELD];
static _Thread_local int places; /* of these, that were ever used */

struct runner_lock *runner_lock_of(const void *at)
{
    struct runner_lock *found = NULL;
    while (__atomic_test_and_set(&naming, __ATOMIC_ACQUIRE))
        ;
    for (int i = 0; i < LOCKS && !found; i++)
        if (!lock[i].at || lock[i].at == at)
            found = &lock[i];
    if (found)
        found->at = at;
    __atomic_clear(&naming, __ATOMIC_RELEASE);
    return found;
}

static bool has(int i)
{
    return held[i].lock && held[i].times == __atomic_load_n(&held[i].lock->times, __ATOMIC_RELAXED);
}

bool runner_has_lock(const struct runner_lock *l)
{
    bool found = false;
    for (int i = 0; i < places; i++)
        found |= held[i].lock == l && has(i);
    return found;
}

/* Of several locks together: where it is, or can be, counted; else that of one of them alone. */
static int place_of(uint64_t bits, int one)
{
    int i = LOCKS_TOLD;
    while (__atomic_test_and_set(&naming, __ATOMIC_ACQUIRE))
        ;
    while (i < RUNNER_LOCK_SETS && set[i] != bits && set[i] != 0)
        i++;
    if (i < RUNNER_LOCK_SETS)
        set[i] = bits;
    __atomic_clear(&naming, __ATOMIC_RELEASE);
    return i < RUNNER_LOCK_SETS ? i : one;
}

int runner_lock_set(void)
{
    static _Thread_local uint64_t last;
    static _Thread_local int last_place;
    uint64_t bits = 0;
    int one = -1;
    for (int i = 0; i < places; i++)
        if (has(i)) {
            one = one < 0 ? (int)((held[i].lock - lock) % LOCKS_TOLD) : one;
            bits |= (uint64_t)1 << (held[i].lock - lock) % LOCKS_TOLD;
        }
    if (bits == 0 || (bits & (bits - 1)) == 0)
        return one;
    if (bits != last) {
        last = bits;
        last_place = place_of(bits, one);
    }
    return last_place;
}

static uint64_t bits_of(int place)
{
    return place < LOCKS_TOLD ? (uint64_t)1 << place : set[place % RUNNER_LOCK_SETS];
}

/* Sets with any bytes, those of most first; returns how many. */
static int in_order(const uint64_t *bytes, int *order)
{
    int n = 0;
    for (int i = 0; i < RUNNER_LOCK_SETS; i++) {
        if (bytes[i] == 0)
            continue;
        int k = n++;
        for (; k > 0 && bytes[order[k - 1]] < bytes[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return n;
}

/* All bytes of a clique with set `first`: others join in their order, as far as they meet all. */
static uint64_t clique(const uint64_t *bytes, const int *order, int sets, int first)
{
    int member[RUNNER_LOCK_SETS] = {first}, n = 1;
    uint64_t sum = bytes[first];
    for (int i = 0; i < sets; i++) {
        bool meets = order[i] != first;
        for (int k = 0; k < n && meets; k++)
            meets = (bits_of(order[i]) & bits_of(member[k])) != 0;
        if (meets) {
            member[n++] = order[i];
            sum += bytes[order[i]];
        }
    }
    return sum;
}

uint64_t runner_under_locks(const uint64_t *bytes)
{
    uint64_t most = 0, under[LOCKS_TOLD] = {0};
    int order[RUNNER_LOCK_SETS];
    const int sets = in_order(bytes, order);
    for (int i = 0; i < sets; i++) {
        const uint64_t sum = clique(bytes, order, sets, order[i]);
        most = sum > most ? sum : most;
        for (int k = 0; k < LOCKS_TOLD; k++)
            under[k] += bits_of(order[i]) >> k & 1 ? bytes[order[i]] : 0;
    }
    for (int k = 0; k < LOCKS_TOLD && sets > 0; k++)
        most = under[k] > most ? under[k] : most;
    return most;
}

bool runner_lock_take(struct runner_lock *l)
{
    int i = 0;
    __atomic_fetch_add(&l->depth, 1, __ATOMIC_RELAXED);
    while (i < HELD && has(i) && held[i].lock != l)
        i++;
    if (i == HELD)
        return false;
    places = i < places ? places : i + 1;
    held[i].lock = l;
    held[i].times = __atomic_load_n(&l->times, __ATOMIC_RELAXED);
    return true;
}

void runner_lock_give(struct runner_lock *l)
{
    const int depth = __atomic_load_n(&l->depth, __ATOMIC_RELAXED);
    if (depth > 0)
        __atomic_store_n(&l->depth, depth - 1, __ATOMIC_RELAXED);
    if (depth == 1)
        __atomic_fetch_add(&l->times, 1, __ATOMIC_RELAXED);
}
