/* One case under the CPU device's checker, and the traffic that it counts. */
#include "harness/trial/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool check_case(struct case_try *t, FILE *list, struct device_reports *reports)
{
    t->keep_output = true;
    t->calls = 1;
    bool good = try_case(t);
    memset(reports, 0, sizeof *reports);
    if (t->output)
        device_reports_read(t->output, t->key, list, reports);
    free(t->output);
    t->output = NULL;
    return good && reports->faults == 0;
}

bool grade_count_traffic(const struct lab_task *task, const struct lab_case *c,
                         const struct build_result *built, uint64_t seed,
                         struct task_traffic *traffic, char *reason, size_t reason_size)
{
    struct device_reports reports;
    struct case_try t = {.task = task, .c = c, .built = built, .seed = seed};
    memset(traffic, 0, sizeof *traffic);
    bool ended = (check_case(&t, NULL, &reports) || t.verdict == VERDICT_PASS) && reports.ended;
    snprintf(traffic->case_name, sizeof traffic->case_name, "%s", c->name);
    traffic->counted = reports.traffic;
    traffic->outputs = t.elements;
    traffic->measured = ended && reports.traffic.n > 0 && t.elements > 0;
    if (!ended)
        snprintf(reason, reason_size, "%s: %s", verdict_names[t.verdict], t.reason);
    else if (!traffic->measured)
        snprintf(reason, reason_size, "the checker counted no kernel");
    return traffic->measured;
}
