/* Integer intrinsics, cached loads, clocks. */
#ifndef HPC_DEVICE_INTEGER_H
#define HPC_DEVICE_INTEGER_H

HPC_MATH int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
HPC_MATH int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
HPC_MATH int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
HPC_MATH int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
HPC_MATH int __ffs(int x)
{
    return __builtin_ffs(x);
}
HPC_MATH int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
HPC_MATH unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
HPC_MATH unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
/* Bytes of y:x chosen by the nibbles of s; bit 3 of a nibble repeats the byte's sign. */
HPC_MATH unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (int k = 0; k < 4; k++) {
        unsigned choice = s >> (4 * k), byte = (unsigned)(bytes >> (8 * (choice & 7))) & 0xff;
        result |= (choice & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * k);
    }
    return result;
}
HPC_MATH int __mul24(int a, int b)
{
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                 (unsigned)((int)((unsigned)b << 8) >> 8));
}
HPC_MATH unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
HPC_MATH int __mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}
HPC_MATH unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
HPC_MATH long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
HPC_MATH unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
HPC_MATH int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
HPC_MATH int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
HPC_MATH unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
HPC_MATH unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
HPC_MATH unsigned __sad(int a, int b, unsigned c)
{
    return c + (unsigned)(a > b ? (long long)a - b : (long long)b - a);
}
HPC_MATH unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return c + (a > b ? a - b : b - a);
}
HPC_MATH unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)((((uint64_t)hi << 32 | lo) << (shift & 31)) >> 32);
}
HPC_MATH unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((uint64_t)hi << 32 | lo) >> (shift & 31));
}
/* These two shift by 32 at most, those above by the shift's last 5 bits. */
HPC_MATH unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift < 32 ? __funnelshift_l(lo, hi, shift) : lo;
}
HPC_MATH unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift < 32 ? __funnelshift_r(lo, hi, shift) : hi;
}
/* Where the n-th bit that is set stands, counted from bit `base` on and up (n < 0: down); n = 0:
 * base itself. -1: there is none. */
HPC_MATH unsigned __fns(unsigned mask, unsigned base, int n)
{
    const int step = n < 0 ? -1 : 1;
    int left = n < 0 ? -n : n > 0 ? n : 1;
    for (int bit = (int)base; bit >= 0 && bit < 32; bit += step) {
        if (mask >> bit & 1 && --left == 0)
            return (unsigned)bit;
        if (n == 0)
            break;
    }
    return 0xffffffffu;
}
HPC_MATH int __dp2a_lo(int a, int b, int c)
{
    return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
}
HPC_MATH unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
HPC_MATH int __dp2a_hi(int a, int b, int c)
{
    return __dp2a_lo(a, b >> 16, c);
}
HPC_MATH unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return __dp2a_lo(a, b >> 16, c);
}
HPC_MATH int __dp4a(int a, int b, int c)
{
    for (int k = 0; k < 32; k += 8)
        c += (signed char)(a >> k) * (signed char)(b >> k);
    return c;
}
HPC_MATH unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    for (int k = 0; k < 32; k += 8)
        c += (a >> k & 0xff) * (b >> k & 0xff);
    return c;
}

/* Loads and stores with a cache's hint are loads and stores. */
#define HPC_LOAD(name)                                                                             \
    template <class T> HPC_MATH T name(const T *p)                                                 \
    {                                                                                              \
        return *p;                                                                                 \
    }
HPC_LOAD(__ldg)
HPC_LOAD(__ldcg)
HPC_LOAD(__ldca)
HPC_LOAD(__ldcs)
HPC_LOAD(__ldlu)
HPC_LOAD(__ldcv)
#undef HPC_LOAD
#define HPC_STORE(name)                                                                            \
    template <class T> HPC_MATH void name(T *p, T value)                                           \
    {                                                                                              \
        *p = value;                                                                                \
    }
HPC_STORE(__stwb)
HPC_STORE(__stcg)
HPC_STORE(__stcs)
HPC_STORE(__stwt)
#undef HPC_STORE

/* Nanoseconds: a clock of 1 GHz. */
HPC_MATH long long clock64()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
HPC_MATH void __nanosleep(unsigned)
{
}
HPC_MATH void __trap()
{
    dev_trap(cudaErrorLaunchFailure);
}
HPC_MATH void __brkpt()
{
}
HPC_MATH void __prof_trigger(int)
{
}
#define __builtin_assume(condition) ((void)0)

/* Kinds of memory. An address in shared memory is counted from the block's own. */
HPC_MATH unsigned __isGlobal(const void *p)
{
    return dev_space(p) == DEV_GLOBAL;
}
HPC_MATH unsigned __isShared(const void *p)
{
    return dev_space(p) == DEV_SHARED;
}
HPC_MATH unsigned __isConstant(const void *p)
{
    return dev_space(p) == DEV_CONSTANT;
}
HPC_MATH unsigned __isLocal(const void *p)
{
    return dev_space(p) == 0;
}
HPC_UNCHECKED static inline size_t __cvta_generic_to_shared(const void *p)
{
    return (size_t)((const char *)p - dev_self->shared);
}
HPC_UNCHECKED static inline void *__cvta_shared_to_generic(size_t at)
{
    return dev_self->shared + at;
}
#define HPC_CVTA(space)                                                                            \
    HPC_MATH size_t __cvta_generic_to_##space(const void *p)                                       \
    {                                                                                              \
        return (size_t)p;                                                                          \
    }                                                                                              \
    HPC_MATH void *__cvta_##space##_to_generic(size_t at)                                          \
    {                                                                                              \
        return (void *)at;                                                                         \
    }
HPC_CVTA(global)
HPC_CVTA(constant)
HPC_CVTA(local)
#undef HPC_CVTA

#endif
