/* Cases under the sanitizers that a task in C names. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/defence.h"
#include "harness/grade/internal.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"

static const struct sanitizer {
    enum task_safety bit;
    enum build_kind kind;
    const char *name;
} sanitizers[] = {{SAFETY_ADDRESS, BUILD_ADDRESS, "address"},
                  {SAFETY_THREADS, BUILD_THREADS, "threads"}};
enum { N_SANITIZERS = sizeof sanitizers / sizeof *sanitizers };

/* Whether a right solution is looked at with it: with --quick, for races alone. */
static bool asked(const struct grading *g, const struct lab_task *task, const struct sanitizer *s)
{
    return task->safety & s->bit && (!g->quick || s->bit == SAFETY_THREADS);
}

/* The first case in which a sanitizer sees a fault, *o; else NULL. */
static const struct lab_case *sees(const struct grading *g, struct trial *t,
                                   const struct sanitizer *sanitizer,
                                   const struct lab_case *const cases[], int n, struct outcome *o)
{
    const struct build_result *built = trial_runner(t, sanitizer->kind);
    const struct jail_limits limits = t->limits;
    const double begin = clock_now();
    for (int i = 0; built->outcome.verdict == VERDICT_PASS && i < n; i++) {
        if (hpc_interrupted() || (g->quick && clock_now() > begin + GRADE_QUICK_SECONDS))
            break;
        ui_progress("%s: %s sanitizer, case %s", t->task->name, sanitizer->name, cases[i]->name);
        grade_hurry(g, &t->limits);
        *o = (struct outcome){0};
        const bool clean = trial_case(t, sanitizer->kind, cases[i], g->seed, o);
        t->limits = limits;
        if (!clean && o->verdict == VERDICT_UNSAFE)
            return cases[i];
    }
    return NULL;
}

bool grade_runs_on(const struct outcome *o)
{
    return strstr(o->reason, " runs at ") || strstr(o->reason, " run at ");
}

/* Whether it is what comes of a loop that does not end, and not why: its counter's overflow. */
static bool follows_from_hang(const struct outcome *hang, const struct outcome *seen)
{
    return hang->verdict == VERDICT_TIMEOUT && strstr(seen->reason, "signed integer overflow");
}

/* Into the hint for a wrong result, a crash or a hang: what one of these sanitizers sees; false for
 * nothing. */
static bool ask(const struct grading *g, struct trial *t, const struct lab_case *failing, int which,
                struct task_result *result)
{
    const struct lab_task *task = t->task;
    const struct lab_case *cases[LAB_MAX_CASES + 1];
    const int n = grade_order(g, task, task->cases, task->n_cases, failing, cases);
    const int safety = t->op->ranks ? SAFETY_ADDRESS : task->safety; /* tells why, judges nothing */
    for (int k = 0; k < N_SANITIZERS; k++) {
        struct outcome o;
        if (!(safety & sanitizers[k].bit & which))
            continue;
        const struct lab_case *where = sees(g, t, &sanitizers[k], cases, n, &o);
        if (!where || follows_from_hang(&result->outcome, &o))
            continue;
        char elsewhere[LAB_NAME + 20];
        const char *before = result->outcome.hint;
        outcome_hint(&result->outcome, "a sanitizer sees: %.300s%s%s%.150s", o.reason,
                     grade_elsewhere(where, failing, elsewhere, sizeof elsewhere),
                     *before ? "; " : "", before);
        grade_quote(g, t, result);
        return true;
    }
    return false;
}

bool grade_ask_address(const struct grading *g, struct trial *t, const struct lab_case *failing,
                       struct task_result *result)
{
    return ask(g, t, failing, SAFETY_ADDRESS, result);
}

void grade_ask_sanitizers(const struct grading *g, struct trial *t, const struct lab_case *failing,
                          struct task_result *result)
{
    const bool waits =
        result->outcome.verdict == VERDICT_TIMEOUT && !grade_runs_on(&result->outcome);
    ask(g, t, failing, waits ? SAFETY_THREADS : SAFETY_ADDRESS | SAFETY_THREADS, result);
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

bool grade_unseen(enum verdict verdict)
{
    if (DEFENCE(unsafe) && (verdict == VERDICT_BUILD || verdict == VERDICT_REJECTED))
        return true;
    if (DEFENCE(every_build))
        return verdict != VERDICT_PASS && verdict != VERDICT_ENVIRONMENT &&
               verdict != VERDICT_PENDING;
    return false;
}

/* "; threads: clean" behind what the note of the sanitizers holds. */
static void note(struct task_result *result, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note(struct task_result *result, const char *name, const char *format, ...)
{
    struct text found = {0};
    va_list args;
    va_start(args, format);
    text_vadd(&found, format, args);
    va_end(args);
    text_fit(result->safety, sizeof result->safety, "%s%s%s: %s", result->safety,
             *result->safety ? "; " : "", name, text_string(&found));
    text_free(&found);
}

/* What is to be said where nothing was found in `looked` cases of n. */
static void note_clean(struct trial *t, const struct sanitizer *sanitizer, int looked, int n,
                       struct task_result *result)
{
    const char *fences = trial_runner(t, sanitizer->kind)->fences
                             ? ", orders of atomic operations unchecked (it has fences)"
                             : "";
    if (looked == 0)
        note(result, "races", "not looked for (--quick)");
    else if (looked < n)
        note(result, sanitizer->name, "clean in %d of %d cases, the others unchecked (--quick)%s",
             looked, n, fences);
    else
        note(result, sanitizer->name, "clean%s", fences);
}

/* The cases that are looked at, the one that is timed behind all others: nothing tells a solution
 * more plainly than its size that nobody looks. */
static int choose(const struct grading *g, const struct lab_task *task,
                  const struct lab_case *cases[])
{
    int n = grade_order(g, task, task->cases, task->n_cases, NULL, cases);
    bool listed = task->speed_case < 0;
    for (int i = 0; i < task->n_cases; i++)
        listed |= task->cases[i] == task->speed_case;
    if (DEFENCE(timed_case) && !listed)
        cases[n++] = &g->project->lab->cases[task->speed_case];
    return n;
}

/* Whether what is wrong under a sanitizer is so without: the timed case has not been tried yet. */
static bool wrong_alone(const struct grading *g, struct trial *t, const struct lab_case *c,
                        struct task_result *result)
{
    struct outcome o = {0};
    bool wrong = false;
    if (DEFENCE(wrong_alone))
        wrong = !trial_case(t, BUILD_PLAIN, c, g->seed, &o) && o.verdict == VERDICT_WRONG;
    if (!wrong)
        return false;
    outcome_set(&result->outcome, o.verdict, "case %s: %s", c->name, o.reason);
    outcome_hint(&result->outcome, "%s", o.hint);
    grade_reproduce(g, t->task, c, "", result);
    return true;
}

/* The cases again under one sanitizer, with --quick as many as fit. Notes "address: clean" or what
 * was found. */
static void sanitize(const struct grading *g, struct trial *t, const struct sanitizer *sanitizer,
                     struct task_result *result)
{
    const struct lab_task *task = t->task;
    const char *name = sanitizer->name;
    const struct lab_case *cases[LAB_MAX_CASES + 1];
    const int n = choose(g, task, cases);
    int looked = 0;
    ui_progress("%s: building with the %s sanitizer", task->name, name);
    const struct outcome *build = &trial_runner(t, sanitizer->kind)->outcome;
    if (grade_unseen(build->verdict))
        outcome_set(&result->outcome, VERDICT_UNSAFE, "not seen by the %s sanitizer: %s", name,
                    build->reason);
    if (build->verdict == VERDICT_ENVIRONMENT && !g->quick)
        outcome_set(&result->outcome, VERDICT_ENVIRONMENT, "the %s sanitizer: %s", name,
                    build->reason);
    if (build->verdict != VERDICT_PASS) {
        note(result, name, "unchecked (%.90s)", build->reason);
        return;
    }
    const double begin = clock_now(); /* its build is not counted */
    for (double before = begin; looked < n && !hpc_interrupted(); looked++) {
        const struct lab_case *c = cases[looked];
        struct outcome o = {0};
        const double now = clock_now();
        if (g->quick &&
            now - begin + grade_growth(g, task, c) * (now - before) > GRADE_QUICK_SECONDS)
            break;
        before = now;
        ui_progress("%s: %s sanitizer, case %s", task->name, name, c->name);
        if (trial_case(t, sanitizer->kind, c, g->seed, &o))
            continue;
        if (!counts(o.verdict))
            continue;
        if (o.verdict == VERDICT_ENVIRONMENT) { /* nothing was looked at: its points wait */
            outcome_set(&result->outcome, o.verdict, "case %s under the %s sanitizer: %s", c->name,
                        name, o.reason);
            note(result, name, "unchecked");
            return;
        }
        if (o.verdict == VERDICT_WRONG && wrong_alone(g, t, c, result)) {
            note(result, name, "unchecked (it is wrong)");
            return;
        }
        /* The bounds leave room for whatever a compiler may round. */
        const bool other = o.verdict == VERDICT_WRONG;
        char option[40];
        snprintf(option, sizeof option, " --safety %s", name);
        outcome_set(&result->outcome, other ? VERDICT_UNSAFE : o.verdict, "case %s: %s%s", c->name,
                    other ? "right alone, wrong under a sanitizer: " : "", o.reason);
        grade_reproduce(g, task, c, option, result);
        grade_quote(g, t, result);
        note(result, name, "found a fault");
        return;
    }
    note_clean(t, sanitizer, looked, n, result);
}

void grade_sanitize(const struct grading *g, struct trial *t, struct task_result *result)
{
    const struct lab_task *task = t->task;
    if (g->quick && !(task->safety & SAFETY_THREADS)) {
        text_fit(result->safety, sizeof result->safety, "unchecked (--quick)");
        return;
    }
    for (int k = 0; k < N_SANITIZERS && result->outcome.verdict == VERDICT_PASS; k++)
        if (asked(g, task, &sanitizers[k]))
            sanitize(g, t, &sanitizers[k], result);
}
