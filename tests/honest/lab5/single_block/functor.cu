/* A kernel that is a template of a functor: a base class with a virtual destructor on the host, a
 * policy for the edge, an exclusive fold over a parameter pack for the taps at both ends. */
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "conv1d/conv1d.h"

struct zero_edge {
    __device__ float operator()(const float *x, int64_t i, int64_t n) const
    {
        return i >= 0 && i < n ? x[i] : 0.0f;
    }
};

template <class EDGE, int... K>
__device__ float four(const float *x, const float *w, int64_t i, int64_t n, EDGE edge,
                      std::integer_sequence<int, K...>)
{
    return ((w[K] * edge(x, i + K, n)) + ...);
}

template <class EDGE>
__global__ void one_block(const float *x, const float *w, float *y, int64_t n, int radius,
                          EDGE edge)
{
    const auto tap = [=](int64_t i, int j) { return w[j] * edge(x, i + j - radius, n); };
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        float sum = 0;
        int j = 0;
        for (; j + 4 <= 2 * radius + 1; j += 4)
            sum += four(x, w + j, i + j - radius, n, edge, std::make_integer_sequence<int, 4>{});
        for (; j <= 2 * radius; j++)
            sum += tap(i, j);
        y[i] = sum;
    }
}

class convolution
{
  public:
    explicit convolution(const conv1d_problem &p)
        : n((int64_t)p.n), radius(p.radius), block(p.block)
    {
    }
    virtual ~convolution() = default;
    virtual cudaError_t operator()(const float *x, const float *w, float *y) const = 0;

  protected:
    int64_t n;
    int radius, block;
};

class by_one_block final : public convolution
{
  public:
    using convolution::convolution;
    cudaError_t operator()(const float *x, const float *w, float *y) const override
    {
        const int threads = block > 0 ? block : 256;
        if (n > 0)
            one_block<<<1, threads>>>(x, w, y, n, radius, zero_edge{});
        return cudaGetLastError();
    }
};

static int open_it(const struct hpc_env *, const void *problem, void **state)
{
    *state = new by_one_block(*static_cast<const conv1d_problem *>(problem));
    return 0;
}

static int run_it(void *state, const void *const in[], void *const out[])
{
    const convolution &c = *static_cast<const by_one_block *>(state);
    return c((const float *)in[CONV1D_X], (const float *)in[CONV1D_W], (float *)out[CONV1D_Y]) !=
           cudaSuccess;
}

static void close_it(void *state)
{
    delete static_cast<by_one_block *>(state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI, "conv1d", "single_block",
                                                   open_it, run_it,   close_it};
