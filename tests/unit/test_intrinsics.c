/* harness/build/intrinsics.c: the words before instructions that are called by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/error.h"
#include "harness/build/intrinsics.h"

#define HEAD "# 1 \"/usr/include/immintrin.h\" 1 3\n_mm256_i32gather_ps(a, b, 4)\n# 2 \"s.c\" 2\n"

/* What becomes of a line of the student's; NULL where it is refused. */
static char *told(const char *line, bool address, struct unseen_instruction *unseen)
{
    char *text = hpc_printf(HEAD "%s", line);
    struct text to = {0};
    *unseen = (struct unseen_instruction){.address = address};
    const struct build_spec spec = {.root = "/root", .source = "s.c", .op_folder = "mlp"};
    char *found = intrinsics_tell(&spec, text, &to, unseen) ? hpc_strdup(text_string(&to)) : NULL;
    if (found) {
        assert_memory_equal(found, HEAD, strlen(HEAD)); /* a header's lines are as they were */
        memmove(found, found + strlen(HEAD), strlen(found + strlen(HEAD)) + 1);
    }
    text_free(&to);
    free(text);
    return found;
}

static void expect(const char *line, const char *expected)
{
    struct unseen_instruction unseen;
    char *found = told(line, false, &unseen);
    assert_non_null(found);
    assert_string_equal(found, expected);
    free(found);
}

#define LANE(n, mask, scale, type, bytes)                                                          \
    "for (int hpc__k = 0; hpc__k < " n "; hpc__k++) if (" mask                                     \
    ") __tsan_%s_range((char *)hpc__0 + (" scale                                                   \
    ") * (long)((const __attribute__((__may_alias__)) " type " *)&hpc__2)[hpc__k], " bytes "); "

static void expect_lanes(const char *line, const char *variables, const char *lanes,
                         const char *word, const char *call)
{
    char *of = hpc_printf(lanes, word),
         *all = hpc_printf("v = ({ %sextern void __tsan_%s_range(void *, unsigned long); %s%s; });",
                           variables, word, of, call);
    expect(line, all);
    free(all);
    free(of);
}

static void plain(void **state)
{
    (void)state;
    expect("#pragma GCC optimize(\"O3\")\nvoid __optimize__(void); \"optimize\"",
           "#pragma GCC hpc_optimize(\"O3\")\nvoid hpc___optimize__(void); \"optimize\"");
    expect("x = \"_mm_i32gather_ps(a)\" + my_mm_i32gather_ps(1);",
           "x = \"_mm_i32gather_ps(a)\" + my_mm_i32gather_ps(1);");
    expect("_mm256_stream_ps(p, v);",
           "({ __auto_type hpc__0 = p; extern void __tsan_write_range(void *, unsigned long); "
           "__tsan_write_range((void *)hpc__0, 32); _mm256_stream_ps(hpc__0, v); });");
    expect("_rdrand32_step(p);",
           "({ __auto_type hpc__0 = p; extern void __tsan_write_range(void *, unsigned long); "
           "__tsan_write_range((void *)hpc__0, 4); _rdrand32_step(hpc__0); });");
}

#ifdef __aarch64__
#define NEON(name, bytes, rest)                                                                    \
    expect(name "(p" rest ");",                                                                    \
           "({ __auto_type hpc__0 = p; extern void __tsan_read_range(void *, unsigned long); "     \
           "__tsan_read_range((void *)hpc__0, " bytes "); " name "(hpc__0" rest "); });")

static void neon(void **state)
{
    (void)state;
    NEON("vld2q_f32", "32", "");
    NEON("vld3_u8", "24", "");
    NEON("vld4q_lane_s16", "8", ", v, 2");
    NEON("vld2_dup_f64", "16", "");
    NEON("vld1q_f32_x4", "64", "");
    NEON("vld1_bf16_x3", "24", "");
    expect("vld1q_f32(p);", "vld1q_f32(p);"); /* gcc tells of it */
}
#endif

static void lanes(void **state)
{
    (void)state;
    const char *base = "__auto_type hpc__0 = p; __auto_type hpc__2 = i; ";
    expect_lanes("v = _mm256_i32gather_ps(p,i,4);", base, LANE("8", "1", "4", "int", "4"), "read",
                 "_mm256_i32gather_ps(hpc__0,hpc__2,4)");
    expect_lanes("v = _mm256_i32gather_pd(p,i,8);", base, LANE("4", "1", "8", "int", "8"), "read",
                 "_mm256_i32gather_pd(hpc__0,hpc__2,8)");
    expect_lanes("v = _mm256_i64gather_ps(p,i,4);", base, LANE("4", "1", "4", "long long", "4"),
                 "read", "_mm256_i64gather_ps(hpc__0,hpc__2,4)");
    expect_lanes(
        "v = _mm512_i32gather_epi32(i,p,4);", "__auto_type hpc__2 = i; __auto_type hpc__0 = p; ",
        LANE("16", "1", "4", "int", "4"), "read", "_mm512_i32gather_epi32(hpc__2,hpc__0,4)");
    expect_lanes("v = _mm512_i32scatter_pd(p,i,x,8);", base, LANE("8", "1", "8", "int", "8"),
                 "write", "_mm512_i32scatter_pd(hpc__0,hpc__2,x,8)");
    expect_lanes("v = _mm_mask_i32gather_pd(s,p,i,m,8);",
                 "__auto_type hpc__0 = p; __auto_type hpc__2 = i; __auto_type hpc__1 = m; ",
                 LANE("2", "((const signed char *)&hpc__1)[8 * hpc__k + 7] < 0", "8", "int", "8"),
                 "read", "_mm_mask_i32gather_pd(s,hpc__0,hpc__2,hpc__1,8)");
    expect_lanes("v = _mm512_mask_i64gather_pd(s,m,i,p,1);",
                 "__auto_type hpc__1 = m; __auto_type hpc__2 = i; __auto_type hpc__0 = p; ",
                 LANE("8", "hpc__1 >> hpc__k & 1", "1", "long long", "8"), "read",
                 "_mm512_mask_i64gather_pd(s,hpc__1,hpc__2,hpc__0,1)");
}

/* Of the same file, by other paths: the student's. */
static void by_other_paths(void **state)
{
    (void)state;
    expect(
        "# 1 \"./s.c\" 1 3\n_mm256_stream_ps(p,v);",
        "# 1 \"./s.c\" 1 3\n({ __auto_type hpc__0 = p; extern void __tsan_write_range(void *, "
        "unsigned long); __tsan_write_range((void *)hpc__0, 32); _mm256_stream_ps(hpc__0,v); });");
    expect("# 1 \"mlp/../s.c\" 1\n_mm_sfence();", "# 1 \"mlp/../s.c\" 1\n_mm_sfence();");
    struct unseen_instruction unseen;
    assert_null(told("# 1 \"mlp/../s.c\" 1\nf = _mm256_i32gather_ps;", false, &unseen));
    expect("# 1 \"mlp/mlp.h\" 1\nf = _mm256_i32gather_ps;",
           "# 1 \"mlp/mlp.h\" 1\nf = _mm256_i32gather_ps;");
}

static void refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"_mm512_mask_compressstoreu_ps(p, m, v);",
                                        "f = _mm256_i32gather_ps;", "_fxsave(p);"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct unseen_instruction unseen;
        assert_null(told(lines[i], false, &unseen));
        assert_non_null(strstr(lines[i], unseen.name));
        char *found = told(lines[i], true, &unseen); /* the sanitizer of addresses passes over it */
        assert_string_equal(found, lines[i]);
        free(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
#ifdef __aarch64__
        cmocka_unit_test(neon),
#endif
        cmocka_unit_test(lanes), cmocka_unit_test(by_other_paths), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
