/* Contestants with threads live in processes of their own: once a process has had a second thread,
 * its malloc takes locks for ever, and `serial`, which spends half its time there, would look slow.
 */
#ifndef HPC_BENCHMARKS_MLP_SGD_CHILD_H
#define HPC_BENCHMARKS_MLP_SGD_CHILD_H

#include <stdbool.h>
#include <stddef.h>

struct sgd_child;

/* Memory that stays shared with children forked later; never freed before the process ends. */
void *sgd_shared(size_t bytes);

/* Fork. In the child, `serve` is called with the number of calls asked for and returns seconds. It
 * is called first with 0, to get ready; less than 0 then means that it can't, and NULL is
 * returned. */
struct sgd_child *sgd_child_start(double (*serve)(void *context, int calls), void *context);
/* Seconds of `calls` calls in the child; less than 0 when it has died. */
double sgd_child_run(struct sgd_child *child, int calls);
void sgd_child_stop(struct sgd_child *child);

#endif
