/* The checker of the CPU device: what its files share. The runtime talks to it by the check_*
 * functions of device/runtime/device.h, instrumented code by the __tsan_* calls that gcc and clang
 * write for -fsanitize=thread (access.c, atomic.c); libtsan is never linked.
 *
 * Kernels run on one worker, one thread after another, so time is one line. `check_now.stamp`
 * counts it: it grows at every launch, block, barrier, meeting of a warp and fence. An access is
 * remembered by stamp, thread and place, and the stamps at which launch, block and epoch began say
 * what two accesses have to do with each other:
 *
 *     stamp < launch_first   an earlier launch: ordered
 *     stamp < block_first    another block of this launch: never ordered, but by fence and atomic
 *     stamp < epoch_first    this block, before a barrier: ordered
 *     later                  this block, same epoch: ordered if the same thread, or the same warp
 *                            has met since (order.c) */
#ifndef HPC_DEVICE_CHECK_H
#define HPC_DEVICE_CHECK_H

#include "device/report/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access of 1, 2, 4, 8 or 16 bytes, in a kernel (with its traffic) or on the host, wherever it
 * goes. */
void check_access(const void *p, unsigned bytes, enum access_kind kind, const void *from);
/* One of any size and alignment, of a kernel or the host: a GPU does it piece by piece. */
void check_range(const void *p, size_t bytes, enum access_kind kind, const void *from);

/* Whether this process runs a variant, not a program of its own. */
bool check_is_variant(void);
/* calls.c: whether its run() is called now. */
bool check_runs(void);

/* ---- races (race.c), order (order.c) -------------------------------------------------------- */

/* The access touches `mask` of the granule of cell c. `shared`: of shared memory. */
void check_race_touch(struct cell *c, unsigned mask, const struct access *a, bool shared);
/* Reports a race that waits for what the running thread does next: at the end of its run. */
void check_race_settle(void);
/* The cells of a granule: its own, or one a byte; *n: 1 or 4. */
const struct cell *check_race_cells(const struct cell *c, unsigned *n);
/* The access races with what slot s of cell c remembers (race_report.c). `same_value`: both write,
 * and the same: a note. */
void check_race_report(const struct cell *c, enum slot s, const struct access *a, bool shared,
                       bool same_value);
/* A barrier stands in the source at `site`: so that a report can say where one is missing. */
void check_race_barrier_at(struct dev_site site);

/* Of each thread of the running block: the rounds of loops that it is in. */
extern uint64_t check_paths[MAX_BLOCK_THREADS];

void check_order_launch_begin(void);
void check_order_block_begin(uint64_t block);
void check_order_fence(void);
void check_order_warp_met(unsigned mask);
/* The running thread looks at a flag, and acquires what was released to it. */
void check_order_acquire(uintptr_t p);
/* It sets a flag, and releases what it fenced. */
void check_order_release(uintptr_t p);
/* Both, by an atomic operation. */
void check_order_atomic(uintptr_t p);
/* Whether what `who` did at `stamp` comes before what the running thread does now. The stamp is of
 * this launch, and not of an epoch of this block that is over. */
bool check_order_before_now(uint32_t stamp, unsigned who);
/* The block (its linear index) that ran at a stamp of this launch. */
uint64_t check_order_block_at(uint32_t stamp);

/* ---- streams (stream_clock.c, stream_launch.c, stream_race.c) ------------------------------- */

void check_stream_launch_begins(const struct dev_launch *launch);
void check_stream_launch_ends(const struct dev_launch *launch);
/* The running launch reads a __constant__ variable. */
void check_stream_constant(uintptr_t base, size_t bytes);
/* The host's access to memory that the device may use too. */
bool check_stream_host(const struct access *a);

/* ---- subscripts (array.c): a finding that waits for its access is told; or an access told it. */
void check_array_settle(void);
void check_array_told(void);

/* ---- wrong accesses (bounds.c): each looks closer, and reports what is wrong -------------------
 */

/* The kind of an access past a region: "oob-shared" .. */
const char *check_bounds_kind(const struct dev_region *r);
/* Whether p is of dynamic shared memory, in a launch that gives none. */
bool check_bounds_forgotten(uintptr_t p);
/* constant.c. How many bytes of the constant at base are filled; a read behind them is told of. The
 * host copied to it. */
size_t check_constant_known(const struct access *a, uintptr_t base, size_t bytes);
void check_constant_copied(uintptr_t p, size_t bytes);

/* Not all of the access's bytes may be used (or it writes to constant memory). */
void check_bounds_bad(const struct access *a);
/* Whether an unsigned index below 0 leads here, 2^32 elements behind where a signed one would: just
 * before a region or, of a pointer into it, `inside` or behind. It is told. */
bool check_bounds_below_zero(const struct access *a, bool inside);
/* Not all of the bytes that the access reads were written. */
void check_bounds_unwritten(const struct access *a, const struct space *s);
/* These bytes are copied: of managed memory what nobody was seen to write is looked at before. */
void check_bounds_copied(const void *p, size_t bytes);
/* The access is to neither global, shared nor a symbol's memory: the thread's stack, or wrong. */
void check_bounds_other(const struct access *a);
/* vtable.c. The host copied [to, to + bytes) of a space; it made an object at p. And whether the
 * access, of what counts as not written, is to the table of such an object: then it is told. */
void check_vtable_copied(const struct space *s, uintptr_t to, size_t bytes);
void check_vtable_written(void **p, void *value);
bool check_vtable_read(const struct access *a, const struct space *s);
/* Its size does not divide its address. */
void check_bounds_misaligned(const struct access *a);
/* Instrumented host code. */
void check_bounds_host(const struct access *a);
/* Host code of a variant is in what the checker keeps: said at once, and the end. */
void check_bounds_checkers(const void *p, const void *from);
/* calls.c. Host code used memory that kernels use, too; raced: without having waited for them. What
 * run() takes so and gives back is told of. */
void check_host_used(const struct access *a, enum dev_kind kind, bool raced);

#ifdef __cplusplus
}
#endif
#endif
