/* Atomic operations of a program's own, and loads under a lock, by which a thread waits: it reads a
 * word again and again, in vain, and does next to nothing in between. Then it goes on no sooner
 * than the thread was that writes the word, by the bytes that were loaded and stored until then
 * (orders.c has such chains of OpenMP's own). What it does in between is no work.
 */
#include <string.h>

#include "runner/stores.h"

#include "runner/phases.h"

#define IN_VAIN                                                                                    \
    8 /* times, from which on it waits: an update that another thread's comes before               \
         is tried again sooner */
#define LOOKS   256
#define WATCHED 1024 /* words, the last ones that threads have waited for */

static struct watched {
    uintptr_t at;
    int phase;
    uint64_t chain; /* of the thread that wrote it, the longest of this phase */
} watched[WATCHED];
/* What this thread looked at since it last did something, a place each. */
static _Thread_local struct {
    uintptr_t at;
    int times;
    unsigned lockings; /* of this thread's, until it last did so */
} looked[LOOKS];

static struct watched *watched_of(uintptr_t at)
{
    return &watched[(at * 0x9e3779b97f4a7c15u) >> 54];
}

static size_t slot_of(uintptr_t at)
{
    return (at * 0x9e3779b97f4a7c15u) >> 56;
}

void runner_wrote(const volatile void *to)
{
    struct watched *w = watched_of((uintptr_t)to);
    if (__atomic_load_n(&w->at, __ATOMIC_ACQUIRE) != (uintptr_t)to)
        return;
    if (__atomic_load_n(&w->phase, __ATOMIC_RELAXED) != runner_place.phase) {
        __atomic_store_n(&w->chain, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&w->phase, runner_place.phase, __ATOMIC_RELAXED);
    }
    runner_keep_most(&w->chain, runner_place.chain);
    runner_chain();
}

/* While a thread has its locks no other one writes what it reads: to look again it gives them back.
 */
void runner_read_locked(const volatile void *from)
{
    const uintptr_t at = (uintptr_t)from;
    const size_t slot = slot_of(at);
    if (looked[slot].at == at && looked[slot].lockings == runner_place.lockings)
        return;
    runner_read(from);
    looked[slot].lockings = runner_place.lockings;
}

void runner_read(const volatile void *from)
{
    const uintptr_t at = (uintptr_t)from;
    struct watched *w = watched_of(at);
    const size_t slot = slot_of(at);
    if (runner_place.since > RUNNER_A_TRY)
        memset(looked, 0, sizeof looked);
    if (looked[slot].at != at) {
        looked[slot].at = at;
        looked[slot].times = 0;
    } else if (looked[slot].times > 0) {
        runner_waited();
    }
    runner_looks();
    if (++looked[slot].times < IN_VAIN)
        return;
    if (__atomic_exchange_n(&w->at, at, __ATOMIC_ACQ_REL) != at)
        __atomic_store_n(&w->chain, 0, __ATOMIC_RELAXED);
    else if (__atomic_load_n(&w->phase, __ATOMIC_RELAXED) == runner_place.phase)
        runner_keep_most(&runner_place.chain, __atomic_load_n(&w->chain, __ATOMIC_RELAXED));
}
