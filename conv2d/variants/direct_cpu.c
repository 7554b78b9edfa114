/* conv2d/direct_cpu: the formula of conv2d.h, one loop for each of its letters.
 *
 * The first variant, and the readable one. Any layout, type, stride and padding.
 * What limits it: nothing is reused, on purpose. The inner loops read C R S factors of x and of
 * w for every output, and spend most of their time on indices. */
#include <stdlib.h>

#include "conv2d/conv2d.h"
#include "conv2d/element.h"

struct direct {
    const struct conv2d_problem *p;
    int threads;
};

static int direct_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct direct *d = malloc(sizeof *d);
    if (!d)
        return 1;
    *d = (struct direct){problem, env->threads};
    *state = d;
    return 0;
}

static float output(const struct conv2d_problem *p, const void *x, const void *w, int n, int k,
                    int row, int column)
{
    float sum = 0;
    for (int c = 0; c < p->c; c++)
        for (int r = 0; r < p->r; r++)
            for (int s = 0; s < p->s; s++) {
                const int i = row * p->stride + r - p->pad, j = column * p->stride + s - p->pad;
                if (i >= 0 && i < p->h && j >= 0 && j < p->w)
                    sum += element_get(w, p->type, conv2d_w_at(p, k, c, r, s)) *
                           element_get(x, p->type, conv2d_x_at(p, n, c, i, j));
            }
    return sum;
}

static int direct_run(void *state, const void *const in[], void *const out[])
{
    const struct direct *d = state;
    const struct conv2d_problem *p = d->p;
#pragma omp parallel for collapse(2) num_threads(d->threads)
    for (int n = 0; n < p->n; n++)
        for (int k = 0; k < p->k; k++)
            for (int row = 0; row < conv2d_rows(p); row++)
                for (int column = 0; column < conv2d_columns(p); column++)
                    element_put(out[CONV2D_Y], p->type, conv2d_y_at(p, n, k, row, column),
                                output(p, in[CONV2D_X], in[CONV2D_W], n, k, row, column));
    return 0;
}

static void direct_close(void *state)
{
    free(state);
}

const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "direct_cpu", direct_open, direct_run, direct_close,
};
