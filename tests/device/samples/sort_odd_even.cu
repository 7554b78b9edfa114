/* Odd and even neighbours in turn, until a pass has changed nothing. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 100

__global__ void pass_kernel(int *x, int odd, int *changed)
{
    const int i = 2 * threadIdx.x + odd;
    if (i + 1 < N && x[i] > x[i + 1]) {
        const int larger = x[i];
        x[i] = x[i + 1];
        x[i + 1] = larger;
        atomicOr(changed, 1);
    }
}

int main()
{
    int x[N], changed = 1, *d_x, *d_changed, passes = 0;
    bool right = true;
    for (int i = 0; i < N; i++)
        x[i] = N - 1 - i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_changed, sizeof changed);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    while (changed) {
        cudaMemset(d_changed, 0, sizeof changed);
        pass_kernel<<<1, N / 2>>>(d_x, 0, d_changed);
        pass_kernel<<<1, N / 2>>>(d_x, 1, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof changed, cudaMemcpyDeviceToHost);
        passes++;
    }
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && x[i] == i;
    right = right && passes == N / 2 + 1;
    cudaFree(d_x);
    cudaFree(d_changed);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
