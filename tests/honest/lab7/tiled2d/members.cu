/* A kernel whose tile is an object with members in shared memory: rows behind a pointer to arrays,
 * filters four at a time as float4, the problem's numbers in a struct by value. */
#include "conv2d/conv2d.h"

namespace
{

enum { SIDE = 16, FILTERS = 8, MOST = 4096 };

struct shape {
    int rows, columns, across, height, width, taps;
};

struct tile {
    float4 w[MOST / 4];
    float x[MOST];

    __device__ float *row(int i, int width)
    {
        return x + i * width;
    }

    __device__ void fill(const conv2d_problem &p, const shape &s, const float *map, int top,
                         int left)
    {
        const int me = threadIdx.y * SIDE + threadIdx.x;
        for (int cell = me; cell < s.height * s.width; cell += SIDE * SIDE) {
            const int i = top + cell / s.width, j = left + cell % s.width;
            x[cell] = i < 0 || j < 0 || i >= p.h || j >= p.w ? 0 : map[(size_t)i * p.w + j];
        }
    }

    __device__ void weights(const conv2d_problem &p, const shape &s, const float *from, int k,
                            int c)
    {
        float *to = reinterpret_cast<float *>(w);
        for (int at = threadIdx.y * SIDE + threadIdx.x; at < s.taps * FILTERS; at += SIDE * SIDE) {
            const int filter = k + at % FILTERS;
            to[at] = filter < p.k ? from[((size_t)filter * p.c + c) * s.taps + at / FILTERS] : 0;
        }
    }
};

__global__ void __launch_bounds__(SIDE *SIDE)
    convolve(const conv2d_problem p, const shape s, const float *__restrict__ x,
             const float *__restrict__ w, float *__restrict__ y)
{
    __shared__ tile t;
    const int row = blockIdx.x / s.across * SIDE, column = blockIdx.x % s.across * SIDE;
    const int k = blockIdx.y * FILTERS, n = blockIdx.z;
    float4 a = make_float4(0, 0, 0, 0), b = a;
    for (int c = 0; c < p.c; c++) {
        t.fill(p, s, x + ((size_t)n * p.c + c) * p.h * p.w, row * p.stride - p.pad,
               column * p.stride - p.pad);
        t.weights(p, s, w, k, c);
        __syncthreads();
#pragma unroll 1
        for (int r = 0, tap = 0; r < p.r; r++) {
            const float *from = t.row(threadIdx.y * p.stride + r, s.width) + threadIdx.x * p.stride;
            for (int q = 0; q < p.s; q++, tap++) {
                const float v = from[q];
                const float4 f = t.w[2 * tap], g = t.w[2 * tap + 1];
                a.x += v * f.x, a.y += v * f.y, a.z += v * f.z, a.w += v * f.w;
                b.x += v * g.x, b.y += v * g.y, b.z += v * g.z, b.w += v * g.w;
            }
        }
        __syncthreads();
    }
    const int i = row + threadIdx.y, j = column + threadIdx.x;
    if (i >= s.rows || j >= s.columns)
        return;
    const float sums[FILTERS] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    for (int f = 0; f < FILTERS && k + f < p.k; f++)
        y[(((size_t)n * p.k + k + f) * s.rows + i) * s.columns + j] = sums[f];
}

struct plan {
    conv2d_problem p;
    shape s;
};

int open_plan(const struct hpc_env *, const void *problem, void **state)
{
    static plan only;
    const auto &p = only.p = *static_cast<const conv2d_problem *>(problem);
    shape &s = only.s;
    s.rows = conv2d_rows(&p);
    s.columns = conv2d_columns(&p);
    s.across = (s.columns + SIDE - 1) / SIDE;
    s.height = (SIDE - 1) * p.stride + p.r;
    s.width = (SIDE - 1) * p.stride + p.s;
    s.taps = p.r * p.s;
    *state = &only;
    return s.height * s.width > MOST || s.taps * FILTERS > MOST || p.layout != CONV_NCHW ||
           p.type == CONV_F16;
}

int run_plan(void *state, const void *const in[], void *const out[])
{
    const auto *only = static_cast<const plan *>(state);
    const dim3 grid((only->s.rows + SIDE - 1) / SIDE * only->s.across,
                    (only->p.k + FILTERS - 1) / FILTERS, only->p.n);
    convolve<<<grid, dim3(SIDE, SIDE)>>>(only->p, only->s, (const float *)in[CONV2D_X],
                                         (const float *)in[CONV2D_W], (float *)out[CONV2D_Y]);
    return cudaGetLastError() != cudaSuccess;
}

void close_plan(void *)
{
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv2d", "tiled2d",
                                                   open_plan, run_plan, close_plan};
