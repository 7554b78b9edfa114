/* Whether a kernel's index holds what its contract allows: the last blocks of a launch of over 2^31
 * outputs, on arrays of which only the end is there.
 *
 * The variant is told of a problem with so many more elements, and gets pointers that lie as far
 * before its small arrays; the CPU device runs those blocks alone whose outputs are in them. What
 * suits no such look, as a grid of few blocks that walk through all of it, is wrong with fewer more
 * too, where an int holds all indices, and nothing is said of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine/machine.h"
#include "harness/trial/internal.h"

#define LOOKED_AT 256 /* outputs, the last ones */

/* Whether the last outputs of the call are right. */
static bool end_right(const struct hpc_op *op, const void *problem,
                      const struct exchange_call *call)
{
    struct hpc_layout layout;
    double *want[HPC_MAX_ARRAYS] = {NULL}, *bound[HPC_MAX_ARRAYS] = {NULL};
    op->layout(problem, &layout);
    const size_t n = layout.out[0].count;
    want[0] = hpc_calloc(n + 1, sizeof **want);
    bound[0] = hpc_calloc(n + 1, sizeof **bound);
    op->expected(problem, call->in, want, bound);
    const float *got = call->out[0];
    bool right = n >= LOOKED_AT;
    for (size_t i = right ? n - LOOKED_AT : n; i < n; i++)
        right = right && fabs((double)got[i] - want[0][i]) <= bound[0][i];
    free(want[0]);
    free(bound[0]);
    return right;
}

/* What the machine or the clock ended tells nothing. */
enum end { END_RIGHT, END_WRONG, END_REFUSED, END_UNKNOWN };

/* One call with `ahead` elements before those that are there. */
static enum end end_at(struct trial *t, const struct build_result *built, const struct lab_case *c,
                       const struct ready_case *ready, uint64_t ahead)
{
    struct outcome o = {0};
    struct exchange_call call;
    unsigned char far[HPC_MAX_PROBLEM];
    memcpy(far, ready->problem, sizeof far);
    c->op->ahead(far, ahead);
    struct exchange_spec spec = {.runner = built->output,
                                 .op = c->op,
                                 .problem = ready->problem,
                                 .seed = ready->seed,
                                 .env = {t->threads, machine_here()->simd, NULL},
                                 .limits = t->limits,
                                 .shown = far,
                                 .ahead = ahead};
    spec.limits.wall_seconds = 3;
    build_runner_needs(built, &spec);
    struct exchange *x = exchange_open(&spec, &o);
    const bool ran = x && exchange_run(x, 1, true, &call, &o);
    const bool right = ran && end_right(c->op, ready->problem, &call);
    const bool refused = !ran && o.verdict == VERDICT_WRONG;
    const bool known = ran || o.verdict == VERDICT_WRONG || o.verdict == VERDICT_CRASH;
    if (x)
        exchange_close(x, &o, NULL, 0);
    return right ? END_RIGHT : refused ? END_REFUSED : known ? END_WRONG : END_UNKNOWN;
}

uint64_t trial_far(struct trial *t, uint64_t seed, enum trial_far *why)
{
    /* a million before an array there may be another; 2^29 before it is nothing, so blocks that
     * have outputs there, too, end in the second of these */
    static const uint64_t near[] = {1 << 20, 1 << 29},
                          far[] = {(UINT64_C(1) << 31) + 4096, (UINT64_C(1) << 32) + 4096},
                          rounded =
                              (UINT64_C(1) << 31) + 4096 + 100; /* by a float to 2^31 + 4096 */
    struct lab_case c = t->project->lab->cases[t->task->cases[0]];
    const struct build_result *built = trial_runner(t, BUILD_PLAIN);
    struct ready_case ready;
    struct hpc_error err;
    char keys[40];
    if (!c.op->ahead || built->outcome.verdict != VERDICT_PASS)
        return 0;
    snprintf(keys, sizeof keys, "%s", c.op->ahead_keys);
    if (!hpc_params_set_word(&c.params, keys, "a far index", &err) ||
        !case_ready(&c, seed, t->threads, &ready, &err))
        return 0;
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        if (end_at(t, built, &c, &ready, near[i]) != END_RIGHT)
            return 0;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        const enum end end = end_at(t, built, &c, &ready, far[i]);
        *why = end == END_REFUSED ? FAR_REFUSED : FAR_WRAPS;
        if (end == END_WRONG || end == END_REFUSED)
            return far[i];
    }
    *why = FAR_ROUNDED;
    return end_at(t, built, &c, &ready, rounded) == END_WRONG ? rounded : 0;
}
