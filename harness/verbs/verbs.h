/* The verbs of hpclab: argv[0] is the verb itself. Each returns an exit status, prints its own
 * errors, and knows --help. main.c holds the table. */
#ifndef HPC_HARNESS_VERBS_VERBS_H
#define HPC_HARNESS_VERBS_VERBS_H

#include "common/error.h"

int verb_list(const char *root, int argc, char **argv);    /* labs, tasks, variants */
int verb_build(const char *root, int argc, char **argv);   /* build labN [--impl I] [--device D] */
int verb_run(const char *root, int argc, char **argv);     /* run mlp/flat key=value .. */
int verb_grade(const char *root, int argc, char **argv);   /* grade [labN] .. */
int verb_doctor(const char *root, int argc, char **argv);  /* what this machine is and lacks */
int verb_explain(const char *root, int argc, char **argv); /* explain TASK */
int verb_profile(const char *root, int argc, char **argv); /* profile lab1 [--quick] */
int verb_cuda(const char *root, int argc, char **argv);    /* a CUDA program on the CPU device */
int verb_mlp(const char *root, int argc, char **argv);     /* builds and starts build/mlp/VARIANT */
int verb_featuremaps(const char *root, int argc, char **argv); /* inputs of convolution layers */
int verb_reference(const char *root, int argc, char **argv); /* times references on this machine */
int verb_release(const char *root, int argc, char **argv);   /* release labN: dist/ archive */
int verb_history(const char *root, int argc, char **argv);   /* history labN */
int verb_reset(const char *root, int argc, char **argv);     /* reset labN: the starters again */

/* Where speed points of a lab wait for a reference that nobody timed: the command that comes first.
 */
struct lab;
void say_reference_missing(const char *root, const struct lab *lab);

#endif
