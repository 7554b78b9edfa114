/* Counting for markers: what a kernel of ours asks of the memory. */
#include <stdlib.h>

#include "harness/answers/internal.h"
#include "harness/trial/trial.h"

bool marker_count(struct sheet *s, const struct marking *m, const struct hpc_op *op,
                  const char *variant, const char *const *words, struct task_traffic *traffic)
{
    struct hpc_error err;
    struct lab_case c = {.op = op};
    struct outcome o;
    snprintf(c.name, sizeof c.name, "prediction");
    bool good = true;
    for (; *words && good; words++)
        good = hpc_params_set_word(&c.params, *words, "prediction", &err);
    struct trial *t = trial_open(m->project, m->task, variant);
    if (good && !trial_traffic(t, &c, m->seed, traffic, &o))
        good = hpc_fail_env(&err, "%s: %s", variant, o.reason);
    trial_close(t);
    if (!good)
        sheet_wait(s, VERDICT_ENVIRONMENT, err.text);
    return good;
}

double marker_per_output(const struct task_traffic *t, enum traffic_counter counter)
{
    const struct traffic_bound bound = {.counter = counter, .per = TRAFFIC_PER_OUTPUT};
    return traffic_quantity(&t->counted, &bound, t->outputs);
}
