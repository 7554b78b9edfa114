// expect: race-global
// The blocks count themselves by an ordinary increment to find out which of them is the last.
// Without BUG: the counter is atomic.
#include <cstdio>
#include <vector>

const int threads = 64, blocks = 24;

__global__ void max_kernel(const float *x, float *largest, unsigned *counter, float *result)
{
    __shared__ float s[threads];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * threads + t];
    __syncthreads();
    for (int d = threads / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] = fmaxf(s[t], s[t + d]);
        __syncthreads();
    }
    if (t == 0) {
        largest[blockIdx.x] = s[0]; // EXPECTED
        __threadfence();
#ifdef BUG
        unsigned before = (*counter)++; // EXPECTED
#else
        unsigned before = atomicAdd(counter, 1);
#endif
        last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        float m = largest[0]; // EXPECTED
        for (int b = 1; b < blocks; b++)
            m = fmaxf(m, largest[b]); // EXPECTED
        *result = m;
    }
}

int main()
{
    const int n = threads * blocks;
    std::vector<float> x(n);
    float want = 0, got = 0, *d_x, *d_largest, *d_result;
    unsigned *d_counter;
    for (int i = 0; i < n; i++) {
        x[i] = i * 7919 % 5003;
        want = x[i] > want ? x[i] : want;
    }
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_largest, blocks * sizeof(float));
    cudaMalloc(&d_result, sizeof(float));
    cudaMalloc(&d_counter, sizeof(unsigned));
    cudaMemset(d_counter, 0, sizeof(unsigned));
    cudaMemset(d_result, 0, sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    max_kernel<<<blocks, threads>>>(d_x, d_largest, d_counter, d_result);
    cudaMemcpy(&got, d_result, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s: %g, expected %g\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_largest);
    cudaFree(d_result);
    cudaFree(d_counter);
    return got != want;
}
