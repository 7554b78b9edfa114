/* Lengths of vectors, and one over them: of three numbers, of four, and of as many as are given. */
#include <math.h>
#include <stdio.h>
#include <cuda_runtime.h>

static const int MOST = 9;

__global__ void norms(const double *x, double *lengths, float *lengths_f)
{
    const int n = threadIdx.x + 1;
    float f[MOST];
    for (int i = 0; i < n; i++)
        f[i] = (float)x[i];
    lengths[n - 1] = norm(n, x) * (n % 2 ? 1 : norm(n, x) * rnorm(n, x));
    lengths_f[n - 1] = normf(n, f) * (n % 2 ? 1 : normf(n, f) * rnormf(n, f));
    if (n == 3) {
        lengths[n - 1] *= norm3d(x[0], x[1], x[2]) * rnorm3d(x[0], x[1], x[2]);
        lengths_f[n - 1] *= norm3df(f[0], f[1], f[2]) * rnorm3df(f[0], f[1], f[2]);
    }
    if (n == 4) {
        lengths[n - 1] *= norm4d(x[0], x[1], x[2], x[3]) * rnorm4d(x[0], x[1], x[2], x[3]);
        lengths_f[n - 1] *= norm4df(f[0], f[1], f[2], f[3]) * rnorm4df(f[0], f[1], f[2], f[3]);
    }
}

int main()
{
    double x[MOST], lengths[MOST], *d_x, *d_lengths, sum = 0;
    float lengths_f[MOST], *d_lengths_f;
    for (int i = 0; i < MOST; i++)
        x[i] = 1.5 * i - 4;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_lengths, sizeof lengths);
    cudaMalloc(&d_lengths_f, sizeof lengths_f);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    norms<<<1, MOST>>>(d_x, d_lengths, d_lengths_f);
    cudaMemcpy(lengths, d_lengths, sizeof lengths, cudaMemcpyDeviceToHost);
    cudaMemcpy(lengths_f, d_lengths_f, sizeof lengths_f, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_lengths);
    cudaFree(d_lengths_f);
    bool ok = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < MOST; i++) {
        sum += x[i] * x[i];
        const double length = sqrt(sum);
        ok &= fabs(lengths[i] - length) < 1e-12 * length;
        ok &= fabs(lengths_f[i] - length) < 1e-5 * length;
        printf("%d: %.6f %.3f\n", i + 1, lengths[i], lengths_f[i]);
    }
    puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
