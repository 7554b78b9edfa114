/* Blocks of a launch beside each other: how far they have come, and those of a cooperative launch,
 * which wait for each other, so that each has an OS thread. In check mode one of them runs at a
 * time, until it waits for its grid or ends. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/include/cuda_runtime_api.h"
#include "device/runtime/grid.h"
#include "device/runtime/mode.h"
#include "device/runtime/runtime.h"

struct dev_grid {
    pthread_mutex_t lock; /* in check mode: of who runs */
    pthread_cond_t all;
    unsigned blocks, waiting, round;
    unsigned ended;       /* OS threads that have no block left */
    struct dev_site site; /* where a block has come to wait, of late */
    bool abandoned;
    void *(*take)(void *);
    void *what;
};

/* By threads, blocks and shared memory of a multiprocessor; registers are not known. */
unsigned dev_occupancy(const struct dev_kernel *kernel, size_t threads, size_t shared)
{
    size_t warps = (threads + DEV_WARP - 1) / DEV_WARP, bytes = kernel->static_shared + shared;
    size_t by_threads = 2048 / DEV_WARP / warps, by_shared = DEV_MOST_DYNAMIC / (bytes + 1024);
    size_t most = by_threads < by_shared ? by_threads : by_shared;
    const size_t limit = kernel->most_threads ? kernel->most_threads : DEV_MOST_THREADS;
    return threads > limit ? 0 : (unsigned)(most < 32 ? most : 32);
}

uint64_t dev_grid_most(const struct dev_kernel *kernel, const struct dev_launch *l)
{
    const size_t threads = (size_t)l->block.x * l->block.y * l->block.z;
    return (uint64_t)dev_processors() * dev_occupancy(kernel, threads, l->dynamic_shared);
}

struct dev_grid *dev_grid_make(unsigned blocks)
{
    struct dev_grid *g = calloc(1, sizeof *g);
    if (!g)
        dev_die("out of memory");
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->all, NULL);
    g->blocks = blocks;
    return g;
}

void dev_grid_free(struct dev_grid *grid)
{
    if (!grid)
        return;
    pthread_cond_destroy(&grid->all);
    pthread_mutex_destroy(&grid->lock);
    free(grid);
}

void dev_grid_abandon(struct dev_grid *grid)
{
    if (!grid)
        return;
#ifndef DEV_CHECK /* there it is the one that runs who calls */
    pthread_mutex_lock(&grid->lock);
#endif
    grid->abandoned = true;
    pthread_cond_broadcast(&grid->all);
#ifndef DEV_CHECK
    pthread_mutex_unlock(&grid->lock);
#endif
}

/* Nobody is left who could come. What the checker has found says why, as often as not. */
static void look_at_ended(const struct dev_grid *g, const char *kernel)
{
    if (!g->waiting || g->ended + g->waiting != g->blocks || g->abandoned)
        return;
    MODE_CHECK(check_dies());
    dev_die("%s:%d: kernel %s: %u of %u blocks wait here for their grid, and the others have "
            "ended, expected all of them at grid.sync()",
            g->site.file, g->site.line, kernel, g->waiting, g->blocks);
}

static void *take_part(void *grid)
{
    struct dev_grid *g = grid;
    const struct blocks *blocks = g->what;
#ifdef DEV_CHECK
    pthread_mutex_lock(&g->lock);
    check_grid_thread();
#endif
    g->take(g->what);
#ifndef DEV_CHECK
    pthread_mutex_lock(&g->lock);
#endif
    g->ended++;
    look_at_ended(g, blocks->kernel->name);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

void dev_grid_run(struct dev_grid *grid, void *(*take)(void *), void *blocks)
{
    pthread_t *threads = calloc(grid->blocks, sizeof *threads);
    if (!threads)
        dev_die("out of memory");
    grid->take = take;
    grid->what = blocks;
    MODE_CHECK(check_grid_begins());
    for (unsigned i = 0; i < grid->blocks; i++)
        if (pthread_create(&threads[i], NULL, take_part, grid) != 0)
            dev_die("no OS thread for block %u of a cooperative launch", i);
    for (unsigned i = 0; i < grid->blocks; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    MODE_CHECK(check_grid_ended());
}

bool dev_grid_waits(void)
{
    const struct worker *w = running_worker();
    return w->grid || w->pub.launch->grid.x * w->pub.launch->grid.y * w->pub.launch->grid.z == 1;
}

void dev_grid_sync(struct dev_site site)
{
    struct worker *w = running_worker();
    struct dev_grid *g = w->grid;
    if (!g && dev_grid_waits())
        return;
    if (!g)
        dev_die("%s:%d: kernel %s waits for its grid, expected cudaLaunchCooperativeKernel, which "
                "makes its blocks run beside each other",
                site.file, site.line, w->pub.launch->kernel);
#ifdef DEV_CHECK /* who runs has the lock */
    struct check_block *left = check_block_leaves();
#else
    pthread_mutex_lock(&g->lock);
#endif
    const unsigned round = g->round;
    if (++g->waiting == g->blocks) {
        g->waiting = 0;
        g->round++;
        MODE_CHECK(check_grid_met());
        pthread_cond_broadcast(&g->all);
    }
    g->site = site;
    __atomic_fetch_add(&w->blocks->at_grid, 1, __ATOMIC_RELAXED);
    while (g->round == round && !g->abandoned) {
        look_at_ended(g, w->pub.launch->kernel);
        pthread_cond_wait(&g->all, &g->lock);
    }
    __atomic_fetch_sub(&w->blocks->at_grid, 1, __ATOMIC_RELAXED);
#ifdef DEV_CHECK
    check_block_returns(left);
#else
    pthread_mutex_unlock(&g->lock);
#endif
    if (g->abandoned)
        dev_trap(cudaErrorLaunchFailure);
}

/* ---- progress ---------------------------------------------------------------------------------
 */

/* On a terminal, as what a GPU ends in a second may take minutes here: seconds before the first
 * line, and between two. */
#define PATIENCE 2.0
#define PAUSE    0.5

static bool on_terminal(void)
{
    static _Atomic int answer; /* 0: not asked; 1: no; 2: yes */
    int known = atomic_load_explicit(&answer, memory_order_relaxed);
    if (!known) {
        known = isatty(STDERR_FILENO) ? 2 : 1;
        atomic_store_explicit(&answer, known, memory_order_relaxed);
    }
    return known == 2;
}

void dev_progress(struct blocks *blocks, uint64_t block)
{
    if (!on_terminal())
        return;
    const double now = dev_seconds();
    pthread_mutex_lock(&blocks->lock);
    if (blocks->begun == 0)
        blocks->begun = now;
    if (now - blocks->begun >= PATIENCE && now - blocks->told >= PAUSE) {
        blocks->told = now;
        fprintf(stderr, "\r\033[Khpclab: kernel %s: block %llu of %llu, %.0f s",
                blocks->kernel->name, (unsigned long long)block + 1,
                (unsigned long long)blocks->total, now - blocks->begun);
        fflush(stderr);
    }
    pthread_mutex_unlock(&blocks->lock);
}

void dev_progress_ends(struct blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    if (blocks->told != 0)
        fputs("\r\033[K", stderr);
    blocks->told = 0;
    pthread_mutex_unlock(&blocks->lock);
}
