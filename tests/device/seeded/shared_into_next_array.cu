// expect: oob-shared
// Keys and values stand in two shared arrays, and an index too large for the first one ends in
// the second.
// Without BUG: the index stays inside the first array.
#include <stdio.h>

#define N 64

__global__ void sorted_kernel(const int *keys, const int *values, int *out)
{
    __shared__ int s_keys[N], s_values[N];
    int t = threadIdx.x;
    s_keys[t] = keys[t];
    s_values[t] = values[t];
    __syncthreads();
    int rank = 0;
#ifdef BUG
    for (int k = 0; k <= N; k++)
#else
    for (int k = 0; k < N; k++)
#endif
        rank += s_keys[k] < s_keys[t]; // EXPECTED
    if (rank < N)
        out[rank] = s_values[t];
}

int main()
{
    int keys[N], values[N], out[N], *d_keys, *d_values, *d_out, wrong = 0;
    for (int i = 0; i < N; i++) {
        keys[i] = i * 29 % N + 1;
        values[i] = 100 * keys[i];
    }
    cudaMalloc(&d_keys, sizeof(keys));
    cudaMalloc(&d_values, sizeof(values));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_keys, keys, sizeof(keys), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice);
    sorted_kernel<<<1, N>>>(d_keys, d_values, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += out[i] != 100 * (i + 1);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_keys);
    cudaFree(d_values);
    cudaFree(d_out);
    return wrong != 0;
}
