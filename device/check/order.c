/* What comes before what, beyond barriers: meetings of a warp, and fences with atomics.
 *
 * A warp's lanes that meet (__syncwarp, shuffles, votes) order what they did before against what
 * they do after. Without that, lanes are threads like others: since Volta a warp does not run in
 * step, and code that relies on it is reported.
 *
 * Between blocks (and between threads without a barrier) one pattern orders: a thread writes, calls
 * __threadfence(), and does an atomic operation on some word; a thread that later does an atomic
 * operation on the same word, and those that pass a barrier after it, come after what was before
 * the fence: the writes of that thread, and those of its block that a barrier put before it. That
 * is how the last block of a reduction knows the others' sums. Without the fence nothing is
 * ordered, as on a GPU. A volatile write and a volatile read of another warp or block do as the two
 * atomic operations. Not modelled: fences and plain flags, order handed on through a third thread
 * by a second word. */
#include <stdlib.h>
#include <string.h>

#include "device/check/check.h"

/* ---- meetings ------------------------------------------------------------------------------ */

static struct {
    uint32_t all;              /* the stamp at which all 32 lanes met last */
    uint32_t pair[WARP][WARP]; /* the stamp at which two lanes met in a smaller meeting */
    bool used;                 /* pair is not all 0 */
} warps[MAX_BLOCK_THREADS / WARP];

void check_order_warp_met(unsigned mask)
{
    unsigned w = check_now.thread / WARP;
    uint32_t met = ++check_now.stamp;
    check_recent_begin();
    if (mask == UINT32_MAX) {
        warps[w].all = met;
        return;
    }
    warps[w].used = true;
    for (unsigned i = 0; i < WARP; i++)
        for (unsigned j = 0; mask >> i & 1 && j < WARP; j++)
            if (mask >> j & 1)
                warps[w].pair[i][j] = met;
}

static bool met_since(uint32_t stamp, unsigned thread)
{
    unsigned w = check_now.thread / WARP;
    return thread / WARP == w &&
           (warps[w].all > stamp || warps[w].pair[thread % WARP][check_now.thread % WARP] > stamp);
}

/* ---- blocks of this launch ------------------------------------------------------------------- */

static struct {
    uint32_t first; /* stamp */
    uint64_t block;
} * blocks;
static size_t block_count, block_room;

static void *grown(void *p, size_t *room, size_t size)
{
    *room = *room ? 2 * *room : 64;
    p = realloc(p, *room * size);
    if (!p)
        abort();
    return p;
}

static size_t ordinal_at(uint32_t stamp)
{
    size_t low = 0, high = block_count; /* blocks[low].first <= stamp < blocks[high].first */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].first <= stamp)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t check_order_block_at(uint32_t stamp)
{
    return block_count ? blocks[ordinal_at(stamp)].block : 0;
}

/* ---- fences and atomics ------------------------------------------------------------------------
 */

/* The last fence of each thread of this block: its stamp, and that of the epoch it was in. */
static struct fence {
    uint32_t stamp, epoch_first;
} fences[MAX_BLOCK_THREADS];

/* What threads released to a word: by (block, thread) the latest. */
struct release {
    size_t ordinal; /* of the block */
    unsigned thread;
    struct fence fence;
};
static struct word {
    uintptr_t p; /* 0: free */
    struct release *releases;
    size_t count, room;
} * words;
static size_t word_count, word_room; /* a power of 2, at most half full */

/* The running block's atomic operations on words that had releases. */
static struct acquire {
    size_t word;
    unsigned thread;
    uint32_t stamp;
} * acquires;
static size_t acquire_count, acquire_room;

static size_t word_slot(uintptr_t p)
{
    size_t i = (p * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & (word_room - 1);
    while (words[i].p && words[i].p != p)
        i = (i + 1) & (word_room - 1);
    return i;
}

static void words_grow(void)
{
    struct word *old = words;
    size_t old_room = word_room;
    word_room = old_room ? 2 * old_room : 64;
    words = calloc(word_room, sizeof *words);
    if (!words)
        abort();
    for (size_t i = 0; i < old_room; i++)
        if (old[i].p)
            words[word_slot(old[i].p)] = old[i];
    for (size_t i = 0; i < acquire_count; i++)
        acquires[i].word = word_slot(old[acquires[i].word].p);
    free(old);
}

static void release_to(uintptr_t p, struct fence fence)
{
    if (2 * (word_count + 1) > word_room)
        words_grow();
    struct word *w = &words[word_slot(p)];
    if (!w->p) {
        *w = (struct word){.p = p};
        word_count++;
    }
    size_t ordinal = block_count - 1;
    for (size_t i = w->count; i-- > 0 && w->releases[i].ordinal == ordinal;)
        if (w->releases[i].thread == check_now.thread) {
            w->releases[i].fence = fence;
            return;
        }
    if (w->count == w->room)
        w->releases = grown(w->releases, &w->room, sizeof *w->releases);
    w->releases[w->count++] = (struct release){ordinal, check_now.thread, fence};
}

void check_order_acquire(uintptr_t p)
{
    size_t word = word_count ? word_slot(p) : 0;
    if (!word_count || !words[word].p)
        return;
    for (size_t i = acquire_count, n = 0; i-- > 0 && n < 64; n++) { /* a loop that looks again */
        const struct acquire *a = &acquires[i];
        if (a->word == word && a->thread == check_now.thread && a->stamp >= check_now.epoch_first)
            return;
    }
    if (acquire_count == acquire_room)
        acquires = grown(acquires, &acquire_room, sizeof *acquires);
    acquires[acquire_count++] = (struct acquire){word, check_now.thread, check_now.stamp};
}

void check_order_release(uintptr_t p)
{
    if (fences[check_now.thread].stamp >= check_now.block_first)
        release_to(p, fences[check_now.thread]);
}

void check_order_atomic(uintptr_t p)
{
    check_order_acquire(p);
    check_order_release(p);
}

void check_order_fence(void)
{
    fences[check_now.thread] = (struct fence){++check_now.stamp, check_now.epoch_first};
    ++check_now.stamp;
}

static bool released(const struct word *w, uint32_t stamp, size_t ordinal, unsigned thread)
{
    for (size_t i = w->count; i-- > 0;) {
        const struct release *r = &w->releases[i];
        if (r->ordinal == ordinal && stamp < r->fence.stamp &&
            (r->thread == thread || stamp < r->fence.epoch_first))
            return true;
    }
    return false;
}

bool check_order_before_now(uint32_t stamp, unsigned who)
{
    unsigned thread = WHO_THREAD(who);
    if (stamp >= check_now.epoch_first && met_since(stamp, thread))
        return true;
    if (!acquire_count)
        return false;
    size_t ordinal = ordinal_at(stamp);
    for (size_t i = acquire_count; i-- > 0;) {
        const struct acquire *a = &acquires[i];
        if ((a->thread == check_now.thread || a->stamp < check_now.epoch_first) &&
            released(&words[a->word], stamp, ordinal, thread))
            return true;
    }
    return false;
}

/* ---- beginnings ------------------------------------------------------------------------------ */

void check_order_launch_begin(void)
{
    block_count = 0;
    for (size_t i = 0; i < word_room; i++)
        free(words[i].releases);
    free(words);
    words = NULL;
    word_count = word_room = acquire_count = 0;
}

void check_order_block_begin(uint64_t block)
{
    if (block_count == block_room)
        blocks = grown(blocks, &block_room, sizeof *blocks);
    blocks[block_count].first = check_now.stamp;
    blocks[block_count++].block = block;
    acquire_count = 0;
}
