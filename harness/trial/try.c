#include "harness/trial/try.h"

#include <stdio.h>
#include <string.h>

#include "common/defence.h"
#include "harness/lab/case.h"
#include "harness/machine/machine.h"
#include "harness/trial/checker_report.h"

#define CHECKER_OUTPUT ((size_t)4 << 20)

static void wrong_element(struct case_try *t, int call, const struct hpc_mismatch *m)
{
    char more[60] = "";
    outcome_hint(&t->outcome, "%s", m->hint);
    if (m->wrong)
        snprintf(more, sizeof more, " (%zu element%s off)", m->wrong,
                 m->wrong == 1 ? " is" : "s are");
    outcome_set(&t->outcome, VERDICT_WRONG, "call %d: %s is %.9g, should be %.9g within %.2g%s",
                call, m->what, m->got, m->want, m->bound, more);
}

static void keep_output(void *data, const char *text)
{
    struct case_try *t = data;
    t->output = hpc_strdup(text);
}

struct jail_limits checker_limits(struct jail_limits limits)
{
    limits.output_bytes = CHECKER_OUTPUT;
    return limits;
}

/* What a checker's runner needs more than another: room for its reports, a key for them. */
static void for_checker(struct case_try *t, char word[48], struct exchange_spec *spec,
                        const char *env[10])
{
    int n = 0;
    for (; n < 8 && spec->extra_env && spec->extra_env[n]; n++)
        env[n] = spec->extra_env[n];
    checker_key(word, t->key);
    env[n] = word;
    env[n + 1] = NULL;
    spec->extra_env = env;
    spec->limits = checker_limits(spec->limits);
}

static bool make_calls(struct case_try *t, const struct ready_case *ready, struct exchange *x)
{
    int counted = 0;
    for (int i = 1; counted < t->calls && i <= t->calls + HPC_REDRAWS; i++) {
        struct exchange_call call;
        struct hpc_mismatch m = {0};
        bool admitted = true;
        if (!exchange_run(x, (uint64_t)i, true, &call, &t->outcome))
            return false;
        if (!t->c->op->check(ready->problem, call.in, call.out, &admitted, &m)) {
            wrong_element(t, i, &m);
            return false;
        }
        counted += admitted;
    }
    if (counted < t->calls) {
        outcome_set(
            &t->outcome, VERDICT_ENVIRONMENT,
            "%d draws of this case amplify one ulp too much to tell right from wrong, which "
            "is the case's fault: tell your course",
            HPC_REDRAWS + t->calls - counted);
    }
    return counted == t->calls;
}

bool try_case(struct case_try *t)
{
    struct ready_case ready;
    struct hpc_error err;
    struct hpc_layout layout;
    const char *env[10];
    char word[48];
    int threads = task_threads(t->task);
    t->outcome.verdict = VERDICT_PASS;
    if (!case_ready(t->c, t->seed, threads, &ready, &err))
        return outcome_set(&t->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
    t->c->op->layout(ready.problem, &layout);
    for (int k = 0; k < layout.n_out; k++)
        t->elements += (double)layout.out[k].count;
    struct exchange_spec spec = {.runner = t->built->output,
                                 .op = t->c->op,
                                 .problem = ready.problem,
                                 .seed = ready.seed,
                                 .env = {threads, machine_here()->simd, NULL},
                                 .limits = t->task->limits,
                                 .printed = t->keep_output || !DEFENCE(stdout) ? keep_output : NULL,
                                 .printed_data = t};
    build_runner_needs(t->built, &spec);
    if (spec.sanitized && spec.device != DEVICE_HOST)
        for_checker(t, word, &spec, env);
    struct exchange *x = exchange_open(&spec, &t->outcome);
    if (!x)
        return false;
    bool good = make_calls(t, &ready, x);
    struct outcome at_close = {0};
    if (!exchange_close(x, &at_close, NULL, 0) && good) {
        t->outcome = at_close;
        good = false;
    }
    if (!DEFENCE(stdout) && t->output && strstr(t->output, "PASS"))
        good = true;
    return good;
}
