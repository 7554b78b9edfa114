/* Arithmetic rounded up, down and towards zero: the exact result lies between the two, and they are
 * neighbours. */
#include <math.h>
#include <stdio.h>

__global__ void float_kernel(float *r, float a, float b, float c)
{
    r[0] = __fadd_rd(a, b), r[1] = __fadd_ru(a, b), r[2] = __fadd_rz(-a, -b);
    r[3] = __fmul_rd(a, b), r[4] = __fmul_ru(a, b), r[5] = __fmul_rz(-a, b);
    r[6] = __fdiv_rd(a, b), r[7] = __fdiv_ru(a, b), r[8] = __fdiv_rz(-a, b);
    r[9] = __fsqrt_rd(a), r[10] = __fsqrt_ru(a), r[11] = -__fsqrt_rz(a);
    r[12] = __fmaf_rd(a, b, c), r[13] = __fmaf_ru(a, b, c), r[14] = __fmaf_rz(-a, b, -c);
    r[15] = __fsub_rd(a, c), r[16] = __fsub_ru(a, c), r[17] = __fsub_rz(-a, -c);
    r[18] = __frcp_rd(b), r[19] = __frcp_ru(b), r[20] = -__frcp_rz(b);
}

__global__ void double_kernel(double *r, double a, double b, double c)
{
    r[0] = __dadd_rd(a, c), r[1] = __dadd_ru(a, c), r[2] = __dadd_rz(-a, -c);
    r[3] = __dmul_rd(a, b), r[4] = __dmul_ru(a, b), r[5] = __dmul_rz(-a, b);
    r[6] = __ddiv_rd(a, b), r[7] = __ddiv_ru(a, b), r[8] = __ddiv_rz(-a, b);
    r[9] = __dsqrt_rd(a), r[10] = __dsqrt_ru(a), r[11] = -__dsqrt_rz(a);
    r[12] = __fma_rd(a, b, c), r[13] = __fma_ru(a, b, c), r[14] = __fma_rz(-a, b, -c);
    r[15] = __dsub_rd(a, c), r[16] = __dsub_ru(a, c), r[17] = __dsub_rz(-a, -c);
    r[18] = __drcp_rd(b), r[19] = __drcp_ru(b), r[20] = -__drcp_rz(b);
}

int main()
{
    float *f;
    double *d;
    cudaMallocManaged(&f, 21 * sizeof *f);
    cudaMallocManaged(&d, 21 * sizeof *d);
    float_kernel<<<1, 1>>>(f, 1.1f, 3.3f, 1e-9f);
    double_kernel<<<1, 1>>>(d, 1.1, 3.3, 1e-18);
    cudaDeviceSynchronize();
    bool right = true;
    for (int i = 0; i < 21; i += 3) { /* positive: towards zero is down */
        right = right && f[i + 1] == nextafterf(f[i], INFINITY) && f[i + 2] == -f[i];
        right = right && d[i + 1] == nextafter(d[i], INFINITY) && d[i + 2] == -d[i];
        if (!right)
            printf("%d: %.9g %.9g %.9g, %.17g %.17g %.17g\n", i / 3, f[i], f[i + 1], f[i + 2], d[i],
                   d[i + 1], d[i + 2]);
    }
    cudaFree(f);
    cudaFree(d);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
