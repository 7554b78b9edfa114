/* What the runtime tells the checker (device/runtime/device.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/check/check.h"
#include "device/check/veil.h"
#include "device/shadow/guards.h"
#include "device/traffic/traffic.h"

/* Stamps above that are not given to a new launch: it might run out of them. */
#define STAMPS_LOW (UINT32_MAX / 4 * 3)

/* ---- launches, blocks, threads -------------------------------------------------------------- */

/* A program that has run for hours: cells forget all. */
static void start_again(void)
{
    struct space fresh = check_space_reserve(check_now.global.base, check_now.global.bytes);
    size_t granules = check_now.global.bytes / GRANULE;
    for (size_t i = 0; i < granules; i++) /* a page that was never touched reads as 0 */
        if (check_now.global.state[i])
            fresh.state[i] = check_now.global.state[i];
    check_space_release(&check_now.global);
    check_now.global = fresh;
    check_now.stamp = 0;
    check_device_waited();
}

uint64_t check_paths[MAX_BLOCK_THREADS]; /* the running thread's is check_now.path */

void check_launch_begin(const struct dev_launch *launch)
{
    check_report_on_signals();
    check_region_forget_shared();
    if (check_now.stamp > STAMPS_LOW)
        start_again();
    check_now.launch = launch;
    check_now.launch_first = check_now.block_first = check_now.epoch_first = check_recent_begin();
    check_now.path = 0;
    check_now.counts = false;
    memset(check_paths, 0, sizeof check_paths); /* a kernel that died left some */
    check_find_thread_local();
    check_order_launch_begin();
    check_stream_launch_begins(launch);
    TRAFFIC(check_traffic_launch_begin(launch));
    check_veil_launch_begin();
}

void check_launch_end(const struct dev_launch *launch)
{
    check_array_settle(); /* of a kernel that was ended early */
    check_veil_launch_end();
    TRAFFIC(check_traffic_flush());
    check_stream_launch_ends(launch);
    check_report_flush();
    check_now.launch = NULL;
    check_now.quiet = 0;
}

static void unwrite_shared(const struct dev_region *r, void *context)
{
    (void)context;
    if (r->kind == DEV_SHARED &&
        (uintptr_t)r->base - check_now.shared.base < check_now.shared.bytes)
        check_space_set_written(&check_now.shared, (uintptr_t)r->base, r->bytes, false);
}

void check_block_begin(struct dev_worker *worker)
{
    check_now.worker = worker;
    check_now.block_first = check_now.epoch_first = check_recent_begin();
    check_order_block_begin(worker->block);
    if (worker->shared_bytes)
        check_region_each(unwrite_shared, NULL);
}

/* What waits for the running thread's next access is told: its turn is over. */
static inline void settle(void)
{
    if (__builtin_expect(!check_now.waits, 1))
        return;
    check_now.waits = false;
    check_race_settle();
    check_array_settle();
}

void check_block_end(struct dev_worker *worker)
{
    (void)worker;
    settle();
    TRAFFIC(check_traffic_flush());
}

static inline void runs(unsigned thread)
{
    check_now.thread = (uint16_t)thread;
    check_now.who = (uint16_t)(thread << 4 | STATE_WRITTEN);
    TRAFFIC(check_now.lane = thread % WARP);
    TRAFFIC(check_now.lane_bit = UINT32_C(1) << check_now.lane);
    TRAFFIC(check_traffic_thread(thread));
}

/* The thread before it has left something to tell, or one of the launch has come to a loop that
 * counts its rounds. Called last, so that check_thread needs no stack. */
static __attribute__((noinline)) void runs_after(unsigned thread)
{
    settle();
    check_paths[check_now.thread] = check_now.path;
    check_now.path = check_paths[thread];
    runs(thread);
}

void check_thread(unsigned thread)
{
    if (__builtin_expect(check_now.waits | check_now.counts, 0))
        runs_after(thread);
    else
        runs(thread);
}

void check_barrier_passed(struct dev_worker *worker, struct dev_site site)
{
    (void)worker;
    settle();
    TRAFFIC(check_traffic_flush());
    check_now.epoch_first = check_recent_begin();
    check_race_barrier_at(site);
}

void check_warp_met(struct dev_worker *worker, unsigned mask)
{
    (void)worker;
    check_order_warp_met(mask);
}

void check_fence(struct dev_worker *worker)
{
    (void)worker;
    check_order_fence();
}

void check_atomic(const void *p, size_t size, const void *from)
{
    const size_t bytes = size & ~(size_t)(DEV_BLIND | DEV_SCOPED);
    if (!dev_self) {
        check_bounds_host(&(struct access){(uintptr_t)p, (unsigned)bytes, ACCESS_ATOMIC, from});
        return;
    }
    check_now.scoped = size & DEV_SCOPED;
    check_access(p, (unsigned)bytes, size & DEV_BLIND ? ACCESS_BLIND : ACCESS_ATOMIC, from);
    check_now.scoped = false;
    check_order_atomic((uintptr_t)p);
    veil_open(p, bytes, true);
}

void check_moved(const struct dev_copy *copy)
{
    (void)copy;
    TRAFFIC(check_is_variant() && !check_runs() ? (void)0 : check_traffic_moved(copy));
}

void check_count_traffic(int on)
{
    (void)on;
    TRAFFIC(check_traffic_on(on));
}

uint64_t check_path(void)
{
    return check_now.path;
}

void check_set_path(uint64_t path)
{
    check_now.path = path;
    check_now.counts = true;
}

/* ---- memory ------------------------------------------------------------------------------- */

/* The shadow of [p, p + bytes); NULL where that is not in one piece of the device's memory. */
static const struct space *space_at(uintptr_t p, size_t bytes)
{
    enum dev_kind kind;
    const struct space *s = p - check_now.global.base < check_now.global.bytes
                                ? &check_now.global
                                : check_region_symbol_space(p, &kind);
    return s && bytes <= s->bytes - (p - s->base) ? s : NULL;
}

void check_written(const void *p, size_t bytes)
{
    const struct space *s = space_at((uintptr_t)p, bytes);
    if (s) {
        check_space_set_written(s, (uintptr_t)p, bytes, true);
        check_vtable_copied(s, (uintptr_t)p, bytes);
    }
    check_constant_copied((uintptr_t)p, bytes);
}

void check_copied(void *to, const void *from, size_t bytes)
{
    const struct space *s = space_at((uintptr_t)to, bytes);
    const struct space *t = space_at((uintptr_t)from, bytes);
    check_constant_copied((uintptr_t)to, bytes);
    check_bounds_copied(from, bytes);
    if (s && t)
        check_space_copy_written(s, (uintptr_t)to, t, (uintptr_t)from, bytes);
    else if (s)
        check_space_set_written(s, (uintptr_t)to, bytes, true);
}

/* A note: what nobody wrote may be a border that nobody uses; up to 8 bytes, between members. */
void check_copied_out(const char *call, const void *from, size_t bytes, struct dev_site site)
{
    const struct space *s = check_is_variant() ? NULL : space_at((uintptr_t)from, bytes);
    check_bounds_copied(from, bytes);
    const size_t first =
        s ? check_space_first_without(s, (uintptr_t)from, bytes, STATE_WRITTEN & 1) : bytes;
    const void *key = (const void *)(uintptr_t)site.line;
    struct dev_region r;
    if (first + 8 >= bytes || check_space_first_without(s, (uintptr_t)from + first + 8, 1, 1) ||
        check_report_seen("uninit-global", key, call) ||
        check_region_find((uintptr_t)from + first, &r) != REGION_INSIDE)
        return;
    char part[200];
    struct finding f = {.kind = "uninit-global", .note = true};
    check_report_site(&f.at.place, site);
    check_region_variable(f.variable, sizeof f.variable, &r);
    check_region_name_part(part, sizeof part, &r, (uintptr_t)from + first, 4);
    check_append(f.text, sizeof f.text,
                 "uninitialised memory: %s at %s:%d copies %s to the host, which "
                 "was never written",
                 call, f.at.place.file, site.line, part);
    check_append(f.advice, sizeof f.advice,
                 "see whether the launch covers all elements; if it need not, cudaMemset them");
    check_report_add(&f, key, call);
}

/* ---- the end ------------------------------------------------------------------------------ */

/* HPC_DEVICE_LEAKS=error: a leak is more than a note. */
static bool leaks_are_errors(void)
{
    const char *leaks = getenv("HPC_DEVICE_LEAKS");
    return leaks && strcmp(leaks, "error") == 0;
}

static void report_leak(const struct dev_region *r, void *context)
{
    (void)context;
    bool allocated = r->base >= dev_arena && r->base < dev_arena_end; /* else a variable */
    if (!allocated || (r->kind != DEV_GLOBAL && r->kind != DEV_MANAGED))
        return;
    struct finding f = {.kind = "leak", .note = !leaks_are_errors()};
    check_report_site(&f.at.place, (struct dev_site){r->file, r->line});
    check_region_variable(f.variable, sizeof f.variable, r);
    const bool named = strncmp(f.variable, "the ", 4) == 0; /* as the heap of kernels is */
    check_append(f.text, sizeof f.text, "leak: the %zu bytes of %s%s were never freed", r->bytes,
                 named ? "" : "the ", f.variable);
    check_append(f.advice, sizeof f.advice,
                 named ? "free it in a kernel, by free() or delete: cudaFree does not take it"
                       : "call cudaFree when the memory is no longer needed");
    check_report_add(&f, (const void *)(uintptr_t)r->line, r->name);
}

int check_finish(void)
{
    static bool done;
    if (!done) {
        done = true;
        check_unseen_tell();
        check_guards_each(check_past_block);
        check_region_each(report_leak, NULL);
        if (check_is_variant()) {
            check_objects_left();
            check_guards_left(check_block_left);
        }
        check_report_flush();
        TRAFFIC(check_traffic_print());
        check_report_end();
    }
    return check_report_count();
}
