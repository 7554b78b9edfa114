/* Kernels whose threads wait only at barriers and for their warps, where all of them come, in run
 * mode; in check mode those at barriers, and at shuffles of their own values (values.h), that tell
 * the checker as much as on fibers do: between two such places the threads are a loop, which the
 * compiler may vectorise, and no thread needs a stack of its own.
 *
 *   __shared__ float s[N];              of the block, as it is
 *   int t = threadIdx.x; float v = x[t];    each([&](threadIdx, hpc_t) { const int t = threadIdx.x;
 *   s[t] = v;                                   auto &v = hpc_of_1[hpc_t].v; v = x[t]; s[t] = v;
 * });
 *   __syncthreads();
 *   for (int d = N / 2; d > 0; d /= 2) {    for (int d = N / 2; d > 0; d /= 2) {
 *       if (t < d) s[t] += s[t + d];            each([&](..) { const int t = ..; if (t < d) .. });
 *       __syncthreads();
 *   }                                       }
 *   v += __shfl_xor_sync(m, v, 1);          hpc_dev::warp_values hpc_w_2;
 *                                           each([&](..) { .. hpc_w_2.put(hpc_t, v); });
 *                                           each([&](..) { .. v += hpc_dev::warp_lane{hpc_w_2, ..}
 *                                               .__shfl_xor_sync(m, hpc_dev::like<..>(), 1); });
 *
 *   if (w == 0)                         hpc_dev::threads_marked hpc_in_9;
 *                                       each([&](..) { .. hpc_in_9.of[hpc_t] = w == 0; });
 *       v += __shfl_xor_sync(m, v, 1);  each([&](..) { if (!hpc_in_9.of[hpc_t]) return; .. });
 *
 * phases.c reads a kernel's statements as items, names.c its variables, ways.c says which of them
 * are the same for all threads, and kernel.c writes. A thread that returns before the last barrier
 * is left out behind (hpc_left). What does not fit keeps its threads on fibers: where a barrier,
 * break or continue stands in a loop or a branch whose condition is not plainly the same for all
 * threads, where a thread may return and others' lanes meet, where anything else waits but shuffles
 * and votes of the same kind and the block's own group, or where a variable has a type that is not
 * known to be simple. */
#ifndef HPC_DEVICE_REWRITE_PHASED_H
#define HPC_DEVICE_REWRITE_PHASED_H

#include <string.h>

#include "device/rewrite/rewrite.h"

enum { MOST_ITEMS = 300, MOST_VARIABLES = 100, MOST_NAMES_OF_BLOCK = 60, MOST_CALLS = 60 };

enum item_kind {
    ITEM_BARRIER,
    ITEM_BLOCK,    /* once a block: a shared variable, a type, a constant */
    ITEM_EACH,     /* each thread */
    ITEM_DECLARES, /* variables: of the block or of each thread, as their values are */
    ITEM_ASSIGNS,  /* to one variable, in the same way */
    ITEM_HEAD,     /* of a loop or a branch around a barrier */
    ITEM_EDGE,     /* a brace of such a one; break, continue */
    ITEM_MASK, /* a branch's head that each thread answers by itself: some lanes meet behind it */
};

struct item {
    enum item_kind kind;
    size_t first, last;
    bool whole;                /* ITEM_DECLARES, ITEM_ASSIGNS: once a block */
    int region;                /* of threads; 0: none */
    int variable, n_variables; /* ITEM_DECLARES and loops: the first, and how many */
    size_t target;             /* ITEM_ASSIGNS: the name */
    int call, n_calls;         /* of its warp's: the first, and how many */
    size_t end;                /* ITEM_HEAD that may be an ITEM_MASK: of its body; 0: it may not */
    int mask;                  /* 1 + the ITEM_MASK that it is behind; 0: none */
    bool alone;                /* the body of a loop or branch, without braces */
    size_t bound, bound_end;   /* ITEM_EACH: done by threads with threadIdx.x below this, if any; of
                                  no tokens: by the first */
    const struct variable *as; /* that has threadIdx.x there; NULL: none */
};

/* A shuffle or vote, NAME(mask, [value, value_end) ..). */
struct warp_call {
    size_t name, value, value_end;
    int serial;
    bool votes;
};

enum way {
    WAY_BLOCK, /* one for all threads */
    WAY_AGAIN, /* made anew in each region, of what never changes */
    WAY_EACH,  /* one a thread, in an array */
    WAY_LOCAL, /* used in its region only: as it stands */
};

/* A declarator [from, to) behind specifiers [start, specifiers), = [value, value_end). */
struct variable {
    size_t start, specifiers, from, to, name, value, value_end, scope_end;
    int item, serial;
    enum way way;
};

struct phases {
    struct rewriter *r;
    const struct kernel *k;
    struct item items[MOST_ITEMS];
    int n_items, n_regions;
    struct variable variables[MOST_VARIABLES];
    int n_variables;
    struct warp_call calls[MOST_CALLS];
    int n_calls;
    size_t parameters[MOST_NAMES_OF_BLOCK], shared[MOST_NAMES_OF_BLOCK];
    int n_parameters, n_shared;
    size_t group;     /* the name of the block as a group, which does nothing but wait; 0: none */
    size_t leaves;    /* regions behind this token leave out threads that have returned; 0: none */
    int last_leaving; /* the last item where one returns that others wait behind */
};

static inline bool same_name(const struct tokens *t, size_t a, size_t b)
{
    return t->at[a].kind == TOKEN_WORD && t->at[b].kind == TOKEN_WORD &&
           t->at[a].length == t->at[b].length &&
           memcmp(t->at[a].text, t->at[b].text, (size_t)t->at[a].length) == 0;
}

/* The item that token i is of; -1: of none. */
static inline int item_of(const struct phases *p, size_t i)
{
    for (int k = 0; k < p->n_items; k++)
        if (i >= p->items[k].first && i <= p->items[k].last)
            return k;
    return -1;
}

/* names.c: the declarators of the statement [first, last], or of a loop's head; false where they
 * can't be read. */
bool read_variables(struct phases *p, size_t first, size_t last, size_t scope_end);
bool is_used(const struct phases *p, const struct variable *v, size_t from, size_t to);
bool read_parameters(struct phases *p);
bool is_declaration(const struct tokens *t, size_t first, size_t last);
/* rounds.c: whether the word stands there; whether a break or continue between leaves a loop that
 * stands outside, or anything a label. */
bool has_word(const struct tokens *t, size_t first, size_t last, const char *word);
bool jumps_out(const struct tokens *t, size_t first, size_t last);
/* Whether a warp's shuffle or vote stands there; those of a statement, false where a thread may do
 * it without one, or can't be read. */
bool has_warp_call(const struct tokens *t, size_t first, size_t last);
bool read_warp_calls(struct phases *p, struct item *one);
/* Whether what there is of groups is the block's own, and for nothing but waiting. */
bool groups_wait(const struct phases *p);
/* Whether all that returns there is the thread itself, and no lane of a warp waits for it. */
bool may_leave(const struct phases *p, const struct item *one);
/* Regions of which few threads do anything, when the variables' ways are settled. */
void find_bounds(struct phases *p);
/* The variable that the name at i is; NULL: none. And whether the tokens between have one value for
 * all threads; `again`: or one that a thread can make at any time. */
const struct variable *variable_of(const struct phases *p, size_t i);
bool is_steady(const struct phases *p, size_t from, size_t to, bool again);
/* ways.c: which items are once a block, which variables are what; false where it can't be. */
bool settle_ways(struct phases *p);

/* sides.c: whether the function called at i takes its arguments by value: CUDA's own, and those of
 * the file without a reference. */
bool takes_values(const struct rewriter *r, size_t i);

/* rounds.c: whether the kernel tells the checker as much as on fibers. */
bool is_watchable(const struct phases *p);

/* kernel.c: the edits. */
void write_phases(struct phases *p);

#endif
