/* All shortest paths of a ring with a chord, a launch for each node that paths may go through. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 40

__global__ void through_kernel(int *d, int k)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N || j >= N || i == k || j == k)
        return;
    const int way = d[i * N + k] + d[k * N + j];
    if (way < d[i * N + j])
        d[i * N + j] = way;
}

int main()
{
    static int d[N][N];
    int *d_d;
    bool right = true;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : (i - j + N) % N == 1 || (j - i + N) % N == 1 ? 1 : 1000;
    d[0][N / 2] = d[N / 2][0] = 1;
    cudaMalloc(&d_d, sizeof d);
    cudaMemcpy(d_d, d, sizeof d, cudaMemcpyHostToDevice);
    for (int k = 0; k < N; k++)
        through_kernel<<<dim3(3, 3), dim3(16, 16)>>>(d_d, k);
    cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const int around =
                (i - j + N) % N < (j - i + N) % N ? (i - j + N) % N : (j - i + N) % N;
            const int to0 = i < N - i ? i : N - i, half = i < N / 2 ? N / 2 - i : i - N / 2;
            const int from0 = j < N - j ? j : N - j, from_half = j < N / 2 ? N / 2 - j : j - N / 2;
            const int a = to0 + 1 + from_half, b = half + 1 + from0, chord = a < b ? a : b;
            right = right && d[i][j] == (around < chord ? around : chord);
        }
    cudaFree(d_d);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
