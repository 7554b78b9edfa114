/* __reduce_*_sync of whole warps and of both sides of a branch. Compiled for sm_80 and later. */
#include <cstdio>
#include <cuda_runtime.h>

#if defined(__CUDA_ARCH_LIST__) && __CUDA_ARCH__ < 800
#define HAS_REDUCE 0
#else
#define HAS_REDUCE 1
#endif

__global__ void reduce(const int *x, int *y, int *has)
{
    if (threadIdx.x == 0)
        *has = HAS_REDUCE;
#if HAS_REDUCE
    int i = threadIdx.x, v = x[i];
    unsigned odd = __ballot_sync(0xffffffff, v & 1);
    y[i] = __reduce_add_sync(0xffffffff, v);
    if (v & 1)
        y[64 + i] = __reduce_max_sync(odd, v) + (int)__reduce_xor_sync(odd, (unsigned)v);
    else
        y[64 + i] = __reduce_min_sync(~odd, v) + (int)__reduce_or_sync(~odd, (unsigned)v & 255u);
#endif
}

int main()
{
    int x[64], y[128], has = 0, *d_x, *d_y, *d_has;
    bool right = true;

    for (int i = 0; i < 64; i++)
        x[i] = i * 37 % 101 - 50;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_has, sizeof has);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    reduce<<<1, 64>>>(d_x, d_y, d_has);
    cudaMemcpy(&has, d_has, sizeof has, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int w = 0; has && w < 64; w += 32) {
        int sum = 0, most = -1000, least = 1000;
        unsigned exclusive = 0, any = 0;
        for (int i = w; i < w + 32; i++) {
            sum += x[i];
            if (x[i] & 1) {
                most = x[i] > most ? x[i] : most;
                exclusive ^= (unsigned)x[i];
            } else {
                least = x[i] < least ? x[i] : least;
                any |= (unsigned)x[i] & 255u;
            }
        }
        for (int i = w; i < w + 32; i++) {
            right = right && y[i] == sum;
            right = right && y[64 + i] == (x[i] & 1 ? most + (int)exclusive : least + (int)any);
        }
    }
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_has);
    return right ? 0 : 1;
}
