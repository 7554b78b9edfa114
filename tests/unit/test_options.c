/* A command line read by its table, and what is made from the table. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "common/options.h"

struct values {
    bool quick, checked;
    const char *text, *choice, *maybe;
    uint64_t seed;
    int count;
    double number;
    struct option_many many, passed;
};

#define AT(member) .at = offsetof(struct values, member)
static const struct option_row rows[] = {
    {"quick", NULL, "a switch", OPTION_SWITCH, AT(quick)},
    {"no-check", NULL, "one that is on", OPTION_OFF, AT(checked)},
    {"text", "T", "a text | with a bar", OPTION_TEXT, AT(text)},
    {"choice", "one|two|three", "it's a [choice]", OPTION_CHOICE, AT(choice)},
    {"maybe", "M", "with = only", OPTION_MAYBE, AT(maybe)},
    {"seed", "N", "a seed", OPTION_SEED, AT(seed)},
    {"count", "N", "a count", OPTION_COUNT, AT(count), .low = 1, .high = 20},
    {"number", "X", "a number", OPTION_NUMBER, AT(number), .low = 0.5, .high = 2},
    {"only", "TASK", "several", OPTION_MANY, AT(many)},
    {"I", "DIR", "to the compiler", OPTION_PASSED, AT(passed)},
    {0},
};
static const struct option_table table = {
    .command = "./hpclab toy",
    .words = "LAB ..",
    .title = "a toy",
    .about = "Does nothing.",
    .ending = "Ends.",
    .examples = "./hpclab toy lab1\n./hpclab toy lab2",
    .least = 1,
    .most = 2,
    .expected = "one lab or two",
    .rows = rows,
};

static struct values values;
static struct hpc_error err;
static char *words[20], **left;
static int n_left;

/* Read "toy" and the words of text, which blanks part. */
static int read_text(const char *text)
{
    static char copy[400];
    n_left = 0;
    snprintf(copy, sizeof copy, "toy %s", text);
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        words[n_left++] = w;
    words[n_left] = NULL;
    left = words;
    values = (struct values){.checked = true};
    return options_read(&table, &n_left, &left, &values, &err);
}

static void values_are_set(void **state)
{
    (void)state;
    assert_int_equal(read_text("lab1 --quick --text t --choice two --seed 18446744073709551615 "
                               "--count 20 lab2 --number 0.5"),
                     1);
    assert_true(values.quick && values.checked && !values.maybe);
    assert_string_equal(values.text, "t");
    assert_string_equal(values.choice, "two");
    assert_true(values.seed == UINT64_MAX && values.count == 20 && values.number == 0.5);
    assert_int_equal(n_left, 2);
    assert_string_equal(left[0], "lab1");
    assert_string_equal(left[1], "lab2");
    assert_int_equal(read_text("--maybe lab1 --no-check"), 1);
    assert_string_equal(values.maybe, "");
    assert_false(values.checked);
    assert_int_equal(read_text("--maybe=a,b lab1 -- --quick"), 1);
    assert_string_equal(values.maybe, "a,b");
    assert_false(values.quick);
    assert_string_equal(left[1], "--quick");
}

static void many_are_kept_in_their_order(void **state)
{
    (void)state;
    assert_int_equal(read_text("lab1 --only a -Ix --only b -I y"), 1);
    assert_int_equal(values.many.n, 2);
    assert_string_equal(values.many.word[1], "b");
    assert_int_equal(values.passed.n, 2);
    assert_string_equal(values.passed.word[0], "-Ix");
    assert_string_equal(values.passed.word[1], "-Iy");
    option_many_clear(&values.passed);
}

static void errors_say_what_was_expected(void **state)
{
    static const struct {
        const char *text, *error;
    } wrong[] = {
        {"lab1 --quik",
         "toy: unknown option --quik, did you mean --quick? see ./hpclab toy --help"},
        {"lab1 --zzzzzzzzzz", "toy: unknown option --zzzzzzzzzz; see ./hpclab toy --help"},
        {"lab1 -zed", "toy: unknown option -z; see ./hpclab toy --help"},
        {"lab1 -z", "toy: unknown option -z; see ./hpclab toy --help"},
        {"lab1 --quick=3", "toy: --quick=3: --quick takes no value; see ./hpclab toy --help"},
        {"lab1 --seed", "toy: a value is missing after --seed; see ./hpclab toy --help"},
        {"lab1 --seed --help", "toy: a value is missing after --seed; see ./hpclab toy --help"},
        {"lab1 --seed --seed=3", "toy: a value is missing after --seed; see ./hpclab toy --help"},
        {"lab1 --choice four", "--choice four: expected one, two or three"},
        {"lab1 --choice tw", "--choice tw: expected one, two or three"},
        {"lab1 --seed -1", "--seed -1: expected a number from 0 to 18446744073709551615"},
        {"lab1 --seed 1x", "--seed 1x: expected a number from 0 to 18446744073709551615"},
        {"lab1 --count 21", "--count 21: expected a number from 1 to 20"},
        {"lab1 --count 1.5", "--count 1.5: expected a number from 1 to 20"},
        {"lab1 --number 0.4", "--number 0.4: expected a number from 0.5 to 2"},
        {"lab1 --number nan", "--number nan: expected a number from 0.5 to 2"},
        {"", "toy: expected one lab or two; see ./hpclab toy --help"},
        {"lab1 lab2 lab3", "toy: expected one lab or two, found also \"lab3\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_text(wrong[i].text), -1);
        assert_string_equal(err.text, wrong[i].error);
        assert_int_equal(err.status, HPC_EXIT_USAGE);
    }
}

/* What a printer writes, to be freed. */
static char *printed(void (*print)(const struct option_table *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    print(&table, f);
    fclose(f);
    return text;
}

static void holds(void (*print)(const struct option_table *, FILE *), const char *const *parts)
{
    char *text = printed(print);
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("no \"%s\" in\n%s", *parts, text);
    free(text);
}

static void every_form_has_every_option(void **state)
{
    (void)state;
    holds(options_help, (const char *const[]){
                            "usage: ./hpclab toy LAB .. [--quick] [--no-check]", "\n  --quick ",
                            "\n  --choice one|two|three ", "[--maybe[=M]]", "[--only TASK] ..",
                            "[-IDIR] ..", "Ends.\nExample: ./hpclab toy lab1\n         ./", NULL});
    holds(options_markdown, (const char *const[]){"### `./hpclab toy LAB ..`",
                                                  "| `--text T` | a text \\| with a bar |",
                                                  "| `--choice one\\|two\\|three` |", NULL});
    holds(options_man, (const char *const[]){".TP\n.B \\-\\-text T\na text", NULL});
    holds(options_bash, (const char *const[]){"toy) offered=labs", "'--quick --no-check",
                                              "--choice) offered='one two three'",
                                              "--text) offered=files", " -I --help'", NULL});
    holds(options_zsh,
          (const char *const[]){"'--choice=[it'\\''s a \\[choice\\]]:choice:(one two three)'",
                                "'*--only=[several]:TASK:_hpclab_task'", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_set),
        cmocka_unit_test(many_are_kept_in_their_order),
        cmocka_unit_test(errors_say_what_was_expected),
        cmocka_unit_test(every_form_has_every_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
