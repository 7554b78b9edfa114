/* Variables on the device: initialised and not, arrays, structures, pointers, constants; copies to
 * parts of them, their addresses and sizes. */
#include <cstdio>
#include <cuda_runtime.h>

struct camera {
    float3 position;
    float focus;
    int resolution[2];
};

__device__ int counter = 5;
__device__ float table[4][8];
__device__ const int primes[] = {2, 3, 5, 7, 11, 13};
__device__ float *d_output;
static __device__ unsigned long long steps;
__constant__ camera view;
__constant__ double weights[3] = {0.25, 0.5, 0.25};
__constant__ int shift = 100;
__device__ volatile int last = -1;

namespace physics
{
__constant__ float g = 9.81f;
__device__ float heights[2] = {1, 2};
} // namespace physics

__global__ void use(int *sums, float *seen)
{
    int t = threadIdx.x;
    atomicAdd(&counter, 1);
    atomicAdd(&steps, 1ull << 33);
    table[t / 8][t % 8] += t;
    d_output[t] = view.focus * view.resolution[t % 2] + view.position.y;
    sums[t] = primes[t % 6] + shift + (int)(weights[t % 3] * 4);
    seen[t] = physics::g * physics::heights[t % 2];
    if (t == 31)
        last = t;
}

int main()
{
    const int n = 32;
    int sums[n], *d_sums, h_counter, h_last, h_shift, wrong = 0;
    float h_table[4][8], row[8], seen[n], output[n], *d_seen, *d_out, *d_table;
    unsigned long long h_steps = 7;
    camera h_view = {{1, 2, 3}, 0.5f, {640, 480}};
    size_t size = 0;

    cudaMalloc(&d_sums, sizeof(sums));
    cudaMalloc(&d_seen, sizeof(seen));
    cudaMalloc(&d_out, sizeof(output));
    for (int i = 0; i < 8; i++)
        row[i] = 100 * i;
    wrong += cudaMemcpyToSymbol(view, &h_view, sizeof(camera)) != cudaSuccess;
    wrong += cudaMemcpyToSymbol(d_output, &d_out, sizeof(d_out)) != cudaSuccess;
    wrong += cudaMemcpyToSymbol(steps, &h_steps, sizeof(h_steps)) != cudaSuccess;
    wrong += cudaMemcpyToSymbol(table, row, sizeof(row), 2 * sizeof(row)) != cudaSuccess;
    wrong += cudaGetSymbolAddress((void **)&d_table, table) != cudaSuccess;
    wrong += cudaMemcpy(d_table + 8, row, sizeof(row), cudaMemcpyHostToDevice) != cudaSuccess;
    wrong += cudaGetSymbolSize(&size, table) != cudaSuccess || size != sizeof(h_table);
    wrong += cudaMemcpyToSymbolAsync(shift, &n, sizeof(int), 0, cudaMemcpyHostToDevice, 0) !=
             cudaSuccess;

    use<<<1, n>>>(d_sums, d_seen);
    wrong += cudaMemcpyFromSymbol(&h_counter, counter, sizeof(int)) != cudaSuccess;
    wrong += cudaMemcpyFromSymbol(h_table, table, sizeof(h_table)) != cudaSuccess;
    wrong += cudaMemcpyFromSymbol(&h_steps, steps, sizeof(h_steps)) != cudaSuccess;
    wrong += cudaMemcpyFromSymbol(&h_last, last, sizeof(int)) != cudaSuccess;
    wrong += cudaMemcpyFromSymbol(&h_shift, shift, sizeof(int)) != cudaSuccess;
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(seen, d_seen, sizeof(seen), cudaMemcpyDeviceToHost);
    cudaMemcpy(output, d_out, sizeof(output), cudaMemcpyDeviceToHost);

    const int h_primes[] = {2, 3, 5, 7, 11, 13};
    wrong += h_counter != 5 + n || h_last != 31 || h_steps != 7 + ((unsigned long long)n << 33);
    wrong += h_shift != n;
    for (int t = 0; t < n; t++) {
        float before = t / 8 == 1 || t / 8 == 2 ? 100 * (t % 8) : 0;
        wrong += h_table[t / 8][t % 8] != before + t;
        wrong += output[t] != 0.5f * (t % 2 ? 480 : 640) + 2;
        wrong += sums[t] != h_primes[t % 6] + n + (t % 3 == 1 ? 2 : 1);
        wrong += seen[t] != 9.81f * (1 + t % 2);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_sums);
    cudaFree(d_seen);
    cudaFree(d_out);
    return wrong != 0;
}
