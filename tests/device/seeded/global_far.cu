// expect: oob-global
// A list of neighbours has -1 for "none", which is used as an unsigned index.
// Without BUG: "none" is tested for.
#include <stdio.h>

#define N 200

__global__ void degree_kernel(const int *next, const float *value, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
#ifdef BUG
    unsigned short k = next[i];
    sum[i] = value[i] + value[k]; // EXPECTED
#else
    int k = next[i];
    sum[i] = k < 0 ? value[i] : value[i] + value[k];
#endif
}

int main()
{
    int next[N], *d_next, wrong = 0;
    float value[N], sum[N], *d_value, *d_sum;
    for (int i = 0; i < N; i++) {
        next[i] = i % 10 == 9 ? -1 : i + 1;
        value[i] = i;
    }
    cudaMalloc(&d_next, sizeof(next));
    cudaMalloc(&d_value, sizeof(value));
    cudaMalloc(&d_sum, sizeof(sum));
    cudaMemcpy(d_next, next, sizeof(next), cudaMemcpyHostToDevice);
    cudaMemcpy(d_value, value, sizeof(value), cudaMemcpyHostToDevice);
    degree_kernel<<<(N + 31) / 32, 32>>>(d_next, d_value, d_sum);
    cudaMemcpy(sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += sum[i] != value[i] + (next[i] < 0 ? 0 : value[next[i]]);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_next);
    cudaFree(d_value);
    cudaFree(d_sum);
    return wrong != 0;
}
