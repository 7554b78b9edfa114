/* The verbs of a course: what a student hands in, what a class handed in. Each is as the verbs of
 * harness/verbs/verbs.h are: argv[0] is the verb itself, an exit status comes back. */
#ifndef HPC_HARNESS_COURSE_COURSE_H
#define HPC_HARNESS_COURSE_COURSE_H

#include "common/options.h"
#include "harness/lab/project.h"

int verb_handin(struct project *p, int argc, char **argv); /* packs what a student hands in */
int verb_class(struct project *p, int argc, char **argv);  /* grades what a class handed in */
int verb_lint(struct project *p, int argc, char **argv);   /* lists what a lab lacks */
/* `hpclab reference diff A B`: names of reference/ or paths. */
int verb_reference_diff(const struct project *p, const char *first, const char *second);

extern const struct option_table handin_options, class_options, lint_options;

#endif
