// expect: leak
// A batch that is refused returns before its memory is freed.
// Without BUG: the memory is freed on that way too.
#include <stdio.h>

#define N 100

__global__ void root_kernel(const float *x, float *y, int *negative)
{
    int i = threadIdx.x;
    if (x[i] < 0)
        atomicAdd(negative, 1);
    else
        y[i] = sqrtf(x[i]);
}

static bool roots(const float *x, float *y)
{
    float *d_x, *d_y;
    int *d_negative, negative;
    cudaMalloc(&d_x, N * sizeof(float));  // EXPECTED
    cudaMalloc(&d_y, N * sizeof(float));  // EXPECTED
    cudaMalloc(&d_negative, sizeof(int)); // EXPECTED
    cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_negative, 0, sizeof(int));
    root_kernel<<<1, N>>>(d_x, d_y, d_negative);
    cudaMemcpy(&negative, d_negative, sizeof(int), cudaMemcpyDeviceToHost);
#ifdef BUG
    if (negative > 0)
        return false;
    cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost);
#else
    if (negative == 0)
        cudaMemcpy(y, d_y, N * sizeof(float), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_negative);
#ifdef BUG
    return true;
#else
    return negative == 0;
#endif
}

int main()
{
    float good[N], bad[N], y[N];
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        good[i] = i * i;
        bad[i] = i - 3;
    }
    wrong += !roots(good, y);
    for (int i = 0; i < N; i++)
        wrong += y[i] != i;
    wrong += roots(bad, y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
