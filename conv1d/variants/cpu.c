/* conv1d/cpu: the formula, one output after another, on one core.
 *
 * The first variant: [Dong], section 4, Code 1, with the ends of the signal: where the mask hangs
 * over an end, its taps there meet zeros and are left out, so j runs from `low` to `high`.
 * What limits it: an output's additions wait for each other, four cycles or so a tap, and nothing
 * is done for several outputs at a time. */
#include "conv1d/conv1d.h"

static int cpu_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem;
    return 0;
}

static int cpu_run(void *state, const void *const in[], void *const out[])
{
    const struct conv1d_problem *p = state;
    const float *x = in[CONV1D_X], *w = in[CONV1D_W];
    float *y = out[CONV1D_Y];
    const int64_t n = (int64_t)p->n, r = p->radius;
    for (int64_t i = 0; i < n; i++) {
        const int64_t low = i < r ? -i : -r, high = n - 1 - i < r ? n - 1 - i : r;
        float sum = 0;
        for (int64_t j = low; j <= high; j++)
            sum += w[j + r] * x[i + j];
        y[i] = sum;
    }
    return 0;
}

static void cpu_close(void *state)
{
    (void)state;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "conv1d", "cpu", cpu_open, cpu_run, cpu_close};
