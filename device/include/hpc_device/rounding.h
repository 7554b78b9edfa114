/* Arithmetic that is rounded up, down or towards zero: the processor's own rounding is set for one
 * operation, whose operands and result go through memory so that the compiler moves none of it. */
#ifndef HPC_DEVICE_ROUNDING_H
#define HPC_DEVICE_ROUNDING_H

namespace hpc_dev
{
/* Rounded to nearest again when it goes. */
class rounded
{
  public:
    explicit rounded(int direction)
    {
        fesetround(direction);
    }
    ~rounded()
    {
        fesetround(FE_TONEAREST);
    }
};
} // namespace hpc_dev

#define HPC_HELD(x) __asm__ volatile("" : "+m"(x))
#define HPC_ONE(name, type, direction, expression)                                                 \
    HPC_UNCHECKED static inline type name(type a)                                                  \
    {                                                                                              \
        hpc_dev::rounded now(direction);                                                           \
        HPC_HELD(a);                                                                               \
        type r = expression;                                                                       \
        HPC_HELD(r);                                                                               \
        return r;                                                                                  \
    }
#define HPC_TWO(name, type, direction, expression)                                                 \
    HPC_UNCHECKED static inline type name(type a, type b)                                          \
    {                                                                                              \
        hpc_dev::rounded now(direction);                                                           \
        HPC_HELD(a);                                                                               \
        HPC_HELD(b);                                                                               \
        type r = expression;                                                                       \
        HPC_HELD(r);                                                                               \
        return r;                                                                                  \
    }
#define HPC_THREE(name, type, direction, expression)                                               \
    HPC_UNCHECKED static inline type name(type a, type b, type c)                                  \
    {                                                                                              \
        hpc_dev::rounded now(direction);                                                           \
        HPC_HELD(a);                                                                               \
        HPC_HELD(b);                                                                               \
        HPC_HELD(c);                                                                               \
        type r = expression;                                                                       \
        HPC_HELD(r);                                                                               \
        return r;                                                                                  \
    }
#define HPC_DIRECTED(way, direction)                                                               \
    HPC_TWO(__fadd_##way, float, direction, a + b)                                                 \
    HPC_TWO(__fsub_##way, float, direction, a - b)                                                 \
    HPC_TWO(__fmul_##way, float, direction, a *b)                                                  \
    HPC_TWO(__fdiv_##way, float, direction, a / b)                                                 \
    HPC_ONE(__frcp_##way, float, direction, 1.0f / a)                                              \
    HPC_ONE(__fsqrt_##way, float, direction, sqrtf(a))                                             \
    HPC_THREE(__fmaf_##way, float, direction, fmaf(a, b, c))                                       \
    HPC_TWO(__dadd_##way, double, direction, a + b)                                                \
    HPC_TWO(__dsub_##way, double, direction, a - b)                                                \
    HPC_TWO(__dmul_##way, double, direction, a *b)                                                 \
    HPC_TWO(__ddiv_##way, double, direction, a / b)                                                \
    HPC_ONE(__drcp_##way, double, direction, 1.0 / a)                                              \
    HPC_ONE(__dsqrt_##way, double, direction, sqrt(a))                                             \
    HPC_THREE(__fma_##way, double, direction, fma(a, b, c))

HPC_DIRECTED(ru, FE_UPWARD)
HPC_DIRECTED(rd, FE_DOWNWARD)
HPC_DIRECTED(rz, FE_TOWARDZERO)
#undef HPC_DIRECTED
#undef HPC_THREE
#undef HPC_TWO
#undef HPC_ONE
#undef HPC_HELD

#endif
