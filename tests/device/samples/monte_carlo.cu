/* Pi by throwing darts: a generator of our own with its state in local arrays, 64-bit arithmetic,
 * sums in double by atomicAdd. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

struct generator {
    uint64_t state[2];
    __host__ __device__ explicit generator(uint64_t seed)
    {
        for (int k = 0; k < 2; k++) {
            seed += 0x9e3779b97f4a7c15ull;
            uint64_t z = seed;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
            z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
            state[k] = z ^ (z >> 31);
        }
    }
    __host__ __device__ double uniform()
    {
        uint64_t s1 = state[0], s0 = state[1], result = s0 + s1;
        state[0] = s0;
        s1 ^= s1 << 23;
        state[1] = s1 ^ s0 ^ (s1 >> 18) ^ (s0 >> 5);
        return (result >> 11) * (1.0 / 9007199254740992.0);
    }
};

__global__ void throw_darts(int darts, unsigned *hits, double *moments)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    generator g(id);
    double local[2] = {0, 0};
    unsigned inside = 0;
    for (int k = 0; k < darts; k++) {
        double x = g.uniform(), y = g.uniform();
        inside += x * x + y * y < 1.0;
        local[0] += floor(x * 8);
        local[1] += floor(y * 8);
    }
    hits[id] = inside;
    for (int k = 0; k < 2; k++)
        atomicAdd(&moments[k], local[k]);
}

int main()
{
    const int threads = 128, blocks = 4, darts = 100, n = threads * blocks;
    unsigned hits[n], *d_hits, inside = 0;
    double moments[2], *d_moments, want[2] = {0, 0};
    int wrong = 0;

    cudaMalloc(&d_hits, sizeof(hits));
    cudaMalloc(&d_moments, sizeof(moments));
    cudaMemset(d_moments, 0, sizeof(moments));
    throw_darts<<<blocks, threads>>>(darts, d_hits, d_moments);
    cudaMemcpy(hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost);
    cudaMemcpy(moments, d_moments, sizeof(moments), cudaMemcpyDeviceToHost);
    for (int id = 0; id < n; id++) {
        generator g(id);
        unsigned here = 0;
        for (int k = 0; k < darts; k++) {
            double x = g.uniform(), y = g.uniform();
            here += x * x + y * y < 1.0;
            want[0] += floor(x * 8);
            want[1] += floor(y * 8);
        }
        wrong += here != hits[id];
        inside += hits[id];
    }
    double pi = 4.0 * inside / n / darts;
    wrong += std::fabs(pi - 3.14159265) > 0.05 || moments[0] != want[0] || moments[1] != want[1];
    printf("pi is about %.3f\n%s: %d wrong\n", pi, wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_hits);
    cudaFree(d_moments);
    return wrong != 0;
}
