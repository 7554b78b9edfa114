/* Workers: an OS thread's shared arena and its fibers. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
    w->stack_bytes = (dev_setting("HPC_DEVICE_STACK_KIB", MODE_STACK_KIB) + 3) / 4 << 12;
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

void dev_worker_fibers(struct worker *w, unsigned threads)
{
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
