/* OpenMP's locks, beside phases.c: what is done under one is done by one thread at a time, so a
 * phase lasts as long as all that is done under it; under locks that nobody else takes threads work
 * at once. Bytes are counted by the locks that their thread has: any two of a `clique` of such sets
 * have a lock in common, so no two of its parts go on at the same time. And who finds a lock taken
 * goes on no sooner than the thread was that gives it back (orders.c has such chains).
 *
 * A lock is known by its address, or by its name's. libgomp lets a thread give back what another
 * one took, or what nobody has: a lock that was given back as often as it was taken is free.
 */
#include "runner/phases.h"

#define LOCKS 1024 /* addresses; two that are LOCKS_TOLD apart in order of use count as one */
#define HELD  16

enum { LOCKS_TOLD = RUNNER_LOCK_SETS / 2 };

static struct lock {
    const void *at;
    int depth;      /* times that it is taken; an omp_nest_lock_t may be so more than once */
    unsigned times; /* that it was free again */
    int phase;      /* in which it was last given back, */
    uint64_t chain; /* and the longest of those who did */
} lock[LOCKS];
static bool naming; /* locks or sets */

/* Sets of locks, a bit each: one of LOCKS_TOLD alone, and behind these what was met of others. */
static uint64_t set[RUNNER_LOCK_SETS];

static _Thread_local struct {
    struct lock *lock;
    unsigned times; /* of the lock's, when it was taken: others mean that it no longer is */
} held[HELD];
static _Thread_local int places; /* of these, that were ever used */

static struct lock *lock_of(const void *at)
{
    struct lock *found = NULL;
    while (__atomic_test_and_set(&naming, __ATOMIC_ACQUIRE))
        ;
    for (int i = 0; i < LOCKS && !found; i++)
        if (!lock[i].at || lock[i].at == at)
            found = &lock[i];
    if (found)
        found->at = at;
    else
        runner_unknown = true;
    __atomic_clear(&naming, __ATOMIC_RELEASE);
    return found ? found : &lock[LOCKS - 1];
}

static bool has(int i)
{
    return held[i].lock && held[i].times == __atomic_load_n(&held[i].lock->times, __ATOMIC_RELAXED);
}

static bool has_lock(const struct lock *l)
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
    return place < LOCKS_TOLD ? (uint64_t)1 << place : set[place];
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

/* ---- the calls --------------------------------------------------------------------------------
 */

bool runner_lock_is_taken(const void *at)
{
    const struct lock *l = lock_of(at);
    return __atomic_load_n(&l->depth, __ATOMIC_RELAXED) > 0 && !has_lock(l);
}

void runner_lock_taken(const void *at, bool waited)
{
    struct lock *l = lock_of(at);
    int i = 0;
    __atomic_fetch_add(&l->depth, 1, __ATOMIC_RELAXED);
    while (i < HELD && has(i) && held[i].lock != l)
        i++;
    if (i < HELD) {
        places = i < places ? places : i + 1;
        held[i].lock = l;
        held[i].times = __atomic_load_n(&l->times, __ATOMIC_RELAXED);
    } else {
        runner_unknown = true;
    }
    runner_place.locks++;
    runner_place.lockings++;
    if (waited && __atomic_load_n(&l->phase, __ATOMIC_RELAXED) == runner_place.phase) {
        runner_keep_most(&runner_place.chain, __atomic_load_n(&l->chain, __ATOMIC_RELAXED));
        runner_chain();
    }
}

/* Before the thread gives it back. */
static void given(const void *at)
{
    struct lock *l = lock_of(at);
    const int depth = __atomic_load_n(&l->depth, __ATOMIC_RELAXED);
    if (__atomic_load_n(&l->phase, __ATOMIC_RELAXED) != runner_place.phase) {
        __atomic_store_n(&l->chain, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&l->phase, runner_place.phase, __ATOMIC_RELAXED);
    }
    runner_keep_most(&l->chain, runner_place.chain);
    runner_chain();
    runner_place.locks -= has_lock(l);
    if (depth > 0)
        __atomic_store_n(&l->depth, depth - 1, __ATOMIC_RELAXED);
    if (depth == 1)
        __atomic_fetch_add(&l->times, 1, __ATOMIC_RELAXED);
}

#define LOCK(take, give, key)                                                                      \
    void take(void *at);                                                                           \
    void give(void *at);                                                                           \
    void take(void *at)                                                                            \
    {                                                                                              \
        const bool waits = runner_lock_is_taken(key);                                              \
        ((void (*)(void *))runner_behind(#take))(at);                                              \
        runner_lock_taken(key, waits);                                                             \
    }                                                                                              \
    void give(void *at)                                                                            \
    {                                                                                              \
        given(key);                                                                                \
        ((void (*)(void *))runner_behind(#give))(at);                                              \
    }
/* Those without an argument take one here, which nobody reads. */
static const char critical, ordered, atomic;
LOCK(GOMP_critical_start, GOMP_critical_end, &critical)
LOCK(GOMP_critical_name_start, GOMP_critical_name_end, at)
LOCK(GOMP_ordered_start, GOMP_ordered_end, &ordered)
LOCK(GOMP_atomic_start, GOMP_atomic_end, &atomic)
LOCK(omp_set_lock, omp_unset_lock, at)
LOCK(omp_set_nest_lock, omp_unset_nest_lock, at)
