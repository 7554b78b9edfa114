/* Local flags that live across barriers, in a loop with a short cut: each thread has its own,
 * wherever a compiler keeps them (a mask register, once). */
#include <cstdio>

const int threads = 64, n = 640;

template <class T> __global__ void flags_kernel(const T *x, T *y, int rounds)
{
    __shared__ T s[threads];
    const int t = threadIdx.x;
    bool small = x[t] < T(50), begun = false;
    T sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int k = t; k < n; k += threads)
            small &= x[k] != T(r + 1000);
        s[t] = small ? x[(t + r) % n] : T(1);
        __syncthreads();
        if (begun)
            for (int k = 0; k < threads; k += 3)
                sum += s[k];
        __syncthreads();
        if (s[3] > T(90))
            continue;
        if (x[(t + r) % n] > T(60))
            begun = true;
        __syncthreads();
        if (!small)
            sum -= T(1);
        __syncthreads();
    }
    y[t] = sum + (small ? T(5) : T(0)) + (begun ? T(9) : T(0));
}

/* The same by the host, thread by thread. */
static int expected(const int *x, int t, int rounds)
{
    bool small = x[t] < 50, begun = false;
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        int s[threads];
        for (int k = 0; k < threads; k++)
            s[k] = x[k] < 50 ? x[(k + r) % n] : 1;
        for (int k = 0; begun && k < threads; k += 3)
            sum += s[k];
        if (s[3] > 90)
            continue;
        begun = begun || x[(t + r) % n] > 60;
        sum -= small ? 0 : 1;
    }
    return sum + (small ? 5 : 0) + (begun ? 9 : 0);
}

int main()
{
    const int rounds = 30;
    int *x, *y, h[n], r[threads], wrong = 0;
    unsigned a = 1;
    for (int i = 0; i < n; i++)
        h[i] = (int)((a = a * 1664525u + 1013904223u) >> 20) % 97;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof r);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    flags_kernel<int><<<1, threads>>>(x, y, rounds);
    cudaMemcpy(r, y, sizeof r, cudaMemcpyDeviceToHost);
    for (int t = 0; t < threads; t++)
        wrong += r[t] != expected(h, t, rounds);
    printf("%d wrong\n%s\n", wrong, wrong ? "FAIL" : "PASS");
    cudaFree(x), cudaFree(y);
    return wrong != 0;
}
