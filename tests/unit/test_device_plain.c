/* Which kernels the rewriter takes for a loop: all that it can, and none whose threads may wait. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/rewrite/rewrite.h"

/* Whether the rewriter writes `some` for a kernel of the body, and `none` for none. */
static void expect_text(const char *some, const char *none, const char *body)
{
    static const char head[] = "# 1 \"a.cu\"\n";
    char text[4096], *out = NULL;
    size_t size = 0;
    struct place error = {0};
    int n = snprintf(text, sizeof text, "%s%s\n", head, body);
    FILE *f = open_memstream(&out, &size);
    bool read = rewrite(text, (size_t)n, f, &error);
    fclose(f);
    if (!read || !strstr(out, some) || strstr(out, none))
        fail_msg("%s, expected %s and not %s: %s", read ? "rewritten" : "not read", some, none,
                 body);
    free(out);
}

/* Whether it makes every kernel (true) or none of them (false) a loop. */
static void expect(bool plain, const char *body)
{
    expect_text(plain ? "run<true, " : "run<false, ", plain ? "run<false, " : "run<true, ", body);
}

static void loops(void **state)
{
    (void)state;
    expect(true, "__global__ void k(float *y) { y[threadIdx.x] = blockIdx.x; }");
    expect(true, "template <int R> __global__ void k(float *y) { float s[R]; *y = s[0]; }");
    expect(true, "__device__ float f(float v) { return v; } "
                 "__global__ void k(float *y) { *y = f(*y); }");
    expect(true, "__global__ void k(float *y) { atomicAdd(y, 1.0f); }");
    expect(true,
           "__device__ float f(unsigned *p, float v) { unsigned old = *p, was; do { was = old;"
           " old = atomicCAS(p, was, was + v); } while (was != old); return old; }"
           " __global__ void k(unsigned *y) { f(y, 1); }");
    expect(true, "namespace a { __global__ void k(int *y) { *y = 1; } }"
                 " int main() { a::k<<<1, 2>>>(0); }");
    expect(true, "struct p { float *y; float get() const { return *y; } };"
                 " __global__ void k(p q) { *q.y = q.get(); }");
}

/* The alias of a namespace says nothing: its groups' names do. */
static void groups(void **state)
{
    (void)state;
    static const char alias[] = "namespace cg = cooperative_groups; ";
    static const char *const waits[] = {
        "__global__ void k() { auto b = cg::this_thread_block(); b.sync(); }",
        "__global__ void k() { cg::this_grid().sync(); }",
        "__global__ void k() { auto g = cg::coalesced_threads(); g.sync(); }",
        "__device__ void f(cg::thread_group g) { g.sync(); } __global__ void k() { "
        "f(cg::this_thread_block()); }",
        "template <class G> __device__ void f(G g) { g.sync(); } __global__ void k() { "
        "f(cg::this_thread_block()); }",
        "__device__ void f(cg::grid_group g) { g.sync(); } __global__ void k() { f({}); }",
        "__global__ void k(int *y) { *y = __any(*y); }",
    };
    static const char *const never[] = {
        "__global__ void k(float *y) { y[threadIdx.x] = 1; }",
        "__device__ void f(cg::thread_block_tile<32> &g) { g.sync(); }"
        " __global__ void k(float *y) { *y = 1; }",
        "struct s { __device__ void f(cg::thread_block b) { b.sync(); } };"
        " __global__ void k(float *y) { *y = 1; }",
    };
    char text[1000];
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        snprintf(text, sizeof text, "%s%s", alias, never[i]);
        expect(true, text);
    }
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        snprintf(text, sizeof text, "%s%s", alias, waits[i]);
        expect(false, text);
    }
}

static void kernels_that_wait(void **state)
{
    (void)state;
    expect(false, "__global__ void k(volatile int *y) { while (*y == 0) ; }");
    expect(false, "__device__ volatile int go; __global__ void k() { for (;;) if (go) break; }");
    expect(false, "__global__ void k(int *y) { while (*(volatile int *)y == 0) { } }");
    expect(false, "__global__ void k(int *y) { while (atomicAdd(y, 0) == 0) ; }");
    expect(false, "__device__ void f(int *y) { while (!atomicCAS(y, 1, 1)) ; }"
                  " __global__ void k(int *y) { f(y); }");
    expect(false, "__global__ void k() { __syncthreads(); }");
    expect(false, "__global__ void k() { __syncwarp(); }");
    expect(false, "__global__ void k(int *y) { *y = __ballot_sync(1, 1); }");
    expect(false, "__global__ void k(int *y) { __shared__ int s[3]; *y = s[0]; }");
    expect(false, "__global__ void k(int *y) { extern __shared__ int s[]; *y = s[0]; }");
    expect(false, "__global__ void k(int *y) { auto f = [&] { __syncthreads(); }; f(); }");
    expect(false, "__global__ void k() { auto b = cooperative_groups::this_thread_block(); }");
    /* A macro of a system header. */
}

static void hidden_ways(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "__device__ void f() { __syncthreads(); } __global__ void k() { f(); }",
        "__device__ void g(); __device__ void f() { g(); } __global__ void k() { f(); }"
        " __device__ void g() { __syncthreads(); }",
        "__device__ void g(); __global__ void k() { g(); }",
        "template <class T> __device__ void f(T t) { __syncthreads(); }"
        " __global__ void k() { f<int>(3); }",
        "__device__ void f() { __syncthreads(); } __device__ void g(void (*p)()) { p(); }"
        " __device__ void h() { g(f); } __global__ void k() { h(); }",
        "__device__ void f() { __syncthreads(); } template <void (*F)()> __global__ void k() { "
        "F(); }"
        " int main() { k<f><<<1, 1>>>(); }",
        "struct s { __device__ void operator()() const { __syncthreads(); } };"
        " template <class F> __global__ void k(F f) { f(); }",
        "struct s { __device__ void f() const; }; __device__ void s::f() const { __syncthreads(); }"
        " __global__ void k(s a) { a.f(); }",
        "struct s { }; __device__ s operator+(s a, s b) { __syncthreads(); return a; }"
        " __global__ void k(s a) { a + a; }",
        "template <class F> __global__ void k(F f) { f(); }"
        " int main() { k<<<1, 1>>>([=] __device__ () { __syncthreads(); }); }",
        /* They ask who runs. */
        "__device__ int f() { return threadIdx.x; } __global__ void k(int *y) { *y = f(); }",
        "struct s { __device__ int f() const { return blockIdx.x; } };"
        " __global__ void k(s a, int *y) { *y = a.f(); }",
        "struct s { int i; __device__ s() : i(threadIdx.x) { } };"
        " __global__ void k(int *y) { *y = s().i; }",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        expect(false, ways[i]);
}

/* An assert does not wait; but a thread that may come upon one is asked which it is. */
static void kernels_that_end(void **state)
{
    (void)state;
#define FAIL "\n# 2 \"/usr/include/assert.h\" 3\n__assert_fail(0, 0, 0, 0);\n# 3 \"a.cu\"\n"
    static const char *const ends[] = {
        "__global__ void k(int *y) {" FAIL "}",
        "__global__ void k(int *y) { __trap(); }",
        "__device__ void f() {" FAIL "} __global__ void k(int *y) { f(); }",
        "__device__ void f() {" FAIL "} __device__ void g() { f(); }"
        " __global__ void k(int *y) { g(); }",
        "struct s { __device__ void f() const {" FAIL "} }; __global__ void k(s a) { a.f(); }",
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        expect_text("run<true, true>", "run<true, false>", ends[i]);
    expect_text("run<true, false>", "run<true, true>",
                "void host() {" FAIL "} __global__ void k(int *y) { *y = 1; }");
    expect_text("run<false, true>", "run<true, ",
                "__global__ void k(int *y) { __syncthreads();" FAIL "}");
}

/* Kernels that wait at barriers and for their warps, where all threads come, are loops between. */
#define PHASES         "# 1 \"/phases.h\" 1 3\nenum { kernels_in_phases = 1 };\n# 1 \"a.cu\"\n"
#define BEGIN          "__shared__ float s[64]; const int t = threadIdx.x; s[t] = x[t]; "
#define DOWN(value, d) "__shfl_down_sync(~0u, " #value ", " #d ")"
static const char *const fit[] = {
    BEGIN "__syncthreads(); y[t] = s[63 - t];",
    BEGIN "for (int d = 32; d > 0; d >>= 1) { __syncthreads(); if (t < d) s[t] += s[t + d]; }",
    BEGIN "int o = 1; while (o < n) { __syncthreads(); s[t] += o; o *= 2; }",
    BEGIN "if (n > 3) { __syncthreads(); y[t] = s[0]; } else { y[t] = 1; }",
    BEGIN "float v = s[t]; __syncthreads(); s[63 - t] = v; __syncthreads(); y[t] = s[t];",
    BEGIN "x += n; __syncthreads(); y[t] = x[t];",
    BEGIN "__syncthreads(); if (t > n) return; y[t] = s[t];",
    BEGIN "__syncwarp(); y[t] = s[63 - t];",
    BEGIN "unsigned m = t < 32 ? ~0u : 255u; __syncwarp(m); y[t] = s[63 - t];",
    BEGIN "float v = s[t]; for (int d = 16; d; d /= 2) v += " DOWN(v, d) "; y[t] = v;",
    "float v = " DOWN(n > 3 ? x[0] : 1, 1) "; y[0] = v + 1;",
    "unsigned b = __ballot_sync(~0u, x[threadIdx.x] > 0 && n); y[threadIdx.x] = b;",
    BEGIN "if (t > n) return; __syncthreads(); y[t] = s[63 - t];",
    BEGIN "for (int d = 0; d < n; d++) { if (s[t] > d) { y[t] = d; return; } __syncthreads(); }",
    BEGIN "for (int d = 0; d < n; d++) { __syncthreads(); if (d == n / 2) break; s[t] += d; }",
    BEGIN "for (int d = 0; d < n; d++) { if (d % 2) continue; __syncthreads(); s[t] += d; }",
    BEGIN "atomicAdd(&y[s[t] > 0], 1); __syncthreads(); atomicAdd(&y[2], s[0]);",
    BEGIN "cg::thread_block b = cg::this_thread_block(); cg::sync(b); s[0] = 1; b.sync();",
    BEGIN "if (t < 32) s[t] += " DOWN(s[t], 1) "; y[t] = s[t];",
    BEGIN "if (t < 32) { for (int o = 16; o; o /= 2) s[t] += " DOWN(s[t], o) "; y[t] = s[t]; }",
    BEGIN "for (int o = 1; o < n; o *= 2) if (s[t] > o) { int e = o; s[t] += " DOWN(s[t], e) "; }",
    BEGIN "const auto b = cg::this_thread_block(); if (n > 3) b.sync(); y[t] = s[0];",
};
static const char *const others[] = {
    BEGIN "for (int d = s[0]; d > 0; d--) { __syncthreads(); y[t] = d; }",
    BEGIN "for (int d = t; d < n; d += 64) { __syncthreads(); y[d] = s[0]; }",
    BEGIN "if (t < 32) { __syncthreads(); y[t] = s[0]; }",
    BEGIN "if (x[0] > 0) { __syncthreads(); y[t] = s[0]; }",
    BEGIN "for (int d = 0; d < n; d++) { __syncthreads(); if (s[0] > d) break; }",
    BEGIN "for (int d = 0; d < n; d++) { __syncthreads(); if (t > d) break; }",
    BEGIN "for (int d = 0; d < n; d++) { __syncthreads(); if (t > d) continue; s[t]++; }",
    BEGIN "for (int d = 0; d < n; d++) { __syncthreads(); change(d); }",
    BEGIN "if (t > n) return [=] { s[t] = 1; }(); __syncthreads(); y[t] = s[0];",
    BEGIN "auto f = [=] { return; }; if (t > n) { f(); } __syncthreads(); y[t] = s[0];",
    BEGIN "if (t > n) { [=] { if (n) return; }(); } __syncthreads(); y[t] = s[0];",
    BEGIN "cg::thread_block b = cg::this_thread_block(); b.sync(); y[b.thread_rank()] = s[t];",
    BEGIN "cg::thread_block b = cg::this_thread_block(); if (t < n) b.sync(); y[t] = s[0];",
    BEGIN "cg::thread_block b = cg::this_thread_block(); wait(b); y[t] = s[0];",
    BEGIN "cg::this_thread_block(); sync(n); y[t] = s[0];",
    BEGIN "cg::thread_group g = cg::tiled_partition(cg::this_thread_block(), 4); g.sync();",
    BEGIN "atomicAdd(&n, 1); __syncthreads(); y[t] = n;",
    BEGIN "int *p = &n; __syncthreads(); y[t] = *p;",
    BEGIN "int e = n; if (t == 3) e++; for (int d = 0; d < e; d++) __syncthreads();",
    BEGIN "n -= t; __syncthreads(); y[t] = n;",
    BEGIN "if (t < 32) { __syncwarp(); y[t] = s[0]; }",
    BEGIN "if (t < 32) y[t] = __any_sync(~0u, s[t] > 0);",
    BEGIN "if (t < 32) s[t] += " DOWN(s[t], 1) "; else s[t] += " DOWN(s[t], 2) ";",
    BEGIN "int o; if (t < 32) for (o = 16; o; o /= 2) s[t] += " DOWN(s[t], 1) "; y[t] = o;",
    BEGIN "if (t < 32) { if (s[t] > 0) s[t] += " DOWN(s[t], 1) "; }",
    BEGIN "for (int o = 1; o < n; o++) { if (t < 32) { s[t] += " DOWN(s[t], 1) "; break; } }",
    BEGIN "if (t < 32) { s[t] += " DOWN(s[t], 1) "; return; } y[t] = s[t];",
    BEGIN "for (int o = 1; o < n; o++) if (t < 32) s[t] += " DOWN(s[t], 1) ", n--;",
    BEGIN "if (__any_sync(~0u, t > n)) y[t] = s[t];",
    BEGIN "while (__all_sync(~0u, n--)) y[t]++;",
    BEGIN "do s[t] += " DOWN(s[t], 1) "; while (--n);",
    BEGIN "s[t] = t > n ? " DOWN(s[t], 1) " : 0;",
    BEGIN "y[t] = t > n && __any_sync(~0u, s[t] > 0);",
    BEGIN "y[t] = t > n || __any_sync(~0u, s[t] > 0);",
    BEGIN "s[t] = __shfl_down_sync(~0u, 1 + " DOWN(s[t], 1) ", 1); y[t] = s[t];",
    BEGIN "float a = s[t], b = " DOWN(a, 1) "; y[t] = b;",
    BEGIN "n += t, y[t] = " DOWN(n, 1) ";",
    BEGIN "if (t > n) return; y[t] = " DOWN(s[t], 1) ";",
    BEGIN "y[t] = __match_any_sync(~0u, n);",
    BEGIN "y[t] = __shfl_sync<float>(~0u, s[t], 0);",
    BEGIN "y[t] = __syncthreads_count(t < n);",
    BEGIN "volatile float *v = s; __syncthreads(); y[t] = v[0];",
    BEGIN "vec<int> v = {1}; __syncthreads(); y[t] = v.x;",
    BEGIN "float (*v)[4] = 0; __syncthreads(); y[t] = v[0][0];",
    BEGIN "decltype(n) v = t; __syncthreads(); y[t] = v;",
    BEGIN "auto v = s[t]; __syncthreads(); y[t] = v;",
    BEGIN "do { __syncthreads(); } while (--n);",
};

static void kernels_in_phases(void **state)
{
    (void)state;
    char text[1000];
    const size_t some = sizeof fit / sizeof *fit, more = sizeof others / sizeof *others;
    for (size_t i = 0; i < some + more; i++) {
        snprintf(text, sizeof text,
                 PHASES "__device__ void change(int &d) { d++; }"
                        " __global__ void k(const float *x, float *y, int n) { %s }",
                 i < some ? fit[i] : others[i - some]);
        expect_text(i < some ? "run_phases(" : "run<false, ",
                    i < some ? "run<false, " : "run_phases(", text);
    }
    snprintf(text, sizeof text, "__global__ void k(const float *x, float *y) { %s }", fit[0]);
    expect_text("run<false, ", "run_phases(", text); /* in the other modes */
}

/* Between barriers loops end where a condition on threadIdx.x does, which is the same for all. */
static void bounded_loops(void **state)
{
    (void)state;
    static const char *const bounded[] = {"if (t < n) y[t] = s[3 - t];",
                                          "if (threadIdx.x < n / 2 + 1) { y[t] = 1; y[n] = 2; }",
                                          "if (t == 0) y[0] = s[3];"};
    static const char *const endless[] = {"if (t < n) y[t] = 1; else y[t] = 2;",
                                          "if (t < n) y[t] = 1; y[n] = 2;",
                                          "if (t <= n) y[t] = 1;",
                                          "if (t < n || n < 0) y[t] = 1;",
                                          "if (t < n == 0) y[t] = 1;",
                                          "if (t < s[0]) y[t] = 1;",
                                          "if (t < u) y[t] = 1;",
                                          "if (u < n) y[t] = 1;",
                                          "if (t == 1) y[t] = 1;",
                                          "if (threadIdx.y < n) y[t] = 1;",
                                          "if (n < t) y[t] = 1;"};
    char text[1000];
    const size_t some = sizeof bounded / sizeof *bounded, more = sizeof endless / sizeof *endless;
    for (size_t i = 0; i < some + more; i++) {
        snprintf(text, sizeof text,
                 PHASES "__global__ void k(const float *x, float *y, int n) {" BEGIN
                        "const int u = threadIdx.x + 1; s[t] += u; __syncthreads(); %s }",
                 i < some ? bounded[i] : endless[i - some]);
        expect_text(i < some ? "threads_below<" : "run_phases(",
                    i < some ? "run<" : "threads_below<", text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops),
                                       cmocka_unit_test(groups),
                                       cmocka_unit_test(kernels_that_wait),
                                       cmocka_unit_test(hidden_ways),
                                       cmocka_unit_test(kernels_that_end),
                                       cmocka_unit_test(kernels_in_phases),
                                       cmocka_unit_test(bounded_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
