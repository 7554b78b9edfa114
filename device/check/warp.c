/* Barriers that not all threads of a block come to. Meetings of a warp's lanes that CUDA does not
 * define: what their masks say, and who is there. And those of a grid's blocks, which order what
 * all did. */
#include <stdlib.h>
#include <string.h>

#include "device/check/check.h"
#include "device/traffic/traffic.h"

static const char kind[] = "divergent-barrier";

/* A finding at a call of the warp, with `thread` on it; false where it is known. */
static bool begin(struct finding *f, const struct dev_worker *worker, struct dev_site at,
                  unsigned thread, int what)
{
    const void *from = (const void *)(uintptr_t)at.line, *which = (const void *)(intptr_t)what;
    if (check_report_seen(kind, from, which))
        return false;
    *f = check_finding_here(kind, NULL);
    check_report_site(&f->at.place, at);
    f->at.block = worker->block_index;
    f->at.thread = check_report_index(thread, check_now.launch->block);
    return true;
}

static void end(const struct finding *f, struct dev_site at, int what)
{
    check_report_add(f, (const void *)(uintptr_t)at.line, (const void *)(intptr_t)what);
}

static void add_thread(struct finding *f, unsigned thread)
{
    struct dev_index i = check_report_index(thread, check_now.launch->block);
    check_append(f->text, sizeof f->text, "thread (%u,%u,%u)", i.x, i.y, i.z);
}

/* The second keys of the kinds of findings below, which no line has. */
enum { STRANGER = -1, MASKS = -2, MISSING = -3, UNDEFINED = -4 };

void check_lane_unnamed(struct dev_worker *worker, struct dev_site at, unsigned mask)
{
    struct finding f;
    if (!begin(&f, worker, at, worker->thread, STRANGER))
        return;
    check_append(f.text, sizeof f.text, "mask of a warp in %s: ", f.kernel);
    add_thread(&f, worker->thread);
    check_append(f.text, sizeof f.text,
                 " of block (%u,%u,%u) calls at %s:%d with mask 0x%08x, which does not name its "
                 "lane %u",
                 f.at.block.x, f.at.block.y, f.at.block.z, f.at.place.file, at.line, mask,
                 worker->thread % WARP);
    check_append(f.advice, sizeof f.advice,
                 "name every lane that calls: 0xffffffff where all do, __ballot_sync(0xffffffff, "
                 "condition) before the if where some do");
    end(&f, at, STRANGER);
}

void check_masks_differ(struct dev_worker *worker, struct dev_site at, const unsigned thread[2],
                        const unsigned mask[2])
{
    struct finding f;
    if (!begin(&f, worker, at, thread[0], MASKS))
        return;
    check_append(f.text, sizeof f.text, "masks of a warp in %s: ", f.kernel);
    add_thread(&f, thread[0]);
    check_append(f.text, sizeof f.text, " of block (%u,%u,%u) comes to %s:%d with mask 0x%08x, ",
                 f.at.block.x, f.at.block.y, f.at.block.z, f.at.place.file, at.line, mask[0]);
    add_thread(&f, thread[1]);
    check_append(f.text, sizeof f.text, " with 0x%08x", mask[1]);
    check_append(f.advice, sizeof f.advice,
                 "let all lanes that meet give the same mask: make it once, before the branch, by "
                 "__ballot_sync(0xffffffff, condition)");
    end(&f, at, MASKS);
}

void check_lane_missing(struct dev_worker *worker, struct dev_site at, unsigned mask,
                        unsigned thread)
{
    struct finding f;
    if (!begin(&f, worker, at, thread, MISSING))
        return;
    check_append(f.text, sizeof f.text,
                 "divergent warp in %s: lanes meet at %s:%d by mask 0x%08x, which names lane %u of "
                 "block (%u,%u,%u) too, but ",
                 f.kernel, f.at.place.file, at.line, mask, thread % WARP, f.at.block.x,
                 f.at.block.y, f.at.block.z);
    add_thread(&f, thread);
    check_append(f.text, sizeof f.text, " passes by and ends");
    check_append(f.advice, sizeof f.advice,
                 "call it where all lanes of the mask come, outside of the if; or name those that "
                 "do, by __ballot_sync(0xffffffff, condition) before the if");
    end(&f, at, MISSING);
}

void check_shuffle_undefined(struct dev_worker *worker, struct dev_site at, unsigned thread,
                             unsigned source, enum dev_absent why)
{
    static const char *const words[] = {"which is not in the mask", "which has left the kernel",
                                        "which this block does not have",
                                        "which does not take part"};
    struct finding f;
    if (!begin(&f, worker, at, thread, UNDEFINED))
        return;
    check_append(f.text, sizeof f.text, "undefined shuffle in %s: ", f.kernel);
    add_thread(&f, thread);
    check_append(f.text, sizeof f.text, " of block (%u,%u,%u) reads lane %u at %s:%d, %s",
                 f.at.block.x, f.at.block.y, f.at.block.z, source, f.at.place.file, at.line,
                 words[why]);
    check_append(f.advice, sizeof f.advice,
                 "let every lane that is read come there: give those without data a value that "
                 "changes nothing (0 for a sum) instead of leaving them out");
    end(&f, at, UNDEFINED);
}

void check_divergent(struct dev_worker *worker, struct dev_site at, unsigned waiting,
                     const struct dev_site *left, unsigned other, bool of_warp)
{
    const void *from = (const void *)(uintptr_t)at.line;
    const void *elsewhere = (const void *)(uintptr_t)(left ? left->line : 0);
    if (check_report_seen(kind, from, elsewhere))
        return;
    struct finding f = check_finding_here(kind, NULL);
    check_report_site(&f.at.place, at);
    f.at.block = worker->block_index;
    f.at.thread = check_report_index(other, check_now.launch->block);
    check_append(
        f.text, sizeof f.text,
        "divergent barrier in %s: %u thread%s of block (%u,%u,%u) wait%s at %s:%d while thread "
        "(%u,%u,%u) ",
        f.kernel, waiting, waiting == 1 ? "" : "s", f.at.block.x, f.at.block.y, f.at.block.z,
        waiting == 1 ? "s" : "", f.at.place.file, at.line, f.at.thread.x, f.at.thread.y,
        f.at.thread.z);
    if (left) {
        f.has_other = true;
        f.other = f.at;
        check_report_site(&f.other.place, *left);
        check_append(f.text, sizeof f.text, "waits at %s:%d", f.other.place.file, left->line);
    } else {
        check_append(f.text, sizeof f.text, "has left the kernel");
    }
    check_append(
        f.advice, sizeof f.advice, "%s",
        of_warp
            ? "all lanes that a mask names come to the same call, as __syncwarp(), __shfl_sync() "
              "or __ballot_sync(): have none leave the loop, or pass by in an if, before it, or "
              "name those that come"
            : "let all threads of the block reach the same barrier the same number of times: put "
              "it outside of the if, and have no thread return before it");
    check_report_add(&f, from, elsewhere);
}

/* ---- grids ------------------------------------------------------------------------------------
 */

static uint32_t launch_begin; /* stamp */

void check_grid_begins(void)
{
    launch_begin = check_now.launch_first;
}

struct check_block {
    struct check_now now;
    uint64_t paths[MAX_BLOCK_THREADS];
};

struct check_block *check_block_leaves(void)
{
    struct check_block *b = malloc(sizeof *b);
    if (!b)
        abort();
    check_now.waits = false;
    check_race_settle();
    check_array_settle();
    TRAFFIC(check_traffic_flush());
    b->now = check_now;
    memcpy(b->paths, check_paths, sizeof b->paths);
    check_now.shared = (struct space){0}; /* it stays; another block has its own */
    return b;
}

/* As if it began: all that came before is of an earlier launch. */
void check_block_returns(struct check_block *b)
{
    if (check_now.shared.base != b->now.shared.base)
        check_space_release(&check_now.shared);
    check_now.shared = b->now.shared;
    check_now.thread_local_ = b->now.thread_local_;
    check_now.thread_local_bytes = b->now.thread_local_bytes;
    check_now.worker = b->now.worker;
    check_now.path = b->now.path;
    memcpy(check_paths, b->paths, sizeof b->paths);
    check_now.thread = b->now.thread;
    check_now.who = b->now.who;
    check_now.lane = b->now.lane;
    check_now.lane_bit = b->now.lane_bit;
    check_now.waits = false;
    check_now.constant_bytes = 0;
    free(b);
    check_now.block_first = check_now.epoch_first = check_recent_begin();
    check_order_block_begin(check_now.worker->block);
    TRAFFIC(check_traffic_thread(check_now.thread));
}

void check_grid_met(void)
{
    const bool alone = check_now.ordered_first == check_now.launch_first;
    check_now.launch_first = check_recent_begin();
    if (alone)
        check_now.ordered_first = check_now.launch_first;
}

void check_grid_ended(void)
{
    check_now.launch_first = launch_begin;
}

void check_grid_thread(void)
{
    check_find_thread_local();
}
