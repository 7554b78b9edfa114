/* Functions with two sides, one with __CUDA_ARCH__ and one without (device/rewrite/sides.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/rewrite/rewrite.h"

#define BEGIN "# 1 \"a.cu\"\n"

/* Both sides joined, without white space and line markers; the caller frees it. */
static char *joined(const char *device, const char *host, struct place *error)
{
    size_t length = 0;
    char *text = join_sides(device, strlen(device), host, strlen(host), &length, error), *to = text;
    bool marker = false;
    for (const char *p = text; p && *p; p++) {
        marker = (marker || *p == '#') && *p != '\n';
        if (!marker && *p != ' ' && *p != '\n')
            *to++ = *p;
    }
    if (to)
        *to = '\0';
    return text;
}

static void expect(const char *device, const char *host, const char *wants)
{
    struct place error = {0};
    char *out = joined(device, host, &error);
    if (!out)
        fail_msg("not joined: %s", error.text);
    assert_string_equal(out, wants);
    free(out);
}

#define ASKS(device, host) "{if(::hpc_dev::on_device()){" device "}else{" host "}}"

static void functions_of_both(void **state)
{
    (void)state;
    expect(BEGIN "__host__ __device__ int f() { return 1; }",
           BEGIN "__host__ __device__ int f() { return 0; }",
           "__host____device__intf()" ASKS("return1;", "return0;"));
    expect(BEGIN "struct s { __host__ __device__ s() : a(1) { b(); } int a; };",
           BEGIN "struct s { __host__ __device__ s() : a(1) { c(); } int a; };",
           "structs{__host____device__s():a(1)" ASKS("b();", "c();") "inta;};");
    expect(BEGIN "struct s { public: __host__ __device__ s() : a(1), b{2}, c{} { b(); } int a; };",
           BEGIN "struct s { public: __host__ __device__ s() : a(1), b{2}, c{} { c(); } int a; };",
           "structs{public:__host____device__s():a(1),b{2},c{}" ASKS("b();", "c();") "inta;};");
    expect(BEGIN "constexpr int f() { return 1; }", BEGIN "constexpr int f() { return 0; }",
           "constexprintf()" ASKS("return1;", "return0;"));
    expect(BEGIN "int f() { return 1; }\n__host__ __device__ int g() { return 1; }",
           BEGIN "int f() { return 1; }\n__host__ __device__ int g() { return 0; }",
           "intf(){return1;}__host____device__intg()" ASKS("return1;", "return0;"));
}

static void functions_of_one(void **state)
{
    (void)state;
    expect(BEGIN "int f() { return 1; }", BEGIN "int f() { return 0; }", "intf(){return0;}");
    expect(BEGIN "__device__ int f() { return 1; }", BEGIN "__device__ int f() { return 0; }",
           "__device__intf(){return1;}");
    expect(BEGIN "__global__ void f() { a(); }", BEGIN "__global__ void f() { b(); }",
           "__global__voidf(){a();}");
    expect(BEGIN "int a[] = {1};", BEGIN "int a[] = {2};", "inta[]={1};");
    expect(BEGIN "int f();\nvoid g() { a(); }", BEGIN "\nvoid g() { b(); }",
           "intf();voidg(){b();}");
}

static void lambdas(void **state)
{
    (void)state;
    expect(BEGIN "void f() { g([] __host__ __device__ (int) { return 1; }); h(); }",
           BEGIN "void f() { g([] __host__ __device__ (int) { return 0; }); h(); }",
           "voidf(){g([]__host____device__(int)" ASKS("return1;", "return0;") ");h();}");
    expect(BEGIN "void f() { g([] __device__ (int) { return 1; }); h(); }",
           BEGIN "void f() { g([] __device__ (int) { return 0; }); h(); }",
           "voidf(){g([]__device__(int){return1;});h();}");
    struct place error = {0};
    assert_null(joined(BEGIN "void f() { g([] __device__ (int) { return 1; }); h(); }",
                       BEGIN "void f() { g([] __device__ (int) { return 0; }); }", &error));
    assert_non_null(strstr(error.text, "in a lambda and around it"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_both),
        cmocka_unit_test(functions_of_one),
        cmocka_unit_test(lambdas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
