/* A task under trial: its runners, each built once; a case; its timing against a baseline. */
#include "harness/trial/trial.h"

#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "common/stats.h"
#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

#define CALLS 2 /* of a case: the second shows what the first left behind */
/* Of ranks, which have no sanitizer with its one call: close() comes after an odd number. */
#define RANKS_CALLS 3
/* A GPU's calls take a part of a millisecond, and the copies around them a thousand times that. */
#define DEVICE_PAIRS 7
#define DEVICE_CALLS 5

/* Of a variant that no lab limits. */
static const struct jail_limits wide_limits = {.cpu_seconds = 3600,
                                               .wall_seconds = 600,
                                               .file_bytes = 64 << 20,
                                               .output_bytes = 64 << 10,
                                               .processes = 256};

struct trial *trial_open(const struct project *project, const struct lab_task *task,
                         const char *whose)
{
    struct trial *t = hpc_calloc(1, sizeof *t);
    const struct variant *v = task ? NULL : catalogue_find(project->catalogue, whose);
    t->project = project;
    t->task = task;
    t->whose = whose;
    t->op = task ? task->op : v ? v->op : NULL;
    t->threads = task ? task_threads(task) : machine_here()->cores;
    t->limits = task ? task->limits : wide_limits;
    return t;
}

void trial_close(struct trial *t)
{
    free(t);
}

const struct build_result *trial_runner(struct trial *t, enum build_kind kind)
{
    if (kind == BUILD_CUDA && t->task && !lab_task_cuda(t->task))
        kind = BUILD_PLAIN;
    struct build_result *built = &t->built[kind];
    if (t->tried[kind])
        return built;
    t->tried[kind] = true;
    if (strchr(t->whose, '/'))
        build_catalogue(t->project, t->whose, kind, built);
    else
        build_task(t->project, t->task, t->whose, kind, built);
    if (t->task && strcmp(t->whose, "student") == 0)
        built->term = t->task->term;
    return built;
}

const struct build_result *trial_baseline(struct trial *t)
{
    if (!t->tried_baseline)
        build_catalogue(t->project, t->task->baseline,
                        lab_task_cuda(t->task) ? BUILD_CUDA : BUILD_PLAIN, &t->baseline);
    t->tried_baseline = true;
    return &t->baseline;
}

/* On a GPU: a copy that moves the bytes which the operation's problem must move. */
static const struct build_result *copy_of(struct trial *t)
{
    if (!t->tried_copy)
        build_copy(t->project->root, t->op, &t->copy);
    t->tried_copy = true;
    return &t->copy;
}

/* Of what is right: what it prints is dropped, and said to be. */
static void remark_printing(const char *output, struct outcome *o)
{
    if (o->verdict == VERDICT_PASS && output && output[0])
        outcome_hint(o,
                     "it prints (\"%.*s\" ..), which is dropped here and costs time: ./hpclab run "
                     "--debug shows it; leave it out before you hand in",
                     (int)(strcspn(output, "\n") < 40 ? strcspn(output, "\n") : 40), output);
}

/* And what it allocates in run(), where each call pays for it. */
static void remark_allocating(const struct case_try *try, struct outcome *o)
{
    char place[1][EXCHANGE_PLACE] = {""};
    if (o->verdict != VERDICT_PASS || try->built->sanitized || try->allocations == 0)
        return;
    exchange_places(try->built->output, &try->allocated_at, place, 1);
    outcome_hint(o,
                 "run() allocates memory, %llu time%s in a call of case %s%s%s: it is to allocate "
                 "nothing, which each call pays for: open() does, once%s%s",
                 (unsigned long long)try->allocations, try->allocations == 1 ? "" : "s",
                 try->c->name, *place[0] ? ", first at " : "", place[0],
                 o->hint[0] ? outcome_joint(o->hint) : "", o->hint);
}

/* Whether a source, "labs/lab9/ring.c:38", has that word; false of one that can't be read. */
static bool has_word(const char *root, const char *place, const char *word)
{
    char *path = hpc_printf("%s/%.*s", root, (int)strcspn(place, ":"), place), *line = NULL;
    FILE *f = fopen(path, "re");
    size_t size = 0;
    bool found = false;
    while (f && !found && getline(&line, &size, f) >= 0)
        found = strstr(line, word) != NULL;
    if (f)
        fclose(f);
    free(line);
    free(path);
    return found;
}

/* And of a receive from rank -1, MPI_ANY_SOURCE: right by luck where arithmetic made it. */
static void remark_any_source(const struct trial *t, const struct case_try *try, struct outcome *o)
{
    char place[1][EXCHANGE_PLACE] = {""};
    if (o->verdict != VERDICT_PASS || try->any_source == 0)
        return;
    exchange_places(try->built->output, &try->any_source, place, 1);
    if (!*place[0] || has_word(t->project->root, place[0], "MPI_ANY_SOURCE"))
        return;
    outcome_hint(o,
                 "at %s a rank receives from rank -1, as rank - 1 is on rank 0: that is "
                 "MPI_ANY_SOURCE, by which any rank's message will do, so it is right by luck; the "
                 "left of rank 0 is (rank + ranks - 1) %% ranks%s%s",
                 place[0], o->hint[0] ? outcome_joint(o->hint) : "", o->hint);
}

/* Whether a case of a host's task is asked behind an open() and a close(): the first one that is
 * not timed, as times are taken behind one open(). */
static bool reopens(const struct trial *t, const struct build_result *built,
                    const struct lab_case *c)
{
    int first = 0;
    if (!t->task || built->device != DEVICE_HOST || built->sanitized)
        return false;
    while (first < t->task->n_cases && t->task->cases[first] == t->task->speed_case)
        first++;
    return first < t->task->n_cases && c == &t->project->lab->cases[t->task->cases[first]];
}

#define REOPENS 3 /* tries of each way: what races is wrong in any of them */

/* A case that went wrong behind an open() and a close(), tried without: into *try, where that is
 * wrong too. Where it is right so, and wrong behind these, each time, it meets what they left,
 * mostly in a static variable. */
static void ask_without(struct case_try *try)
{
    bool right = true, wrong = true;
    for (int i = 0; i < 2 * REOPENS - 1 && right && wrong; i++) {
        struct case_try again = *try;
        again.reopen = i % 2;
        again.wrong = false;
        again.output = NULL;
        again.outcome = (struct outcome){0};
        const bool good = try_case(&again);
        right &= again.reopen || good;
        wrong &= !again.reopen || !good;
        struct case_try *const drop = right ? &again : try;
        free(drop->output);
        if (!right)
            *try = again;
    }
    if (right && wrong)
        outcome_reason(&try->outcome,
                       TRIAL_REOPENED TRIAL_AGAIN
                       "%s" TRIAL_LEFT "the value of a static variable (set it in open()), of "
                       "memory from malloc, or a thread that close() did not wait for",
                       try->outcome.reason);
}

int trial_case_threads(const struct trial *t, const struct build_result *built)
{
    const bool alone = t->task && t->task->threads == 0 && t->threads < 2;
    return alone && built->sanitized && built->device == DEVICE_HOST ? 2 : t->threads;
}

bool trial_case(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed,
                struct outcome *o)
{
    const struct build_result *built = trial_runner(t, kind);
    if (built->outcome.verdict != VERDICT_PASS) {
        *o = built->outcome;
        return false;
    }
    const int timed = t->task ? t->task->speed_case : -1;
    bool as_timed = false;
    if (DEFENCE(same_words))
        as_timed = timed >= 0 && c == &t->project->lab->cases[timed];
    struct case_try try = {.c = c,
                           .as_timed = as_timed,
                           .built = built,
                           .seed = seed,
                           .threads = trial_case_threads(t, built),
                           .limits = t->limits,
                           .calls = built->sanitized ? 1
                                    : c->op->ranks   ? RANKS_CALLS
                                                     : CALLS,
                           .keep_output = !built->sanitized,
                           .reopen = reopens(t, built, c),
                           .outcome = *o};
    bool good = try_case(&try);
    if (!good && try.reopen && try.outcome.verdict != VERDICT_ENVIRONMENT)
        ask_without(&try);
    *o = try.outcome;
    remark_printing(try.output, o);
    remark_allocating(&try, o);
    remark_any_source(t, &try, o);
    free(try.output);
    if (DEFENCE(sanitizer_probe) && o->verdict == VERDICT_CRASH &&
        (kind == BUILD_ADDRESS || kind == BUILD_THREADS))
        trial_sanitizer_works(t, kind, c, seed, o);
    return good;
}

char *trial_picture(struct trial *t, enum build_kind kind, const struct lab_case *c, uint64_t seed)
{
    struct case_try try = {.c = c,
                           .built = trial_runner(t, kind),
                           .seed = seed,
                           .threads = t->threads,
                           .limits = t->limits,
                           .calls = CALLS,
                           .plain = true,
                           .picture = true};
    if (try.built->outcome.verdict == VERDICT_PASS)
        try_case(&try);
    return try.table;
}

/* The two problems; false with *o. */
static bool make_ready(struct trial *t, const struct timing_spec *timing,
                       struct ready_case *student, struct ready_case *baseline, struct outcome *o)
{
    const struct lab_task *task = t->task;
    const struct lab_case *cases = t->project->lab->cases;
    const struct lab_case *own = timing->c ? timing->c : &cases[task->speed_case];
    const bool same = timing->c || task->baseline_case < 0;
    const struct lab_case *other = same ? own : &cases[task->baseline_case];
    struct hpc_error err;
    return (case_ready(own, timing->seed, t->threads, student, &err) &&
            case_ready(other, timing->seed, t->threads, baseline, &err)) ||
           outcome_set(o, VERDICT_ENVIRONMENT, "%s", err.text);
}

void trial_timing(struct trial *t, const struct timing_spec *timing, struct measure_result *m)
{
    const struct lab_task *task = t->task;
    const bool gpu = lab_task_cuda(task), copy = task->target_copy > 0;
    struct ready_case student, baseline;
    const struct build_result *runner = trial_runner(t, BUILD_CUDA), *other;
    memset(m, 0, sizeof *m);
    m->outcome = runner->outcome;
    if (runner->outcome.verdict != VERDICT_PASS ||
        !make_ready(t, timing, &student, &baseline, &m->outcome))
        return;
    other = copy ? copy_of(t) : trial_baseline(t);
    if (other->outcome.verdict != VERDICT_PASS) {
        outcome_set(&m->outcome, VERDICT_ENVIRONMENT, "%s: %s: %s",
                    copy ? "the copy" : task->baseline, verdict_names[other->outcome.verdict],
                    other->outcome.reason);
        return;
    }
    struct hpc_env env = {t->threads, machine_here()->simd, NULL};
    struct measure_spec spec = {
        .op = task->op,
        .seed = student.seed,
        .student = {runner->output, env, t->limits, gpu ? DEVICE_CUDA : DEVICE_HOST,
                    student.problem, runner->term, runner->env},
        .baseline = {other->output, env, t->limits, other->device, baseline.problem, NULL, NULL},
        .pairs = gpu && timing->pairs > DEVICE_PAIRS ? DEVICE_PAIRS : timing->pairs,
        .calls = timing->calls ? timing->calls
                 : gpu         ? DEVICE_CALLS
                               : 0,
        .threshold = timing->threshold,
        .quick = timing->quick,
        .watched = !gpu && t->threads > 1 && !timing->unwatched,
        .capacity = timing->capacity,
        .check = !timing->unchecked,
        .copy = copy,
        .trusted = timing->trusted,
        .label = timing->label,
    };
    measure_pairs(&spec, m);
}

double trial_copy_seconds(struct trial *t, const struct case_try *like, int calls)
{
    return t->op->copy ? trusted_seconds(t, copy_of(t), like, calls) : 0;
}
