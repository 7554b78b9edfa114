/* convpool/pool_cublas_fused: cuBLAS(fused) of [Suita], section 3.
 *
 * Changes from pool_cudnn_fused: the matrix D_p(x), whose rows are the windows that lie `pool`
 * apart, times the fused filters V(W * alpha), by cuBLAS. Any layout and type.
 * Why it wins where it does: a matrix product is what libraries do best.
 * What limits it: D_p, (R + pool - 1)(S + pool - 1) / pool^2 times the size of x, 4 times for 3
 * x 3 and 2 x 2, which is written and read again. */
#include "conv2d/variants/pool_linear.h"
#include "conv2d/variants/windows_product.h"

namespace
{

struct fused {
    windows_product *product;
    void *filters;
};

int fused_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    windows_product *product = shared<windows_product>::open(fused_problem(p));
    if (!product)
        return 1;
    *state = new fused{product, fuse_filters(p, env->fixed[CONV2D_W])};
    return 0;
}

int fused_run(void *state, const void *const in[], void *const out[])
{
    const fused *s = (const fused *)state;
    s->product->fill(in[CONV2D_X]);
    s->product->multiply(s->filters, out[CONV2D_Y]);
    return 0;
}

void fused_close(void *state)
{
    fused *s = (fused *)state;
    CUDA(cudaFree(s->filters));
    shared<windows_product>::close(s->product);
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", "pool_cublas_fused", fused_open, fused_run, fused_close,
};
