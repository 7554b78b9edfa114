/* Which cache lines several threads of a solution write, each its own bytes of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/trial/internal.h"

#define SECONDS 1 /* for the call, without the counting, which build_runner_needs() adds */

/* The last line of runner/stores.c's in what the runner printed. */
static bool read_report(const char *output, struct trial_meeting *m, uint64_t from[2])
{
    static const char head[] = "\nstores ";
    const char *line = NULL;
    unsigned long long all, travelling, one, two;
    while (output && (output = strstr(output, head)) != NULL)
        line = output++;
    if (!line ||
        sscanf(line,
               "\nstores %20llu travelling %20llu lines %9d threads %9d %9d from %16llx %16llx",
               &all, &travelling, &m->lines, &m->thread[0], &m->thread[1], &one, &two) != 7 ||
        all == 0 || travelling > all)
        return false;
    m->stores = (double)all;
    m->share = (double)travelling / (double)all;
    from[0] = one;
    from[1] = two;
    return true;
}

bool trial_meeting(struct trial *t, uint64_t seed, struct trial_meeting *m)
{
    struct hpc_error err;
    uint64_t from[2];
    struct case_try try = {.c = &t->project->lab->cases[t->task->speed_case],
                           .built = trial_runner(t, BUILD_STORES),
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .first = 1,
                           .calls = 1,
                           .unchecked = true,
                           .keep_output = true};
    *m = (struct trial_meeting){.lines = 0};
    try.limits.wall_seconds = SECONDS;
    if (try.built->outcome.verdict != VERDICT_PASS || !try_ready(&try, &err))
        return false;
    const bool met = try_calls(&try) && read_report(try.output, m, from);
    if (met)
        exchange_places(try.built->output, from, m->place, 2);
    free(try.output);
    return met && m->place[0][0] && m->place[1][0];
}
