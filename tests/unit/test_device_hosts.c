/* Which functions check mode compiles as a release does: those of the host alone, in a program
 * whose host shares no memory with the device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/rewrite/rewrite.h"

#define WHOLE  "enum { program_is_whole = 1 };\n"
#define HEAD   "# 1 \"/watched.h\" 1 3\nenum { phases_are_watched = 1 };\n"
#define SOURCE "# 1 \"a.cu\"\n__constant__ float w[9]; __device__ int total, last = 3;\n"

/* What the rewriter makes of a text; the caller frees it. */
static char *rewritten(const char *head, const char *source)
{
    char text[2000], *out = NULL;
    size_t size = 0;
    struct place error = {0};
    const int n = snprintf(text, sizeof text, "%s" SOURCE "%s\n", head, source);
    FILE *f = open_memstream(&out, &size);
    const bool read = rewrite(text, (size_t)n, f, &error);
    fclose(f);
    if (!read)
        fail_msg("not read: %s", source);
    return out;
}

/* How many functions of a text are left out of the checks. */
static int left_out(const char *head, const char *source)
{
    char *out = rewritten(head, source);
    int n = 0;
    for (const char *p = out; (p = strstr(p, "no_sanitize")); p++)
        n++;
    if (!strstr(out, "dev_host_apart = 1") != !strstr(head, WHOLE) && n > 0)
        fail_msg("no wall, or one too many: %s", source);
    free(out);
    return n;
}

static void expect(int n, const char *source)
{
    const int found = left_out(HEAD WHOLE, source);
    if (found != n)
        fail_msg("expected %d functions, found %d: %s", n, found, source);
}

static void of_the_host(void **state)
{
    (void)state;
    expect(1, "static float sum(const float *p) { return *p; }");
    expect(1, "__host__ float sum(const float *p) { return *p; }");
    expect(1, "template <class T, int N> T sum(const T *p) { return p[N]; }");
    expect(4,
           "class M { int n; public: int &operator()(int i) { return n; }"
           " int get() const noexcept { return n; } ~M() { n = 0; } private: void f() { n++; } };");
    expect(1, "int M::get() const { return n; }");
    expect(1, "int main() { float h[9] = {0}; cudaMemcpyToSymbol(w, h, sizeof(w));"
              " cudaMemcpyFromSymbol(&h[0], total, sizeof total, 0); f.last = s->last; }");
}

static void not_of_the_host(void **state)
{
    (void)state;
    expect(0, "__device__ float f(float *p) { return *p; }");
    expect(0, "__host__ __device__ float f(float *p) { return *p; }");
    expect(0, "constexpr float f(const float *p) { return *p; }");
    expect(0, "__global__ void k(float *p) { struct s { float get() { return 1; } }; }");
    expect(0, "M::M(int n) : a(n), b{n}, c(2) { }");
    expect(0, "float f[] = {1, 2}; enum e { ONE }; std::vector<int> v{1}; struct s { int n{0}; };");
    /* Called by a kernel, though it is not the device's: its accesses are seen. */
    expect(1, "float f(float *p) { return *p; } float g(float *p) { return *p; }"
              " __global__ void k(float *p) { f(p); }");
}

/* There the host's accesses are what the checker looks at. */
static void shared_with_the_device(void **state)
{
    static const char *const words[] = {"cudaMallocManaged(&p, 4);",
                                        "cudaMallocHost(&p, 4);",
                                        "cudaHostAlloc(&p, 4, 0);",
                                        "cudaHostRegister(p, 4, 0);",
                                        "total = 3;",
                                        "f(&last);",
                                        "k<<<1, 1>>>(w);",
                                        "cudaGetSymbolAddress(&p, total);",
                                        "cudaMemcpy(w, p, sizeof w);",
                                        "cublasCreate(&handle);"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char source[300];
        snprintf(source, sizeof source, "float f(float *p) { return *p; } int main() { %s }",
                 words[i]);
        expect(0, source);
    }
    expect(0, "__managed__ int m; int main() { return 0; }");
}

static void of_other_programs(void **state)
{
    (void)state;
    assert_int_equal(left_out(HEAD, "int main() { return 0; }"), 0); /* of several files */
    assert_int_equal(left_out("# 1 \"/whole.h\" 1 3\n" WHOLE, "int main() { return 0; }"),
                     0); /* not of check mode */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_host), cmocka_unit_test(not_of_the_host),
        cmocka_unit_test(shared_with_the_device), cmocka_unit_test(of_other_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
