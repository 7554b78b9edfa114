/* The CPU device's traffic model as the grader uses it: counters of a run in check mode, quantities
 * derived from them, and a task's bounds on these ("global_load_sectors_per_output <= 0.16"). */
#ifndef HPC_HARNESS_LAB_TRAFFIC_H
#define HPC_HARNESS_LAB_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>

#define TRAFFIC_MAX_KERNELS 12
#define TRAFFIC_MAX_BOUNDS  8

/* In the order of traffic_names, which the model's lines and manifests use. */
enum traffic_counter {
    TRAFFIC_LAUNCHES,
    TRAFFIC_THREADS,
    TRAFFIC_GLOBAL_LOAD_REQUESTS,
    TRAFFIC_GLOBAL_LOAD_SECTORS,
    TRAFFIC_GLOBAL_STORE_REQUESTS,
    TRAFFIC_GLOBAL_STORE_SECTORS,
    TRAFFIC_SHARED_LOAD_REQUESTS,
    TRAFFIC_SHARED_LOAD_CONFLICTS,
    TRAFFIC_SHARED_STORE_REQUESTS,
    TRAFFIC_SHARED_STORE_CONFLICTS,
    TRAFFIC_CONSTANT_REQUESTS,
    TRAFFIC_ATOMICS, /* on global memory */
    TRAFFIC_ATOMIC_SECTORS,
    TRAFFIC_SHARED_ATOMICS,
    TRAFFIC_SHARED_ATOMIC_CONFLICTS,
    TRAFFIC_COUNTERS
};
extern const char *const traffic_names[TRAFFIC_COUNTERS];

/* Sums over all launches of one kernel. */
struct traffic_kernel {
    char name[80];
    double counter[TRAFFIC_COUNTERS];
    /* At counters of sectors and conflicts: of the requests that cost far more than they need. */
    struct {
        double requests, units;
    } scattered[TRAFFIC_COUNTERS];
};

/* All kernels of a run. */
struct traffic {
    int n;
    struct traffic_kernel kernel[TRAFFIC_MAX_KERNELS];
};

/* Of a kind of access, the line of a kernel that costs most: in all, or each time. */
struct traffic_place {
    char kernel[80], at[200]; /* "labs/lab5/constant.cu:15"; empty where none is known */
    char variable[80];        /* of the dearest access, or empty */
    double requests, units;   /* in all, of the line; units: sectors, or conflicts */
    double lanes;             /* threads that took part in these requests */
};

enum traffic_per {
    TRAFFIC_ALL,         /* the counter itself, summed over kernels */
    TRAFFIC_PER_OUTPUT,  /* over the elements of all outputs */
    TRAFFIC_PER_REQUEST, /* over the requests of the same kind: sectors and conflicts alone */
};

struct traffic_bound {
    char quantity[60]; /* "global_load_sectors_per_output" */
    enum traffic_counter counter;
    enum traffic_per per;
    bool at_least; /* >=, else <= */
    bool method;   /* missed, it is not the method that the task asks for */
    double bound;
};

/* "QUANTITY <= NUMBER; method QUANTITY >= NUMBER": how many, or -1 with what was expected in `why`.
 */
int traffic_bounds_parse(const char *text, struct traffic_bound *bounds, int max, char *why,
                         int why_size);
/* The quantity of a bound. outputs > 0. What is to be at most so much, in all or an output, is
 * summed over kernels and over copies within the device, all else over kernels. Sectors and
 * conflicts per request: the mean of all requests of the kind, or that of the scattered ones where
 * these cost more than half a sector or pass an output, which requests beside them do not change.
 */
double traffic_quantity(const struct traffic *traffic, const struct traffic_bound *bound,
                        double outputs);
/* Whether it bounds what a request costs, and no request of the kind was made. */
bool traffic_idle(const struct traffic *traffic, const struct traffic_bound *bound);

/* Bytes that no solution gets by without: inputs are loaded once, outputs stored once. Worked out
 * from the problem, for what is counted is counted in the student's process. */
struct traffic_least {
    double loaded, stored;
};
/* Whether kernels moved as much; else false, with a line in `why`. */
bool traffic_whole(const struct traffic *traffic, const struct traffic_least *least, char *why,
                   size_t why_size);
bool traffic_met(const struct traffic_bound *bound, double measured);

#endif
