/* What a call that does not return waits for, beyond where its threads stand (exchange/hang.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "harness/grade/internal.h"
#include "harness/trial/simplify.h"

/* Whether a line of the student's file that a thread stands at has this word. */
static bool stands_at(const struct outcome *o, const char *word)
{
    return strstr(o->hint, word) != NULL;
}

/* All threads stand at one line, and no other thread is spoken of. */
static bool all_together(const struct outcome *o)
{
    const char *wait = strstr(o->reason, ": threads 0, ");
    return wait && strstr(wait, " wait at ") && !strstr(wait, "; thread");
}

/* Whether a thread, or several together, wait at a line of the file. */
static bool waits_somewhere(const struct outcome *o)
{
    return strstr(o->reason, " waits at ") || strstr(o->reason, " wait at ");
}

/* What a reason says behind its case. */
static const char *joined(const char *reason)
{
    const char *said = strncmp(reason, "case ", 5) == 0 ? strstr(reason, ": ") : NULL;
    return said ? said + 2 : reason;
}

/* The memory that decides whether it returns, in front of where its threads stand. */
static bool say_unset(const struct grading *g, struct trial *t, const struct lab_case *failing,
                      struct outcome *o)
{
    const char *stands = strstr(o->reason, ": ");
    if (!stands || !trial_hangs_unset(t, build_plain(g->device), failing, g->seed))
        return false;
    const struct outcome was = *o;
    stands = was.reason + (stands - o->reason);
    outcome_reason(o,
                   "%.*s: " TRIAL_UNSET "malloc gave before anything is written there, and does "
                   "not return: right where that is zeros (an atomic variable there needs "
                   "atomic_init, a count = 0)",
                   (int)(stands - was.reason), was.reason);
    outcome_hint(o, "%s%s%s", stands + 2, *was.hint ? outcome_joint(stands) : "", was.hint);
    return true;
}

/* A close() that waits for a thread's end, which waits for a condition. */
static bool joins_a_waiter(struct outcome *o)
{
    if (strncmp(joined(o->reason), "close() ", 8) != 0 || !stands_at(o, "pthread_join") ||
        !stands_at(o, "cond_wait"))
        return false;
    outcome_hint(o,
                 "close() joins a thread that waits for a condition which nobody signals any more: "
                 "who tells it to end (quit = 1, with the mutex held) wakes it, too, by "
                 "pthread_cond_broadcast or at the barrier where it waits; %s",
                 o->hint);
    return true;
}

/* Whether memory that is written out of bounds may be why, as where a lock or a barrier's count
 * lies there: that is the first line then. */
static bool overwritten(const struct grading *g, const struct grading *brief, struct trial *t,
                        const struct lab_case *failing, struct task_result *result)
{
    struct outcome *o = &result->outcome;
    const struct outcome was = *o;
    if (!task_threaded(t->task))
        return false;
    outcome_hint(o, "%s", "");
    const bool seen = grade_ask_address(brief, t, failing, result) &&
                      (strstr(o->hint, "overflow at ") || strstr(o->hint, "out of bounds at ") ||
                       strstr(o->hint, "-free at "));
    if (seen)
        grade_diagnose(g, t, failing, result);
    else
        *o = was;
    return seen;
}

/* Whether a thread runs in a loop without a body, which asks for what a variable holds: a plain
 * one, or an atomic one. */
static bool spins(const struct grading *g, const struct outcome *o, bool atomic)
{
    const char *at = strstr(o->reason, " run at ");
    char line[160] = "", next[160] = "", body[4];
    long number;
    char *path = grade_place(g->project->root, at ? at + strlen(" run at ") : NULL, &number);
    if (!path)
        return false;
    grade_line(path, number, line, sizeof line);
    grade_line(path, number + 1, next, sizeof next);
    free(path);
    const bool empty = (sscanf(next, " %3s", body) == 1 && strcmp(body, ";") == 0) ||
                       strstr(line, ");") || strstr(line, "{}");
    return strstr(line, "while (") && empty && (strstr(line, "atomic") != NULL) == atomic;
}

/* A wait that ends for nobody, by the words of its line alone. */
static bool waits_for_nobody(struct outcome *o)
{
    if (strstr(o->reason, STAND_COPIES)) {
        outcome_hint(o,
                     "what is passed by value is a copy, and who wakes the threads that wait for "
                     "one wakes nobody who waits for another: pass a barrier, a lock or a "
                     "condition by its address, as (struct barrier *b); %s",
                     o->hint);
        return true;
    }
    if (stands_at(o, "cond_wait") && all_together(o)) {
        outcome_hint(o,
                     "all threads wait for a condition, so that nobody is left to signal it: a "
                     "signal wakes one of those that wait, and a broadcast all; a signal before "
                     "the wait is lost, and what a waiter looks at must stay true "
                     "until it has looked, as of a turn that counts up; %s",
                     o->hint);
        return true;
    }
    if (stands_at(o, "sem_wait") && all_together(o)) {
        outcome_hint(o,
                     "all threads wait for a semaphore, so that nobody is left to post it: each "
                     "sem_wait takes one sem_post, and lets one thread go on; a barrier of T "
                     "threads needs T of them each time; %s",
                     o->hint);
        return true;
    }
    if (stands_at(o, "omp critical") && !strstr(o->reason, " for a lock that ")) {
        outcome_hint(o,
                     "critical sections without a name are all one lock, and so are those of one "
                     "name: who enters one inside of another waits for itself; %s",
                     o->hint);
        return true;
    }
    return false;
}

static const char blocks_in_any_order[] =
    "blocks begin in any order, and what does not fit on the GPU begins only when others end, so "
    "that no block may wait for another: what needs all blocks' results is a kernel launched "
    "behind this one, and threads of a block wait by __syncthreads()";

void grade_explain_limit(struct outcome *o)
{
    /* of a solution in CUDA all threads are the device's, one more for each block that waits */
    if (strstr(o->reason, " processes and threads"))
        outcome_hint(o, "a kernel's blocks wait for each other: %s", blocks_in_any_order);
}

static void explain(const struct grading *g, struct trial *t, const struct lab_case *failing,
                    struct task_result *result)
{
    const struct grading brief = {.project = g->project, .seed = g->seed, .quick = true};
    struct outcome *o = &result->outcome;
    grade_quote(g, t, result);
    if (grade_endless_wait(g, t, o) || overwritten(g, &brief, t, failing, result) ||
        joins_a_waiter(o))
        return;
    if (grade_called_start(g, t, result))
        return;
    if (strstr(o->reason, " for a lock that it holds itself") && grade_unheld_wait(g, t, result))
        return;
    if (waits_for_nobody(o) || grade_endless_loop(g, t, o))
        return;
    const bool known = strstr(o->reason, " in a barrier to which ") ||
                       strstr(o->reason, " for a lock that ") || stands_at(o, "barrier");
    if (!known && !lab_task_cuda(t->task) && say_unset(g, t, failing, o))
        return;
    if (!known && !lab_task_cuda(t->task) && (t->task->threads != 1 || grade_runs_on(o))) {
        outcome_hint(o, "%s", "");
        grade_ask_sanitizers(&brief, t, failing, result);
        if (!o->hint[0])
            grade_quote(g, t, result);
    }
    const bool of_kernel = lab_task_cuda(t->task);
    if (of_kernel && (spins(g, o, true) || spins(g, o, false)))
        outcome_hint(o, "a kernel's thread waits in that loop for what others write: %s; %s",
                     blocks_in_any_order, o->hint);
    else if (!strstr(o->hint, " sees: ") && spins(g, o, false))
        outcome_hint(o,
                     "a compiler reads a plain variable once, before such a loop, whatever other "
                     "threads write there: make it _Atomic, or wait for a condition; %s",
                     o->hint);
    if (strstr(o->hint, " sees: "))
        grade_diagnose(g, t, failing, result);
    else if (strstr(o->reason, " in no line of the file") && waits_somewhere(o))
        outcome_hint(o,
                     "threads wait for each other at different places: all threads of a region "
                     "come to the same `omp for`, `single` and `barrier`, and to none of them "
                     "inside of another; %s",
                     o->hint);
}

void grade_explain_hang(const struct grading *g, struct trial *t, const struct lab_case *failing,
                        struct task_result *result)
{
    const struct jail_limits limits = t->limits;
    t->limits.wall_seconds = 1; /* a hint is not worth a second wait for the whole deadline */
    explain(g, t, failing, result);
    t->limits = limits;
}
