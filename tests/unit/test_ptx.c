/* harness/build/ptx.h: which instructions are refused, and what is said of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "harness/build/ptx.h"

#define SOURCE "labs/lab6/register.cu"

static void refused(const char *text, const char *permitted, const char *words)
{
    char reason[400] = "";
    if (ptx_allowed(text, SOURCE, permitted, reason, sizeof reason))
        fail_msg("let through: %s", text);
    if (!strstr(reason, words))
        fail_msg("of %s it says: %s", text, reason);
}

static void let_through(const char *text, const char *permitted)
{
    char reason[400] = "";
    if (!ptx_allowed(text, SOURCE, permitted, reason, sizeof reason))
        fail_msg("refused: %s: %s", text, reason);
}

/* A kernel as nvcc writes it, with an instruction of a header's inline function in it. */
static const char kernel[] = ".version 9.0\n"
                             ".target sm_90a\n"
                             ".visible .entry _Z6kernelPf(\n"
                             "\t.param .u64 _Z6kernelPf_param_0\n)\n{\n"
                             "\t.reg .b16 \t%%rs<3>;\n"
                             "\t.loc\t1 18 5\n"
                             "\tmov.u32 \t%%r9, %%ctaid.x;\n"
                             "\tfma.rn.f32 \t%%f3, %%f1, 0f3F800000, %%f2;\n"
                             "\t.loc\t2 549 1, function_name $L__info_string1, inlined_at 1 25 17\n"
                             "\t// begin inline asm\n"
                             "\t%s\n"
                             "\t.loc\t2 600 1\n"
                             "\tret;\n}\n"
                             "\t.file\t1 \"/stage/labs/lab6/register.cu\"\n"
                             "\t.file\t2 \"/usr/include/cuda_fp16.hpp\"\n";

static void line_and_kernel(void **state)
{
    char text[2000];
    (void)state;
    snprintf(text, sizeof text, kernel, "{ cvt.rn.f16.f32 %rs89, %f2;}");
    refused(text, "",
            SOURCE ":25: kernel kernel holds cvt.rn.f16.f32: less precision than float's, which "
                   "this task does not allow");
    let_through(text, "half");
    snprintf(text, sizeof text, kernel, "cvt.rn.f32.s32 %f2, %r9;");
    let_through(text, "");
    refused(".func (.param .b32 a) _Z1fv(.param .b32 b) { cvt.f32.bf16 %f1, %rs1; }", NULL,
            SOURCE ": a function holds cvt.f32.bf16");
}

static void kinds(void **state)
{
    const char *product = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1};";
    (void)state;
    refused(product, "", "a product on tensor cores");
    refused(product, "tensor", "less precision");
    refused(product, "half", "a product on tensor cores");
    let_through(product, "tensor half");
    refused("wgmma.fence.sync.aligned;", "half approx", "wgmma.fence.sync.aligned");
    refused("cvt.rna.tf32.f32 %r1, %f1;", "tensor approx", "tf32");
    refused("@%p1 fma.rn.bf16x2 %r1, %r2, %r3, %r4;", "", "fma.rn.bf16x2");
    refused("cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;", "", "e4m3x2");
    refused("atom.global.add.noftz.f16 %rs1, [%rd1], %rs2;", "", "noftz.f16");
    refused("sin.approx.f32 %f1, %f2;", "half tensor", "an approximation");
    refused("div.full.ftz.f32 %f1, %f2, %f3;", "", "div.full.ftz.f32");
    let_through("tanh.approx.f32 %f1, %f2;", "approx");
    refused("createpolicy.cvt.L2.b64 %rd1, %rd2;", "half tensor approx", "outlasts the call");
    refused("ld.global.L2::cache_hint.v4.f32 {%f1}, [%rd1], %rd2;", "", "L2::cache_hint");
    refused("prefetch.global.L2::evict_last [%rd1];", "", "L2::evict_last");
    let_through("prefetch.global.L2::evict_last [%rd1];", "cache");
    let_through("ld.global.L1::evict_last.f32 %f1, [%rd1]; prefetch.global.L2 [%rd1];", "");
}

/* What nvcc makes of expf, coshf, cbrtf, 1 / x and of names that look like instructions. */
static void exact(void **state)
{
    (void)state;
    let_through(
        "ex2.approx.ftz.f32 %f1, %f2; rcp.approx.ftz.f32 %f3, %f1; div.rn.f32 %f1, %f2, %f3;"
        "div.approx.ftz.f32 %f1, %f2, %f3; lg2.approx.f32 %f1, %f2; sqrt.rn.f32 %f1, %f2;",
        "");
    let_through(".const .align 4 .b8 mma[64]; ld.const.f32 %f1, [mma]; mov.u32 %r1, sin;", "");
    let_through("/* cvt.rn.f16.f32 */ add.f32 %f1, %f2, %f3; // mma.sync.f16\n.pragma \"x.f16\";",
                "");
    let_through("mov.f32 %f1, 0f3F160000; .section .debug_str { .b8 95,16,0 }", "");
    let_through("", "");
}

/* Assembly that is written to be overlooked. */
static void disguised(void **state)
{
    (void)state;
    refused("cvt .rn .f16 .f32 %rs1, %f1;", "", "cvt.rn.f16.f32");
    refused("cvt.rn/* */.f16\n.f32 %rs1, %f1;", "", "cvt.rn.f16.f32");
    refused("{here:mma.sync.m8n8k4.f64 {%fd1};}", "", "mma.sync");
    refused(".loc 1 1 1 cvt.f32.f16 %f1, %rs1;", "", "cvt.f32.f16");
    refused("/* // */ cvt.f32.f16 %f1, %rs1;", "", "cvt.f32.f16");
    refused(".pragma \"a\n cvt.f32.f16 %f1, %rs1;", "", "cvt.f32.f16");
    refused("/* open */*/ cvt.f32.f16 %f1, %rs1;", "", "cvt.f32.f16");
    refused("mma.sync", "", "mma.sync");
    let_through("mma.", "tensor");
    let_through(". .. cvt. /*", "");
    let_through(".visible .entry _Z999", "");
    let_through(".visible .entry _Z", "");
    let_through(".loc", "");
}

static void words(void **state)
{
    (void)state;
    assert_true(ptx_word("half") && ptx_word("tensor") && ptx_word("approx") && ptx_word("cache"));
    assert_false(ptx_word("") || ptx_word("hal") || ptx_word("fp16"));
    assert_non_null(strstr(ptx_words, "approx"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_and_kernel), cmocka_unit_test(kinds), cmocka_unit_test(exact),
        cmocka_unit_test(disguised),       cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
