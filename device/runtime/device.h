/* What the pieces of the CPU device share: device/runtime (memory, launches, fibers), device/check
 * (races, bounds, traffic) and the code that device/rewrite writes into a `.cu` file.
 *
 * A kernel's threads run one after another on the worker that has their block; a worker is an OS
 * thread. In `check` mode one worker runs all blocks, and the runtime calls the check_* functions
 * below; `run` and `asan` mode do without (DEV_CHECK is not defined); traffic mode is check mode to
 * it. */
#ifndef HPC_DEVICE_DEVICE_H
#define HPC_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dev_index {
    unsigned x, y, z;
};

/* One launch, constant while it runs. */
struct dev_launch {
    const char *kernel; /* as the source names it: "conv_tiled_kernel" */
    const char *file;   /* of the launch */
    int line;
    struct dev_index grid, block;
    size_t dynamic_shared; /* bytes */
    uint64_t number;       /* counts from 1 */
    const void *closure;   /* the kernel's arguments, on the host; threads copy them */
    size_t closure_bytes;
    unsigned stream; /* check mode: its number, as of check_stream_made */
};

/* Where a barrier stands in the source: the rewriter passes it, a return address is no identity. */
struct dev_site {
    const char *file;
    int line;
};

enum dev_wait { DEV_RUNS, DEV_IDLE };

/* A stack, where it goes on (device/runtime/switch.h): what a switch needs, in one cache line. */
struct __attribute__((aligned(64))) dev_fiber {
    void *at, *stack, *frame; /* where it goes on; first, and in this order */
    struct dev_fiber *next;   /* who runs when this one waits */
    struct dev_index index;   /* threadIdx and linear thread, in 16 bytes, while it waits */
    unsigned thread;          /* .. */
    enum dev_wait waits;      /* DEV_IDLE: no thread of this block is on it */
    void *top, *bottom;       /* of the stack; a fresh fiber begins at the top */
    struct dev_site site;     /* of the barrier that it waits at; not in run mode */
    void *sanitizer;          /* asan mode: its fake stack */
    uint64_t path;            /* not in check mode: which rounds of which loops its thread is in */
};

/* What a worker runs now. dev_self points to it inside kernels and is NULL in host code. */
struct dev_worker {
    const struct dev_launch *launch;
    struct dev_fiber *current;     /* what runs: device/runtime/switch.h */
    struct dev_index thread_index; /* threadIdx; together with `thread` 16 bytes */
    unsigned thread;               /* linear within its block */
    struct dev_index block_index;  /* blockIdx */
    unsigned epoch;                /* block barriers that the threads have passed */
    uint64_t block;                /* linear: x fastest */
    char *shared;                  /* this worker's shared arena, red zones included */
    size_t shared_bytes;
    struct dev_index next_index; /* of the thread that begins next; 16 bytes with `started` */
    unsigned started;            /* so many threads of the block have begun */
    unsigned ended;              /* and so many have ended */
    unsigned threads;            /* of so many */
    unsigned meets;              /* the scheduler of warps is at work */
    struct dev_fiber home;       /* the scheduler, on the OS thread's own stack */
    unsigned looker, looks, lookers, found; /* a thread, its looks, changes of it, ended looks */
};

/* initial-exec: one instruction to read. */
extern __thread struct dev_worker *dev_self __attribute__((tls_model("initial-exec")));
/* Whether a kernel's code runs, in which dev_self may be hidden (kernel.h). */
extern __thread bool dev_in_kernel __attribute__((tls_model("initial-exec")));

enum dev_kind {
    DEV_GLOBAL = 1, /* cudaMalloc and friends: inside the arena [dev_arena, dev_arena_end) */
    DEV_SYMBOL,     /* __device__ variables */
    DEV_CONSTANT,   /* __constant__ variables */
    DEV_SHARED,     /* __shared__ arrays of the block that runs; dynamic ones too */
    DEV_MANAGED,    /* cudaMallocManaged, cudaMallocHost: the host may use them */
    DEV_PINNED,     /* cudaMallocHost, to those who allocate: a region of it is DEV_MANAGED */
};

/* Why a lane that a shuffle reads is not there. */
enum dev_absent { DEV_ABSENT_UNNAMED, DEV_ABSENT_LEFT, DEV_ABSENT_NONE, DEV_ABSENT_ELSEWHERE };

/* A piece of memory that a kernel may use. */
struct dev_region {
    enum dev_kind kind;
    const char *name; /* of the variable; for allocations NULL: named by file and line */
    const char *file; /* of the declaration or the allocating call */
    int line;
    char *base;
    size_t bytes;
    unsigned element;   /* bytes of the variable's innermost element; 0: unknown */
    unsigned extent[3]; /* of an array variable, outermost first, ended by 0: tile[17][33] */
};

/* Where DEV_GLOBAL and DEV_MANAGED regions lie; set before the first of them is added. */
extern char *dev_arena, *dev_arena_end;
/* Bytes from p to the end of its allocation; SIZE_MAX where p is in none. */
size_t dev_bytes_behind(const void *p);
/* HPC_DEVICE_KEY of the environment, or NULL: reports are text for people. */
extern const char *check_report_key;

/* Offset of the dynamic part in a worker's shared arena, and the most there may be of it. */
#define DEV_DYNAMIC_AT   1024
#define DEV_MOST_DYNAMIC 232448
#define DEV_DYNAMIC_NAME "the dynamic shared memory" /* its region's */
/* Bytes, at least, before and behind each region but symbols. */
#define DEV_RED_ZONE 256
/* Of `bytes` bytes in check mode: as wide as the region, so that twice a subscript still ends in
 * its own red zone and in no neighbour. */
static inline size_t dev_red_zone(size_t bytes)
{
    const size_t least = 4096, most = (size_t)16 << 20;
    const size_t whole = (bytes + DEV_RED_ZONE - 1) / DEV_RED_ZONE * DEV_RED_ZONE;
    return whole < least ? least : whole > most ? most : whole;
}

/* ---- check mode: what the runtime tells the checker (device/check) ------------------------
 * Code of the runtime, and the thunk by which a launch calls the kernel with its arguments, is not
 * instrumented; what a kernel itself touches has to be device memory or its own stack. Regions of
 * DEV_SHARED are added once per launch or per block, as suits; check_block_begin makes their
 * contents undefined. In schedules other than the first, check_count_traffic(0) comes first. */
void check_launch_begin(const struct dev_launch *launch);
void check_launch_end(const struct dev_launch *launch);
void check_block_begin(struct dev_worker *worker);
void check_block_end(struct dev_worker *worker);
/* Thread `thread` of the block is about to run, or to go on after a barrier. */
void check_thread(unsigned thread);
/* All threads of the block have passed a barrier; epochs are already counted. */
void check_barrier_passed(struct dev_worker *worker, struct dev_site site);
/* Lanes (of_warp) or threads wait at `at`; thread `other` ended (left NULL) or waits elsewhere. */
void check_divergent(struct dev_worker *worker, struct dev_site at, unsigned waiting,
                     const struct dev_site *left, unsigned other, bool of_warp);
/* Meetings of a warp that CUDA does not define. The running lane's mask does not name it; two lanes
 * that meet give different masks; thread `thread`, which the mask names, ended without coming; and
 * a shuffle reads lane `source`, which is not there. */
void check_lane_unnamed(struct dev_worker *worker, struct dev_site at, unsigned mask);
void check_masks_differ(struct dev_worker *worker, struct dev_site at, const unsigned thread[2],
                        const unsigned mask[2]);
void check_lane_missing(struct dev_worker *worker, struct dev_site at, unsigned mask,
                        unsigned thread);
void check_shuffle_undefined(struct dev_worker *worker, struct dev_site at, unsigned thread,
                             unsigned source, enum dev_absent why);
/* The lanes of `mask` in the running thread's warp have met (shuffle, vote, __syncwarp). */
void check_warp_met(struct dev_worker *worker, unsigned mask);
/* An atomic read-modify-write, called from `from`; in `bytes` DEV_BLIND, DEV_SCOPED. */
enum { DEV_BLIND = 0x100, DEV_SCOPED = 0x200 }; /* whatever was there; of block scope */
void check_atomic(const void *p, size_t bytes, const void *from);
void check_fence(struct dev_worker *worker);
void check_count_traffic(int on);
/* Which rounds of which loops the running thread is in, 0 in none: lanes with the same number are
 * at the same point of the loops around them. On the host it is kept, and means nothing. */
uint64_t check_path(void) __attribute__((nothrow));
void check_set_path(uint64_t path) __attribute__((nothrow));
/* A launch that failed, and a call whose result the program drops: a report at the program's end
 * where nobody has asked for the last error by then. `of_kernel`: the error is that of a kernel
 * which ended early. */
void check_launch_failed(const struct dev_launch *launch, const char *error);
void check_call_failed(const char *call, const char *error, bool of_kernel, struct dev_site site);
void check_errors_asked(void);
void check_divided(const void *from);            /* an integer by zero, by the running thread */
void check_faulted(bool full, const void *from); /* it has no such memory; full: below its stack */
/* A signal is about to end the process: what was found is printed. */
void check_dies(void);

void check_region_added(const struct dev_region *region); /* contents undefined */
void check_region_removed(const struct dev_region *region);
/* The host or the runtime wrote these bytes (cudaMemcpy, cudaMemset, a symbol's initialiser). */
void check_written(const void *p, size_t bytes);
void check_runs_variant(void); /* in a runner */
/* A __constant__ variable before anything was copied to it. */
void check_constant_empty(const char *base, size_t bytes);
/* cudaMemcpy between device addresses: what was undefined stays so. */
void check_copied(void *to, const void *from, size_t bytes);
void check_copied_out(const char *call, const void *from, size_t bytes, struct dev_site site);
/* ---- check mode: the host, events, streams (0: the legacy default one; 1: PerThread) ---- */

/* Memory that a copy or fill touches: `height` rows of `width` bytes, `pitch` apart. */
struct dev_rows {
    const char *p;
    size_t pitch, width, height;
    bool write;
};
/* A copy, a fill, or an allocation in a stream's order; rows of no width are left out. */
struct dev_copy {
    const char *call;
    struct dev_site site;
    unsigned stream;
    bool waited; /* the host goes on when it is done */
    struct dev_rows rows[2];
};
/* The number of a new stream; blocking: it is in order with the legacy default stream. */
unsigned check_stream_made(bool blocking);
void check_stream_destroyed(unsigned stream);
/* The host knows that all work of the stream, or of the device, is done. */
void check_stream_waited(unsigned stream);
void check_device_waited(void);
/* cudaEventRecord, called from `from`: *event, NULL at first, is the checker's. A stream waits for
 * an event, and the host does; NULL: it was never recorded. */
void check_event_recorded(void **event, unsigned stream, const void *from);
void check_event_awaited(const void *event, unsigned stream);
void check_event_waited(const void *event);
void check_event_timed(const void *event, const void *from); /* the same, by its time */
void check_event_forgotten(void *event);
void check_callback(unsigned stream, bool on); /* a host's function begins (on) there, or ends */
void check_stream_copy(const struct dev_copy *copy);
void check_moved(const struct dev_copy *copy); /* a copy within the device, or a fill: traffic */
/* cudaFreeAsync, called from `from`. */
void check_stream_free(void *p, size_t bytes, unsigned stream, const void *from);
/* The place of a call that returns to `from`; its file's name stays. */
struct dev_site check_site_of(const void *from);
/* run() called a library whose handle works on the legacy default stream. */
void check_legacy_stream(const char *call, const void *from);
/* A call of the runtime was given a pointer of the wrong kind: one report. */
void check_bad_pointer(const char *call, const void *p, const char *expected, struct dev_site site);
/* The same, of a call without a place: `from` is its return address. */
void check_bad_free(const char *call, const void *p, const char *expected, const void *from);
/* A call of the runtime was given the address on the host of variable `name` of the device. */
void check_symbol_address(const char *call, const char *name, struct dev_site site);
/* cudaHostRegister or its opposite: kernels may use that memory, or not what begins in it. */
void check_host_registered(const void *p, size_t bytes, bool on);
/* A call was to touch more bytes from p on than its allocation or variable has; it did nothing. */
void check_overrun(const char *call, const void *p, size_t bytes, struct dev_site site);
void check_within(const char *call, const void *p, size_t element, size_t at, struct dev_site);
/* The same of memory of the host, of which `most` bytes can be read. A library's factors. */
void check_past_host(const char *call, const void *p, size_t bytes, size_t most, struct dev_site);
void check_factor(const char *call, const void *alpha, const void *beta, const void *from);
void check_veil(int on);
/* Host code was stopped at the device's memory, at `from`. */
void check_wall_met(const void *p, bool writes, const void *from);
/* run() of a variant begins or ends; its host takes from the device or gives to it, arguments too;
 * calls what waits, allocates, or copies to the host or into the runner's arrays (`to_device`). */
void check_in_run(int on);
void check_copied_by_host(bool to_device, struct dev_site site);
void check_launched_in_run(size_t bytes, struct dev_site site);
void check_waited_in_run(const char *call, const void *from);
void check_allocated_in_run(const char *call, struct dev_site site);
void check_made_in_run(const char *call, const void *from);
void check_copied_in_run(const char *call, bool to_device, struct dev_site site);
void check_copied_at_once(const char *call, struct dev_site site); /* in no stream */
/* At the end of the program: leaks; in traffic mode its lines. How many reports there were. */
int check_finish(void);
/* ---- calls of cuBLAS and cuDNN ------------------------------------------------------------- */
/* Its name, its handle's stream, the return address, where its numbers lie. */
struct dev_library_call {
    const char *name;
    const void *stream, *from;
    bool numbers_on_device;
};
/* Memory that it uses: of the device or of the host, and what the caller knows it by. */
struct dev_argument {
    const char *name;
    struct dev_rows rows;
    bool host, gaps; /* gaps: what lies between its elements is not its own */
};
/* Reports what it reads and nobody wrote. */
void check_library_reads(const struct dev_library_call *call, const struct dev_argument *a);
/* Whether a GPU could do it: else one line on stderr that says why, and a report in check mode. In
 * check mode dev_library_takes gives the call its place in the order of streams. */
bool dev_library_takes(const struct dev_library_call *call, const struct dev_argument *all, int n);
bool dev_library_fits(const struct dev_library_call *call, const struct dev_argument *all, int n);
/* A call made what another has to destroy, or did so (device/report/objects.c). */
void dev_object_made(const void *p, const char *call, const void *from);
void dev_object_gone(const void *p);
void dev_handle_made(const void *p, const char *call, const void *from); /* takes memory, waits */
void check_object_made(const void *p, const char *call, const void *from);
void check_object_gone(const void *p);
void check_objects_left(void);

/* ---- the end of a program or a runner ------------------------------------------------------ */
enum { DEV_EXIT_REPORTS = 99, DEV_EXIT_REFUSED = 98 }; /* there were reports; not supported */
/* Synchronises; in check mode reports leaks, in traffic mode traffic. Returns how many reports
 * there were. Called once: by the runner before it ends, by atexit in whole programs. */
int dev_finish(void);
/* A runner calls its variant's run() now (1), or all that it started has ended (0). */
void dev_in_run(int on);
/* From here on (1) host code can't reach the device's memory, in check mode and while none is of
 * both sides, until 0; after a report of it, until the next lift. */
void dev_wall(int on);
/* From the next launch on (1) kernels see, in check mode, what memory holds only where the compiler
 * tells the checker of the access (device/check/veil.c), until 0. */
void dev_veil(int on);
/* What the runtime and the libraries do in between: within `lift` and `drop`. */
void dev_wall_lift(void);
void dev_wall_drop(void);

#ifdef __cplusplus
}
#endif
#endif
