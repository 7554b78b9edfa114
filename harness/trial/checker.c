/* One case under the CPU device's checker, and the traffic that it counts. */
#include "harness/trial/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True when the runner came to its end and nothing was found; what was found is in *reports, and in
 * the list. */
static bool checker_case(struct case_try *t, FILE *list, struct checker_reports *reports)
{
    t->keep_output = true;
    t->calls = 1;
    bool good = try_case(t);
    memset(reports, 0, sizeof *reports);
    if (t->output)
        checker_reports_read(t->output, t->key, list, reports);
    free(t->output);
    t->output = NULL;
    return good && reports->faults == 0;
}

bool trial_check(struct trial *t, const struct lab_case *c, uint64_t seed, FILE *list,
                 struct checker_reports *reports, struct outcome *o)
{
    struct case_try try = {
        .task = t->task, .c = c, .built = trial_runner(t, BUILD_CHECK), .seed = seed};
    memset(reports, 0, sizeof *reports);
    *o = try.built->outcome;
    if (o->verdict != VERDICT_PASS)
        return false;
    bool clean = checker_case(&try, list, reports);
    *o = try.outcome;
    return clean;
}

bool trial_traffic(struct trial *t, const struct lab_case *c, uint64_t seed,
                   struct task_traffic *traffic, struct outcome *o)
{
    struct checker_reports reports;
    struct case_try try = {
        .task = t->task, .c = c, .built = trial_runner(t, BUILD_CHECK), .seed = seed};
    memset(traffic, 0, sizeof *traffic);
    *o = try.built->outcome;
    if (o->verdict != VERDICT_PASS)
        return false;
    bool right = checker_case(&try, NULL, &reports) || try.outcome.verdict == VERDICT_PASS;
    bool ended = right && reports.ended;
    snprintf(traffic->case_name, sizeof traffic->case_name, "%s", c->name);
    traffic->counted = reports.traffic;
    traffic->outputs = try.elements;
    traffic->measured = ended && reports.traffic.n > 0 && try.elements > 0;
    if (!ended)
        outcome_set(o, try.outcome.verdict, "%s: %s", verdict_names[try.outcome.verdict],
                    try.outcome.reason);
    else if (!traffic->measured)
        outcome_set(o, VERDICT_PASS, "the checker counted no kernel");
    return traffic->measured;
}
