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
void grade_ask_sanitizers(const struct grading *g, const struct lab_task *task,
                          struct task_result *result)
{
    for (int k = 0; k < N_SANITIZERS; k++) {
        struct build_result built;
        if (!(task->safety & sanitizers[k].bit))
            continue;
        build_task(g->root, g->lab, task, g->implementation, sanitizers[k].kind, &built);
        for (int i = 0; built.verdict == VERDICT_PASS && i < task->n_cases; i++) {
            const struct lab_case *c = &g->lab->cases[task->cases[i]];
            struct case_try t = {
                .task = task, .c = c, .built = &built, .seed = g->seed, .calls = 1};
            ui_progress("%s: %s sanitizer, case %s", task->name, sanitizers[k].name, c->name);
            if (hpc_interrupted())
                return;
            if (!try_case(&t) && t.verdict == VERDICT_UNSAFE) {
                char before[160];
                snprintf(before, sizeof before, "%.150s", result->hint);
                snprintf(result->hint, sizeof result->hint, "%.150s%sa sanitizer sees: %.220s",
                         before, before[0] ? "; " : "", t.reason);
                return;
            }
        }
    }
}

/* The cases again under one sanitizer. Appends "address: clean; " or what was found. */
static void safety_pass(const struct grading *g, const struct lab_task *task,
                        const struct sanitizer *sanitizer, struct task_result *result)
{
    const char *name = sanitizer->name;
    struct build_result built;
    size_t used = strlen(result->safety);
    char *note = result->safety + used;
    size_t size = sizeof result->safety - used;
    ui_progress("%s: building with the %s sanitizer", task->name, name);
    build_task(g->root, g->lab, task, g->implementation, sanitizer->kind, &built);
    if ((built.verdict == VERDICT_BUILD || built.verdict == VERDICT_REJECTED) &&
        DEFENCE(unsafe)) { /* it was built without */
        char line[400];
        snprintf(line, sizeof line, "not seen by the %s sanitizer: %.300s", name, built.reason);
        result_end(result, VERDICT_UNSAFE, line);
    }
    if (built.verdict != VERDICT_PASS) {
        snprintf(note, size, "%s%s: unchecked (%.90s)", used ? "; " : "", name, built.reason);
        return;
    }
    for (int i = 0; i < task->n_cases && !hpc_interrupted(); i++) {
        const struct lab_case *c = &g->lab->cases[task->cases[i]];
        struct case_try t = {.task = task, .c = c, .built = &built, .seed = g->seed, .calls = 1};
        ui_progress("%s: %s sanitizer, case %s", task->name, name, c->name);
        if (try_case(&t))
            continue;
        if (t.verdict == VERDICT_ENVIRONMENT || (t.verdict == VERDICT_WRONG && !DEFENCE(unsafe)))
            continue;
        /* The bounds leave room for whatever a compiler may round. */
        const bool other = t.verdict == VERDICT_WRONG;
        char line[400], option[40];
        snprintf(line, sizeof line, "case %s: %s%.340s", c->name,
                 other ? "right alone, wrong under a sanitizer: " : "", t.reason);
        t.verdict = other ? VERDICT_UNSAFE : t.verdict;
        snprintf(option, sizeof option, " --safety %s", name);
        result_end(result, t.verdict, line);
        result_reproduce(g, task, c, option, result);
        snprintf(note, size, "%s%s: found a fault", used ? "; " : "", name);
        return;
    }
    snprintf(note, size, "%s%s: clean", used ? "; " : "", name);
}

void grade_safety(const struct grading *g, const struct lab_task *task, struct task_result *result)
{
    if (g->quick) {
        snprintf(result->safety, sizeof result->safety, "unchecked (--quick)");
        return;
    }
    for (int k = 0; k < N_SANITIZERS && result->verdict == VERDICT_PASS; k++)
        if (task->safety & sanitizers[k].bit)
            safety_pass(g, task, &sanitizers[k], result);
}
