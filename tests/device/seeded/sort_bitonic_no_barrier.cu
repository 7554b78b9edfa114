// expect: race-shared
// A bitonic sort in shared memory: no barrier between the comparisons of one stage and the next.
// Without BUG: a barrier after each stage.
#include <algorithm>
#include <cstdio>
#include <vector>

const int n = 256;

__global__ void sort_kernel(int *x)
{
    __shared__ int s[n];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int size = 2; size <= n; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            int other = t ^ d;
            bool up = (t & size) == 0;
            if (other > t && (s[t] > s[other]) == up) { // EXPECTED
                int swap = s[t];                        // EXPECTED
                s[t] = s[other];                        // EXPECTED
                s[other] = swap;                        // EXPECTED
            }
#ifndef BUG
            __syncthreads();
#endif
        }
#ifdef BUG
    __syncthreads();
#endif
    x[t] = s[t];
}

int main()
{
    std::vector<int> x(n), y(n);
    for (int i = 0; i < n; i++)
        x[i] = i * 101 % 257;
    int *d_x;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sort_kernel<<<1, n>>>(d_x);
    cudaMemcpy(y.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::sort(x.begin(), x.end());
    printf("%s\n", x == y ? "PASS" : "FAIL");
    cudaFree(d_x);
    return x != y;
}
