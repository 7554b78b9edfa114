/* convpool/pool_cpu: convolution, then average pooling, as convpool.h writes them down.
 *
 * The first variant of convpool, and the readable one. Any layout and type.
 * What limits it: it computes every product that [Suita], Lemma 1 counts, C R S pool^2 for each
 * output. The methods in variants/pool_*.cu save of these, or hand them to a library. */
#include <stdlib.h>

#include "conv2d/convpool.h"
#include "conv2d/element.h"

struct pool {
    const struct convpool_problem *p;
    int threads;
};

static int pool_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct pool *s = malloc(sizeof *s);
    if (!s)
        return 1;
    *s = (struct pool){problem, env->threads};
    *state = s;
    return 0;
}

/* conv[n][k][row][column] */
static float convolution(const struct conv2d_problem *p, const void *x, const void *w, int n, int k,
                         int row, int column)
{
    float sum = 0;
    for (int c = 0; c < p->c; c++)
        for (int r = 0; r < p->r; r++)
            for (int s = 0; s < p->s; s++) {
                const int i = row + r - p->pad, j = column + s - p->pad;
                if (i >= 0 && i < p->h && j >= 0 && j < p->w)
                    sum += element_get(w, p->type, conv2d_w_at(p, k, c, r, s)) *
                           element_get(x, p->type, conv2d_x_at(p, n, c, i, j));
            }
    return sum;
}

/* Where y[n][k][u][v] lies. */
static size_t y_at(const struct convpool_problem *p, int n, int k, int u, int v)
{
    const size_t rows = (size_t)convpool_rows(p), columns = (size_t)convpool_columns(p);
    if (p->conv.layout == CONV_NCHW)
        return (((size_t)n * p->conv.k + k) * rows + u) * columns + v;
    return (((size_t)n * rows + u) * columns + v) * p->conv.k + k;
}

static int pool_run(void *state, const void *const in[], void *const out[])
{
    const struct pool *s = state;
    const struct convpool_problem *p = s->p;
    const int pool = p->pool;
#pragma omp parallel for collapse(2) num_threads(s->threads)
    for (int n = 0; n < p->conv.n; n++)
        for (int k = 0; k < p->conv.k; k++)
            for (int u = 0; u < convpool_rows(p); u++)
                for (int v = 0; v < convpool_columns(p); v++) {
                    float sum = 0;
                    for (int i = 0; i < pool * pool; i++)
                        sum += convolution(&p->conv, in[CONV2D_X], in[CONV2D_W], n, k,
                                           u * pool + i / pool, v * pool + i % pool);
                    element_put(out[CONV2D_Y], p->conv.type, y_at(p, n, k, u, v),
                                sum / (float)(pool * pool));
                }
    return 0;
}

static void pool_close(void *state)
{
    free(state);
}

const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", "pool_cpu", pool_open, pool_run, pool_close,
};
