/* Texts of a class compared by sim_c: more of them than a command line has words for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/command.h"
#include "common/text.h"
#include "harness/similar/given.h"
#include "harness/similar/similar.h"

#define TEXTS 1100
#define OLD   1098 /* this one and the one after it */

static char root[] = "/tmp/hpclab-similar-XXXXXX";
/* Two blocks of more tokens than sim_c asks for; names and numbers do not count. */
#define LONG(a, b)                                                                                 \
    "void f" a "(int *" b ", int n)\n{\n    for (int i = 0; i < n; i++)\n"                         \
    "        " b "[i] = n * i + " b "[n - i] - (i < " a " ? n : i);\n    while (n > 0)\n"          \
    "        n /= " b "[n] + 3;\n}\n"
/* The same, disguised. */
#define HIDDEN(a, b)                                                                               \
    "#define IS =\n#define UNTIL <\n%:define END ;\nvoid f" a "(int *" b                           \
    ", int n)\n<%\n    for (int i IS 0 END i UNTIL n END i++)\n"                                   \
    "        " b "<:i:> IS n * i + " b "[n - i] - (i UNTIL " a " ? n : i)END\n    while (n > 0)\n" \
    "        n /= " b "[n] + 3 END\n%>\n"
#define SHORT(a)                                                                                   \
    "struct s" a "\n{\n    int a, b, *c, **d[" a "];\n    double e, f, g[" a "][2];\n"             \
    "    char h;\n};\n"

static const char *text_of(int i)
{
    switch (i) {
    case 3:
        return SHORT("1") "\nint x;\n" LONG("2", "x");
    case 900:
        return HIDDEN("77", "y") "char *apart = \"\";\n" SHORT("9");
    case OLD:
    case OLD + 1:
        return LONG("5", "z");
    default:
        return "int nothing;\n";
    }
}

/* There is one pair of these, whose runs come longest first. */
static void assert_pair(const struct similar *x, int a, int b, int runs)
{
    int seen = 0;
    for (int i = 0; i < x->n_pairs; i++) {
        const struct similar_pair *p = &x->pair[i];
        if (p->text[0] != &x->text[a] || p->text[1] != &x->text[b])
            continue;
        int tokens = 0;
        assert_int_equal(p->n, runs);
        for (int k = 0; k < p->n; k++) {
            tokens += p->run[k].tokens;
            assert_true(k == 0 || p->run[k].tokens <= p->run[k - 1].tokens);
        }
        assert_true(tokens == p->tokens && tokens <= p->text[0]->tokens);
        seen++;
    }
    assert_int_equal(seen, 1);
}

static void many(void **state)
{
    (void)state;
    struct similar x = {.folder = root, .n = TEXTS};
    struct hpc_error err;
    if (!command_find("sim_c"))
        skip();
    assert_non_null(mkdtemp(root));
    x.text = hpc_calloc(TEXTS, sizeof *x.text);
    for (int i = 0; i < TEXTS; i++)
        x.text[i] = (struct similar_text){.text = (char *)text_of(i), .old = i >= OLD};
    assert_true(similar_runs(&x, 0, TEXTS, false, &err));
    assert_int_equal(x.n_pairs, 5); /* what is old is not compared with what is old */
    assert_pair(&x, 3, 900, 2);
    for (int old = OLD; old < TEXTS; old++) {
        assert_pair(&x, 3, old, 1);
        assert_pair(&x, 900, old, 1);
    }
    assert_true(x.text[3].tokens > x.text[OLD].tokens && x.text[0].tokens > 0);
    for (int i = 0; i < x.n_pairs; i++)
        free(x.pair[i].run);
    free(x.pair);
    free(x.text);
    folder_remove(root);
}

/* Own macros and digraphs hide nothing; what they are in strings and comments, and behind #undef,
 * stays, and so do lines' numbers. */
static void disguises(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"#define IS =\nint a IS 1;\n", "\nint a = 1;\n"},
        {"#define A B B\n#define B ,\\\n;\nA\n", "\n\n\n,; ,;\n"},
        {"  %: define OTHER else\n  OTHER x\n", "  \n  else x\n"},
        {"#define E =\na E \"E\" /* E */ 'E' 1E3 E; // E\n#undef E\nE\n",
         "\na = \"E\" /* E */ 'E' 1E3 =; // E\n\nE\n"},
        {"#define F(a) a\nF(1)\n", "#define F(a) a\nF(1)\n"},
        {"#define R R R\nR\n", NULL},
        {"f() <% a<:1:> = 2; %>\n", "f() { a[1] = 2; }\n"},
        {"\"\\\"", "\"\\\""},
        {"#define", "#define"},
        {"/*", "/*"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *plain = similar_undisguised(rows[i][0]);
        if (rows[i][1])
            assert_string_equal(plain, rows[i][1]);
        free(plain);
    }
    struct text bomb = {0};
    for (int i = 0; i < 90; i++)
        text_add(&bomb, "#define m%d m%d m%d m%d m%d\n", i, i + 1, i + 1, i + 1, i + 1);
    for (int i = 0; i < 4000; i++)
        text_add(&bomb, "m0 ");
    char *plain = similar_undisguised(text_string(&bomb));
    assert_true(strlen(plain) < 1 << 20);
    free(plain);
    text_free(&bomb);
}

/* What is one's own, but for blanks. */
static char *own_of(const struct given *given, const char *text)
{
    bool cut = false;
    char *own = given_left_out(given, text, &cut), *to = own;
    for (const char *c = own; *c; c++)
        if (!strchr(" \n", *c))
            *to++ = *c;
    *to = '\0';
    return own;
}

/* Who writes each bracket on a line has the same tokens as who does not. */
static void layout(void **state)
{
    (void)state;
    struct given given = {NULL, 0};
    given_add(&given, "void f(int n)\n{\n    if (n)\n    {\n        n = 1;\n    }\n    );\n}\n");
    char *one = own_of(&given, "n = 1;\nwhile (g(n)) {\n    n = 2; }\n");
    char *other = own_of(&given, "n = 1;\nwhile (g(n))\n{\n    n = 2;\n}\n");
    assert_string_equal(one, "while(g(n)){n=2;}");
    assert_string_equal(other, one);
    free(one);
    free(other);
    given_free(&given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many), cmocka_unit_test(disguises),
                                       cmocka_unit_test(layout)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
