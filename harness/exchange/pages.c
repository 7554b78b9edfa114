/* The control pages of a runner, one a rank of an MPI program: what each says about itself, put
 * together for the words of a failure or a remark. */
#include "harness/exchange/internal.h"

int memory_pages(const struct exchange_memory *m)
{
    return m->layout.ranks ? m->layout.ranks : 1;
}

struct hpc_control *memory_page(const struct exchange_memory *m, int k)
{
    return (struct hpc_control *)((char *)m->control + (size_t)k * HPC_PAGE);
}

bool memory_starved(const struct exchange_memory *m)
{
    for (int k = 0; k < memory_pages(m); k++)
        if (__atomic_load_n(&memory_page(m, k)->starved, __ATOMIC_ACQUIRE))
            return true;
    return false;
}

void memory_allocations(const struct exchange_memory *m, struct exchange_call *result)
{
    for (int k = 0; k < memory_pages(m); k++) {
        const struct hpc_control *c = memory_page(m, k);
        result->allocations += __atomic_load_n(&c->allocations, __ATOMIC_RELAXED);
        if (!result->allocated_at)
            result->allocated_at = __atomic_load_n(&c->allocated_at, __ATOMIC_RELAXED);
    }
}

uint32_t exchange_filled(const struct exchange *x, uint64_t *at)
{
    uint32_t most = 0;
    *at = 0;
    for (int k = 0; k < memory_pages(&x->memory); k++) {
        const struct hpc_control *c = memory_page(&x->memory, k);
        const uint32_t filled = __atomic_load_n(&c->filled, __ATOMIC_RELAXED);
        most = filled > most ? filled : most;
        *at = *at ? *at : __atomic_load_n(&c->filled_at, __ATOMIC_RELAXED);
    }
    return most;
}

uint64_t exchange_any_source(const struct exchange *x)
{
    uint64_t at = 0;
    for (int r = 0; r < memory_pages(&x->memory) && at == 0; r++)
        at = __atomic_load_n(&memory_page(&x->memory, r)->rank.any_source, __ATOMIC_RELAXED);
    return at;
}
