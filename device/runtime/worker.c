/* Workers: an OS thread's shared arena and its fibers; and those that wait. A block may wait by
 * loops that look for what others do: where no thread of its own may go on, blocks that have not
 * begun get an OS thread more. In check mode, which has one, none may wait for a later one, and
 * that is told, as is in any mode a launch all of which waits for the host. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/runtime/fiber.h"
#include "device/runtime/mode.h"

static __thread struct worker *mine;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic unsigned helpers;

static void *map_pages(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        dev_die("%zu MiB for the threads of a kernel cannot be had: %s", bytes >> 20,
                strerror(errno));
    return p;
}

static void worker_free(void *p)
{
    struct worker *w = p;
    helpers -= w->helps;
    munmap(w->pub.shared, w->pub.shared_bytes);
    if (w->stacks)
        munmap(w->stacks, w->stacks_bytes);
    if (w->signals)
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    free(w->signals);
    free(w->fibers);
    free(w);
    mine = NULL;
}

static void make_key(void)
{
    pthread_key_create(&key, worker_free);
}

struct worker *dev_worker_running(void)
{
    return mine && mine->runs ? mine : NULL;
}

void dev_worker_helps(bool does)
{
    struct worker *w = dev_worker_here();
    helpers += does && !w->helps;
    w->helps |= does;
}

unsigned dev_workers_helping(void)
{
    return helpers;
}

/* A fault may be that of a fiber's stack, which is full. */
static void signal_stack(struct worker *w)
{
    stack_t stack = {.ss_size = 256 << 10}, old;
    if (sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE))
        return;
    w->signals = stack.ss_sp = malloc(stack.ss_size);
    if (w->signals)
        sigaltstack(&stack, NULL);
}

struct worker *dev_worker_here(void)
{
    if (mine)
        return mine;
    pthread_once(&once, make_key);
    struct worker *w = aligned_alloc(128, (sizeof *w + 127) / 128 * 128);
    if (!w)
        dev_die("out of memory");
    memset(w, 0, sizeof *w);
    w->pub.shared_bytes = DEV_ARENA_BYTES;
    w->pub.shared = map_pages(DEV_ARENA_BYTES);
    mode_poison(w->pub.shared, DEV_ARENA_BYTES);
    w->stack_least = (dev_setting("HPC_DEVICE_STACK_KIB", MODE_STACK_KIB) + 3) / 4 << 12;
    signal_stack(w);
    pthread_setspecific(key, w);
    return mine = w;
}

/* Fibers wake one after another, and each uses a few lines near its top. So that these do not fall
 * into the same sets of the caches, stacks are an odd number of pages apart, with a guard page
 * below each, and tops lie at different places in their page. */
static void fiber_make(struct worker *w, unsigned k, size_t page, size_t stride)
{
    struct dev_fiber *f = &w->fibers[k];
    char *end = w->stacks + (k + 1) * stride;
    f->bottom = end - w->stack_bytes;
    f->top = end - 64 - (size_t)k * 320 % page / 64 * 64;
    mprotect(end - stride, page, PROT_NONE);
}

static _Atomic size_t asked; /* by cudaLimitStackSize: a thread gets it beside its own */

void dev_stack_asked(size_t bytes)
{
    enum { MOST = 512 << 10 }; /* as GPUs have */
    asked = bytes < MOST ? (bytes + 4095) / 4096 * 4096 : MOST;
}

void dev_worker_fibers(struct worker *w, unsigned threads)
{
    const size_t wanted = w->stack_least + asked;
    if (w->stack_bytes < wanted)
        w->n_fibers = 0;
    w->stack_bytes = wanted > w->stack_bytes ? wanted : w->stack_bytes;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), stride = (w->stack_bytes / page | 1) * page;
    if (stride == w->stack_bytes)
        stride += 2 * page;
    if (w->n_fibers < threads) {
        if (w->stacks)
            munmap(w->stacks, w->stacks_bytes);
        free(w->fibers);
        w->stacks_bytes = threads * stride;
        w->stacks = map_pages(w->stacks_bytes);
        w->fibers = aligned_alloc(64, threads * sizeof *w->fibers);
        if (!w->fibers)
            dev_die("out of memory");
        memset(w->fibers, 0, threads * sizeof *w->fibers);
        for (unsigned k = 0; k < threads; k++)
            fiber_make(w, k, page, stride);
        w->n_fibers = threads;
    }
    dev_ring_make(w);
}

#ifndef DEV_CHECK
static void *help(void *helper)
{
    const struct helper *h = helper;
    dev_worker_helps(true);
    h->blocks->take(h->blocks, h->first, h->end);
    return NULL;
}

void dev_blocks_wait(struct blocks *blocks)
{
    for (;;) {
        pthread_mutex_lock(&blocks->lock);
        struct helper *h = blocks->helpers;
        blocks->helpers = h ? h->next : NULL;
        pthread_mutex_unlock(&blocks->lock);
        if (!h)
            return;
        pthread_join(h->thread, NULL);
        free(h);
    }
}
#endif

/* Whether for long no OS thread of the launch has found what it looks for, through many rounds in
 * each of which all have looked: nothing that the kernel does will end that. */
static bool all_look_in_vain(struct worker *w, double now)
{
    enum { ROUNDS = 200 };
    const double seconds = 5;
    struct blocks *b = w->blocks;
    bool in_vain = false;
    pthread_mutex_lock(&b->lock);
    if (w->found != w->pub.found || b->vain_since == 0) {
        w->found = w->pub.found;
        b->vain_since = now;
        b->vain_rounds = b->looked = 0;
        b->look_round++;
    }
    if (w->look_round != b->look_round) {
        w->look_round = b->look_round;
        if (++b->looked + __atomic_load_n(&b->at_grid, __ATOMIC_RELAXED) >=
            __atomic_load_n(&b->running, __ATOMIC_RELAXED)) {
            b->looked = 0;
            b->look_round++;
            in_vain = ++b->vain_rounds > ROUNDS && now - b->vain_since > seconds;
        }
    }
    pthread_mutex_unlock(&b->lock);
    return in_vain;
}

/* Nothing but the host could end this wait, and its only thread has launched this. */
static void refuse_wait_for_host(const struct blocks *blocks, struct dev_site site)
{
    struct stat tasks; /* a link a thread, and two */
    if (!blocks->in_team && stat("/proc/self/task", &tasks) == 0 &&
        tasks.st_nlink == 3 + dev_workers_helping())
        dev_refuse_at(site,
                      "kernel %s, which waits here for what the host does while it runs; a launch "
                      "returns when it is done",
                      blocks->kernel->name);
}

void dev_blocks_needed(struct worker *w, struct dev_site site)
{
    struct blocks *blocks = w->blocks;
    const double now = dev_seconds(), patience = 2e-3;
    sched_yield();
    if (w->looks_since == 0) {
        w->looks_since = now;
        w->looks_more = 0;
    }
    if (now - w->looks_since < patience)
        return;
#ifdef DEV_CHECK
    if (++w->looks_more > 2000 && now - w->looks_since > 2 && w->next_block < blocks->total)
        dev_refuse_at(site,
                      "kernel %s, a block of which waits here for one that begins later, in check "
                      "mode; --mode run has it",
                      w->kernel->name);
    if (!blocks->grid && all_look_in_vain(w, now))
        refuse_wait_for_host(blocks, site);
#else
    struct helper *h = NULL;
    w->looks_since = now;
    const bool all_begun = w->next_block >= w->blocks_end &&
                           __atomic_load_n(&blocks->next, __ATOMIC_RELAXED) >= blocks->total;
    if (all_begun && all_look_in_vain(w, now))
        refuse_wait_for_host(blocks, site);
    if (blocks->grid || all_begun || !(h = malloc(sizeof *h)))
        return;
    *h = (struct helper){.blocks = blocks, .first = w->next_block, .end = w->blocks_end};
    pthread_mutex_lock(&blocks->lock);
    if (pthread_create(&h->thread, NULL, help, h) == 0) {
        w->next_block = w->blocks_end;
        h->next = blocks->helpers;
        blocks->helpers = h;
    } else {
        free(h);
    }
    pthread_mutex_unlock(&blocks->lock);
#endif
}
