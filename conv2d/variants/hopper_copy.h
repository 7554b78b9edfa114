/* Hopper's copies into shared memory and the barriers that they arrive at, a word of PTX each.
 *
 * Addresses are of shared memory, as 32-bit numbers. A barrier has phases 0, 1, 2 ..: it goes on to
 * the next one when all its arrivals and all bytes that were expected are there; a wait names the
 * parity of the phase it waits for, and one for parity 1 on a new barrier passes at once. */
#ifndef HPC_CONV2D_HOPPER_COPY_H
#define HPC_CONV2D_HOPPER_COPY_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <stdint.h>

#define DEVICE __device__ __forceinline__

/* Whether this pass compiles for Hopper with all its instructions (sm_90a). */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HOPPER 1
#else
#define HOPPER 0
#endif

namespace
{

DEVICE uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* v, anew each time: what is made of it is not kept in registers over a loop. */
DEVICE int anew(int v)
{
    asm volatile("" : "+r"(v));
    return v;
}

DEVICE void barrier_init(uint32_t barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

DEVICE void barrier_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Arrive, and let the phase wait for `bytes` of copies. */
DEVICE void barrier_expect(uint32_t barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}

DEVICE bool barrier_passed(uint32_t barrier, int parity)
{
    uint32_t passed;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(passed)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return passed != 0;
}

DEVICE void barrier_wait(uint32_t barrier, int parity)
{
    asm volatile("{\n.reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;\n}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

/* The largest and the least of a warp's numbers, for all its lanes. */
DEVICE uint32_t warp_most(uint32_t v)
{
    asm volatile("redux.sync.max.u32 %0, %0, 0xffffffff;" : "+r"(v));
    return v;
}

DEVICE uint32_t warp_least(uint32_t v)
{
    asm volatile("redux.sync.min.u32 %0, %0, 0xffffffff;" : "+r"(v));
    return v;
}

/* THREADS threads of the block, whole warps, at its named barrier `id`, 1 .. 15. */
template <int THREADS> DEVICE void named_sync(int id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

/* The same, for threads that need not wait. */
template <int THREADS> DEVICE void named_arrive(int id)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(THREADS) : "memory");
}

/* New barriers become visible to the copy engine. */
DEVICE void barriers_ready(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* `bytes` (a multiple of 16) from device memory. */
DEVICE void copy_bytes(uint32_t to, const void *from, int bytes, uint32_t barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

/* From this block's shared memory to `to` and `barrier` of another's, as cluster_address has them.
 */
DEVICE void copy_bytes_over(uint32_t to, uint32_t from, int bytes, uint32_t barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "r"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

/* The map's box from (image, row, column, channel) on; what lies outside of x is zero. */
DEVICE void copy_box(uint32_t to, const CUtensorMap *map, int channel, int column, int row,
                     int image, uint32_t barrier)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
                 "l"(map), "r"(channel), "r"(column), "r"(row), "r"(image), "r"(barrier)
                 : "memory");
}

/* The same box, as far as the L2 only. */
DEVICE void fetch_box(const CUtensorMap *map, int channel, int column, int row, int image)
{
    asm volatile(
        "cp.async.bulk.prefetch.tensor.4d.L2.global.tile [%0, {%1, %2, %3, %4}];" ::"l"(map),
        "r"(channel), "r"(column), "r"(row), "r"(image)
        : "memory");
}

/* This thread's stores to shared memory come before what the copy engine and wgmma do next. */
DEVICE void stores_before_wgmma(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Launches that overlap (programmatic dependent launch): the next one of the stream may take free
 * multiprocessors; and wait until all earlier ones have ended, their stores visible. Both do
 * nothing where a launch does not allow it. */
DEVICE void allow_next_launch(void)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

DEVICE void wait_for_earlier_launches(void)
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

/* A cluster's blocks: one has come here, and waits for all. What it wrote before, but for barriers
 * made ready, need not be seen by others: they would wait for all of its stores. */
DEVICE void cluster_come(void)
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

DEVICE void cluster_come_all(void)
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

DEVICE uint32_t cluster_rank(void)
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* What lies at `address` in the cluster's block `rank`; and an arrival at a barrier there. */
DEVICE uint32_t cluster_address(uint32_t address, int rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

DEVICE void cluster_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Four floats to `to` of another block, whose `barrier` counts bytes: as cluster_address has them.
 */
DEVICE void cluster_send(uint32_t to, uint32_t barrier, float4 v)
{
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], "
                 "{%1,%2,%3,%4}, [%5];" ::"r"(to),
                 "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "r"(barrier)
                 : "memory");
}

/* Waits for the first phase of a barrier, and sees what was sent. */
DEVICE void cluster_receive(uint32_t barrier)
{
    asm volatile("{\n.reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
                 "@!p bra again;\n}" ::"r"(barrier)
                 : "memory");
}

/* A warpgroup's registers, REGISTERS a thread (a multiple of 8), fewer or more than at launch. */
template <int REGISTERS> DEVICE void give_registers(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS> DEVICE void take_registers(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

/* Stages used one after another, round and round: which one, and the parity of its phase. */
template <int STAGES> struct ring {
    int stage, parity;

    DEVICE ring(int parity_) : stage(0), parity(parity_)
    {
    }

    DEVICE void next()
    {
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }

    DEVICE void skip(int steps)
    {
        for (int i = 0; i < steps; i++)
            next();
    }
};

} // namespace

#endif
