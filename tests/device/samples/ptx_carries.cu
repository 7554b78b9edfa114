// Numbers of several words by inline PTX: instructions of one asm hand on a carry.
#include <cstdio>

typedef unsigned long long wide;

__device__ void add_128(unsigned *r, const unsigned *a, const unsigned *b)
{
    asm volatile("add.cc.u32 %0, %4, %8;\n\t"
                 "addc.cc.u32 %1, %5, %9;\n\t"
                 "addc.cc.u32 %2, %6, %10;\n\t"
                 "addc.u32 %3, %7, %11;"
                 : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]),
                   "r"(b[3]));
}

__device__ void sub_128(wide *r, const wide *a, const wide *b)
{
    asm("{ sub.cc.u64 %0, %2, %4; subc.u64 %1, %3, %5; }"
        : "=&l"(r[0]), "=l"(r[1])
        : "l"(a[0]), "l"(a[1]), "l"(b[0]), "l"(b[1]));
}

// a[0..1] * b + c[0..2]
__device__ void multiply_add(unsigned *r, const unsigned *a, unsigned b, const unsigned *c)
{
    asm("mad.lo.cc.u32 %0, %3, %5, %6;\n\t"
        "madc.lo.cc.u32 %1, %4, %5, %7;\n\t"
        "addc.u32 %2, %8, 0;\n\t"
        "mad.hi.cc.u32 %1, %3, %5, %1;\n\t"
        "madc.hi.u32 %2, %4, %5, %2;"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2])
        : "r"(a[0]), "r"(a[1]), "r"(b), "r"(c[0]), "r"(c[1]), "r"(c[2]));
}

__global__ void carries_kernel(unsigned *sums, wide *differences, unsigned *products,
                               const unsigned *in)
{
    const int i = threadIdx.x;
    const unsigned *a = in + 8 * i, *b = a + 4;
    wide x[2] = {a[0] | (wide)a[1] << 32, a[2] | (wide)a[3] << 32};
    wide y[2] = {b[0] | (wide)b[1] << 32, b[2] | (wide)b[3] << 32};
    add_128(sums + 4 * i, a, b);
    sub_128(differences + 2 * i, x, y);
    multiply_add(products + 3 * i, a, a[2], b);
}

int main()
{
    const int n = 32;
    unsigned in[8 * n], sums[4 * n], products[3 * n], *d, *d_sums, *d_products, state = 1;
    wide differences[2 * n], *d_differences;
    for (int i = 0; i < 8 * n; i++) {
        state = state * 1664525u + 1013904223u;
        in[i] = i % 5 == 0 ? 0xffffffffu : i % 7 == 0 ? 0 : state;
    }
    cudaMalloc(&d, sizeof in);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMalloc(&d_products, sizeof products);
    cudaMalloc(&d_differences, sizeof differences);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    carries_kernel<<<1, n>>>(d_sums, d_differences, d_products, d);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(products, d_products, sizeof products, cudaMemcpyDeviceToHost);
    cudaMemcpy(differences, d_differences, sizeof differences, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n; i++) {
        const unsigned *a = in + 8 * i, *b = a + 4;
        wide carry = 0, product = 0;
        for (int k = 0; k < 4; k++) {
            carry += (wide)a[k] + b[k];
            bad += sums[4 * i + k] != (unsigned)carry;
            carry >>= 32;
        }
        const wide x = a[0] | (wide)a[1] << 32, y = b[0] | (wide)b[1] << 32;
        const wide x1 = a[2] | (wide)a[3] << 32, y1 = b[2] | (wide)b[3] << 32;
        bad += differences[2 * i] != x - y || differences[2 * i + 1] != x1 - y1 - (x < y);
        for (int k = 0; k < 3; k++) {
            product += (k < 2 ? (wide)a[k] * a[2] : 0) + b[k];
            bad += products[3 * i + k] != (unsigned)product;
            product >>= 32;
        }
    }
    cudaFree(d);
    cudaFree(d_sums);
    cudaFree(d_products);
    cudaFree(d_differences);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
