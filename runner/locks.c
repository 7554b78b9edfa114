/* OpenMP's locks, beside phases.c and lock_sets.c. Who finds a lock taken goes on no sooner than
 * the thread was that gives it back, by the bytes that were loaded and stored until then (orders.c
 * has such chains).
 */
#include "runner/lock_sets.h"
#include "runner/phases.h"

bool runner_lock_is_taken(const void *at)
{
    const struct runner_lock *l = runner_lock_of(at);
    return l && __atomic_load_n(&l->depth, __ATOMIC_RELAXED) > 0 && !runner_has_lock(l);
}

void runner_lock_taken(const void *at, bool waited)
{
    struct runner_lock *l = runner_lock_of(at);
    if (!l || !runner_lock_take(l)) {
        runner_unknown = true;
        return;
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
    struct runner_lock *l = runner_lock_of(at);
    if (!l)
        return;
    if (__atomic_load_n(&l->phase, __ATOMIC_RELAXED) != runner_place.phase) {
        __atomic_store_n(&l->chain, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&l->phase, runner_place.phase, __ATOMIC_RELAXED);
    }
    runner_keep_most(&l->chain, runner_place.chain);
    runner_chain();
    runner_place.locks -= runner_has_lock(l);
    runner_lock_give(l);
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
