// expect: race-global
// Transposition in place: every pair of elements is swapped by two threads.
// Without BUG: only the thread below the diagonal swaps.
#include <stdio.h>

#define N 40

__global__ void transpose_kernel(int *a)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef BUG
    if (x < N && y < N) {
#else
    if (x < y && y < N) {
#endif
        int swap = a[y * N + x];     // EXPECTED
        a[y * N + x] = a[x * N + y]; // EXPECTED
        a[x * N + y] = swap;         // EXPECTED
    }
}

int main()
{
    static int a[N * N], b[N * N];
    int *d_a, wrong = 0;
    for (int i = 0; i < N * N; i++)
        a[i] = i;
    cudaMalloc(&d_a, sizeof(a));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    transpose_kernel<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(d_a);
    cudaMemcpy(b, d_a, sizeof(b), cudaMemcpyDeviceToHost);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            wrong += b[y * N + x] != a[x * N + y];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    return wrong != 0;
}
