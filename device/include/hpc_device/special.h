/* C++17's special functions of <cmath> (std::beta, std::cyl_bessel_j ..) with libstdc++. Its own
 * header calls them for float and long double in functions that are no templates, for which g++
 * makes 200 functions anew in every program, a third of what an empty one takes to compile,
 * compiled header or not. These are made where a program calls them. */
#ifndef HPC_DEVICE_SPECIAL_H
#define HPC_DEVICE_SPECIAL_H

#include <cstddef> /* the macros of libstdc++ */

#if defined(_GLIBCXX_USE_STD_SPEC_FUNCS) && !defined(_GLIBCXX_CMATH) &&                            \
    __has_include(<tr1/poly_laguerre.tcc>)
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#include <cmath>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS      1
#define __STDCPP_MATH_SPEC_FUNCS__       201003L
#define __cpp_lib_math_special_functions 201603L

#include <bits/stl_algobase.h>
#include <limits>
#include <type_traits>

/* In the order of what they call. */
#include <tr1/gamma.tcc>

#include <tr1/bessel_function.tcc>
#include <tr1/beta_function.tcc>
#include <tr1/ell_integral.tcc>
#include <tr1/exp_integral.tcc>
#include <tr1/legendre_function.tcc>
#include <tr1/modified_bessel_func.tcc>
#include <tr1/poly_hermite.tcc>
#include <tr1/poly_laguerre.tcc>
#include <tr1/riemann_zeta.tcc>

namespace std
{
#define HPC_LIST(...) __VA_ARGS__
/* `name` for any number, its names for float and long double; `own`: libstdc++'s name of it.
 * `types`, `takes`, `gives`: in brackets the template's parameters, the function's, and what is
 * handed on of these; `takes_as`: the function's for one type; `value`: the type of the result. */
#define HPC_SPECIAL(name, own, types, takes, takes_as, gives, value)                               \
    template <HPC_LIST types> inline value name(HPC_LIST takes)                                    \
    {                                                                                              \
        return __detail::own<value>(HPC_LIST gives);                                               \
    }                                                                                              \
    template <class = void> inline float name##f(takes_as(float))                                  \
    {                                                                                              \
        return __detail::own<float>(HPC_LIST gives);                                               \
    }                                                                                              \
    template <class = void> inline long double name##l(takes_as(long double))                      \
    {                                                                                              \
        return __detail::own<long double>(HPC_LIST gives);                                         \
    }
/* Of one number behind no, one or two orders; of two numbers; of three. */
#define HPC_X(T)           T x
#define HPC_NX(T)          unsigned n, T x
#define HPC_NMX(T)         unsigned n, unsigned m, T x
#define HPC_XY(T)          T x, T y
#define HPC_XYZ(T)         T x, T y, T z
#define HPC_PROMOTED       typename __gnu_cxx::__promote<A>::__type
#define HPC_ONE(name, own) HPC_SPECIAL(name, own, (class A), (A x), HPC_X, (x), HPC_PROMOTED)
#define HPC_ORDER(name, own)                                                                       \
    HPC_SPECIAL(name, own, (class A), (unsigned n, A x), HPC_NX, (n, x), HPC_PROMOTED)
#define HPC_ORDERS(name, own)                                                                      \
    HPC_SPECIAL(name, own, (class A), (unsigned n, unsigned m, A x), HPC_NMX, (n, m, x),           \
                HPC_PROMOTED)
#define HPC_TWO(name, own)                                                                         \
    HPC_SPECIAL(name, own, (class A, class B), (A x, B y), HPC_XY, (x, y),                         \
                HPC_LIST(typename __gnu_cxx::__promote_2<A, B>::__type))
#define HPC_THREE(name, own)                                                                       \
    HPC_SPECIAL(name, own, (class A, class B, class C), (A x, B y, C z), HPC_XYZ, (x, y, z),       \
                HPC_LIST(typename __gnu_cxx::__promote_3<A, B, C>::__type))
HPC_ORDERS(assoc_laguerre, __assoc_laguerre)
HPC_ORDERS(assoc_legendre, __assoc_legendre_p)
HPC_TWO(beta, __beta)
HPC_ONE(comp_ellint_1, __comp_ellint_1)
HPC_ONE(comp_ellint_2, __comp_ellint_2)
HPC_TWO(comp_ellint_3, __comp_ellint_3)
HPC_TWO(cyl_bessel_i, __cyl_bessel_i)
HPC_TWO(cyl_bessel_j, __cyl_bessel_j)
HPC_TWO(cyl_bessel_k, __cyl_bessel_k)
HPC_TWO(cyl_neumann, __cyl_neumann_n)
HPC_TWO(ellint_1, __ellint_1)
HPC_TWO(ellint_2, __ellint_2)
HPC_THREE(ellint_3, __ellint_3)
HPC_ONE(expint, __expint)
HPC_ORDER(hermite, __poly_hermite)
HPC_ORDER(laguerre, __laguerre)
HPC_ORDER(legendre, __poly_legendre_p)
HPC_ONE(riemann_zeta, __riemann_zeta)
HPC_ORDER(sph_bessel, __sph_bessel)
HPC_ORDERS(sph_legendre, __sph_legendre)
HPC_ORDER(sph_neumann, __sph_neumann)
#undef HPC_LIST
#undef HPC_SPECIAL
#undef HPC_X
#undef HPC_NX
#undef HPC_NMX
#undef HPC_XY
#undef HPC_XYZ
#undef HPC_PROMOTED
#undef HPC_ONE
#undef HPC_ORDER
#undef HPC_ORDERS
#undef HPC_TWO
#undef HPC_THREE
} // namespace std
#endif

#endif
