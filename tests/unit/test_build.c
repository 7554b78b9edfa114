/* Building a variant: what is compiled, what is refused and with which line, what is fresh. The
 * sources are written below build/tests/ and built as a student's would be. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/build/build.h"
#include "harness/jail/jail.h"

#define SYMBOLS "malloc free exp cos* omp_* GOMP_*"

static char root[1000], folder[64]; /* folder: of this run, below root */

static const char prologue[] =
    "#include \"common/abi.h\"\n#include <stdlib.h>\n"
    "static int o(const struct hpc_env *e, const void *p, void **s) {(void)e; (void)p; (void)s; "
    "return 0;}\n"
    "static int r(void *s, const void *const in[], void *const out[]);\n"
    "static void c(void *s) {(void)s;}\n"
    "const struct hpc_variant hpc_variant = {HPC_ABI, \"toy\", \"toy\", o, r, c};\n";
#define RUN(body)                                                                                  \
    "static int r(void *s, const void *const in[], void *const out[]) {(void)s; (void)in; "        \
    "(void)out;" body "}\n"

static void write_file(const char *name, const char *first, const char *second)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "%s%s", first, second);
    assert_int_equal(fclose(f), 0);
}

/* Build FOLDER/x.c with these flags as a student's; `given`: the spec's. */
static struct build_result build_given(const char *given, const char *source, const char *flags,
                                       enum build_kind kind)
{
    struct build_result result;
    char path[100], out[100];
    snprintf(path, sizeof path, "%s/%s", folder, source);
    snprintf(out, sizeof out, "%s/out", folder);
    struct build_spec spec = {.root = root,
                              .source = path,
                              .folder = out,
                              .op_folder = folder,
                              .given = given,
                              .flags = flags,
                              .libraries = "-lm",
                              .symbols = SYMBOLS,
                              .kind = kind};
    build_variant(&spec, &result);
    assert_null(strchr(result.outcome.reason, '\n'));
    return result;
}

static struct build_result build_with(const char *source, const char *flags, enum build_kind kind)
{
    return build_given(NULL, source, flags, kind);
}

static struct build_result build(const char *body)
{
    write_file("x.c", prologue, body);
    return build_with("x.c", "-O1", BUILD_PLAIN);
}

static void expect(const char *body, enum verdict verdict, const char *reason)
{
    struct build_result result = build(body);
    if (result.outcome.verdict != verdict || !strstr(result.outcome.reason, reason))
        print_error("%s\n -> %s: %s\n", body, verdict_names[result.outcome.verdict],
                    result.outcome.reason);
    assert_int_equal(result.outcome.verdict, verdict);
    assert_non_null(strstr(result.outcome.reason, reason));
    assert_int_equal(access(result.output, X_OK) == 0, verdict == VERDICT_PASS);
}

static void test_right(void **state)
{
    (void)state;
    expect(RUN("return malloc(1) == NULL;"), VERDICT_PASS, "");
    expect(
        "#include <math.h>\n#include <string.h>\n" RUN(
            "*(double *)out[0] = cosf(exp(*(double *)in[0])); memset(out[1], 1, 999); return 0;"),
        VERDICT_PASS, "");
    expect("int helper(void) {return 0;} int main_sum; void say(void) {}\n" RUN("return helper();"),
           VERDICT_PASS, "");
    char command[200];
    snprintf(command, sizeof command,
             "test \"$(nm -g --defined-only %s/out/object.o | wc -l)\" = 1", folder);
    assert_int_equal(system(command), 0);
}

/* Headers of one operation alone are there for its own sources. */
static void test_given(void **state)
{
    char given[100], path[1200], text[400];
    (void)state;
    snprintf(given, sizeof given, "%s/given", folder);
    snprintf(path, sizeof path, "%s/%s", root, given);
    assert_int_equal(mkdir(path, 0777), 0);
    write_file("given/ready.h", "static int ready(void) {return 0;}\n", "");
    snprintf(text, sizeof text, "#include \"%s/ready.h\"\n" RUN("return ready();"), given);
    expect(text, VERDICT_BUILD, "ready.h: No such file");
    struct build_result with = build_given(given, "x.c", "-O1", BUILD_PLAIN);
    assert_int_equal(with.outcome.verdict, VERDICT_PASS);
}

static void test_compiler_errors(void **state)
{
    char line[100];
    (void)state;
    snprintf(line, sizeof line, "%s/x.c:7: error: ", folder);
    expect("int broken = ;\n" RUN("return 0;"), VERDICT_BUILD, line);
    expect("#include \"nowhere.h\"\n" RUN("return 0;"), VERDICT_BUILD, "nowhere.h: No such file");
    expect("int omp_nowhere(void);\n" RUN("return omp_nowhere();"), VERDICT_BUILD,
           "undefined reference to");
    write_file("x.c", "int x;\n", "");
    struct build_result result = build_with("x.c", "-O1", BUILD_PLAIN);
    assert_int_equal(result.outcome.verdict, VERDICT_BUILD);
    assert_non_null(
        strstr(result.outcome.reason, "defines no `const struct hpc_variant hpc_variant`"));
    result = build_with("absent.c", "-O1", BUILD_PLAIN);
    assert_int_equal(result.outcome.verdict, VERDICT_BUILD);
    assert_non_null(strstr(result.outcome.reason, "absent.c: not there"));
    snprintf(line, sizeof line, "%s/link.c", folder);
    assert_int_equal(symlink("/etc/passwd", line), 0);
    result = build_with("link.c", "-O1", BUILD_PLAIN);
    assert_int_equal(result.outcome.verdict, VERDICT_BUILD);
    assert_non_null(strstr(result.outcome.reason, "link.c: a link, expected a file"));
}

static void test_rejected(void **state)
{
    (void)state;
    expect(RUN("return system(\"id\");"), VERDICT_REJECTED,
           "calls system(), which this task does not allow; allowed: malloc free exp");
    expect("int omp(void); int om_p(void);\n" RUN("return omp();"), VERDICT_REJECTED,
           "calls omp()");
    expect("int mallocs(void);\n" RUN("return mallocs();"), VERDICT_REJECTED, "calls mallocs()");
    expect("__attribute__((constructor)) static void f(void) {*(volatile int *)8 = 1;}\n" RUN(
               "return 0;"),
           VERDICT_REJECTED, "section .init_array");
    expect("__attribute__((destructor)) static void f(void) {*(volatile int *)8 = 1;}\n" RUN(
               "return 0;"),
           VERDICT_REJECTED, "section .fini_array");
    expect("__asm__(\".section .init,\\\"ax\\\"\\nnop\\n.text\\n\");\n" RUN("return 0;"),
           VERDICT_REJECTED, "section .init");
    expect("static int g(void) {return 0;} static void *f_i(void) {return g;}\n"
           "int f(void) __attribute__((ifunc(\"f_i\")));\n" RUN("return f();"),
           VERDICT_REJECTED, "is an ifunc");
    expect("int call(int (*f)(void)) {return f();}\n" RUN(
               "int n = 1; int g(void) {return n;} return call(g) + n;"),
           VERDICT_REJECTED, "wants a stack that can be executed");
    expect("__asm__(\".section .mine,\\\"awx\\\"\\n.byte 195\\n.text\\n\");\n" RUN("return 0;"),
           VERDICT_REJECTED, "section .mine is writable and executable");
    expect(
        "__asm__(\".section .interp,\\\"a\\\"\\n.asciz \\\"x\\\"\\n.text\\n\");\n" RUN("return 0;"),
        VERDICT_REJECTED, "has a section .interp");
    expect("__asm__(\".text\\n.quad malloc\\n\");\n" RUN("return 0;"), VERDICT_REJECTED,
           "holds addresses within code (.rela.text)");
    /* A main of its own, a symbol of the runner's: local, so that neither is in the way. */
    expect("int main(void) {return 3;} void *__wrap_malloc(size_t n) {(void)n; return 0;}\n" RUN(
               "return 0;"),
           VERDICT_PASS, "");
}

static void test_secrets(void **state)
{
    (void)state;
    if (jail_tier() != JAIL_BUBBLEWRAP)
        skip(); /* needs bubblewrap */
    expect("#include \"/etc/passwd\"\n" RUN("return 0;"), VERDICT_BUILD,
           "/etc/passwd: No such file");
    expect("#if __has_include(\"../../../Makefile\")\n#error seen\n#endif\n" RUN("return 0;"),
           VERDICT_PASS, "");
    expect("__asm__(\".incbin \\\"/etc/passwd\\\"\");\n" RUN("return 0;"), VERDICT_BUILD,
           "/etc/passwd");
}

static void test_fresh(void **state)
{
    (void)state;
    const char *body = "#include HEADER\n" RUN("return VALUE;");
    char flags[200], header[100];
    snprintf(header, sizeof header, "%s/value.h", folder);
    snprintf(flags, sizeof flags, "-DHEADER=\"%s\"", header);
    write_file("value.h", "#define VALUE 0\n", "");
    write_file("x.c", prologue, body);
    assert_true(build_with("x.c", flags, BUILD_PLAIN).built);
    struct build_result again = build_with("x.c", flags, BUILD_PLAIN);
    assert_true(!again.built && again.outcome.verdict == VERDICT_PASS);
    write_file("value.h", "#define VALUE 1\n", "");
    assert_true(build_with("x.c", flags, BUILD_PLAIN).built);
    write_file("x.c", prologue, "#include HEADER\n\n" RUN("return VALUE;"));
    assert_true(build_with("x.c", flags, BUILD_PLAIN).built);
    strcat(flags, " -O2");
    assert_true(build_with("x.c", flags, BUILD_PLAIN).built);
    again = build_with("x.c", flags, BUILD_PLAIN);
    assert_false(again.built);
    assert_int_equal(unlink(again.output), 0);
    assert_true(build_with("x.c", flags, BUILD_PLAIN).built);
    /* A source that fails leaves no runner of an older one. */
    write_file("x.c", "broken", "");
    again = build_with("x.c", flags, BUILD_PLAIN);
    assert_int_equal(again.outcome.verdict, VERDICT_BUILD);
    assert_int_not_equal(access(again.output, F_OK), 0);
}

static void test_kinds(void **state)
{
    (void)state;
    write_file("x.c", prologue, RUN("return 0;"));
    struct build_result result = build_with("x.c", "", BUILD_ADDRESS);
    assert_int_equal(result.outcome.verdict, VERDICT_PASS);
    assert_non_null(strstr(result.output, "/runner-address"));
    const struct build_result plain = build_with("x.c", "", BUILD_PLAIN); /* tells nothing */
    assert_memory_equal(result.env, plain.env, sizeof plain.env);
    result = build_with("x.c", "", BUILD_THREADS);
    assert_int_equal(result.outcome.verdict, VERDICT_PASS);
    assert_non_null(strstr(result.output, "/runner-threads"));
    assert_memory_equal(result.env, plain.env, sizeof plain.env);

    write_file("x.cc", "#include <vector>\nextern \"C\" {\n", prologue);
    result = build_with("x.cc", "-O1", BUILD_PLAIN);
    /* run is declared, not defined; closing } */
    assert_int_equal(result.outcome.verdict, VERDICT_BUILD);
}

static void test_object(void **state)
{
    char path[100], command[700];
    struct build_result result;
    (void)state;
    write_file("x.c", prologue, RUN("return 0;"));
    snprintf(path, sizeof path, "%s/x.c", folder);
    struct build_spec spec = {.root = root,
                              .source = path,
                              .folder = folder,
                              .op_folder = folder,
                              .flags = "-O1",
                              .rename = "hpc_variant_toy",
                              .kind = BUILD_OBJECT};
    build_variant(&spec, &result);
    assert_int_equal(result.outcome.verdict, VERDICT_PASS);
    snprintf(command, sizeof command,
             "test \"$(nm -g --defined-only %s | cut -d' ' -f3)\" = hpc_variant_toy",
             result.output);
    assert_int_equal(system(command), 0);
}

/* No stage stays behind. */
static void test_stages(void **state)
{
    char command[200];
    (void)state;
    expect(RUN("return 1;"), VERDICT_PASS, "");
    expect("broken", VERDICT_BUILD, "error");
    snprintf(command, sizeof command, "! ls build/tmp | grep -q '^%d-'", (int)getpid());
    assert_int_equal(system(command), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (!getcwd(root, sizeof root))
        return 1;
    snprintf(folder, sizeof folder, "build/tests/tmp-%d", (int)getpid());
    return mkdir(folder, 0777);
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),           cmocka_unit_test(test_given),
        cmocka_unit_test(test_compiler_errors), cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_secrets),         cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_kinds),           cmocka_unit_test(test_object),
        cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
