/* What a variant is, and what passes between the trusted parent and a runner.
 *
 * A variant's object exports ONE symbol, `const struct hpc_variant hpc_variant`; all others are
 * made local before it is linked with the runner. The runner gets two shared memories and nothing
 * else: the inputs (it can only read them), and the control page with the outputs behind it. (An
 * MPI program's ranks have a page each, and are told and waited for one by one.)
 *
 *   parent                                   runner
 *   poisons outputs, writes inputs
 *   (device: start = in)                  -> copies inputs and the poison to the device
 *   reads its clock; start = run; wake    -> calls run(state, in, out) (device: synchronises)
 *   reads its clock                       <- done = the same; wake
 *   (device: start = out)                 -> copies outputs and what lies around them back
 *   copies the outputs
 *
 * A step is a number that counts up and what to do (enum hpc_step); `done` repeats it.
 *
 * Nothing that the runner writes is trusted: sizes and offsets live in the parent. `done` and the
 * outputs are all that a call is judged by; `status`, `code` and `starved` choose the words of a
 * failure, and none of them makes it the machine's; `allocations` and `allocated_at` those of a
 * remark. */
#ifndef HPC_COMMON_ABI_H
#define HPC_COMMON_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HPC_ABI         2
#define HPC_MAX_ARRAYS  16
#define HPC_MAX_PROBLEM 1024 /* bytes of an operation's problem struct */

enum hpc_type { HPC_F32 = 1, HPC_F64 = 2, HPC_I32 = 3, HPC_F16 = 4 };

/* SIMD levels, in rising order within an architecture. The parent decides, open() obeys. */
enum hpc_simd {
    HPC_SIMD_NONE = 0,
    HPC_SIMD_AVX2 = 1,   /* AVX2 and FMA */
    HPC_SIMD_AVX512 = 2, /* F, DQ, BW, VL */
    HPC_SIMD_AMX = 3,    /* AVX-512 and AMX tiles in bf16 */
    HPC_SIMD_NEON = 10,
};

/* What the machine offers a variant, and those inputs that are the same in every call of a process
 * (a convolution's mask): fixed[k] is where in[k] lies in the host's memory, readable from open()
 * to close(), and NULL for all others. So open() may put weights into constant memory or reorder
 * them; run() gets in[k] for them all the same. `fixed` itself may be NULL where an operation has
 * no such input. */
struct hpc_env {
    int threads; /* how many threads the variant may use, >= 1; says nothing to a .cu */
    int simd;    /* enum hpc_simd */
    const void *const *fixed;
};

/* One implementation of an operation.
 *
 * open: allocates all that run() needs and starts its threads; `problem` is the operation's
 *   problem struct (mlp/mlp.h for "mlp_sgd") and lives until close(). Returns 0 and sets *state,
 *   or another number when the problem is not one that the variant supports.
 * run: computes the outputs from the inputs; the operation's header says what in[k] and out[k]
 *   are. Allocates nothing, keeps nothing between calls, leaves nothing running. Inputs are
 *   read-only, outputs do not overlap them. Returns 0.
 * close: frees all, ends threads. A process may then call open() again: what static variables hold
 *   must not be in its way.
 *
 * A variant whose file ends in .cu gets DEVICE pointers in in[] and out[], of fixed arrays too
 * (env->fixed stays on the host), and run() may return before the device is done: the caller
 * synchronises the whole device. It is compiled with -default-stream per-thread and launches with
 * plain <<<grid, block>>>; libraries get cudaStreamPerThread. run() may do nothing that breaks the
 * capture of that stream into a graph: no synchronising, no cudaMalloc, no copy on another stream;
 * cudaGetLastError and the ..Async calls are fine. */
struct hpc_variant {
    uint32_t abi;     /* HPC_ABI */
    const char *op;   /* "mlp_sgd" */
    const char *name; /* "flat" */
    int (*open)(const struct hpc_env *env, const void *problem, void **state);
    int (*run)(void *state, const void *const in[], void *const out[]);
    void (*close)(void *state);
};

extern const struct hpc_variant hpc_variant;

/* ------------------------------------------------------------------------------------------
 * The rest is between the runner's own code and the parent; a variant has no use for it. */

#define HPC_PAGE 4096

/* Where one array lies: `offset` bytes (a multiple of HPC_PAGE) into its shared memory, `span`
 * bytes long (a multiple of HPC_PAGE); the array's `bytes` start at offset + lead. The host's
 * variants get them where they lie: they end at most 63 bytes before the span's end, so that an
 * overrun meets the guard page that follows it in the runner. For a device the whole span is
 * copied to a buffer of as many bytes and back, a page of guard words before and behind. */
struct hpc_region {
    uint64_t offset, span, bytes;
    uint32_t type; /* enum hpc_type */
    uint32_t lead;
    uint32_t owner; /* 1 + the rank of an MPI program that alone gets it; 0: all do */
    uint32_t unused;
    char name[16]; /* "x", for reports */
};

/* The lead of an array for the host. */
static inline uint64_t hpc_lead(uint64_t bytes, uint64_t span)
{
    return (span - bytes) & ~(uint64_t)63;
}

/* The lowest bits of a step. */
enum hpc_step {
    HPC_STEP_RUN = 0, /* the only one of a host's variant */
    HPC_STEP_IN,      /* copy inputs and poisoned outputs to the device */
    HPC_STEP_OUT,     /* copy the outputs from the device */
    HPC_STEPS = 4
};

enum hpc_status {
    HPC_STATUS_STARTING = 0,
    HPC_STATUS_READY,    /* open() succeeded; waiting for start */
    HPC_STATUS_OPEN,     /* open() refused the problem */
    HPC_STATUS_RUN,      /* run() returned non-zero */
    HPC_STATUS_ABI,      /* wrong abi or operation */
    HPC_STATUS_DEVICE,   /* a call of the device's failed; `code` is its cudaError_t */
    HPC_STATUS_FINISHED, /* closed after `quit` */
};

/* The MPI call that a rank is in: `call` is "MPI_Sendrecv", or empty where it is in none. Ranks and
 * tags below 0: the call has none. `any_source`: the address of a call that takes a message from
 * any rank, whenever it was; 0: none did. */
struct hpc_rank {
    char call[20];
    int32_t to, to_tag, from, from_tag;
    uint64_t any_source;
};
#define HPC_MAX_RANKS HPC_MAX_ARRAYS /* each has an output of its own */

/* First page of the control memory; of an MPI program's one page a rank, which no other rank maps,
 * in their order. The runner writes `done`, `status`, `code`, `starved`, what run() allocates, what
 * was filled and `rank`; the parent sets what run() allocates to 0 before a call. */
struct hpc_control {
    uint32_t abi;
    uint32_t start;        /* futex: the step to do now; HPC_QUIT to close and end */
    uint32_t done;         /* futex: the last step that was done */
    uint32_t status;       /* futex: enum hpc_status */
    int32_t code;          /* what open(), run() or the device returned, when it was not 0 */
    uint32_t starved;      /* an allocation failed: tells a memory limit from a crash */
    int32_t threads, simd; /* of hpc_env */
    uint32_t fixed;        /* bit k: in[k] holds its contents before open() and never changes */
    uint32_t reopen;       /* 1: the problem is opened and closed once before it is opened */
    char op[32];
    uint64_t allocations;  /* how often run() of a host's variant allocated, */
    uint64_t allocated_at; /* where first: an address in the runner's file, behind the call */
    uint32_t fill;      /* what an allocation gives is overwritten with bytes of HPC_FILL first, */
    uint32_t zeros;     /* but the first so many with zeros */
    uint32_t filled;    /* how many were */
    uint64_t filled_at; /* where number `zeros` was asked for, as allocated_at */
    struct hpc_rank rank;
    uint64_t ahead; /* elements of the problem before those that arrays have, on the CPU device */
    uint32_t ahead_in, ahead_out; /* bit k: of in[k], of out[k] */
    uint32_t n_in, n_out;
    struct hpc_region in[HPC_MAX_ARRAYS];  /* in the input memory */
    struct hpc_region out[HPC_MAX_ARRAYS]; /* in this memory, behind the pages */
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16)));
};

#define HPC_QUIT       UINT32_MAX
#define HPC_LAID       "hpclab: array " /* begins the line of one, before a sanitizer's report */
#define HPC_FILL       0x7f /* floats and doubles of it are huge, and no NaN, which 0 * x would be */
#define HPC_FILL_BYTES ((size_t)1 << 20) /* of an allocation at most: the rest stays untouched */

/* The runner is started as `runner INPUT_FD CONTROL_FD`. */

#ifdef __cplusplus
}
#endif
#endif
