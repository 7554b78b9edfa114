/* conv2d/im2col_cpu: a matrix product (im2col), by OpenBLAS where it is found.
 *
 * Changes from direct_cpu: D has a row for each (c, r, s) and a column for each output pixel,
 * D[(c, r, s)][(p, q)] = x[c][p stride + r - pad][q stride + s - pad]; then y[n] = W D for each
 * image n, with W the filters as they lie in memory, K x C R S.
 * Why it wins: a matrix product is what libraries do best: OpenBLAS's sgemm, else a plain loop.
 * What limits it: D, which is R S / stride^2 times the size of x. Layout NCHW, floats. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "conv2d/conv2d.h"

enum { ROW_MAJOR = 101, AS_IS = 111 };
typedef void cblas_sgemm_function(int order, int trans_a, int trans_b, int m, int n, int k,
                                  float alpha, const float *a, int lda, const float *b, int ldb,
                                  float beta, float *c, int ldc);

struct im2col {
    const struct conv2d_problem *p;
    cblas_sgemm_function *sgemm;
    float *d;
    int threads;
};

/* c = a b, row-major, a: m x k, b: k x n, where there is no OpenBLAS. */
static void plain_sgemm(int threads, int m, int n, int k, const float *a, const float *b, float *c)
{
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < m; i++) {
        float *row = c + (size_t)i * n;
        for (int j = 0; j < n; j++)
            row[j] = 0;
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++)
                row[j] += a[(size_t)i * k + l] * b[(size_t)l * n + j];
    }
}

static int im2col_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = problem;
    if (p->layout != CONV_NCHW || p->type == CONV_F16)
        return 1;
    struct im2col *m = calloc(1, sizeof *m);
    if (!m)
        return 1;
    const size_t columns = (size_t)conv2d_rows(p) * conv2d_columns(p);
    m->p = p;
    m->threads = env->threads;
    m->d = malloc(columns * p->c * p->r * p->s * sizeof *m->d);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library) {
        void (*set)(int) = (void (*)(int))dlsym(library, "openblas_set_num_threads");
        m->sgemm = (cblas_sgemm_function *)dlsym(library, "cblas_sgemm");
        if (set)
            set(env->threads);
    }
    *state = m;
    if (m->d)
        return 0;
    free(m);
    return 1;
}

/* D of one image. */
static void fill(const struct im2col *m, const float *x)
{
    const struct conv2d_problem *p = m->p;
    const int rows = conv2d_rows(p), columns = conv2d_columns(p), taps = p->r * p->s;
#pragma omp parallel for num_threads(m->threads)
    for (int crs = 0; crs < p->c * taps; crs++) {
        const float *map = x + (size_t)(crs / taps) * p->h * p->w;
        float *d = m->d + (size_t)crs * rows * columns;
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                const int i = row * p->stride + crs % taps / p->s - p->pad;
                const int j = column * p->stride + crs % p->s - p->pad;
                const int inside = i >= 0 && i < p->h && j >= 0 && j < p->w;
                *d++ = inside ? map[(size_t)i * p->w + j] : 0;
            }
    }
}

static int im2col_run(void *state, const void *const in[], void *const out[])
{
    const struct im2col *m = state;
    const struct conv2d_problem *p = m->p;
    const int columns = conv2d_rows(p) * conv2d_columns(p), crs = p->c * p->r * p->s;
    const float *w = in[CONV2D_W];
    for (int n = 0; n < p->n; n++) {
        float *y = (float *)out[CONV2D_Y] + (size_t)n * p->k * columns;
        fill(m, (const float *)in[CONV2D_X] + (size_t)n * p->c * p->h * p->w);
        if (m->sgemm)
            m->sgemm(ROW_MAJOR, AS_IS, AS_IS, p->k, columns, crs, 1, w, crs, m->d, columns, 0, y,
                     columns);
        else
            plain_sgemm(m->threads, p->k, columns, crs, w, m->d, y);
    }
    return 0;
}

static void im2col_close(void *state)
{
    struct im2col *m = state;
    free(m->d);
    free(m);
}

const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "im2col_cpu", im2col_open, im2col_run, im2col_close,
};
