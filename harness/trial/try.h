/* Calls of one runner with one problem, right or not: of a case of a lab, of `hpclab run`. */
#ifndef HPC_HARNESS_TRIAL_TRY_H
#define HPC_HARNESS_TRIAL_TRY_H

#include "harness/build/build.h"
#include "harness/exchange/exchange.h"
#include "harness/lab/case.h"
#include "harness/lab/traffic.h"

struct case_try {
    const struct lab_case *c;
    const struct build_result *built;
    uint64_t seed;
    int threads;
    struct jail_limits limits;
    uint64_t first;     /* the first call's number */
    int calls, checked; /* so many, of which the first `checked` are compared in every element */
    bool unchecked;     /* not even that the outputs are finite */
    bool as_timed;      /* its case is timed elsewhere: nothing shows that it is not here */
    bool carried;       /* of ranks: count what they send, `sent` */
    bool keep_output;   /* else `output` stays NULL */
    bool by_line;       /* the checker tells requests by line, too */
    bool progress, tabulate;
    bool picture;     /* `table` is look_picture()'s */
    bool plain;       /* no hint is asked for */
    const char *dump; /* NULL, or where the first call's arrays go: harness/trial/look.h */
    bool fill;        /* though times are taken: see struct exchange_spec; else where none are */
    uint32_t zeros;   /* of it */
    bool reopen;      /* struct exchange_spec's */
    bool linger;      /* see struct exchange_spec */
    bool part;        /* ask the operation which part of the method a wrong output comes from */

    struct ready_case ready; /* by try_ready */
    struct outcome outcome;  /* and why, when it is not right */
    bool wrong;              /* an output was, by `mismatch`, in the call number `call` */
    bool admitted;           /* false: draws were too sensitive to tell right from wrong */
    uint64_t call;
    struct hpc_mismatch mismatch;
    char part_text[300];                /* what the operation said, or empty */
    uint64_t allocations, allocated_at; /* of the last call; see struct exchange_call */
    double sent, share;                 /* the most of a call; negative: not known */
    int ended;                          /* threads, of all calls, with `linger` */
    uint32_t filled;                    /* allocations by the end, where they are filled */
    uint64_t filled_at;
    uint64_t any_source; /* where a rank took a message from any rank, or 0 */
    int n;               /* calls made; those that were drawn again do not count */
    double *seconds;     /* NULL, or the caller's: of each call */
    double elements;     /* of all outputs */
    struct traffic_least least;
    char key[24]; /* of the device's reports, with a checker's runner */
    char *table;  /* look_table() of the wrong call, with `tabulate` or `picture`; the caller
                     frees it */
    char *output; /* all that the runner printed; the caller frees it */
};

/* Set what a runner of this build needs besides its path and limits: under a sanitizer it also gets
 * more time. *result must outlive *spec's use. */
void build_runner_needs(const struct build_result *result, struct exchange_spec *spec);

/* Draw the problem, from c, seed and threads. */
bool try_ready(struct case_try *t, struct hpc_error *err);
/* The calls, after try_ready. True when all were right and, under a sanitizer, safe. A draw that is
 * not admitted is drawn again, HPC_REDRAWS times at most. */
bool try_calls(struct case_try *t);
/* One call, `first`, under a tool (exchange_under), after try_ready; true when it was right. */
bool try_under(struct case_try *t, const char *const *tool);
/* The same under gdb, which stops where run() begins. */
bool try_debugger(struct case_try *t);
/* Both, as a lab's rules have it: every element of calls 1, 2, .. `calls`, of draws that tell. */
bool try_case(struct case_try *t);

#endif
