/* What the files of the runtime share. */
#ifndef HPC_DEVICE_INTERNAL_H
#define HPC_DEVICE_INTERNAL_H

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/include/hpc_device/errors.h"
#include "device/runtime/device.h"
#include "device/runtime/generated.h"
#include "device/runtime/switch.h"

#define DEV_WARP       32
#define DEV_MOST_LOOPS 5 /* around a turn, with its function */
/* Of shared memory a worker: all variables of a program; in check mode wide red zones, too. */
#ifdef DEV_CHECK
#define DEV_ARENA_BYTES ((size_t)256 << 20)
#else
#define DEV_ARENA_BYTES ((size_t)8 << 20)
#endif

enum dev_meeting { DEV_SYNC, DEV_SHUFFLE, DEV_BALLOT, DEV_GATHER, DEV_ACTIVE };

/* What a lane brings to a meeting of its warp, and what it takes away. */
struct dev_lane {
    enum dev_meeting what;
    unsigned mask, source;
    bool down; /* of a shuffle: by a distance, downwards */
    uint64_t value, result;
    uint64_t *values;
    struct dev_site site;
    uint64_t where; /* of DEV_ACTIVE: rounds of loops, and calls that led here (chain.c) */
};

/* Where a thread is among its turns at volatile accesses: its line, and the round of each loop
 * around it. */
struct dev_rounds {
    uint64_t block, launch; /* of another one: nothing is known */
    int line, n;
    struct dev_loop {
        int first, last; /* lines */
        unsigned round;
    } loop[DEV_MOST_LOOPS];
};

struct dev_warp {
    unsigned exists, ended; /* lanes */
    unsigned at_barrier;    /* wait for the block */
    unsigned meets;         /* wait for others of the warp .. */
    unsigned mixed;         /* .. not all by one mask, where it is not 0 .. */
    unsigned last_mask;     /* .. the last one's */
    unsigned asks;          /* wait to know who is with them: DEV_ACTIVE */
    unsigned turns;         /* wait for the others' turns at volatile accesses */
    unsigned looks;         /* let others go first: dev_look_again */
    unsigned ready;         /* may go on */
    struct dev_lane lane[DEV_WARP];
};

/* dev_worker and what only the runtime knows of it. One an OS thread, made when first needed. */
struct worker {
    struct dev_worker pub;    /* first: dev_self points here */
    struct dev_fiber nowhere; /* takes the place of a fiber that has ended, in a switch */
    struct dev_fiber *fibers;
    unsigned n_fibers;
    unsigned used_fibers; /* scheduler of warps: fibers that run or ran in this block */
    void (*run)(struct dev_worker *);
    struct dev_kernel *kernel;
    bool abandoned;                         /* dev_trap was called */
    bool runs;                              /* blocks of a launch */
    bool helps;                             /* its OS thread is the runtime's own */
    char *signals;                          /* the stack of signal handlers */
    sigjmp_buf out;                         /* where a plain kernel goes that ends early */
    struct dev_grid *grid;                  /* of a cooperative launch of several blocks, or NULL */
    struct blocks *blocks;                  /* of the launch */
    uint64_t next_block, blocks_end;        /* of those that it took, what it has not begun */
    double looks_since;                     /* a thread of the block waits for another block; 0 */
    unsigned looks_more;                    /* so often since then */
    unsigned found;                         /* pub.found as it was .. */
    uint64_t look_round;                    /* .. in this round of its launch */
    struct dev_fiber *picked;               /* scheduler of warps: who runs, or ran last */
    struct dev_fiber *of[DEV_MOST_THREADS]; /* the fiber that a thread waits on */
    struct dev_warp warps[DEV_MOST_THREADS / DEV_WARP];
    unsigned left[DEV_MOST_THREADS / DEV_WARP]; /* check mode: lanes that returned early */
    bool reordered;                             /* threads begin as `order` says */
    uint16_t order[DEV_MOST_THREADS];
    struct dev_rounds rounds[DEV_MOST_THREADS];   /* of those that wait for turns */
    dev_place_of_thread places[DEV_MOST_THREADS]; /* MODE_REORDERS: as they begin .. */
    uint64_t places_of;                           /* .. of this launch */
    const dev_place_of_thread *next_place;        /* check mode: of a loop over threads .. */
    unsigned loop_most;                           /* .. with threadIdx.x below this */
    struct dev_site here; /* check mode: so many threads wait at this barrier, one after another */
    unsigned alike;
    unsigned waiting;          /* threads at the block's barrier, under the scheduler of warps */
    struct dev_votes votes[2]; /* by the parity of the epoch */
    char *stacks;
    size_t stack_least, stack_bytes, stacks_bytes; /* stack_least: where nobody asks for more */
    const void *home_bottom;                       /* asan mode: the OS thread's own stack */
    size_t home_bytes;
};

/* Blocks of one launch, taken by the workers in pieces. Each counter has a cache line of its own.
 */
struct worker;
struct blocks {
    const struct dev_launch *launch;
    struct dev_kernel *kernel;
    void (*run)(struct dev_worker *);
    void (*take)(struct blocks *blocks, uint64_t first, uint64_t end); /* by an OS thread */
    void (*needed)(struct worker *w, struct dev_site site);            /* dev_blocks_needed */
    uint64_t total, piece;
    uint64_t next __attribute__((aligned(128))); /* changed by atomics, as is what follows */
    bool abandoned __attribute__((aligned(128)));
    double begun, told;    /* of its progress: when; 0: not yet */
    struct dev_grid *grid; /* of a cooperative launch */
    bool in_team;          /* launched by one of several threads of the host's own OpenMP */
    unsigned at_grid;      /* OS threads that wait for their grid; changed by atomics */
    unsigned running;      /* OS threads that are at blocks; changed by atomics */
    pthread_mutex_t lock;  /* of what follows */
    double vain_since;     /* no OS thread has found what it looks for; 0: none has looked .. */
    unsigned vain_rounds;  /* .. in so many rounds .. */
    unsigned looked;       /* .. so many of them in this one */
    uint64_t look_round;
    struct helper {
        pthread_t thread;
        struct blocks *blocks;
        uint64_t first, end; /* the first blocks that it takes */
        struct helper *next;
    } * helpers; /* OS threads for blocks that others wait for */
};

/* This OS thread's worker. */
struct worker *dev_worker_here(void);
/* Whether the runtime has made this OS thread, which runs nothing of the host's; how many. */
void dev_worker_helps(bool does);
unsigned dev_workers_helping(void);
/* The same where it runs blocks now, else NULL; of a signal handler too. */
struct worker *dev_worker_running(void);
/* Faults of kernels end kernels. */
void dev_faults_watched(void);
/* At least `threads` fibers with stacks; of launches from now on each has so many bytes more. */
void dev_worker_fibers(struct worker *w, unsigned threads);
void dev_stack_asked(size_t bytes);
void dev_block_run(struct worker *w); /* pub.block_index and pub.block are set */

void dev_shared_launch_begins(struct worker *w); /* check mode: knows the files' variables */
void dev_shared_block_begins(struct worker *w);  /* check mode: its variables are undefined */
void dev_shared_launch_ended(struct worker *w);  /* check mode: its variables are no more */

/* Orders other than forward (schedule.c): the block that is the position-th to run; the threads of
 * a block, false where they run as they come. Memory that nobody wrote. */
uint64_t dev_schedule_block(uint64_t position, uint64_t total, uint64_t launch);
bool dev_schedule_threads(uint16_t *order, unsigned threads, uint64_t block, uint64_t launch);
void dev_schedule_fill(void *p, size_t bytes);

/* Under the scheduler of warps (warp.c). */
void dev_warps_only(struct worker *w);      /* from now on, in this launch */
void dev_warps_begin(struct worker *w);     /* of a block that begins */
void dev_warps_take_over(struct worker *w); /* of a block that runs on the ring */
void dev_warps_block(struct worker *w);     /* the rest of the block, on the worker's own stack */
/* Check mode (masks.c): lanes have met, or go on without those that their mask names too. */
void dev_masks_met(struct worker *w, const struct dev_warp *warp, unsigned lanes);
void dev_masks_stuck(struct worker *w, const struct dev_warp *warp, unsigned lanes);
void dev_warps_thread_ended(struct worker *w);      /* the running thread has ended */
struct dev_fiber *dev_warps_pick(struct worker *w); /* who runs next; NULL: all have ended */
/* Volatile accesses: the running thread has come to one; nobody may go on but those that wait for
 * their turn at one. */
void dev_turn_noted(struct worker *w, int line, const int *loops, int n_loops);
bool dev_turns_release(struct worker *w);
/* A number for the calls that led here from the kernel on: others have another. */
uint64_t dev_chain(void);
/* The lanes `group` have met: each gets what it came for. */
void dev_warp_release(struct dev_warp *warp, unsigned group);
/* All threads of the block have come to a barrier: counts the epoch. */
void dev_barrier_passed(struct worker *w);

/* The worker that runs this kernel's thread. */
static inline struct worker *running_worker(void)
{
    return (struct worker *)dev_self;
}

static inline unsigned bit_of(unsigned thread)
{
    return 1u << (thread % DEV_WARP);
}

static inline struct dev_warp *warp_of(struct worker *w, unsigned thread)
{
    return &w->warps[thread / DEV_WARP];
}

/* The next of the lanes of warp k that may go on, behind lane `after` % 32 or else from 0 on: its
 * fiber, taken out of `ready`. */
static inline struct dev_fiber *dev_warp_take(struct worker *w, unsigned k, unsigned after)
{
    struct dev_warp *warp = &w->warps[k];
    const unsigned later = warp->ready & (~1u << after % DEV_WARP);
    const unsigned lane = (unsigned)__builtin_ctz(later ? later : warp->ready);
    warp->ready &= ~(1u << lane);
    return w->of[k * DEV_WARP + lane];
}

/* A thread waits for something that no other thread of its block does: blocks that have not begun
 * get an OS thread more (worker.c); in check mode that is not supported. And the end of those. */
void dev_blocks_needed(struct worker *w, struct dev_site site);
void dev_blocks_wait(struct blocks *blocks);

/* On a terminal, of a launch that lasts: which block begins now; and the end of the line
 * (grid.c). */
void dev_progress(struct blocks *blocks, uint64_t block);
void dev_progress_ends(struct blocks *blocks);

/* The kernel that a function on the host stands for. */
struct dev_kernel *dev_kernel_of(const void *function);

/* Blocks of so many threads (at least one) and bytes that a multiprocessor runs at once (grid.c).
 */
unsigned dev_occupancy(const struct dev_kernel *kernel, size_t threads, size_t shared);

/* Cooperative launches (grid.c): how many blocks there may be; a grid of so many, whose blocks run
 * beside each other until all have ended. dev_grid_free takes NULL. */
uint64_t dev_grid_most(const struct dev_kernel *kernel, const struct dev_launch *launch);
struct dev_grid *dev_grid_make(unsigned blocks);
void dev_grid_run(struct dev_grid *grid, void *(*take)(void *), void *blocks);
void dev_grid_abandon(struct dev_grid *grid); /* nobody waits any more; NULL: no grid */
void dev_grid_free(struct dev_grid *grid);

/* Of each launch from now on the last blocks alone, whose outputs are the last `part` of `whole`.
 */
void dev_run_end(uint64_t part, uint64_t whole);

/* Errors: `error` becomes what cudaGetLastError returns on this OS thread; returns it. */
cudaError_t dev_error(cudaError_t error);
/* The same of a launch that did not happen; in check mode, whether anybody asks is watched. */
void dev_error_of_launch(const struct dev_kernel *kernel, const struct dev_launch *launch,
                         cudaError_t error);
/* An error that stays with the device, as after a trap. */
void dev_error_sticky(cudaError_t error);
cudaError_t dev_error_of_device(void);
/* Of a pointer that a call takes for the device's or the host's, with `bytes` behind it; `expected`
 * in words. */
cudaError_t dev_api_pointer(const char *call, const void *p, bool device, size_t bytes,
                            const char *expected, struct dev_site site);
/* "hpclab: .." on stderr, and exit 3: where the machine fails, not the program. */
void dev_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* "hpclab: FILE:LINE: not supported: .." on stderr, and exit DEV_EXIT_REFUSED. */
void dev_refuse_at(struct dev_site site, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/* Whether a stream, as the API got it, is one. */
bool dev_stream_valid(const void *stream);
/* The checker's number of a valid one. */
unsigned dev_stream_number(const void *stream);

/* Of a clock that only goes forward. */
double dev_seconds(void);
/* A number from the environment, `otherwise` where it is not set or no number from 1. */
size_t dev_setting(const char *name, size_t otherwise);
#endif
