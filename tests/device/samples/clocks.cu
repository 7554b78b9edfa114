/* All ways to read the time, by the host and by events; they never run backwards. Parameters of over
 * 4 KiB. */
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <sys/time.h>
#include <time.h>

struct table {
    int of[1500];
};

__global__ void look_up(const __grid_constant__ table t, int *y)
{
    y[threadIdx.x] = t.of[1499 - threadIdx.x];
}

static double now(int way)
{
    timeval tv;
    timespec ts;
    switch (way) {
    case 0:
        return std::chrono::duration<double>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    case 1:
        return std::chrono::duration<double>(
                   std::chrono::high_resolution_clock::now().time_since_epoch())
            .count();
    case 2:
        gettimeofday(&tv, NULL);
        return (double)tv.tv_sec + (double)tv.tv_usec * 1e-6;
    case 3:
        clock_gettime(CLOCK_MONOTONIC, &ts);
        return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
    case 4:
        return (double)time(NULL);
    default:
        return (double)clock() / CLOCKS_PER_SEC;
    }
}

int main()
{
    const int ways = 6;
    double before[ways], after[ways];
    int h[32], *d;
    float ms = -1;
    bool right = true;
    cudaEvent_t start, stop;
    static table t;

    for (int i = 0; i < 1500; i++)
        t.of[i] = 7 * i;
    for (int way = 0; way < ways; way++)
        before[way] = now(way);
    cudaMalloc(&d, sizeof h);
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    look_up<<<1, 32>>>(t, d);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int way = 0; way < ways; way++) {
        after[way] = now(way);
        right = right && after[way] >= before[way];
    }
    for (int i = 0; i < 32; i++)
        right = right && h[i] == 7 * (1499 - i);
    printf("%s\n", right && ms >= 0 && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    if (right)
        printf("%.9f s by the host, %.6f ms by events\n", after[0] - before[0], (double)ms);

    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d);
    return right ? 0 : 1;
}
