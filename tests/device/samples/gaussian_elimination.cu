/* A linear system by elimination with the largest pivot, chosen by a warp of the block. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 24

__global__ void solve_kernel(double *a, double *b)
{
    __shared__ int pivot;
    const int t = threadIdx.x;
    for (int k = 0; k < N; k++) {
        if (t == 0) {
            pivot = k;
            for (int i = k + 1; i < N; i++)
                if (fabs(a[i * N + k]) > fabs(a[pivot * N + k]))
                    pivot = i;
        }
        __syncthreads();
        if (pivot != k) {
            const double other = a[k * N + t];
            a[k * N + t] = a[pivot * N + t];
            a[pivot * N + t] = other;
            if (t == 0) {
                const double right = b[k];
                b[k] = b[pivot];
                b[pivot] = right;
            }
        }
        __syncthreads();
        if (t != k) {
            const double factor = a[t * N + k] / a[k * N + k];
            for (int j = k; j < N; j++)
                a[t * N + j] -= factor * a[k * N + j];
            b[t] -= factor * b[k];
        }
        __syncthreads();
    }
    b[t] /= a[t * N + t];
}

int main()
{
    double a[N * N], b[N], *d_a, *d_b;
    bool right = true;
    for (int i = 0; i < N; i++) { /* the smaller of two numbers; the solution is 1, 2, 3 .. */
        b[i] = 0;
        for (int j = 0; j < N; j++) {
            a[i * N + j] = i < j ? i + 1 : j + 1;
            b[i] += a[i * N + j] * (j + 1);
        }
    }
    cudaMalloc(&d_a, sizeof a);
    cudaMalloc(&d_b, sizeof b);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    solve_kernel<<<1, N>>>(d_a, d_b);
    cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && b[i] > i + 1 - 1e-9 && b[i] < i + 1 + 1e-9;
    cudaFree(d_a);
    cudaFree(d_b);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
