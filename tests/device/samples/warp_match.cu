/* Lanes with equal keys: each group of a warp adds up its values, and its first lane writes. */
#include <cstdio>
#include <cuda_runtime.h>

#define KEYS 7

__global__ void sum_by_key(const int *key, const int *x, int n, int *sums, int *groups)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n) {
        unsigned same = __match_any_sync(mask, key[i]);
        int sum = 0;
        for (unsigned left = same; left; left &= left - 1)
            sum += __shfl_sync(same, x[i], __ffs(left) - 1);
        if (threadIdx.x % 32 == __ffs(same) - 1) {
            atomicAdd(&sums[key[i]], sum);
            atomicAdd(groups, 1);
        }
    }
}

__global__ void all_equal(const long long *x, int *equal)
{
    int all = 0;
    unsigned mask = __match_all_sync(0xffffffff, x[threadIdx.x], &all);
    equal[threadIdx.x] = all && mask == 0xffffffff ? 1 : mask == 0 && !all ? 0 : -1;
}

int main()
{
    const int n = 333;
    int key[n], x[n], sums[KEYS], wanted[KEYS] = {0}, groups = 0, wanted_groups = 0;
    int *d_key, *d_x, *d_sums, *d_groups, *d_equal, equal[64];
    long long h_y[64], *d_y;
    bool right = true;

    for (int i = 0; i < n; i++) {
        key[i] = (i / 3 + i * i) % KEYS;
        x[i] = i % 10 - 4;
        wanted[key[i]] += x[i];
    }
    for (int w = 0; w < n; w += 32)
        for (int k = 0; k < KEYS; k++) {
            bool there = false;
            for (int i = w; i < w + 32 && i < n; i++)
                there = there || key[i] == k;
            wanted_groups += there;
        }
    for (int i = 0; i < 64; i++)
        h_y[i] = i < 32 ? 1ll << 40 : i == 40;
    cudaMalloc(&d_key, sizeof key);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMalloc(&d_groups, sizeof groups);
    cudaMalloc(&d_equal, sizeof equal);
    cudaMalloc(&d_y, sizeof h_y);
    cudaMemcpy(d_key, key, sizeof key, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, h_y, sizeof h_y, cudaMemcpyHostToDevice);
    cudaMemset(d_sums, 0, sizeof sums);
    cudaMemset(d_groups, 0, sizeof groups);
    sum_by_key<<<(n + 63) / 64, 64>>>(d_key, d_x, n, d_sums, d_groups);
    all_equal<<<1, 64>>>(d_y, d_equal);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(&groups, d_groups, sizeof groups, cudaMemcpyDeviceToHost);
    cudaMemcpy(equal, d_equal, sizeof equal, cudaMemcpyDeviceToHost);
    for (int k = 0; k < KEYS; k++)
        right = right && sums[k] == wanted[k];
    for (int i = 0; i < 64; i++)
        right = right && equal[i] == (i < 32);
    right = right && groups == wanted_groups;
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_key);
    cudaFree(d_x);
    cudaFree(d_sums);
    cudaFree(d_groups);
    cudaFree(d_equal);
    cudaFree(d_y);
    return right ? 0 : 1;
}
