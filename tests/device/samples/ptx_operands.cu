/* Inline PTX with operands: fields and bytes of words, products, loads and stores with hints to
 * caches and of vectors, atomic operations, conversions, words that are packed. */
#include <cstdio>
#include <cstring>

enum { N = 64, WORDS = 24 };

__device__ __forceinline__ unsigned field(unsigned x, unsigned at, unsigned n)
{
    unsigned r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(at), "r"(n));
    return r;
}

template <int AT> __device__ int signed_field(int x)
{
    int r;
    asm volatile("{\n\tbfe.s32 %0, %1, %2, 7;\n\t}" : "=r"(r) : "r"(x), "n"(AT));
    return r;
}

__device__ unsigned rotate(unsigned x, int n)
{
    asm("shf.l.wrap.b32	%0,	%0, %0, %1;" : "+r"(x) : "r"(n));
    return x;
}

__global__ void words_kernel(const unsigned *x, unsigned *out)
{
    const unsigned a = x[threadIdx.x], b = x[(threadIdx.x + 1) % N], c = ~a + b;
    unsigned *o = out + threadIdx.x * WORDS, r, high, low;
    unsigned long long wide;
    float f = (float)(a >> 8), g;
    o[0] = field(a, 5, 11);
    o[1] = field(a, b & 63, c & 63);
    o[2] = (unsigned)signed_field<9>((int)a);
    o[3] = rotate(a, 13);
    asm("bfi.b32 %0, %1, %2, 8, 5;" : "=r"(o[4]) : "r"(a), "r"(b));
    asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(o[5]) : "r"(a), "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(o[6]) : "r"(a), "r"(b), "r"(c));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(o[7]) : "r"(a), "r"(b));
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(o[8]) : "r"(a), "r"(b), "r"(c));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(wide));
    asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(high), "r"(low));
    o[9] = low ^ high;
    o[10] = (unsigned)(wide >> 32);
    asm("shl.b32 %0, %1, %2;" : "=r"(o[11]) : "r"(a), "r"(b & 63));
    asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b & 63));
    o[12] = r;
    asm("popc.b32 %0, %1;" : "=r"(o[13]) : "r"(a));
    asm("clz.b32 %0, %1;" : "=r"(o[14]) : "r"(b >> 9));
    asm("brev.b32 %0, %1;" : "=r"(o[15]) : "r"(c));
    asm("max.s32 %0, %1, %2;" : "=r"(o[16]) : "r"(a), "r"(b));
    asm("min.u32 %0, %1, %2;" : "=r"(o[17]) : "r"(a), "r"(b));
    asm("fma.rn.ftz.f32 %0, %1, %2, %3;" : "=f"(g) : "f"(f), "f"(0.5f), "f"(3.0f));
    asm("mov.b32 %0, %1;" : "=r"(o[18]) : "f"(g));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(o[19]) : "f"(g));
    asm("cvt.rn.f32.u32 %0, %1;" : "=f"(g) : "r"(b));
    asm("mov.b32 %0, %1;" : "=r"(o[20]) : "f"(g));
    asm("sub.s32 %0, %1, %2;" : "=r"(o[21]) : "r"(a), "r"(-b));
    asm("max.f32 %0, %1, 0f00000000;" : "=f"(g) : "f"(3.0f - f));
    asm("mov.b32 %0, %1;" : "=r"(o[22]) : "f"(g));
    double d;
    asm("fma.rn.f64 %0, %1, 0d4004000000000000, 0dBFF0000000000000;" : "=d"(d) : "d"((double)a));
    o[23] = d == 2.5 * a - 1;
}

/* Twice the values, by loads and stores of four; and their number and sum, by atomic operations. */
__global__ void memory_kernel(const float *x, float *y, int *count, float *sum,
                              const unsigned char *bytes)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    float a, b, c, d, last;
    unsigned byte;
    int before;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                 : "l"(x + i));
    asm volatile("ld.global.cs.f32 %0, [%1+12];" : "=f"(last) : "l"(x + i));
    asm("ld.global.u8 %0, [%1];" : "=r"(byte) : "l"(bytes + i));
    asm volatile("st.global.cg.v2.f32 [%0], {%1, %2};" ::"l"(y + i), "f"(2 * a), "f"(2 * b)
                 : "memory");
    asm volatile("st.global.f32 [%0], %1;" ::"l"(y + i + 2), "f"(2 * c) : "memory");
    asm volatile("st.volatile.global.f32 [%0 + 12], %1;" ::"l"(y + i), "f"(d + last));
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(count), "r"(1));
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sum), "f"((float)byte) : "memory");
    if (before < 0)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(x));
}

static unsigned bits_of(float f)
{
    unsigned bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static void wanted_words(unsigned a, unsigned b, unsigned *o)
{
    const unsigned c = ~a + b, at = b & 63, n = c & 63, s = b & 63;
    const unsigned long long wide = (unsigned long long)a * b;
    const float g = (float)(a >> 8) * 0.5f + 3.0f;
    o[0] = a >> 5 & 0x7ff;
    o[1] = at > 31 ? 0 : n > 31 ? a >> at : a >> at & ((1u << n) - 1);
    o[2] = (unsigned)((int)(a << 16) >> 25);
    o[3] = a << 13 | a >> 19;
    o[4] = (b & ~(31u << 8)) | (a & 31) << 8;
    o[5] = (a & 255) | (b & 255) << 8 | (a >> 8 & 255) << 16 | (b >> 8 & 255) << 24;
    o[6] = (a & b) | (a & c) | (b & c);
    o[7] = (unsigned)(wide >> 32);
    o[8] = a * b + c;
    o[9] = (unsigned)wide ^ (unsigned)(wide >> 32);
    o[10] = (unsigned)wide;
    o[11] = s > 31 ? 0 : a << s;
    o[12] = (unsigned)((int)a >> (s > 31 ? 31 : s));
    o[13] = o[14] = o[15] = 0;
    for (int k = 0; k < 32; k++) {
        o[13] += a >> k & 1;
        o[15] |= (c >> k & 1) << (31 - k);
    }
    for (unsigned left = b >> 9; o[14] < 32 && !(left >> (31 - o[14]) & 1);)
        o[14]++;
    o[16] = (int)a > (int)b ? a : b;
    o[17] = a < b ? a : b;
    o[18] = bits_of(g);
    o[19] = (unsigned)(int)g;
    o[20] = bits_of((float)b);
    o[21] = a + b;
    o[22] = bits_of((a >> 8) < 3 ? 3.0f - (float)(a >> 8) : 0.0f);
    o[23] = 1;
}

int main()
{
    unsigned x[N], out[N * WORDS], *d_x, *d_out;
    int wrong = 0, count = 0, *d_count;
    for (int i = 0; i < N; i++)
        x[i] = 2654435761u * (i + 1);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    words_kernel<<<1, N>>>(d_x, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        unsigned wanted[WORDS];
        wanted_words(x[i], x[(i + 1) % N], wanted);
        for (int k = 0; k < WORDS; k++)
            if (out[i * WORDS + k] != wanted[k] && wrong++ < 20)
                printf("word %d of %d: %x found, %x expected\n", k, i, out[i * WORDS + k],
                       wanted[k]);
    }
    float y[4 * N], sum = 0, bytes = 0, *d_y, *d_sum;
    unsigned char b[4 * N], *d_b;
    for (int i = 0; i < 4 * N; i++) {
        y[i] = i * 0.25f;
        b[i] = (unsigned char)(7 * i);
        bytes += i % 4 ? 0 : b[i];
    }
    cudaMalloc(&d_y, 2 * sizeof y);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMalloc(&d_count, sizeof count);
    cudaMalloc(&d_b, sizeof b);
    cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof sum);
    cudaMemset(d_count, 0, sizeof count);
    memory_kernel<<<2, N / 2>>>(d_y, d_y + 4 * N, d_count, d_sum, d_b);
    cudaMemcpy(y, d_y + 4 * N, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4 * N; i++)
        wrong += y[i] != i * 0.5f;
    wrong += sum != bytes || count != N;
    cudaFree(d_x);
    cudaFree(d_out);
    cudaFree(d_y);
    cudaFree(d_sum);
    cudaFree(d_count);
    cudaFree(d_b);
    printf("%s: %d wrong, count %d, sum %g\n", wrong ? "FAIL" : "PASS", wrong, count, sum);
    return wrong != 0;
}
