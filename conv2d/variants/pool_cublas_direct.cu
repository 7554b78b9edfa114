/* cuBLAS(direct) of [Suita], section 3: the sums x * alpha go straight into the matrix D_p of
 * their windows; times the filters V(W), by cuBLAS.
 *
 * Wins over pool_cublas_fused by R S instead of (R + pool - 1)(S + pool - 1) rows of D_p, in what
 * is written and read as in products. Limited by D_p: R S / pool^2 times the size of x. Any layout
 * and type. */
#include "conv2d/variants/pool_linear.h"
#include "conv2d/variants/windows_product.h"

namespace
{

/* The R x S sums of one window of channel c: R, S, POOL > 0 are known to the compiler and a pixel
 * is loaded once; 0: any. x zero outside of its map. */
template <class T, int R, int S, int POOL> struct window_sums {
    float pixel[R + POOL - 1][S + POOL - 1];

    __device__ void load(const struct conv2d_problem &p, int, const T *x, int n, int c, int top,
                         int left)
    {
#pragma unroll
        for (int i = 0; i < R + POOL - 1; i++)
#pragma unroll
            for (int j = 0; j < S + POOL - 1; j++) {
                const int h = top + i, v = left + j;
                const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
                pixel[i][j] = inside ? (float)x[conv2d_x_at(&p, n, c, h, v)] : 0;
            }
    }

    __device__ float at(int r, int s) const
    {
        float sum = 0;
#pragma unroll
        for (int a = 0; a < POOL; a++)
#pragma unroll
            for (int b = 0; b < POOL; b++)
                sum += pixel[r + a][s + b];
        return sum;
    }
};

template <class T> struct window_sums<T, 0, 0, 0> {
    struct conv2d_problem p;
    const T *x;
    int pool, n, c, top, left;

    __device__ void load(const struct conv2d_problem &p_, int pool_, const T *x_, int n_, int c_,
                         int top_, int left_)
    {
        p = p_, pool = pool_, x = x_, n = n_, c = c_, top = top_, left = left_;
    }

    __device__ float at(int r, int s) const
    {
        float sum = 0;
        for (int h = top + r; h < top + r + pool; h++)
            for (int v = left + s; v < left + s + pool; v++)
                if (h >= 0 && h < p.h && v >= 0 && v < p.w)
                    sum += (float)x[conv2d_x_at(&p, n, c, h, v)];
        return sum;
    }
};

/* A thread for each window and channel: its R S elements of D (windows_product.h has the order). */
template <class T, int R, int S, int POOL>
__global__ void sums_kernel(struct conv2d_problem p, int pool, int rows, int columns, const T *x,
                            T *d)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int pixels = rows * columns, taps = p.r * p.s;
    if (i >= (size_t)p.n * p.c * pixels)
        return;
    const bool nchw = p.layout == CONV_NCHW;
    const int n = (int)(i / ((size_t)p.c * pixels)), rest = (int)(i % ((size_t)p.c * pixels));
    const int c = nchw ? rest / pixels : rest % p.c, pixel = nchw ? rest % pixels : rest / p.c;
    window_sums<T, R, S, POOL> sums;
    sums.load(p, pool, x, n, c, pixel / columns * pool - p.pad, pixel % columns * pool - p.pad);
    const size_t step = nchw ? pixels : p.c;
    d += nchw ? ((size_t)n * p.c + c) * taps * pixels + pixel
              : ((size_t)n * pixels + pixel) * taps * p.c + c;
    const float share = 1.0f / (pool * pool);
#pragma unroll
    for (int r = 0; r < (R ? R : p.r); r++)
#pragma unroll
        for (int s = 0; s < (S ? S : p.s); s++)
            d[(size_t)(r * p.s + s) * step] = T(share * sums.at(r, s));
}

struct direct {
    windows_product *product;
    struct convpool_problem p;
};

template <class T> void fill_sums(const direct *s, const void *x)
{
    const struct convpool_problem *p = &s->p;
    const int rows = convpool_rows(p), columns = convpool_columns(p);
    const int blocks = gpu_blocks((size_t)p->conv.n * p->conv.c * rows * columns, 256);
    T *d = (T *)s->product->d;
    if (p->conv.r == 3 && p->conv.s == 3 && p->pool == 2)
        sums_kernel<T, 3, 3, 2><<<blocks, 256>>>(p->conv, 2, rows, columns, (const T *)x, d);
    else
        sums_kernel<T, 0, 0, 0><<<blocks, 256>>>(p->conv, p->pool, rows, columns, (const T *)x, d);
    CUDA(cudaGetLastError());
}

int direct_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    (void)env;
    windows_product *product = shared<windows_product>::open(summed_problem(p));
    if (!product)
        return 1;
    *state = new direct{product, *p};
    return 0;
}

int direct_run(void *state, const void *const in[], void *const out[])
{
    const direct *s = (const direct *)state;
    if (s->p.conv.type == CONV_F16)
        fill_sums<__half>(s, in[CONV2D_X]);
    else
        fill_sums<float>(s, in[CONV2D_X]);
    s->product->multiply(in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

void direct_close(void *state)
{
    direct *s = (direct *)state;
    shared<windows_product>::close(s->product);
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", "pool_cublas_direct", direct_open, direct_run, direct_close,
};
