/* Cases under the sanitizers that a task in C names. */
#include <stdio.h>
#include <string.h>

#include "common/defence.h"
#include "harness/grade/internal.h"
#include "common/interrupt.h"
#include "common/ui.h"

static const struct sanitizer {
    enum task_safety bit;
    enum build_kind kind;
    const char *name;
} sanitizers[] = {{SAFETY_ADDRESS, BUILD_ADDRESS, "address"},
                  {SAFETY_THREADS, BUILD_THREADS, "threads"}};
enum { N_SANITIZERS = sizeof sanitizers / sizeof *sanitizers };

/* Into the hint for a wrong result or a crash: what a sanitizer sees. */
void grade_ask_sanitizers(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    for (int k = 0; k < N_SANITIZERS; k++) {
        if (!(task->safety & sanitizers[k].bit))
            continue;
        const struct build_result *built = trial_runner(t, sanitizers[k].kind);
        for (int i = 0; built->outcome.verdict == VERDICT_PASS && i < task->n_cases; i++) {
            const struct lab_case *c = &g->project->lab->cases[task->cases[i]];
            struct outcome o = {0};
            ui_progress("%s: %s sanitizer, case %s", task->name, sanitizers[k].name, c->name);
            if (hpc_interrupted())
                return;
            if (!trial_case(t, sanitizers[k].kind, c, g->seed, &o) && o.verdict == VERDICT_UNSAFE) {
                char before[160];
                snprintf(before, sizeof before, "%.150s", result->outcome.hint);
                outcome_hint(&result->outcome, "a sanitizer sees: %.300s%s%.150s", o.reason,
                             before[0] ? "; " : "", before);
                grade_quote(g, t, result);
                return;
            }
        }
    }
}

/* Whether it matters that a case ended so under a sanitizer. */
static bool counts(enum verdict verdict)
{
    if (DEFENCE(environment) && verdict == VERDICT_ENVIRONMENT)
        return true;
    if (DEFENCE(unsafe) && verdict == VERDICT_WRONG)
        return true;
    return verdict != VERDICT_ENVIRONMENT && verdict != VERDICT_WRONG;
}

/* The cases again under one sanitizer. Appends "address: clean; " or what was found. */
static void sanitize(const struct grading *g, struct trial *t, const struct sanitizer *sanitizer,
                     struct task_result *result)
{
    const struct lab_task *task = t->task;
    const char *name = sanitizer->name;
    size_t used = strlen(result->safety);
    char *note = result->safety + used;
    size_t size = sizeof result->safety - used;
    ui_progress("%s: building with the %s sanitizer", task->name, name);
    const struct outcome *build = &trial_runner(t, sanitizer->kind)->outcome;
    if (DEFENCE(unsafe) && (build->verdict == VERDICT_BUILD || build->verdict == VERDICT_REJECTED))
        /* it was built without */
        outcome_set(&result->outcome, VERDICT_UNSAFE, "not seen by the %s sanitizer: %s", name,
                    build->reason);
    if (build->verdict == VERDICT_ENVIRONMENT)
        outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "the %s sanitizer: %s", name,
                    build->reason);
    if (build->verdict != VERDICT_PASS) {
        snprintf(note, size, "%s%s: unchecked (%.90s)", used ? "; " : "", name, build->reason);
        return;
    }
    for (int i = 0; i < task->n_cases && !hpc_interrupted(); i++) {
        const struct lab_case *c = &g->project->lab->cases[task->cases[i]];
        struct outcome o = {0};
        ui_progress("%s: %s sanitizer, case %s", task->name, name, c->name);
        if (trial_case(t, sanitizer->kind, c, g->seed, &o))
            continue;
        if (!counts(o.verdict))
            continue;
        if (o.verdict == VERDICT_ENVIRONMENT) { /* nothing was looked at: its points wait */
            outcome_set(&result->outcome, o.verdict, "case %s under the %s sanitizer: %s", c->name,
                        name, o.reason);
            snprintf(note, size, "%s%s: unchecked", used ? "; " : "", name);
            return;
        }
        /* The bounds leave room for whatever a compiler may round. */
        const bool other = o.verdict == VERDICT_WRONG;
        char option[40];
        snprintf(option, sizeof option, " --safety %s", name);
        outcome_set(&result->outcome, other ? VERDICT_UNSAFE : o.verdict, "case %s: %s%s", c->name,
                    other ? "right alone, wrong under a sanitizer: " : "", o.reason);
        result_reproduce(g, task, c, option, result);
        grade_quote(g, t, result);
        snprintf(note, size, "%s%s: found a fault", used ? "; " : "", name);
        return;
    }
    snprintf(note, size, "%s%s: clean%s", used ? "; " : "", name,
             trial_runner(t, sanitizer->kind)->fences
                 ? ", orders of atomic operations unchecked (it has fences)"
                 : "");
}

void grade_sanitize(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    if (g->quick) {
        snprintf(result->safety, sizeof result->safety, "unchecked (--quick)");
        return;
    }
    for (int k = 0; k < N_SANITIZERS && result->outcome.verdict == VERDICT_PASS; k++)
        if (task->safety & sanitizers[k].bit)
            sanitize(g, t, &sanitizers[k], result);
}
