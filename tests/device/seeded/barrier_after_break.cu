// expect: divergent-barrier
// Each thread leaves the iteration when its own element has converged, while others still wait
// at its barriers.
// Without BUG: the iteration ends for all threads together.
#include <math.h>
#include <stdio.h>

#define N 64

__global__ void smooth_kernel(float *x)
{
    __shared__ float s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < 100; k++) {
        int left = t > 0 ? t - 1 : 0, right = t < N - 1 ? t + 1 : N - 1;
        float mean = (s[left] + s[right]) / 2;
        bool done = fabsf(mean - s[t]) < 0.25f;
#ifdef BUG
        if (done)
#else
        if (__syncthreads_and(done))
#endif
            break;
#ifdef BUG
        __syncthreads(); // EXPECTED
#endif
        s[t] = mean;
        __syncthreads(); // EXPECTED
    }
    x[t] = s[t];
}

int main()
{
    float x[N], y[N], *d_x;
    for (int i = 0; i < N; i++)
        x[i] = i % 8;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    smooth_kernel<<<1, N>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int k = 0; k < 100; k++) {
        float mean[N];
        bool done = true;
        for (int i = 0; i < N; i++) {
            mean[i] = (x[i > 0 ? i - 1 : 0] + x[i < N - 1 ? i + 1 : N - 1]) / 2;
            done = done && fabsf(mean[i] - x[i]) < 0.25f;
        }
        if (done)
            break;
        for (int i = 0; i < N; i++)
            x[i] = mean[i];
    }
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
