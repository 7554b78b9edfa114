/* What the code that device/rewrite writes, and the headers behind it, ask of the runtime. */
#ifndef HPC_DEVICE_GENERATED_H
#define HPC_DEVICE_GENERATED_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One kernel, or one instance of a template: a static variable in it. */
struct dev_kernel {
    const char *name, *file;
    int line;
    bool plain;            /* its threads never wait: `run` is a loop over them, without fibers */
    bool meets;            /* its threads meet in warps: the scheduler of warps runs it */
    size_t static_shared;  /* bytes of the __shared__ variables that were used so far */
    size_t most_dynamic;   /* cudaFuncAttributeMaxDynamicSharedMemorySize, 0: not set */
    unsigned most_threads; /* of a block, by its __launch_bounds__; 0: it has none */
    bool noted;            /* check mode: that its parameters are many */
};

/* How reports of the checker name parts of a variable: as in struct dev_region. */
struct dev_shape {
    unsigned element, extent[3];
};

/* One __shared__ variable: a static variable in the function that declares it. */
struct dev_shared_variable {
    size_t bytes, alignment;
    const char *name, *file;
    int line;
    size_t offset;                    /* in every worker's arena; 0: not placed yet */
    uint64_t launch;                  /* the last one that used it */
    struct dev_shared_variable *next; /* check mode: of those that this launch has used */
    struct dev_shape shape;
    bool of_file; /* declared outside of functions: generated code asks for it once a thread */
    struct dev_shared_variable *next_of_file;
};

/* One __device__, __constant__ or __managed__ variable, in the section hpc_symbols. As large as the
 * alignment that compilers choose at most, so that the section is an array. */
struct __attribute__((aligned(64))) dev_symbol {
    enum dev_kind kind;
    const char *name, *file;
    int line;
    char *base;
    size_t bytes;
    struct dev_shape shape;
    const void *unit; /* the same for all that ptxas sees together: a file's, or the program's */
};

/* One static variable of a function that the device runs: a static variable beside it. */
struct dev_static_variable {
    struct dev_symbol symbol; /* as far as its place says */
    bool known;               /* to the checker */
};

/* Where a kernel's pointer points: DEV_GLOBAL, DEV_CONSTANT, DEV_SHARED, or 0: to a thread's own.
 */
unsigned dev_space(const void *p);
/* Device code stores the address of a device variable, or of what is in it: the host may ask for
 * what is there by that address from now on. */
void dev_symbol_taken(const void *p);
/* Before main: a variable of a template, which is in no section. Returns 1. */
int dev_symbol_add(const struct dev_symbol *s);

#define DEV_MOST_SHARED     49152 /* without cudaFuncSetAttribute */
#define DEV_MOST_CONSTANT   65536 /* of what ptxas sees together */
#define DEV_MOST_THREADS    1024
#define DEV_MOST_PARAMETERS 32764 /* bytes of a kernel, since CUDA 12.1 */

/* The configuration of the launch that follows on this OS thread. */
void dev_configure(struct dev_index grid, struct dev_index block, size_t shared, void *stream,
                   struct dev_site site);
/* The kernel's function was called on the host: checks the configuration, copies nothing, and runs
 * `run` on fibers until all threads of all blocks are through. Errors go to cudaGetLastError. */
void dev_run(struct dev_kernel *kernel, void (*run)(struct dev_worker *), const void *closure,
             size_t closure_bytes);
/* True where the kernel's function was called by dev_api_function, which wants to know its kernel.
 */
bool dev_asked(struct dev_kernel *kernel);
/* Make the next thread of the block the running one; waits, as an idle fiber, for the next block
 * where all have begun. And the end of the running thread. */
void dev_begin_thread(struct dev_worker *worker);
void dev_end_thread(struct dev_worker *worker);

void dev_place(struct dev_shared_variable *variable); /* gives it an offset */
void *dev_shared(struct dev_shared_variable *variable);

/* __syncthreads and its kin: sum, and, or of `value` over the threads. */
void dev_barrier(struct dev_site site);
struct dev_votes {
    int sum, all, any;
};
struct dev_votes dev_barrier_votes(int value, struct dev_site site);

/* Check mode: the running thread returns from the kernel before its end. */
void dev_left(void);
/* Check mode: a thread came upon a static variable, at `base`, before any used it. */
void dev_static(struct dev_static_variable *variable, char *base, size_t bytes,
                struct dev_shape shape);

/* Added to the source lane of a shuffle down. */
#define DEV_SHUFFLE_DOWN 32
/* The lanes of `mask` in this warp meet. Shuffle: the value of lane `source` (0 where that
 * lane is not there, as GPUs have it, so that sums over fewer lanes than a warp come out). Ballot:
 * a bit for each lane whose value is not 0. Gather: all values, values[lane]; returns the lanes
 * that are there. */
void dev_warp_sync(unsigned mask, struct dev_site site);
uint64_t dev_warp_shuffle(unsigned mask, uint64_t value, unsigned source, struct dev_site site);
unsigned dev_warp_ballot(unsigned mask, int value, struct dev_site site);
unsigned dev_warp_gather(unsigned mask, uint64_t value, uint64_t values[32], struct dev_site site);
/* The lanes of this warp that come to `site` together: when every lane has come there, waits
 * elsewhere or has ended. */
unsigned dev_warp_active(struct dev_site site);
/* The running lane waits until all lanes of its block that may run have come to a turn, too; of its
 * warp's those go on who are in the earliest round of the loops around, and there at the first line
 * in the file, as lanes of a branch do that others wait behind. `loops`: first and last lines of
 * the function and of loops around, outer ones first. */
void dev_warp_turn(int line, const int *loops, int n_loops);
void dev_fence(void);
/* The running thread looks in a loop for what another one does: others go on first, blocks that
 * have not begun too. */
#define DEV_LOOKS 1000 /* rounds between two calls */
void dev_look_again(struct dev_site site);
/* The threads of a block look by turns, as where they meet at a barrier between two looks: what
 * they look for may be done by blocks that have not begun. */
#define DEV_LOOKERS 10000 /* looks between two calls */
void dev_blocks_looked(struct dev_site site);
/* Check mode: an operand in this line, an element of the array `name` of the running thread, has
 * this word, which says that nobody has set it. Returns `word`.
 * A const function, so that the compiler may keep in registers around it what it keeps there
 * without. */
uint32_t check_unset(uint32_t word, const char *name, const char *file, int line)
    __attribute__((const, cold, nothrow));
/* Check mode: an atomic read-modify-write is done by the running thread, called from `from`; in
 * `bytes` DEV_BLIND says that it stores something whatever was there, DEV_SCOPED that it is one
 * among the threads of a block alone. */
void dev_atomic(const void *p, size_t bytes, const void *from);

/* The launch that follows on this OS thread is a cooperative one. */
void dev_cooperate(void);
/* In a cooperative launch: whether its blocks can wait for each other; wait until a thread of each
 * block has come. */
bool dev_grid_waits(void);
void dev_grid_sync(struct dev_site site);

/* Processors that this process may use: the device's multiprocessors. */
int dev_processors(void);

/* What a call returned, which the program does not look at: an error. */
void dev_error_dropped(int error, const char *call, struct dev_site site);

/* A device-side assert or __trap(): ends the launch; its error stays with the device. */
void dev_trap(int error) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
#endif
