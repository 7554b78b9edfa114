/* From a task, a name in the catalogue or an operation to build_variant's words; for the files of
 * harness/trial. All others ask trial_runner, which builds each runner once.
 *
 * None of these fails otherwise than by the outcome in *result. */
#ifndef HPC_HARNESS_TRIAL_INTERNAL_H
#define HPC_HARNESS_TRIAL_INTERNAL_H

#include "harness/trial/trial.h"

/* Build a variant task's runner if it is stale. impl "student": labs/labN/FILE with the task's
 * flags, libraries and symbols; "reference": the catalogue's source, with the catalogue's. */
void build_task(const struct project *p, const struct lab_task *task, const char *impl,
                enum build_kind kind, struct build_result *result);

/* Build a variant of the catalogue, "mlp/flat", below build/DEVICE/run/. */
void build_catalogue(const struct project *p, const char *name, enum build_kind kind,
                     struct build_result *result);

/* Build the copy of an operation that has one, for the GPU: a device-to-device copy that passes
 * for a variant of the operation, moves the bytes that its problem must move, and computes nothing.
 * Speeds on a GPU are shares of its speed. Source and result are trusted. */
void build_copy(const char *root, const struct hpc_op *op, struct build_result *result);

/* Build runner/probe.cu for an operation: a runner that tells whether the GPU works. */
void build_probe(const char *root, const struct hpc_op *op, struct build_result *result);

/* Build runner/peak.cu for an operation: a runner each call of which keeps one of the GPU's units
 * busy. */
struct peak {
    const char *folder, *flag, *libraries;
    double work; /* of a call: bytes read and written, or FLOP */
};
extern const struct peak trial_peaks[TRIAL_PEAKS];
void build_peak(const char *root, const struct hpc_op *op, const struct peak *peak,
                struct build_result *result);

/* Seconds of a call of a runner of ours on the problem that another try had, the median of `calls`;
 * 0: it was not built, or did not come to its end. */
double trusted_seconds(struct trial *t, const struct build_result *built,
                       const struct case_try *like, int calls);

/* Build runner/probe.c for the task's operation under a sanitizer: a runner that tells whether the
 * sanitizer works; with OpenMP where the task has it. */
void build_sanitizer_probe(const char *root, const struct lab_task *task, enum build_kind kind,
                           struct build_result *result);

/* Whether the sanitizer of a kind works here, by a runner of ours and a case of the task's; else *o
 * says that it does not. */
bool trial_sanitizer_works(struct trial *t, enum build_kind kind, const struct lab_case *c,
                           uint64_t seed, struct outcome *o);

/* ranks.c: trial_threads() of an MPI program's task. */
bool trial_ranks(struct trial *t, const struct lab_case *c, uint64_t seed, struct outcome *o);
/* What it says of a case of that name, in which all ranks have sent so many bytes, and one of them
 * that share at most; negative: nobody knows. */
bool ranks_judge(const struct hpc_layout *layout, double sent, const char *name, struct outcome *o);
bool ranks_judge_even(int ranks, double share, const char *name, struct outcome *o);

#endif
