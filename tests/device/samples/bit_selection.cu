/* The n-th bit that is set, shifts of two words by up to 32, rounded means, products of halves, and
 * integers and doubles as floats rounded each way. All values are printed. */
#include <cstdio>
#include <cuda_runtime.h>

#define WORDS 8
#define KINDS 24

__global__ void select_bits(const unsigned *words, unsigned *out)
{
    unsigned i = threadIdx.x, x = words[i], y = words[(i + 1) % WORDS], *o = out + i * KINDS;
    long long both = (long long)((unsigned long long)x << 32 | y);
    *o++ = __fns(x, 0, 1), *o++ = __fns(x, 4, 3), *o++ = __fns(x, 31, -2), *o++ = __fns(x, i, 0);
    *o++ = __funnelshift_l(x, y, 4 * i + 5), *o++ = __funnelshift_lc(x, y, 4 * i + 5);
    *o++ = __funnelshift_r(x, y, 4 * i + 5), *o++ = __funnelshift_rc(x, y, 4 * i + 5);
    *o++ = __urhadd(x, y), *o++ = __rhadd((int)x, (int)y);
    *o++ = __float_as_uint(__int2float_ru((int)x)), *o++ = __float_as_uint(__int2float_rd((int)x));
    *o++ = __float_as_uint(__int2float_rz((int)x)), *o++ = __float_as_uint(__uint2float_rz(x));
    *o++ = __float_as_uint(__uint2float_ru(x)), *o++ = __float_as_uint(__ll2float_rd(both));
    *o++ = __float_as_uint(__ull2float_ru((unsigned long long)both));
    *o++ = (unsigned)__double_as_longlong(__ll2double_rz(both));
    *o++ = (unsigned)__double_as_longlong(__ull2double_ru((unsigned long long)both));
    *o++ = __float_as_uint(__double2float_ru(x / 3.0)),
    *o++ = __float_as_uint(__double2float_rd(x / 3.0));
    *o++ = __float_as_uint(__double2float_rz(-1e300)),
    *o++ = __float_as_uint(__double2float_rd(-1e300));
    *o++ = __float_as_uint(__double2float_ru(1e-60));
}

int main()
{
    const unsigned words[WORDS] = {0,           1,           0x80000001u, 0x7fffffffu,
                                   0xffffffffu, 0x12345678u, 0xf0f0f0f1u, 0x00ff00ffu};
    unsigned out[WORDS * KINDS], *d_words, *d_out;
    cudaMalloc(&d_words, sizeof(words));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_words, words, sizeof(words), cudaMemcpyHostToDevice);
    select_bits<<<1, WORDS>>>(d_words, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < WORDS; i++) {
        const unsigned *o = out + i * KINDS;
        unsigned x = words[i], first = 0;
        while (first < 32 && !(x >> first & 1))
            first++;
        wrong += o[0] != (first < 32 ? first : 0xffffffffu) ||
                 o[3] != (x >> i & 1 ? (unsigned)i : 0xffffffffu);
        for (int k = 0; k < KINDS; k++)
            printf("%08x%s", o[k], k % 8 == 7 ? "\n" : " ");
    }
    printf("%s: %d of %d wrong\n", wrong ? "FAIL" : "PASS", wrong, WORDS);
    cudaFree(d_words);
    cudaFree(d_out);
    return wrong != 0;
}
