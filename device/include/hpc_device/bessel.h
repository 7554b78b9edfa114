/* Modified Bessel functions: sum over k of (x / 2)^(2 k + n) / (k! (k + n)!), all terms of one
 * sign. */
#ifndef HPC_DEVICE_BESSEL_H
#define HPC_DEVICE_BESSEL_H

namespace hpc_dev
{
static inline double bessel_i(int order, double x)
{
    const double quarter = x * x / 4;
    double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 2000 && fabs(term) > 1e-17 * fabs(sum); k++)
        sum += term *= quarter / ((double)k * (k + order));
    return sum;
}
} // namespace hpc_dev

HPC_MATH double cyl_bessel_i0(double x)
{
    return hpc_dev::bessel_i(0, x);
}
HPC_MATH double cyl_bessel_i1(double x)
{
    return hpc_dev::bessel_i(1, x);
}
HPC_MATH float cyl_bessel_i0f(float x)
{
    return (float)hpc_dev::bessel_i(0, x);
}
HPC_MATH float cyl_bessel_i1f(float x)
{
    return (float)hpc_dev::bessel_i(1, x);
}

#endif
