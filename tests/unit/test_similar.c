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
    "void f" a "(int *const " b ", register int n)\n<%\n    for (int i = 0; i < n; i++)\n"         \
    "        " b "<:i:> = n * i + " b "[n - i] - (i < " a " ? n : i);;\n    while (n > 0)\n"       \
    "        n /= " b "[n] + 3; ;\n%>\n"
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

/* What says nothing in a preprocessed text is left out; strings and lines stay as they are. */
static void disguises(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"f() <% a<:1:> = 2; %>\n", "f() { a[1] = 2; }\n"},
        {"a;;\n;{;} ; b\n", "a;\n{}  b\n"},
        {"for (;;)\n", "for (;)\n"},
        {"const int x = 1; register y;\n", " int x = 1;  y;\n"},
        {"__attribute__((aligned(8))) int x;\n__attribute__ x(\n", " int x;\n__attribute__ x(\n"},
        {"\xc3\xa9"
         "a$ \\u00e9b 1.5\n",
         "xxax xu00e9b 1.5\n"},
        {"\"const;;<%\" ';' // ;;\n", "\"const;;<%\" ';' // ;;\n"},
        {"\"\\\"", "\"\\\""},
        {"/*", "/*"},
        {"__attribute__((", "__attribute__(("},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *plain = similar_plain(rows[i][0]);
        assert_string_equal(plain, rows[i][1]);
        free(plain);
    }
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
