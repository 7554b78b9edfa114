/* Training of replicas on the GPUs of one host, mlp_ranks' semantics: after every epoch all replicas
 * get the mean of all weights: a kernel adds a GPU's own, all_reduce() the GPUs' sums. One process,
 * one stream a GPU. */
#ifndef HPC_BENCHMARKS_RANKS_TRAINING_CUH
#define HPC_BENCHMARKS_RANKS_TRAINING_CUH

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "benchmarks/ranks/all_reduce.h"
#include "benchmarks/ranks/replica.cuh"
#include "mlp/ranks/replica.h"

enum { SUM_BLOCKS = 128 };

static int n_gpus; /* all_reduce_open()'s */

struct training {
    mlp_problem p;
    int gpus;
    std::vector<double> x, y, w0;
    std::vector<int32_t> order;
    share on[MOST_GPUS];
    cudaStream_t streams[MOST_GPUS];
};

static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / (double)(1ull << 53);
}

static mlp_problem problem(std::vector<int> layers, int samples, int replicas)
{
    mlp_problem p = {};
    p.n_layers = (int)layers.size();
    for (int l = 0; l < p.n_layers; l++) {
        p.size[l] = layers[l];
        p.activation[l] = MLP_SIGMOID;
    }
    p.samples = samples;
    p.permutations = p.merge_every = p.networks = 1;
    p.replicas = replicas;
    p.type = HPC_F64;
    return p;
}

template <typename T> static T *copied(const T *from, size_t n)
{
    T *to;
    CUDA(cudaMalloc(&to, std::max<size_t>(n, 1) * sizeof *to));
    CUDA(cudaMemcpy(to, from, n * sizeof *to, cudaMemcpyHostToDevice));
    return to;
}

static void share_open(training *t, int g, double rate)
{
    share *s = &t->on[g];
    CUDA(cudaSetDevice(g));
    CUDA(cudaStreamCreate(&t->streams[g]));
    s->p = t->p;
    s->n = mlp_weights(&t->p);
    s->rate = rate;
    s->replicas = t->p.replicas / t->gpus;
    s->first = g * s->replicas;
    int most;
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, g));
    s->shared = shared_bytes(t->p, true) <= (size_t)most;
    CUDA(cudaFuncSetAttribute(epoch_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    const size_t n_x = (size_t)t->p.size[0], n_y = (size_t)t->p.size[t->p.n_layers - 1];
    const size_t begin = (size_t)shard_begin(t->p, s->first);
    const size_t rows = (size_t)shard_begin(t->p, s->first + s->replicas) - begin;
    s->x = copied(t->x.data() + begin * n_x, rows * n_x);
    s->y = copied(t->y.data() + begin * n_y, rows * n_y);
    s->order = copied(t->order.data() + begin, rows);
    s->sum = copied(t->w0.data(), s->n);
    std::vector<double> all;
    for (int r = 0; r < s->replicas; r++)
        all.insert(all.end(), t->w0.begin(), t->w0.end());
    s->w = copied(all.data(), all.size());
}

static void training_open(training *t, const mlp_problem &p, int gpus)
{
    uint64_t state = 1;
    *t = training();
    t->p = p;
    t->gpus = gpus;
    for (size_t i = (size_t)p.samples * p.size[0]; i > 0; i--)
        t->x.push_back(draw(&state));
    for (size_t i = (size_t)p.samples * p.size[p.n_layers - 1]; i > 0; i--)
        t->y.push_back(draw(&state));
    for (size_t i = mlp_weights(&p); i > 0; i--)
        t->w0.push_back((draw(&state) - 0.5) / sqrt(p.size[0]));
    for (int r = 0; r < p.replicas; r++) {
        const int begin = shard_begin(p, r), rows = shard_begin(p, r + 1) - begin;
        for (int i = 0; i < rows; i++)
            t->order.push_back(i);
        for (int i = rows - 1; i > 0; i--)
            std::swap(t->order[begin + i], t->order[begin + (int)(draw(&state) * (i + 1))]);
    }
    for (int g = 0; g < gpus; g++)
        share_open(t, g, 0.1);
}

static void training_close(training *t)
{
    for (int g = 0; g < t->gpus; g++) {
        const share *s = &t->on[g];
        CUDA(cudaSetDevice(g));
        for (const void *p : {(const void *)s->x, (const void *)s->y, (const void *)s->order,
                              (const void *)s->w, (const void *)s->sum})
            CUDA(cudaFree((void *)p));
        CUDA(cudaStreamDestroy(t->streams[g]));
    }
}

static void merge(training *t)
{
    double *sums[MOST_GPUS];
    for (int g = 0; g < t->gpus; g++) {
        CUDA(cudaSetDevice(g));
        sum_kernel<<<SUM_BLOCKS, THREADS, 0, t->streams[g]>>>(t->on[g]);
        sums[g] = t->on[g].sum;
    }
    all_reduce(t->gpus, sums, t->on[0].n, t->streams);
    for (int g = 0; g < t->gpus; g++) {
        CUDA(cudaSetDevice(g));
        spread_kernel<<<SUM_BLOCKS, THREADS, 0, t->streams[g]>>>(t->on[g]);
    }
}

static void epoch(training *t)
{
    for (int g = 0; g < t->gpus; g++) {
        const share *s = &t->on[g];
        CUDA(cudaSetDevice(g));
        epoch_kernel<<<s->replicas, THREADS, shared_bytes(s->p, s->shared), t->streams[g]>>>(*s);
    }
}

static void wait(training *t)
{
    for (int g = 0; g < t->gpus; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaStreamSynchronize(t->streams[g]));
        CUDA(cudaGetLastError());
    }
}

/* The same epochs by mlp/ranks/replica.h, replicas side by side on the processor. */
static std::vector<double> on_processor(const training *t, int epochs)
{
    const mlp_problem &p = t->p;
    const size_t n = t->w0.size();
    std::vector<double> mean = t->w0;
    const double rate = t->on[0].rate;
    for (int e = 0; e < epochs; e++) {
        std::vector<std::vector<double>> ends(p.replicas);
#pragma omp parallel for schedule(dynamic)
        for (int r = 0; r < p.replicas; r++) {
            replica *s = replica_open(&p);
            const size_t begin = (size_t)shard_begin(p, r);
            const void *const in[MLP_N_IN] = {&t->x[begin * p.size[0]],
                                              &t->y[begin * p.size[p.n_layers - 1]],
                                              &t->order[begin], mean.data(), &rate};
            replica_start(s, in);
            replica_epoch(s, r, e, in);
            ends[r].assign(s->w, s->w + n);
            replica_close(s);
        }
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (int r = 0; r < p.replicas; r++)
                sum += ends[r][i];
            mean[i] = sum / p.replicas;
        }
    }
    return mean;
}

/* Trains, and compares every replica of every GPU: the largest difference, over the weights' own
 * largest; NAN counts as 1. */
static double difference(training *t, int epochs)
{
    for (int e = 0; e < epochs; e++) {
        epoch(t);
        merge(t);
    }
    wait(t);
    const std::vector<double> right = on_processor(t, epochs);
    double largest = 0, off = 0;
    for (double w : right)
        largest = std::max(largest, fabs(w));
    for (int g = 0; g < t->gpus; g++) {
        const share *s = &t->on[g];
        std::vector<double> w(s->replicas * s->n);
        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(w.data(), s->w, w.size() * sizeof w[0], cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < w.size(); i++) {
            const double d = fabs(w[i] - right[i % s->n]) / largest;
            off = d <= off ? off : d == d ? d : 1;
        }
    }
    return off;
}

#endif
