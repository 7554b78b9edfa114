/* The verbs of hpclab: argv[0] is the verb itself. Each returns an exit status, prints its own
 * errors, and has a table of its options, of which --help is made. main.c holds the list. */
#ifndef HPC_HARNESS_VERBS_VERBS_H
#define HPC_HARNESS_VERBS_VERBS_H

#include "common/options.h"
#include "harness/lab/project.h"

struct verb {
    const char *name;
    int (*run)(struct project *p, int argc, char **argv);
    const struct option_table *options;
};

int verb_list(struct project *p, int argc, char **argv);    /* labs, tasks, variants */
int verb_build(struct project *p, int argc, char **argv);   /* build labN [--impl I] [--device D] */
int verb_run(struct project *p, int argc, char **argv);     /* run mlp/flat key=value .. */
int verb_grade(struct project *p, int argc, char **argv);   /* grade [labN] .. */
int verb_doctor(struct project *p, int argc, char **argv);  /* what this machine is and lacks */
int verb_explain(struct project *p, int argc, char **argv); /* explain TASK */
int verb_profile(struct project *p, int argc, char **argv); /* profile lab1 [--quick] */
int verb_cuda(struct project *p, int argc, char **argv);    /* a CUDA program on the CPU device */
int verb_mlp(struct project *p, int argc, char **argv); /* builds and starts build/mlp/VARIANT */
int verb_featuremaps(struct project *p, int argc, char **argv); /* inputs of convolution layers */
int verb_reference(struct project *p, int argc, char **argv); /* times references on this machine */
int verb_release(struct project *p, int argc, char **argv);   /* release labN: dist/ archive */
int verb_history(struct project *p, int argc, char **argv);   /* history labN */
int verb_reset(struct project *p, int argc, char **argv);     /* reset labN: the starters again */

extern const struct option_table list_options, build_options, run_options, grade_options,
    doctor_options, explain_options, profile_options, cuda_options, mlp_options,
    featuremaps_options, reference_options, release_options, history_options, reset_options;

/* `hpclab help [--markdown|--man|--bash|--zsh]`, made from the tables of all verbs. */
int verbs_help(const struct verb *verbs, int n, int argc, char **argv);

/* Where speed points of a lab wait for a reference that nobody timed: the command that comes first.
 */
void say_reference_missing(const struct project *project);

#endif
