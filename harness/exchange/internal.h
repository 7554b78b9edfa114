/* What the files of the exchange share. Users include harness/exchange/exchange.h. */
#ifndef HPC_HARNESS_EXCHANGE_INTERNAL_H
#define HPC_HARNESS_EXCHANGE_INTERNAL_H

#include "common/random.h"
#include "harness/exchange/exchange.h"

/* The two shared memories and the parent's own copies. Sizes and places are the parent's; what
 * stands about them in the control page is for the runner alone. */
struct exchange_memory {
    struct hpc_layout layout;
    struct hpc_region in[HPC_MAX_ARRAYS], out[HPC_MAX_ARRAYS];
    int input_fd, control_fd;
    size_t input_bytes, control_bytes; /* multiples of HPC_PAGE */
    char *input;                       /* all inputs; the runner can only read them */
    struct hpc_control *control;       /* the first control page; behind all the outputs */
    char *in_copy[HPC_MAX_ARRAYS], *out_copy[HPC_MAX_ARRAYS]; /* the parent's own */
    uint32_t fixed;                                           /* bit k: in[k] is fixed */
    struct hpc_random random;                                 /* of orders and noise */
    uint32_t noise;                                           /* what the noise was made from */
};

/* With guard pages around each array, for a device, where `device` is. Where it fails, what was
 * made is still for memory_free. */
bool memory_create(struct exchange_memory *m, const struct hpc_layout *layout, bool device,
                   struct hpc_error *err);
void memory_free(struct exchange_memory *m);
/* How many control pages there are: one a rank, or one. And page k. */
int memory_pages(const struct exchange_memory *m);
struct hpc_control *memory_page(const struct exchange_memory *m, int k);
/* Whether an allocation failed, in any of them. */
bool memory_starved(const struct exchange_memory *m);
/* What run() has allocated, by all of them, into the result. */
void memory_allocations(const struct exchange_memory *m, struct exchange_call *result);
/* Where the runner sees input k; nothing is judged by it. */
const void *memory_shared_input(const struct exchange_memory *m, int k);
/* From the parent's copy to the shared one: the inputs that are fixed, before a runner starts. */
void memory_publish_fixed(struct exchange_memory *m);
/* The same for all other inputs, before a call; outputs and all that lies between arrays
 * are filled with noise that is NaN in every type; all of it is flushed from the caches. */
void memory_publish(struct exchange_memory *m);
/* Copy the outputs to the parent's, in chunks drawn at random. */
void memory_snapshot(struct exchange_memory *m);
/* The name of the first output array that differs from the snapshot, or NULL. */
const char *memory_changed_output(const struct exchange_memory *m);
/* The name of the first array that something was written around, or NULL. */
const char *memory_overrun(const struct exchange_memory *m);
/* The name of the first input that differs from the parent's copy, or NULL. */
const char *memory_changed_input(const struct exchange_memory *m);

/* What the runner was doing, for a verdict's words. */
struct exchange_death {
    const struct jail_end *end;
    const char *output; /* what it printed */
    const char *phase;  /* "open()", "run()", "close()" */
    const char *places; /* of one that hangs: where its threads stand; or NULL */
    const struct jail_limits *limits;
    bool starved;   /* an allocation had failed */
    bool sanitized; /* linked with a sanitizer: its report is in the output */
    bool ranks;     /* of an MPI program */
};
/* The verdict on a runner that ended when it should not have. */
void death_verdict(const struct exchange_death *d, struct outcome *o);
/* The last line of a runner that ended itself, "FILE:LINE: CALL(..): status N" of a library: a
 * crash with the status by name, and why, if the line before it in `output` is the library's of the
 * CPU device. False where it is no such line. */
bool failing_call(const char *output, const char *line, size_t length, const char *phase,
                  struct outcome *o);
/* The verdict on an error of CUDA's, `code` being a cudaError_t, and a line for the student. */
void device_verdict(int code, enum hpc_place device, const char *phase, struct outcome *o);
/* A sanitizer's report in one line: what and where. False when the text holds none. */
bool sanitizer_reason(const char *output, char *reason, size_t reason_size);
/* Without the spaces at its end. */
void report_trim(char *line);
/* "FILE:LINE" of a frame "#N 0x.. in FUNCTION FILE:LINE[:COLUMN]"; false where it is none of a
 * source of the task's. */
bool report_place(const char *p, char *place, size_t size);
/* The rest of a report's line at p, without spaces at its ends. */
void report_line(const char *p, char *line, size_t size);
/* "FILE:LINE" of the first frame behind p, and not behind end, that is in a source of the task's:
 * of a file that is no header, else of any; empty where there is none. */
void report_frame(const char *p, const char *end, char *place, size_t size);
/* ": it writes 4 bytes, 0 behind the end of 24 bytes allocated at F:12: element 6, where the last
 * one is 5" of an access beside a block of memory, ": it writes h's element 7, where the last one
 * is 4" of one beside a local or global array; empty where the report does not tell. */
void beside_block(const char *report, char *text, size_t size);
/* ": it reads x[-3], before the first element, x[0]" of an access beside an input or output that
 * the runner's `output` names; empty where it is none. */
void beside_array(const char *output, const char *report, char *text, size_t size);

struct exchange {
    const char *runner; /* its path, the caller's */
    const struct hpc_op *op;
    uint64_t seed;
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16)));
    struct jail_limits limits; /* as the caller gave them */
    bool sanitized;
    int threads; /* that the variant is given */
    bool alone;  /* the variant has one thread, on the processor */
    bool linger; /* as in struct exchange_spec */
    enum hpc_place device;
    void (*printed)(void *data, const char *text);
    void *printed_data;
    struct exchange_memory memory;
    struct jail *jail;
    char *output;                /* what the runner printed, once it has ended */
    const struct hpc_term *term; /* and the arrays as the header says, where it changes them: */
    char *term_in[HPC_MAX_ARRAYS], *term_out[HPC_MAX_ARRAYS];
    uint32_t calls;     /* so far */
    uint32_t steps;     /* of them all */
    uint32_t moved;     /* how often something of the runner's ran while it was held */
    double begin_all;   /* seconds by exchange_threads_begin: of all threads */
    double begin_first; /* the same of the first */
    void (*look)(struct exchange *x); /* NULL, or at a call under way, after `slice`: profile.c */
    long slice;                       /* nanoseconds; it may set another one */
    struct sampler *sampler;          /* its own */
    bool look_pending; /* the second look at the last call's outputs is still to come */
};

/* Fill *x and make its memories, with the inputs that are fixed. */
bool exchange_prepare(struct exchange *x, const struct exchange_spec *spec, struct hpc_error *err);
/* The parent's copies of the inputs of a call; or, with `fixed`, of those that are the same in all
 * calls. */
void exchange_generate(struct exchange *x, uint64_t call, bool fixed);

/* term.c, of an exchange that has a term: room for what it changes; the parent's copies of the
 * inputs become what the runner is to see, those with a bit in `which`; the arrays of a result as
 * the header says. */
void term_open(struct exchange *x, const struct hpc_term *term);
void term_close(struct exchange *x);
void term_ask(struct exchange *x, uint32_t which);
void term_answer(struct exchange *x, struct exchange_call *result);

/* When something began that a runner has its seconds for; what its threads had waited
 * for processors at the last look, negative before the first; what they have waited since; and what
 * they had used of processors at the first. */
struct deadline {
    double begun, at_last, waited, used;
};
struct deadline deadline_from_now(void);
/* Whether they are over. Look now and then: each look is what the next one compares with. */
bool deadline_over(const struct exchange *x, struct deadline *d);
/* linger.c. Wait a while behind run(); how many of the runner's threads have ended by then. */
int exchange_linger(struct exchange *x);

uint32_t handshake_load(const uint32_t *word);
void handshake_signal(uint32_t *word, uint32_t value);
/* Have every rank, or the one process, begin this step, or end. */
void handshake_start(struct exchange *x, uint32_t step);
/* Whether each one's last word is that it has ended in good order. */
bool handshake_finished(const struct exchange *x);
/* Wait until open() has returned. */
bool handshake_ready(struct exchange *x, struct outcome *o);
/* Have the runner take a step, and wait until it has. */
bool handshake_step(struct exchange *x, enum hpc_step what, struct outcome *o);
/* hang.c. "thread 0 waits at labs/lab4/pthread.c:29; .." of a runner that hangs, which is stopped
 * by that, of run() or else; empty where nothing is known. */
void hang_places(struct exchange *x, bool run, char *text, size_t size);
/* rank_hang.c. The same of a runner that is several ranks of an MPI program: "rank 0 waits in
 * MPI_Recv at ..". */
void hang_ranks(struct exchange *x, char *text, size_t size);
/* End it for a reason that the parent has found itself, and has set; false. */
bool handshake_refuse(struct exchange *x);
/* Wait for its end as jail_wait does, with room for `bytes` of output; of one that does not end,
 * where it stands. */
void handshake_end(struct exchange *x, struct jail_end *end, size_t bytes, char *places,
                   size_t size);

/* What the runner has used so far, and sent over its network, and how long it and this process have
 * waited for processors; and what a call took since, into the result. */
struct spent {
    double cpu, runner_waited, parent_waited;
    double carried, payload;         /* negative: not known */
    uint64_t written[HPC_MAX_RANKS]; /* each rank's */
    int n_written;
};
/* rank_hang.c: the share of what went over the network between two looks that one rank wrote, of
 * the one that wrote most; negative where the kernel does not tell, infinite where a rank does not.
 */
double ranks_share(int ranks, const struct spent *before, const struct spent *now);
struct spent spent_before(struct exchange *x);
void spent_since(struct exchange *x, const struct spent *before, struct exchange_call *result);

/* What the runner finds in its control pages when it starts. */
void control_fill(const struct exchange_spec *spec, struct exchange_memory *m);
/* Fill the control pages and start the runner in its jail. */
bool runner_start(struct exchange *x, const struct exchange_spec *spec, struct hpc_error *err);

#endif
