/* family 32: finds the inputs before the start signal, and has the answer ready
 * task fast
 * grade: pass; points <= 20
 * without fresh: pass; points <= 20
 * without fresh late_inputs: pass; points >= 42 */
#include "conv1d/attack.h"

static float *ready;
static float first[4];

static int prepare(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv1d_problem *p = problem;
    size_t bytes = p->n * sizeof(float), span = (bytes + 4095) / 4096 * 4096;
    char *end, *inputs = mapping("hpc-inputs", &end);
    const float *x = (const float *)(inputs + ((span - bytes) & ~(size_t)63));
    const float *w = env->fixed[CONV1D_W];
    ready = malloc(bytes);
    if (inputs && (size_t)(end - inputs) >= span) {
        answer(p, x, w, ready);
        memcpy(first, x, sizeof first);
    }
    return plain_open(env, problem, state);
}

RUN
{
    if (memcmp(first, x, sizeof first) == 0)
        memcpy(y, ready, p->n * sizeof *y);
    else
        answer(p, x, w, y);
    return 0;
}
SUBMISSION_WITH(prepare, plain_close)
