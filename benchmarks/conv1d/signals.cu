/* Signals on the device, and the check of an output in double. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void bench_check(int error, const char *call, const char *file, int line)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString((cudaError_t)error));
    exit(EXIT_FAILURE);
}

static const int64_t ALIGN = 64; /* floats */

void signals_open(signals *s, int64_t n, int taps, int pairs)
{
    const int64_t room_x = (n + 2 * MARGIN + ALIGN - 1) / ALIGN * ALIGN;
    const int64_t room_y = (n + ALIGN - 1) / ALIGN * ALIGN;
    *s = signals();
    s->n = n;
    s->pairs = pairs;
    CUDA(cudaMalloc(&s->all_x, room_x * pairs * sizeof(float)));
    CUDA(cudaMalloc(&s->all_y, room_y * pairs * sizeof(float)));
    CUDA(cudaMemset(s->all_x, 0, room_x * pairs * sizeof(float)));
    for (int p = 0; p < pairs; p++) {
        s->x.push_back(s->all_x + p * room_x + MARGIN);
        s->y.push_back(s->all_y + p * room_y);
    }
    srand48(taps);
    for (int j = 0; j < taps; j++)
        s->host_mask.push_back((float)(2 * drand48() - 1));
    CUDA(cudaMalloc(&s->mask, taps * sizeof(float)));
    CUDA(cudaMemcpy(s->mask, s->host_mask.data(), taps * sizeof(float), cudaMemcpyHostToDevice));
    signals_fill(s, ZERO_MEAN);
}

__global__ void fill_kernel(float *x, int64_t n, unsigned key, int values)
{
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned v = (unsigned)i * 0x9e3779b9u + key + (unsigned)(i >> 32) * 0x85ebca77u;
        v = (v ^ v >> 16) * 0x7feb352du;
        v = (v ^ v >> 15) * 0x846ca68bu;
        v ^= v >> 16;
        const float u = (float)(int)v * 0x1p-29f; /* in [-4, 4] */
        const int exponent = (int)((unsigned)(i / 32) * 2654435761u >> 16) % 41 - 20;
        x[i] = values == POSITIVE ? fabsf(u) : values == SCALED ? ldexpf(u, exponent) : u;
    }
}

void signals_fill(signals *s, enum values values)
{
    for (int p = 0; p < s->pairs; p++)
        fill_kernel<<<1024, 256>>>(s->x[p], s->n, 77u + 1009u * p, values);
    CUDA(cudaStreamSynchronize(cudaStreamPerThread));
}

void signals_poison(signals *s)
{
    for (int p = 0; p < s->pairs; p++)
        CUDA(cudaMemsetAsync(s->y[p], 0xff, s->n * sizeof(float), cudaStreamPerThread));
}

void signals_close(signals *s)
{
    CUDA(cudaFree(s->all_x));
    CUDA(cudaFree(s->all_y));
    CUDA(cudaFree(s->mask));
}

/* sums: the largest |got - want| / sum |w| |x|, as the bits of a double, and the sum of its
 * squares. A value that is not finite counts as 10^30. */
__global__ void check_kernel(const float *x, const float *y, const float *mask, int64_t n,
                             int radius, bool copy, double *sums)
{
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    double most = 0, squares = 0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        double want = 0, magnitude = 0;
        for (int j = -radius; j <= radius && !copy; j++)
            if (i + j >= 0 && i + j < n) {
                const double product = (double)mask[j + radius] * (double)x[i + j];
                want += product;
                magnitude += fabs(product);
            }
        const double off = fabs((double)y[i] - (copy ? (double)x[i] : want));
        const double error = off == 0 ? 0 : off < 1e30 ? off / (copy ? 1 : magnitude) : 1e30;
        most = fmax(most, error);
        squares += error * error;
    }
    atomicMax((unsigned long long *)&sums[0], (unsigned long long)__double_as_longlong(most));
    atomicAdd(&sums[1], squares);
}

errors signals_check(const signals *s, int pair, bool copy)
{
    double *sums, host[2];
    CUDA(cudaMalloc(&sums, sizeof host));
    CUDA(cudaMemsetAsync(sums, 0, sizeof host, cudaStreamPerThread));
    check_kernel<<<132 * 16, 128>>>(s->x[pair], s->y[pair], s->mask, s->n,
                                    (int)s->host_mask.size() / 2, copy, sums);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(host, sums, sizeof host, cudaMemcpyDeviceToHost, cudaStreamPerThread));
    CUDA(cudaStreamSynchronize(cudaStreamPerThread));
    CUDA(cudaFree(sums));
    return {host[0], sqrt(host[1] / (double)s->n)};
}
