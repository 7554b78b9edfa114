/* A search for the smallest case that fails: what its two files share. */
#ifndef HPC_HARNESS_TRIAL_SIMPLER_H
#define HPC_HARNESS_TRIAL_SIMPLER_H

#include "harness/trial/simplified.h"
#include "harness/trial/trial.h"

struct search {
    struct trial *t;
    const struct build_result *built;
    struct lab_case now;     /* the simplest that fails as yet */
    struct hpc_params first; /* of the one that failed, whole */
    uint64_t seed;
    int threads, calls;
    uint32_t zeros;       /* allocations of a try that hold zeros: struct exchange_spec */
    bool threads_part;    /* one thread is right */
    enum verdict verdict; /* of the failure */
    double until;
    struct simplified *s;
};

/* A failure of another kind than the first tells nothing. */
enum found { FOUND_RIGHT, FOUND_WRONG, FOUND_NOTHING };

/* seen.c. One try of `c`, with one->part; *one is what came of it. */
enum found search_try(struct search *q, const struct lab_case *c, struct case_try *one);
/* Begin with c, ranges drawn and `threads` a number, so that keys have one value each. */
bool search_settle(struct search *q, const struct lab_case *c);
/* Whether threads end by themselves behind run() of the case, each time, so that it did not wait
 * for them: says so in s->calls. */
void search_early(struct search *q);
/* Give the simplest case a value. */
void search_keep(struct search *q, const char *key, const char *value);
/* Every number down to the largest that its list has, at once, if that still fails: what comes then
 * takes less time. */
void search_shrink(struct search *q);
/* All that the operation knows to make the case simpler, with its facts. */
void search_simpler(struct search *q);

/* A key's value, "" where there is none. */
const char *search_value(const struct hpc_params *params, const char *key);
/* Whether the inputs of a case's `call` make the first call wrong, too: then s->calls says so, and
 * nothing is kept. */
bool search_wrong_first(struct search *q, const struct lab_case *c, int threads, uint64_t call);
/* The case of which it is said that key = value is right, as the simplest one is: the one that
 * failed first, where `first` in place of value makes that right too; else the simplest, with all
 * that it has otherwise in `text`. NULL where the second call is wrong, which is said. */
#define SEARCH_WHERE 180
const struct hpc_params *search_seen(struct search *q, const char *key, const char *value,
                                     const char *first, char *text, size_t size);

/* lists.c. "7,13,3" with every number a multiple of m: the least that is not below it, and keeps
 * what is equal equal and what is larger larger, as "8,16,4": to an operation a layer that is wider
 * than the next is more than a size. False where nothing changes. */
bool list_round_up(const char *list, long m, char *text, size_t size);
/* Take number `at` (from 0) out of a list; false where it has no more than that. */
bool list_without(const char *list, int at, char *text, size_t size);
/* "relu,relu": as many of a word as the list has. */
void list_of_same(const char *list, const char *word, char *text, size_t size);

#endif
