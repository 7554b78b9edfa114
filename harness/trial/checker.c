/* One case under the CPU device's checker, and the traffic that it counts. */
#include "harness/trial/trial.h"

#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "common/text.h"

/* True when the runner came to its end and nothing was found; what was found is in *reports, and in
 * the list; what it came to in *try. */
static bool look(struct trial *t, const struct lab_case *c, uint64_t seed, FILE *list,
                 struct checker_reports *reports, struct case_try *try)
{
    const struct build_result *built = trial_runner(t, BUILD_CHECK);
    memset(reports, 0, sizeof *reports);
    *try = (struct case_try){.c = c,
                             .built = built,
                             .seed = seed,
                             .threads = t->threads,
                             .limits = t->limits,
                             .calls = 1,
                             .keep_output = true,
                             .by_line = t->by_line,
                             .outcome = built->outcome};
    if (built->outcome.verdict != VERDICT_PASS)
        return false;
    bool good = try_case(try);
    if (try->output)
        checker_reports_read(try->output, try->key, list, t->reports, reports);
    free(try->output);
    try->output = NULL;
    return good && reports->faults == 0;
}

#define MANY_REQUESTS 256 /* of which a mean tells */

/* Of each kind of access the case in which a request moves most. */
static void keep_dearest(struct trial *t, const struct lab_case *c, const struct traffic *traffic)
{
    static const enum traffic_counter kinds[] = {TRAFFIC_GLOBAL_LOAD_SECTORS,
                                                 TRAFFIC_GLOBAL_STORE_SECTORS};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double requests = 0, sectors = 0;
        for (int k = 0; k < traffic->n; k++) {
            requests += traffic->kernel[k].counter[kinds[i] - 1];
            sectors += traffic->kernel[k].counter[kinds[i]];
        }
        if (requests < MANY_REQUESTS || sectors <= t->dearest[kinds[i]].each * requests)
            continue;
        t->dearest[kinds[i]].c = c;
        t->dearest[kinds[i]].each = sectors / requests;
    }
}

bool trial_check(struct trial *t, const struct lab_case *c, uint64_t seed, FILE *list,
                 struct checker_reports *reports, struct outcome *o)
{
    struct case_try try;
    bool clean = look(t, c, seed, list, reports, &try);
    keep_dearest(t, c, &reports->traffic);
    *o = try.outcome;
    return clean;
}

/* What is counted of a run in which something was found says nothing of a right program. */
static void tell_fault(const struct checker_reports *reports, struct task_traffic *traffic,
                       struct outcome *o)
{
    traffic->by_host = reports->host.kind[0] != '\0';
    const struct checker_fault *told = traffic->by_host ? &reports->host : &reports->first;
    outcome_set(o, traffic->by_host ? VERDICT_REJECTED : VERDICT_UNSAFE, "%s", told->text);
    outcome_hint(o, "%s", told->advice);
}

bool trial_traffic(struct trial *t, const struct lab_case *c, uint64_t seed,
                   struct task_traffic *traffic, struct outcome *o)
{
    struct checker_reports reports;
    struct case_try try;
    char why[200];
    memset(traffic, 0, sizeof *traffic);
    if (trial_runner(t, BUILD_CHECK)->outcome.verdict != VERDICT_PASS) {
        *o = trial_runner(t, BUILD_CHECK)->outcome;
        return false;
    }
    bool right = look(t, c, seed, NULL, &reports, &try) || try.outcome.verdict == VERDICT_PASS;
    bool ended = right && reports.ended;
    text_fit(traffic->case_name, sizeof traffic->case_name, "%s", c->name);
    traffic->counted = reports.traffic;
    traffic->outputs = try.elements;
    traffic->measured = ended && reports.traffic.n > 0 && try.elements > 0;
    *o = try.outcome;
    if (!ended)
        outcome_set(o, o->verdict, "%s: %s", verdict_names[o->verdict], try.outcome.reason);
    else if (!traffic->measured)
        outcome_set(o, VERDICT_PASS, "the checker counted no kernel");
    else if (DEFENCE(least_traffic) &&
             !traffic_whole(&traffic->counted, &try.least, why, sizeof why))
        traffic->measured =
            outcome_set(o, VERDICT_PASS, "%s: not all of the work is seen", why) && false;
    if (DEFENCE(traffic_faults) && reports.faults > 0 &&
        (right || try.outcome.verdict == VERDICT_WRONG || reports.host.kind[0]))
        tell_fault(&reports, traffic, o);
    return traffic->measured;
}

void trial_traffic_place(struct trial *t, const struct lab_case *c, uint64_t seed,
                         enum traffic_counter counter, struct traffic_place *place)
{
    struct checker_reports reports;
    struct case_try try;
    const bool by_line = t->by_line;
    t->by_line = true;
    look(t, c, seed, NULL, &reports, &try);
    t->by_line = by_line;
    *place = reports.place[counter];
}
