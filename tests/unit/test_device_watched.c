/* Which kernels are loops between their barriers in check mode: those of which the checker learns
 * as much as on fibers, and no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/rewrite/rewrite.h"

#define HEAD                                                                                       \
    "# 1 \"/watched.h\" 1 3\nenum { phases_are_watched = 1 };\n"                                   \
    "enum { kernels_in_phases = 1 };\n# 1 \"a.cu\"\n__device__ void f(float *p) { *p = 1; }\n"     \
    "enum { ALL = 0xffffffff, SOME = 0xff }; __device__ int total;\n"                              \
    "__device__ float abs(float v) { total = 1; return v; }\n"                                     \
    "__global__ void k(const float *x, float *y, int n) {"                                         \
    "__shared__ float s[64]; const int t = threadIdx.x;"

/* What the rewriter makes of a body; the caller frees it. */
static char *rewritten(const char *body)
{
    char text[2000], *out = NULL;
    size_t size = 0;
    struct place error = {0};
    const int n = snprintf(text, sizeof text, HEAD "%s }\n", body);
    FILE *f = open_memstream(&out, &size);
    const bool read = rewrite(text, (size_t)n, f, &error);
    fclose(f);
    if (!read)
        fail_msg("not read: %s", body);
    return out;
}

static void expect(bool loops, const char *body)
{
    char *out = rewritten(body);
    if (!strstr(out, loops ? "run_phases(" : "run<false, "))
        fail_msg("expected %s: %s", loops ? "loops" : "fibers", body);
    free(out);
}

static void parted_by_barriers(void **state)
{
    (void)state;
    expect(true, "s[t] = x[t]; __syncthreads(); y[t] = s[63 - t];");
    expect(true, "s[t] = x[t]; __syncthreads(); for (int d = 32; d > 0; d >>= 1) {"
                 " if (t < d) s[t] += s[t + d]; __syncthreads(); } if (t == 0) y[0] = s[0];");
    expect(true, "float sum = 0; for (int m = 0; m < n; m++) { s[t] = x[t]; __syncthreads();"
                 " sum += s[63 - t]; __syncthreads(); } y[t] = sum;");
    expect(true, "float v = x[t]; for (int d = 0; d < n; d++) { s[t] = v; __syncthreads();"
                 " v = s[63 - t]; __syncthreads(); } y[t] = v;");
    expect(true, "s[t] = x[t]; __syncthreads(); if (n > 4) { y[t] = s[63 - t]; __syncthreads(); }");
    expect(true, "s[t] = 1; for (;;) { __syncthreads(); y[t] = s[63 - t]; __syncthreads();"
                 " if (n > 0) break; s[t] = 2; }");
    expect(true, "if (t >= n) return; s[t] = x[t]; __syncthreads(); y[t] = s[63 - t];");
    expect(true, "s[t] = x[t]; __syncthreads(); for (int d = 32; d > 0; d >>= 1) {"
                 " if (t >= d) return; s[t] += s[t + d]; __syncthreads(); } y[0] = s[0];");
}

/* A thread of a fiber goes on from what it wrote; in loops all would write first. */
static void not_parted(void **state)
{
    (void)state;
    expect(false, "s[t] = x[t]; for (int d = 32; d > 0; d >>= 1) { if (t < d) s[t] += s[t + d];"
                  " __syncthreads(); }");
    expect(false, "for (int m = 0; m < n; m++) { s[t] = x[m]; __syncthreads(); y[t] += s[m]; }");
    expect(false, "s[t] = x[t]; if (n > 4) __syncthreads(); if (n > 5) { y[t] = s[63 - t];"
                  " __syncthreads(); }");
    expect(false,
           "s[t] = x[t]; if (n > 4) { __syncthreads(); } else { y[0] = s[0]; } y[t] = s[1];");
    expect(false, "for (int m = 0; m < n; m++) { s[t] = x[m];"
                  " if (m > 3) continue; __syncthreads(); }");
    expect(false, "float v = atomicAdd(y, 1); for (int m = 0; m < n; m++) { s[t] = v;"
                  " __syncthreads(); }");
}

static void seen_by_others(void **state)
{
    (void)state;
    expect(true, "s[t] = 1; __syncthreads(); float v = 2, u[4]; u[t % 4] = v; y[t] = u[0] + s[0];");
    expect(true, "s[t] = 1; __syncthreads(); y[t] = n > 2 && t < 3 ? s[0] : 0;");
    expect(false, "s[t] = 1; __syncthreads(); float v = 2; f(&v); y[t] = v + s[0];");
    expect(false, "s[t] = 1; __syncthreads(); float u[4]; f(u); y[t] = u[0] + s[0];");
    expect(false, "float u[4]; u[0] = 1; s[t] = 1; __syncthreads(); y[t] = u[0] + s[0];");
    expect(false, "s[t] = 1; __syncwarp(); y[t] = s[0];");
    expect(false, "s[t] = 1; __syncthreads(); y[t] = __shfl_down_sync(~0u, s[t], 1);");
    expect(false, "s[t] = 1; __syncthreads(); float v = x[t] +\n s[63 - t]; __syncthreads();"
                  " y[t] = v;");
}

#define SUM(mask, value)                                                                           \
    "float v = x[t]; for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(" mask ", " value      \
    ", d); if (t == 0) y[0] = v;"

/* Whole warps that exchange their own values; else a lane that goes on, or is not there, is seen on
 * fibers alone. */
static void of_whole_warps(void **state)
{
    (void)state;
    expect(true, SUM("0xffffffff", "v"));
    expect(true, SUM("0xFFFFFFFFu", "v"));
    expect(true, SUM("ALL", "v"));
    expect(true, "float v = x[t]; v = max(v, __shfl_xor_sync(ALL, v, 1, 8)); __syncthreads();"
                 " s[t] = v; __syncthreads(); y[t] = s[63 - t];");
    expect(true, "float v = x[t]; for (int d = 1; d < 32; d *= 2) {"
                 " const short u = __shfl_up_sync(ALL, v, d); if (t >= d) v += u; } y[t] = v;");
    expect(false, SUM("0xffff", "v"));
    expect(false, SUM("SOME", "v"));
    expect(false, SUM("n", "v"));
    expect(false, SUM("0xffffffff", "x[t]"));
    expect(false, SUM("0xffffffff", "*x"));
    expect(false, SUM("0xffffffff", "total"));
    expect(false, SUM("0xffffffff", "abs(v)"));
    expect(false, SUM("0xffffffff", "v / n"));
    expect(false, "float v = x[t]; if (t < 32) v += __shfl_down_sync(ALL, v, 1); y[t] = v;");
    expect(false, "if (t >= n) return; " SUM("ALL", "v"));
    expect(false, "s[t] = x[t]; float v = 1; v += __shfl_down_sync(ALL, v, 1); y[t] = v + s[t];");
    expect(false, "unsigned ALL = n; " SUM("ALL", "v"));
    expect(false, "int v = n; v = __any_sync(ALL, v); y[t] = v;");
}

/* The checker is told that warps have met, and of no thread before. */
static void of_values(void **state)
{
    (void)state;
    char *out = rewritten(SUM("ALL", "v"));
    const char *meet = strstr(out, "dev_loop_warps_meet()");
    assert_non_null(meet);
    const char *each = strstr(out, "::each_unseen("), *last = meet;
    assert_non_null(each);
    assert_true(each < meet);
    while (last > out && strncmp(last, "::each_", 7) != 0)
        last--;
    assert_int_equal(strncmp(last, "::each_unseen(", 14), 0);
    free(out);
}

/* The checker is told of barriers, and of a thread's variables nothing. */
static void told(void **state)
{
    (void)state;
    char *out = rewritten("float v = x[t]; s[t] = v; __syncthreads(); y[t] = s[63 - t] + v;"
                          " __syncthreads(); y[0] = 1;");
    const char *const texts[] = {"::hpc_dev::all_come()", ".get(hpc_t, &hpc_each_",
                                 ".put(hpc_t, &hpc_each_"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strstr(out, texts[i]))
            fail_msg("expected %s in: %s", texts[i], out);
    const char *last = strstr(out, "y[0] = 1");
    assert_non_null(last);
    while (last > out && strncmp(last, "each_thread(", 12) != 0)
        last--;
    assert_null(strstr(last, ".get(")); /* where it is not used */
    free(out);
    out = rewritten("if (t >= n) return; s[t] = x[t]; __syncthreads(); y[t] = s[63 - t];");
    assert_non_null(strstr(out, "hpc_left.add(hpc_t);"));
    assert_non_null(strstr(out, "::hpc_dev::all_come(hpc_left)"));
    free(out);
}

static void expect_at_once(int n, const char *body)
{
    char *out = rewritten(body);
    int found = 0;
    for (const char *at = out; (at = strstr(at, "::hpc_dev::batched(")); at++)
        found++;
    if (found != n)
        fail_msg("expected %d loops at once, found %d: %s", n, found, body);
    free(out);
}

/* Loops of which all that stands there is known, as it is written twice more. */
static void at_once(void **state)
{
    (void)state;
    expect_at_once(1, "y[t] = x[t];");
    expect_at_once(2, "s[t] = t < n ? x[t] : 0; __syncthreads(); if (t < n) y[t] = s[63 - t];");
    expect_at_once(1, "float v = 0; for (int k = 0; k < ALL; k++) v += x[k]; y[t] = v;");
    expect_at_once(1, "n -= 1; if (t < n) y[t] = x[t];"); /* once a block, before it */
    expect_at_once(0, "while (n--) y[t] += x[t];");       /* copies can't be changed */
    expect_at_once(0, "y[t] = abs(x[t]);");
    expect_at_once(0, "__shared__ unsigned char c[64]; c[t] = t; __syncthreads(); y[t] = c[t];");
    expect_at_once(0, "y[t] = *x;");
    expect_at_once(0, "y[t] = total;");
    expect_at_once(0, "y[t]++;");
    expect_at_once(0, "y[t] = t < n ? x[t] : x[0];");
    expect_at_once(0, "float u[4]; u[t] = x[t]; y[t] = u[0];");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_once),    cmocka_unit_test(parted_by_barriers),
        cmocka_unit_test(not_parted), cmocka_unit_test(seen_by_others),
        cmocka_unit_test(told),       cmocka_unit_test(of_whole_warps),
        cmocka_unit_test(of_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
