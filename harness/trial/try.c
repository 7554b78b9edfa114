#include "harness/trial/try.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/defence.h"
#include "common/interrupt.h"
#include "common/size.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/machine/machine.h"
#include "harness/trial/checker_report.h"
#include "harness/trial/look.h"

/* So many times the limits of a run: one that spins at barriers is that much slower, and more. */
#define SANITIZER_SLOWER 6

void build_runner_needs(const struct build_result *result, struct exchange_spec *spec)
{
    spec->extra_env = result->env[0] ? result->env : NULL;
    spec->extra_read_only = result->read_only[0] ? result->read_only : NULL;
    spec->sanitized = result->sanitized;
    spec->device = result->device;
    spec->term = result->term;
    if (result->sanitized) {
        spec->limits.wall_seconds *= SANITIZER_SLOWER;
        spec->limits.cpu_seconds *= SANITIZER_SLOWER;
    }
}

#define CHECKER_OUTPUT ((size_t)4 << 20)

static void keep_output(void *data, const char *text)
{
    struct case_try *t = data;
    t->output = hpc_strdup(text);
}

/* What a checker's runner needs more than another: room for its reports, a key for them. */
static void for_checker(struct case_try *t, char word[48], struct exchange_spec *spec,
                        const char *env[11])
{
    int n = 0;
    for (; n < 8 && spec->extra_env && spec->extra_env[n]; n++)
        env[n] = spec->extra_env[n];
    checker_key(word, t->key);
    env[n++] = word;
    if (t->by_line)
        env[n++] = "HPC_DEVICE_LINES=1";
    env[n] = NULL;
    spec->extra_env = env;
    spec->limits.output_bytes = CHECKER_OUTPUT;
}

static const char int_sum[] =
    "every output is a whole number: an int or long holds a sum, or a product, of floats";

static bool check_call(struct case_try *t, const struct exchange_call *call, bool *admitted)
{
    const struct hpc_op *op = t->c->op;
    struct hpc_mismatch *m = &t->mismatch;
    const struct look look = {op, t->ready.problem, call->in, call->out};
    struct hpc_error err;
    if (t->unchecked)
        return true;
    if (t->dump && t->n == 0 && !look_dump(&look, t->dump, &err))
        return outcome_set(&t->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
    *m = (struct hpc_mismatch){.plain = t->plain};
    t->wrong =
        !(t->n < t->checked ? op->check(t->ready.problem, call->in, call->out, admitted, m)
                            : hpc_op_check_timed(op, t->ready.problem, call->in, call->out, m));
    if (t->wrong) {
        char both[TEXT_DIFFER];
        /* a float from 2^23 on has no fraction */
        const bool whole =
            m->want != trunc(m->want) && fabs(m->got) < 0x1p23 && look_whole(&look, m->array);
        outcome_hint(&t->outcome, "%s", whole ? int_sum : m->hint);
        outcome_set(&t->outcome, VERDICT_WRONG, "%s is %s within %.2g", m->what,
                    text_differ(both, m->got, m->want, 9), m->bound);
    }
    if (t->wrong && (t->tabulate || t->picture))
        t->table = t->picture ? look_picture(&look) : look_table(&look);
    if (t->wrong && t->part && op->part)
        op->part(t->ready.problem, call->in, call->out, t->part_text, sizeof t->part_text);
    return !t->wrong;
}

/* A copy of the outputs, for a wrong call after it; ranks have theirs each. */
static void keep_outputs(const struct look *l, void *kept[])
{
    struct hpc_layout layout;
    l->op->layout(l->problem, &layout);
    for (int k = 0; k < layout.n_out && !layout.ranks; k++) {
        const size_t bytes = hpc_mul(layout.out[k].count, hpc_type_bytes(layout.out[k].type));
        kept[k] = kept[k] ? kept[k] : hpc_malloc(bytes + 1);
        memcpy(kept[k], l->out[k], bytes);
    }
}

static bool make_calls(struct case_try *t, struct exchange *x, void *kept[])
{
    int redraws = 0;
    while (t->n < t->calls && !hpc_interrupted()) {
        struct exchange_call call = {.ended = 0};
        bool admitted = true;
        if (t->progress)
            ui_progress("call %d of %d", t->n + 1, t->calls);
        t->call = t->first + (uint64_t)(t->n + redraws);
        const bool ran = exchange_run(x, t->call, !t->unchecked, &call, &t->outcome);
        const struct look look = {t->c->op, t->ready.problem, call.in, call.out};
        char hint[200];
        if (!ran || !check_call(t, &call, &admitted)) {
            t->ended += call.ended;
            if (t->wrong && look_goes_on(&look, kept, hint, sizeof hint))
                outcome_hint(&t->outcome, "%s", hint);
            return false;
        }
        if (!t->unchecked && !t->seconds && !t->plain)
            keep_outputs(&look, kept);
        t->ended += call.ended;
        t->allocations = call.allocations;
        t->allocated_at = call.allocated_at;
        t->share = call.share < 0 || t->share < 0 ? -1 : fmax(t->share, call.share);
        t->sent = call.carried < 0 || t->sent < 0 ? -1 : fmax(t->sent, call.carried);
        if (!admitted && redraws < HPC_REDRAWS) {
            redraws++;
            continue;
        }
        t->admitted &= admitted;
        if (t->seconds)
            t->seconds[t->n] = call.seconds;
        t->n++;
    }
    return true;
}

/* How much there is of the problem's arrays; a fixed input may come by another way, as constants.
 */
static void measure_arrays(struct case_try *t, const struct hpc_layout *layout)
{
    t->elements = 0;
    t->least = (struct traffic_least){0};
    for (int k = 0; k < layout->n_in; k++) {
        const struct hpc_array *a = &layout->in[k];
        t->least.loaded += a->fixed ? 0 : (double)(a->count * hpc_type_bytes(a->type));
    }
    for (int k = 0; k < layout->n_out; k++) {
        const struct hpc_array *a = &layout->out[k];
        t->elements += (double)a->count;
        t->least.stored += (double)(a->count * hpc_type_bytes(a->type));
    }
}

bool try_ready(struct case_try *t, struct hpc_error *err)
{
    struct hpc_layout layout;
    if (!case_ready(t->c, t->seed, t->threads, &t->ready, err))
        return false;
    t->c->op->layout(t->ready.problem, &layout);
    measure_arrays(t, &layout);
    return true;
}

/* Whether anybody reads what a runner prints. */
static bool output_counts(const struct case_try *t)
{
    if (DEFENCE(stdout))
        return t->keep_output;
    return true;
}

/* Whether a variant's own word makes it right. */
static bool says_pass(const struct case_try *t)
{
    if (DEFENCE(stdout))
        return false;
    return t->output && strstr(t->output, "PASS");
}

static struct exchange_spec spec_of(const struct case_try *t)
{
    /* CUDA's own library would be filled too, and the checker has memory of its own */
    const bool fills =
        t->built->device == DEVICE_HOST || (t->built->device == DEVICE_CPU && !t->built->sanitized);
    return (struct exchange_spec){.runner = t->built->output,
                                  .op = t->c->op,
                                  .problem = t->ready.problem,
                                  .seed = t->ready.seed,
                                  .env = {t->threads, machine_here()->simd, NULL},
                                  .limits = t->limits,
                                  .untimed = !t->seconds && !t->as_timed,
                                  .carried = t->carried,
                                  .fill = fills && (t->fill || (!t->seconds && !t->unchecked)),
                                  .zeros = t->zeros,
                                  .reopen = t->reopen,
                                  .linger = t->linger};
}

bool try_under(struct case_try *t, const char *const *tool)
{
    struct exchange_spec spec = spec_of(t);
    struct exchange_call call;
    struct outcome end;
    t->admitted = true;
    build_runner_needs(t->built, &spec);
    struct exchange *x = exchange_under(&spec, t->first, tool, &call, &t->outcome);
    if (!x)
        return false;
    const bool right = check_call(t, &call, &t->admitted);
    exchange_close(x, &end, NULL, 0);
    return right;
}

bool try_debugger(struct case_try *t)
{
    const char *gdb = command_find("gdb");
    const char *const words[] = {gdb,      "-q",       "-ex", "set breakpoint pending on",
                                 "-ex",    "start",    "-ex", "tbreak *hpc_variant.run",
                                 "-ex",    "continue", "-ex", "next",
                                 "--args", NULL};
    if (!gdb)
        outcome_set(&t->outcome, VERDICT_ENVIRONMENT, "no gdb here: install the package gdb");
    return gdb && try_under(t, words);
}

bool try_calls(struct case_try *t)
{
    const char *env[11];
    char word[48];
    struct exchange_spec spec = spec_of(t);
    if (output_counts(t)) {
        spec.printed = keep_output;
        spec.printed_data = t;
    }
    t->outcome.verdict = VERDICT_PASS;
    t->n = 0;
    t->sent = t->share = 0;
    t->admitted = true;
    build_runner_needs(t->built, &spec);
    if (spec.sanitized && spec.device != DEVICE_HOST)
        for_checker(t, word, &spec, env);
    struct exchange *x = exchange_open(&spec, &t->outcome);
    if (!x)
        return false;
    void *kept[HPC_MAX_ARRAYS] = {NULL};
    bool good = make_calls(t, x, kept);
    for (int k = 0; k < HPC_MAX_ARRAYS; k++)
        free(kept[k]);
    struct outcome at_close = {0};
    t->filled = exchange_filled(x, &t->filled_at);
    t->any_source = exchange_any_source(x);
    if (!exchange_close(x, &at_close, NULL, 0) && good) {
        t->outcome = at_close;
        good = false;
    }
    return good || says_pass(t);
}

bool try_case(struct case_try *t)
{
    struct hpc_error err;
    char more[60] = "";
    t->first = 1;
    t->checked = t->calls;
    if (!try_ready(t, &err))
        return outcome_set(&t->outcome, VERDICT_ENVIRONMENT, "%s", err.text);
    bool good = try_calls(t);
    if (t->wrong && t->mismatch.wrong)
        snprintf(more, sizeof more, " (%zu element%s off)", t->mismatch.wrong,
                 t->mismatch.wrong == 1 ? " is" : "s are");
    if (t->wrong && !good)
        return outcome_set(&t->outcome, VERDICT_WRONG, "call %d: %s%s", (int)t->call,
                           t->outcome.reason, more);
    return good &&
           (t->admitted ||
            outcome_set(&t->outcome, VERDICT_ENVIRONMENT,
                        "%d draws of this case amplify one ulp too much to tell right from wrong, "
                        "which is the case's fault: tell your course",
                        HPC_REDRAWS + 1));
}
