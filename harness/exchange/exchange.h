/* One runner and its two shared memories: calls with inputs never seen before, the parent's
 * clock, poisoned outputs, a snapshot at the done signal and a second look one call-time later.
 * Nothing here knows what the arrays mean. */
#ifndef HPC_HARNESS_EXCHANGE_EXCHANGE_H
#define HPC_HARNESS_EXCHANGE_EXCHANGE_H

#include <stdint.h>

#include "harness/machine/device.h"
#include "harness/machine/events.h"
#include "harness/jail/jail.h"
#include "common/op.h"
#include "common/outcome.h"

#define EXCHANGE_PLACE     120
#define EXCHANGE_LINES     24
#define EXCHANGE_FUNCTIONS 32
#define EXCHANGE_EDGES     64

/* Where a runner's threads were seen, line by line of the student's file, the most frequent first.
 */
struct exchange_line {
    char place[EXCHANGE_PLACE]; /* "labs/lab1/flat.c:105" */
    int ran, called;            /* samples: in its own code, in what it calls; */
    int waited;                 /* of neither: asleep, or where it yields or pauses to wait */
};
/* A function of the student's, one that the compiler put into another too. */
struct exchange_function {
    char name[48];
    int ran, called, waited; /* samples that stand in it */
    int all;                 /* and in what it calls */
};
struct exchange_edge {
    int caller, callee; /* indices of functions */
    int samples;
};
struct exchange_profile {
    int looks, samples; /* moments; threads at all of them */
    double running;     /* threads that did not sleep, of at most 4, on average */
    int ranks;          /* of an MPI program, of which rank 0 was looked at; else 0 */
    int together;       /* looks at which two of them did not */
    int n;
    struct exchange_line line[EXCHANGE_LINES];
    int packed, scalar; /* operations on floats about the first line's samples, */
    int stores;         /* and stores of floats */
    int n_functions, n_edges;
    struct exchange_function function[EXCHANGE_FUNCTIONS];
    struct exchange_edge edge[EXCHANGE_EDGES];
    struct event_counts events; /* of all its calls */
};

struct exchange_spec {
    const char *runner; /* absolute path of the executable */
    const struct hpc_op *op;
    const void *problem;         /* HPC_MAX_PROBLEM bytes, copied */
    const struct hpc_term *term; /* what the runner gets and gives in another form, or NULL */
    const void
        *shown;     /* NULL, or what the variant is told in place of `problem`: one with `ahead` */
    uint64_t ahead; /* more elements before those that its arrays have (hpc_op.ahead) */
    uint64_t seed;
    struct hpc_env env;
    struct jail_limits limits;          /* wall_seconds: per call and for open() and close() each */
    const char *const *extra_env;       /* NULL, or NULL-terminated "K=V" */
    const char *const *extra_read_only; /* NULL, or NULL-terminated paths */
    enum hpc_place device;              /* where in[] and out[] lie */
    bool sanitized;                     /* linked with a sanitizer: its report is in the output */
    bool untimed;                       /* nobody asks how long its calls take */
    bool carried;                       /* ranks send all over a loopback, where it is counted */
    bool linger;    /* count the threads that end behind run(), for who looks for a mistake */
    bool fill;      /* what allocations give is overwritten first, */
    uint32_t zeros; /* but of the first so many with zeros: common/abi.h */
    bool reopen;    /* open() and close() come once before all that is asked */
    /* NULL, or called once with all that the runner printed, when it has ended, however that was */
    void (*printed)(void *data, const char *text);
    void *printed_data;
};

/* Behind the place of threads that wait, each for what lies on its own stack. */
#define STAND_COPIES ", each for a copy of its own, on its stack"

struct exchange;

/* What one call gave. in[] and out[] are the parent's own copies and stay valid until the next
 * call or exchange_close. */
struct exchange_call {
    double seconds;     /* done - start, by the parent's clock */
    double cpu_seconds; /* of the runner during the call */
    /* that the runner, or this process behind it, was ready meanwhile and others had its processor;
       a variant of one thread on the processor only, else negative: not known */
    double waited_seconds;
    double carried; /* bytes that ranks sent, where they are counted; negative: not known; infinite:
                       by their own doing, as who is asked has ended */
    double share;   /* of it without headers, which one rank wrote, at most; as `carried` */
    uint64_t allocations,
        allocated_at; /* run()'s, by its own word: how many, and where the first */
    int ended; /* with `linger`: threads that were there when run() had returned, and a while later,
                  for which it waits, not */
    const void *in[HPC_MAX_ARRAYS];
    const void *out[HPC_MAX_ARRAYS];
};

/* Create the memories, start the runner in its jail, wait until open() has succeeded. On failure
 * NULL, with why in *o. */
struct exchange *exchange_open(const struct exchange_spec *spec, struct outcome *o);
/* One call under a tool on the user's terminal, gdb or a profiler, whose words (a path first, 32 at
 * most, NULL-ended) come before the runner's: in no jail, with no deadline, for who looks at their
 * own program. What it computed is in *result; NULL, with why in *o, where it did not come to its
 * end. Nothing but exchange_close may follow. */
struct exchange *exchange_under(const struct exchange_spec *spec, uint64_t call,
                                const char *const *tool, struct exchange_call *result,
                                struct outcome *o);
/* One call, number `call` of the seed. False with a verdict and a reason when the runner dies,
 * hangs, returns non-zero, changes its inputs, writes guard words, or changes its output after the
 * done signal (the second look; done here before returning when `second_look`, else at the start
 * of the next call or at close). */
bool exchange_run(struct exchange *x, uint64_t call, bool second_look, struct exchange_call *result,
                  struct outcome *o);
/* Between calls: stop all threads of the runner, and let them go on; false where something of it
 * ran meanwhile. */
void exchange_hold(struct exchange *x);
bool exchange_release(struct exchange *x);
/* Processor seconds since exchange_threads_begin of the whole runner, and of that of its living
 * threads which has used most; both while it is held. */
void exchange_threads_begin(struct exchange *x);
void exchange_threads(const struct exchange *x, double *all, double *most);
/* Calls 1, 2, .. for a few seconds, stopped at random moments to look. False with *o where one
 * failed, or where nothing could be seen; its times and outputs mean nothing. */
bool exchange_profile(struct exchange *x, struct exchange_profile *p, struct outcome *o);
/* How many allocations were filled by now, and where the last of those with zeros was asked for. */
uint32_t exchange_filled(const struct exchange *x, uint64_t *at);
/* Where a rank took a message from any rank by now, MPI_ANY_SOURCE; 0: none did. */
uint64_t exchange_any_source(const struct exchange *x);
/* Where n addresses in a runner's file stand in its source, "labs/lab1/flat.c:105", or empty. */
void exchange_places(const char *runner, const uint64_t *address, char (*place)[EXCHANGE_PLACE],
                     int n);
/* Tell the runner to close() and end; kill it if it does not. False with a verdict when close()
 * crashes, leaks (under a sanitizer) or hangs. `output` gets what the runner printed. */
bool exchange_close(struct exchange *x, struct outcome *o, char *output, size_t output_size);

#endif
