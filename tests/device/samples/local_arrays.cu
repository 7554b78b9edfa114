/* Arrays of each thread's own: histograms, small matrices, rows that are run through as one. */
#include <cstdio>
#include <cuda_runtime.h>

__device__ void multiply(const int (&a)[2][2], const int (&b)[2][2], int (&c)[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 2; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

__global__ void arrays_kernel(const int *x, int *fibonacci, int *modes, int *sums)
{
    const int t = threadIdx.x;
    int power[2][2] = {{1, 0}, {0, 1}}, step[2][2] = {{1, 1}, {1, 0}}, next[2][2];
    for (int i = 0; i < t; i++) {
        multiply(power, step, next);
        for (int k = 0; k < 4; k++)
            power[0][k] = next[0][k];
    }
    fibonacci[t] = power[0][1];
    int bins[5] = {0}, best = 0;
    for (int i = 0; i < 10; i++)
        bins[x[(t + i) % 32] % 5]++;
    for (int b = 1; b < 5; b++)
        if (bins[b] > bins[best])
            best = b;
    modes[t] = best;
    int table[3][4], *p = &table[0][0];
    for (int i = 0; i < 12; i++)
        p[i] = i;
    sums[t] = table[2][3] + table[1][0];
}

int main()
{
    int x[32], y[3][32], *d_x, *d_y, a = 0, b = 1;
    bool right = true;
    for (int i = 0; i < 32; i++)
        x[i] = i % 2 ? 3 : i % 5;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    arrays_kernel<<<1, 32>>>(d_x, d_y, d_y + 32, d_y + 64);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) {
        right = right && y[0][i] == a && y[1][i] == 3 && y[2][i] == 15;
        const int next = a + b;
        a = b;
        b = next;
    }
    cudaFree(d_x);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
