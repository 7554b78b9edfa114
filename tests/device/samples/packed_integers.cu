/* Four or two small integers in a word: sums, differences, the smaller and the larger, means,
 * comparisons, and what of them is above a number. All values are printed. */
#include <cstdio>
#include <cuda_runtime.h>

#define PAIRS 6
#define KINDS 36

__global__ void combine(const unsigned *a, const unsigned *b, unsigned *out)
{
    unsigned x = a[threadIdx.x], y = b[threadIdx.x], *o = out + threadIdx.x * KINDS;
    *o++ = __vadd4(x, y), *o++ = __vaddss4(x, y), *o++ = __vaddus4(x, y);
    *o++ = __vsub4(x, y), *o++ = __vsubss4(x, y), *o++ = __vsubus4(x, y);
    *o++ = __vabsdiffs4(x, y), *o++ = __vabsdiffu4(x, y), *o++ = __vsads4(x, y),
    *o++ = __vsadu4(x, y);
    *o++ = __vavgs4(x, y), *o++ = __vavgu4(x, y), *o++ = __vhaddu4(x, y);
    *o++ = __vmaxs4(x, y), *o++ = __vmaxu4(x, y), *o++ = __vmins4(x, y), *o++ = __vminu4(x, y);
    *o++ = __vabs4(x), *o++ = __vabsss4(x), *o++ = __vneg4(x), *o++ = __vnegss4(x);
    *o++ = __vcmpeq4(x, y), *o++ = __vcmpgts4(x, y), *o++ = __vcmpleu4(x, y),
    *o++ = __vsetne4(x, y);
    *o++ = __vadd2(x, y), *o++ = __vaddss2(x, y), *o++ = __vsubus2(x, y), *o++ = __vabsdiffs2(x, y);
    *o++ = __vavgs2(x, y), *o++ = __vavgu2(x, y), *o++ = __vmaxs2(x, y), *o++ = __vminu2(x, y);
    *o++ = __vcmpges2(x, y), *o++ = __vsetltu2(x, y), *o++ = __vabsss2(x);
}

int main()
{
    const unsigned a[PAIRS] = {0x01020304u, 0x7f80ff00u, 0x80808080u,
                               0x12fe56dcu, 0xffffffffu, 0x8000fffeu};
    const unsigned b[PAIRS] = {0x04030201u, 0x01ff01ffu, 0x807f0180u,
                               0x9a21b3f0u, 0x00000001u, 0x80008001u};
    unsigned out[PAIRS * KINDS], *d_a, *d_b, *d_out;
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    combine<<<1, PAIRS>>>(d_a, d_b, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int p = 0; p < PAIRS; p++) {
        const unsigned *o = out + p * KINDS;
        unsigned sum = 0, larger = 0, equal = 0, distance = 0;
        for (int k = 0; k < 32; k += 8) {
            unsigned x = a[p] >> k & 255, y = b[p] >> k & 255;
            sum |= ((x + y) & 255) << k;
            larger |= (x > y ? x : y) << k;
            equal |= (x == y ? 255u : 0) << k;
            distance += x > y ? x - y : y - x;
        }
        wrong += o[0] != sum || o[14] != larger || o[21] != equal || o[9] != distance;
        for (int k = 0; k < KINDS; k++)
            printf("%08x%s", o[k], k % 9 == 8 ? "\n" : " ");
    }
    printf("%s: %d of %d wrong\n", wrong ? "FAIL" : "PASS", wrong, PAIRS);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_out);
    return wrong != 0;
}
