// expect: race-stream
// Two streams fill a part of an array each, and the first part is one element too long.
// Without BUG: the parts meet and do not overlap.
#include <stdio.h>

#define N 1000

__global__ void fill_kernel(int *y, int n, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = value;
}

int main()
{
    int y[N], *d_y, wrong = 0;
    cudaStream_t s[2];
    cudaMalloc(&d_y, sizeof(y));
    for (int k = 0; k < 2; k++)
        cudaStreamCreate(&s[k]);
#ifdef BUG
    int first = N / 2 + 1;
#else
    int first = N / 2;
#endif
    fill_kernel<<<8, 128, 0, s[0]>>>(d_y, first, 1);             // EXPECTED
    fill_kernel<<<8, 128, 0, s[1]>>>(d_y + N / 2, N - N / 2, 2); // EXPECTED
    cudaDeviceSynchronize();
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 1 + (i >= N / 2);
    for (int k = 0; k < 2; k++)
        cudaStreamDestroy(s[k]);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
