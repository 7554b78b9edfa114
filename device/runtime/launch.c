/* Launches: configurations are checked as CUDA checks them, blocks are spread over the cores. */
#include <limits.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"
#include "device/runtime/symbols.h"

/* What <<<..>>> said, until the kernel's function is called. */
static __thread struct {
    struct dev_launch launch;
    void *stream;
    bool set, cooperative;
} pending;

static _Atomic uint64_t launches;

void dev_configure(struct dev_index grid, struct dev_index block, size_t shared, void *stream,
                   struct dev_site site)
{
    pending.launch = (struct dev_launch){.grid = grid,
                                         .block = block,
                                         .dynamic_shared = shared,
                                         .file = site.file,
                                         .line = site.line};
    pending.stream = stream;
    pending.set = true;
}

void dev_cooperate(void)
{
    pending.cooperative = true;
}

static __thread struct dev_kernel **question;

bool dev_asked(struct dev_kernel *kernel)
{
    if (!question)
        return false;
    *question = kernel;
    question = NULL;
    return true;
}

struct dev_kernel *dev_kernel_of(const void *function)
{
    /* More room on the stack than any kernel has parameters, which are not looked at. */
    struct {
        char bytes[DEV_MOST_PARAMETERS + 64];
    } room = {{0}};
    struct dev_kernel *kernel = NULL;
    question = &kernel;
    ((void (*)(__typeof__(room)))(uintptr_t)function)(room);
    question = NULL;
    return kernel;
}

static cudaError_t configuration_error(const struct dev_kernel *k, const struct dev_launch *l)
{
    const struct dev_index *g = &l->grid, *b = &l->block;
    uint64_t threads = (uint64_t)b->x * b->y * b->z;
    size_t most = k->most_dynamic > DEV_MOST_SHARED ? k->most_dynamic : DEV_MOST_SHARED;
    bool empty = !g->x || !g->y || !g->z || !b->x || !b->y || !b->z;
    if (empty || g->x > INT_MAX || g->y > 65535 || g->z > 65535 || b->x > 1024 || b->y > 1024 ||
        b->z > 64 || threads > DEV_MOST_THREADS)
        return cudaErrorInvalidConfiguration;
    if (k->most_threads && threads > k->most_threads)
        return cudaErrorLaunchOutOfResources;
    if (l->dynamic_shared > most)
        return cudaErrorInvalidValue;
    return dev_stream_valid(pending.stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static uint64_t end_part, end_whole; /* 0: all blocks of a launch run */

void dev_run_end(uint64_t part, uint64_t whole)
{
    end_part = part;
    end_whole = whole;
}

/* So many blocks of a launch are left out, where each has as large a part of the whole. One more
 * is: of which a part is there. */
static uint64_t left_out(uint64_t total)
{
    if (!end_whole)
        return 0;
    const uint64_t end = (uint64_t)((unsigned __int128)end_part * total / end_whole);
    return total - (end > 1 ? end - 1 : 0);
}

static void run_block(struct worker *w, const struct dev_launch *l, uint64_t block)
{
    uint64_t plane = (uint64_t)l->grid.x * l->grid.y;
    block += left_out(plane * l->grid.z);
    w->pub.block = block;
    w->pub.block_index.x = (unsigned)(block % l->grid.x);
    w->pub.block_index.y = (unsigned)(block / l->grid.x % l->grid.y);
    w->pub.block_index.z = (unsigned)(block / plane);
    dev_block_run(w);
}

/* The worker's own piece, then others. */
static void take_pieces(struct blocks *blocks, struct worker *w)
{
    const struct dev_launch *l = blocks->launch;
    while (!__atomic_load_n(&blocks->abandoned, __ATOMIC_RELAXED)) {
        while (w->next_block < w->blocks_end && !w->abandoned) {
            uint64_t b = w->next_block++;
            w->looks_since = 0;
            w->pub.found++;
            dev_progress(blocks, b);
            run_block(w, l, MODE_REORDERS ? dev_schedule_block(b, blocks->total, l->number) : b);
        }
        uint64_t first = __atomic_fetch_add(&blocks->next, blocks->piece, __ATOMIC_RELAXED);
        if (first >= blocks->total || w->abandoned)
            break;
        w->next_block = first;
        w->blocks_end =
            first + blocks->piece < blocks->total ? first + blocks->piece : blocks->total;
    }
}

/* What one OS thread does of a launch: the blocks from `first` on before others. */
static void take_blocks(struct blocks *blocks, uint64_t first, uint64_t end)
{
    struct worker *w = dev_worker_here();
    w->blocks = blocks;
    w->next_block = first;
    w->blocks_end = end;
    const struct dev_launch *l = blocks->launch;
    w->pub.launch = l;
    w->pub.threads = l->block.x * l->block.y * l->block.z;
    w->pub.current = &w->pub.home;
    MODE_CHECK(w->pub.home.top = __builtin_frame_address(0));
    w->run = blocks->run;
    w->kernel = blocks->kernel;
    w->abandoned = false;
    w->grid = blocks->grid;
    w->pub.meets = false;
    if (!blocks->kernel->plain)
        dev_worker_fibers(w, w->pub.threads);
    mode_unpoison(w->pub.shared + DEV_DYNAMIC_AT, l->dynamic_shared);
#ifdef DEV_CHECK
    struct dev_region dynamic = {.kind = DEV_SHARED,
                                 .name = DEV_DYNAMIC_NAME,
                                 .file = l->file,
                                 .line = l->line,
                                 .base = w->pub.shared + DEV_DYNAMIC_AT,
                                 .bytes = l->dynamic_shared};
#endif
    dev_self = &w->pub;
    MODE_CHECK(dynamic.bytes ? check_region_added(&dynamic) : (void)0);
    dev_shared_launch_begins(w);
    w->runs = dev_in_kernel = true;
    __atomic_fetch_add(&blocks->running, 1, __ATOMIC_RELAXED);
    if (!blocks->kernel->plain || sigsetjmp(w->out, 0) == 0)
        take_pieces(blocks, w);
    else
        w->abandoned = true;
    __atomic_fetch_sub(&blocks->running, 1, __ATOMIC_RELAXED);
    w->runs = dev_in_kernel = false;
    dev_progress_ends(blocks);
    if (w->abandoned) {
        __atomic_store_n(&blocks->abandoned, true, __ATOMIC_SEQ_CST);
        dev_grid_abandon(w->grid);
    }
    dev_self = NULL;
    dev_shared_launch_ended(w);
#ifdef DEV_CHECK
    if (dynamic.bytes)
        check_region_removed(&dynamic);
#endif
    mode_poison(w->pub.shared + DEV_DYNAMIC_AT, l->dynamic_shared);
}

static void *take_one(void *blocks)
{
    take_blocks(blocks, 0, 0);
    return NULL;
}

/* Of a cooperative launch each block has an OS thread, since they wait for each other. */
static void run_blocks(struct blocks *blocks)
{
#ifdef DEV_CHECK
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one);
    check_launch_begin(blocks->launch);
    if (blocks->grid)
        dev_grid_run(blocks->grid, take_one, blocks);
    else
        take_blocks(blocks, 0, 0);
    check_launch_end(blocks->launch);
    pthread_mutex_unlock(&one);
#else
    if (blocks->grid) {
        dev_grid_run(blocks->grid, take_one, blocks);
        return;
    }
    int workers = omp_get_max_threads();
    blocks->piece = blocks->total / ((uint64_t)workers * 16);
    blocks->piece += blocks->piece == 0;
    if (workers == 1 || blocks->total == 1) {
        take_blocks(blocks, 0, 0);
    } else {
#pragma omp parallel
        {
            dev_worker_helps(omp_get_thread_num() > 0);
            take_blocks(blocks, 0, 0);
        }
    }
    dev_blocks_wait(blocks);
#endif
}

#ifdef DEV_CHECK
static void note_parameters(struct dev_kernel *k, size_t bytes)
{
    const size_t most = 4096;
    if (bytes > most && !k->noted && !check_report_key)
        fprintf(
            stderr,
            "hpclab: note: %s:%d: kernel %s has %zu bytes of parameters; before CUDA 12.1 and on "
            "GPUs before Volta, %zu are the most\n",
            k->file, k->line, k->name, bytes, most);
    k->noted = true;
}

/* Arguments that are the address which a variable of the device has on the host. */
static void look_at_arguments(const struct dev_launch *launch)
{
    for (size_t i = 0; i + sizeof(void *) <= launch->closure_bytes; i += sizeof(void *)) {
        const char *p;
        memcpy(&p, (const char *)launch->closure + i, sizeof p);
        const struct dev_symbol *s = dev_symbol_of(p);
        if (s && s->base == p && dev_symbol_is_hosts(s))
            check_symbol_address(launch->kernel, s->name,
                                 (struct dev_site){launch->file, launch->line});
    }
}
#endif

void dev_run(struct dev_kernel *kernel, void (*run)(struct dev_worker *), const void *closure,
             size_t closure_bytes)
{
    if (dev_self)
        dev_refuse_at((struct dev_site){pending.set ? pending.launch.file : kernel->file,
                                        pending.set ? pending.launch.line : kernel->line},
                      "a launch from a kernel (of %s)", kernel->name);
    if (!pending.set)
        dev_die("%s:%d: kernel %s is called like a function, expected %s<<<grid, block>>>(..)",
                kernel->file, kernel->line, kernel->name, kernel->name);
    pending.set = false;
    struct dev_launch launch = pending.launch;
    cudaError_t error = dev_error_of_device();
    if (!error)
        error = configuration_error(kernel, &launch);
    launch.kernel = kernel->name;
    const bool cooperative = pending.cooperative;
    pending.cooperative = false;
    const uint64_t total = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    if (!error && cooperative && total > dev_grid_most(kernel, &launch))
        error = cudaErrorCooperativeLaunchTooLarge;
    if (error) {
        dev_error_of_launch(kernel, &launch, error);
        return;
    }
    dev_faults_watched();
    launch.closure = closure;
    launch.closure_bytes = closure_bytes;
    launch.stream = dev_stream_number(pending.stream);
    launch.number = atomic_fetch_add(&launches, 1) + 1;
    MODE_CHECK(look_at_arguments(&launch));
    MODE_CHECK(check_launched_in_run(closure_bytes, (struct dev_site){launch.file, launch.line}));
    MODE_CHECK(note_parameters(kernel, closure_bytes));
    struct blocks blocks = {.launch = &launch,
                            .kernel = kernel,
                            .run = run,
                            .take = take_blocks,
                            .needed = dev_blocks_needed,
                            .piece = 1,
                            .look_round = launch.number << 32, /* no worker has seen it */
                            .in_team = omp_in_parallel(),
                            .total = total - left_out(total),
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    if (cooperative && total > 1)
        blocks.grid = dev_grid_make((unsigned)total);
    dev_wall_lift();
    run_blocks(&blocks);
    dev_wall_drop();
    dev_grid_free(blocks.grid);
}
