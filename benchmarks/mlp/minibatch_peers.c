#define _GNU_SOURCE
#include "benchmarks/mlp/minibatch_peers.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

#include "mlp/minibatch_step.h"

/* The libraries' C interfaces, as far as used. */
enum { ROW_MAJOR = 101, AS_IS = 111, TRANSPOSED = 112 };
typedef void cblas_sgemm_function(int order, int trans_a, int trans_b, int m, int n, int k,
                                  float alpha, const float *a, int lda, const float *b, int ldb,
                                  float beta, float *c, int ldc);
typedef int dnnl_sgemm_function(char trans_a, char trans_b, int64_t m, int64_t n, int64_t k,
                                float alpha, const float *a, int64_t lda, const float *b,
                                int64_t ldb, float beta, float *c, int64_t ldc);
typedef void set_threads_function(int threads);
typedef char *core_name_function(void);

static cblas_sgemm_function *cblas_sgemm;
static dnnl_sgemm_function *dnnl_sgemm;
static int dnnl_threads;

static void blas_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, s.m, s.n, s.k, 1, a, s.k, b, s.n, 1, c, s.n);
}

static void blas_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    cblas_sgemm(ROW_MAJOR, AS_IS, TRANSPOSED, s.m, s.k, s.n, 1, d, s.n, b, s.n, 0, e, s.k);
}

static void blas_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    cblas_sgemm(ROW_MAJOR, TRANSPOSED, AS_IS, s.k, s.n, s.m, scale, a, s.k, d, s.n, 1, b, s.n);
}

static void dnnl_nn(struct matmul_size s, const float *a, const float *b, float *c)
{
    dnnl_sgemm('N', 'N', s.m, s.n, s.k, 1, a, s.k, b, s.n, 1, c, s.n);
}

static void dnnl_nt(struct matmul_size s, const float *d, const float *b, float *e)
{
    dnnl_sgemm('N', 'T', s.m, s.k, s.n, 1, d, s.n, b, s.n, 0, e, s.k);
}

static void dnnl_tn(struct matmul_size s, float scale, const float *a, const float *d, float *b)
{
    dnnl_sgemm('T', 'N', s.k, s.n, s.m, scale, a, s.k, d, s.n, 1, b, s.n);
}

/* A function of the first of the libraries that is here; stays loaded until the process ends. */
static void *find(const char *const *libraries, const char *function)
{
    void *found = NULL;
    for (; *libraries && !found; libraries++) {
        void *library = dlopen(*libraries, RTLD_NOW | RTLD_LOCAL);
        found = library ? dlsym(library, function) : NULL;
    }
    return found;
}

/* OpenBLAS's threads wait passively after 2^4 cycles, not after 2^26: else they would take the
 * cores from whoever is timed next. Read once, when the library is loaded. */
static int openblas_open(const struct hpc_env *env, const void *problem, void **state)
{
    static const char *const libraries[] = {"libopenblas.so.0", "libopenblas.so", NULL};
    setenv("OPENBLAS_THREAD_TIMEOUT", "4", 0);
    /* Versions older than the processor do not know it and take kernels without AVX-512. */
    if (env->simd == HPC_SIMD_AVX512 || env->simd == HPC_SIMD_AMX)
        setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    cblas_sgemm = (cblas_sgemm_function *)find(libraries, "cblas_sgemm");
    set_threads_function *set = (set_threads_function *)find(libraries, "openblas_set_num_threads");
    if (!cblas_sgemm || !set)
        return 1;
    set(env->threads);
    core_name_function *core = (core_name_function *)find(libraries, "openblas_get_corename");
    printf("OpenBLAS: kernels for %s\n", core ? core() : "an unknown core");
    return minibatch_open(env, problem, state);
}

static int onednn_open(const struct hpc_env *env, const void *problem, void **state)
{
    static const char *const libraries[] = {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so", NULL};
    dnnl_sgemm = (dnnl_sgemm_function *)find(libraries, "dnnl_sgemm");
    dnnl_threads = env->threads;
    return dnnl_sgemm ? minibatch_open(env, problem, state) : 1;
}

static int openblas_run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {blas_nn, blas_nt, blas_tn};
    return minibatch_run(state, &products, in, out);
}

/* As openblas_open, with deltas to multiply: zeros would cost less power. */
static int products_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    if (openblas_open(env, problem, state))
        return 1;
    const struct minibatch *b = *state;
    const int last = p->n_layers - 1, m = p->batch < p->samples ? p->batch : p->samples;
    for (int i = 0; i < m * p->size[last]; i++)
        b->d[last][i] = (float)(i * 37 % 101 - 50) * 1e-3F;
    return 0;
}

static void products_step(const struct minibatch *b, int m, const float *x, float *w)
{
    const struct mlp_problem *p = b->problem;
    for (int l = 0; l < p->n_layers - 1; l++) {
        const struct matmul_size s = minibatch_size(p, l, m);
        cblas_sgemm(ROW_MAJOR, AS_IS, AS_IS, s.m, s.n, s.k, 1, l ? b->o[l] : x, s.k,
                    w + mlp_offset(p, l), s.n, 0, b->o[l + 1], s.n);
    }
    for (int l = p->n_layers - 2; l >= 0; l--) {
        const struct matmul_size s = minibatch_size(p, l, m);
        if (l > 0)
            blas_nt(s, b->d[l + 1], w + mlp_offset(p, l), b->d[l]);
        blas_tn(s, 1e-6F, l ? b->o[l] : x, b->d[l + 1], w + mlp_offset(p, l));
    }
}

static int products_run(void *state, const void *const in[], void *const out[])
{
    const struct minibatch *b = state;
    const struct mlp_problem *p = b->problem;
    float *w = out[MLP_W];
    memcpy(w, in[MLP_W0], mlp_weights(p) * sizeof *w);
    for (int epoch = 0; epoch < p->epochs; epoch++)
        for (int first = 0; first < p->samples; first += p->batch)
            products_step(b, p->batch < p->samples - first ? p->batch : p->samples - first,
                          (const float *)in[MLP_X] + (size_t)first * p->size[0], w);
    return 0;
}

static int onednn_run(void *state, const void *const in[], void *const out[])
{
    static const struct minibatch_products products = {dnnl_nn, dnnl_nt, dnnl_tn};
    omp_set_num_threads(dnnl_threads);
    return minibatch_run(state, &products, in, out);
}

#define PEER(name, open, run)                                                                      \
    {                                                                                              \
        HPC_ABI, "mlp_minibatch", name, open, run, minibatch_close                                 \
    }
const struct hpc_variant peer_openblas = PEER("OpenBLAS", openblas_open, openblas_run);
const struct hpc_variant peer_openblas_products =
    PEER("OpenBLAS, products alone", products_open, products_run);
const struct hpc_variant peer_onednn = PEER("oneDNN", onednn_open, onednn_run);
