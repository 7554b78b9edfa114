// expect: race-host
// The host reads what cuBLAS may still copy to it, in the order of a stream that nobody waits for.
// Without BUG: it waits for the stream.
#include <cublas_v2.h>
#include <stdio.h>

#define N 300

int main()
{
    float *x, *d_x;
    int wrong = 0;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocHost(&x, 2 * N * sizeof(float));
    cudaMalloc(&d_x, N * sizeof(float));
    for (int i = 0; i < N; i++)
        x[i] = i;
    cublasSetVectorAsync(N, sizeof(float), x, 1, d_x, 1, s);
    cublasGetVectorAsync(N, sizeof(float), d_x, 1, x + N, 1, s); // EXPECTED
#ifndef BUG
    cudaStreamSynchronize(s);
#endif
    for (int i = 0; i < N; i++)
        wrong += x[N + i] != i; // EXPECTED
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
    cudaFree(d_x);
    cudaFreeHost(x);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
