/* What the machine is: properties, attributes, versions, memory; then block times by clock(). */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static __global__ void timed_minimum(const float *input, float *output, clock_t *timer)
{
    extern __shared__ float shared[];
    const int tid = threadIdx.x, bid = blockIdx.x;

    if (tid == 0)
        timer[bid] = clock();
    shared[tid] = input[tid];
    shared[tid + blockDim.x] = input[tid + blockDim.x];
    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d)
            shared[tid] = fminf(shared[tid], shared[tid + d]);
    }
    if (tid == 0)
        output[bid] = shared[0];
    __syncthreads();
    if (tid == 0)
        timer[bid + gridDim.x] = clock();
}

int main()
{
    int count = 0, driver = 0, runtime = 0, warp = 0, threads = 0, wrong = 0, dev = -1;
    size_t free_bytes = 0, total_bytes = 0;
    cudaDeviceProp p;
    memset(&p, 0, sizeof(p));

    wrong += cudaGetDeviceCount(&count) != cudaSuccess || count < 1;
    wrong += cudaSetDevice(0) != cudaSuccess || cudaGetDevice(&dev) != cudaSuccess || dev != 0;
    wrong += cudaGetDeviceProperties(&p, 0) != cudaSuccess;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    wrong += cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess;
    cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0);
    printf("%s: %d.%d, %d multiprocessors, %zu MiB, driver %d, runtime %d\n", p.name, p.major,
           p.minor, p.multiProcessorCount, p.totalGlobalMem >> 20, driver / 1000, runtime / 1000);
    printf("block %d x %d x %d, grid %d x %d x %d, %d registers, %zu bytes shared, %zu constant\n",
           p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0],
           p.maxGridSize[1], p.maxGridSize[2], p.regsPerBlock, p.sharedMemPerBlock,
           p.totalConstMem);
    wrong += strlen(p.name) == 0 || p.multiProcessorCount < 1 || p.warpSize != 32 || warp != 32;
    wrong += p.maxThreadsPerBlock != 1024 || threads != 1024 || p.sharedMemPerBlock < 48 << 10;
    wrong += p.totalConstMem != 65536 || p.maxThreadsPerMultiProcessor < 1024 || p.major < 5;
    wrong += p.maxGridSize[1] != 65535 || p.maxThreadsDim[2] != 64 || p.l2CacheSize < 0;
    wrong += free_bytes > total_bytes || total_bytes == 0 || p.memoryBusWidth < 0;

    const int n = 256, blocks = 16;
    float input[n], output[blocks], *d_input, *d_output;
    clock_t timer[2 * blocks], *d_timer;
    for (int i = 0; i < n; i++)
        input[i] = (i + 100) % n;
    cudaMalloc(&d_input, sizeof(input));
    cudaMalloc(&d_output, sizeof(output));
    cudaMalloc(&d_timer, sizeof(timer));
    cudaMemcpy(d_input, input, sizeof(input), cudaMemcpyHostToDevice);
    timed_minimum<<<blocks, n / 2, sizeof(float) * n>>>(d_input, d_output, d_timer);
    cudaMemcpy(output, d_output, sizeof(output), cudaMemcpyDeviceToHost);
    cudaMemcpy(timer, d_timer, sizeof(timer), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        wrong += output[b] != 0;
    printf("the first block took %ld ticks\n", (long)(timer[blocks] - timer[0]));
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_input);
    cudaFree(d_output);
    cudaFree(d_timer);
    return wrong != 0;
}
