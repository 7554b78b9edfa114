/* harness/ir: what clang's thread sanitizer leaves out of its language, in its forms before LLVM 15
 * and since. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/error.h"
#include "harness/ir/ir.h"

#define HEAD "define void @f(ptr %0) #0 {\n"
#define TAIL "}\n"

/* What is put before the one line of a function; NULL where the line is refused. */
static char *added(const char *head, const char *line, struct ir_unseen *unseen)
{
    char *text =
        hpc_printf("%s%s\n" TAIL "!7 = !DILocation(line: 12, column: 3, scope: !1)\n", head, line);
    struct text to = {0};
    char *found = NULL;
    if (ir_announce(text, &to, unseen)) {
        const char *begin = text_string(&to) + strlen(head), *end = strstr(begin, line);
        assert_non_null(end);
        found = hpc_printf("%.*s", (int)(end - begin), begin);
    }
    text_free(&to);
    free(text);
    return found;
}

static void expect(const char *head, const char *line, const char *expected)
{
    struct ir_unseen unseen;
    char *found = added(head, line, &unseen);
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

static void accesses(void **state)
{
    (void)state;
    expect(HEAD, "  %3 = load x86_fp80, ptr %0, align 16, !dbg !7",
           "  %hpc.0 = bitcast ptr %0 to ptr, !dbg !7\n"
           "  call void @__tsan_read_range(ptr %hpc.0, i64 10), !dbg !7\n");
    expect(HEAD, "  store volatile <3 x float> %1, ptr @\"a, b\", align 16",
           "  %hpc.0 = bitcast ptr @\"a, b\" to ptr\n"
           "  call void @__tsan_write_range(ptr %hpc.0, i64 12)\n");
    expect("define void @f(i8* %0) {\n", "  %3 = load i24, i24* bitcast ({ i8, i8 }* @g to i24*)",
           "  %hpc.0 = bitcast i24* bitcast ({ i8, i8 }* @g to i24*) to i8*\n"
           "  call void @__tsan_read_range(i8* %hpc.0, i64 3)\n");
    expect("define void @f(i8* %0) {\n", "  store i32 (i8*)* %1, i32 (i8*)** %2, align 8",
           "  %hpc.0 = bitcast i32 (i8*)** %2 to i8*\n"
           "  call void @__tsan_write_range(i8* %hpc.0, i64 8)\n");
}

static void what_clang_says(void **state)
{
    (void)state;
    expect(HEAD "  call void @__tsan_read4(ptr %0)\n", "  %3 = load i32, ptr %0", "");
    expect(HEAD "  %2 = call i32 @__tsan_atomic32_load(ptr %0, i32 5)\n",
           "  %3 = load atomic i32, ptr %0 seq_cst, align 4", "");
    /* an atomic operation's call says nothing of the next access */
    expect(HEAD "  %2 = call i32 @__tsan_atomic32_load(ptr %0, i32 5)\n", "  %3 = load i32, ptr %0",
           "  %hpc.0 = bitcast ptr %0 to ptr\n"
           "  call void @__tsan_read_range(ptr %hpc.0, i64 4)\n");
}

static void calls(void **state)
{
    (void)state;
    expect(HEAD, "  call void @g(i32 signext 1, ptr noundef byval(%struct.s) align 8 @state) #3",
           "  %hpc.0 = bitcast ptr @state to ptr\n"
           "  call void @__tsan_read_range(ptr %hpc.0, i64 ptrtoint (ptr getelementptr (%struct.s, "
           "ptr null, i64 1) to i64))\n");
    expect(HEAD, "  %5 = tail call double @llvm.fabs.f64(double %4)", "");
    expect(HEAD, "  call void @llvm.lifetime.start.p0(i64 40, ptr %4)", "");
    expect(HEAD,
           "  call void @llvm.masked.store.v8f32.p0(<8 x float> %1, ptr %0, i32 4, <8 x i1> %2)",
           "  %hpc.0 = bitcast ptr %0 to ptr\n"
           "  %hpc.1 = bitcast <8 x i1> %2 to i8\n"
           "  %hpc.2 = zext i8 %hpc.1 to i64\n"
           "  call void @runner_announce_lanes(ptr %hpc.0, i64 4, i64 %hpc.2, i64 1)\n");
    expect(HEAD,
           "  %5 = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %0, i32 4, <8 x i1> %2, "
           "<8 x i32> zeroinitializer)",
           "  %hpc.0 = bitcast ptr %0 to ptr\n"
           "  %hpc.1 = bitcast <8 x i1> %2 to i8\n"
           "  %hpc.2 = zext i8 %hpc.1 to i64\n"
           "  call void @runner_announce_lanes(ptr %hpc.0, i64 4, i64 %hpc.2, i64 0)\n");
}

static void refused(void **state)
{
    (void)state;
    struct ir_unseen unseen;
    assert_null(added(HEAD,
                      "  %5 = call <4 x float> @llvm.x86.avx2.gather.d.ps(<4 x float> %1, ptr %0, "
                      "<4 x i32> %2, <4 x float> %3, i8 4), !dbg !7",
                      &unseen));
    assert_string_equal(unseen.name, "llvm.x86.avx2.gather.d.ps");
    assert_int_equal(unseen.line, 12);
    assert_null(added(HEAD, "  %5 = atomicrmw add ptr %0, i32 1 monotonic, align 4", &unseen));
    assert_string_equal(unseen.name, "atomicrmw");
    assert_int_equal(unseen.line, 0);
}

static void loops(void **state)
{
    (void)state;
    struct text to = {0};
    ir_scalar("!3 = !{!\"llvm.loop.vectorize.enable\", i1 true}\n!4 = !{}\n", &to);
    assert_string_equal(text_string(&to),
                        "!3 = !{!\"llvm.loop.vectorize.enable\", i1 false}\n!4 = !{}\n");
    text_free(&to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses), cmocka_unit_test(what_clang_says), cmocka_unit_test(calls),
        cmocka_unit_test(refused),  cmocka_unit_test(loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
