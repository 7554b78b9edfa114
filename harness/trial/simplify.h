/* What a wrong solution is wrong about: the case that it fails is made simpler, a key at a time.
 *
 * A key whose simplest value still fails has nothing to do with the mistake, and keeps that value;
 * one with which the solution becomes right parts right from wrong, and is named. Which changes
 * there are, an operation says (hpc_op.simpler). What is left is the smallest case that fails, in
 * which the operation may see which part of the method is wrong (hpc_op.part). */
#ifndef HPC_HARNESS_TRIAL_SIMPLIFY_H
#define HPC_HARNESS_TRIAL_SIMPLIFY_H

#include "harness/trial/simplified.h"
#include "harness/trial/trial.h"

/* s->calls where run() of the case returns before its threads are done; else all of s is empty.
 * Cost: a few calls, and some tenths of a second. */
void trial_returns_early(struct trial *t, enum build_kind kind, const struct lab_case *c,
                         uint64_t seed, struct simplified *s);

/* Whether c, which does not return, is right where malloc gives zeros. Cost: two calls of 3
 * seconds, most often one. */
bool trial_hangs_unset(struct trial *t, enum build_kind kind, const struct lab_case *c,
                       uint64_t seed);

/* c fails under `seed` with the runner of `kind`, wrong or by a crash. Ends after `seconds` with
 * what it knows by then. Cost: a jail's start and a call or two a try. */
void trial_simplify(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                    double seconds, struct simplified *s);

/* Where that left s->part empty: the part by another case, as it is; s->part stays empty where that
 * does not show it. Cost: a jail's start and a call or two. */
void trial_part(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct simplified *s);

#endif
