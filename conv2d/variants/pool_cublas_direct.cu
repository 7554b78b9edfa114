/* convpool/pool_cublas_direct: cuBLAS(direct) of [Suita], section 3.
 *
 * Changes from pool_cublas_fused: the sums x * alpha go straight into the matrix D_p of their
 * windows; times the filters V(W), by cuBLAS. Any layout and type.
 * Why it wins: R S instead of (R + pool - 1)(S + pool - 1) rows of D_p, in what is written and
 * read as in products.
 * What limits it: D_p, R S / pool^2 times the size of x. */
#include "conv2d/variants/pool_linear.h"
#include "conv2d/variants/windows_product.h"

namespace
{

/* Where a window of channels c .. c + N - 1 lies: x points to their place in pixel (0, 0). */
template <class T> struct window_place {
    const T *x;
    int h, w, top, left, row_step, column_step;

    template <int N> __device__ pack<T, N> pixel(int i, int j) const
    {
        const int row = top + i, column = left + j;
        if (row < 0 || row >= h || column < 0 || column >= w)
            return pack<T, N>::zero();
        return pack<T, N>::load(x, (size_t)row * row_step + (size_t)column * column_step);
    }
};

/* The sums of one window, element (r, s) at d + (r S + s) step. R, S, POOL > 0 are known to the
 * compiler, and each pixel is loaded, and made a float, once. */
template <class T, int N, int R, int S, int POOL>
__device__ void store_sums(const window_place<T> &place, T *d, size_t step)
{
    float pixel[R + POOL - 1][S + POOL - 1][N];
#pragma unroll
    for (int i = 0; i < R + POOL - 1; i++)
#pragma unroll
        for (int j = 0; j < S + POOL - 1; j++) {
            const pack<T, N> loaded = place.template pixel<N>(i, j);
#pragma unroll
            for (int k = 0; k < N; k++)
                pixel[i][j][k] = (float)loaded.v[k];
        }
#pragma unroll
    for (int rs = 0; rs < R * S; rs++) {
        pack<T, N> out;
#pragma unroll
        for (int k = 0; k < N; k++) {
            float sum = 0;
#pragma unroll
            for (int ab = 0; ab < POOL * POOL; ab++)
                sum += pixel[rs / S + ab / POOL][rs % S + ab % POOL][k];
            out.v[k] = T(sum / (POOL * POOL));
        }
        out.store(d, rs * step);
    }
}

/* The same for any R, S and pool, one channel. */
template <class T>
__device__ void store_any_sums(const window_place<T> &place, int r, int s, int pool, T *d,
                               size_t step)
{
    for (int rs = 0; rs < r * s; rs++) {
        float sum = 0;
        for (int ab = 0; ab < pool * pool; ab++)
            sum += (float)place.template pixel<1>(rs / s + ab / pool, rs % s + ab % pool).v[0];
        d[rs * step] = T(sum / (pool * pool));
    }
}

/* A thread for each window and N channels; grid of them in an image, and images. R = 0: any. */
template <class T, int N, int R, int S, int POOL>
__global__ void sums_kernel(struct convpool_problem q, const T *x, T *d)
{
    const struct conv2d_problem &p = q.conv;
    const bool nchw = p.layout == CONV_NCHW;
    const unsigned columns = convpool_columns(&q), pixels = convpool_rows(&q) * columns;
    const unsigned i = blockIdx.x * SUM_THREADS + threadIdx.x, groups = p.c / N;
    const unsigned c = (nchw ? i / pixels : i % groups) * N, pixel = nchw ? i % pixels : i / groups;
    if (i >= pixels * groups)
        return;
    const size_t image = (size_t)blockIdx.y * p.c, taps = p.r * p.s, map = (size_t)p.h * p.w;
    const window_place<T> place = {nchw ? x + (image + c) * map : x + image * map + c,
                                   p.h,
                                   p.w,
                                   (int)(pixel / columns) * q.pool - p.pad,
                                   (int)(pixel % columns) * q.pool - p.pad,
                                   nchw ? p.w : p.w * p.c,
                                   nchw ? 1 : p.c};
    d += nchw ? (image + c) * taps * pixels + pixel : (image * pixels + pixel * p.c) * taps + c;
    if constexpr (R > 0)
        store_sums<T, N, R, S, POOL>(place, d, nchw ? pixels : p.c);
    else
        store_any_sums(place, p.r, p.s, q.pool, d, nchw ? pixels : p.c);
}

struct direct {
    windows_product *product;
    struct convpool_problem p;
};

template <class T> void fill_sums(const direct *s, const void *x)
{
    enum { N = 8 / sizeof(T) }; /* more would take too many registers */
    const struct convpool_problem *p = &s->p;
    const size_t windows = (size_t)convpool_rows(p) * convpool_columns(p) * p->conv.c;
    const dim3 one(gpu_blocks(windows, SUM_THREADS), p->conv.n);
    const dim3 several(gpu_blocks(windows / N, SUM_THREADS), p->conv.n);
    const bool usual = p->conv.r == 3 && p->conv.s == 3 && p->pool == 2;
    T *d = (T *)s->product->d;
    if (!usual)
        sums_kernel<T, 1, 0, 0, 0><<<one, SUM_THREADS>>>(*p, (const T *)x, d);
    else if (p->conv.layout == CONV_NHWC && p->conv.c % N == 0)
        sums_kernel<T, N, 3, 3, 2><<<several, SUM_THREADS>>>(*p, (const T *)x, d);
    else
        sums_kernel<T, 1, 3, 3, 2><<<one, SUM_THREADS>>>(*p, (const T *)x, d);
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
