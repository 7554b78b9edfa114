/* Replicas of an MLP on a GPU, a block each: mlp_ranks' arithmetic (mlp/mlp.h) with the sums of the
 * forward pass in another order. A block's weights live in shared memory where they fit. */
#ifndef HPC_BENCHMARKS_RANKS_REPLICA_CUH
#define HPC_BENCHMARKS_RANKS_REPLICA_CUH

#include "mlp/mlp.h"

enum { THREADS = 256 };

/* A GPU's share: `replicas` blocks, of which the first is replica `first` of all p.replicas. */
struct share {
    mlp_problem p;
    int first, replicas;
    bool shared; /* the weights fit in shared memory */
    size_t n;    /* weights of a net */
    double rate;
    const double *x, *y;  /* this GPU's rows, [rows][size] */
    const int32_t *order; /* [rows]: within each shard, counted from its first row */
    double *w;            /* [replicas][n] */
    double *sum;          /* [n]: of this GPU's replicas, then of all */
};

/* mlp_shard's, which is the host's alone. */
__host__ __device__ inline int shard_begin(const mlp_problem &p, int r)
{
    return (int)((int64_t)p.samples * r / p.replicas);
}

/* o = sigmoid(w[0] + o_in w), n_out <= THREADS: thread (s, k) adds the s-th rows of column k. */
__device__ inline void forward(const double *w, const double *in, double *o, int n_in, int n_out,
                               double *parts)
{
    const int slices = THREADS / n_out, k = threadIdx.x % n_out, s = threadIdx.x / n_out;
    double sum = 0;
    if (s < slices)
        for (int i = s; i < n_in; i += slices)
            sum += in[i] * w[(size_t)(1 + i) * n_out + k];
    parts[threadIdx.x] = sum;
    __syncthreads();
    if (s == 0) {
        double z = w[k];
        for (int i = 0; i < slices; i++)
            z += parts[i * n_out + k];
        o[k] = 1 / (1 + exp(-z));
    }
    __syncthreads();
}

/* e[i] = D w[1 + i], with the weights as they are, and D of the layer below from it, unless e is
 * NULL; then the weights' update. */
__device__ inline void backward(double *w, const double *in, const double *d, double *e, int n_in,
                                int n_out, double rate)
{
    const int slices = THREADS / n_out, k = threadIdx.x % n_out, s = threadIdx.x / n_out;
    if (e)
        for (int i = threadIdx.x; i < n_in; i += THREADS) {
            double sum = 0;
            for (int j = 0; j < n_out; j++)
                sum += d[j] * w[(size_t)(1 + i) * n_out + j];
            e[i] = sum * in[i] * (1 - in[i]);
        }
    __syncthreads();
    if (s < slices)
        for (int i = s; i <= n_in; i += slices)
            w[(size_t)i * n_out + k] += i ? rate * d[k] * in[i - 1] : rate * d[k];
    __syncthreads();
}

__device__ inline void learn(const share &g, double *w, double *o, double *d, double *parts,
                             const double *x, const double *y)
{
    const int last = g.p.n_layers - 1;
    for (int i = threadIdx.x; i < g.p.size[0]; i += THREADS)
        o[i] = x[i];
    __syncthreads();
    int unit = 0;
    for (int l = 1; l <= last; l++) {
        const int n_in = g.p.size[l - 1], n_out = g.p.size[l];
        forward(w, o + unit, o + unit + n_in, n_in, n_out, parts);
        w += (size_t)(n_in + 1) * n_out;
        unit += n_in;
    }
    for (int k = threadIdx.x; k < g.p.size[last]; k += THREADS) {
        const double out = o[unit + k];
        d[unit + k] = (y[k] - out) * out * (1 - out);
    }
    __syncthreads();
    for (int l = last; l >= 1; l--) {
        const int n_in = g.p.size[l - 1], n_out = g.p.size[l];
        w -= (size_t)(n_in + 1) * n_out;
        backward(w, o + unit - n_in, d + unit, l > 1 ? d + unit - n_in : NULL, n_in, n_out, g.rate);
        unit -= n_in;
    }
}

/* One epoch of every replica of a GPU on its own shard. Dynamic shared memory: shared_bytes(). */
__global__ void __launch_bounds__(THREADS) epoch_kernel(share g)
{
    extern __shared__ double room[];
    int units = 0;
    for (int l = 0; l < g.p.n_layers; l++)
        units += g.p.size[l];
    double *const parts = room, *const o = parts + THREADS, *const d = o + units;
    double *const home = g.w + blockIdx.x * g.n, *const w = g.shared ? d + units : home;
    if (g.shared)
        for (size_t i = threadIdx.x; i < g.n; i += THREADS)
            w[i] = home[i];
    __syncthreads();
    const int start = shard_begin(g.p, g.first);
    const int begin = shard_begin(g.p, g.first + blockIdx.x) - start;
    const int end = shard_begin(g.p, g.first + blockIdx.x + 1) - start;
    for (int i = begin; i < end; i++) {
        const size_t row = begin + g.order[i];
        learn(g, w, o, d, parts, g.x + row * g.p.size[0], g.y + row * g.p.size[g.p.n_layers - 1]);
    }
    if (g.shared)
        for (size_t i = threadIdx.x; i < g.n; i += THREADS)
            home[i] = w[i];
}

inline size_t shared_bytes(const mlp_problem &p, bool weights)
{
    return sizeof(double) *
           (THREADS + 2 * (size_t)mlp_unit(&p, p.n_layers) + (weights ? mlp_weights(&p) : 0));
}

/* sum[i] of this GPU's replicas, in ascending order. */
__global__ void sum_kernel(share g)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < g.n; i += gridDim.x * blockDim.x) {
        double sum = 0;
        for (int r = 0; r < g.replicas; r++)
            sum += g.w[r * g.n + i];
        g.sum[i] = sum;
    }
}

/* The mean over all replicas to each of this GPU's. */
__global__ void spread_kernel(share g)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < g.n; i += gridDim.x * blockDim.x) {
        const double mean = g.sum[i] / g.p.replicas;
        for (int r = 0; r < g.replicas; r++)
            g.w[r * g.n + i] = mean;
    }
}

#endif
