/* What the runtime tells the checker (device/runtime/device.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/check/check.h"
#include "device/check/report.h"
#include "device/check/traffic.h"

/* Stamps above that are not given to a new launch: it might run out of them. */
#define STAMPS_LOW (UINT32_MAX / 4 * 3)

/* ---- launches, blocks, threads ----------------------------------------------------------------
 */

/* A program that has run for hours: cells forget all. */
static void start_again(void)
{
    struct space fresh = space_reserve(now.global.base, now.global.bytes);
    size_t granules = now.global.bytes / GRANULE;
    for (size_t i = 0; i < granules; i++) /* a page that was never touched reads as 0 */
        if (now.global.state[i])
            fresh.state[i] = now.global.state[i];
    space_release(&now.global);
    now.global = fresh;
    now.stamp = 0;
}

/* The running thread's is now.path. */
static uint64_t paths[MAX_BLOCK_THREADS];

void check_launch_begin(const struct dev_launch *launch)
{
    report_on_signals();
    region_forget_shared();
    if (now.stamp > STAMPS_LOW)
        start_again();
    now.launch = launch;
    now.launch_first = now.block_first = now.epoch_first = recent_begin();
    now.path = 0;
    memset(paths, 0, sizeof paths); /* a kernel that died left some */
    order_launch_begin();
    traffic_launch_begin(launch);
}

void check_launch_end(const struct dev_launch *launch)
{
    (void)launch;
    traffic_flush();
    report_flush();
    now.launch = NULL;
}

static void unwrite_shared(const struct dev_region *r, void *context)
{
    (void)context;
    if (r->kind == DEV_SHARED)
        space_set_written(&now.shared, (uintptr_t)r->base, r->bytes, false);
}

void check_block_begin(struct dev_worker *worker)
{
    now.worker = worker;
    now.block_first = now.epoch_first = recent_begin();
    order_block_begin(worker->block);
    if (worker->shared_bytes)
        region_each(unwrite_shared, NULL);
}

void check_block_end(struct dev_worker *worker)
{
    (void)worker;
    race_settle();
    traffic_flush();
}

void check_thread(struct dev_worker *worker)
{
    race_settle(); /* of the thread that ran */
    paths[now.thread] = now.path;
    now.path = paths[worker->thread];
    now.thread = (uint16_t)worker->thread;
    now.who = (uint16_t)(worker->thread << 4 | STATE_WRITTEN);
    now.lane = worker->thread % WARP;
    now.lane_bit = UINT32_C(1) << now.lane;
    traffic_thread(worker->thread);
}

void check_barrier_passed(struct dev_worker *worker, struct dev_site site)
{
    (void)worker;
    race_settle();
    traffic_flush();
    now.epoch_first = recent_begin();
    race_barrier_at(site);
}

void check_warp_met(struct dev_worker *worker, unsigned mask)
{
    (void)worker;
    order_warp_met(mask);
}

void check_fence(struct dev_worker *worker)
{
    (void)worker;
    order_fence();
}

void check_atomic(const void *p, size_t bytes, const void *from)
{
    if (!dev_self) {
        bounds_host(&(struct access){(uintptr_t)p, (unsigned)bytes, ACCESS_ATOMIC, from});
        return;
    }
    access_any(p, (unsigned)bytes, ACCESS_ATOMIC, from);
    order_atomic((uintptr_t)p);
}

void check_count_traffic(int on)
{
    traffic_on(on);
}

uint64_t check_path(void)
{
    return now.path;
}

void check_set_path(uint64_t path)
{
    now.path = path;
}

/* ---- memory
 * -------------------------------------------------------------------------------------- */

/* The shadow of [p, p + bytes), or NULL: then it is not all in one piece of memory of the device.
 */
static const struct space *space_at(uintptr_t p, size_t bytes)
{
    enum dev_kind kind;
    const struct space *s =
        p - now.global.base < now.global.bytes ? &now.global : region_symbol_space(p, &kind);
    return s && bytes <= s->bytes - (p - s->base) ? s : NULL;
}

void check_written(const void *p, size_t bytes)
{
    const struct space *s = space_at((uintptr_t)p, bytes);
    if (s)
        space_set_written(s, (uintptr_t)p, bytes, true);
}

void check_copied(void *to, const void *from, size_t bytes)
{
    const struct space *s = space_at((uintptr_t)to, bytes);
    const struct space *t = space_at((uintptr_t)from, bytes);
    if (s && t)
        space_copy_written(s, (uintptr_t)to, t, (uintptr_t)from, bytes);
    else if (s)
        space_set_written(s, (uintptr_t)to, bytes, true);
}

/* ---- barriers, errors, the end
 * ------------------------------------------------------------------------ */

void check_divergent(struct dev_worker *worker, struct dev_site at, unsigned waiting,
                     const struct dev_site *left, unsigned other)
{
    static const char kind[] = "divergent-barrier";
    const void *from = (const void *)(uintptr_t)at.line;
    const void *elsewhere = (const void *)(uintptr_t)(left ? left->line : 0);
    if (report_seen(kind, from, elsewhere))
        return;
    struct finding f = finding_here(kind, NULL);
    report_site(&f.at.place, at);
    f.at.block = worker->block_index;
    f.at.thread = report_index(other, now.launch->block);
    append(f.text, sizeof f.text,
           "divergent barrier in %s: %u thread%s of block (%u,%u,%u) wait%s at %s:%d while thread "
           "(%u,%u,%u) ",
           f.kernel, waiting, waiting == 1 ? "" : "s", f.at.block.x, f.at.block.y, f.at.block.z,
           waiting == 1 ? "s" : "", f.at.place.file, at.line, f.at.thread.x, f.at.thread.y,
           f.at.thread.z);
    if (left) {
        f.has_other = true;
        f.other = f.at;
        report_site(&f.other.place, *left);
        append(f.text, sizeof f.text, "waits at %s:%d", f.other.place.file, left->line);
    } else {
        append(f.text, sizeof f.text, "has left the kernel");
    }
    append(f.advice, sizeof f.advice,
           "let all threads of the block reach the same barrier the same number of times: put it "
           "outside of the if, and have no thread return before it");
    report_add(&f, from, elsewhere);
}

void check_launch_error(const struct dev_launch *launch, const char *error)
{
    struct finding f = {.kind = "launch-error", .kernel = launch->kernel};
    report_site(&f.at.place, (struct dev_site){launch->file, launch->line});
    append(f.text, sizeof f.text, "launch error: %s<<<(%u,%u,%u), (%u,%u,%u), %zu>>> at %s:%d: %s",
           launch->kernel, launch->grid.x, launch->grid.y, launch->grid.z, launch->block.x,
           launch->block.y, launch->block.z, launch->dynamic_shared, f.at.place.file, launch->line,
           error);
    append(f.advice, sizeof f.advice, "look at cudaGetLastError() after every launch");
    report_add(&f, NULL, NULL);
}

static void report_leak(const struct dev_region *r, void *context)
{
    (void)context;
    bool allocated = r->base >= dev_arena && r->base < dev_arena_end; /* else a variable */
    if (!allocated || (r->kind != DEV_GLOBAL && r->kind != DEV_MANAGED))
        return;
    struct finding f = {.kind = "leak"};
    report_site(&f.at.place, (struct dev_site){r->file, r->line});
    region_variable(f.variable, sizeof f.variable, r);
    append(f.text, sizeof f.text, "leak: the %zu bytes of the %s were never freed", r->bytes,
           f.variable);
    append(f.advice, sizeof f.advice, "call cudaFree when the memory is no longer needed");
    report_add(&f, (const void *)(uintptr_t)r->line, r->name);
}

int check_finish(void)
{
    static bool done;
    if (!done) {
        done = true;
        region_each(report_leak, NULL);
        report_flush();
        traffic_print();
        if (dev_report_key) /* whoever reads them knows that none is missing */
            report_print("{\"kind\":\"end\"}", "");
    }
    return report_count();
}
