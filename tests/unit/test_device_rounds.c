/* Loops whose rounds the rewriter counts (device/rewrite/rounds.c), and those that it leaves alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "device/rewrite/rewrite.h"

#define DECLARED     "# 1 \"kernel.h\" 3\nenum { every_loop_counts = 1 };\n# 1 \"a.cu\"\n"
#define KERNEL(body) "__global__ void k(int *y, int n) { " body " }"

/* The text as the rewriter writes it, on one line from the kernel on; the caller frees it. */
static char *rewritten(const char *head, const char *body)
{
    char text[4096], *out = NULL;
    size_t size = 0;
    struct place error = {0};
    int n = snprintf(text, sizeof text, "%s%s\n", head, body);
    FILE *f = open_memstream(&out, &size);
    bool read = rewrite(text, (size_t)n, f, &error);
    fclose(f);
    if (!read)
        fail_msg("not read: %s: %s", error.text, body);
    return out;
}

static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;
    while ((text = strstr(text, part))) {
        n++;
        text += strlen(part);
    }
    return n;
}

static void expect(unsigned loops, const char *body)
{
    char *out = rewritten(DECLARED, body);
    if (count(out, "::loop_rounds hpc_rounds_") != loops || count(out, ".next()") != loops)
        fail_msg("expected %u loops: %s\n%s", loops, body, out);
    free(out);
}

static void loops_that_count(void **state)
{
    (void)state;
    expect(1, KERNEL("for (int i = 0; i < n; i++) if (i) y[i] = 1;"));
    expect(1, KERNEL("while (n--) { y[n] = n && y[0]; }"));
    expect(1, KERNEL("do { y[n] = n ? y[0] : 3; } while (n--);"));
    expect(1, KERNEL("for (;;) { if (n) break; }"));
    expect(1, KERNEL("for (int v : {1, 2}) f(y, v);"));
    expect(2, KERNEL("for (;;) for (;;) while (n) n--;")); /* not the innermost one */
    expect(1, "__device__ void f(int *y, int n) { for (;;) if (n) y[n] = 0; }");
    expect(1, "struct s { __device__ void f(int n) { for (;;) if (n) n--; } };");
    expect(1,
           "template <int R> __device__ void f(int n) { for (int i = 0; i < R; i++) if (n) n--; }");
    expect(1, KERNEL("auto f = [&] { for (;;) if (n) break; }; f();"));
    expect(1, KERNEL("if constexpr (sizeof(int) == 4) for (;;) if (n) break;"));
    expect(1, KERNEL("for (;;) switch (n) { case 1: n = 2; break; default: n = 3; }"));
    expect(1, "constexpr int a[] = {1}; constexpr int f() { return 1; } " KERNEL(
                  "constexpr int b = 1; for (;;) if (n == b) break;"));
}

static void loops_that_need_not(void **state)
{
    (void)state;
    expect(0, KERNEL("for (int i = 0; i < n; i++) { y[i] += (i & 3) * sizeof n; }"));
    expect(0, KERNEL("while (y[n] && n) n--;"));
    expect(0, KERNEL("do n--; while (y[n] && n);"));
    expect(0, KERNEL("while (y[n] && n--) ;"));
    expect(0, "void f(int n) { for (;;) if (n) n--; }");
    expect(0, "__device__ constexpr int f(int n) { for (;;) if (n) return n; }");
    expect(0, "constexpr __device__ int f(int n) { for (;;) if (n) return n; }");
    expect(0, KERNEL("constexpr int v = [](int m) { for (;;) if (m) return m; }(3);"));
    expect(0, KERNEL("goto in; for (;;) { if (n) n--; in: n++; }"));
    expect(0, KERNEL("switch (n) { case 0: do { if (y) n = 1; case 1: n = 2; } while (n); }"));
    char *out = rewritten("# 1 \"a.cu\"\nenum { every_loop_counts = 1 };\n", /* a user's word */
                          KERNEL("for (;;) if (n) break;"));
    assert_null(strstr(out, "hpc_rounds"));
    free(out);
    /* Where lanes ask who is with them, other modes count too. */
    out = rewritten("", KERNEL("for (;;) if (n) y[0] = __activemask();"));
    assert_non_null(strstr(out, "hpc_rounds"));
    free(out);
}

/* What the text becomes: an else stays with its if, a #pragma with its loop, a line is the same. */
static void text(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"if (n) for (;;) if (n) break; else n--; else n++;",
         "if (n) { ::hpc_dev::loop_rounds hpc_rounds_1(1); for (;;) if (hpc_rounds_1.next(), "
         "false) "
         "{ } else if (n) break; else n--; } else n++;"},
        {"if (n) do if (y[n]) n--; while (n); else n = 1;",
         "if (n) { ::hpc_dev::loop_rounds hpc_rounds_1(1); do if (hpc_rounds_1.next(), false) { } "
         "else if (y[n]) n--; while (n); } else n = 1;"},
        {"for (;;) for (;;) if (n) n++; n = 0;",
         "{ ::hpc_dev::loop_rounds hpc_rounds_1(1); for (;;) if (hpc_rounds_1.next(), false) { } "
         "else { ::hpc_dev::loop_rounds hpc_rounds_2(2); for (;;) if (hpc_rounds_2.next(), false) "
         "{ } else if (n) n++; } } n = 0;"},
        {"n = 1;\n#pragma unroll\nfor (;;)\nif (n) n++;",
         "n = 1;\n{ ::hpc_dev::loop_rounds hpc_rounds_1(1); #pragma unroll\nfor (;;)\nif "
         "(hpc_rounds_1.next(), false) { } else if (n) n++; }"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[1024], got[4096], *out;
        snprintf(body, sizeof body, "__global__ void k(int *y, int n)\n{\n%s\n}", cases[i].from);
        out = rewritten(DECLARED, body);
        size_t n = 0;
        bool marker = false; /* a line `# 3 "a.cu"` */
        for (const char *p = out; *p && n + 1 < sizeof got; p++) {
            marker = (marker && *p != '\n') || (p[0] == '#' && p[1] == ' ');
            bool again = n > 0 && (*p == ' ' || *p == '\n') && strchr(" \n", got[n - 1]);
            if (!marker && !again)
                got[n++] = *p;
        }
        got[n] = '\0';
        if (!strstr(got, cases[i].to))
            fail_msg("%s\nexpected %s\ngot %s", cases[i].from, cases[i].to, got);
        free(out);
    }
}

/* Very deep text is read, whatever becomes of its loops. */
static void deep(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    char *source = malloc(DEPTH * 6 + 200), *out = NULL, *at = source;
    size_t size = 0;
    assert_non_null(source);
    at += sprintf(at, "%s__global__ void k(int n) {", DECLARED);
    for (int i = 0; i < DEPTH; i++)
        at += sprintf(at, "do ");
    at += sprintf(at, "n; }\n");
    struct place error = {0};
    FILE *f = open_memstream(&out, &size);
    assert_true(rewrite(source, (size_t)(at - source), f, &error));
    fclose(f);
    assert_non_null(strstr(out, "do do do"));
    free(out);
    free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_that_count),
        cmocka_unit_test(loops_that_need_not),
        cmocka_unit_test(text),
        cmocka_unit_test(deep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
