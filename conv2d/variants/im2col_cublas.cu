/* conv2d/im2col_cublas: one matrix product, by cuBLAS.
 *
 * Changes from im2col_cpu: the GPU makes D and cuBLAS multiplies. Any layout and type.
 * Why it wins over tiled2d: cuBLAS comes near the peak, on Tensor Cores where the type allows.
 * What limits it: D, which is written and read again, R S / stride^2 times the size of x. */
#include "conv2d/variants/windows_product.h"

namespace
{

int im2col_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = shared<windows_product>::open(*(const struct conv2d_problem *)problem);
    return *state == NULL;
}

int im2col_run(void *state, const void *const in[], void *const out[])
{
    const windows_product *m = (const windows_product *)state;
    m->fill(in[CONV2D_X]);
    m->multiply(in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void im2col_close(void *state)
{
    shared<windows_product>::close((windows_product *)state);
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "im2col_cublas", im2col_open, im2col_run, im2col_close,
};
